package engine

import (
	"errors"
	"iter"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/flowmcp/fmcp/pkg/catalog"
	"github.com/flowmcp/fmcp/pkg/model"
	"github.com/flowmcp/fmcp/pkg/record"
	"github.com/flowmcp/fmcp/pkg/walk"
	"github.com/flowmcp/fmcp/pkg/words"
)

// What agents and selections refer to by ID.

// TypeTool is the type in the ID of a tool (chapter 16).
const TypeTool = "tool"

// Reference reports a text that does not refer to something of a type that the
// catalog defines.
func (p *Pass) Reference(at *model.Node, text, typ string) {
	p.ReferenceSaying(at, text, typ, "found "+Quote(text)+", which the catalog does not define")
}

// ReferenceSaying is Reference, with what is said of one that the catalog does not
// define.
func (p *Pass) ReferenceSaying(at *model.Node, text, typ, found string) {
	id, ok := p.ReferenceForm(at, text, typ, nil)
	if !ok {
		return
	}
	if l := p.IDs(); l.Known && !l.Defines(id) {
		p.Report(at, found+": "+l.lacks(id), p.near(id))
	}
}

// IDs finds the IDs that the file refers to.
func (p *Pass) IDs() *lookup {
	if p.lookup == nil {
		p.lookup = &lookup{ctx: p.Ctx, Known: p.Ctx.isCatalog()}
	}
	return p.lookup
}

// ReferenceForm reports a text that is not the ID of something of a type, and
// returns the ID. known are IDs of which a near miss may have meant one.
func (p *Pass) ReferenceForm(at *model.Node, text, typ string, known []string) (catalog.ID, bool) {
	id, err := catalog.ParsePrimitiveID(text)
	expected := "expected namespace/" + typ + "/name"
	if err == nil && id.Type != typ {
		p.Report(at, "found "+Quote(text)+", the ID of a "+id.Type+"; "+expected, "write the ID of a "+typ)
		return id, false
	}
	var problem *words.Problem
	if !errors.As(err, &problem) {
		return id, true
	}
	fix := problem.Fix
	switch namespace, name, ok := strings.Cut(text, "/"); {
	case !ok || namespace == "" || name == "":
		fix = "write namespace/" + typ + "/name"
	case problem.Code == "ID003" && namespace != catalog.SharedNamespace:
		fix = "write '" + namespace + "/" + typ + "/" + catalog.LastPart(name) + "'"
	case !strings.Contains(name, "/"):
		fix = "write '" + namespace + "/" + typ + "/" + name + "'"
	}
	if i := slices.IndexFunc(known, func(k string) bool { return strings.HasSuffix(k, "/"+typ+"/"+text) }); i >= 0 {
		fix = "write '" + known[i] + "'"
	} else if near, ok := p.Speller.Closest(text, known); ok && near != text {
		fix = "did you mean " + strconv.Quote(near) + "?"
	}
	message := problem.Message
	if !strings.Contains(message, "expected") {
		message += ", " + expected
	}
	p.Report(at, message, fix)
	return id, false
}

// lookup finds the IDs that one file refers to.
type lookup struct {
	ctx   *Context
	Known bool     // there is a catalog
	names []string // of the folders of providers
}

// Defines reports whether the catalog defines an ID. What has come by in the
// stream is asked first; the folder is, since somebody may check one file of a
// catalog only. Of a folder too large to look at all of it, it may define any.
func (l *lookup) Defines(id catalog.ID) bool {
	text := id.String()
	return l.ctx.Catalog.Has(text) || l.ctx.idsInFolder(id.Namespace).Has(text) ||
		l.ctx.IDsOf(id.Namespace).Has(text) || l.ctx.outside.most ||
		l.ctx.Catalog.MayDefine(id.Namespace)
}

// isCatalog reports whether there is a catalog to look IDs up in: a manifest
// that lies alone may refer to any.
func (c *Context) isCatalog() bool {
	if c.Catalog == nil {
		return false
	}
	return c.HasFile("registry.json") || c.hasProviders()
}

// HasFile reports whether the catalog has a file: in the stream, or in its
// folder where somebody checks a part of it only.
func (c *Context) HasFile(name string) bool {
	return c.Catalog.HasFile(name) || c.Files != nil && c.Files.Exists(name)
}

func (c *Context) hasProviders() bool {
	for range c.providerFiles() {
		return true
	}
	return false
}

