package catalog

import (
	"path"
	"slices"
	"strconv"
	"strings"

	"github.com/flowmcp/fmcp/pkg/model"
	"github.com/flowmcp/fmcp/pkg/ordjson"
	"github.com/flowmcp/fmcp/pkg/record"
	"github.com/flowmcp/fmcp/pkg/rules/engine"
	"github.com/flowmcp/fmcp/pkg/words"
)

// checkEntries compares the entries of registry.json with their files.
func checkEntries(p *engine.Pass) {
	if p.Ctx.Catalog != nil && p.Ctx.Files != nil && p.IsManifest() {
		schemaEntries(p)
		entryNames(p)
	}
}

// schemaEntries compares what the entries of schemas say of namespace, keys,
// handlers and lists with the schemas (chapter 15, "Schema Entry Fields"). CAT011 speaks
// about what is not of its type, CAT004 about files that are not there.
func schemaEntries(p *engine.Pass) {
	for _, e := range p.Root.At("schemas").Items() {
		file := e.Get("file").Str()
		if file == "" || !p.Ctx.HasFile(p.InCatalog(file)) || p.Ctx.Catalog.Agrees(p.InCatalog(file), e.Value) {
			continue
		}
		l := p.Ctx.Files.Load(p.InCatalog(file))
		if l == nil || l.Type != record.TypeSchema || !l.Data.Is(ordjson.Object) {
			continue
		}
		schema := model.NewSchema(l.Data)
		sameName(p, e.At("namespace"), schema.Namespace(), "the namespace of the schema")
		sameNames(p, e.At("requiredServerParams"), schema.RequiredServerParams())
		sameNames(p, e.At("sharedLists"), schema.ListNames())
		has := slices.Contains(l.Exports, "handlers")
		if v := e.Get("hasHandlers"); v.Is(ordjson.Bool) && ordjson.Text(v) != strconv.FormatBool(has) {
			p.Report(e.At("hasHandlers"), engine.Found(v)+", expected "+strconv.FormatBool(has)+" as in "+file,
				`write "hasHandlers": `+strconv.FormatBool(has))
		}
	}
}

// entryNames compares the names of the entries of shared with those of the
// lists, and of agents with their folders (chapter 15, "Shared List Entry Fields"
// and "Agent Entry Fields"). Files that are not there are CAT003's and CAT005's.
func entryNames(p *engine.Pass) {
	for _, e := range p.Root.At("shared").Items() {
		if l := p.Ctx.Files.Load(p.InCatalog(e.Get("file").Str())); l != nil && l.Type == record.TypeList {
			sameName(p, e.At("name"), l.Data.Get("meta").Get("name").Str(), "the meta.name of the list")
		}
	}
	for _, e := range p.Root.At("agents").Items() {
		file := e.Get("manifest").Str()
		if p.Ctx.HasFile(p.InCatalog(file)) && engine.IsKebab(e.Get("name").Str()) { // else ID002
			sameName(p, e.At("name"), path.Base(path.Dir(file)), "the name of the agent's folder")
		}
	}
}

// sameName reports the name of an entry that is not that of its file. CAT011
// speaks about an entry without one, LST002 and VAL010 about such a file.
func sameName(p *engine.Pass, at *model.Node, want, whose string) {
	if name := at.Str(); name != "" && want != "" && want != "." && name != want {
		p.Report(at, "found "+engine.Quote(name)+", expected "+engine.Quote(want)+", "+whose,
			"write "+strconv.Quote(at.Key())+": "+strconv.Quote(want))
	}
}

// sameNames reports an array of an entry that has other names than the file.
func sameNames(p *engine.Pass, n *model.Node, want []string) {
	var found []string
	for _, e := range n.Elems() {
		found = append(found, e.Str())
	}
	if !n.Is(ordjson.Array) || slices.Equal(sorted(found), sorted(want)) {
		return
	}
	quoted := make([]string, len(want))
	for i, name := range want {
		quoted[i] = strconv.Quote(name)
	}
	list := "[]"
	if len(want) > 0 {
		list = "[ " + strings.Join(quoted, ", ") + " ]"
	}
	p.Report(n, "found ["+words.List(found)+"], but the schema has ["+words.List(want)+"]",
		"write "+strconv.Quote(n.Key())+": "+list)
}

func sorted(names []string) []string { return slices.Compact(slices.Sorted(slices.Values(names))) }
