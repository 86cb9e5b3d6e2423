package model

import "github.com/flowmcp/fmcp/pkg/ordjson"

// Selection is the selection export of a file (chapter 17).
type Selection struct{ *Node }

// SelectionFields are the fields that hold the members of a selection, and the
// type that is in the ID of each (chapters 16 and 17).
var SelectionFields = [...]struct{ Field, Type string }{
	{"tools", "tool"}, {"skills", "skill"}, {"resources", "resource"}, {"prompts", "prompt"},
}

// Members returns the entries of a field in order, in any of the forms of
// decision "Selection members": IDs in an array, IDs as keys of an object, names of files, and
// skills that are written out.
func (s Selection) Members(field string) []Member { return members(s.At(field)) }

// InlineSkills returns the skills that are written out in the selection rather
// than referred to (chapter 17, "Inline Skills"). Under a key, what has neither
// content nor version is an entry that lacks its file (chapter 14).
func (s Selection) InlineSkills() []*Node {
	var list []*Node
	for _, m := range s.Members("skills") {
		entry := m.Get("file").Exists() || m.Key() != "" && !m.Get("content").Exists() && !m.Get("version").Exists()
		if m.Is(ordjson.Object) && !entry {
			list = append(list, m.Node)
		}
	}
	return list
}
