package compatibility

import (
	"fmt"
	"slices"
	"strings"

	"github.com/flowmcp/fmcp/pkg/model"
	"github.com/flowmcp/fmcp/pkg/ordjson"
	"github.com/flowmcp/fmcp/pkg/record"
	"github.com/flowmcp/fmcp/pkg/rules/engine"
)

// hidden reports the texts of a value that have characters which are not seen.
func hidden(p *engine.Pass, n *model.Node) {
	switch {
	case n.Is(ordjson.String):
		for i, r := range n.Str() {
			if seen(r) < 0 {
				p.Report(n, fmt.Sprintf("found the hidden character U+%X at byte %d", r, i),
					"remove it, and what follows it").Fixed(false, engine.SetText(n, strings.Map(seen, n.Str())))
				return
			}
		}
	case n.Is(ordjson.Array):
		for _, e := range n.Items() {
			hidden(p, e)
		}
	case n.Is(ordjson.Object):
		for _, f := range n.Fields() {
			hidden(p, f)
		}
	}
}

// seen is a character, negative for one that is not seen.
func seen(r rune) rune {
	if r >= 0xe0000 && r <= 0xe007f {
		return -1
	}
	return r
}

// hides reports whether a text of a value may have such a character: all begin
// with the same bytes.
func hides(v ordjson.Value) bool {
	switch v.Kind() {
	case ordjson.String:
		return strings.Contains(v.Str(), "\xf3\xa0")
	case ordjson.Array:
		return slices.ContainsFunc(v.Elems(), hides)
	case ordjson.Object:
		return slices.ContainsFunc(v.Members(), func(m ordjson.Member) bool { return hides(m.Value) })
	}
	return false
}

func checkMisspelt(p *engine.Pass) {
	severity := p.Severity()
	misspelt(p, severity, p.Schema.Node, "root")
	misspeltHeaders(p, severity, p.Schema.Node)
	for i := range p.Tools {
		t, severity := &p.Tools[i], severity
		if p.Handles(t.Name, "preRequest", "executeRequest") {
			severity = record.SeverityWarning // a handler may replace them
		}
		if path := t.Get("path").Str(); strings.Contains(path, "{") {
			for _, part := range model.PathParts(path, engine.InsertKeys(t).List) {
				if part.Key == "" {
					misspeltIn(p, severity, t.At("path"), part.Text)
				}
			}
		}
		misspeltHeaders(p, severity, t.Node)
		for j := range t.Params {
			misspelt(p, severity, t.Params[j].At("position"), "value")
		}
	}
}

// misspelt looks at a text; it makes no node where there are no braces.
func misspelt(p *engine.Pass, severity record.Severity, n *model.Node, field string) {
	if text := n.Get(field).Str(); strings.Contains(text, "{") {
		misspeltIn(p, severity, n.At(field), text)
	}
}

func misspeltHeaders(p *engine.Pass, severity record.Severity, n *model.Node) {
	for _, m := range n.Get("headers").Members() {
		if m.Value.Is(ordjson.String) && strings.Contains(m.Value.Str(), "{") {
			misspeltIn(p, severity, n.At("headers").Field(m), m.Value.Str())
		}
	}
}

func misspeltIn(p *engine.Pass, severity record.Severity, at *model.Node, text string) {
	for _, form := range model.Misspelt(text) {
		found := p.ReportAs(severity, at, "found "+engine.Quote(form)+
			", which looks like a placeholder and would be sent as it stands", misspeltFix(p, at, form))
		if meant := meantPlaceholder(p, at, form); meant != "" && strings.Count(at.Str(), form) == 1 {
			// Where a handler may make the request, it is sent as it stands.
			found.Fixed(severity == record.SeverityError, engine.SetText(at, strings.Replace(at.Str(), form, meant, 1)))
		}
	}
}

// meantPlaceholder is the placeholder that a misspelt one can only mean: its name is one
// that fits the place. "" is none.
func meantPlaceholder(p *engine.Pass, at *model.Node, form string) string {
	name := strings.TrimPrefix(strings.Trim(form, "${} "), "SERVER_PARAM:")
	inPath := func(t engine.Tool) bool { return t.Name == engine.ToolOf(at) && engine.InsertKeys(&t).Has(name) }
	switch {
	case slices.Contains(p.Declared, name):
		return "{{SERVER_PARAM:" + name + "}}"
	case name == "USER_PARAM" && at.Key() == "value":
		return "{{USER_PARAM}}"
	case at.Key() == "path" && slices.ContainsFunc(p.Tools, inPath):
		return "{{" + name + "}}"
	}
	return ""
}

func misspeltFix(p *engine.Pass, at *model.Node, form string) string {
	name := strings.Trim(form, "${} ")
	typ, key, typed := strings.Cut(name, ":")
	switch {
	case name == "USER_PARAM":
		return "write {{USER_PARAM}}"
	case typed && key == "":
		return "name the key: {{" + typ + ":KEY}}"
	case typed:
		return "write {{" + name + "}}"
	case at.Key() == "path":
		return "write {{" + name + "}}, and give the tool a parameter with key: '" + name + "' and location: 'insert'"
	case name == strings.ToUpper(name) && name != "":
		return "write {{SERVER_PARAM:" + name + "}}, and name " + name + " in main.requiredServerParams"
	case at.Key() == "value":
		return "write {{USER_PARAM}} for what the caller gives, or the text itself"
	}
	return "write {{SERVER_PARAM:KEY}} with a key of main.requiredServerParams, or the text itself"
}

func checkUnusedServerParam(p *engine.Pass) {
	if len(p.Declared) == 0 {
		return
	}
	declared, used := model.NamesOf(p.Declared), &model.NameSet{}
	eachServerParam(p, func(_ *model.Node, _ model.Placeholder, key string) {
		if near, ok := p.Speller.Closest(key, p.Declared); ok && !declared.Has(key) {
			key = near // CMP002
		}
		used.Add(key)
	})
	for _, e := range p.Schema.At("requiredServerParams").Items() {
		if key := model.ServerParamName(e.Str()); key != "" && !used.Has(key) {
			p.Report(e, "no {{SERVER_PARAM:"+key+"}} places this key: it is asked for and never sent",
				"remove it, or write {{SERVER_PARAM:"+key+"}} where the API wants the key")
		}
	}
}
