package ids

import (
	"errors"
	"slices"
	"strings"

	"github.com/flowmcp/fmcp/pkg/catalog"
	"github.com/flowmcp/fmcp/pkg/fields"
	"github.com/flowmcp/fmcp/pkg/model"
	"github.com/flowmcp/fmcp/pkg/ordjson"
	"github.com/flowmcp/fmcp/pkg/record"
	"github.com/flowmcp/fmcp/pkg/rules/engine"
	"github.com/flowmcp/fmcp/pkg/words"
)

// checkIDs reports what is wrong with the IDs of a file, as far as it is of the
// rule's code.
func checkIDs(p *engine.Pass) {
	switch p.Load.Type {
	case record.TypeSchema:
		ownNamespace(p, p.Root.At("namespace"), engine.TypeTool)
	case record.TypeAgent:
		ownNamespace(p, p.Root.At("name"), "agent")
		for _, field := range []string{"tools", "prompts", "resources"} {
			for _, m := range (model.Agent{Node: p.Root}).Members(field) {
				underscore(p, m.Node, m.Ref)
			}
		}
	case record.TypePrompt:
		prompt := model.Prompt{Node: p.Root}
		for _, n := range slices.Concat(prompt.DependsOn(), prompt.References()) {
			underscore(p, n, n.Str())
		}
		ownNamespace(p, model.Prompt{Node: p.Root}.Namespace(), engine.TypePrompt)
		ownNamespace(p, p.Root.At("agent"), engine.TypePrompt)
	case record.TypeSelection:
		selectionID(p)
		selectionMembers(p)
	case record.TypeList: // LST002 tells of a list without a name
		if name := p.Root.At("meta").At("name"); name.Str() != "" {
			fieldProblem(p, name, catalog.ID{Namespace: "shared", Type: "list", Name: name.Str()})
		}
	case record.TypeRegistry:
		registryIDs(p)
	}
}

// idProblem reports at a node what is wrong with an ID. fixes go before the
// problem's own.
func idProblem(p *engine.Pass, at *model.Node, id string, fixes map[string]string) {
	_, err := catalog.ParsePrimitiveID(id)
	var problem *words.Problem
	if !errors.As(err, &problem) || problem.Code != p.Rule.Code {
		return
	}
	fix := problem.Fix
	if f := fixes[problem.Code]; f != "" {
		fix = f
	}
	p.Report(at, problem.Message, fix)
}

// underscore reports the underscores in an ID that the file refers to. Of those in
// a name that it gives itself, another rule tells (VAL030, RES017).
func underscore(p *engine.Pass, at *model.Node, id string) {
	parsed, err := catalog.ParsePrimitiveID(id)
	if problem := parsed.Underscore(); err == nil && problem != nil && problem.Code == p.Rule.Code {
		p.ReportAs(p.Lenient(), at, problem.Message,
			"correct the name, or rename the "+parsed.Type+" and write its new name here")
	}
}

// ofField says what is wrong with a namespace or a name that the file gives to what
// it defines, by the code that an ID made of it has: its author wrote no ID.
var ofField = map[string]struct{ message, fix string }{
	"ID001": {", expected no slash, which separates the segments of an ID", "use letters, digits and hyphens"},
	"ID002": {", expected lower-case letters, digits and hyphens, a letter first",
		"use lower-case letters, digits and hyphens, a letter first"},
	"ID003": {", which is reserved for shared lists", "choose another namespace, such as the name of the provider"},
	"ID004": {", expected letters, digits and hyphens, a letter first",
		"use letters, digits and hyphens, a letter first"},
	"ID006": {", expected no slash, which separates the segments of an ID", "use letters, digits and hyphens"},
}

// fieldProblem reports a namespace or a name of which an ID is made.
func fieldProblem(p *engine.Pass, at *model.Node, id catalog.ID) {
	_, err := catalog.ParsePrimitiveID(id.String())
	var problem *words.Problem
	if !errors.As(err, &problem) || problem.Code != p.Rule.Code {
		return
	}
	says := ofField[problem.Code]
	fix := says.fix
	if name := engine.ToNamespace(at.Str()); problem.Code == "ID002" && name != "" {
		fix = "write " + at.Key() + ": '" + name + "'"
	}
	p.Report(at, engine.Found(at.Value)+says.message, fix)
}

// ownNamespace looks at a namespace that the file gives to what it defines, if
// it gives one. But for registries, its form is VAL011's, AGT001's and PRM003's.
func ownNamespace(p *engine.Pass, at *model.Node, typ string) {
	if ns := at.Str(); ns != "" && (p.Load.Type == record.TypeRegistry || catalog.IsNamespace(ns)) {
		fieldProblem(p, at, catalog.ID{Namespace: ns, Type: typ, Name: "name"})
	}
}

// selectionID looks at the two fields that the ID of a selection is made of,
// each for itself (chapter 17, "Required Fields").
func selectionID(p *engine.Pass) {
	namespace, name := p.Root.Get("namespace"), p.Root.Get("name")
	part := func(field, code, expected string, v ordjson.Value, id catalog.ID) {
		switch {
		case strings.TrimSpace(v.Str()) != "":
			fieldProblem(p, p.Root.At(field), id)
		case p.Rule.Code == code:
			p.Expect(p.Root, field, fields.Selection.Known(), expected+" of its ID, namespace/selection/name",
				"write "+field+": '…', whatever folder the file is in")
		}
	}
	part("namespace", "ID006", "the namespace", namespace,
		catalog.ID{Namespace: namespace.Str(), Type: "selection", Name: "name"})
	part("name", "ID004", "the name", name, catalog.ID{Namespace: "namespace", Type: "selection", Name: name.Str()})
}

// selectionMembers looks at the IDs that a selection refers to; SEL003 says of
// well-formed ones whether the catalog defines them.
func selectionMembers(p *engine.Pass) {
	selection := model.Selection{Node: p.Root}
	for _, f := range model.SelectionFields {
		for _, m := range selection.Members(f.Field) {
			if m.Ref == "" || m.Keyed() && (m.Inline() || f.Type == "skill") {
				continue // SEL003, VAL110
			}
			underscore(p, m.Node, m.Ref)
			_, err := catalog.ParsePrimitiveID(m.Ref)
			var problem *words.Problem
			if errors.As(err, &problem) && problem.Code == p.Rule.Code {
				p.ReferenceForm(m.Node, m.Ref, f.Type, nil)
			}
		}
	}
}

// registryIDs looks at the namespaces and references of registry.json (chapter
// 15, "Schema Entry Fields" and "Agent Entry Fields").
func registryIDs(p *engine.Pass) {
	if !p.IsManifest() {
		return
	}
	for _, e := range p.Root.At("schemas").Items() {
		ownNamespace(p, e.At("namespace"), engine.TypeTool)
	}
	for _, e := range p.Root.At("agents").Items() {
		ownNamespace(p, e.At("name"), "agent")
		for _, typ := range []string{engine.TypePrompt, engine.TypeResource} {
			for _, n := range e.At(typ + "s").Fields() {
				if namespace, name, ok := strings.Cut(n.Key(), "/"); ok { // any other is the agent's own
					underscore(p, n, n.Key())
					idProblem(p, n, n.Key(), map[string]string{"ID005": "write " +
						engine.Quote(namespace+"/"+typ+"/"+name)})
				}
			}
		}
	}
}
