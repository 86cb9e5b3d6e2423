package exec

import (
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"slices"
	"strings"
	"sync"

	"github.com/tidwall/gjson"

	"github.com/flowmcp/fmcp/pkg/ndjson"
	"github.com/flowmcp/fmcp/pkg/record"
	"github.com/flowmcp/fmcp/pkg/sandbox"
	"github.com/flowmcp/fmcp/pkg/words"
)

// Catalog finds the tools of a resolved stream by Spec-ID or MCP name, and the
// queries of its resources. Only
// the head of a line is looked at when the stream is read; a record is parsed
// when its tool is asked for, so that one call out of thousands stays cheap. It
// may be used by many goroutines.
type Catalog struct {
	Folder string // that the paths of its schemas are relative to, for data beside them; set before the first call

	ids   []string          // Spec-IDs in stream order; of a resource those of its queries
	lines map[string][]byte // by Spec-ID, of tools and resources
	wires map[string]string // Spec-ID by MCP name
	isRes map[string]bool   // Spec-IDs of resources
	size  int64             // bytes of lines

	Arrival record.Arrival // what came, and whether it is whole
	listed  [][]byte       // lines of all that a list shows, in stream order

	groups   map[string][]byte // lines of selections and agents by Spec-ID
	groupIDs []string          // in stream order

	handlers  map[string][]byte // lines by schema and file, see scriptKey
	libraries Libraries

	mu      sync.Mutex
	parsed  map[string]*Tool           // by Spec-ID
	scripts map[string]*sandbox.Script // like handlers; nil for what cannot be read
	queries map[string][]*Tool         // by Spec-ID of their resource
	domains map[string][]string        // by server parameter
	allKeys bool                       // domains has all there are
}

// ReadCatalog reads a resolved stream to its end; records of other kinds and
// types are passed over. maxLine is that of ndjson.NewReader. An error names
// the line: unreadable, too long, or a tool that is there twice.
func ReadCatalog(r io.Reader, maxLine int) (*Catalog, error) {
	c := &Catalog{lines: map[string][]byte{}, wires: map[string]string{}, handlers: map[string][]byte{}, parsed: map[string]*Tool{}, scripts: map[string]*sandbox.Script{}, queries: map[string][]*Tool{}, isRes: map[string]bool{}, domains: map[string][]string{}}
	if data := whole(r); data != nil {
		for line := range ndjson.Split(data, maxLine) {
			if err := c.add(line); err != nil {
				return nil, err
			}
		}
		return c, c.check()
	}
	lines := ndjson.NewReader(r, maxLine)
	for {
		line, err := lines.Next()
		if errors.Is(err, io.EOF) {
			return c, c.check()
		}
		if err != nil {
			return nil, err
		}
		if err := c.add(line); err != nil {
			return nil, err
		}
	}
}

// whole is the content of a regular file, nil where r is none or cannot be read
// to its end. A call out of thousands of tools waits for little else: the lines
// are not copied once more.
func whole(r io.Reader) []byte {
	f, ok := r.(*os.File)
	if !ok {
		return nil
	}
	info, err := f.Stat()
	if err != nil || !info.Mode().IsRegular() || info.Size() == 0 {
		return nil
	}
	data := make([]byte, info.Size())
	n, err := f.ReadAt(data, 0)
	if err != nil || n < len(data) {
		return nil
	}
	return data
}

