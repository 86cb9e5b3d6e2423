package catalog

import (
	"path/filepath"
	"slices"

	"github.com/flowmcp/fmcp/pkg/ordjson"
	"github.com/flowmcp/fmcp/pkg/record"
	"github.com/flowmcp/fmcp/pkg/rules/engine"
	"github.com/flowmcp/fmcp/pkg/walk"
)

// checkListRegistry compares _lists/_registry.json with the lists (chapter 03, "Registry
// Invariants"). It is a file that is made, so that one finding for each list is enough.
func checkListRegistry(p *engine.Pass) {
	if p.Ctx.Catalog == nil || p.Ctx.Files == nil || !p.IsManifest() {
		return
	}
	text := p.Ctx.Files.Read(p.InCatalog(walk.ListRegistry))
	if text == nil {
		return
	}
	report := func(message string) {
		file := filepath.Join(filepath.Dir(p.Load.Src.File()), filepath.FromSlash(walk.ListRegistry))
		p.Findings = append(p.Findings, engine.Finding{Rule: p.Rule, Severity: p.Severity(), Path: file,
			Message: message, Fix: "run fmcp-resolve registry build --write"})
	}
	v, err := ordjson.Parse(string(text))
	if err != nil || !v.Get("lists").Is(ordjson.Array) {
		report("found no JSON with an array lists")
		return
	}
	found := map[string]bool{}
	for _, e := range v.Get("lists").Elems() {
		file := e.Get("file").Str()
		found[file] = true
		l := p.Ctx.Files.Load(p.InCatalog(file))
		if l == nil || l.Type != record.TypeList {
			report("found an entry of " + engine.Quote(file) + ", which is no list of the catalog")
			continue
		}
		want := walk.ListEntry(file, l)
		for _, m := range want.Members() {
			if got := e.Get(m.Key); !ordjson.Equal(got, m.Value) {
				report(m.Key + " of " + file + ": " + engine.Found(got) + ", expected " + ordjson.Text(m.Value))
			}
		}
	}
	files := p.Ctx.Files.List(p.InCatalog("_lists"))
	slices.Sort(files)
	for _, file := range files {
		if name, ok := within(p.InCatalog("."), file); ok && !found[name] {
			report("found no entry of " + name)
		}
	}
}
