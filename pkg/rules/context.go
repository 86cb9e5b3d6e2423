package rules

import (
	"maps"
	"slices"
	"sync"
	"sync/atomic"

	"github.com/flowmcp/fmcp/pkg/catalog"
	"github.com/flowmcp/fmcp/pkg/ordjson"
)

// Context is what checks know beside the file: how to judge, and the catalog
// around it. The zero Context is the specification as written, alone.
type Context struct {
	Profile   Profile    // "" is ProfileSpec
	Spec      Spec       // "" is Spec42
	Libraries []string   // packages that the user allows beside the profile's (chapter 05)
	Lists     ListSource // nil where the catalog's lists are not known

	// UnjudgedLists counts the references to lists that are not there, where
	// they may be in a file that cannot be read; nil where there is none.
	UnjudgedLists *atomic.Int32

	// Catalog is what the whole catalog defines, for rules of that kind; nil
	// where it is not known.
	Catalog *catalog.Facts
	// Files reads other files of the catalog; nil where they cannot be read.
	Files Files
	// Stored reports whether this machine has the file of a resource whose
	// origin is project or global; nil where that is not known.
	Stored func(origin, name string) bool

	once         sync.Once
	index        columnIndex
	interpolated interpolations

	ids      namespaceIDs // rules of the whole catalog run one at a time
	depends  *catalog.Dependencies
	outside  outside
	diskOnce sync.Once
	disk     []*catalog.List            // see listsOnDisk
	diskName map[string][]*catalog.List // the same by name

	ownFiles   map[string]fileOwner // see checkOwnFile
	noRegistry string               // the file with which CAT001 told of it; rules of the whole catalog run one at a time
}

// ListSource is the catalog's shared lists. Rules that need it are silent
// without one.
type ListSource interface {
	List(name string) (ListFacts, bool)
	Names() []string
	All() []ListFacts
}

// ListFacts is what rules ask about a shared list (chapter 03).
type ListFacts struct {
	Name    string
	Version string
	Fields  []string                    // keys of meta.fields
	Values  func(field string) []string // of all entries, as text; nil where they are not known

	list *catalog.List // nil where only the above is known
}

// Column returns the values of a field as enum() would list them.
func (f ListFacts) Column(field string) []string {
	if f.Values == nil {
		return nil
	}
	return f.Values(field)
}

func (c *Context) profile() Profile {
	if c.Profile == "" {
		return ProfileSpec
	}
	return c.Profile
}

func (c *Context) spec() Spec {
	if c.Spec == "" {
		return Spec42
	}
	return c.Spec
}

// defaultLibraries is the allowlist of chapter 05; communityLibraries is what
// the public catalogs use beside it, and builtInLibraries what the sandbox has
// itself (docs/decisions.md, "Allowed libraries").
var (
	defaultLibraries   = []string{"ethers", "moment", "indicatorts", "@erc725/erc725.js", "ccxt", "axios"}
	communityLibraries = []string{"indicatorts", "trading-signals"}
	builtInLibraries   = []string{"crypto", "zlib"}
)

// AllowedLibraries is the effective allowlist: the profile's and the user's.
func (c *Context) AllowedLibraries() catalog.Allowlist {
	list := slices.Concat(defaultLibraries, builtInLibraries)
	if c.profile() == ProfileCommunity {
		list = append(list, communityLibraries...)
	}
	list = append(list, c.Libraries...)
	slices.Sort(list)
	return slices.Compact(list)
}

// allows is AllowedLibraries for one name, without making the list.
func (c *Context) allows(library string) bool {
	return slices.Contains(defaultLibraries, library) || slices.Contains(builtInLibraries, library) || slices.Contains(c.Libraries, library) ||
		c.profile() == ProfileCommunity && slices.Contains(communityLibraries, library)
}

// column is one field of a shared list.
type column struct {
	list, field string
	version     string
	place       int  // among all columns
	size        int  // distinct values
	key         bool // each entry that has a value has one of its own
	required    bool
}

// columnIndex finds the columns that hold a value.
type columnIndex struct {
	columns []column
	holders map[string][]int // value to positions in columns, of maxHolders at most
}

// maxHolders is how many columns a value is found in: of more, a list has a
// field for each word of an enum, and no enum is a copy of it.
const maxHolders = 256

// columnsOf returns the index of all lists, built at the first use.
func (c *Context) columnsOf() *columnIndex {
	c.once.Do(func() { c.index = newColumnIndex(c.Lists) })
	return &c.index
}

func newColumnIndex(lists ListSource) columnIndex {
	ix := columnIndex{holders: map[string][]int{}}
	if lists == nil {
		return ix
	}
	for _, l := range lists.All() {
		for _, f := range l.Fields {
			ix.add(l, f)
		}
	}
	return ix
}

func (ix *columnIndex) add(l ListFacts, field string) {
	id, size := len(ix.columns), 0
	for _, v := range l.Column(field) {
		ids := ix.holders[v]
		if len(ids) > 0 && ids[len(ids)-1] == id {
			continue
		}
		if size++; len(ids) < maxHolders {
			ix.holders[v] = append(ids, id)
		}
	}
	col := column{list: l.Name, field: field, version: l.Version, place: id, size: size, key: true}
	if l.list != nil {
		col.key = size == countValues(l.list.Entries, field)
		col.required = slices.ContainsFunc(l.list.Fields, func(f catalog.Field) bool { return f.Key == field && !f.Optional })
	}
	ix.columns = append(ix.columns, col)
}

// countValues is how many of the entries have a value in the field.
func countValues(entries []ordjson.Value, field string) int {
	n := 0
	for _, e := range entries {
		if v := e.Get(field); v.Exists() && !v.Is(ordjson.Null) {
			n++
		}
	}
	return n
}

// VAL107 takes a hard-coded enum for a copy of a list if it has at least this
// many values and all of them are in one column, or if it is the whole list: a
// value for each entry, two at least. The few words of a column that sorts
// entries into kinds (true and false; low, medium and high) are no list, and
// agree with an enum by chance.
const (
	minWholeList  = 2
	minPartColumn = 5
)

// copied returns the columns that values are a copy of; no value may be there
// twice.
func (ix *columnIndex) copied(values []string) []column {
	if len(values) < minWholeList {
		return nil
	}
	hits := map[int]int{}
	for _, v := range values {
		ids := ix.holders[v]
		if ids == nil {
			return nil
		}
		for _, id := range ids {
			hits[id]++
		}
	}
	var found []column
	for _, id := range slices.Sorted(maps.Keys(hits)) {
		if col := ix.columns[id]; hits[id] == len(values) && (len(values) >= minPartColumn || len(values) == col.size && col.key) {
			found = append(found, col)
		}
	}
	return found
}