func (c *Catalog) add(line ndjson.Line) error {
	if line.TooLong {
		return fmt.Errorf("catalog line %d has %d bytes, more than --max-line allows", line.Num, line.Size)
	}
	if line.Bytes[0] != '{' || line.Bytes[len(line.Bytes)-1] != '}' {
		return noRecord(line.Num)
	}
	// These stand at the start of every record that fmcp-resolve writes, so
	// that finding them does not read the rest of the line.
	kind := record.KindIn(line.Bytes)
	if !c.Arrival.Take(kind, line.Bytes) || kind != record.KindResolved {
		return nil
	}
	typ := record.Type(gjson.GetBytes(line.Bytes, "type").Str)
	switch typ {
	case record.TypeTool, record.TypeResource:
	case record.TypeHandlers:
		key := scriptKey(gjson.GetBytes(line.Bytes, "id").Str, gjson.GetBytes(line.Bytes, "data.hashes.fileHash").Str)
		if c.handlers[key] == nil {
			c.handlers[key] = line.Bytes
		}
		return nil
	case record.TypeLibrary:
		c.libraries.Add(gjson.GetBytes(line.Bytes, "id").Str, string(line.Bytes))
		c.size += int64(len(line.Bytes))
		return nil
	case record.TypeSelection, record.TypeAgent:
		c.addGroup(line.Bytes)
		return nil
	case record.TypePrompt, record.TypeSkill:
		c.listed = append(c.listed, line.Bytes)
		return nil
	default:
		return nil
	}
	id := gjson.GetBytes(line.Bytes, "id").Str
	if id == "" {
		return fmt.Errorf("catalog line %d: a %s record without an id: resolve the catalog anew", line.Num, typ)
	}
	if _, ok := c.lines[id]; ok {
		return fmt.Errorf("catalog line %d: the %s id %q is there twice: resolve the catalog anew", line.Num, typ, id)
	}
	c.lines[id] = line.Bytes
	c.listed = append(c.listed, line.Bytes)
	c.size += int64(len(line.Bytes))
	if typ == record.TypeTool {
		c.ids = append(c.ids, id)
		c.addWire(gjson.GetBytes(line.Bytes, "data.wireName").Str, id)
		return nil
	}
	c.isRes[id] = true
	for _, q := range gjson.GetBytes(line.Bytes, "data.queries").Array() {
		own := id + "/" + q.Get("name").Str
		if !q.Get("added").Bool() {
			c.ids = append(c.ids, own)
		}
		c.addWire(q.Get("wireName").Str, own)
	}
	return nil
}

func noRecord(num int) error {
	return fmt.Errorf("catalog line %d is not a JSON record: write the catalog with fmcp-resolve (LOD020)", num)
}

// check reads the lines whole of a catalog that may have been cut. That of
// one with a true end is left for the call: it would cost as much as the rest.
func (c *Catalog) check() error {
	if c.Arrival.NotWhole() == nil {
		return nil
	}
	for _, lines := range []map[string][]byte{c.lines, c.handlers, c.groups} {
		for id, line := range lines {
			if !gjson.ValidBytes(line) {
				return fmt.Errorf("the catalog's record of %s is not JSON: write the catalog with fmcp-resolve (LOD020)", id)
			}
		}
	}
	return nil
}

func (c *Catalog) addWire(name, id string) {
	if name != "" {
		c.wires[name] = id
	}
}

// IDs are the Spec-IDs of the tools in stream order, and the IDs of the queries
// that schemas define: the Spec-ID of their resource, / and their name.
func (c *Catalog) IDs() []string { return c.ids }

// Has says whether a tool or a resource of that Spec-ID is there.
func (c *Catalog) Has(id string) bool {
	_, ok := c.lines[id]
	return ok
}

// Scripts are the handlers of the schemas, in the order of their
// Schema-File-IDs. What is wrong with a record is in its place.
func (c *Catalog) Scripts() []SchemaScript {
	c.mu.Lock()
	defer c.mu.Unlock()
	var list []SchemaScript
	for _, key := range slices.Sorted(maps.Keys(c.handlers)) {
		one := SchemaScript{}
		one.Schema, _, _ = strings.Cut(key, " ")
		if one.Script = c.script(key); one.Script == nil {
			one.Err = fail(CodeBadRecord, "the catalog's record of the handlers of %s cannot be read: resolve the catalog anew", one.Schema)
		}
		list = append(list, one)
	}
	return list
}

// SchemaScript is what the handlers of a schema are made of.
type SchemaScript struct {
	Schema string // Schema-File-ID
	Script *sandbox.Script
	Err    error // *Error: why there is no Script
}

