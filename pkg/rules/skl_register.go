package rules

import (
	"path"
	"strconv"
	"strings"

	"github.com/flowmcp/fmcp/pkg/model"
	"github.com/flowmcp/fmcp/pkg/ordjson"
	"github.com/flowmcp/fmcp/pkg/record"
)

// The checks of skillRules (skl.go) about the skills that selections and
// agents list.

// registrations are the entries of skills that name a file: { file }. Skills
// written out in the place of one are SEL004's, keys with a slash VAL110's or
// AGT014's.
func (p *Pass) registrations() []*model.Node {
	var list []*model.Node
	for _, n := range p.root.At("skills").Fields() {
		entry := n.Get("file").Exists() || !n.Get("content").Exists() && !n.Get("version").Exists()
		if entry && !strings.Contains(n.Key(), "/") {
			list = append(list, n)
		}
	}
	return list
}

func checkRegisteredFile(p *Pass) {
	for _, n := range p.registrations() {
		example := "write { file: './skills/" + n.Key() + ".mjs' }"
		file := n.Get("file")
		switch {
		case !n.Is(ordjson.Object):
			p.report(n, found(n.Value)+", expected an object with file", example)
		case !strings.HasSuffix(file.Str(), ".mjs") || path.IsAbs(file.Str()):
			p.expect(n, "file", []string{"file"}, "a relative path that ends with .mjs", example)
		}
	}
}

// target is the path of a registered file in the catalog, "" where there is
// nothing to look for: the entry names none, or the catalog is not at hand.
func (p *Pass) target(n *model.Node) string {
	file := n.Get("file").Str()
	if !strings.HasSuffix(file, ".mjs") || path.IsAbs(file) || p.ctx.Catalog == nil || p.ctx.Files == nil {
		return ""
	}
	if !p.ctx.Files.Exists(p.ctx.Catalog.Path(p.load.Src)) {
		return ""
	}
	return p.inCatalog(file)
}

func checkRegisteredExists(p *Pass) {
	for _, n := range p.registrations() {
		name := p.target(n)
		if name == "" || p.ctx.Files.Exists(name) {
			continue
		}
		p.report(n.At("file"), found(n.Get("file"))+", expected a file of the catalog", p.nearSibling(name))
	}
}

// nearSibling is what to do about a path, from the root of the catalog, at which
// there is no file.
func (p *Pass) nearSibling(name string) string {
	if strings.HasPrefix(name, "../") {
		return "move the file into the catalog"
	}
	var have []string
	for _, other := range p.ctx.Files.List(path.Dir(name)) {
		have = append(have, path.Base(other))
	}
	return p.didYouMean(path.Base(name), have, "correct the path, which is relative to this file, or add "+name)
}

// maxSkills is how many skills a selection or an agent registers at most
// (chapter 14, "Limits").
const maxSkills = 4

func checkSkillCount(p *Pass) {
	if n := p.root.Get("skills").Len(); n > maxSkills && !p.root.Get("skills").Is(ordjson.String) {
		p.report(p.root.At("skills"), "found "+strconv.Itoa(n)+" skills, expected at most "+strconv.Itoa(maxSkills), "split the "+string(p.load.Type)+" into several")
	}
}

// checkSkillKey compares the name of a skill with the name that it is found
// by: the key where it is registered, or its file in the skills folder of a
// namespace.
func checkSkillKey(p *Pass) {
	if p.load.Type == record.TypeSkill {
		p.skillFileName()
		return
	}
	for _, n := range p.registrations() {
		file := p.target(n)
		if file == "" || !p.ctx.Files.Exists(file) {
			continue // SKL016, SKL017
		}
		target := skillIn(p.ctx.Files.Load(file))
		if target == nil {
			continue // SKL001
		}
		if name := target.Get("name").Str(); isSkillName(name) && name != n.Key() {
			p.report(n, "found the key "+quote(n.Key())+", but "+n.Get("file").Str()+" holds the skill "+quote(name), "rename the key to '"+name+"', or the skill to '"+n.Key()+"'")
		}
	}
}

func (p *Pass) skillFileName() {
	s := p.scope()
	if s.folder != "providers" {
		return
	}
	file := path.Base(p.load.Src.Path)
	if name := p.root.Get("name").Str(); isSkillName(name) && name+".mjs" != file {
		p.report(p.root.At("name"), found(p.root.Get("name"))+", expected the name of the file, "+quote(strings.TrimSuffix(file, ".mjs")), "rename the file to "+name+".mjs, or the skill")
	}
}
