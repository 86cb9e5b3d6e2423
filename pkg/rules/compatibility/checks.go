package compatibility

import (
	"path"
	"strings"

	"github.com/flowmcp/fmcp/pkg/catalog"
	"github.com/flowmcp/fmcp/pkg/edit"
	"github.com/flowmcp/fmcp/pkg/model"
	"github.com/flowmcp/fmcp/pkg/ordjson"
	"github.com/flowmcp/fmcp/pkg/rules/engine"
	"github.com/flowmcp/fmcp/pkg/words"
)

// The checks that read placeholders.

// serverText calls f for each placeholder for a server parameter that a text
// holds, but for those whose name is one of inserts. It costs nothing where
// there are no braces.
func serverText(p *engine.Pass, n *model.Node, field string, inserts *model.NameSet,
	f func(at *model.Node, ph model.Placeholder, key string)) {
	text := n.Get(field).Str()
	if text == "{{USER_PARAM}}" || !strings.Contains(text, "{{") {
		return
	}
	serverTextAt(p, n.At(field), inserts, f)
}

func serverTextAt(p *engine.Pass, at *model.Node, inserts *model.NameSet,
	f func(at *model.Node, ph model.Placeholder, key string)) {
	for _, ph := range model.Placeholders(at.Str()) {
		if ph.Bare() && inserts.Has(ph.Name) {
			continue
		}
		if key, ok := ph.ServerKey(p.Declared); ok {
			f(at, ph, key)
		}
	}
}

// serverHeaders is serverText for the headers of main or of a tool.
func serverHeaders(p *engine.Pass, n *model.Node, f func(at *model.Node, ph model.Placeholder, key string)) {
	for _, m := range n.Get("headers").Members() {
		if strings.Contains(m.Value.Str(), "{{") {
			serverTextAt(p, n.At("headers").Field(m), &model.NameSet{}, f)
		}
	}
}

// eachServerParam is serverText for all texts that may hold one: root, path,
// headers and the values of parameters.
func eachServerParam(p *engine.Pass, f func(at *model.Node, ph model.Placeholder, key string)) {
	none := &model.NameSet{}
	serverText(p, p.Schema.Node, "root", none, f)
	serverHeaders(p, p.Schema.Node, f)
	for i := range p.Tools {
		t := &p.Tools[i]
		if strings.Contains(t.Get("path").Str(), "{{") {
			serverText(p, t.Node, "path", engine.InsertKeys(t), f)
		}
		serverHeaders(p, t.Node, f)
		for j := range t.Params {
			q := &t.Params[j]
			if q.Source == model.Server || q.Bare != "" {
				serverText(p, q.At("position"), "value", none, f)
			}
		}
	}
}

func checkBareServerParam(p *engine.Pass) {
	declared := model.NamesOf(p.Declared)
	eachServerParam(p, func(at *model.Node, ph model.Placeholder, key string) {
		if ph.Bare() && declared.Has(key) {
			p.Report(at, "found {{"+key+"}}, expected {{SERVER_PARAM:"+key+"}}", "write {{SERVER_PARAM:"+key+"}}").
				Fixed(true, edit.Part(at.Pointer(), ph.Start, ph.End, "{{SERVER_PARAM:"+key+"}}"))
		}
	})
}

// checkServerParamNames looks at the entries as they are written, of which
// p.declared has what they mean.
func checkServerParamNames(p *engine.Pass) {
	for _, e := range p.Schema.At("requiredServerParams").Items() {
		name := model.ServerParamName(e.Str())
		if !e.Is(ordjson.String) || e.Str() == name && engine.IsVariable(name) {
			continue
		}
		fix := "write the name of an environment variable, such as 'API_KEY'"
		var changes []edit.Change
		if engine.IsVariable(name) {
			fix = "write '" + name + "'"
			changes = append(changes, engine.SetText(e, name))
		}
		p.Report(e, engine.Found(e.Value)+", expected the name of an environment variable: letters, digits and _", fix).
			Fixed(true, changes...)
	}
}

func checkUndeclaredServerParam(p *engine.Pass) {
	if v := p.Schema.Get("requiredServerParams"); v.Exists() && !engine.Strings.Is(v) {
		return // VAL022
	}
	declared, seen := model.NamesOf(p.Declared), &model.NameSet{}
	eachServerParam(p, func(at *model.Node, ph model.Placeholder, key string) {
		if declared.Has(key) {
			return
		}
		declare := "add '" + key + "' to main.requiredServerParams"
		if near, ok := p.Speller.Closest(key, p.Declared); ok {
			declare = "did you mean {{SERVER_PARAM:" + near + "}}? else " + declare
		}
		if at.Key() == "value" {
			if _, bare := model.SourceOf(at.Str(), p.Declared); bare != "" {
				safe, changes := asMeant(p, at, key)
				p.Report(at, "found {{"+key+"}}, which main.requiredServerParams does not declare; it is read as "+
					"{{USER_PARAM}}",
					"write '{{USER_PARAM}}' if the caller gives the value; if the server does, "+declare+
						" and write {{SERVER_PARAM:"+key+"}}").
					Fixed(safe, changes...)
				return
			}
		}
		if seen.Has(key) {
			return // one declaration fixes all uses
		}
		seen.Add(key)
		fix := declare
		if ph.Bare() {
			fix += " and write {{SERVER_PARAM:" + key + "}}"
		}
		if ph.Bare() && at.Key() == "value" { // queries of the field are made of several values of the caller
			fix = "if the server gives it, " + fix +
				"; if the caller does, write {{USER_PARAM}} in its place: a value has room for one, and a preRequest " +
				"handler makes one text of several"
		}
		p.Report(at, "the server parameter "+key+" is not declared in main.requiredServerParams", fix)
	})
}

