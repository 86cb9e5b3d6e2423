package agents

import (
	"path"
	"slices"
	"strconv"
	"strings"

	"github.com/flowmcp/fmcp/pkg/fields"
	"github.com/flowmcp/fmcp/pkg/model"
	"github.com/flowmcp/fmcp/pkg/ordjson"
	"github.com/flowmcp/fmcp/pkg/record"
	"github.com/flowmcp/fmcp/pkg/rules/engine"
)

// namesFile reports a member of prompts or skills that is no { file: '…' }.
func namesFile(p *engine.Pass, n *model.Node, example string) {
	if !n.Is(ordjson.Object) {
		p.Report(n, engine.Found(n.Value)+", expected an object with file", example)
		return
	}
	p.ExpectText(n, "file", []string{"file"}, example)
}

func checkAgentPrompts(p *engine.Pass) {
	for _, m := range manifest(p).Members("prompts") {
		switch {
		case !m.Keyed(): // of an array, which is reported as a whole
		case m.Inline():
			namesFile(p, m.Node, "write { file: './prompts/"+m.Key()+".mjs' }")
		default:
			p.Reference(m.Node, m.Key(), "prompt")
		}
	}
}

func checkAgentSkills(p *engine.Pass) {
	for _, m := range manifest(p).Members("skills") {
		switch {
		case !m.Keyed():
		case !m.Inline():
			name := path.Base(m.Key())
			p.Report(m.Node, "found the key "+engine.Quote(m.Key())+
				", expected a name without a slash: skills are written for one model and cannot be referred to",
				"copy the skill into the agent's folder, and write '"+name+"': { file: './skills/"+name+".mjs' }")
		default:
			namesFile(p, m.Node, "write { file: './skills/"+m.Key()+".mjs' }")
		}
	}
}

func checkAgentResources(p *engine.Pass) {
	var own []ordjson.Member
	for _, m := range manifest(p).Members("resources") {
		switch {
		case !m.Keyed():
		case !m.Inline():
			p.Reference(m.Node, m.Key(), "resource")
		case ownResource(p, m.Node) && m.Get("source").Is(ordjson.String):
			own = append(own, ordjson.Field(m.Key(), m.Value))
		}
	}
	if own == nil {
		return
	}
	var refs []ordjson.Value
	for _, name := range record.StringsOf(p.Root.Get("sharedLists")) {
		refs = append(refs, ordjson.NewObject(ordjson.Field("ref", ordjson.NewString(name))))
	}
	p.CheckAsSchema(ordjson.NewObject(ordjson.Field("namespace", p.Root.Get("name")),
		ordjson.Field("sharedLists", ordjson.NewArray(refs...)),
		ordjson.Field("resources", ordjson.NewObject(own...))), ofOwnResource)
}

// ofOwnResource reports whether a rule for the resources of schemas is also for
// those of agents: how many there are, and how they are named, chapter 06 leaves
// open.
func ofOwnResource(r *engine.Rule) bool {
	switch r.Family() {
	case "RES":
		return r.Code != "RES005" && r.Code != "RES017"
	case "TST":
		return true
	}
	return r.Code >= "VAL040" && r.Code <= "VAL065" // parameters and outputs
}

// sources are the kinds of resources.
var sources = fields.Resource.Words("source")

// ownResource reports a resource that an agent defines without a source, or
// with queries that are not object; ok says that it did not. The source may be an
// object with a type, as the sample of chapter 06 has it.
func ownResource(p *engine.Pass, n *model.Node) (ok bool) {
	before := len(p.Findings)
	const fix = "write source: 'sqlite', or another of the sources of chapter 13"
	if !n.Is(ordjson.Object) {
		p.Report(n, engine.Found(n.Value)+", expected the definition of a resource",
			"write { source: 'sqlite', … }; a resource of the catalog is named by its full ID, with null")
		return false
	}
	at, field := n, "source"
	if n.Get(field).Is(ordjson.Object) {
		at, field = n.At(field), "type"
	}
	if text := at.Get(field).Str(); !slices.Contains(sources, text) {
		proposal := p.DidYouMean(text, sources, fix)
		p.Expect(at, field, []string{"source", "description", "queries"}, "one of "+strings.Join(sources, ", "),
			proposal)
	}
	if v := n.Get("queries"); v.Exists() && !v.Is(ordjson.Object) {
		p.Report(n.At("queries"), engine.Found(v)+", expected an object of queries",
			"write queries: { name: { sql, description, parameters, output } }")
	}
	return len(p.Findings) == before
}

// agentFiles calls f for the files of the agent's prompts or skills that end in
// .mjs, with their path from the root of the catalog.
func agentFiles(p *engine.Pass, field string, f func(at *model.Node, file string)) {
	if p.Ctx.Catalog == nil {
		return
	}
	for _, at := range manifest(p).FileEntries(field) {
		if file, ok := p.FileBeside(at.Str()); ok && path.Ext(file) == ".mjs" {
			f(at, file)
		}
	}
}

