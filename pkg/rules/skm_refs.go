package rules

import (
	"path"
	"slices"
	"strings"

	"github.com/flowmcp/fmcp/pkg/model"
	"github.com/flowmcp/fmcp/pkg/ordjson"
	"github.com/flowmcp/fmcp/pkg/record"
)

// The checks of skillMDRules (skm.go) about what a skill publishes and refers
// to.

// primaryURI is where a skill itself is published.
func primaryURI(id string) string { return "resource://skills/" + id + "/document" }

// skillID is x-personal-mcp.id, or, where that is none, name; "" where both are
// wrong, which SKM002 and SKM009 say.
func (p *Pass) skillID() string {
	if id := trimmed(p.extension().Get("id")); isKebab(id) {
		return id
	}
	if name := trimmed(p.frontmatter().Get("name")); isSkillName(name) {
		return name
	}
	return ""
}

func checkCapabilities(p *Pass) {
	ext := p.extension()
	if ext == nil {
		return
	}
	list := ext.Get("capabilities")
	if !list.Is(ordjson.Array) || list.Len() == 0 {
		id := p.skillID()
		if id == "" {
			id = "NAME"
		}
		p.expect(ext, "capabilities", extensionFields, "a list of URIs, one at least", "write capabilities: ["+primaryURI(id)+"]")
		return
	}
	for _, n := range ext.At("capabilities").Items() {
		if !isURI(trimmed(n.Value)) {
			p.report(n, found(n.Value)+", expected a URI", "write it with its scheme, as in resource://skills/harbor-report/document")
		}
	}
}

// isURI reports whether s has a scheme, :// and something behind it.
func isURI(s string) bool {
	scheme, rest, ok := strings.Cut(s, "://")
	schemeChar := func(c byte) bool { return isAlnum(c) || c == '+' || c == '-' || c == '.' }
	return ok && each(scheme, isAlnum, schemeChar) && rest != "" && !strings.ContainsAny(s, " \t\r\n<>\"")
}

func checkPrimaryURI(p *Pass) {
	ext := p.extension()
	if ext == nil || ext.Get("capabilities").Len() == 0 || !ext.Get("capabilities").Is(ordjson.Array) {
		return // SKM012 has spoken about it
	}
	id := p.skillID()
	if id == "" {
		return
	}
	want := primaryURI(id)
	list := ext.At("capabilities")
	uris := make([]string, 0, list.Len())
	for _, e := range list.Elems() {
		uris = append(uris, trimmed(e))
	}
	if slices.Contains(uris, want) {
		return
	}
	if near, ok := p.speller.Closest(want, uris); ok {
		p.report(list.Item(slices.Index(uris, near)), "found "+quote(near)+", expected "+quote(want), "did you mean "+quote(want)+"?")
		return
	}
	p.report(list, "found no "+quote(want)+" among "+strings.Join(uris, ", "), "add "+want)
}

func checkDependsOn(p *Pass) {
	ext := p.extension()
	if ext == nil || !p.stringList(ext, "depends_on", "write depends_on: [harbor-report]") {
		return
	}
	for _, n := range ext.At("depends_on").Items() {
		if id := trimmed(n.Value); !isKebab(id) {
			p.report(n, "found "+quote(id)+", expected the id of a skill: lower-case letters, digits and hyphens, a letter first", kebabFix(id))
		}
	}
}

// dependencies are the entries of depends_on that are ids.
func (p *Pass) dependencies() []*model.Node {
	ext := p.extension()
	if ext == nil {
		return nil
	}
	return slices.DeleteFunc(ext.At("depends_on").Items(), func(n *model.Node) bool { return !isKebab(trimmed(n.Value)) })
}

// skillsFolder is the folder, relative to the catalog, that holds the folders
// of the skill and of those beside it.
func (p *Pass) skillsFolder() string { return path.Dir(p.inCatalog(".")) }

const skillFile = "SKILL.md"

func checkDependency(p *Pass) {
	if p.ctx.Catalog == nil || p.ctx.Files == nil {
		return
	}
	folder := p.skillsFolder()
	for _, n := range p.dependencies() {
		id := trimmed(n.Value)
		if p.ctx.Files.Exists(path.Join(folder, id, skillFile)) {
			continue
		}
		fix := p.didYouMean(id, p.skillsIn(folder), "remove it, or add the skill")
		p.report(n, "found "+quote(id)+", expected the id of a skill beside this one: there is no "+path.Join(folder, id, skillFile), fix)
	}
}