// HandlerSchemas are the Schema-File-IDs of the schemas that have handlers.
func (c *Catalog) HandlerSchemas() []string {
	var ids []string
	for _, key := range slices.Sorted(maps.Keys(c.handlers)) {
		id, _, _ := strings.Cut(key, " ")
		ids = append(ids, id)
	}
	return ids
}

// script reads the record of a schema's handlers, once for all its tools; nil
// where it cannot be read. c.mu is held.
func (c *Catalog) script(key string) *sandbox.Script {
	if s, ok := c.scripts[key]; ok {
		return s
	}
	var s *sandbox.Script
	_, rec, _, err := record.Decode(string(c.handlers[key]))
	if resolved, ok := rec.(*record.Resolved); ok && err == nil {
		s = NewScript(resolved, &c.libraries)
	}
	c.scripts[key] = s
	return s
}

// Size is how many bytes of the stream the catalog holds.
func (c *Catalog) Size() int64 { return c.size }

// Tool finds a tool by its Spec-ID (coingecko/tool/simplePrice), the ID of a
// query (tokens/resource/tokenLookup/bySymbol), or an MCP name
// (simple_price_coingecko). The errors are *Error.
func (c *Catalog) Tool(name string) (*Tool, error) {
	id := name
	if wired, ok := c.wires[name]; ok && c.lines[name] == nil {
		id = wired
	}
	if cut := strings.LastIndexByte(id, '/'); c.lines[id] == nil && cut >= 0 && c.isRes[id[:cut]] {
		return c.query(id[:cut], id[cut+1:])
	}
	switch {
	case c.lines[id] == nil:
		return nil, c.unknown(name)
	case c.isRes[id]:
		return c.query(id, "")
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if t, ok := c.parsed[id]; ok {
		return t, nil
	}
	resolved, err := c.record(id)
	if err != nil {
		return nil, err
	}
	t, err := NewTool(resolved)
	if err != nil {
		return nil, err
	}
	c.addScript(t)
	c.parsed[id] = t
	return t, nil
}

// record reads the record of a Spec-ID.
func (c *Catalog) record(id string) (*record.Resolved, error) {
	_, rec, _, err := record.Decode(string(c.lines[id]))
	if err != nil {
		return nil, fail(CodeBadRecord, "the catalog's record of %s cannot be read: %s", id, err)
	}
	resolved, ok := rec.(*record.Resolved)
	if !ok {
		return nil, fail(CodeBadRecord, "the catalog's record of %s is not a resolved one", id)
	}
	return resolved, nil
}

// addScript gives a tool the source of its handlers.
func (c *Catalog) addScript(t *Tool) {
	if key := scriptKey(t.Schema, t.fileHash()); len(t.Handlers) > 0 && c.handlers[key] != nil {
		t.Script = c.script(key)
	}
}

// unknown suggests a tool for a name that none has: the tools of that bare
// name, else the nearest Spec-ID or MCP name.
func (c *Catalog) unknown(name string) *Error {
	if len(c.ids) == 0 {
		return fail(CodeUnknownTool, "no tool %s: the catalog has none", words.Quote(name))
	}
	var same []string
	for _, id := range c.ids {
		if strings.HasSuffix(id, "/"+name) && len(same) < 3 {
			same = append(same, words.Quote(id))
		}
	}
	if same != nil {
		return fail(CodeUnknownTool, "no tool %s (did you mean %s?)", words.Quote(name), strings.Join(same, " or "))
	}
	names := append(slices.Sorted(maps.Keys(c.isRes)), c.ids...)
	if !strings.Contains(name, "/") {
		names = slices.Sorted(maps.Keys(c.wires))
	}
	hint := words.DidYouMean(name, names)
	if hint == "" {
		hint = fmt.Sprintf(": give a Spec-ID such as %s, or an MCP name", c.ids[0])
	}
	return fail(CodeUnknownTool, "no tool %s%s", words.Quote(name), hint)
}
