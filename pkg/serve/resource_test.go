package serve

import (
	"testing"

	"github.com/flowmcp/fmcp/pkg/model"
	"github.com/flowmcp/fmcp/pkg/serve/listing"
)

// TestFind looks resources up by the addresses that schemas state, and by those made
// of the Spec-ID.
func TestFind(t *testing.T) {
	at := func(id, uri string) listing.Resource {
		r := listing.Resource{ID: id, URI: uri}
		if names, _, _ := model.AddressParameters(uri); names != nil {
			r.Path, r.Template = model.AddressPattern(uri), uri
		}
		return r
	}
	s, err := NewSurface(Contents{Resources: []listing.Resource{
		at("a/resource/plain/read", "flowmcp://a/resource/plain"),
		at("a/resource/text/read", "test://text"),
		at("a/resource/one/byId", "test://one/{id}/data"),
		at("a/resource/two/byBoth", "test://two/{a}-{b}"),
	}})
	if err != nil {
		t.Fatal(err)
	}
	for uri, want := range map[string]string{
		"flowmcp://a/resource/plain":           "flowmcp://a/resource/plain",
		"flowmcp://a/resource/plain?lines=1-2": "flowmcp://a/resource/plain?lines=1-2",
		"test://text":                          "flowmcp://a/resource/text/read",
		"test://text?section=A":                "flowmcp://a/resource/text/read?section=A",
		"test://one/123/data":                  "flowmcp://a/resource/one/byId?id=123",
		"test://one/a%2Fb%26c/data?limit=3":    "flowmcp://a/resource/one/byId?id=a%2Fb%26c&limit=3",
		"test://two/x-y":                       "flowmcp://a/resource/two/byBoth?a=x&b=y",
		"test://one/{id}/data":                 "flowmcp://a/resource/one/byId?id=%7Bid%7D",
		"test://one//data":                     "",
		"test://one/1/2/data":                  "",
		"test://one/%zz/data":                  "",
		"test://one/123/data/":                 "",
		"test://texts":                         "",
		"flowmcp://a/resource/text":            "",
	} {
		if _, got := s.find(uri); got != want {
			t.Errorf("%s is read at %q, want %q", uri, got, want)
		}
	}
}
