package catalog

import (
	"slices"

	"github.com/flowmcp/fmcp/pkg/ordjson"
	"github.com/flowmcp/fmcp/pkg/record"
)

// handlers is the record of what a schema's handlers are made of, once for all
// its tools: the source, and the shared lists as its references filter them.
// It is nil where no tool has handlers, or the source cannot be read any more.
func (b *builder) handlers(tools []*tool, read func(record.Source) (string, bool)) *record.Resolved {
	has := func(t *tool) bool {
		return slices.ContainsFunc(t.data, func(m ordjson.Member) bool { return m.Key == "handlers" })
	}
	if read == nil || !slices.ContainsFunc(tools, has) {
		return nil
	}
	text, same := read(b.load.Src)
	if !same {
		return nil
	}
	lists := ordjson.NewObject()
	for _, ref := range b.refs {
		list, p := b.lists.Resolve(ref)
		if p != nil {
			continue
		}
		if filter, p := NewFilter(ref); p == nil {
			lists = lists.With(ref.Ref, ordjson.NewArray(filter.Select(list.Entries)...))
		}
	}
	f := fields{}
	f.str("source", text)
	if lists.Len() > 0 {
		f.value("lists", lists)
	}
	f.list("libraries", record.StringsOf(b.schema.Get("requiredLibraries")))
	f.value("src", srcValue(b.load.Src, ""))
	f.value("hashes", hashesValue(b.load.Hashes))
	return &record.Resolved{ID: b.load.ID, Type: record.TypeHandlers, Data: ordjson.NewObject(f...)}
}
