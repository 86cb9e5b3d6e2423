// Package sharedlist reads the shared lists of chapter 03: what they hold, what
// they depend on, and what a schema that refers to them gets.
package sharedlist

import (
	"slices"
	"strings"

	"github.com/flowmcp/fmcp/pkg/catalog"
	"github.com/flowmcp/fmcp/pkg/fields"
	"github.com/flowmcp/fmcp/pkg/model"
	"github.com/flowmcp/fmcp/pkg/ordjson"
	"github.com/flowmcp/fmcp/pkg/record"
	"github.com/flowmcp/fmcp/pkg/words"
)

// List is a shared list (chapter 03).
type List struct {
	Name        string
	Version     string
	Description string
	Fields      []Field
	Entries     []ordjson.Value
	DependsOn   []Dependency
	Src         record.Source
	Hashes      record.Hashes

	Data   ordjson.Value  // meta and entries as written
	keys   []string       // of Fields
	Broken *words.Problem // why the list cannot be used, nil where it can
}

// Field is one entry of meta.fields.
type Field struct {
	Key      string
	Type     string // "string", "number" or "boolean"
	Optional bool
}

// Dependency is one entry of meta.dependsOn.
type Dependency struct {
	Ref       string
	Version   string
	Condition Condition
	Pointer   string // of the entry
}

// Condition asserts that the parent list has an entry whose field has the
// value. The zero Condition asserts nothing.
type Condition struct {
	Field string
	Value ordjson.Value
}

// NewList reads the list of a load record. It judges only what it takes to use
// the list: a name (LST002), a version (LST003), fields (LST004) and entries
// (LST006). A list with problems can be added to Lists, which then knows why
// nobody can use it.
func NewList(l *record.Load) (*List, []words.Problem) {
	root := model.Root(l.Data)
	meta := root.At("meta")
	list := &List{
		Name:        meta.Get("name").Str(),
		Version:     meta.Get("version").Str(),
		Description: meta.Get("description").Str(),
		Entries:     root.Get("entries").Elems(),
		Src:         l.Src,
		Hashes:      l.Hashes,
		Data:        l.Data,
	}
	for _, f := range meta.Get("fields").Elems() {
		list.Fields = append(list.Fields,
			Field{Key: f.Get("key").Str(), Type: f.Get("type").Str(), Optional: f.Get("optional").True()})
		list.keys = append(list.keys, f.Get("key").Str())
	}
	for _, n := range meta.At("dependsOn").Items() {
		c := n.Get("condition")
		list.DependsOn = append(list.DependsOn, Dependency{
			Ref: n.Get("ref").Str(), Version: n.Get("version").Str(), Pointer: n.Pointer(),
			Condition: Condition{Field: c.Get("field").Str(), Value: c.Get("value")},
		})
	}
	problems := list.check(l.Exports)
	if len(problems) > 0 {
		list.Broken = &problems[0]
	}
	return list, problems
}

func (l *List) check(exports []string) []words.Problem {
	if !l.Data.Is(ordjson.Object) {
		return []words.Problem{noList(l.Data, exports)}
	}
	var problems []words.Problem
	meta := l.Data.Get("meta")
	if l.Name == "" {
		problems = append(problems, *l.noName())
	}
	if !IsVersion(l.Version) {
		problems = append(problems, lacks("list.meta", meta, "version", fields.ListMeta.Known(),
			words.Problem{Code: "LST003", Message: "MAJOR.MINOR.PATCH", Fix: `write a version such as "1.0.0"`}))
	}
	if len(l.Fields) == 0 {
		problems = append(problems, lacks("list.meta", meta, "fields", fields.ListMeta.Known(),
			words.Problem{Code: "LST004", Message: "an array of at least one field",
				Fix: "define every field of the entries"}))
	}
	if len(l.Entries) == 0 {
		problems = append(problems, lacks("list", l.Data, "entries", fields.List.Known(),
			words.Problem{Code: "LST006", Message: "an array of at least one entry", Fix: "list at least one entry"}))
	}
	return problems
}

// noList says what a file has in place of the export list.
func noList(data ordjson.Value, exports []string) words.Problem {
	p := words.Problem{Code: "LST001", Message: "the file exports no list" + catalog.ExportsText(exports),
		Fix: "write export const list = { meta: { … }, entries: [ … ] }"}
	for _, name := range exports {
		_, near := words.Closest(name, []string{string(record.TypeList)})
		switch {
		case name == string(record.TypeList):
			p.Message = "the export list is " + describe(data) + ", expected an object"
			return p
		case name == "default" && len(exports) == 1:
			p.Fix = "write export const list = in place of export default"
		case near || len(exports) == 1:
			p.Fix = "rename the export " + name + " to list"
		}
	}
	return p
}

func (l *List) noName() *words.Problem {
	p := lacks("list.meta", l.Data.Get("meta"), "name", fields.ListMeta.Known(),
		words.Problem{Code: "LST002", Message: "a name", Fix: "give the list a camelCase name"})
	return &p
}

// lacks completes a problem, whose message says what was expected, about a
// field of obj that is missing, misspelt or not what it must be.
func lacks(name string, obj ordjson.Value, field string, known []string, p words.Problem) words.Problem {
	p.Pointer = strings.ReplaceAll(strings.TrimPrefix(name, "list"), ".", "/") + "/" + field
	v := obj.Get(field)
	p.Message = name + "." + field + " is " + describe(v) + ", expected " + p.Message
	if v.Exists() {
		return p
	}
	for _, m := range obj.Members() {
		if near, ok := words.Closest(m.Key, known); ok && near == field && !slices.Contains(known, m.Key) {
			p.Message += "; found " + words.Quote(m.Key)
			p.Fix = "rename " + m.Key + " to " + field
		}
	}
	return p
}

func describe(v ordjson.Value) string {
	has := v.Kind().String()
	switch v.Kind() {
	case ordjson.String, ordjson.Number, ordjson.Bool:
		return ordjson.Text(v)
	case ordjson.Array, ordjson.Object:
		if v.Len() == 0 {
			has = "empty " + has
		}
		return "an " + has
	}
	return has
}

// ID is the Spec-ID of the list: shared/list/name.
func (l *List) ID() string {
	return catalog.ID{Namespace: catalog.SharedNamespace, Type: string(record.TypeList), Name: l.Name}.String()
}

// Kinds are the types of a field's values in the entries, null the last.
func (l *List) Kinds(field string) []ordjson.Kind {
	var kinds []ordjson.Kind
	for _, e := range l.Entries {
		if k := e.Get(field).Kind(); k != ordjson.Missing && !slices.Contains(kinds, k) {
			kinds = append(kinds, k)
		}
	}
	slices.SortFunc(kinds, func(a, b ordjson.Kind) int { return int(b) - int(a) })
	return kinds
}

// HasField reports whether meta.fields defines key.
func (l *List) HasField(key string) bool {
	for _, f := range l.Fields {
		if f.Key == key {
			return true
		}
	}
	return false
}

// FieldNames are the keys of meta.fields. They must not be changed.
func (l *List) FieldNames() []string { return l.keys }

// Values returns the texts of a field over entries, in order and without
// repeats: numbers and booleans as JSON prints them. Entries without the field,
// and null, are skipped (chapter 03, "Optional Field Handling").
func Values(entries []ordjson.Value, field string) []string {
	var values []string
	seen := make(map[string]bool, len(entries))
	for _, e := range entries {
		text, ok := ordjson.ScalarText(e.Get(field))
		if ok && !seen[text] {
			seen[text] = true
			values = append(values, text)
		}
	}
	return values
}
