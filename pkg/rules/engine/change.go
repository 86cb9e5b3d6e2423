package engine

import (
	"github.com/flowmcp/fmcp/pkg/edit"
	"github.com/flowmcp/fmcp/pkg/model"
	"github.com/flowmcp/fmcp/pkg/ordjson"
	"github.com/flowmcp/fmcp/pkg/record"
	"github.com/flowmcp/fmcp/pkg/zod"
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

// Made notes the edits that correct what was found in a file of which rules read the text.
func (f *Finding) Made(edits []record.Edit) {
	if f != nil {
		f.made = edits
	}
}

// edits are the changes as bytes of the source. There are none in another file.
func (f *Finding) edits(src *edit.Source) []record.Edit {
	if f.made != nil || src == nil || f.Path != "" {
		return f.made
	}
	return src.Edits(f.safe, f.changes)
}

// SetText puts a text in the place of what a node is.
func SetText(at *model.Node, to string) edit.Change { return SetValue(at, ordjson.NewString(to)) }

// SetValue puts another value in the place of what a node is.
func SetValue(at *model.Node, to ordjson.Value) edit.Change { return edit.Set(at.Pointer(), to) }

// RenameKey gives a member another key.
func RenameKey(at *model.Node, key string) edit.Change { return edit.Rename(at.Pointer(), key) }

// RenameValue gives the value that a test has under another name the key of its
// parameter, and the type that this asks for.
func (p *Pass) RenameValue(test *model.Node, name string, q *Param) []edit.Change {
	at := test.At(name)
	changes := []edit.Change{RenameKey(at, q.Key)}
	if v, ok := Typed(p.Block(q), at.Value); ok && q.Block != nil {
		changes = append(changes, SetValue(at, v))
	}
	return changes
}

// Typed is a value in the type that a block takes, where it is of another: the number
// that a text says, or the text of a number.
func Typed(block *zod.Schema, v ordjson.Value) (ordjson.Value, bool) {
	text, ok := ordjson.ScalarText(v)
	if !ok {
		return v, false
	}
	meant, err := block.FromText(text)
	return meant, err == nil && meant.Kind() != v.Kind() && len(block.Check(meant)) == 0
}

// AddMember gives an object another member, after the first of some keys that it
// has, else after its last.
func AddMember(object *model.Node, key string, v ordjson.Value, after ...string) edit.Change {
	return edit.Add(object.Pointer(), key, v, after...)
}
