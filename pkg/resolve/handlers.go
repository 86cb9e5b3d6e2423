package resolve

import (
	"github.com/flowmcp/fmcp/pkg/catalog"
	"github.com/flowmcp/fmcp/pkg/ordjson"
	"github.com/flowmcp/fmcp/pkg/record"
	"github.com/flowmcp/fmcp/pkg/sharedlist"
)

// allStages is what a tool may have whose handlers cannot be read without
// running them: to call it as if it had none would return something else than
// its author means.
var allStages = []string{"preRequest", "executeRequest", "postRequest"}

// stages finds the handler stages of the tools and queries of a schema.
type stages struct {
	byName  map[string][]string
	unknown bool // there may be handlers of any name
}

func newStages(l *record.Load) stages {
	s := stages{byName: make(map[string][]string, len(l.Handlers))}
	for _, h := range l.Handlers {
		s.unknown = s.unknown || h.Name == record.UnknownHandlers
		if len(s.byName[h.Name]) == 0 {
			s.byName[h.Name] = h.Stages
		}
	}
	return s
}

// of returns the handler stages of a tool.
func (s stages) of(name string) []string {
	list, known := s.byName[name]
	if len(list) == 0 && (known || s.unknown) {
		return allStages
	}
	return list
}

// listsOfHandlers are the entries of the shared lists by name. Of two references
// to one list the last counts.
func (b *builder) listsOfHandlers() ordjson.Value {
	type use struct {
		list   *sharedlist.List
		filter sharedlist.Filter
	}
	uses := map[string]use{}
	var names []string
	for _, ref := range b.refs {
		if list, filter, ok := b.lists.Resolve(ref); ok {
			if _, known := uses[ref.Ref]; !known {
				names = append(names, ref.Ref)
			}
			uses[ref.Ref] = use{list, filter}
		}
	}
	members := make([]ordjson.Member, len(names))
	for i, name := range names {
		members[i] = ordjson.Field(name, ordjson.NewArray(uses[name].filter.Select(uses[name].list.Entries)...))
	}
	return ordjson.NewObject(members...)
}

// handlersOf is the record of what a schema's handlers are made of, once for all
// its tools and resources: the source, and the shared lists as its references
// filter them.
func (b *builder) handlersOf(source string) *catalog.Handlers {
	h := &catalog.Handlers{
		Schema: b.load.ID, Source: source, Libraries: record.StringsOf(b.schema.Get("requiredLibraries")),
		Src: catalog.Src{Path: b.load.Src.Path}, Hashes: b.load.Hashes,
	}
	if lists := b.listsOfHandlers(); lists.Len() > 0 {
		h.Lists = lists
	}
	if b.community {
		h.Profile = record.ProfileCommunity
	}
	return h
}
