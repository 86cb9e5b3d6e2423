package migrate

import (
	"slices"

	"github.com/flowmcp/fmcp/pkg/edit"
	"github.com/flowmcp/fmcp/pkg/ordjson"
	"github.com/flowmcp/fmcp/pkg/record"
)

// before are the steps of version 1 that are to be made before the schema becomes main:
// after that nobody looks for them.
var before = []func(*Source) []Step{Fields, Namespace, Blocks, Handlers, Imports, Computed}

// become are the edits by which schema of a file of version 1 becomes main of version 2.
func (s *Source) become() []record.Edit {
	name := s.At(s.Root.Pos()) - 2
	waits := func(find func(*Source) []Step) bool { return find(s) != nil }
	if s.Name(name) != Export || !s.Keyword(name-1, "const", "let", "var") || slices.ContainsFunc(before, waits) {
		return nil
	}
	list := []record.Edit{{Start: int(s.List[name].Start), End: int(s.List[name].End), Text: "main", Safe: true}}
	if !s.Keyword(name-2, "export") {
		at := int(s.List[name-1].Start)
		list = append(list, record.Edit{Start: at, End: at, Text: "export ", Safe: true})
	}
	for _, sp := range s.statements() {
		switch {
		case s.Keyword(sp.first, "export") && s.Is(sp.first+1, "{"):
			list = append(list, record.Edit{Start: s.gap(sp.first), End: s.lineEnd(sp.end), Safe: true})
		case sp.first <= name && name < sp.end:
			if s.names(span{name + 1, sp.end}, Export) {
				return nil
			}
		case s.names(sp, Export):
			return nil
		}
	}
	version := []edit.Change{edit.Add("", "version", ordjson.NewString("2.0.0"), "name")}
	if s.Root.Get("flowMCP").Exists() {
		version = []edit.Change{edit.Rename("/flowMCP", "version"), edit.Set("/flowMCP", ordjson.NewString("2.0.0"))}
		if s.Root.Get("version").Exists() {
			version = append(version, edit.Drop("/version"))
		}
	}
	made := s.edits(true, version...)
	if made == nil {
		return nil
	}
	return append(list, made...)
}

// gap is where the space before token i begins, after the token or the comment before it.
func (s *Source) gap(i int) int {
	at := int(s.List[i].Start)
	for at > 0 && (s.Src[at-1] == ' ' || s.Src[at-1] == '\t' || s.Src[at-1] == '\n' || s.Src[at-1] == '\r') {
		at--
	}
	return at
}

// lineEnd is the end of the last token before token i.
func (s *Source) lineEnd(i int) int { return int(s.List[i-1].End) }
