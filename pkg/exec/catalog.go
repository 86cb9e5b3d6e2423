package exec

import (
	"fmt"
	"io"
	"strings"
	"sync"

	"github.com/flowmcp/fmcp/pkg/catalog"
	"github.com/flowmcp/fmcp/pkg/record"
	"github.com/flowmcp/fmcp/pkg/sandbox"
	"github.com/flowmcp/fmcp/pkg/words"
)

// Catalog makes the tools and queries of a catalog ready to be called, each when
// it is asked for. Those that are called often stay ready. It may be used by many
// goroutines.
type Catalog struct {
	*catalog.Index
	Folder string // that the paths of its schemas are relative to, for data beside them; set before the first call

	mu        sync.Mutex
	tools     recent[string, *Tool]    // by Spec-ID
	queries   recent[string, []*Query] // by Spec-ID of their resource
	scripts   recent[catalog.File, *sandbox.Script]
	libraries map[string]*sandbox.Library // by name; nil for what the catalog does not carry
}

// ReadCatalog is catalog.Read for calls.
func ReadCatalog(r io.Reader, o catalog.ReadOptions) (*Catalog, error) {
	x, err := catalog.Read(r, o)
	if err != nil {
		return nil, err
	}
	return NewCatalog(x), nil
}

// NewCatalog is a Catalog of what an Index has.
func NewCatalog(x *catalog.Index) *Catalog {
	return &Catalog{Index: x, libraries: map[string]*sandbox.Library{}}
}

// maxRecent is how many tools stay ready at least: they take about 20 kB each.
const maxRecent = 512

// recent has what was asked for last: at least maxRecent values, at most twice as
// many.
type recent[K comparable, V any] struct{ now, before map[K]V }

func (r *recent[K, V]) get(key K) (value V, ok bool) {
	if value, ok = r.now[key]; ok {
		return value, true
	}
	if value, ok = r.before[key]; ok {
		r.put(key, value)
	}
	return value, ok
}

func (r *recent[K, V]) put(key K, value V) {
	if r.now == nil || len(r.now) == maxRecent {
		r.now, r.before = map[K]V{}, r.now
	}
	r.now[key] = value
}

// Target finds a tool by its Spec-ID (coingecko/tool/simplePrice), a query by its
// ID (tokens/resource/tokenLookup/bySymbol), or either by its MCP name
// (simple_price_coingecko). The errors are *words.Problem.
func (c *Catalog) Target(name string) (Target, error) {
	id, query := name, ""
	if wired := c.Named(name); wired != "" && c.Type(name) == "" {
		id = wired
	}
	if cut := strings.LastIndexByte(id, '/'); cut >= 0 && c.Type(id) == "" && c.Type(id[:cut]) == record.TypeResource {
		id, query = id[:cut], id[cut+1:]
	}
	switch c.Type(id) {
	case record.TypeTool:
		return c.tool(id)
	case record.TypeResource:
		return c.query(id, query)
	}
	return nil, c.unknown(name)
}

// tool makes a tool ready.
func (c *Catalog) tool(id string) (Target, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if t, ok := c.tools.get(id); ok {
		return t, nil
	}
	r, err := c.Tool(id)
	if err != nil {
		return nil, fail(CodeBadRecord, "%v", err)
	}
	t, err := NewTool(r)
	if err != nil {
		return nil, err
	}
	t.Script = c.scriptOf(&r.Callable)
	c.tools.put(id, t)
	return t, nil
}

// queriesOf are the queries of a resource, made ready once.
func (c *Catalog) queriesOf(id string) ([]*Query, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if list, ok := c.queries.get(id); ok {
		return list, nil
	}
	r, err := c.Resource(id)
	if err != nil {
		return nil, fail(CodeBadRecord, "%v", err)
	}
	list, err := NewQueries(r, c.Folder)
	if err != nil {
		return nil, err
	}
	for _, q := range list {
		q.Script = c.scriptOf(&q.Callable)
	}
	c.queries.put(id, list)
	return list, nil
}

// scriptOf is the source of the handlers of a tool or a query; nil if it has
// none, or the catalog's record of them is missing or cannot be read. c.mu is
// held.
func (c *Catalog) scriptOf(r *catalog.Callable) *sandbox.Script {
	if len(r.Handlers) == 0 {
		return nil
	}
	script, _ := c.script(r.File())
	return script
}

// script is the source of the handlers of a file, which is read once; nil where
// the catalog does not carry it. c.mu is held.
func (c *Catalog) script(f catalog.File) (*sandbox.Script, error) {
	if s, ok := c.scripts.get(f); ok {
		return s, nil
	}
	h, err := c.Handlers(f)
	if err != nil || h == nil {
		return nil, err
	}
	bundles := map[string]*sandbox.Library{}
	for _, name := range h.Libraries {
		if _, ok := c.libraries[name]; !ok {
			c.libraries[name] = c.library(name)
		}
		if lib := c.libraries[name]; lib != nil {
			bundles[name] = lib
		}
	}
	s := newScript(h, bundles)
	c.scripts.put(f, s)
	return s, nil
}

// library is nil for what the catalog does not carry. It has no script where that
// cannot be read, or is not the one that the hash is of.
func (c *Catalog) library(name string) *sandbox.Library {
	l, err := c.Library(name)
	switch {
	case err != nil:
		return &sandbox.Library{}
	case l == nil:
		return nil
	}
	lib := &sandbox.Library{Hash: record.Hash([]byte(l.Script))}
	if l.Hash == lib.Hash {
		lib.Script = l.Script
	}
	return lib
}

// unknown suggests a tool for a name that none has: the tools of that bare
// name, else the nearest Spec-ID or MCP name.
func (c *Catalog) unknown(name string) *words.Problem {
	what := string(record.TypeTool)
	if id, err := catalog.ParsePrimitiveID(name); err == nil {
		what = id.Type
	}
	ids := c.IDs()
	if len(ids) == 0 {
		return fail(CodeUnknownTool, "no %s %s: the catalog has no tools", what, words.Quote(name))
	}
	var same []string
	for _, id := range ids {
		if strings.HasSuffix(id, "/"+name) && len(same) < 3 {
			same = append(same, words.Quote(id))
		}
	}
	if same != nil {
		return fail(CodeUnknownTool, "no %s %s (did you mean %s?)", what, words.Quote(name), strings.Join(same, " or "))
	}
	names := append(c.Of(record.TypeResource, record.TypePrompt, record.TypeSkill), ids...)
	if !strings.Contains(name, "/") {
		names = c.Names()
	}
	hint := words.DidYouMean(name, names)
	if hint == "" {
		hint = fmt.Sprintf(": give a Spec-ID such as %s, or an MCP name", ids[0])
	}
	return fail(CodeUnknownTool, "no %s %s%s", what, words.Quote(name), hint)
}
