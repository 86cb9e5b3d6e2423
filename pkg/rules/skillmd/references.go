package skillmd

import (
	"path"
	"slices"
	"strings"

	"github.com/flowmcp/fmcp/pkg/model"
	"github.com/flowmcp/fmcp/pkg/ordjson"
	"github.com/flowmcp/fmcp/pkg/record"
	"github.com/flowmcp/fmcp/pkg/rules/engine"
)

// The checks about what a skill publishes and refers
// to.

// skillID is x-personal-mcp.id, or, if that is none, name; "" where both are
// wrong, which SKM002 and SKM009 say.
func skillID(p *engine.Pass) string {
	if id := engine.Trimmed(extension(p).Get("id")); engine.IsKebab(id) {
		return id
	}
	if name := engine.Trimmed(frontmatter(p).Get("name")); engine.IsSkillName(name) {
		return name
	}
	return ""
}

func checkCapabilities(p *engine.Pass) {
	for _, n := range extension(p).At("capabilities").Items() {
		if !isURI(engine.Trimmed(n.Value)) {
			p.Report(n, engine.Found(n.Value)+", expected a URI",
				"write it with its scheme, as in resource://skills/harbor-report/document")
		}
	}
}

// isURI reports whether s has a scheme, :// and something after it.
func isURI(s string) bool {
	scheme, rest, ok := strings.Cut(s, "://")
	schemeChar := func(c byte) bool { return engine.IsAlnum(c) || c == '+' || c == '-' || c == '.' }
	return ok && engine.Each(scheme, engine.IsAlnum, schemeChar) && rest != "" && !strings.ContainsAny(s, " \t\r\n<>\"")
}

func checkPrimaryURI(p *engine.Pass) {
	id, list := skillID(p), extension(p).At("capabilities")
	if id == "" || list.Len() == 0 || !list.Is(ordjson.Array) {
		return // SKM002, SKM012
	}
	want, name := model.SkillURI(id), model.SkillURI(engine.Trimmed(frontmatter(p).Get("name")))
	uris := make([]string, 0, list.Len())
	for _, e := range list.Elems() {
		uris = append(uris, engine.Trimmed(e))
	}
	if slices.Contains(uris, want) || slices.Contains(uris, name) {
		return // SKM009 speaks about an id that is not the name
	}
	if near, ok := p.Speller.Closest(want, uris); ok {
		p.Report(list.Item(slices.Index(uris, near)), "found "+engine.Quote(near)+", expected "+engine.Quote(want),
			"did you mean "+engine.Quote(want)+"?")
		return
	}
	p.Report(list, "found no "+engine.Quote(want)+" among "+strings.Join(uris, ", "), "add "+want)
}

func checkDependsOn(p *engine.Pass) {
	for _, n := range extension(p).At("depends_on").Items() {
		if id := engine.Trimmed(n.Value); n.Is(ordjson.String) && !engine.IsKebab(id) {
			p.Report(n, "found "+engine.Quote(id)+
				", expected the id of a skill: lower-case letters, digits and hyphens, a letter first", kebabFix(id))
		}
	}
}

// dependencies are the entries of depends_on that are ids.
func dependencies(p *engine.Pass) []*model.Node {
	return slices.DeleteFunc(extension(p).At("depends_on").Items(),
		func(n *model.Node) bool { return !engine.IsKebab(engine.Trimmed(n.Value)) })
}

// skillsFolder is the folder, relative to the catalog, that holds the folders
// of the skill and of those beside it.
func skillsFolder(p *engine.Pass) string { return path.Dir(p.InCatalog(".")) }

const skillFile = "SKILL.md"

func checkDependency(p *engine.Pass) {
	if p.Ctx.Catalog == nil || p.Ctx.Files == nil {
		return
	}
	folder := skillsFolder(p)
	for _, n := range dependencies(p) {
		id := engine.Trimmed(n.Value)
		if p.Ctx.Files.Exists(path.Join(folder, id, skillFile)) {
			continue
		}
		fix := p.DidYouMean(id, skillsIn(p, folder), "remove it, or add the skill")
		p.Report(n, "found "+engine.Quote(id)+", expected the id of a skill beside this one: there is no "+
			path.Join(folder, id, skillFile), fix)
	}
}

