package engine

import (
	"path"
	"slices"

	"github.com/flowmcp/fmcp/pkg/catalog"
	"github.com/flowmcp/fmcp/pkg/model"
	"github.com/flowmcp/fmcp/pkg/record"
	"github.com/flowmcp/fmcp/pkg/sharedlist"
)

// ManifestName is the file that an agent is defined by (chapter 06, "Directory
// Rules").
const ManifestName = "agent.mjs"

// Files is the folder of a catalog. Paths are relative to its root and have
// slashes; none leads out of it.
type Files interface {
	// Load reads a module, a registry or a SKILL.md; nil if there is none or it
	// cannot be read.
	Load(path string) *record.Load
	// Exists reports whether there is a file of any kind.
	Exists(path string) bool
	// Read returns the bytes of a file, nil where it cannot be read.
	Read(path string) []byte
	// List returns the paths of the modules below a folder.
	List(dir string) []string
}

// scopeFolders are the folders whose folders are namespaces (chapter 15,
// "Directory Conventions").
var scopeFolders = []string{"providers", "agents", "selections"}

// LoadID returns the file that defines an ID, nil if there is none or it cannot
// be read.
func (c *Context) LoadID(id catalog.ID) *record.Load {
	if c.Files == nil {
		return nil
	}
	for _, paths := range []func() []string{
		func() []string { return c.Catalog.FilesOf(id.String()) },
		func() []string { return c.folderFiles(id.Namespace) },
		func() []string { return c.outsideFiles(id.Namespace) },
	} {
		for _, path := range paths() {
			if l := c.Files.Load(path); l != nil && slices.Contains(c.idsIn(l), id.String()) {
				return l
			}
		}
	}
	return nil
}

// namespaceIDs are the IDs of namespaces that were asked for: hundreds of files
// may refer to what one namespace does not have, and its files are read once.
// Those of own are by the folder, whatever namespace its files say.
type namespaceIDs struct {
	folder, all, own map[string]*model.NameSet
	nested           map[string]string // see scope.nested
}

// Forget makes rules look at the files of the catalog again, which are not what
// they were: fmcp-scan watches them, or more have come by.
func (c *Context) Forget() { c.ids, c.depends, c.Fresh = namespaceIDs{}, nil, kept{} }

// IDsOf returns the IDs that the files of a namespace define.
func (c *Context) IDsOf(namespace string) *model.NameSet {
	if c.Files == nil {
		return &model.NameSet{}
	}
	return remembered(&c.ids.all, namespace, func() []string {
		paths := slices.Concat(c.Catalog.FilesOfNamespace(namespace), c.folderFiles(namespace),
			c.outsideFiles(namespace))
		slices.Sort(paths)
		return c.idsOfFiles(slices.Compact(paths))
	})
}

// idsInFolder is idsOf for the files in the folder that is called as the
// namespace is: it spares looking at all others.
func (c *Context) idsInFolder(namespace string) *model.NameSet {
	return remembered(&c.ids.folder, namespace, func() []string { return c.idsOfFiles(c.folderFiles(namespace)) })
}

// remembered returns what is known of a namespace, or else finds it out.
func remembered(known *map[string]*model.NameSet, namespace string, find func() []string) *model.NameSet {
	ids, ok := (*known)[namespace]
	if !ok {
		if *known == nil {
			*known = map[string]*model.NameSet{}
		}
		ids = model.NamesOf(find())
		(*known)[namespace] = ids
	}
	return ids
}

func (c *Context) idsOfFiles(paths []string) []string {
	var ids []string
	for _, path := range paths {
		if l := c.Files.Load(path); l != nil {
			ids = append(ids, c.idsIn(l)...)
		}
	}
	return ids
}

// folderFiles returns the files in which a namespace is defined where its
// folder is called as it is.
func (c *Context) folderFiles(namespace string) []string {
	if c.Files == nil {
		return nil
	}
	if namespace == "shared" {
		return c.Files.List("_lists")
	}
	var paths []string
	for _, folder := range scopeFolders {
		paths = append(paths, c.Files.List(folder+"/"+namespace)...)
	}
	return paths
}

// idsIn are the IDs of what a file defines, of an agent also those of prompts whose
// content is in a file of its own.
func (c *Context) idsIn(l *record.Load) []string {
	var ids []string
	if l.Type == record.TypeSchema {
		ids = append(ids, l.ID)
	}
	for _, p := range catalog.PrimitiveIDs(l) {
		ids = append(ids, p.ID.String())
	}
	for _, p := range catalog.ContentPrompts(l) {
		file := c.Files.Load(path.Join(path.Dir(c.Catalog.Path(l.Src)), p.File))
		if file != nil && file.Type == record.TypeContent {
			ids = append(ids, p.ID.String())
		}
	}
	return ids
}

// List returns a shared list of the catalog, nil if there is none. As with IDs,
// what has come by is asked first, and then the folder.
func (c *Context) List(name string) *sharedlist.List {
	if c.Lists != nil {
		if l := c.Lists.Lookup(name); l != nil {
			return l
		}
	}
	return c.ListOnDisk(name)
}

// ListOnDisk returns a list of the folder whose file has not come by.
func (c *Context) ListOnDisk(name string) *sharedlist.List {
	c.listsOnDisk()
	for _, l := range c.diskName[name] {
		if !c.Catalog.HasFile(l.Src.Path) {
			return l
		}
	}
	return nil
}

// Dependencies are those of the catalog's lists on each other, looked at once
// for all lists.
func (c *Context) Dependencies() *sharedlist.Dependencies {
	if c.depends == nil {
		c.depends = sharedlist.NewDependencies(c.List, c.listNames)
	}
	return c.depends
}

func (c *Context) listNames() []string {
	var names []string
	if c.Lists != nil {
		names = slices.Clip(c.Lists.Names())
	}
	for _, l := range c.listsOnDisk() {
		names = append(names, l.Name)
	}
	return names
}

// listsOnDisk reads the lists of the folder that have not come by when it is
// first asked, with paths relative to the catalog: none, where all of a catalog
// is checked.
func (c *Context) listsOnDisk() []*sharedlist.List {
	c.diskOnce.Do(func() {
		if c.Files == nil || c.Catalog == nil {
			return
		}
		c.diskName = map[string][]*sharedlist.List{}
		for _, path := range c.Files.List("_lists") {
			if c.Catalog.HasFile(path) {
				continue
			}
			if l := c.Files.Load(path); l != nil && l.Type == record.TypeList {
				list, _ := sharedlist.NewList(l)
				list.Src.Path = path
				c.disk = append(c.disk, list)
				c.diskName[list.Name] = append(c.diskName[list.Name], list)
			}
		}
	})
	return c.disk
}
