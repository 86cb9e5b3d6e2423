package rules

import (
	"io/fs"
	"slices"
	"strings"

	"github.com/flowmcp/fmcp/pkg/fields"
	"github.com/flowmcp/fmcp/pkg/ordjson"
	"github.com/flowmcp/fmcp/pkg/record"
)

// FieldCodes returns the codes of the rules that check each field: those whose table
// names it, and those that report it in an example of theirs.
func FieldCodes(fsys fs.FS) (map[*fields.Field][]string, error) {
	codes := map[*fields.Field][]string{}
	add := func(f *fields.Field, code string) {
		if f != nil && !slices.Contains(codes[f], code) {
			codes[f] = append(codes[f], code)
		}
	}
	for _, objects := range registry().Objects() {
		for _, row := range objects.Fields {
			add(objects.Of.Field(row.Name), row.Code)
			for _, name := range objects.Of.Variants {
				add(fields.Lookup(name).Field(row.Name), row.Code)
			}
		}
	}
	for _, code := range Codes() {
		if !aboutFields(code) {
			continue
		}
		list, err := Fixtures(fsys, code)
		if err != nil {
			return nil, err
		}
		for _, f := range list {
			for _, d := range f.Found {
				if d.Code == code {
					add(f.field(d), code)
				}
			}
		}
	}
	for _, list := range codes {
		slices.Sort(list)
	}
	return codes, nil
}

// aboutFields is false for codes that are about fields which the table does not have, and
// about texts of any field.
func aboutFields(code string) bool {
	return code != "VAL003" && code != "LST013" && code != "CMP033" && !strings.HasPrefix(code, "MCP")
}

// field is the field that a finding is about: the one that it points at, or that holds
// the text or the entry that it points at. A whole object of the table is no field.
func (f *Fixture) field(d *record.Diagnostic) *fields.Field {
	i := slices.IndexFunc(f.Loads, func(l *record.Load) bool { return l.Src.Path == d.Loc.Path })
	if i < 0 {
		return nil
	}
	root, path := ObjectOf(f.Loads[i].Type), slices.Collect(ordjson.PointerKeys(d.Loc.Pointer))
	if f.Loads[i].Type == record.TypeSkillMD && len(path) > 0 {
		path = path[1:] // frontmatter
	}
	for n := len(path); root != nil && n > 0; n-- {
		if o, _ := root.Find(path[:n]...); o != nil {
			return variantOf(o, f.Loads[i].Data, path[:n-1]).Field(path[n-1])
		}
		if n < len(path) && slices.ContainsFunc(root.At(path[:n]...), isClosed) {
			return nil
		}
	}
	return nil
}

// isClosed reports whether a value may be an object whose fields are not its author's own.
func isClosed(t *fields.Type) bool {
	return slices.ContainsFunc(t.Objects(), func(o *fields.Object) bool { return o.Others != fields.Free })
}

// variantOf is the kind of resource that a value is, where the object is any kind of it.
func variantOf(o *fields.Object, data ordjson.Value, path []string) *fields.Object {
	if !slices.Contains(fields.Resource.Variants, o.Name) {
		return o
	}
	v, _ := ordjson.Lookup(data, ordjson.PointerOf(path))
	for _, name := range fields.Resource.Variants {
		if one := fields.Lookup(name); slices.Contains(one.Words("source"), v.Get("source").Str()) {
			return one
		}
	}
	return o
}

// ObjectOf is the object that files of a type export, nil if the table has none.
func ObjectOf(t record.Type) *fields.Object {
	switch t {
	case record.TypeSchema:
		return fields.Main
	case record.TypeSkillMD:
		return fields.Frontmatter
	}
	return fields.Exported(string(t))
}
