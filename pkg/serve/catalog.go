package serve

import (
	"cmp"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"

	"github.com/flowmcp/fmcp/pkg/ordjson"
	"github.com/flowmcp/fmcp/pkg/record"
	"github.com/flowmcp/fmcp/pkg/words"
)

// Catalog collects the tools of a stream of resolved records, a line at a
// time. Of each tool it keeps the definition and the line, not the parsed
// record: 2,000 parsed tools would take four times the memory.
type Catalog struct {
	Name          string // of the catalog record, "" where the stream has none
	Version       string
	Description   string
	Tools         []Tool // in the order of the stream; of a resource one for each query
	Resources     []Resource
	OutputSchemas bool // give tools an outputSchema; set before Add

	// Library takes the line of a package that the catalog carries for its
	// handlers; nil drops it. Set before Add.
	Library func(name, line string)

	lines    map[string]string     // Spec-ID → line
	handlers map[schemaFile]string // lines
	domains  map[string][]string   // see Domains; made when all tools are there
}

// Add takes one line, which must not change afterwards: a tool is kept, a
// catalog record names the catalog, other records are passed over. The error
// names what cannot be served; its Input is for the caller to fill in. An error
// record of an earlier stage comes back as it is.
func (c *Catalog) Add(line string) *record.Error {
	head, rec, _, err := record.Decode(line)
	if err != nil {
		code := CodeNotRecord
		if head.V > record.Version {
			code = codeNewerRecord
		}
		return &record.Error{Code: code, Message: err.Error()}
	}
	switch r := rec.(type) {
	case *record.Error:
		return r
	case *record.Resolved:
		if err := c.add(r, line); err != nil {
			return &record.Error{Code: CodeNotServable, Message: err.Error()}
		}
	}
	return nil
}

func (c *Catalog) add(r *record.Resolved, line string) error {
	switch r.Type {
	case record.TypeCatalog:
		c.Name = r.Data.Get("name").Str()
		c.Version = r.Data.Get("version").Str()
		c.Description = r.Data.Get("description").Str()
	case record.TypeHandlers:
		if c.handlers == nil {
			c.handlers = map[schemaFile]string{}
		}
		if file := fileOf(r.ID, r.Data); c.handlers[file] == "" {
			c.handlers[file] = line
		}
	case record.TypeLibrary:
		if c.Library != nil {
			c.Library(r.ID, line)
		}
	case record.TypeTool:
		t, err := newTool(r, c.OutputSchemas)
		if err != nil {
			return err
		}
		if err := c.keep(t.ID, line); err != nil {
			return err
		}
		c.Tools = append(c.Tools, t)
	case record.TypeResource:
		return c.addResource(r, line)
	}
	return nil
}

func (c *Catalog) addResource(r *record.Resolved, line string) error {
	tools, resources, err := newQueries(r, c.OutputSchemas)
	if err != nil {
		return err
	}
	if err := c.keep(r.ID, line); err != nil {
		return err
	}
	c.Tools, c.Resources = append(c.Tools, tools...), append(c.Resources, resources...)
	return nil
}

// keep keeps the line of a tool or a resource.
func (c *Catalog) keep(id, line string) error {
	if _, ok := c.lines[id]; ok {
		return fmt.Errorf("%s occurs twice in the catalog; make it again with fmcp-resolve", id)
	}
	if c.lines == nil {
		c.lines = map[string]string{}
	}
	c.lines[id] = line
	return nil
}

// Record returns the resolved record of a tool or a resource, read anew from its
// line: what a Caller builds its request from. The ID of a query leads to its
// resource.
func (c *Catalog) Record(id string) (*record.Resolved, bool) {
	line, ok := c.lines[id]
	if cut := strings.LastIndexByte(id, '/'); !ok && cut >= 0 {
		id = id[:cut]
		line, ok = c.lines[id]
	}
	if !ok {
		return nil, false
	}
	v, err := ordjson.Parse(line)
	if err != nil {
		return nil, false
	}
	return &record.Resolved{ID: id, Type: record.Type(v.Get("type").Str()), Data: v.Get("data")}, true
}

