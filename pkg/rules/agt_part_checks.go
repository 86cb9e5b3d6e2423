package rules

import (
	"math"
	"path"
	"slices"
	"strconv"
	"strings"

	"github.com/flowmcp/fmcp/pkg/model"
	"github.com/flowmcp/fmcp/pkg/ordjson"
)

// The checks of agentPartRules (agt_parts.go).

// agentObject reports an optional field that is no object.
func (p *Pass) agentObject(field, example string) {
	v := p.root.Get(field)
	if v.Exists() && !v.Is(ordjson.Object) {
		p.report(p.root.At(field), found(v)+", expected an object", example)
	}
}

// namesFile reports a member of prompts or skills that is no { file: '…' }.
func (p *Pass) namesFile(n *model.Node, example string) {
	if !n.Is(ordjson.Object) {
		p.report(n, found(n.Value)+", expected an object with file", example)
		return
	}
	p.expectText(n, "file", []string{"file"}, example)
}

func checkAgentPrompts(p *Pass) {
	p.agentObject("prompts", "write prompts: { 'about': { file: './prompts/about.mjs' } }")
	for _, m := range p.agent().Members("prompts") {
		switch {
		case !m.Keyed(): // of an array, which is reported as a whole
		case m.Inline():
			p.namesFile(m.Node, "write { file: './prompts/"+m.Key()+".mjs' }")
		default:
			p.reference(m.Node, m.Key(), "prompt")
		}
	}
}

func checkAgentSkills(p *Pass) {
	p.agentObject("skills", "write skills: { 'token-deep-dive': { file: './skills/token-deep-dive.mjs' } }")
	for _, m := range p.agent().Members("skills") {
		switch {
		case !m.Keyed():
		case !m.Inline():
			name := path.Base(m.Key())
			p.report(m.Node, "found the key "+quote(m.Key())+", expected a name without a slash: skills are written for one model and cannot be referred to",
				"copy the skill into the agent's folder, and write '"+name+"': { file: './skills/"+name+".mjs' }")
		default:
			p.namesFile(m.Node, "write { file: './skills/"+m.Key()+".mjs' }")
		}
	}
}

func checkAgentResources(p *Pass) {
	p.agentObject("resources", "write resources: { 'namespace/resource/name': null }")
	for _, m := range p.agent().Members("resources") {
		switch {
		case !m.Keyed():
		case m.Inline():
			p.ownResource(m.Node)
		default:
			p.reference(m.Node, m.Key(), "resource")
		}
	}
}

// sources are the kinds of resources (chapter 13; decision "GTFS resources").
var sources = []string{"sqlite", "markdown", "http", "sqlite-gtfs"}

// ownResource reports a resource that an agent defines without a source, or
// with queries that are no object. The source may be an object with a type, as
// the sample of chapter 06 has it.
func (p *Pass) ownResource(n *model.Node) {
	const fix = "write source: 'sqlite', or another of the sources of chapter 13"
	if !n.Is(ordjson.Object) {
		p.report(n, found(n.Value)+", expected the definition of a resource", "write { source: 'sqlite', … }; a resource of the catalog is named by its full ID, with null")
		return
	}
	at, field := n, "source"
	if n.Get(field).Is(ordjson.Object) {
		at, field = n.At(field), "type"
	}
	if text := at.Get(field).Str(); !slices.Contains(sources, text) {
		proposal := p.didYouMean(text, sources, fix)
		p.expect(at, field, []string{"source", "description", "queries"}, "one of "+strings.Join(sources, ", "), proposal)
	}
	if v := n.Get("queries"); v.Exists() && !v.Is(ordjson.Object) {
		p.report(n.At("queries"), found(v)+", expected an object of queries", "write queries: { name: { sql, description, parameters, output } }")
	}
}

// agentFiles calls f for the files of the agent's prompts or skills that end in
// .mjs, with their path from the root of the catalog.
func (p *Pass) agentFiles(field string, f func(at *model.Node, file string)) {
	if p.ctx.Catalog == nil {
		return
	}
	for _, at := range p.agent().FileEntries(field) {
		if file, ok := p.fileBeside(at.Str()); ok && path.Ext(file) == ".mjs" {
			f(at, file)
		}
	}
}

func checkAgentFiles(p *Pass) {
	for _, field := range []string{"prompts", "skills"} {
		for _, at := range p.agent().FileEntries(field) {
			name := at.Str()
			if path.Ext(name) == ".mjs" {
				continue
			}
			p.report(at, found(at.Value)+", expected a path that ends in .mjs", "write file: '"+strings.TrimSuffix(name, path.Ext(name))+".mjs'")
		}
		p.missingFiles(field)
	}
}

