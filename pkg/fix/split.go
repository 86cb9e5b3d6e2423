package fix

import (
	"slices"
	"strconv"
	"strings"

	"github.com/flowmcp/fmcp/pkg/edit"
	"github.com/flowmcp/fmcp/pkg/migrate"
	"github.com/flowmcp/fmcp/pkg/model"
	"github.com/flowmcp/fmcp/pkg/ordjson"
	"github.com/flowmcp/fmcp/pkg/record"
)

// addFiles adds the files that a file of version 1 needs beside what it has become.
func (f *File) addFiles(load *record.Load, all bool) {
	if !migrate.Old(load.Exports) {
		return
	}
	f.More = lists(load, f.After)
	if parts := split(f.After); all && len(parts) > 1 {
		f.After = parts[0]
		base := strings.TrimSuffix(f.Src.Path, ".mjs")
		for i, text := range parts[1:] {
			f.More = append(f.More, More{base + "-part" + strconv.Itoa(i+2) + ".mjs", text})
		}
	}
}

// split is a schema as several of as many tools as they may have, which was more in version
// 1, with their handlers; nil where it cannot be taken apart.
func split(text string) []string {
	src, err := edit.ReadSource(text, "main")
	if err != nil {
		return nil
	}
	var names []string
	for _, m := range src.Value().Get("tools").Members() {
		names = append(names, m.Key)
	}
	var parts []string
	for kept := range slices.Chunk(names, model.MaxTools) {
		gone := slices.DeleteFunc(slices.Clone(names), func(n string) bool { return slices.Contains(kept, n) })
		var pointers []string
		for _, n := range gone {
			pointers = append(pointers, ordjson.Pointer("tools", n))
		}
		part, err := src.Remove(pointers, gone)
		if err != nil {
			return nil
		}
		parts = append(parts, part.Text())
	}
	return parts
}