// schemaFile tells schemas apart: two catalogs of one stream may have different
// files of one Schema-File-ID.
type schemaFile struct{ id, hash string }

func fileOf(id string, data ordjson.Value) schemaFile {
	return schemaFile{id, data.Get("hashes").Get("fileHash").Str()}
}

// HandlerSchemas are the Schema-File-IDs of the schemas that have handlers.
func (c *Catalog) HandlerSchemas() []string {
	var ids []string
	for file := range c.handlers {
		ids = append(ids, file.id)
	}
	slices.Sort(ids)
	return ids
}

// Handlers returns the resolved record of the handlers of a tool, read anew
// from its line.
func (c *Catalog) Handlers(tool *record.Resolved) (*record.Resolved, bool) {
	id := tool.Data.Get("schema").Str()
	v, err := ordjson.Parse(c.handlers[fileOf(id, tool.Data)])
	if err != nil {
		return nil, false
	}
	return &record.Resolved{ID: id, Type: record.TypeHandlers, Data: v.Get("data")}, true
}

// Domains are the registrable domains of the tools that ask for a server
// parameter.
func (c *Catalog) Domains(key string) []string {
	if c.domains == nil {
		c.domains = map[string][]string{}
		for _, t := range c.Tools {
			for _, key := range t.ServerParams {
				if !slices.Contains(c.domains[key], t.Domain) {
					c.domains[key] = append(c.domains[key], t.Domain)
				}
			}
		}
	}
	return c.domains[key]
}

// Visible splits tools into those whose server parameters are all there and
// those that could only fail, which are all tools of a schema that asks for a
// key (chapter 02). Order is kept.
func Visible(tools []Tool, haveKey HaveKey) (shown, hidden []Tool) {
	for _, t := range tools {
		if missing(&t, haveKey) == nil {
			shown = append(shown, t)
		} else {
			hidden = append(hidden, t)
		}
	}
	return shown, hidden
}

// HaveKey says whether there is a value of a key that may go to a domain.
type HaveKey func(domain, key string) bool

func missing(t *Tool, haveKey HaveKey) (keys []string) {
	for _, key := range t.ServerParams {
		if !haveKey(t.Domain, key) {
			keys = append(keys, key)
		}
	}
	return keys
}

// notedKeys is how many missing keys a note names.
const notedKeys = 20

// HiddenNote says in one line which keys hide how many tools of whom, the key
// that hides most first. It is "" where none is hidden.
func HiddenNote(hidden []Tool, haveKey HaveKey) string {
	if len(hidden) == 0 {
		return ""
	}
	return fmt.Sprintf("%s: %s hidden, server parameters are missing: %s; fmcp-exec keys says where to set them",
		CodeHidden, words.Count(len(hidden), "tool"), missingKeys(hidden, haveKey, math.MaxInt))
}

// missingKeys names the keys that hide tools in at most room bytes, and how many
// each hides.
func missingKeys(hidden []Tool, haveKey HaveKey, room int) string {
	count, of := map[string]int{}, map[string][]string{}
	for i := range hidden {
		namespace, _, _ := strings.Cut(hidden[i].ID, "/")
		for _, key := range missing(&hidden[i], haveKey) {
			count[key]++
			if !slices.Contains(of[key], namespace) {
				of[key] = append(of[key], namespace)
			}
		}
	}
	var b strings.Builder
	for i, key := range mostFirst(count) {
		entry := fmt.Sprintf(", %s (%s of %s)", key, words.Count(count[key], "tool"), words.List(of[key]))
		if i == notedKeys || b.Len()+len(entry) > room {
			fmt.Fprintf(&b, " and %d more", len(count)-i)
			break
		}
		b.WriteString(entry)
	}
	return strings.TrimPrefix(b.String(), ", ")
}

// mostFirst are the names that are counted, those with the most first.
func mostFirst(count map[string]int) []string {
	return slices.SortedFunc(maps.Keys(count), func(a, b string) int {
		return cmp.Or(cmp.Compare(count[b], count[a]), cmp.Compare(a, b))
	})
}
