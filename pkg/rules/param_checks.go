package rules

import (
	"slices"
	"strings"

	"github.com/flowmcp/fmcp/pkg/model"
	"github.com/flowmcp/fmcp/pkg/record"
	"github.com/flowmcp/fmcp/pkg/suggest"
	"github.com/flowmcp/fmcp/pkg/zod"
)

// The checks of parameterRules (val_param.go) about lists and paths.

// promptTypes are the types of placeholders that belong into prompts; PH004
// speaks about them.
var promptTypes = model.ReferenceTypes

func checkInterpolationPlace(p *Pass) {
	p.zProblems(zod.MisplacedList)
	p.eachParam(func(_ *tool, q *param) {
		for i, o := range q.Options {
			if name := listPlaceholder(o); name != "" {
				p.report(q.problemNode(zod.Problem{Index: i}), "found "+name+" in an option, expected it inside enum() only", "write primitive: 'enum("+name+")'")
			}
		}
		if q.Source == model.User {
			return
		}
		if name := listPlaceholder(q.Value.Str()); name != "" {
			fix := "write value: '{{USER_PARAM}}' and primitive: 'enum(" + name + ")'"
			if typ, _, _ := strings.Cut(name[2:], ":"); nearServerParam(typ) {
				fix = `did you mean "SERVER_PARAM"? write {{SERVER_PARAM:KEY}}`
			}
			p.report(q.At("position").At("value"), "found "+name+", which is allowed inside enum() only", fix)
		}
	})
}

func nearServerParam(typ string) bool {
	_, ok := suggest.Closest(strings.TrimSpace(typ), []string{"SERVER_PARAM"})
	return ok
}

// listPlaceholder returns the first {{list:field}} of text as written, or "".
func listPlaceholder(text string) string {
	if !strings.Contains(text, "{{") {
		return ""
	}
	for _, ph := range model.Placeholders(text) {
		if !ph.Bare() && ph.Type != "SERVER_PARAM" && isAlnumName(ph.Type) && !slices.Contains(promptTypes, ph.Type) {
			return text[ph.Start:ph.End]
		}
	}
	return ""
}

// isAlnumName tells the name of a list from text that merely has a colon
// between braces, such as JSON in a fixed value.
func isAlnumName(s string) bool {
	tail := func(c byte) bool { return isAlnum(c) || c == '_' || c == '-' }
	return each(s, isAlnum, tail)
}

func checkInterpolationDeclared(p *Pass) {
	p.eachParam(func(_ *tool, q *param) {
		if q.block == nil {
			return
		}
		for _, ph := range q.block.Lists() {
			if !p.declares(ph.Type) {
				names := make([]string, len(p.refs))
				for i, r := range p.refs {
					names[i] = r.Ref
				}
				fix := didYouMean(ph.Type, names, "add { ref: '"+ph.Type+"', version: '"+p.listVersion(ph.Type)+"' } to main.sharedLists")
				p.report(q.At("z").At("primitive"), "found the list "+quote(ph.Type)+", which main.sharedLists does not declare", fix)
			}
		}
	})
}

func (p *Pass) declares(list string) bool {
	return slices.ContainsFunc(p.refs, func(r model.ListRef) bool { return r.Ref == list })
}

// listVersion is the version of a list as far as it is known.
func (p *Pass) listVersion(name string) string {
	if p.ctx.Lists != nil {
		if l, ok := p.ctx.Lists.List(name); ok {
			return l.Version
		}
	}
	return "1.0.0"
}

func checkInterpolationField(p *Pass) {
	if p.ctx.Lists == nil {
		return
	}
	p.eachParam(func(_ *tool, q *param) {
		if q.block == nil {
			return
		}
		for _, ph := range q.block.Lists() {
			list, ok := p.ctx.Lists.List(ph.Type)
			if !ok || slices.Contains(list.Fields, ph.Name) {
				continue // VAL072 reports a list that does not exist
			}
			fix := didYouMean(ph.Name, list.Fields, "use one of "+strings.Join(list.Fields, ", "))
			p.report(q.At("z").At("primitive"), "found the field "+quote(ph.Name)+", which the list "+ph.Type+" does not have", fix)
		}
	})
}

