// Package fit shortens answers to what a model can take in: along the structure
// of the data, so that what is left is still valid, and says what is missing.
package fit

import (
	"fmt"
	"slices"
	"strings"

	"github.com/flowmcp/fmcp/pkg/ordjson"
	"github.com/flowmcp/fmcp/pkg/record"
	"github.com/flowmcp/fmcp/pkg/words"
)

// CodeCut is that of the message of an answer that was cut.
const CodeCut = "MCP015"

// DefaultLimit keeps answers below 25,000 tokens, where clients cut them. The
// tokenizers of models need one token for 1.9 bytes of JSON in the worst case
// that APIs send (hashes, prices), some of them a sixth more, and for 2.7 bytes of
// common JSON (decision "Length of answers").
const DefaultLimit = 40 << 10

// MinLimit is the least that an answer can be cut to: its frame and what says
// that it was cut.
const MinLimit = 1 << 10

// Envelope is an envelope whose standard form takes at most limit bytes, which
// are at least MinLimit. What is cut is the data, and the messages say so, with
// advice on how to ask for the rest. One that fits is returned as it is.
func Envelope(e *record.Envelope, limit int, advice func() string) *record.Envelope {
	if c := newCutter(e.Data, "data", limit-frame(e)); c.fits() && c.count == 0 {
		return e
	}
	short := &record.Envelope{Status: e.Status}
	said, _ := shorten(ordjson.Strings(e.Messages), "messages", limit/4)
	for _, m := range said.Elems() {
		short.Messages = append(short.Messages, m.Str())
	}
	note := min(limit/4, maxNote)
	data, left := shorten(e.Data, "data", limit-frame(short)-note)
	short.Data = data
	if left.count == 0 { // messages alone were too long
		return short
	}
	text := fmt.Sprintf("%s the answer is longer than %d bytes and was cut: %s; %s", CodeCut, limit, left, advice())
	for len(ordjson.AppendString(nil, text)) >= note {
		text = words.Clip(text, len(text)*3/4)
	}
	short.Messages = append([]string{text}, short.Messages...)
	return short
}

// frame is how many bytes an envelope has without its data.
func frame(e *record.Envelope) int {
	empty := &record.Envelope{Status: e.Status, Messages: e.Messages, Data: ordjson.NewNull()}
	return len(empty.Standard()) - len("null")
}

// Value is a value, or as much of it as takes at most limit bytes of JSON; what is
// left out is marked where it was.
func Value(v ordjson.Value, limit int) ordjson.Value {
	short, _ := shorten(v, "", limit)
	return short
}

// maxNote is how many bytes the message about what was cut may take, as JSON.
const maxNote = 1000

// missing is what was left out.
type missing struct {
	count int   // of places
	named []cut // the first of the outermost
}

// cut is a place where something was left out.
type cut struct {
	path     string
	depth    int
	kept, of int
	unit     string
}

// maxNamed is how many places a message names.
const maxNamed = 3

func (m *missing) String() string {
	var texts []string
	for _, c := range m.named {
		texts = append(texts, fmt.Sprintf("%s has %d of %s", c.path, c.kept, words.Count(c.of, c.unit)))
	}
	text := strings.Join(texts, ", ")
	if more := m.count - len(m.named); more > 0 {
		text += fmt.Sprintf(", and %d more", more)
	}
	return text
}

// shape is how much is kept.
type shape struct {
	items   int // of each array
	text    int // bytes of each string
	members int // of each object
	depth   int // of what is nested
}

// The least that is kept before the next kind of thing is cut: enough to see
// what it looks like.
const (
	fewItems    = 3
	shortText   = 80
	fewMembers  = 3
	manyMembers = 30 // an object with more is a list by key, and cut as arrays are
	maxDepth    = ordjson.MaxDepth + 1
)

// shorten is a value, or as much of it as takes at most limit bytes of JSON, and
// what of it was left out. Long arrays are cut first, then long strings, what was
// left of arrays, objects with many members, and what is nested deepest: each as
// little as is enough. What is tried ends at the limit, so that a long value takes
// no longer than a short one.
func shorten(v ordjson.Value, path string, limit int) (ordjson.Value, *missing) {
	c := newCutter(v, path, limit)
	fits := c.fits() ||
		c.most(fewItems, &c.items) || c.most(shortText, &c.text) || c.most(1, &c.items) ||
		c.most(fewMembers, &c.members) || c.most(1, &c.depth) || c.most(0, &c.depth)
	if fits && c.count == 0 {
		return v, &c.missing
	}
	short, err := ordjson.Parse(string(c.b))
	if !fits || err != nil { // no room for a mark, either; or a text that is not UTF-8
		return ordjson.NewNull(), &missing{count: 1, named: []cut{{path: path, of: 1, unit: "value"}}}
	}
	return short, &c.missing
}

// cutter writes a value in some shape, up to a limit.
type cutter struct {
	shape
	missing
	limit int
	root  ordjson.Value
	name  string
	b     []byte
	path  []step // to what is being written
}

// step is a key or an index.
type step struct {
	key   string
	index int
}

func (c *cutter) where() string {
	var b strings.Builder
	for i, s := range c.path {
		switch {
		case s.key == "":
			fmt.Fprintf(&b, "[%d]", s.index)
		case i > 0:
			b.WriteByte('.')
		}
		b.WriteString(s.key)
	}
	return words.Clip(b.String(), 100)
}

