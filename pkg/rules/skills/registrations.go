package skills

import (
	"path"
	"strconv"
	"strings"

	"github.com/flowmcp/fmcp/pkg/model"
	"github.com/flowmcp/fmcp/pkg/ordjson"
	"github.com/flowmcp/fmcp/pkg/record"
	"github.com/flowmcp/fmcp/pkg/rules/engine"
)

// The checks about the skills that selections and
// agents list.

// registrations are the entries of skills that name a file: { file }. Skills
// written out in the place of one are SEL004's, keys with a slash VAL110's or
// AGT014's.
func registrations(p *engine.Pass) []*model.Node {
	var list []*model.Node
	for _, n := range p.Root.At("skills").Fields() {
		entry := n.Get("file").Exists() || !n.Get("content").Exists() && !n.Get("version").Exists()
		if entry && !strings.Contains(n.Key(), "/") {
			list = append(list, n)
		}
	}
	return list
}

func checkRegisteredFile(p *engine.Pass) {
	for _, n := range registrations(p) {
		example := "write { file: './skills/" + n.Key() + ".mjs' }"
		file := n.Get("file")
		switch {
		case !n.Is(ordjson.Object):
			p.Report(n, engine.Found(n.Value)+", expected an object with file", example)
		case !strings.HasSuffix(file.Str(), ".mjs") || path.IsAbs(file.Str()):
			p.Expect(n, "file", []string{"file"}, "a relative path that ends with .mjs", example)
		}
	}
}

// target is the path of a registered file in the catalog, "" where there is
// nothing to look for: the entry names none, or the catalog is not at hand.
func target(p *engine.Pass, n *model.Node) string {
	file := n.Get("file").Str()
	if !strings.HasSuffix(file, ".mjs") || path.IsAbs(file) || p.Ctx.Catalog == nil || p.Ctx.Files == nil {
		return ""
	}
	if !p.Ctx.Files.Exists(p.Ctx.Catalog.Path(p.Load.Src)) {
		return ""
	}
	return p.InCatalog(file)
}

func checkRegisteredExists(p *engine.Pass) {
	for _, n := range registrations(p) {
		name := target(p, n)
		if name == "" || p.Ctx.Files.Exists(name) {
			continue
		}
		p.Report(n.At("file"), engine.Found(n.Get("file"))+", expected a file of the catalog", p.NearSibling(name))
	}
}

// maxSkills is how many skills a selection or an agent registers at most
// (chapter 14, "Limits").
const maxSkills = 4

func checkSkillCount(p *engine.Pass) {
	if n := p.Root.Get("skills").Len(); n > maxSkills && !p.Root.Get("skills").Is(ordjson.String) {
		p.Report(p.Root.At("skills"), "found "+strconv.Itoa(n)+" skills, expected at most "+strconv.Itoa(maxSkills),
			"split the "+string(p.Load.Type)+" into several")
	}
}

// checkSkillKey compares the name of a skill with the name that it is found
// by: the key where it is registered, or its file in the skills folder of a
// namespace.
func checkSkillKey(p *engine.Pass) {
	if p.Load.Type == record.TypeSkill {
		skillFileName(p)
		return
	}
	for _, n := range registrations(p) {
		file := target(p, n)
		if file == "" || !p.Ctx.Files.Exists(file) {
			continue // SKL016, SKL017
		}
		target := engine.SkillIn(p.Ctx.Files.Load(file))
		if target == nil {
			continue // SKL001
		}
		if name := target.Get("name").Str(); engine.IsSkillName(name) && name != n.Key() {
			p.Report(n, "found the key "+engine.Quote(n.Key())+", but "+n.Get("file").Str()+" holds the skill "+
				engine.Quote(name), "rename the key to '"+name+"', or the skill to '"+n.Key()+"'")
		}
	}
}

func skillFileName(p *engine.Pass) {
	s := p.Scope()
	if s.Folder != "providers" {
		return
	}
	file := path.Base(p.Load.Src.Path)
	if name := p.Root.Get("name").Str(); engine.IsSkillName(name) && name+".mjs" != file {
		p.Report(p.Root.At("name"), engine.Found(p.Root.Get("name"))+", expected the name of the file, "+
			engine.Quote(strings.TrimSuffix(file, ".mjs")), "rename the file to "+name+".mjs, or the skill")
	}
}
