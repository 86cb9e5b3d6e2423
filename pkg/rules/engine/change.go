package engine

import (
	"github.com/flowmcp/fmcp/pkg/edit"
	"github.com/flowmcp/fmcp/pkg/model"
	"github.com/flowmcp/fmcp/pkg/ordjson"
	"github.com/flowmcp/fmcp/pkg/record"
)

// Fixed notes how a machine corrects what was found; nil, a finding that is not
// reported, is nothing to note it at. It is safe where it changes no request, and
// nothing that a model sees but for the better (docs/decisions.md, "Safe edits").
func (f *Finding) Fixed(safe bool, changes ...edit.Change) {
	if f != nil {
		f.safe, f.changes = safe, changes
	}
}

// Added notes a member that a machine adds where Expect has found none, under
// whatever name; v may be Missing.
func (f *Finding) Added(object *model.Node, key string, v ordjson.Value, after ...string) {
	if f != nil && f.changes == nil && v.Exists() && !object.Get(key).Exists() {
		f.Fixed(true, AddMember(object, key, v, after...))
	}
}

// edits are the changes as bytes of the source. There are none in another file.
func (f *Finding) edits(src *edit.Source) []record.Edit {
	if src == nil || f.Path != "" {
		return nil
	}
	return src.Edits(f.safe, f.changes)
}

// SetText puts a text in the place of what a node is.
func SetText(at *model.Node, to string) edit.Change { return SetValue(at, ordjson.NewString(to)) }

// SetValue puts another value in the place of what a node is.
func SetValue(at *model.Node, to ordjson.Value) edit.Change { return edit.Set(at.Pointer(), to) }

// RenameKey gives a member another key.
func RenameKey(at *model.Node, key string) edit.Change { return edit.Rename(at.Pointer(), key) }

// AddMember gives an object another member, after the first of some keys that it
// has, else after its last.
func AddMember(object *model.Node, key string, v ordjson.Value, after ...string) edit.Change {
	return edit.Add(object.Pointer(), key, v, after...)
}
