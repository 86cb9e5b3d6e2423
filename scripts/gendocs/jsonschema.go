package main

import (
	"regexp"
	"strings"

	"github.com/flowmcp/fmcp/pkg/fields"
	"github.com/flowmcp/fmcp/pkg/ordjson"
)

// jsonSchema is the JSON Schema of an object that files export, with all that is in it.
func jsonSchema(root *fields.Object) string {
	defs := []ordjson.Member{}
	for _, o := range reachable(root) {
		if o != root {
			defs = append(defs, ordjson.Field(o.Name, objectSchema(o)))
		}
	}
	members := []ordjson.Member{
		member("$schema", "https://json-schema.org/draft/2020-12/schema"),
		member("$id", "urn:fmcp:types:4:"+root.Export),
		member("title", root.Name),
		member("$comment", "Written by make docs, from pkg/fields."),
	}
	members = append(members, objectSchema(root).Members()...)
	if len(defs) > 0 {
		members = append(members, ordjson.Field("$defs", ordjson.NewObject(defs...)))
	}
	return string(ordjson.AppendIndent(nil, ordjson.NewObject(members...), "")) + "\n"
}

// reachable are an object and all that it may hold, each once, in the order of the table.
func reachable(root *fields.Object) []*fields.Object {
	seen := map[string]bool{}
	var visit func(*fields.Object)
	var visitType func(*fields.Type)
	visit = func(o *fields.Object) {
		if seen[o.Name] {
			return
		}
		seen[o.Name] = true
		for i := range o.Fields {
			visitType(&o.Fields[i].Type)
		}
		for _, name := range o.Variants {
			visit(fields.Lookup(name))
		}
	}
	visitType = func(t *fields.Type) {
		if t.Kind == fields.Ref {
			visit(fields.Lookup(t.Ref))
		}
		if t.Of != nil {
			visitType(t.Of)
		}
		for i := range t.Any {
			visitType(&t.Any[i])
		}
	}
	visit(root)
	var list []*fields.Object
	for _, o := range fields.All {
		if seen[o.Name] {
			list = append(list, o)
		}
	}
	return list
}

func objectSchema(o *fields.Object) ordjson.Value {
	members := []ordjson.Member{member("description", o.Text)}
	if o.Variants != nil {
		var any []ordjson.Value
		for _, name := range o.Variants {
			any = append(any, refSchema(name))
		}
		return ordjson.NewObject(append(members, ordjson.Field("anyOf", ordjson.NewArray(any...)))...)
	}
	var properties []ordjson.Member
	var required []string
	var otherwise []ordjson.Value
	for _, f := range o.Fields {
		properties = append(properties, ordjson.Field(f.Name, fieldSchema(f)))
		switch older := otherName(o, f.Name); {
		case !f.Required:
		case older != "":
			otherwise = append(otherwise, ordjson.NewObject(ordjson.Field("anyOf",
				ordjson.NewArray(requires(f.Name), requires(older)))))
		default:
			required = append(required, f.Name)
		}
	}
	members = append(members, member("type", "object"))
	if required != nil {
		members = append(members, ordjson.Field("required", ordjson.Strings(required)))
	}
	if otherwise != nil {
		members = append(members, ordjson.Field("allOf", ordjson.NewArray(otherwise...)))
	}
	members = append(members, ordjson.Field("properties", ordjson.NewObject(properties...)))
	if o.Others == fields.Refused {
		members = append(members, ordjson.Field("additionalProperties", ordjson.NewBool(false)))
	}
	return ordjson.NewObject(members...)
}

// otherName is another name by which a field is read, "" for none.
func otherName(o *fields.Object, name string) string {
	for _, f := range o.Fields {
		if f.For == name {
			return f.Name
		}
	}
	return ""
}

func requires(name string) ordjson.Value {
	return ordjson.NewObject(ordjson.Field("required", ordjson.Strings([]string{name})))
}

func fieldSchema(f fields.Field) ordjson.Value {
	var members []ordjson.Member
	if !f.Loose {
		members = typeSchema(f.Type)
	}
	members = append(members, member("description", f.Text))
	if v, err := ordjson.Parse(f.Default); err == nil {
		members = append(members, ordjson.Field("default", v))
	}
	if f.Instead != "" {
		members = append(members, ordjson.Field("deprecated", ordjson.NewBool(true)))
	}
	return ordjson.NewObject(members...)
}

func typeSchema(t fields.Type) []ordjson.Member {
	switch t.Kind {
	case fields.String:
		return stringSchema(t)
	case fields.Number, fields.Whole:
		name := "number"
		if t.Kind == fields.Whole {
			name = "integer"
		}
		members := []ordjson.Member{member("type", name)}
		if t.Above0 {
			members = append(members, ordjson.Field("exclusiveMinimum", ordjson.NewInt(0)))
		}
		return limits(members, t, "minimum", "maximum")
	case fields.Bool:
		return []ordjson.Member{member("type", "boolean")}
	case fields.Null:
		return []ordjson.Member{member("type", "null")}
	case fields.Array:
		return limits([]ordjson.Member{member("type", "array"), ordjson.Field("items", schemaOf(*t.Of))}, t,
			"minItems", "maxItems")
	case fields.Map:
		members := []ordjson.Member{member("type", "object"), ordjson.Field("additionalProperties", schemaOf(*t.Of))}
		if t.Like != "" {
			members = append(members, ordjson.Field("propertyNames", ordjson.NewObject(member("pattern", t.Like))))
		}
		return limits(members, t, "minProperties", "maxProperties")
	case fields.Ref:
		return refSchema(t.Ref).Members()
	case fields.Either:
		var any []ordjson.Value
		for _, one := range t.Any {
			any = append(any, schemaOf(one))
		}
		return []ordjson.Member{ordjson.Field("anyOf", ordjson.NewArray(any...))}
	}
	return nil
}

// stringSchema is a text; one that is not empty has more than blanks.
func stringSchema(t fields.Type) []ordjson.Member {
	members := []ordjson.Member{member("type", "string")}
	switch {
	case t.Open:
		members = append(members, ordjson.Field("examples", ordjson.Strings(t.Words)))
	case len(t.Words) == 1:
		members = append(members, member("const", t.Words[0]))
	case t.Words != nil && strings.Contains(strings.Join(t.Words, ""), "…"):
		quoted := regexp.QuoteMeta(strings.Join(t.Words, "\n"))
		quoted = strings.ReplaceAll(strings.ReplaceAll(quoted, "…", ".+"), "\n", "|")
		members = append(members, member("pattern", "^("+quoted+")$"))
	case t.Words != nil:
		members = append(members, ordjson.Field("enum", ordjson.Strings(t.Words)))
	case t.Like != "":
		members = append(members, member("pattern", t.Like))
	case t.Min > 0:
		members = append(members, member("pattern", `\S`))
		t.Min = 0
	}
	return limits(members, t, "minLength", "maxLength")
}

func limits(members []ordjson.Member, t fields.Type, least, most string) []ordjson.Member {
	if t.Min > 0 {
		members = append(members, ordjson.Field(least, ordjson.NewInt(t.Min)))
	}
	if t.Max > 0 {
		members = append(members, ordjson.Field(most, ordjson.NewInt(t.Max)))
	}
	return members
}

func schemaOf(t fields.Type) ordjson.Value { return ordjson.NewObject(typeSchema(t)...) }

func refSchema(name string) ordjson.Value {
	return ordjson.NewObject(member("$ref", "#/$defs/"+name))
}

func member(key, text string) ordjson.Member { return ordjson.Field(key, ordjson.NewString(text)) }
