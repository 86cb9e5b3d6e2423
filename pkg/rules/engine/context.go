package engine

import (
	"slices"
	"sync"
	"sync/atomic"

	"github.com/flowmcp/fmcp/pkg/sharedlist"
	"github.com/flowmcp/fmcp/pkg/walk"
)

// Context is what checks know beside the file: how to judge, and the catalog
// around it. The zero Context is the specification as written, alone.
type Context struct {
	Profile   Profile           // "" is ProfileSpec
	Spec      Spec              // "" is Spec42
	Libraries []string          // packages that the user allows beside the profile's (chapter 05)
	Lists     *sharedlist.Lists // nil where the catalog's lists are not known

	CatalogRules CatalogRules

	// UnjudgedLists counts the references to lists that are not there, where
	// they may be in a file that cannot be read; nil if there is none.
	UnjudgedLists *atomic.Int32

	// Catalog is what the whole catalog defines, for rules of that kind; nil if
	// it is not known.
	Catalog *walk.Facts
	// Files reads other files of the catalog; nil where they cannot be read.
	Files Files
	// Stored reports whether this machine has the file of a resource whose
	// origin is project or global; nil if that is not known.
	Stored func(origin, name string) bool

	Kept kept // what families know of the whole catalog

	ids      namespaceIDs // rules of the whole catalog run one at a time
	depends  *sharedlist.Dependencies
	Fresh    kept // as kept, until Forget
	outside  outside
	diskOnce sync.Once
	disk     []*sharedlist.List            // see listsOnDisk
	diskName map[string][]*sharedlist.List // the same by name
}

func (c *Context) ProfileInForce() Profile {
	if c.Profile == "" {
		return ProfileSpec
	}
	return c.Profile
}

func (c *Context) SpecInForce() Spec {
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
func (c *Context) AllowedLibraries() []string {
	list := slices.Concat(defaultLibraries, builtInLibraries)
	if c.ProfileInForce() == ProfileCommunity {
		list = append(list, communityLibraries...)
	}
	list = append(list, c.Libraries...)
	slices.Sort(list)
	return slices.Compact(list)
}

// Allows is AllowedLibraries for one name, without making the list.
func (c *Context) Allows(library string) bool {
	return slices.Contains(defaultLibraries, library) || slices.Contains(builtInLibraries, library) ||
		slices.Contains(c.Libraries, library) ||
		c.ProfileInForce() == ProfileCommunity && slices.Contains(communityLibraries, library)
}
