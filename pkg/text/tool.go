package text

import (
	"slices"
	"strings"

	"github.com/flowmcp/fmcp/pkg/catalog"
	"github.com/flowmcp/fmcp/pkg/model"
	"github.com/flowmcp/fmcp/pkg/ordjson"
	"github.com/flowmcp/fmcp/pkg/record"
	"github.com/flowmcp/fmcp/pkg/words"
)

// tool is a tool, or the part of it that a placeholder asks for (chapter 18,
// "Complete Placeholder Table").
func (f *filler) tool(t *catalog.Tool, part, written string, alone bool) filling {
	filled := filling{from: t.ID}
	switch part {
	case "":
		filled.text = block(t, alone)
	case model.PartDescription:
		filled.text = t.Description
	case model.PartParameters:
		filled.text = parameters(t.InputSchema)
	case model.PartTest:
		about, params := firstTest(t)
		if !params.Exists() {
			return failed(CodePlaceholder, "Tool '%s' has no test", written)
		}
		filled.text = about + ordjson.Text(params)
	case model.PartMeta:
		filled.text = flags(t)
	case model.PartCall:
		if f.Call != nil {
			filled.text = f.Call(t.ID)
			break
		}
		filled.text = t.WireName
		if _, params := firstTest(t); params.Exists() {
			filled.text += " " + ordjson.Text(params)
		}
	default:
		return failed(CodePlaceholder, "Tool '%s' has no part '%s'", written, part)
	}
	return filled
}

// block is all of a tool: in a line of its own a paragraph and a table, and inside a
// sentence the same in parentheses (decision "Tools in text").
func block(t *catalog.Tool, alone bool) string {
	name, at := "**"+t.Name+"** (", t.ID+", over MCP "+t.WireName
	if alone {
		return name + at + "): " + t.Description + "\n\n" + parameters(t.InputSchema) + "\n"
	}
	var list []string
	for _, p := range parametersOf(t.InputSchema) {
		text := p.key + " (" + p.typ
		if p.required {
			text += "; required"
		}
		if p.about != "" {
			text += "; " + p.about
		}
		list = append(list, text+")")
	}
	given := "no parameters"
	if list != nil {
		given = "parameters: " + strings.Join(list, ", ")
	}
	return name + at + "; " + words.OneLine(t.Description) + "; " + given + ")"
}

// parameter is what a caller gives, in words.
type parameter struct {
	key, typ, about string
	required        bool
}

func parametersOf(schema ordjson.Value) []parameter {
	var list []parameter
	required := record.StringsOf(schema.Get("required"))
	for _, m := range schema.Get("properties").Members() {
		typ, _ := Kind(m.Value, 0)
		list = append(list, parameter{words.OneLine(m.Key), words.OneLine(typ + Limits(m.Value)),
			words.OneLine(About(m.Value)),
			slices.Contains(required, m.Key)})
	}
	return list
}

// parameters is a table of what a caller gives (chapter 14, "Required Content
// Elements").
func parameters(schema ordjson.Value) string {
	list := parametersOf(schema)
	if list == nil {
		return "No parameters."
	}
	rows := []string{"| Parameter | Type | Required | Description |", "|---|---|---|---|"}
	for _, p := range list {
		need := "No"
		if p.required {
			need = "Yes"
		}
		rows = append(rows, "| "+cell(p.key)+" | "+cell(p.typ)+" | "+need+" | "+cell(p.about)+" |")
	}
	return strings.Join(rows, "\n")
}

// cell is a text that stays in its cell.
func cell(s string) string { return strings.ReplaceAll(s, "|", `\|`) }

// firstTest is the first test: what it is about, and the parameters that a caller
// gives, Missing without a test.
func firstTest(t *catalog.Tool) (about string, params ordjson.Value) {
	test := t.FirstTest()
	if !test.Exists() {
		return "", params
	}
	var given []ordjson.Member
	for _, m := range t.InputSchema.Get("properties").Members() {
		if v := test.Get(m.Key); v.Exists() {
			given = append(given, ordjson.Field(m.Key, v))
		}
	}
	if about = test.Get("_description").Str(); about != "" {
		about += ": "
	}
	return about, ordjson.NewObject(given...)
}

// flags are those of meta; without meta, what is known (decision "Read-only
// tools").
func flags(t *catalog.Tool) string {
	var list []string
	for _, m := range t.Meta.Members() {
		if m.Value.Is(ordjson.Bool) {
			list = append(list, m.Key+": "+ordjson.Text(m.Value))
		}
	}
	if list == nil {
		list = []string{"isReadOnly: " + ordjson.Text(ordjson.NewBool(t.ReadsOnly()))}
	}
	return strings.Join(list, ", ")
}
