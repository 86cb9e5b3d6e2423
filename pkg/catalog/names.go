package catalog

import (
	"hash/maphash"
	"slices"

	"github.com/tidwall/gjson"

	"github.com/flowmcp/fmcp/pkg/record"
)

// line is where a record is, and its names: all that is held of it. A catalog may
// have half a million.
type line struct {
	typ       record.Type
	id        string
	name      string // the MCP name of a tool
	at        int64
	hash      uint64
	num, size uint32
}

// table has the places of lines by a hash of a name, in a seventh of the memory of a map
// whose keys are the names: those are in the lines.
type table struct {
	slots []int32 // places and 1; 0 is free
	used  int
}

// find is the place that has a hash and is the right one.
func (t *table) find(hash uint64, right func(place int) bool) (place int, ok bool) {
	if len(t.slots) == 0 {
		return 0, false
	}
	slot := t.slot(hash, right)
	return int(*slot) - 1, *slot != 0
}

// slot is where the place of a hash is that is the right one, or the free slot where
// it would be.
func (t *table) slot(hash uint64, right func(place int) bool) *int32 {
	for i := hash; ; i++ {
		slot := &t.slots[i&uint64(len(t.slots)-1)]
		if *slot == 0 || right(int(*slot)-1) {
			return slot
		}
	}
}

// put adds a place, in place of the right one if that is there; hashOf has the
// hashes of all places.
func (t *table) put(place int, hashOf func(place int) uint64, right func(place int) bool) {
	if 4*t.used >= 3*len(t.slots) {
		old := *t
		*t = table{slots: make([]int32, max(64, 2*len(old.slots))), used: old.used}
		for _, s := range old.slots {
			if s != 0 {
				*t.slot(hashOf(int(s)-1), none) = s
			}
		}
	}
	slot := t.slot(hashOf(place), right)
	if *slot == 0 {
		t.used++
	}
	*slot = int32(place) + 1
}

func none(int) bool { return false }

func (x *Index) idHash(place int) uint64 { return maphash.String(x.seed, x.lines[place].id) }

func (x *Index) nameHash(place int) uint64 { return maphash.String(x.seed, x.lines[place].name) }

func (x *Index) hasID(id string) func(place int) bool {
	return func(place int) bool { return x.lines[place].id == id }
}

func (x *Index) hasName(name string) func(place int) bool {
	return func(place int) bool { return x.lines[place].name == name }
}

// place is that of the line of an ID.
func (x *Index) place(id string) (place int, ok bool) {
	return x.byID.find(maphash.String(x.seed, id), x.hasID(id))
}

// nameTool notes the MCP name of a tool. Of two of one name the last counts.
func (x *Index) nameTool(place int) {
	if name := x.lines[place].name; name != "" {
		delete(x.asked, name)
		x.byName.put(place, x.nameHash, x.hasName(name))
	}
}

// nameQueries notes the names of the queries of a resource.
func (x *Index) nameQueries(place int, queries []gjson.Result) {
	for _, q := range queries {
		own := x.lines[place].id + "/" + q.Get("name").Str
		if !q.Get("added").Bool() {
			x.queries[place] = append(x.queries[place], own)
		}
		if name := q.Get("wireName").Str; name != "" {
			x.asked[name] = own
		}
	}
}

// IDs are the Spec-IDs of the tools in stream order, and the IDs of the queries
// that schemas define: the Spec-ID of their resource, / and their name.
func (x *Index) IDs() []string {
	var ids []string
	for at, l := range x.lines {
		if l.typ == record.TypeTool {
			ids = append(ids, l.id)
		}
		ids = append(ids, x.queries[at]...)
	}
	return ids
}

// Named is the ID of the tool or the query of an MCP name, "" where there is
// none.
func (x *Index) Named(name string) string {
	if own := x.asked[name]; own != "" {
		return own
	}
	if at, ok := x.byName.find(maphash.String(x.seed, name), x.hasName(name)); ok {
		return x.lines[at].id
	}
	return ""
}

// Names are the MCP names.
func (x *Index) Names() []string {
	var names []string
	for _, l := range x.lines {
		if l.name != "" {
			names = append(names, l.name)
		}
	}
	for name := range x.asked {
		names = append(names, name)
	}
	slices.Sort(names)
	return slices.Compact(names)
}
