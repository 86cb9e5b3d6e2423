package schema

import (
	"slices"
	"strconv"
	"strings"

	"github.com/flowmcp/fmcp/pkg/edit"
	"github.com/flowmcp/fmcp/pkg/model"
	"github.com/flowmcp/fmcp/pkg/ordjson"
	"github.com/flowmcp/fmcp/pkg/record"
	"github.com/flowmcp/fmcp/pkg/rules/engine"
	"github.com/flowmcp/fmcp/pkg/words"
	"github.com/flowmcp/fmcp/pkg/zod"
)

func checkInterpolationPlace(p *engine.Pass) {
	p.ZProblems(zod.MisplacedList)
	p.ListProblems("VAL047")
	listInText(p, p.Schema.At("root"))
	listInHeaders(p, p.Schema.Node)
	for i := range p.Tools {
		if path := p.Tools[i].At("path"); path.Is(ordjson.String) {
			listInPath(p, path)
		}
		listInHeaders(p, p.Tools[i].Node)
	}
	p.EachParam(func(_ *engine.Tool, q *engine.Param) {
		for i, o := range q.Options {
			if name := engine.ListPlaceholder(o); name != "" {
				p.Report(q.ProblemNode(zod.Problem{Index: i}),
					"found "+name+" in an option, expected it inside enum() only", "write primitive: 'enum("+name+")'")
			}
		}
		if q.Source == model.User {
			return
		}
		if name := engine.ListPlaceholder(q.Value.Str()); name != "" {
			misplacedList(p, q.At("position").At("value"), name,
				"write value: '{{USER_PARAM}}' and primitive: 'enum("+name+")'")
		}
	})
}

func listInHeaders(p *engine.Pass, n *model.Node) {
	for _, m := range n.Get("headers").Members() {
		if strings.Contains(m.Value.Str(), "{{") {
			listInText(p, n.At("headers").Field(m))
		}
	}
}

// listInText reports a list in a root or a header.
func listInText(p *engine.Pass, at *model.Node) {
	if name := engine.ListPlaceholder(at.Str()); name != "" {
		misplacedList(p, at, name,
			"write {{SERVER_PARAM:KEY}} with a key of main.requiredServerParams, or the text itself")
	}
}

// listInPath reports a list in a path, where a placeholder names a parameter.
func listInPath(p *engine.Pass, path *model.Node) {
	name := engine.ListPlaceholder(path.Str())
	if name == "" {
		return
	}
	_, key, _ := strings.Cut(strings.Trim(name, "{} "), ":")
	misplacedList(p, path, name, "write {{"+strings.TrimSpace(key)+
		"}}, and give the parameter of that key primitive: 'enum("+name+")'")
}

// misplacedList reports a {{list:field}} outside of an enum, which may be a
// misspelt server parameter.
func misplacedList(p *engine.Pass, at *model.Node, name, fix string) {
	typ, key, _ := strings.Cut(strings.Trim(name, "{} "), ":")
	if _, ok := words.Closest(strings.TrimSpace(typ), []string{"SERVER_PARAM"}); ok {
		p.Report(at, "found "+name+", which would be sent as it stands",
			"did you mean {{SERVER_PARAM:"+strings.TrimSpace(key)+"}}?")
		return
	}
	p.Report(at, "found "+name+", which is allowed inside enum() only", fix)
}

func checkInterpolationDeclared(p *engine.Pass) {
	if slices.ContainsFunc(p.Refs, func(r model.ListRef) bool { return r.Ref == "" }) {
		return // VAL024, VAL070: it may be the one that names the list
	}
	p.EachParam(func(_ *engine.Tool, q *engine.Param) {
		if q.Block == nil {
			return
		}
		for _, ph := range q.Block.Lists() {
			if !p.Declares(ph.Type) {
				fix := "add { ref: '" + ph.Type + "', version: '" + p.ListVersion(ph.Type) + "' } to main.sharedLists"
				ofAgent := p.Export == string(record.TypeAgent) // of a resource of its own (chapter 06)
				if ofAgent {
					fix = "add '" + ph.Type + "' to agent.sharedLists"
				}
				found := p.Report(q.At("z").At("primitive"), "found the list "+engine.Quote(ph.Type)+", which "+
					p.Export+".sharedLists does not declare", p.DidYouMean(ph.Type, p.RefNames.List, fix))
				if p.Ctx.Lists != nil && p.Ctx.Lists.Lookup(ph.Type) != nil && !ofAgent {
					found.Fixed(true, p.DeclareList(ph.Type, ordjson.Value{}))
				}
			}
		}
	})
}

