package main

import (
	"fmt"
	"io/fs"
	"regexp"
	"slices"
	"strings"

	"github.com/flowmcp/fmcp/pkg/fields"
	"github.com/flowmcp/fmcp/pkg/rules"
	"github.com/flowmcp/fmcp/pkg/rules/engine"
)

const referenceHead = `# Every field

<!-- Written by make docs, from pkg/fields and the rules. -->

What a file of a catalog may have, field by field: what it must be, whether it must be there, and the rules that check
it. ` + "`fmcp-validate --explain CODE`" + ` says more about a rule. The [types](types.md) are made from the same table.

Rules about all fields are not repeated below: an unknown field is [VAL003](rules/val.md#val003), in a shared list
[LST013](rules/lst.md#lst013); text that steers a model is [MCP040 to MCP050](poisoned-text.md).
`

// exports say which file a part of the reference is about.
var exports = map[string]string{
	"main": "Schemas", "list": "Shared lists", "agent": "Agents", "selection": "Selections", "skill": "Skills",
	"prompt": "Prompts", "registry": "registry.json", "": "SKILL.md",
}

// referencePage is the page of all fields.
func referencePage(fsys fs.FS) (string, error) {
	codes, err := rules.FieldCodes(fsys)
	if err != nil {
		return "", err
	}
	var b strings.Builder
	b.WriteString(referenceHead)
	seen := map[string]bool{}
	for _, root := range roots() {
		fmt.Fprintf(&b, "\n## %s\n", exports[root.Export])
		if strings.HasSuffix(exports[root.Export], "s") {
			fmt.Fprintf(&b, "\n`export const %s = { … }`\n", root.Export)
		}
		places := placesIn(root)
		for _, o := range reachable(root) {
			if !seen[o.Name] {
				seen[o.Name] = true
				objectSection(&b, o, places[o.Name], codes)
			}
		}
	}
	return b.String(), nil
}

// roots are the objects that files have, in the order of the page.
func roots() []*fields.Object {
	var list []*fields.Object
	for _, o := range fields.All {
		if o.Export != "" || o == fields.Frontmatter {
			list = append(list, o)
		}
	}
	return list
}

func objectSection(b *strings.Builder, o *fields.Object, places []string, codes map[*fields.Field][]string) {
	fmt.Fprintf(b, "\n### %s\n\n%s Chapter %s.", o.Name, o.Text, o.Chapter)
	if len(places) > 0 {
		fmt.Fprintf(b, " In `%s`.", strings.Join(places, "`, `"))
	}
	b.WriteString("\n")
	if o.Variants != nil {
		links := make([]string, len(o.Variants))
		for i, name := range o.Variants {
			links[i] = linked(name)
		}
		fmt.Fprintf(b, "\nIt is one of %s.\n", strings.Join(links, ", "))
		return
	}
	b.WriteString("\n| field | type | required | what it is | rules |\n|---|---|---|---|---|\n")
	for i := range o.Fields {
		f := &o.Fields[i]
		var links []string
		for _, code := range codes[f] {
			r, _ := rules.Lookup(code)
			links = append(links, "["+code+"](rules/"+r.Page()+")")
		}
		fmt.Fprintf(b, "| `%s` | %s | %s | %s | %s |\n", f.Name, typeCell(f.Type), needCell(f), textCell(o, f),
			strings.Join(links, " "))
	}
	switch o.Others {
	case fields.Free:
		b.WriteString("\nOther fields are the author's own.\n")
	case fields.Unread:
		b.WriteString("\nOther fields are not read.\n")
	}
}

// typeCell is a type with links to the objects in it, and its limits below it.
func typeCell(t fields.Type) string {
	text := linked(strings.ReplaceAll(strings.ReplaceAll(t.String(), "(string & {})", "string"), "|", `\|`))
	if limits := t.Limits(); limits != "" {
		text += "<br>" + limits
	}
	return text
}

var objectName = regexp.MustCompile(`\b[A-Z][A-Za-z]+\b`)

// linked is code in which names of objects are links to their sections.
func linked(code string) string {
	var b strings.Builder
	at := 0
	text := func(s string) {
		if s != "" {
			b.WriteString("`" + s + "`")
		}
	}
	for _, m := range objectName.FindAllStringIndex(code, -1) {
		if name := code[m[0]:m[1]]; fields.Lookup(name) != nil {
			text(code[at:m[0]])
			fmt.Fprintf(&b, "[%s](#%s)", name, strings.ToLower(name))
			at = m[1]
		}
	}
	text(code[at:])
	return b.String()
}

func needCell(f *fields.Field) string {
	switch {
	case f.Required:
		return "yes"
	case f.When != "":
		return f.When
	case f.Wanted:
		return "recommended"
	}
	return "no"
}

func textCell(o *fields.Object, f *fields.Field) string {
	text := rules.Markdown(f.Text)
	if f.Default != "" {
		text += " Default: `" + f.Default + "`."
	}
	if f.Instead != "" {
		text += " Deprecated: write " + f.Instead + "."
	}
	if f.Until != "" {
		text += " Until version " + f.Until + "."
	}
	if name, ok := strings.CutPrefix(f.Chapter, "decision "); ok {
		text += " [Decision](" + engine.Decision(name) + ")."
	} else if f.Chapter != "" && f.Chapter != o.Chapter {
		text += " Chapter " + f.Chapter + "."
	}
	return text
}

// placesIn says where in the exported object others are, by name: at most two places of
// each, the first ones.
func placesIn(root *fields.Object) map[string][]string {
	places := map[string][]string{}
	var visit func(o *fields.Object, at string)
	var visitType func(t *fields.Type, at string)
	visit = func(o *fields.Object, at string) {
		if len(places[o.Name]) == 2 || slices.Contains(places[o.Name], at) {
			return
		}
		deeper := len(places[o.Name]) == 1 && strings.HasPrefix(at, places[o.Name][0])
		if deeper {
			return // it holds itself
		}
		places[o.Name] = append(places[o.Name], at)
		for i := range o.Fields {
			if o.Fields[i].Instead == "" {
				visitType(&o.Fields[i].Type, at+"."+o.Fields[i].Name)
			}
		}
		for _, name := range o.Variants {
			visit(fields.Lookup(name), at)
		}
	}
	visitType = func(t *fields.Type, at string) {
		switch t.Kind {
		case fields.Ref:
			visit(fields.Lookup(t.Ref), at)
		case fields.Array:
			visitType(t.Of, at+"[]")
		case fields.Map:
			visitType(t.Of, at+".NAME")
		case fields.Either:
			for i := range t.Any {
				visitType(&t.Any[i], at)
			}
		}
	}
	visit(root, root.Export)
	delete(places, root.Name)
	return places
}
