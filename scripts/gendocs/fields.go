package main

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/flowmcp/fmcp/pkg/ordjson"
	"github.com/flowmcp/fmcp/pkg/record/schema"
)

// fieldsComment says which record the table below it describes: a kind, or a
// type of a kind, as in "resolved/tool". The table must name exactly the fields
// of the published JSON Schema, in its order; the meanings are written by hand.
var fieldsComment = regexp.MustCompile(`^<!-- fields: ([a-z]+)(?:/([a-z]+))? -->$`)

// fieldCell is the first cell of a row: `src.path`, or `fix`? where the field
// may be left out.
var fieldCell = regexp.MustCompile("^\\| `([^`]+)`(\\??) \\|")

// fieldTable holds the table below a comment against the schema.
func (r *rewriter) fieldTable(kind, typ string) error {
	at := r.next
	want, err := schemaFields(kind, typ)
	if err != nil {
		return fmt.Errorf("line %d: %w", at, err)
	}
	var got []string
	for i := r.next; i < len(r.lines) && (r.lines[i] == "" || r.lines[i][0] == '|'); i++ {
		if m := fieldCell.FindStringSubmatch(r.lines[i]); m != nil {
			got = append(got, m[1]+m[2])
		}
	}
	if slices.Equal(got, want) {
		return nil
	}
	return fmt.Errorf("line %d: the table has the fields\n  %s\nbut the schema of %s has\n  %s", at,
		strings.Join(got, " "), kind, strings.Join(want, " "))
}

// schemaFields are the fields of a kind, or of the data of a type, each with a
// ? where it may be left out.
func schemaFields(kind, typ string) ([]string, error) {
	text, ok := schema.For(kind)
	if !ok {
		return nil, fmt.Errorf("there is no kind %q", kind)
	}
	root, err := ordjson.Parse(string(text))
	if err != nil {
		return nil, err
	}
	at := root
	if typ != "" {
		if at = root.Get("$defs").Get(typ); !at.Exists() {
			return nil, fmt.Errorf("%s has no type %q", kind, typ)
		}
	}
	return appendFields(nil, root, at, ""), nil
}

// appendFields appends the fields of an object and of the objects in it.
func appendFields(list []string, root, object ordjson.Value, prefix string) []string {
	for _, m := range object.Get("properties").Members() {
		name := prefix + m.Key
		required := slices.ContainsFunc(object.Get("required").Elems(),
			func(v ordjson.Value) bool { return v.Str() == m.Key })
		if required {
			list = append(list, name)
		} else {
			list = append(list, name+"?")
		}
		list = appendFields(list, root, deref(root, m.Value), name+".")
		if items := deref(root, m.Value).Get("items"); items.Exists() {
			list = appendFields(list, root, deref(root, items), name+"[].")
		}
	}
	return list
}

// deref follows a reference to a definition.
func deref(root, v ordjson.Value) ordjson.Value {
	if name, ok := strings.CutPrefix(v.Get("$ref").Str(), "#/$defs/"); ok {
		return root.Get("$defs").Get(name)
	}
	return v
}
