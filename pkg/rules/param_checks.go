package rules

import (
	"slices"
	"strings"

	"github.com/flowmcp/fmcp/pkg/model"
	"github.com/flowmcp/fmcp/pkg/ordjson"
	"github.com/flowmcp/fmcp/pkg/record"
	"github.com/flowmcp/fmcp/pkg/words"
	"github.com/flowmcp/fmcp/pkg/zod"
)

// The checks of parameterRules (val_param.go) about lists and paths.

// promptTypes are the types of placeholders that belong into prompts; PH004
// speaks about them.
var promptTypes = model.ReferenceTypes

func checkInterpolationPlace(p *Pass) {
	p.zProblems(zod.MisplacedList)
	p.listProblems("VAL047")
	for i := range p.tools {
		if path := p.tools[i].At("path"); path.Is(ordjson.String) {
			p.listInPath(path)
		}
	}
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

// listInPath reports a list in a path, where a placeholder names a parameter.
func (p *Pass) listInPath(path *model.Node) {
	name := listPlaceholder(path.Str())
	if name == "" {
		return
	}
	typ, key, _ := strings.Cut(strings.Trim(name, "{} "), ":")
	fix := "write {{" + strings.TrimSpace(key) + "}}, and give the parameter of that key primitive: 'enum(" + name + ")'"
	if nearServerParam(typ) {
		fix = `did you mean "SERVER_PARAM"? write {{SERVER_PARAM:KEY}}`
	}
	p.report(path, "found "+name+", which is allowed inside enum() only", fix)
}

func nearServerParam(typ string) bool {
	_, ok := words.Closest(strings.TrimSpace(typ), []string{"SERVER_PARAM"})
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
				fix := p.didYouMean(ph.Type, p.refNames.List, "add { ref: '"+ph.Type+"', version: '"+p.listVersion(ph.Type)+"' } to main.sharedLists")
				p.report(q.At("z").At("primitive"), "found the list "+quote(ph.Type)+", which main.sharedLists does not declare", fix)
			}
		}
	})
}

func (p *Pass) declares(list string) bool {
	if p.refNames == nil {
		p.refNames = &model.NameSet{}
		for _, r := range p.refs {
			p.refNames.Add(r.Ref)
		}
	}
	return p.refNames.Has(list)
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
	p.eachParam(func(_ *tool, q *param) {
		for _, v := range q.brokenLists() {
			p.report(q.At("z").At("primitive"), "found "+quote(v)+" in enum(), which names no list and field", p.brokenListFix(v))
		}
	})
	if p.ctx.Lists == nil {
		return
	}
	p.eachParam(func(_ *tool, q *param) {
		if q.block == nil {
			return
		}
		for _, ph := range q.block.Lists() {
			list, ok := p.ctx.Lists.List(ph.Type)
			if !ok || len(list.Fields) == 0 || slices.Contains(list.Fields, ph.Name) {
				continue // VAL072 reports a list that does not exist, LST004 one that has no fields
			}
			fix := p.didYouMean(ph.Name, list.Fields, "use one of "+words.List(list.Fields))
			p.report(q.At("z").At("primitive"), "found the field "+quote(ph.Name)+", which the list "+ph.Type+" does not have", fix)
		}
	})
}

// brokenLists returns the values of an enum that look like placeholders without
// being one: {{colours}}, {{colours.slug}}, {{colours:slug}.
func (q *param) brokenLists() []string {
	if q.block == nil || !strings.Contains(q.Primitive, "{{") && !strings.Contains(q.Primitive, "}}") {
		return nil
	}
	var broken []string
	for _, v := range q.block.Values() {
		if open, end := strings.Contains(v, "{{"), strings.Contains(v, "}}"); (open || end) && listPlaceholder(v) == "" {
			broken = append(broken, v)
		}
	}
	return broken
}