// skillsIn are the ids of the skills in a folder that came by.
func skillsIn(p *engine.Pass, folder string) []string {
	var ids []string
	for file := range p.Ctx.Catalog.FilesIn(folder) {
		if path.Base(file) == skillFile && path.Dir(path.Dir(file)) == folder {
			ids = append(ids, path.Base(path.Dir(file)))
		}
	}
	return ids
}

// maxFollowed is how many skills are read to find a cycle.
const maxFollowed = 100

func checkDependencyCycle(p *engine.Pass) {
	if p.Ctx.Catalog == nil || p.Ctx.Files == nil {
		return
	}
	own := path.Base(p.InCatalog("."))
	c := cycleSearch{files: p.Ctx.Files, folder: skillsFolder(p), target: own, seen: map[string]bool{}}
	for _, n := range dependencies(p) {
		if way := c.follow(engine.Trimmed(n.Value)); way != nil {
			p.Report(n, "found a cycle: "+own+" → "+strings.Join(way, " → "), "remove one of these dependencies")
		}
	}
}

// cycleSearch looks for a way from a skill's dependencies back to it.
type cycleSearch struct {
	files          engine.Files
	folder, target string
	seen           map[string]bool
}

// follow returns the ids on the way from id to the target, both included; nil
// if there is none.
func (c *cycleSearch) follow(id string) []string {
	if id == c.target {
		return []string{id}
	}
	if c.seen[id] || len(c.seen) == maxFollowed {
		return nil
	}
	c.seen[id] = true
	load := c.files.Load(path.Join(c.folder, id, skillFile))
	if load == nil || load.Type != record.TypeSkillMD {
		return nil
	}
	for _, e := range load.Data.Get("frontmatter").Get(extensionField).Get("depends_on").Elems() {
		if dep := engine.Trimmed(e); engine.IsKebab(dep) {
			if way := c.follow(dep); way != nil {
				return append([]string{id}, way...)
			}
		}
	}
	return nil
}

func checkReferences(p *engine.Pass) {
	for _, n := range extension(p).At("references").Fields() {
		if !engine.IsKebab(n.Key()) {
			p.Report(n, "found the id "+engine.Quote(n.Key())+", expected "+kebabName, kebabFix(n.Key()))
		}
	}
}

// eachReferencePath calls f for the paths of references that are texts.
func eachReferencePath(p *engine.Pass, f func(at *model.Node, name string)) {
	for _, n := range extension(p).At("references").Fields() {
		if name := engine.Trimmed(n.Get("path")); name != "" {
			f(n.At("path"), name)
		}
	}
}

// pathFault says what is wrong with the path of a reference, "" for nothing.
func pathFault(name string) (fault, fix string) {
	parts := strings.Split(name, "/")
	switch {
	case strings.Contains(name, `\`):
		return "which has backslashes", "write " + strings.ReplaceAll(name, `\`, "/")
	case path.IsAbs(name), len(name) > 1 && name[1] == ':':
		return "which is absolute", "write the path from the skill's folder, as in references/" + path.Base(name)
	case slices.Contains(parts, ".."):
		return "which leads upwards", "move the file under references/ and write references/" + path.Base(name)
	case !strings.HasPrefix(path.Clean(name), "references/"):
		return "which is not under references/", "move the file there and write references/" + path.Base(name)
	case !strings.EqualFold(path.Ext(name), ".md"):
		return "which is not a markdown file", "refer to a file that ends in .md"
	}
	return "", ""
}

func checkReferencePath(p *engine.Pass) {
	eachReferencePath(p, func(at *model.Node, name string) {
		if fault, fix := pathFault(name); fault != "" {
			p.Report(at, "found "+engine.Quote(name)+", "+fault+"; expected references/….md in the skill's folder", fix)
		}
	})
}

func checkReferenceFile(p *engine.Pass) {
	if p.Ctx.Catalog == nil || p.Ctx.Files == nil {
		return
	}
	dir := p.InCatalog(".")
	eachReferencePath(p, func(at *model.Node, name string) {
		if fault, _ := pathFault(name); fault != "" || p.Ctx.Files.Exists(path.Join(dir, name)) {
			return
		}
		fix := "add the file, or remove the reference"
		if near, ok := p.Speller.Closest(path.Join(dir, name), slices.Collect(p.Ctx.Catalog.FilesIn(dir))); ok {
			fix = "did you mean " + strings.TrimPrefix(near, dir+"/") + "?"
		}
		p.Report(at, "found "+engine.Quote(name)+", which does not exist", fix)
	})
}
