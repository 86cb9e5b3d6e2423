package record

import (
	"slices"
	"strconv"
	"strings"

	"github.com/flowmcp/fmcp/pkg/ordjson"
)

// Places says where the parts of a load record stand in its source: the values
// of data in document order (a member of an object stands at its key, and what
// stands nowhere where that does which holds it), a text of several lines
// followed by each {{ in it; then the handlers export, and each of handlers with
// its stages. Of each it has how many lines and columns it
// is after the one before, as the digits of a source map: base64 VLQ.
type Places string

// Positions are what a source says of the places in it.
type Positions interface {
	// Position returns line and column of an offset.
	Position(offset int) (line, col int)
	// Inside returns the offsets of places in a text whose literal begins at start,
	// as many as there are in that literal.
	Inside(start int, text string, places []int) []int
}

// NewPlaces makes the places of data, whose values know their offsets, and of
// handlers, whose offsets come in the order of the record. Most offsets are a
// little behind the one before.
func NewPlaces(data ordjson.Value, handlers []int, lines Positions) Places {
	w := placeWriter{lines: lines, text: make([]byte, 0, 1024)}
	w.values(data, max(data.Pos(), 0))
	for _, offset := range handlers {
		w.add(offset)
	}
	return Places(w.text)
}

type placeWriter struct {
	lines     Positions
	text      []byte
	line, col int // of the one before
}

func (w *placeWriter) values(v ordjson.Value, offset int) {
	w.add(offset)
	w.braces(v, offset)
	for _, m := range v.Members() {
		w.values(m.Value, int(m.KeyPos))
	}
	for _, e := range v.Elems() {
		if at := e.Pos(); at >= 0 {
			w.values(e, at)
		} else {
			w.values(e, offset)
		}
	}
}

// braces adds the places of each {{ of a text: that of the text where it is
// computed.
func (w *placeWriter) braces(v ordjson.Value, offset int) {
	places := bracesIn(v)
	if places == nil {
		return
	}
	found := w.lines.Inside(max(v.Pos(), 0), v.Str(), places)
	for i := range places {
		if i < len(found) {
			w.add(found[i])
		} else {
			w.add(offset)
		}
	}
}

// bracesIn are the offsets of each {{ in a text of several lines. In one line
// the place of the text is near enough.
func bracesIn(v ordjson.Value) []int {
	text := v.Str()
	if !v.Is(ordjson.String) || !strings.Contains(text, "\n") {
		return nil
	}
	var list []int
	for at := 0; ; at++ {
		i := strings.Index(text[at:], "{{")
		if i < 0 {
			return list
		}
		at += i
		list = append(list, at)
	}
}

func (w *placeWriter) add(offset int) {
	line, col := w.lines.Position(offset)
	w.text = appendVLQ(appendVLQ(w.text, line-w.line), col-w.col)
	w.line, w.col = line, col
}

const digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"

// digitOf is the value of each digit, and more than all of what is none.
var digitOf = func() (of [256]uint8) {
	for i := range of {
		of[i] = 0xff
	}
	for i := range len(digits) {
		of[digits[i]] = uint8(i)
	}
	return of
}()

// appendVLQ appends a number: five bits a digit, the lowest first, of which the
// first one of all is the sign; a sixth bit says that another digit follows.
func appendVLQ(b []byte, n int) []byte {
	bits := n << 1
	if n < 0 {
		bits = -n<<1 | 1
	}
	for ; bits > 31; bits >>= 5 {
		b = append(b, digits[bits&31|32])
	}
	return append(b, digits[bits])
}

// place is a line and a column.
type place struct{ line, col int32 }

// read returns the places of a text, up to what is none.
func (p Places) read() []place {
	list := make([]place, 0, len(p)/2)
	var last place
	isLine, n, shift := true, int64(0), 0
	for i := range len(p) {
		digit := digitOf[p[i]]
		if digit > 63 || shift > 30 {
			break
		}
		n |= int64(digit&31) << shift
		if shift += 5; digit > 31 {
			continue
		}
		if n&1 == 1 {
			n = -n
		}
		if isLine {
			last.line += int32(n / 2)
		} else {
			last.col += int32(n / 2)
			list = append(list, last)
		}
		isLine, n, shift = !isLine, 0, 0
	}
	return list
}

// Finder finds the places of a load record's parts. It is for one goroutine.
type Finder struct {
	load   *Load
	places []place
	next   []int32      // for each value, the number of the first one after all in it
	wide   map[int]wide // by the number of the object or array
}

