package rules

import (
	"errors"
	"path"
	"slices"
	"strconv"
	"strings"

	"github.com/flowmcp/fmcp/pkg/catalog"
	"github.com/flowmcp/fmcp/pkg/model"
)

// What agents and selections refer to by ID.

// typeTool is the type in the ID of a tool (chapter 16).
const typeTool = "tool"

// reference reports a text that does not refer to something of a type that the
// catalog defines.
func (p *Pass) reference(at *model.Node, text, typ string) {
	id, ok := p.referenceForm(at, text, typ, nil)
	if !ok {
		return
	}
	if l := p.ids(); l.known && !l.defines(id) {
		p.report(at, l.undefined(id), p.near(id))
	}
}

// ids finds the IDs that the file refers to.
func (p *Pass) ids() *lookup {
	if p.lookup == nil {
		p.lookup = &lookup{ctx: p.ctx, known: p.ctx.isCatalog()}
	}
	return p.lookup
}

// referenceForm reports a text that is not the ID of something of a type, and
// returns the ID. known are IDs of which a near miss may have meant one.
func (p *Pass) referenceForm(at *model.Node, text, typ string, known []string) (catalog.ID, bool) {
	id, err := catalog.ParsePrimitiveID(text)
	expected := "expected namespace/" + typ + "/name"
	if err == nil && id.Type != typ {
		p.report(at, "found "+quote(text)+", the ID of a "+id.Type+"; "+expected, "write the ID of a "+typ)
		return id, false
	}
	var problem *catalog.Problem
	if !errors.As(err, &problem) {
		return id, true
	}
	fix := problem.Fix
	switch namespace, name, ok := strings.Cut(text, "/"); {
	case !ok || namespace == "" || name == "":
		fix = "write namespace/" + typ + "/name"
	case !strings.Contains(name, "/"):
		fix = "write '" + namespace + "/" + typ + "/" + name + "'"
	}
	if i := slices.IndexFunc(known, func(k string) bool { return strings.HasSuffix(k, "/"+typ+"/"+text) }); i >= 0 {
		fix = "write '" + known[i] + "'"
	} else if near, ok := p.speller.Closest(text, known); ok && near != text {
		fix = "did you mean " + strconv.Quote(near) + "?"
	}
	message := problem.Message
	if !strings.Contains(message, "expected") {
		message += ", " + expected
	}
	p.report(at, message, fix)
	return id, false
}

// lookup finds the IDs that one file refers to.
type lookup struct {
	ctx   *Context
	known bool     // there is a catalog
	names []string // of the folders of providers
	asked int      // see candidates
}

// maxAsked is for how many of a file's references another is suggested. Each is
// compared with all that there are: a file of thousands of wrong ones must not
// take minutes.
const maxAsked = 100

// candidates returns list as often as suggestions are made for the file.
func (l *lookup) candidates(list []string) []string {
	if l.asked++; l.asked > maxAsked {
		return nil
	}
	return list
}

// defines reports whether the catalog defines an ID. What has come by in the
// stream is asked first; the folder is, since somebody may check one file of a
// catalog only. Of a folder too large to look at all of it, it may define any.
func (l *lookup) defines(id catalog.ID) bool {
	text := id.String()
	return l.ctx.Catalog.Has(text) || l.ctx.idsInFolder(id.Namespace).Has(text) || l.ctx.idsOf(id.Namespace).Has(text) || l.ctx.outside.most ||
		l.ctx.Catalog.MayDefine(id.Namespace)
}

// isCatalog reports whether there is a catalog to look IDs up in: a manifest
// that lies alone may refer to any.
func (c *Context) isCatalog() bool {
	if c.Catalog == nil {
		return false
	}
	return c.hasFile("registry.json") || c.hasProviders()
}

// hasFile reports whether the catalog has a file: in the stream, or in its
// folder where somebody checks a part of it only.
func (c *Context) hasFile(name string) bool {
	return c.Catalog.HasFile(name) || c.Files != nil && c.Files.Exists(name)
}

func (c *Context) hasProviders() bool {
	for name := range c.Catalog.Files() {
		if strings.HasPrefix(name, scopeFolders[0]+"/") {
			return true
		}
	}
	return len(c.providerFiles()) > 0
}

// namespaces returns the folders that providers have in the catalog.
func (c *Context) namespaces() []string {
	var names []string
	for _, f := range c.providerFiles() {
		name, _, ok := strings.Cut(strings.TrimPrefix(f, scopeFolders[0]+"/"), "/")
		if ok && !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	return names
}

func (c *Context) providerFiles() []string {
	if files := c.Catalog.FilesIn(scopeFolders[0]); len(files) > 0 || c.Files == nil {
		return files
	}
	return c.Files.List(scopeFolders[0])
}

// undefined says that the catalog does not define an ID, and what it lacks
// (chapter 06, "How Tool References Are Resolved").
func (l *lookup) undefined(id catalog.ID) string {
	message := "found " + quote(id.String()) + ", which the catalog does not define: "
	if len(l.ctx.idsOf(id.Namespace).List) == 0 {
		return message + "it has no namespace " + id.Namespace
	}
	return message + "its namespace " + id.Namespace + " has no " + id.Type + " " + quote(id.Name)
}

// near says what may have been meant by an ID that the catalog does not
// define.
func (p *Pass) near(id catalog.ID) string {
	l := p.ids()
	var same []string // of the type
	for _, known := range l.candidates(l.ctx.idsOf(id.Namespace).List) {
		if strings.Contains(known, "/"+id.Type+"/") {
			same = append(same, known)
		}
	}
	if fix := p.didYouMean(id.String(), same, ""); fix != "" {
		return fix
	}
	if len(same) == 0 && l.asked <= maxAsked {
		if l.names == nil {
			l.names = l.ctx.namespaces()
		}
		if near, ok := p.speller.Closest(id.Namespace, l.names); ok && near != id.Namespace {
			return "did you mean " + strconv.Quote(near+"/"+id.Type+"/"+id.Name) + "?"
		}
	}
	return "correct the ID, or add the " + id.Type + " to the catalog"
}

// inCatalog is a path that the checked file names, relative to its own folder,
// as Facts and Files know it.
func (p *Pass) inCatalog(name string) string {
	return path.Join(path.Dir(p.ctx.Catalog.Path(p.load.Src)), name)
}

// fileBeside is the path of a file that the checked one names, from the root
// of the catalog; not ok where it leads out of it.
func (p *Pass) fileBeside(name string) (string, bool) {
	full := p.inCatalog(name)
	return full, !path.IsAbs(name) && full != ".." && !strings.HasPrefix(full, "../")
}
