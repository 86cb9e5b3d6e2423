package resource

import (
	"context"
	"os"
	"path/filepath"
	"testing"

	"github.com/flowmcp/fmcp/pkg/catalog"
	"github.com/flowmcp/fmcp/pkg/model"
	"github.com/flowmcp/fmcp/pkg/ordjson"
	"github.com/flowmcp/fmcp/pkg/resource/origin"
)

func TestReadDocument(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, ".flowmcp/resources/tide-book.md")
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte("# Tides\n\n## Neap\n\nLess.\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	spec := &Spec{Resource: &catalog.Resource{
		ID: "tide/resource/book", Source: model.Markdown, Origin: model.Project, File: "tide-book.md",
	}}
	gone, cancel := context.WithCancel(t.Context())
	cancel()
	for _, tt := range []struct {
		ctx    context.Context
		limit  int64
		params string
		want   string
	}{
		{t.Context(), 0, `{"section":"Neap"}`, "## Neap\n\nLess.\n"},
		{t.Context(), 5, `{}`, "EXE076 the document has 1 KB, more than the 5 bytes that are returned at once: read " +
			"a part of it by lines or search, or raise --max-response"},
		{t.Context(), 0, `{"section":"a","lines":"1"}`,
			"EXE077 section and lines are given, expected one of them: make a call for each"},
		{gone, 0, `{}`, "EXE036 the call was cancelled"},
	} {
		s := &Store{Places: origin.Places{Project: dir}, MaxDocument: tt.limit}
		params, err := ordjson.Parse(tt.params)
		if err != nil {
			t.Fatal(err)
		}
		text, err := s.Read(tt.ctx, spec, params)
		got := text.Body
		if err != nil {
			got = err.Error()
		}
		if got != tt.want {
			t.Errorf("%s: %q, want %q", tt.params, got, tt.want)
		}
	}
}