func (p *Pass) missingFiles(field string) {
	if p.ctx.Catalog == nil {
		return
	}
	for _, at := range p.agent().FileEntries(field) {
		file, ok := p.fileBeside(at.Str())
		switch {
		case path.Ext(at.Str()) != ".mjs":
		case !ok:
			p.report(at, found(at.Value)+", which leads out of the catalog; expected a file in the agent's folder", "copy the file there, and write file: './"+field+"/"+path.Base(file)+"'")
		case !p.ctx.hasFile(file):
			p.report(at, found(at.Value)+", but the catalog has no file "+quote(file), p.nearFile(at.Str(), field))
		}
	}
}

// nearFile says which file of the agent's folder may have been meant.
func (p *Pass) nearFile(name, field string) string {
	dir, _ := p.fileBeside(".")
	var files []string
	if p.ctx.Files != nil {
		for _, f := range p.ctx.Files.List(dir) {
			if rel := "." + strings.TrimPrefix(f, dir); path.Base(f) != ManifestName {
				files = append(files, rel)
			}
		}
	}
	for _, f := range files {
		if path.Base(f) == path.Base(name) {
			return "did you mean " + strconv.Quote(f) + "?"
		}
	}
	return p.didYouMean(name, files, "add the file, or correct the path: it is relative to the folder of "+ManifestName+", as in './"+field+"/"+path.Base(name)+"'")
}

func checkAgentPromptExports(p *Pass) {
	p.agentFiles("prompts", func(at *model.Node, file string) {
		p.fileExports(at, file, "write export const content = `…`", "content", "prompt")
	})
}

func checkAgentSkillExports(p *Pass) {
	p.agentFiles("skills", func(at *model.Node, file string) {
		p.fileExports(at, file, "write export const skill = { name: '…', … }", "skill")
	})
}

// fileExports reports a file that exports none of names. One that is not there
// or cannot be read is reported elsewhere.
func (p *Pass) fileExports(at *model.Node, file, fix string, names ...string) {
	if p.ctx.Files == nil {
		return
	}
	load := p.ctx.Files.Load(file)
	if load == nil || slices.ContainsFunc(names, func(n string) bool { return slices.Contains(load.Exports, n) }) {
		return
	}
	exports := "nothing"
	if len(load.Exports) > 0 {
		exports = strings.Join(load.Exports, ", ")
	}
	if near, ok := p.speller.Closest(names[0], load.Exports); ok {
		fix = "rename " + near + " to " + names[0] + " in " + file
	} else {
		fix += " into " + file
	}
	p.report(at, "found "+quote(at.Str())+", which exports "+exports+"; expected "+names[0], fix)
}

// checkAgentInlineTools holds the agent's own tools against what chapter 06
// asks of them, as the rules for a schema's tools do.
func checkAgentInlineTools(p *Pass) {
	for _, m := range p.agent().Members("tools") {
		if !m.Inline() || m.Is(ordjson.Object) {
			continue
		}
		p.report(m.Node, found(m.Value)+", expected a tool definition with method, path and description",
			"a tool of the catalog is named by its full ID, 'namespace/tool/"+m.Key()+"': null; a tool of the agent's own is an object")
	}
	tools := p.agent().InlineTools()
	for _, check := range []func(*Pass, *model.Node){(*Pass).toolMethod, (*Pass).toolPath, (*Pass).toolDescription} {
		for _, t := range tools {
			check(p, t.Node)
		}
	}
}

func checkAgentReferenceNull(p *Pass) {
	for _, field := range []string{"tools", "prompts", "resources"} {
		for _, m := range p.agent().Members(field) {
			if m.Keyed() && !m.Inline() && !m.Is(ordjson.Null) {
				p.report(m.Node, found(m.Value)+", expected null: the slash in the key makes it a reference", "write null, or take the slash out of the key to define it here")
			}
		}
	}
}

func checkAgentSelections(p *Pass) {
	v := p.root.Get("selections")
	const example = "write selections: [ 'namespace/selection/name' ]"
	if v.Exists() && !v.Is(ordjson.Array) {
		p.report(p.root.At("selections"), found(v)+", expected an array of IDs of selections", example)
		return
	}
	for _, e := range p.root.At("selections").Items() {
		if !e.Is(ordjson.String) {
			p.report(e, found(e.Value)+", expected the ID of a selection", "write 'namespace/selection/name'")
			continue
		}
		p.reference(e, e.Str(), "selection")
	}
}

func checkElicitationRounds(p *Pass) {
	v := p.root.Get("elicitation")
	if !v.Exists() {
		return
	}
	const example = "write elicitation: { enabled: true, maxRounds: 3 }"
	if !v.Is(ordjson.Object) {
		p.report(p.root.At("elicitation"), found(v)+", expected an object", example)
		return
	}
	if rounds := v.Get("maxRounds").Float(); rounds < 1 || rounds != math.Trunc(rounds) || math.IsInf(rounds, 0) {
		p.expect(p.root.At("elicitation"), "maxRounds", elicitationFields, "a whole number of at least 1", "write maxRounds: 3")
	}
}
