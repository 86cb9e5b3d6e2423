package skills

import (
	"slices"
	"strings"

	"github.com/flowmcp/fmcp/pkg/catalog"
	"github.com/flowmcp/fmcp/pkg/model"
	"github.com/flowmcp/fmcp/pkg/record"
	"github.com/flowmcp/fmcp/pkg/rules/engine"
	"github.com/flowmcp/fmcp/pkg/words"
	"github.com/flowmcp/fmcp/pkg/zod"
)

// The checks about the tools that are called before a skill is delivered
// (chapter 18). PH002 speaks about a tool that is not there.

// checkPrefillTools reports entries of prefill whose tool is no ID (chapter 16,
// "No Short Form"), and a second one of a tool, whose results one placeholder
// stands for.
func checkPrefillTools(p *engine.Pass) {
	s, seen := p.Scope(), map[string]bool{}
	for _, tool := range skill(p).Prefill() {
		text := tool.Str()
		switch {
		case strings.TrimSpace(text) == "": // the table's
		case !strings.Contains(text, "/"):
			p.Report(tool, "found "+engine.Quote(text)+", expected the ID of a tool: namespace/tool/name",
				"write '"+s.IDOf(engine.TypeTool, text)+"'")
		case seen[text]:
			p.ReportAs(min(record.SeverityWarning, p.Severity()), tool, "found "+engine.Quote(text)+
				" a second time, expected each tool once: {{prefill:"+text+"}} stands for one result",
				"remove one of the two entries")
		}
		seen[text] = true
	}
}

// named is a tool that a skill names, and its file.
type named struct {
	engine.Tool
	load *record.Load
}

// toolOf reads the tool of an ID; not ok where that cannot be done.
func toolOf(p *engine.Pass, id catalog.ID) (t named, ok bool) {
	load := p.Ctx.LoadID(id)
	if load == nil {
		return t, false
	}
	schema := model.NewSchema(load.Data)
	for _, t := range schema.Tools() {
		if t.Name == id.Name {
			return named{engine.NewTool(t, schema.RequiredServerParams()), load}, true
		}
	}
	return t, false
}

// eachEntry calls f for the entries that name a primitive of that type.
func eachEntry(p *engine.Pass, typ string, f func(entry *model.Node, id catalog.ID)) {
	if p.Ctx.Catalog == nil {
		return
	}
	for _, entry := range p.Root.At("prefill").Items() {
		if id, err := catalog.ParsePrimitiveID(entry.Get("tool").Str()); err == nil && id.Type == typ {
			f(entry, id)
		}
	}
}

// eachPrefilled calls f for the entries whose tool can be read.
func eachPrefilled(p *engine.Pass, f func(entry *model.Node, id catalog.ID, t named)) {
	eachEntry(p, engine.TypeTool, func(entry *model.Node, id catalog.ID) {
		if t, ok := toolOf(p, id); ok {
			f(entry, id, t)
		}
	})
}

// checkPrefillParams reports parameters that the tool does not take, values that
// it refuses, and those that it needs and does not get.
func checkPrefillParams(p *engine.Pass) {
	eachPrefilled(p, func(entry *model.Node, called catalog.ID, t named) {
		id := called.String()
		fields, params := t.fields(), entry.At("params")
		keys := userKeys(fields)
		issues := zod.NewInput(fields).Issues(params.Value, engine.MaxFindings)
		misspelt := map[string]bool{} // keys that stand for one that is missing
		for _, issue := range issues {
			if issue.Kind == zod.MissingKey {
				misspelt[engine.Misspelt(params.Value, issue.Key, keys)] = true
			}
		}
		for _, issue := range issues {
			switch at := params.At(issue.Key); {
			case issue.Kind == zod.MissingKey:
				p.Expect(params, issue.Key, keys, issue.Msg+", since "+id+" requires it",
					"give "+words.Brief(issue.Key)+" in params")
			case issue.Kind == zod.RefusedValue:
				if !strings.Contains(at.Str(), "{{") { // else it is known when the skill is asked for
					p.Report(at, "the value is not one that "+id+" takes: "+issue.Msg,
						"give a value that z of the parameter accepts")
				}
			case !misspelt[issue.Key]:
				fix := "remove it; " + id + " takes no parameters"
				if len(keys) > 0 {
					fix = "remove it; " + id + " takes " + strings.Join(keys, ", ")
				}
				p.Report(at, "found "+engine.Quote(issue.Key)+", which is not a parameter of "+engine.Quote(id),
					p.DidYouMean(issue.Key, keys, fix))
			}
		}
	})
}

// fields are the parameters of the tool as callers see them. Of one whose z-block
// is unclear, or needs a list, no value is wrong.
func (t named) fields() []zod.Field {
	var fields []zod.Field
	for _, q := range t.Params {
		z := q.Block
		if z == nil || len(z.Lists()) > 0 || len(q.Problems) > 0 {
			z, _ = zod.Parse("", q.Options)
		}
		fields = append(fields, zod.Field{Key: q.Key, Source: q.Source, Z: z})
	}
	return fields
}

func userKeys(fields []zod.Field) []string {
	var keys []string
	for _, f := range fields {
		if f.Source == model.User && !slices.Contains(keys, f.Key) {
			keys = append(keys, f.Key)
		}
	}
	return keys
}

// checkPrefillReads reports tools and queries that are not called beforehand: those
// that may change something, and those of others (decision "Read-only tools").
func checkPrefillReads(p *engine.Pass) {
	s := p.Scope()
	check := func(entry *model.Node, id catalog.ID, reads bool, expected string) {
		switch {
		case !reads:
			p.Report(entry.At("tool"), "found "+engine.Quote(id.String())+
				", which may change something; expected a "+expected,
				"remove the entry and refer to the "+id.Type+" in content, or correct the "+id.Type)
		case s.Known() && s.IDOf(id.Type, id.Name) != id.String():
			p.Report(entry.At("tool"), "found "+engine.Quote(id.String())+", which is not a "+id.Type+" of "+s.String(),
				p.DidYouMean(id.Name, s.Names(id.Type), "remove the entry and refer to the "+id.Type+" in content"))
		}
	}
	eachPrefilled(p, func(entry *model.Node, id catalog.ID, t named) {
		var stages []string
		for _, h := range t.load.Handlers {
			if h.Name == t.Name {
				stages = h.Stages
			}
		}
		check(entry, id, record.ReadOnly(t.Get("meta"), t.Get("method").Str(), stages),
			"tool with meta.isReadOnly: true")
	})
	eachEntry(p, engine.TypeResource, func(entry *model.Node, id catalog.ID) {
		load := p.Ctx.LoadID(id)
		if load == nil {
			return // PH002
		}
		for _, r := range model.NewSchema(load.Data).Resources() {
			if r.Name == id.Name {
				check(entry, id, reads(r, entry.Get("params").Get("query").Str()),
					"query that is one SELECT, or a database that is not file-based")
			}
		}
	})
}

// reads reports whether a query changes nothing, or with no name all queries: also
// those of the statement that a caller of runSql gives (chapter 13, "Dynamic SQL").
func reads(r model.Resource, query string) bool {
	statements := map[string]string{model.RunSQL: model.DynamicSQL}
	for _, q := range r.Queries() {
		statements[q.Name] = q.SQL
	}
	asked := &catalog.Resource{Source: r.Source, Mode: r.Mode}
	for name, text := range statements {
		if q := (&catalog.Query{Resource: asked, SQL: text}); (query == "" || query == name) && !q.ReadsOnly() {
			return false
		}
	}
	return true
}
