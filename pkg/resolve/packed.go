package resolve

import (
	"cmp"
	"path/filepath"
	"strings"

	"github.com/flowmcp/fmcp/pkg/catalog"
	"github.com/flowmcp/fmcp/pkg/model"
	"github.com/flowmcp/fmcp/pkg/ordjson"
	"github.com/flowmcp/fmcp/pkg/record"
)

// packed is a schema that waits for the others. No MCP name is certain before the
// last tool is known, and the data of all schemas takes five times the memory of
// their text: so of each the text is kept, and the data made again when it is asked
// for.
type packed struct {
	text string // JSON of the data
	ids  []catalog.ID
	none bool // the data is no object, and there are no ids
}

// pack returns a schema without its data, which it keeps as text.
func (r *Resolver) pack(l *record.Load) *record.Load {
	r.buffer = ordjson.Append(r.buffer[:0], l.Data)
	p := &packed{text: string(r.buffer), none: !l.Data.Is(ordjson.Object)}
	kept := *l
	// What is a part of the source would keep all of it.
	kept.Exports = nil
	for _, name := range l.Exports {
		kept.Exports = append(kept.Exports, strings.Clone(name))
	}
	catalog.EachID(l, func(id catalog.ID, _ *model.Node) {
		p.ids = append(p.ids, catalog.ID{Namespace: id.Namespace, Type: id.Type, Name: strings.Clone(id.Name)})
	})
	kept.Data, kept.Hashes.Main = ordjson.Value{}, cmp.Or(l.Hashes.Main, record.Hash(r.buffer))
	r.packed[&kept] = p
	return &kept
}

// opened is a load record with its data. Whoever keeps it keeps the data.
func (r *Resolver) opened(l *record.Load) *record.Load {
	p := r.packed[l]
	if p == nil || l.Data.Exists() {
		return l
	}
	whole := *l
	whole.Data, _ = ordjson.Parse(p.text)
	return &whole
}

// while gives a schema its data while f runs.
func (r *Resolver) while(l *record.Load, f func()) {
	l.Data = r.opened(l).Data
	f()
	l.Data = ordjson.Value{}
}

// Loaded is the load record of a file with its data, nil where there is none.
func (r *Resolver) Loaded(file string) *record.Load {
	if l := r.contents[filepath.Clean(file)]; l != nil {
		return l
	}
	if r.byFile == nil {
		r.byFile = map[string]*record.Load{}
		for _, l := range r.loads {
			r.byFile[l.Src.File()] = l
		}
	}
	return r.opened(r.byFile[file])
}
