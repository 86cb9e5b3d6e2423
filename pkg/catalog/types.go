package catalog

import (
	"github.com/flowmcp/fmcp/pkg/model"
	"github.com/flowmcp/fmcp/pkg/ordjson"
	"github.com/flowmcp/fmcp/pkg/record"
	"github.com/flowmcp/fmcp/pkg/sql"
)

// Record is a part of a resolved catalog: a pointer to one of the types below.
// The comments name what docs/records.md does not: there is the meaning of each
// field.
type Record interface {
	// Head is what stands in front of the data.
	Head() (id string, typ record.Type)
	fields(f *fields)
}

// Catalog is the first record of a catalog: what is said of it as a whole.
type Catalog struct {
	Name, Version, Description, SchemaSpec string
	Counts                                 Counts
	ToolNames                              string // snake or spec
	Profile                                string
	Narrowed                               []Narrowing // one after the other
}

// Counts are the numbers of what follows, and of what does not.
type Counts struct{ Schemas, Tools, Resources, Lists, LeftOut int }

// List is a shared list with its entries.
type List struct {
	ID                         string
	Name, Version, Description string
	Fields, Entries            ordjson.Value
	DependsOn                  []string // names
	Src                        Src
	Hashes                     record.Hashes
}

// Library is an npm package as one script.
type Library struct {
	Name    string
	Version string // "" where its package.json names none
	Hash    string // "sha256:…" of Script
	Script  string
}

// Handlers are what the handlers of a schema are made of.
type Handlers struct {
	Schema    string // Schema-File-ID
	Source    string
	Lists     ordjson.Value // entries by name; Missing without lists
	Libraries []string
	Profile   string
	Src       Src
	Hashes    record.Hashes
}

// Callable is what tools and queries have in common. Schema, Src and Hashes of a
// query are those of its resource.
type Callable struct {
	ID                          string // of a query that of its resource, / and the name
	Name, WireName, Description string
	Schema                      string // Schema-File-ID
	Parameters                  []Parameter
	InputSchema                 ordjson.Value
	Output, Tests               ordjson.Value // as written
	Handlers                    []string      // stages
	Src                         Src
	Hashes                      record.Hashes
}

// Record is the callable itself, for who has a tool or a query.
func (c *Callable) Record() *Callable { return c }

// File tells schemas apart: two catalogs of one stream may have different files of
// one Schema-File-ID.
type File struct{ Schema, Hash string }

// File is where the handlers are.
func (c *Callable) File() File { return File{c.Schema, c.Hashes.File} }

// FirstTest is the first of its tests, Missing where it has none.
func (c *Callable) FirstTest() ordjson.Value {
	if tests := c.Tests.Elems(); len(tests) > 0 {
		return tests[0]
	}
	return ordjson.Value{}
}

// MIMEType is that of the output, "" where none is declared.
func (c *Callable) MIMEType() string { return c.Output.Get("mimeType").Str() }

// OutputSchema is Missing where none is declared.
func (c *Callable) OutputSchema() ordjson.Value { return c.Output.Get("schema") }

// Parameter is one of a tool or a query, which has no Location and no Slashes.
type Parameter struct {
	Key       string
	Location  model.Location
	Source    model.Source
	Value     ordjson.Value
	Primitive string
	Options   []string
	Slashes   bool
}

// Tool calls an API.
type Tool struct {
	Callable
	Namespace          string
	Method, Root, Path string
	Headers            []record.Header
	ServerParams       []string
	Meta, Preload      ordjson.Value // as written
	Tags, SharedLists  []string
}

// ServerKeys are the server parameters that can get into a request: those that
// the record lists, and all that its texts name. What is not known is neither
// redacted nor kept to its domain, and a hostile record lists what it likes.
func (t *Tool) ServerKeys() []string {
	var keys model.NameSet
	for _, key := range t.ServerParams {
		keys.Add(key)
	}
	add := func(text string) {
		for _, key := range model.ServerKeys(text, t.ServerParams) {
			keys.Add(key)
		}
	}
	add(t.Root)
	add(t.Path)
	for _, h := range t.Headers {
		add(h.Value)
	}
	for _, p := range t.Parameters {
		add(p.Value.Str())
	}
	return keys.List
}

// ReadsOnly is record.ReadOnly.
func (t *Tool) ReadsOnly() bool { return record.ReadOnly(t.Meta, t.Method, t.Handlers) }

// Resource is data on this machine.
type Resource struct {
	ID, Schema, Namespace, Name, Description string
	Source                                   model.ResourceSource
	Mode, Origin, Path, URL                  string
	CacheTTL                                 ordjson.Value
	Addon, AddonVersion, AddonSource         string
	File, URI                                string
	Queries                                  []*Query
	Tags, SharedLists                        []string
	Src                                      Src
	Hashes                                   record.Hashes
}

// Query asks a resource.
type Query struct {
	Callable
	Resource   *Resource
	SQL        string
	URI        string // that the schema states; "" for one made of the resource's
	Capability string
	Added      bool // by the runtime
}

// Dynamic reports whether the caller gives the statement.
func (q *Query) Dynamic() bool { return model.IsDynamic(q.SQL) }

// ServerKeys are none: no server parameter is bound to a statement (chapter 13).
func (q *Query) ServerKeys() []string { return nil }

// Describes reports whether it is the query describeTables that the runtime adds.
func (q *Query) Describes() bool { return q.Added && q.Name == model.DescribeTables }

// ReadsOnly reports whether a query changes nothing, whatever its caller gives:
// only a database of mode file-based is written to.
func (q *Query) ReadsOnly() bool {
	if q.Resource.Mode != model.FileBased || q.Resource.Source != model.SQLite {
		return true
	}
	statements, err := sql.Split(q.SQL)
	return err == nil && len(statements) == 1 && statements[0].Reads() && !q.Dynamic()
}

// Group is a selection or an agent. What the two have not in common is empty.
type Group struct {
	ID                   string
	Type                 record.Type
	Namespace, Name      string
	Version, Description string
	WhenToUse            string                               // of a selection
	Model, SystemPrompt  string                               // of an agent
	MaxRounds, MaxTokens int                                  // of an agent
	Elicitation          ordjson.Value                        // of an agent: as written
	Members              [len(model.SelectionFields)][]string // IDs, in the order of SelectionFields
	Own                  []string
	Selections           []string
	SharedLists          []string      // of an agent: names
	Tests                ordjson.Value // of an agent
	Hash, ToolsHash      string        // of an agent: that of its manifest, and what it is of the tools as they are
	Src                  Src
	Hashes               record.Hashes
}

// Src is where something was defined.
type Src struct {
	Path    string // relative to the catalog
	Pointer string // into the exported object
}

// Head implements Record.
func (c *Catalog) Head() (string, record.Type) { return c.Name, record.TypeCatalog }

// Head implements Record.
func (l *List) Head() (string, record.Type) { return l.ID, record.TypeList }

// Head implements Record.
func (l *Library) Head() (string, record.Type) { return l.Name, record.TypeLibrary }

// Head implements Record.
func (h *Handlers) Head() (string, record.Type) { return h.Schema, record.TypeHandlers }

// Head implements Record.
func (t *Tool) Head() (string, record.Type) { return t.ID, record.TypeTool }

// Head implements Record.
func (r *Resource) Head() (string, record.Type) { return r.ID, record.TypeResource }

// Head implements Record.
func (g *Group) Head() (string, record.Type) { return g.ID, g.Type }
