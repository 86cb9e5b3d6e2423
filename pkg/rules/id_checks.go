package rules

import (
	"errors"
	"strings"

	"github.com/flowmcp/fmcp/pkg/catalog"
	"github.com/flowmcp/fmcp/pkg/model"
	"github.com/flowmcp/fmcp/pkg/ordjson"
	"github.com/flowmcp/fmcp/pkg/record"
)

// checkIDs reports what is wrong with the IDs of a file, as far as it is of the
// rule's code.
func checkIDs(p *Pass) {
	switch p.load.Type {
	case record.TypeSchema:
		p.ownNamespace(p.root.At("namespace"), typeTool)
	case record.TypeAgent: // AGT001 looks at the form of its name
		if name := p.root.At("name"); catalog.IsNamespace(name.Str()) {
			p.ownNamespace(name, "agent")
		}
	case record.TypePrompt:
		p.ownNamespace(p.root.At("namespace"), typePrompt)
		p.ownNamespace(p.root.At("agent"), typePrompt)
	case record.TypeSelection:
		p.selectionID()
	case record.TypeList: // LST002 tells of a list without a name
		if name := p.root.At("meta").At("name"); name.Str() != "" {
			p.idProblem(name, catalog.ID{Namespace: "shared", Type: "list", Name: name.Str()}.String(), fieldFixes)
		}
	case record.TypeRegistry:
		p.registryIDs()
	}
}

// idProblem reports at a node what is wrong with an ID. fixes go before the
// problem's own: that of an ID which is made of a field, say, is about the field.
func (p *Pass) idProblem(at *model.Node, id string, fixes map[string]string) {
	_, err := catalog.ParsePrimitiveID(id)
	var problem *catalog.Problem
	if !errors.As(err, &problem) || problem.Code != p.rule.Code {
		return
	}
	fix := problem.Fix
	if f := fixes[problem.Code]; f != "" {
		fix = f
	}
	p.report(at, problem.Message, fix)
}

// fieldFixes mend a namespace or a name that makes an ID.
var fieldFixes = map[string]string{
	"ID001": "use letters, digits and hyphens; a slash separates the segments of the ID",
	"ID003": "choose another namespace, such as the name of the provider",
}

// ownNamespace looks at a namespace that the file gives to what it defines, if
// it gives one. The form of a schema's is VAL010's and VAL011's.
func (p *Pass) ownNamespace(at *model.Node, typ string) {
	if ns := at.Str(); ns != "" && (p.load.Type != record.TypeSchema || catalog.IsNamespace(ns)) {
		p.idProblem(at, catalog.ID{Namespace: ns, Type: typ, Name: "name"}.String(), fieldFixes)
	}
}

// selectionID looks at the two fields that the ID of a selection is made of,
// each for itself (chapter 17, "Required Fields").
func (p *Pass) selectionID() {
	namespace, name := p.root.Get("namespace"), p.root.Get("name")
	part := func(field, code, expected string, v ordjson.Value, id catalog.ID) {
		switch {
		case strings.TrimSpace(v.Str()) != "":
			p.idProblem(p.root.At(field), id.String(), fieldFixes)
		case p.rule.Code == code:
			p.expect(p.root, field, selectionKeys, expected+" of its ID, namespace/selection/name", "write "+field+": '…', whatever folder the file is in")
		}
	}
	part("namespace", "ID006", "the namespace", namespace, catalog.ID{Namespace: namespace.Str(), Type: "selection", Name: "name"})
	part("name", "ID004", "the name", name, catalog.ID{Namespace: "namespace", Type: "selection", Name: name.Str()})
}

// registryIDs looks at the namespaces and references of registry.json (chapter
// 15, "Schema Entry Fields" and "Agent Entry Fields").
func (p *Pass) registryIDs() {
	if !p.isManifest() {
		return
	}
	for _, e := range p.root.At("schemas").Items() {
		p.ownNamespace(e.At("namespace"), typeTool)
	}
	for _, e := range p.root.At("agents").Items() {
		p.ownNamespace(e.At("name"), "agent")
		for _, typ := range []string{typePrompt, typeResource} {
			for _, n := range e.At(typ + "s").Fields() {
				if namespace, name, ok := strings.Cut(n.Key(), "/"); ok { // any other is the agent's own
					p.idProblem(n, n.Key(), map[string]string{"ID005": "write " + quote(namespace+"/"+typ+"/"+name)})
				}
			}
		}
	}
}