func newCutter(v ordjson.Value, path string, limit int) *cutter {
	limit = max(limit, 0)
	return &cutter{limit: limit, root: v, name: path,
		shape: shape{items: limit, text: limit, members: limit, depth: maxDepth}}
}

// fits writes the value in the present shape, and reports whether that is short
// enough.
func (c *cutter) fits() bool {
	c.b, c.path, c.missing = c.b[:0], append(c.path[:0], step{key: c.name}), missing{}
	return c.value(c.root)
}

// most sets a part of the shape to the most that fits, but at least to least;
// false if that does not fit, either.
func (c *cutter) most(least int, part *int) bool {
	low, high := least, *part
	if *part = low; !c.fits() {
		return false
	}
	for low < high {
		mid := low + (high-low+1)/2
		if *part = mid; c.fits() {
			low = mid
		} else {
			high = mid - 1
		}
	}
	*part = low
	return c.fits()
}

// value writes a value; false once that is too long.
func (c *cutter) value(v ordjson.Value) bool {
	switch v.Kind() {
	case ordjson.String:
		return c.string(v.Str())
	case ordjson.Array:
		return c.array(v.Elems())
	case ordjson.Object:
		return c.object(v.Members())
	case ordjson.Number:
		if n := len(v.NumberText()); !c.whole(n, c.text) {
			return c.mark(0, n, "digit")
		}
	}
	c.b = ordjson.Append(c.b, v)
	return c.short()
}

func (c *cutter) short() bool { return len(c.b) <= c.limit }

// spare is by how much what is cut must be longer than what is kept of it: a
// mark takes room, too.
const spare = 60

// whole reports whether n bytes of text are kept.
func (c *cutter) whole(n, keep int) bool { return n <= keep+spare }

func (c *cutter) string(s string) bool {
	if c.whole(len(s), c.text) {
		if len(s) > c.limit-len(c.b) {
			return false
		}
		c.b = ordjson.AppendString(c.b, s)
		return c.short()
	}
	kept := words.Clip(s, max(c.text, shortText))
	if at := strings.LastIndexByte(kept, '\n'); at >= len(kept)/2 {
		kept = kept[:at+1]
	}
	n := len(strings.TrimSuffix(kept, "…"))
	c.note(n, len(s), "byte")
	c.b = ordjson.AppendString(c.b, kept+" "+leftOut(n, len(s), "byte"))
	return c.short()
}

func (c *cutter) array(elems []ordjson.Value) bool {
	keep := kept(len(elems), c.items)
	if len(c.path) > c.depth && len(elems) > 0 {
		return c.mark(0, len(elems), "item")
	}
	c.b = append(c.b, '[')
	for i, e := range elems[:keep] {
		if i > 0 {
			c.b = append(c.b, ',')
		}
		c.path = append(c.path, step{index: i})
		if !c.value(e) {
			return false
		}
		c.path = c.path[:len(c.path)-1]
	}
	if keep < len(elems) {
		c.b = append(c.b, ',')
		c.mark(keep, len(elems), "item")
	}
	c.b = append(c.b, ']')
	return c.short()
}

// kept is how many of n are kept. Leaving out just one saves nothing.
func kept(n, most int) int {
	if n == most+1 {
		return n
	}
	return min(n, most)
}

func (c *cutter) object(members []ordjson.Member) bool {
	if len(c.path) > c.depth && len(members) > 0 {
		return c.mark(0, len(members), "member")
	}
	first := members[:kept(len(members), min(c.members, max(c.items, manyMembers)))]
	c.b = append(c.b, '{')
	done := 0
	for _, m := range first {
		if !c.whole(len(m.Key), c.text) {
			continue
		}
		if done > 0 {
			c.b = append(c.b, ',')
		}
		done++
		if len(m.Key) > c.limit-len(c.b) {
			return false
		}
		c.b = ordjson.AppendKey(c.b, m.Key)
		c.path = append(c.path, step{key: m.Key})
		if !c.value(m.Value) {
			return false
		}
		c.path = c.path[:len(c.path)-1]
	}
	if done < len(members) {
		if done > 0 {
			c.b = append(c.b, ',')
		}
		c.b = ordjson.AppendKey(c.b, freeKey(first))
		c.mark(done, len(members), "member")
	}
	c.b = append(c.b, '}')
	return c.short()
}

// freeKey is the key of a mark, which none of these has.
func freeKey(members []ordjson.Member) string {
	key := "..."
	for slices.ContainsFunc(members, func(m ordjson.Member) bool { return m.Key == key }) {
		key += "."
	}
	return key
}

// mark writes, in the place of something, how much of it was left out.
func (c *cutter) mark(kept, of int, unit string) bool {
	c.note(kept, of, unit)
	c.b = ordjson.AppendString(c.b, leftOut(kept, of, unit))
	return c.short()
}

func leftOut(kept, of int, unit string) string {
	return fmt.Sprintf("[%d of %s left out]", of-kept, words.Count(of, unit))
}

// note counts a cut, and keeps the first of the outermost ones.
func (c *cutter) note(kept, of int, unit string) {
	c.count++
	at := slices.IndexFunc(c.named, func(o cut) bool { return o.depth > len(c.path) })
	switch {
	case len(c.named) < maxNamed && at < 0:
		at = len(c.named)
	case at < 0:
		return
	case len(c.named) == maxNamed:
		c.named = c.named[:maxNamed-1]
	}
	c.named = slices.Insert(c.named, at, cut{path: c.where(), depth: len(c.path),
		kept: kept, of: of, unit: unit})
}