func checkInterpolationField(p *engine.Pass) {
	p.EachParam(func(_ *engine.Tool, q *engine.Param) {
		for _, v := range q.BrokenLists() {
			at := q.At("z").At("primitive")
			fix, meant := brokenListFix(p, v)
			found := p.Report(at, "found "+engine.Quote(v)+" in enum(), which names no list and field", fix)
			if meant != "" {
				found.Fixed(true, engine.SetText(at, strings.Replace(q.Primitive, v, meant, 1)))
			}
		}
	})
	if p.Ctx.Lists == nil {
		return
	}
	p.EachParam(func(_ *engine.Tool, q *engine.Param) {
		if q.Block == nil {
			return
		}
		for _, ph := range q.Block.Lists() {
			list := p.Ctx.Lists.Lookup(ph.Type)
			if list == nil || len(list.Fields) == 0 || list.HasField(ph.Name) {
				continue // VAL072 reports a list that does not exist, LST004 one that has no fields
			}
			at, fix := q.At("z").At("primitive"), "use one of "+words.List(list.FieldNames())
			var changes []edit.Change
			if near, ok := p.Speller.Closest(ph.Name, list.FieldNames()); ok {
				fix = "did you mean " + strconv.Quote(near) + "?"
				changes = append(changes, engine.SetText(at,
					strings.Replace(q.Primitive, ph.Type+":"+ph.Name, ph.Type+":"+near, 1)))
			}
			p.Report(at, "found the field "+engine.Quote(ph.Name)+", which the list "+ph.Type+" does not have", fix).
				Fixed(false, changes...)
		}
	})
}

// brokenListFix says how a placeholder is written, and what is meant where that is
// certain.
func brokenListFix(p *engine.Pass, v string) (fix, meant string) {
	name, field := engine.ListAsMeant(v)
	if p.Ctx.Lists == nil || !p.Declares(name) {
		return "write {{listName:fieldName}}", ""
	}
	list := p.Ctx.Lists.Lookup(name)
	if list == nil || len(list.Fields) == 0 {
		return "write {{" + name + ":fieldName}}", ""
	}
	if list.HasField(field) {
		meant = "{{" + name + ":" + field + "}}"
		return "write " + meant, meant
	}
	return "write {{" + name + ":" + list.FieldNames()[0] + "}}, or another field of the list: " +
		strings.Join(list.FieldNames(), ", "), ""
}

func checkInsert(p *engine.Pass) {
	for i := range p.Tools {
		toolInserts(p, &p.Tools[i])
	}
}

func toolInserts(p *engine.Pass, t *engine.Tool) {
	path := t.Get("path").Str()
	if path == "" {
		return // VAL033
	}
	inserts := engine.InsertKeys(t)
	if inserts.List == nil && !strings.ContainsAny(path, "{:") {
		return
	}
	used, stray := &model.NameSet{}, []model.PathPart{}
	for _, part := range model.PathParts(path, inserts.List) {
		if part.Key == "" || used.Has(part.Key) {
			continue
		}
		used.Add(part.Key)
		if !inserts.Has(part.Key) && !isServerPart(p, part) && !isForeign(part) {
			stray = append(stray, part)
		}
	}
	var unused []string
	for i := range t.Params {
		q := &t.Params[i]
		if q.Location == model.Insert && q.Key != "" && !used.Has(q.Key) {
			unusedInsert(p, t, q, path, stray)
			unused = append(unused, q.Key)
		}
	}
	keys := &model.NameSet{}
	for i := range t.Params {
		keys.Add(t.Params[i].Key)
	}
	for _, part := range stray {
		// One that is the other side of a parameter without placeholder is
		// reported already.
		if _, renamed := p.Speller.Closest(part.Key, unused); !renamed {
			strayPart(p, t, part, path, keys)
		}
	}
}