// wide are the parts of an object or array that has many: to go through them for
// each of a thousand findings would take minutes.
type wide struct {
	at   []int32        // their numbers
	keys map[string]int // of an object: which part it is
}

// manyParts is from where on the parts of a value are remembered.
const manyParts = 64

// Find returns a Finder for the places of the record.
func (l *Load) Find() *Finder {
	f := &Finder{load: l, places: l.Places.read()}
	f.next = make([]int32, 0, len(f.places))
	f.number(l.Data)
	return f
}

func (f *Finder) number(v ordjson.Value) {
	at := len(f.next)
	f.next = append(f.next, 0)
	for _, m := range v.Members() {
		f.number(m.Value)
	}
	for _, e := range v.Elems() {
		f.number(e)
	}
	for range bracesIn(v) {
		f.next = append(f.next, 0)
	}
	f.next[at] = int32(len(f.next))
}

// Value returns where the value stands that a pointer leads to, or the last part
// of the way that there is: line and column, 0 where the record does not say.
func (f *Finder) Value(pointer string) (line, col int) {
	_, at := f.find(pointer)
	return f.place(at)
}

// Text returns where the {{ stands that is at an offset in a text; where that is
// not known, where the text does.
func (f *Finder) Text(pointer string, offset int) (line, col int) {
	v, at := f.find(pointer)
	if i := slices.Index(bracesIn(v), offset); i >= 0 {
		if line, col = f.place(at + 1 + i); line > 0 {
			return line, col
		}
	}
	return f.place(at)
}

// find returns the value that a pointer leads to, or the last part of the way
// that there is, and its number.
func (f *Finder) find(pointer string) (v ordjson.Value, at int) {
	v = f.load.Data
	for key := range ordjson.PointerKeys(pointer) {
		i := f.part(v, at, key)
		if i < 0 {
			break
		}
		at = f.numberOf(v, at, i)
		if v.Is(ordjson.Object) {
			v = v.Members()[i].Value
		} else {
			v = v.Index(i)
		}
	}
	return v, at
}

// part is which part of a value a key names, or -1.
func (f *Finder) part(v ordjson.Value, at int, key string) int {
	switch {
	case v.Is(ordjson.Array):
		if i, err := strconv.Atoi(key); err == nil && i >= 0 && i < v.Len() {
			return i
		}
	case v.Len() >= manyParts:
		if i, ok := f.wideAt(v, at).keys[key]; ok {
			return i
		}
	case v.Is(ordjson.Object):
		return slices.IndexFunc(v.Members(), func(m ordjson.Member) bool { return m.Key == key })
	}
	return -1
}

// numberOf is the number of a part of the value that has the number at.
func (f *Finder) numberOf(v ordjson.Value, at, part int) int {
	if v.Len() >= manyParts {
		return int(f.wideAt(v, at).at[part])
	}
	for at++; part > 0; part-- {
		at = int(f.next[at])
	}
	return at
}

func (f *Finder) wideAt(v ordjson.Value, at int) wide {
	w, ok := f.wide[at]
	if ok {
		return w
	}
	w.at = make([]int32, v.Len())
	for i, child := 0, int32(at+1); i < v.Len(); i++ {
		w.at[i], child = child, f.next[child]
	}
	if v.Is(ordjson.Object) {
		w.keys = make(map[string]int, v.Len())
		for i, m := range v.Members() {
			w.keys[m.Key] = i
		}
	}
	if f.wide == nil {
		f.wide = map[int]wide{}
	}
	f.wide[at] = w
	return w
}

// Handler returns where a handler stands: tool, tool/stage, resource/query or
// resource/query/stage. It is the handlers export for "" and for one that is not
// found in it.
func (f *Finder) Handler(name string) (line, col int) {
	at := len(f.next)
	found := at
	for _, h := range f.load.Handlers {
		at++
		if h.Name == name {
			found = at
		}
		for _, stage := range h.Stages {
			at++
			if rest, ok := strings.CutPrefix(name, h.Name); ok && rest == "/"+stage {
				found = at
			}
		}
	}
	return f.place(found)
}

func (f *Finder) place(i int) (line, col int) {
	if i >= len(f.places) || f.places[i].line < 1 || f.places[i].col < 1 {
		return 0, 0
	}
	return int(f.places[i].line), int(f.places[i].col)
}
