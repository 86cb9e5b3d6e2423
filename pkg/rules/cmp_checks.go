package rules

import (
	"path"
	"strings"

	"github.com/flowmcp/fmcp/pkg/catalog"
	"github.com/flowmcp/fmcp/pkg/model"
	"github.com/flowmcp/fmcp/pkg/ordjson"
	"github.com/flowmcp/fmcp/pkg/words"
)

// The checks of compatRules (cmp.go) that read placeholders.

// serverText calls f for each placeholder for a server parameter that a text
// holds, but for those whose name is one of inserts. It costs nothing where
// there are no braces.
func (p *Pass) serverText(n *model.Node, field string, inserts *model.NameSet, f func(at *model.Node, ph model.Placeholder, key string)) {
	text := n.Get(field).Str()
	if text == "{{USER_PARAM}}" || !strings.Contains(text, "{{") {
		return
	}
	p.serverTextAt(n.At(field), inserts, f)
}

func (p *Pass) serverTextAt(at *model.Node, inserts *model.NameSet, f func(at *model.Node, ph model.Placeholder, key string)) {
	for _, ph := range model.Placeholders(at.Str()) {
		if ph.Bare() && inserts.Has(ph.Name) {
			continue
		}
		if key, ok := ph.ServerKey(p.declared); ok {
			f(at, ph, key)
		}
	}
}

// serverHeaders is serverText for the headers of main or of a tool.
func (p *Pass) serverHeaders(n *model.Node, f func(at *model.Node, ph model.Placeholder, key string)) {
	for _, m := range n.Get("headers").Members() {
		if strings.Contains(m.Value.Str(), "{{") {
			p.serverTextAt(n.At("headers").Field(m), &model.NameSet{}, f)
		}
	}
}

// eachServerParam is serverText for all texts that may hold one: root, path,
// headers and the values of parameters.
func (p *Pass) eachServerParam(f func(at *model.Node, ph model.Placeholder, key string)) {
	none := &model.NameSet{}
	p.serverText(p.schema.Node, "root", none, f)
	p.serverHeaders(p.schema.Node, f)
	for i := range p.tools {
		t := &p.tools[i]
		if strings.Contains(t.Get("path").Str(), "{{") {
			p.serverText(t.Node, "path", insertKeys(t), f)
		}
		p.serverHeaders(t.Node, f)
		for j := range t.params {
			q := &t.params[j]
			if q.Source == model.Server || q.Bare != "" {
				p.serverText(q.At("position"), "value", none, f)
			}
		}
	}
}

func checkBareServerParam(p *Pass) {
	declared := model.NamesOf(p.declared)
	p.eachServerParam(func(at *model.Node, ph model.Placeholder, key string) {
		if ph.Bare() && declared.Has(key) {
			p.report(at, "found {{"+key+"}}, expected {{SERVER_PARAM:"+key+"}}", "write {{SERVER_PARAM:"+key+"}}")
		}
	})
}

// checkServerParamNames looks at the entries as they are written, of which
// p.declared has what they mean.
func checkServerParamNames(p *Pass) {
	for _, e := range p.schema.At("requiredServerParams").Items() {
		name := model.ServerParamName(e.Str())
		if !e.Is(ordjson.String) || e.Str() == name && isVariable(name) {
			continue
		}
		fix := "write the name of an environment variable, such as 'API_KEY'"
		if isVariable(name) {
			fix = "write '" + name + "'"
		}
		p.report(e, found(e.Value)+", expected the name of an environment variable: letters, digits and _", fix)
	}
}

func checkUndeclaredServerParam(p *Pass) {
	declared, seen := model.NamesOf(p.declared), &model.NameSet{}
	undeclared := 0
	p.eachServerParam(func(at *model.Node, ph model.Placeholder, key string) {
		if declared.Has(key) {
			return
		}
		declare := "add '" + key + "' to main.requiredServerParams"
		if undeclared++; undeclared <= maxSuggested {
			if near, ok := p.speller.Closest(key, p.declared); ok {
				declare = "did you mean {{SERVER_PARAM:" + near + "}}? else " + declare
			}
		}
		if at.Key() == "value" {
			if _, bare := model.SourceOf(at.Str(), p.declared); bare != "" {
				p.report(at, "found {{"+key+"}}, which main.requiredServerParams does not declare; it is read as {{USER_PARAM}}",
					"write '{{USER_PARAM}}' if the caller gives the value; if the server does, "+declare+" and write {{SERVER_PARAM:"+key+"}}")
				return
			}
		}
		if seen.Has(key) {
			return // one declaration mends all uses
		}
		seen.Add(key)
		fix := declare
		if ph.Bare() {
			fix += " and write {{SERVER_PARAM:" + key + "}}"
		}
		if ph.Bare() && at.Key() == "value" { // queries of the field are made of several values of the caller
			fix = "if the server gives it, " + fix + "; if the caller does, write {{USER_PARAM}} in its place: a value has room for one, and a preRequest handler makes one text of several"
		}
		p.report(at, "the server parameter "+key+" is not declared in main.requiredServerParams", fix)
	})
}

// checkDescriptionFields makes no node where there is no description, as nearly
// everywhere.
func checkDescriptionFields(p *Pass) {
	look := func(v ordjson.Value, node func() *model.Node) {
		switch d := v.Get("description"); {
		case d.Is(ordjson.String):
			p.report(node().At("description"), "a field that no chapter names; it is read", "keep it; other readers may drop it")
		case d.Exists():
			p.report(node().At("description"), found(d)+", expected a string; it is not read", "write the description in quotes")
		}
	}
	p.eachCallable(func(t *tool) {
		for i := range t.params {
			q := &t.params[i]
			look(q.Node.Value, func() *model.Node { return q.Node })
			look(q.Get("z"), func() *model.Node { return q.At("z") })
		}
		look(t.Get("output"), func() *model.Node { return t.At("output") })
	})
}

func checkLegacyPath(p *Pass) {
	for i := range p.tools {
		t := &p.tools[i]
		text := t.Get("path").Str()
		if !strings.ContainsAny(text, ":{") {
			continue
		}
		legacy := &model.NameSet{}
		var modern strings.Builder
		for _, part := range model.PathParts(text, insertKeys(t).List) {
			if !part.Legacy {
				modern.WriteString(part.Text)
				continue
			}
			legacy.Add(part.Text)
			modern.WriteString("{{" + part.Key + "}}")
		}
		if legacy.List != nil {
			p.report(t.At("path"), "found "+words.List(legacy.List)+" in "+quote(text)+", expected {{key}}", "write path: '"+modern.String()+"'")
		}
	}
}

func checkNames(p *Pass) {
	if name := p.schema.Get("name").Str(); name != "" && !isPascal(name) && !catalog.IsNamespace(name) {
		p.report(p.schema.At("name"), "found "+quote(name)+", expected PascalCase or kebab-case", write("name", toPascal(name), "use PascalCase"))
	}
	file := path.Base(p.load.Src.Path)
	if base := strings.TrimSuffix(file, ".mjs"); p.load.Src.Path != "" && !isPascal(base) && !catalog.IsNamespace(base) {
		fix := "use kebab-case"
		if name := toNamespace(base); name != "" {
			fix = "rename the file to " + name + ".mjs"
		}
		p.reportFile("the file name "+quote(file)+" is neither PascalCase nor kebab-case", fix)
	}
}
