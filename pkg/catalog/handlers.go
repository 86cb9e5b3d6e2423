package catalog

import (
	"slices"

	"github.com/flowmcp/fmcp/pkg/ordjson"
	"github.com/flowmcp/fmcp/pkg/record"
)

// handlersSource reads the source of a schema that has handlers. Where it is
// not the one that was loaded, it is lost, which is reported: without it a tool
// would return something else than its author means.
func (s *session) handlersSource(l *record.Load) (source string, lost bool) {
	if len(l.Handlers) == 0 || s.opts.Source == nil {
		return "", false
	}
	source, same := s.opts.Source(l.Src)
	if same {
		return source, false
	}
	s.report(record.SeverityError, l.ID, l.Src, Problem{
		Code: CodeChanged, Message: "the file changed or vanished after it was loaded, so its handlers cannot be kept: tools that have some are left out",
		Fix: "scan again when nobody is writing to the tree",
	})
	return "", true
}

// hasHandlers reports whether a tool or a query, given its members, has some.
func hasHandlers(members []ordjson.Member) bool {
	return slices.ContainsFunc(members, func(m ordjson.Member) bool { return m.Key == "handlers" })
}

// handlers is the record of what a schema's handlers are made of, once for all
// its tools and resources: the source, and the shared lists as its references
// filter them. It is nil where nothing that is kept has handlers.
func (b *builder) handlers(tools []*tool, resources []*resource, source string) *record.Resolved {
	has := func(t *tool) bool { return hasHandlers(t.data) }
	if source == "" || !slices.ContainsFunc(tools, has) && !slices.ContainsFunc(resources, (*resource).handled) {
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
	// First, since a command that looks for one schema need not read on.
	f.value("src", srcValue(b.load.Src, ""))
	f.value("hashes", hashesValue(b.load.Hashes))
	f.str("source", source)
	if lists.Len() > 0 {
		f.value("lists", lists)
	}
	f.list("libraries", record.StringsOf(b.schema.Get("requiredLibraries")))
	if b.community {
		f.str("profile", record.ProfileCommunity)
	}
	return &record.Resolved{ID: b.load.ID, Type: record.TypeHandlers, Data: ordjson.NewObject(f...)}
}
