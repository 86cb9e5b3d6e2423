package engine

import (
	"sync"

	"github.com/flowmcp/fmcp/pkg/catalog"
)

// MaxListed is how many modules Files.List returns at most.
const MaxListed = 1000

// outside knows the files of a catalog's folder that have not come by, where
// somebody checks a part of it only: by the namespaces that they define, since
// folders of the field are not always called as those are.
type outside struct {
	once  sync.Once
	files map[string][]string // by namespace
	most  bool                // there are more files than can be looked at
}

// outsideFiles returns the files of a namespace that have not come by, in
// whatever folder. They are read when it is first asked: none, where all of a
// catalog is checked.
func (c *Context) outsideFiles(namespace string) []string {
	c.outside.once.Do(c.readOutside)
	return c.outside.files[namespace]
}

func (c *Context) readOutside() {
	if c.Files == nil || c.Catalog == nil {
		return
	}
	var files []string
	for _, folder := range scopeFolders {
		listed, before := c.Files.List(folder), len(files)
		for _, name := range listed {
			if !c.Catalog.HasFile(name) {
				files = append(files, name)
			}
		}
		// One that could not be loaded has not come by either.
		c.outside.most = c.outside.most || len(listed) >= MaxListed && len(files)-before > len(listed)/2
	}
	if c.outside.most {
		return
	}
	c.outside.files = map[string][]string{}
	for _, name := range files {
		l := c.Files.Load(name)
		if l == nil {
			continue
		}
		ns := catalog.NamespaceOf(l)
		c.outside.files[ns] = append(c.outside.files[ns], name)
	}
}