// checkInsertOptional reports parameters whose segment of the path would be empty in
// a call that leaves them out, which is refused (decision "Optional parameters of paths").
func checkInsertOptional(p *engine.Pass) {
	for i := range p.Tools {
		t := &p.Tools[i]
		if p.Handles(t.Name, "preRequest", "executeRequest") {
			continue
		}
		for j := range t.Params {
			q := &t.Params[j]
			if q.Location != model.Insert || q.Source != model.User || q.Block == nil || !q.Block.Optional() {
				continue
			}
			if _, has := q.Block.Default(); !has && needsSegment(t, q.Key) {
				p.Report(q.At("z").At("options"), "found optional(), but a call without "+engine.Quote(q.Key)+
					" has no value for its segment of the path "+engine.Quote(t.Get("path").Str()),
					"remove 'optional()', or write 'default(value)' in its place")
			}
		}
	}
}

// needsSegment reports whether a parameter is a segment of the path alone, but not
// the last one of a GET.
func needsSegment(t *engine.Tool, key string) bool {
	path, _, _ := strings.Cut(t.Get("path").Str(), "?")
	before := "" // the part before
	parts := model.PathParts(path, engine.InsertKeys(t).List)
	for i, part := range parts {
		last := i+1 == len(parts)
		if part.Key == key && strings.HasSuffix(before, "/") {
			return last && t.Get("method").Str() != "GET" || !last && strings.HasPrefix(parts[i+1].Text, "/")
		}
		before = part.Text
	}
	return false
}

// unusedInsert reports an insert parameter whose placeholder the path lacks. A
// handler of the tool may build the URL itself; the public catalogs do so.
func unusedInsert(p *engine.Pass, t *engine.Tool, q *engine.Param, path string, stray []model.PathPart) {
	sev := p.Severity()
	if p.Community() && p.Handles(t.Name, "preRequest", "executeRequest") {
		sev = record.SeverityWarning
	}
	fix := "put {{" + q.Key + "}} into the path, or write location: 'query'"
	for _, part := range stray {
		if p.Speller.Spent() {
			break
		}
		if _, ok := p.Speller.Closest(part.Key, []string{q.Key}); ok {
			fix = "did you mean {{" + q.Key + "}} where the path says " + part.Text + "?"
		}
	}
	p.ReportAs(sev, q.At("position").At("key"),
		"the path "+engine.Quote(path)+" has no {{"+q.Key+"}} for this insert parameter", fix)
}

// isServerPart reports whether a placeholder of a path is a server parameter.
func isServerPart(p *engine.Pass, part model.PathPart) bool {
	return !part.Legacy && len(model.ServerKeys(part.Text, p.Declared)) > 0
}

// isForeign reports whether a placeholder of a path belongs in an enum (VAL047)
// or in a prompt (PH004).
func isForeign(part model.PathPart) bool {
	return engine.ListPlaceholder(part.Text) != "" ||
		slices.ContainsFunc(model.Placeholders(part.Text), func(ph model.Placeholder) bool {
			_, ok := ph.Reference()
			return ok
		})
}

func strayPart(p *engine.Pass, t *engine.Tool, part model.PathPart, path string, keys *model.NameSet) {
	fix := "add a parameter with key: '" + part.Key + "' and location: 'insert', or write the text itself"
	if keys.Has(part.Key) {
		fix = "write location: 'insert' at the parameter " + part.Key
	}
	if near, ok := p.Speller.Closest(part.Key, keys.List); ok && near != part.Key {
		fix = "did you mean {{" + near + "}}?"
	}
	p.Report(t.At("path"), "found "+part.Text+" in "+engine.Quote(path)+" without an insert parameter of that key", fix)
}