// asMeant is what a placeholder for a value that nobody declares most likely means. That
// is certain where it is the name of its parameter in capitals: what the caller gives. The
// name of a secret is a server parameter's.
func asMeant(p *engine.Pass, value *model.Node, key string) (safe bool, changes []edit.Change) {
	name := strings.ReplaceAll(key, "_", "")
	for _, secret := range []string{"KEY", "TOKEN", "SECRET", "PASSWORD", "AUTH"} {
		if strings.Contains(name, secret) {
			if near, ok := p.Speller.Closest(key, p.Declared); ok {
				return false, []edit.Change{engine.SetText(value, "{{SERVER_PARAM:"+near+"}}")}
			}
			return false, []edit.Change{engine.SetText(value, "{{SERVER_PARAM:"+key+"}}"), declaring(p, key)}
		}
	}
	changes = append(changes, engine.SetText(value, "{{USER_PARAM}}"))
	p.EachParam(func(t *engine.Tool, q *engine.Param) {
		if q.At("position").At("value").Pointer() != value.Pointer() {
			return
		}
		safe = name == strings.ToUpper(strings.Join(engine.PartsOf(q.Key), ""))
		for _, test := range t.At("tests").Items() { // those of the field give it under the name that stood there
			if test.Get(q.Bare).Exists() && !test.Get(q.Key).Exists() && q.Key != "" {
				changes = append(changes, p.RenameValue(test, q.Bare, q)...)
			}
		}
	})
	return safe, changes
}

// declaring adds a server parameter to those of main.
func declaring(p *engine.Pass, key string) edit.Change {
	if p.Schema.Get("requiredServerParams").Exists() {
		return edit.Append("/requiredServerParams", ordjson.NewString(key))
	}
	return engine.AddMember(p.Schema.Node, "requiredServerParams", ordjson.Strings([]string{key}), "tags", "root")
}

// checkDescriptionFields makes no node where there is no description, as nearly
// everywhere.
func checkDescriptionFields(p *engine.Pass) {
	look := func(v ordjson.Value, node func() *model.Node) {
		switch d := v.Get("description"); {
		case d.Is(ordjson.String):
			p.Report(node().At("description"), "a field that no chapter names; it is read",
				"keep it; other readers may drop it")
		case d.Exists():
			p.Report(node().At("description"), engine.Found(d)+", expected a string; it is not read",
				"write the description in quotes")
		}
	}
	p.EachCallable(func(t *engine.Tool) {
		for i := range t.Params {
			q := &t.Params[i]
			look(q.Node.Value, func() *model.Node { return q.Node })
			look(q.Get("z"), func() *model.Node { return q.At("z") })
		}
		look(t.Get("output"), func() *model.Node { return t.At("output") })
	})
}

func checkLegacyPath(p *engine.Pass) {
	for i := range p.Tools {
		t := &p.Tools[i]
		text := t.Get("path").Str()
		if !strings.ContainsAny(text, ":{") {
			continue
		}
		legacy, at := &model.NameSet{}, 0
		var modern strings.Builder
		var changes []edit.Change
		for _, part := range model.PathParts(text, engine.InsertKeys(t).List) {
			start := at
			at += len(part.Text)
			if !part.Legacy {
				modern.WriteString(part.Text)
				continue
			}
			legacy.Add(part.Text)
			modern.WriteString("{{" + part.Key + "}}")
			changes = append(changes, edit.Part(t.At("path").Pointer(), start, at, "{{"+part.Key+"}}"))
		}
		if legacy.List != nil {
			p.Report(t.At("path"), "found "+words.List(legacy.List)+" in "+engine.Quote(text)+", expected {{key}}",
				"write path: '"+modern.String()+"'").Fixed(true, changes...)
		}
	}
}

func checkNames(p *engine.Pass) {
	if name := p.Schema.Get("name").Str(); name != "" && !engine.IsPascal(name) && !catalog.IsNamespace(name) {
		p.Report(p.Schema.At("name"), "found "+engine.Quote(name)+", expected PascalCase or kebab-case",
			engine.Write("name", engine.ToPascal(name), "use PascalCase"))
	}
	file := path.Base(p.Load.Src.Path)
	if base := strings.TrimSuffix(file, ".mjs"); p.Load.Src.Path != "" && !engine.IsPascal(base) &&
		!catalog.IsNamespace(base) {
		fix := "use kebab-case"
		if name := engine.ToNamespace(base); name != "" {
			fix = "rename the file to " + name + ".mjs"
		}
		p.ReportFile("the file name "+engine.Quote(file)+" is neither PascalCase nor kebab-case", fix)
	}
}
