package stage

import (
	"path"
	"slices"
	"strings"

	"github.com/flowmcp/fmcp/pkg/record"
	"github.com/flowmcp/fmcp/pkg/rules"
	"github.com/flowmcp/fmcp/pkg/spool"
	"github.com/flowmcp/fmcp/pkg/walk"
)

// records are the lines of load records that have come by. Rules that need the whole
// catalog look at them again when the last has come: where the parts of a catalog are
// put together, its files need not be there (decision "Shards").
type records struct {
	spool.Spool
	err error // of reading
}

// item is the record of a line; nil where it cannot be read.
func (r *records) item(at spool.Place) *Item {
	line, err := r.Text(at, nil)
	if err != nil {
		r.err = err
		return nil
	}
	_, rec, _, _ := record.Decode(string(line)) // as it was decoded before
	return &Item{Line: line, Rec: rec}
}

// cameBy is what has come by of a folder.
type cameBy struct {
	facts   *walk.Facts
	records *records
	places  map[string]spool.Place // of load records, by path from the root of the catalog
	unread  []string               // files that could not be read, sorted
}

// load is the record of a file; nil where none has come by.
func (c *cameBy) load(name string) *record.Load {
	if at, ok := c.places[name]; ok {
		if it := c.records.item(at); it != nil {
			return it.Rec.(*record.Load)
		}
	}
	return nil
}

func (c *cameBy) has(name string) bool {
	_, unread := slices.BinarySearch(c.unread, name)
	return unread || c.facts.HasFile(name)
}

// modules adds those that have come by below a folder to those that are there, in the
// order of a walk.
func (c *cameBy) modules(dir string, names []string) []string {
	here := len(names)
	for name := range c.facts.FilesIn(dir) {
		if len(names)-here == rules.MaxListed {
			break
		}
		if path.Ext(name) == ".mjs" {
			names = append(names, name)
		}
	}
	for _, name := range c.unread {
		if strings.HasPrefix(name, dir+"/") && path.Ext(name) == ".mjs" {
			names = append(names, name)
		}
	}
	slices.SortFunc(names, walk.ComparePaths)
	names = slices.Compact(names)
	return names[:min(len(names), rules.MaxListed)]
}