func checkInsert(p *Pass) {
	for i := range p.tools {
		p.toolInserts(&p.tools[i])
	}
}

func (p *Pass) toolInserts(t *tool) {
	path := t.Get("path").Str()
	if path == "" {
		return // VAL033
	}
	var inserts []string
	for i := range t.params {
		if t.params[i].Location == model.Insert {
			inserts = append(inserts, t.params[i].Key)
		}
	}
	if inserts == nil && !strings.ContainsAny(path, "{:") {
		return
	}
	parts := model.PathParts(path, inserts)
	used := func(key string) bool {
		return slices.ContainsFunc(parts, func(part model.PathPart) bool { return part.Key == key })
	}
	for i := range t.params {
		q := &t.params[i]
		if q.Location == model.Insert && q.Key != "" && !used(q.Key) {
			p.unusedInsert(t, q, path, parts, inserts)
		}
	}
	for _, part := range parts {
		if part.Key == "" || slices.Contains(inserts, part.Key) || p.isServerPart(part) {
			continue
		}
		if !p.renamedInsert(t, parts, part.Key) {
			p.strayPart(t, part, path)
		}
	}
}

// unusedInsert reports an insert parameter whose placeholder the path lacks. A
// handler of the tool may build the URL itself; the public catalogs do so.
func (p *Pass) unusedInsert(t *tool, q *param, path string, parts []model.PathPart, inserts []string) {
	sev := p.rule.Severity(p.ctx.profile())
	if p.community() && p.handles(t.Name, "preRequest", "executeRequest") {
		sev = record.SeverityWarning
	}
	fix := "put {{" + q.Key + "}} into the path, or write location: 'query'"
	for _, part := range parts {
		if part.Key == "" || slices.Contains(inserts, part.Key) || p.isServerPart(part) {
			continue
		}
		if _, ok := suggest.Closest(part.Key, []string{q.Key}); ok {
			fix = "did you mean {{" + q.Key + "}} where the path says " + part.Text + "?"
		}
	}
	p.reportAs(sev, q.At("position").At("key"), "the path "+quote(path)+" has no {{"+q.Key+"}} for this insert parameter", fix)
}

// renamedInsert reports whether a placeholder without parameter is the other
// side of a parameter without placeholder, which is reported already.
func (p *Pass) renamedInsert(t *tool, parts []model.PathPart, key string) bool {
	for i := range t.params {
		q := &t.params[i]
		if q.Location != model.Insert || slices.ContainsFunc(parts, func(part model.PathPart) bool { return part.Key == q.Key }) {
			continue
		}
		if _, ok := suggest.Closest(key, []string{q.Key}); ok {
			return true
		}
	}
	return false
}

// isServerPart reports whether a placeholder of a path is a server parameter.
func (p *Pass) isServerPart(part model.PathPart) bool {
	return !part.Legacy && len(model.ServerKeys(part.Text, p.declared)) > 0
}

func (p *Pass) strayPart(t *tool, part model.PathPart, path string) {
	fix := "add a parameter with key: '" + part.Key + "' and location: 'insert', or write the text itself"
	keys := make([]string, 0, len(t.params))
	for i := range t.params {
		if t.params[i].Key == part.Key {
			fix = "write location: 'insert' at the parameter " + part.Key
		}
		keys = append(keys, t.params[i].Key)
	}
	if near, ok := suggest.Closest(part.Key, keys); ok && near != part.Key {
		fix = "did you mean {{" + near + "}}?"
	}
	p.report(t.At("path"), "found "+part.Text+" in "+quote(path)+" without an insert parameter of that key", fix)
}
