package skills

import (
	"slices"
	"strings"

	"github.com/flowmcp/fmcp/pkg/catalog"
	"github.com/flowmcp/fmcp/pkg/model"
	"github.com/flowmcp/fmcp/pkg/rules/engine"
)

// mention is a tool that content names, and where.
type mention struct {
	id      catalog.ID
	written string
	at      *model.Node
}

// checkOneShot reports tools that the content names and whose parameters it does
// not give (chapter 14, "Required Content Elements"). Of tools of requires that
// have no placeholder SKL024 speaks.
func checkOneShot(p *engine.Pass) {
	if p.Ctx.Catalog == nil {
		return
	}
	mentions, given, plain := mentionsOf(p)
	required := &engine.Mentions{}
	for _, n := range skill(p).Requires(engine.TypeTool + "s") {
		required.Add(engine.NamesOf(n.Str()))
	}
	for _, m := range mentions {
		if given[m.id] || !strings.HasPrefix(m.written, "{{") && required.Has(m.id.Namespace, m.id.Name) {
			continue
		}
		given[m.id] = true // once
		t, ok := toolOf(p, m.id)
		if !ok || t.givenIn(plain) {
			continue
		}
		p.Report(m.at, "found "+m.written+", and nothing that gives the parameters of the tool: "+
			strings.Join(userKeys(t.fields()), ", "),
			"write {{tool:"+m.id.Namespace+"/"+m.id.Name+":parameters}} there")
	}
}

// mentionsOf are the tools that the content names by a part, or by their ID as
// text, those whose parameters a placeholder gives, and the content without
// placeholders.
func mentionsOf(p *engine.Pass) (list []mention, given map[catalog.ID]bool, plain string) {
	content, s := skill(p).At("content"), p.Scope()
	given = map[catalog.ID]bool{}
	engine.EachReference(content, func(ref model.Reference, written string, at *model.Node) {
		if ref.Type != engine.TypeTool {
			return
		}
		id := catalog.ID{Namespace: ref.Namespace, Type: engine.TypeTool, Name: ref.Name}
		if ref.Namespace == "" {
			id, _ = catalog.ParsePrimitiveID(s.IDOf(engine.TypeTool, ref.Name))
		}
		if ref.Field == "" || ref.Field == model.PartParameters {
			given[id] = true
			return
		}
		list = append(list, mention{id, written, at})
	})
	text, from := content.Str(), 0
	for _, ph := range append(model.Placeholders(text), model.Placeholder{Start: len(text)}) {
		plain += text[from:ph.Start] + " "
		for _, word := range strings.FieldsFunc(text[from:ph.Start], notOfID) {
			word = strings.Trim(word, "/-.")
			if id, err := catalog.ParsePrimitiveID(word); err == nil && id.Type == engine.TypeTool {
				list = append(list, mention{id, word, content})
			}
		}
		from = ph.End
	}
	return list, given, plain
}

func notOfID(r rune) bool {
	return (r < 'a' || r > 'z') && (r < 'A' || r > 'Z') && (r < '0' || r > '9') && !strings.ContainsRune("/-_.", r)
}

// givenIn reports whether a text names the parameters that a caller must give, or
// one where none must be.
func (t named) givenIn(text string) bool {
	words := strings.FieldsFunc(text, func(r rune) bool { return notOfID(r) || r == '/' || r == '.' })
	var must, may []string
	for _, f := range t.fields() {
		if f.Source != model.User {
			continue
		}
		may = append(may, f.Key)
		if !f.Z.Optional() {
			must = append(must, f.Key)
		}
	}
	has := func(key string) bool { return slices.Contains(words, key) || strings.Contains(text, "`"+key+"`") }
	if len(must) == 0 {
		return len(may) == 0 || slices.ContainsFunc(may, has)
	}
	return !slices.ContainsFunc(must, func(key string) bool { return !has(key) })
}