// namespaces returns the folders that providers have in the catalog.
func (c *Context) namespaces() []string {
	var names []string
	for f := range c.providerFiles() {
		name, _, ok := strings.Cut(strings.TrimPrefix(f, scopeFolders[0]+"/"), "/")
		if ok && !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	return names
}

// providerFiles are those that have come by, and where none has, those of the folder.
func (c *Context) providerFiles() iter.Seq[string] {
	files := c.Catalog.FilesIn(scopeFolders[0])
	for range files {
		return files
	}
	if c.Files == nil {
		return files
	}
	return slices.Values(c.Files.List(scopeFolders[0]))
}

// lacks says what the catalog lacks that does not define an ID (chapter 06, "How
// Tool References Are Resolved").
func (l *lookup) lacks(id catalog.ID) string {
	if len(l.ctx.IDsOf(id.Namespace).List) == 0 {
		return "it has no namespace " + id.Namespace
	}
	return "its namespace " + id.Namespace + " has no " + id.Type + " " + Quote(id.Name)
}

// near says what may have been meant by an ID that the catalog does not
// define.
func (p *Pass) near(id catalog.ID) string {
	l := p.IDs()
	var same []string // of the type
	for _, known := range l.ctx.IDsOf(id.Namespace).List {
		if strings.Contains(known, "/"+id.Type+"/") {
			same = append(same, known)
		}
	}
	if fix := p.DidYouMean(id.String(), same, ""); fix != "" {
		return fix
	}
	if len(same) == 0 {
		if l.names == nil {
			l.names = l.ctx.namespaces()
		}
		if near, ok := p.Speller.Closest(id.Namespace, l.names); ok && near != id.Namespace {
			return "did you mean " + strconv.Quote(near+"/"+id.Type+"/"+id.Name) + "?"
		}
	}
	return "correct the ID, or add the " + id.Type + " to the catalog"
}

// InCatalog is a path that the checked file names, relative to its own folder,
// as Facts and Files know it.
func (p *Pass) InCatalog(name string) string {
	return path.Join(path.Dir(p.Ctx.Catalog.Path(p.Load.Src)), name)
}

// FileBeside is the path of a file that the checked one names, from the root
// of the catalog; not ok where it leads out of it.
func (p *Pass) FileBeside(name string) (string, bool) {
	full := p.InCatalog(name)
	return full, !path.IsAbs(name) && full != ".." && !strings.HasPrefix(full, "../")
}

// IsManifest reports whether the file is the registry.json of a catalog, and
// not one that happens to be in the folder of a provider.
func (p *Pass) IsManifest() bool {
	return walk.Root(p.Load.Src) == filepath.Dir(p.Load.Src.File())
}

// TypePrompt is the type in the ID of a prompt (chapter 16).
const TypePrompt = string(record.TypePrompt)

// TypeResource is the type in the ID of a resource (chapter 16).
const TypeResource = "resource"

// TypeOfPrefill is the type of what an entry of prefill calls: a tool, or a query
// of a resource (decision "Read-only tools").
func TypeOfPrefill(text string) string {
	if id, err := catalog.ParsePrimitiveID(text); err == nil && id.Type == TypeResource {
		return TypeResource
	}
	return TypeTool
}

// Resolve reports that n names no primitive of the type: by its name alone,
// which the scope has to offer, or by its Spec-ID.
func (p *Pass) Resolve(n *model.Node, s *Scope, typ string) {
	text := n.Str()
	if !strings.Contains(text, "/") {
		if s.Known() && !s.Has(typ, text) {
			p.Report(n, "found "+Quote(text)+", which is not a "+typ+" of "+s.String(),
				p.DidYouMean(text, s.Names(typ), "use the name of a "+typ+", or its ID: namespace/"+typ+"/name"))
		}
		return
	}
	p.Reference(n, text, typ)
}

// NearSibling is what to do about a path, from the root of the catalog, at which
// there is no file.
func (p *Pass) NearSibling(name string) string {
	if strings.HasPrefix(name, "../") {
		return "move the file into the catalog"
	}
	var have []string
	for _, other := range p.Ctx.Files.List(path.Dir(name)) {
		have = append(have, path.Base(other))
	}
	return p.DidYouMean(path.Base(name), have, "correct the path, which is relative to this file, or add "+name)
}