// skillsIn are the ids of the skills in a folder that came by.
func (p *Pass) skillsIn(folder string) []string {
	var ids []string
	for file := range p.ctx.Catalog.Files() {
		if path.Base(file) == skillFile && path.Dir(path.Dir(file)) == folder {
			ids = append(ids, path.Base(path.Dir(file)))
		}
	}
	return ids
}

// maxFollowed is how many skills are read to find a cycle.
const maxFollowed = 100

func checkDependencyCycle(p *Pass) {
	if p.ctx.Catalog == nil || p.ctx.Files == nil {
		return
	}
	own := path.Base(p.inCatalog("."))
	c := cycleSearch{files: p.ctx.Files, folder: p.skillsFolder(), target: own, seen: map[string]bool{}}
	for _, n := range p.dependencies() {
		if way := c.follow(trimmed(n.Value)); way != nil {
			p.report(n, "found a cycle: "+own+" → "+strings.Join(way, " → "), "remove one of these dependencies")
		}
	}
}

// cycleSearch looks for a way from a skill's dependencies back to it.
type cycleSearch struct {
	files          Files
	folder, target string
	seen           map[string]bool
}

// follow returns the ids on the way from id to the target, both included; nil
// where there is none.
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
		if dep := trimmed(e); isKebab(dep) {
			if way := c.follow(dep); way != nil {
				return append([]string{id}, way...)
			}
		}
	}
	return nil
}

func checkReferences(p *Pass) {
	ext := p.extension()
	if ext == nil {
		return
	}
	refs := ext.At("references")
	const fix = "write references: { tides: { path: references/tides.md } }"
	switch {
	case !refs.Exists():
		if misspelt(ext.Value, "references", extensionFields) != "" {
			p.expect(ext, "references", extensionFields, "a mapping", fix)
		}
		return
	case !refs.Is(ordjson.Object):
		p.report(refs, found(refs.Value)+", expected a mapping of ids to entries with path", fix)
		return
	}
	for _, n := range refs.Fields() {
		if !isKebab(n.Key()) {
			p.report(n, "found the id "+quote(n.Key())+", expected lower-case letters, digits and hyphens, a letter first", kebabFix(n.Key()))
		}
		p.referenceEntry(n)
	}
}

// referenceEntry checks the fields of one entry of references.
func (p *Pass) referenceEntry(n *model.Node) {
	const fix = "write { path: references/tides.md }"
	if !n.Is(ordjson.Object) {
		p.report(n, found(n.Value)+", expected an entry with path", fix)
		return
	}
	p.expectText(n, "path", referenceFields, "write path: references/tides.md")
	if v := n.Get("mime_type"); v.Exists() && !isString(v) {
		p.report(n.At("mime_type"), found(v)+", expected a string", "write mime_type: text/markdown")
	}
	if v := n.Get("title"); v.Exists() && !isString(v) && !v.Is(ordjson.Null) {
		p.report(n.At("title"), found(v)+", expected a string", "write a short title, in quotes where it is a number")
	}
}

// eachReferencePath calls f for the paths of references that are texts.
func (p *Pass) eachReferencePath(f func(at *model.Node, name string)) {
	ext := p.extension()
	if ext == nil {
		return
	}
	for _, n := range ext.At("references").Fields() {
		if name := trimmed(n.Get("path")); name != "" {
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
		return "which is no markdown file", "refer to a file that ends in .md"
	}
	return "", ""
}

func checkReferencePath(p *Pass) {
	p.eachReferencePath(func(at *model.Node, name string) {
		if fault, fix := pathFault(name); fault != "" {
			p.report(at, "found "+quote(name)+", "+fault+"; expected references/….md in the skill's folder", fix)
		}
	})
}

func checkReferenceFile(p *Pass) {
	if p.ctx.Catalog == nil || p.ctx.Files == nil {
		return
	}
	dir := p.inCatalog(".")
	p.eachReferencePath(func(at *model.Node, name string) {
		if fault, _ := pathFault(name); fault != "" || p.ctx.Files.Exists(path.Join(dir, name)) {
			return
		}
		fix := "add the file, or remove the reference"
		if near, ok := p.speller.Closest(path.Join(dir, name), p.ctx.Catalog.FilesIn(dir)); ok {
			fix = "did you mean " + strings.TrimPrefix(near, dir+"/") + "?"
		}
		p.report(at, "found "+quote(name)+", which does not exist", fix)
	})
}
