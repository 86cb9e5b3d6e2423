package stage

import (
	"context"
	"path"
	"path/filepath"

	"github.com/flowmcp/fmcp/pkg/migrate"
	"github.com/flowmcp/fmcp/pkg/ordjson"
	"github.com/flowmcp/fmcp/pkg/record"
	"github.com/flowmcp/fmcp/pkg/sandbox"
)

// readOld gives the record of a file of version 1 what the steps of migration ask for
// beside the record: the text, the arrays that it imports, and what its code makes of the
// schema.
func readOld(ctx context.Context, load *record.Load, text string) {
	if load.Type != record.TypeSchema || !migrate.Old(load.Exports) {
		return
	}
	load.Text = text
	old := migrate.Read(text, "")
	for _, name := range old.Siblings() {
		if list := sibling(load.Src, name); list.Exists() {
			if load.Lists == nil {
				load.Lists = map[string]ordjson.Value{}
			}
			load.Lists[name] = list
		}
	}
	old.Lists = load.Lists
	script := old.Script()
	if script == "" {
		return
	}
	// What fails here the rules report as a value that somebody has to write out.
	if json, err := sandbox.Export(ctx, script, migrate.Export); err == nil {
		load.Made, _ = ordjson.Parse(json)
	}
}

// sibling is the array in a file of the same catalog that a file imports; Missing where it
// is something else.
func sibling(src record.Source, name string) ordjson.Value {
	src.Path = path.Join(path.Dir(src.Path), name)
	if !filepath.IsLocal(src.Path) {
		return ordjson.Value{}
	}
	text, _, err := readModule(src.File())
	if err != nil {
		return ordjson.Value{}
	}
	return migrate.List(text)
}

// readAgain is readOld for a record that another process has made.
func readAgain(ctx context.Context, load *record.Load) {
	if load.Type != record.TypeSchema || load.Text != "" || !migrate.Old(load.Exports) {
		return
	}
	if text, hash, err := readModule(load.Src.File()); err == nil && hash == load.Src.FileHash {
		readOld(ctx, load, text)
	}
}