func checkAgentFiles(p *engine.Pass) {
	for _, field := range []string{"prompts", "skills"} {
		for _, at := range manifest(p).FileEntries(field) {
			name := at.Str()
			if path.Ext(name) == ".mjs" {
				continue
			}
			p.Report(at, engine.Found(at.Value)+", expected a path that ends in .mjs",
				"write file: '"+strings.TrimSuffix(name, path.Ext(name))+".mjs'")
		}
		missingFiles(p, field)
	}
}

func missingFiles(p *engine.Pass, field string) {
	if p.Ctx.Catalog == nil {
		return
	}
	for _, at := range manifest(p).FileEntries(field) {
		file, ok := p.FileBeside(at.Str())
		switch {
		case path.Ext(at.Str()) != ".mjs":
		case !ok:
			p.Report(at, engine.Found(at.Value)+
				", which leads out of the catalog; expected a file in the agent's folder",
				"copy the file there, and write file: './"+field+"/"+path.Base(file)+"'")
		case !p.Ctx.HasFile(file):
			p.Report(at, engine.Found(at.Value)+", but the catalog has no file "+engine.Quote(file),
				nearFile(p, at.Str(), field))
		}
	}
}

// nearFile says which file of the agent's folder may have been meant.
func nearFile(p *engine.Pass, name, field string) string {
	dir, _ := p.FileBeside(".")
	var files []string
	if p.Ctx.Files != nil {
		for _, f := range p.Ctx.Files.List(dir) {
			if rel := "." + strings.TrimPrefix(f, dir); path.Base(f) != engine.ManifestName {
				files = append(files, rel)
			}
		}
	}
	for _, f := range files {
		if path.Base(f) == path.Base(name) {
			return "did you mean " + strconv.Quote(f) + "?"
		}
	}
	return p.DidYouMean(name, files,
		"add the file, or correct the path: it is relative to the folder of "+engine.ManifestName+", as in './"+field+
			"/"+path.Base(name)+"'")
}

func checkAgentPromptExports(p *engine.Pass) {
	agentFiles(p, "prompts", func(at *model.Node, file string) {
		fileExports(p, at, file, "write export const content = `…`", record.TypePrompt, "content", "prompt")
	})
}

func checkAgentSkillExports(p *engine.Pass) {
	agentFiles(p, "skills", func(at *model.Node, file string) {
		fileExports(p, at, file, "write export const skill = { name: '…', … }", record.TypeSkill, "skill")
	})
}

// fileExports reports a file that exports none of names. One that is not there
// or cannot be read is reported elsewhere, and so is one of the type that comes by
// itself (PRM001, SKL001).
func fileExports(p *engine.Pass, at *model.Node, file, fix string, typ record.Type, names ...string) {
	if p.Ctx.Files == nil {
		return
	}
	load := p.Ctx.Files.Load(file)
	if load == nil || load.Type == typ && p.Ctx.Catalog.HasFile(file) ||
		slices.ContainsFunc(names, func(n string) bool { return slices.Contains(load.Exports, n) }) {
		return
	}
	exports := "nothing"
	if len(load.Exports) > 0 {
		exports = strings.Join(load.Exports, ", ")
	}
	if near, ok := p.Speller.Closest(names[0], load.Exports); ok {
		fix = "rename " + near + " to " + names[0] + " in " + file
	} else {
		fix += " into " + file
	}
	p.Report(at, "found "+engine.Quote(at.Str())+", which exports "+exports+"; expected "+names[0], fix)
}

// checkAgentInlineTools checks the agent's own tools against what chapter 06
// asks of them, as the rules for a schema's tools do.
func checkAgentInlineTools(p *engine.Pass) {
	for _, m := range manifest(p).Members("tools") {
		if !m.Inline() || m.Is(ordjson.Object) {
			continue
		}
		p.Report(m.Node, engine.Found(m.Value)+", expected a tool definition with method, path and description",
			"a tool of the catalog is named by its full ID, 'namespace/tool/"+m.Key()+
				"': null; a tool of the agent's own is an object")
	}
}

func checkAgentReferenceNull(p *engine.Pass) {
	for _, field := range []string{"tools", "prompts", "resources"} {
		for _, m := range manifest(p).Members(field) {
			if m.Keyed() && !m.Inline() && !m.Is(ordjson.Null) {
				p.Report(m.Node, engine.Found(m.Value)+", expected null: the slash in the key makes it a reference",
					"write null, or take the slash out of the key to define it here")
			}
		}
	}
}

func checkAgentSelections(p *engine.Pass) {
	for _, e := range p.Root.At("selections").Items() {
		if !e.Is(ordjson.String) {
			p.Report(e, engine.Found(e.Value)+", expected the ID of a selection", "write 'namespace/selection/name'")
			continue
		}
		p.Reference(e, e.Str(), "selection")
	}
}

// checkAgentLists reports names of shared lists that the catalog does not have.
func checkAgentLists(p *engine.Pass) {
	if p.Ctx.Catalog == nil {
		return
	}
	for _, n := range p.Root.At("sharedLists").Items() {
		if name := n.Str(); n.Is(ordjson.String) && p.Ctx.LacksList(name) {
			p.Report(n, "found "+engine.Quote(name)+", which is not a list of the catalog",
				p.DidYouMean(name, p.Ctx.Lists.Names(), "add the list to the catalog, or remove the entry"))
		}
	}
}