// listAsMeant reads the list and the field that such a value most likely means.
func listAsMeant(v string) (list, field string) {
	list, field, _ = strings.Cut(strings.ReplaceAll(strings.Trim(v, "{} "), ":", "."), ".")
	return list, field
}

func (p *Pass) brokenListFix(v string) string {
	name, field := listAsMeant(v)
	if p.ctx.Lists == nil || !p.declares(name) {
		return "write {{listName:fieldName}}"
	}
	list, ok := p.ctx.Lists.List(name)
	if !ok || len(list.Fields) == 0 {
		return "write {{" + name + ":fieldName}}"
	}
	if slices.Contains(list.Fields, field) {
		return "write {{" + name + ":" + field + "}}"
	}
	return "write {{" + name + ":" + list.Fields[0] + "}}, or another field of the list: " + strings.Join(list.Fields, ", ")
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
	inserts := insertKeys(t)
	if inserts.List == nil && !strings.ContainsAny(path, "{:") {
		return
	}
	used, stray := &model.NameSet{}, []model.PathPart{}
	for _, part := range model.PathParts(path, inserts.List) {
		if part.Key == "" || used.Has(part.Key) {
			continue
		}
		used.Add(part.Key)
		if !inserts.Has(part.Key) && !p.isServerPart(part) && listPlaceholder(part.Text) == "" { // VAL047
			stray = append(stray, part)
		}
	}
	var unused []string
	for i := range t.params {
		q := &t.params[i]
		if q.Location == model.Insert && q.Key != "" && !used.Has(q.Key) {
			p.unusedInsert(t, q, path, stray)
			unused = append(unused, q.Key)
		}
	}
	keys := &model.NameSet{}
	for i := range t.params {
		keys.Add(t.params[i].Key)
	}
	for _, part := range stray {
		// One that is the other side of a parameter without placeholder is
		// reported already.
		if _, renamed := p.speller.Closest(part.Key, unused); !renamed {
			p.strayPart(t, part, path, keys)
		}
	}
}

// insertKeys are the keys of the tool's insert parameters.
func insertKeys(t *tool) *model.NameSet {
	keys := &model.NameSet{}
	for i := range t.params {
		if t.params[i].Location == model.Insert {
			keys.Add(t.params[i].Key)
		}
	}
	return keys
}

// unusedInsert reports an insert parameter whose placeholder the path lacks. A
// handler of the tool may build the URL itself; the public catalogs do so.
func (p *Pass) unusedInsert(t *tool, q *param, path string, stray []model.PathPart) {
	sev := p.rule.Severity(p.ctx.profile())
	if p.community() && p.handles(t.Name, "preRequest", "executeRequest") {
		sev = record.SeverityWarning
	}
	fix := "put {{" + q.Key + "}} into the path, or write location: 'query'"
	for _, part := range stray {
		if p.speller.Spent() {
			break
		}
		if _, ok := p.speller.Closest(part.Key, []string{q.Key}); ok {
			fix = "did you mean {{" + q.Key + "}} where the path says " + part.Text + "?"
		}
	}
	p.reportAs(sev, q.At("position").At("key"), "the path "+quote(path)+" has no {{"+q.Key+"}} for this insert parameter", fix)
}

// isServerPart reports whether a placeholder of a path is a server parameter.
func (p *Pass) isServerPart(part model.PathPart) bool {
	return !part.Legacy && len(model.ServerKeys(part.Text, p.declared)) > 0
}

func (p *Pass) strayPart(t *tool, part model.PathPart, path string, keys *model.NameSet) {
	fix := "add a parameter with key: '" + part.Key + "' and location: 'insert', or write the text itself"
	if keys.Has(part.Key) {
		fix = "write location: 'insert' at the parameter " + part.Key
	}
	if near, ok := p.speller.Closest(part.Key, keys.List); ok && near != part.Key {
		fix = "did you mean {{" + near + "}}?"
	}
	p.report(t.At("path"), "found "+part.Text+" in "+quote(path)+" without an insert parameter of that key", fix)
}
