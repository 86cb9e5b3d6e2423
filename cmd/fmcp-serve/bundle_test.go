package main

import (
	"slices"
	"testing"

	"github.com/flowmcp/fmcp/pkg/bundle"
	"github.com/flowmcp/fmcp/pkg/serve/listing"
)

// Who installs a bundle is told whom each key is for, and where it goes.
func TestKeysOf(t *testing.T) {
	got := keysOf([]listing.Tool{
		{ID: "b/tool/x", ServerParams: []string{"K", "S"}, Domain: "b.example"},
		{ID: "a/tool/x", ServerParams: []string{"K"}, Domain: "b.example"},
		{ID: "a/tool/y", ServerParams: []string{"K", "S"}, Domain: "a.example"},
		{ID: "b/tool/y", ServerParams: []string{"K", "O"}, Domain: "b.example"},
	})
	want := []bundle.Key{
		{Name: "K", Required: true, Description: "For 4 tools of a, b; asked for by a.example, b.example, and sent " +
			"to none before it is bound to one."},
		{Name: "O", Description: "For 1 tool of b; sent to b.example."},
		{Name: "S", Description: "For 2 tools of a, b; asked for by a.example, b.example, and sent to none " +
			"before it is bound to one."},
	}
	if !slices.Equal(got, want) {
		t.Errorf("%+v", got)
	}
}
