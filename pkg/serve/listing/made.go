package listing

import (
	"fmt"
	"hash/maphash"
	"slices"
	"strings"

	"github.com/flowmcp/fmcp/pkg/catalog"
	"github.com/flowmcp/fmcp/pkg/ordjson"
	"github.com/flowmcp/fmcp/pkg/record"
)

// maxHeld is how many bytes of definitions are held: about those of the first page of
// tools/list. Others are made again from their records when they are asked for.
const maxHeld = 8_000_000

// maker has the definition of a tool, or makes it.
type maker struct {
	held []byte
	size int
	mark uint64
	from *source
}

// source is what definitions are made of.
type source struct {
	index    *catalog.Index
	style    Style
	siblings *siblings
}

// Define gives the tool a definition.
func (m *maker) Define(b []byte) { m.held, m.size, m.mark = b, len(b), Mark(b) }

// Hold replaces the definition that is held by an equal one, or, with nil, has it made again
// whenever it is asked for.
func (m *maker) Hold(b []byte) { m.held = b }

// Size is about how many bytes of tools/list a tool takes: NameSiblings may change that a little.
func (m *maker) Size() int { return m.size }

// Mark differs where the definition does. What NameSiblings replaces in it does not count: a
// sibling whose name has changed has another mark itself.
func (m *maker) Mark() uint64 { return m.mark }

var seed = maphash.MakeSeed()

// Mark is a hash of a text, for comparison in this process.
func Mark(text []byte) uint64 { return maphash.Bytes(seed, text) }

// Listed is the tool's object in tools/list.
func (t *Tool) Listed() []byte {
	if t.held != nil {
		return t.held
	}
	again, err := t.from.tool(t.ID)
	if err != nil { // only where the catalog is written over, and could not be copied
		return AppendJSON(nil, map[string]any{"name": t.WireName, "description": err.Error(),
			"inputSchema": map[string]string{"type": "object"}})
	}
	return t.from.siblings.named(&again)
}

// Definition is what tools/list has of a tool.
func (t *Tool) Definition() ordjson.Value {
	d, _ := ordjson.Parse(string(t.Listed())) // it was made here, and is JSON
	return d
}

// tool makes a tool again.
func (s *source) tool(id string) (Tool, error) {
	if s.index.Type(id) == record.TypeTool {
		r, err := s.index.Tool(id)
		if err != nil {
			return Tool{}, err
		}
		return newTool(r, s.style)
	}
	r, err := s.index.Resource(id[:max(0, strings.LastIndexByte(id, '/'))])
	if err != nil {
		return Tool{}, err
	}
	i := slices.IndexFunc(r.Queries, func(q *catalog.Query) bool { return q.ID == id })
	if i < 0 {
		return Tool{}, fmt.Errorf("the catalog has no record of %s", id)
	}
	return newQueryTool(r.Queries[i], s.style)
}

// tools adds tools, which share with the one before what is the same.
func (l *Listing) tools(s *source, tools ...Tool) {
	for _, t := range tools {
		if l.size += t.size; l.size > maxHeld {
			t.held = nil
		}
		t.from = s
		if n := len(l.Tools); n > 0 {
			before := &l.Tools[n-1]
			if t.Domain == before.Domain {
				t.Domain = before.Domain
			}
			if t.MIME == before.MIME {
				t.MIME = before.MIME
			}
			if slices.Equal(t.ServerParams, before.ServerParams) {
				t.ServerParams = before.ServerParams
			}
			if slices.Equal(t.families, before.families) {
				t.families = before.families
			}
		}
		l.Tools = append(l.Tools, t)
	}
}
