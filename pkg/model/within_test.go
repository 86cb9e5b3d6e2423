package model

import (
	"strings"
	"testing"

	"github.com/flowmcp/fmcp/pkg/ordjson"
)

func TestWithin(t *testing.T) {
	v := ordjson.NewInt(1)
	for range 50 {
		v = ordjson.NewArray(ordjson.NewObject(ordjson.Field("key", v)))
	}
	n := Root(ordjson.NewObject(ordjson.Field(strings.Repeat("long", 100), v)))
	n = n.Fields()[0]
	for range 50 {
		n = n.Items()[0].At("key")
	}
	for most, want := range map[int]string{0: "", 400: "", 401: n.Pointer()[:401], 403: n.Pointer()[:403],
		1000: n.Pointer()} {
		if got := n.Within(most).Pointer(); got != want {
			t.Errorf("within %d bytes: %d of them, want %d", most, len(got), len(want))
		}
	}
}
