package scaffold

import (
	"cmp"
	"slices"

	"github.com/flowmcp/fmcp/pkg/model"
	"github.com/flowmcp/fmcp/pkg/ordjson"
	"github.com/flowmcp/fmcp/pkg/record"
)

// Module is a schema before it is text: the one writer of schema files.
type Module struct {
	Namespace, Name, Description, Root string
	Docs, Tags                         []string
	Keys                               []string // environment variables that calls need
	Headers                            []ordjson.Member
	Tools                              []Tool
}

// Tool is one of a Module.
type Tool struct {
	Name, Method, Path, Description string
	Hint                            string // words to find it by
	Headers                         []ordjson.Member
	Params                          []Param
	Output                          ordjson.Value // Missing where it is not known
	Tests                           []ordjson.Value
}

// Param is a parameter of a tool.
type Param struct {
	Key         string
	Location    model.Location
	Value       string // fixed or of a server parameter; "" is the user's
	Primitive   string // "" is string()
	Options     []string
	Description string
}

// Text is the source of the schema, its members in the order of the chapters.
func (m *Module) Text() string { return export("main", m.main()) }

func (m *Module) main() ordjson.Value {
	docs, tags := ordjson.Strings(m.Docs), ordjson.Strings(m.Tags)
	members := []ordjson.Member{text("namespace", m.Namespace), text("name", m.Name),
		text("description", m.Description), text("version", "4.2.0"), text("schemaVersion", "1.0.0"),
		text("root", m.Root), ordjson.Field("docs", docs), ordjson.Field("tags", tags)}
	if len(m.Keys) > 0 {
		members = append(members, ordjson.Field("requiredServerParams", ordjson.Strings(m.Keys)))
	}
	if len(m.Headers) > 0 {
		members = append(members, ordjson.Field("headers", ordjson.NewObject(m.Headers...)))
	}
	var tools []ordjson.Member
	for i := range m.Tools {
		tools = append(tools, ordjson.Field(m.Tools[i].Name, m.Tools[i].json()))
	}
	return withHash(ordjson.NewObject(append(members, ordjson.Field("tools", ordjson.NewObject(tools...)))...))
}

// withHash puts the schemaHash where the chapters have it.
func withHash(main ordjson.Value) ordjson.Value {
	hash := text("schemaHash", record.SchemaHash(main))
	at := slices.IndexFunc(main.Members(), func(m ordjson.Member) bool { return m.Key == "root" })
	return ordjson.NewObject(slices.Insert(slices.Clone(main.Members()), at, hash)...)
}

func (t *Tool) json() ordjson.Value {
	params := make([]ordjson.Value, len(t.Params))
	for i := range t.Params {
		params[i] = t.Params[i].json()
	}
	members := []ordjson.Member{text("method", t.Method), text("path", t.Path), text("description", t.Description)}
	if len(t.Headers) > 0 {
		members = append(members, ordjson.Field("headers", ordjson.NewObject(t.Headers...)))
	}
	members = append(members, ordjson.Field("parameters", ordjson.NewArray(params...)))
	if t.Output.Exists() {
		members = append(members, ordjson.Field("output", t.Output))
	}
	read := t.Method == "GET"
	meta := ordjson.NewObject(bools("isReadOnly", read), bools("isConcurrencySafe", read),
		bools("isDestructive", t.Method == "DELETE" || t.Method == "PUT"), text("searchHint", t.Hint),
		ordjson.Field("aliases", ordjson.NewArray()), bools("alwaysLoad", false))
	return ordjson.NewObject(append(members, ordjson.Field("meta", meta),
		ordjson.Field("tests", ordjson.NewArray(t.Tests...)))...)
}

// json is the parameter as chapter 02 writes it.
func (p *Param) json() ordjson.Value {
	position := ordjson.NewObject(text("key", p.Key), text("value", cmp.Or(p.Value, "{{USER_PARAM}}")),
		text("location", string(p.Location)))
	z := ordjson.NewObject(text("primitive", cmp.Or(p.Primitive, "string()")),
		ordjson.Field("options", ordjson.Strings(p.Options)))
	members := []ordjson.Member{ordjson.Field("position", position), ordjson.Field("z", z)}
	if p.Description != "" {
		members = append(members, text("description", p.Description))
	}
	return ordjson.NewObject(members...)
}
