package catalog

import (
	"bytes"
	"cmp"
	"fmt"
	"hash/maphash"
	"io"
	"maps"
	"os"
	"slices"
	"sync"
	"unique"
	"unsafe"

	"github.com/tidwall/gjson"

	"github.com/flowmcp/fmcp/pkg/ndjson"
	"github.com/flowmcp/fmcp/pkg/record"
)

// Index finds the records of a resolved catalog by ID and by MCP name. It keeps
// where each line is and its hash, and reads a line when it is asked for: so one
// call out of thousands stays cheap, and a server holds no line that nobody
// calls. A line that has been written over since is not used. It may be used by
// many goroutines.
type Index struct {
	Arrival record.Arrival // what came, and whether it is whole

	src       io.ReaderAt
	seed      maphash.Seed
	lines     []line
	byID      table             // places in lines; of two of one ID the first, see index
	byName    table             // the same by MCP name, of tools
	queries   map[int][]string  // IDs of those that schemas define, by the place of their resource
	asked     map[string]string // IDs of queries by MCP name: that of the resource, / and the query's name
	files     map[File]int      // handlers
	documents map[string]string // IDs of bundles by the URIs of what they have

	mu      sync.Mutex
	domains map[string][]string // by server parameter, see Domains
	allKeys bool                // domains has all there are
}

// ReadOptions say how a catalog is read.
type ReadOptions struct {
	Name    string // in messages
	MaxLine int    // that of ndjson.NewReader
	// Wrong takes what is wrong with a line, and the errors of earlier stages.
	// Where it returns nil, the line is left out and the rest is read. Without
	// Wrong the first one ends the reading.
	Wrong func(*record.Error) error
}

// The codes of lines that cannot be used. Their rows are in pkg/rules.
const (
	CodeNotRecord = "LOD020" // no record
	CodeLongLine  = "LOD021" // longer than MaxLine
	CodeNewer     = "LOD022" // of a newer version
)

// Read reads a resolved stream to its end; records of other kinds and types are
// passed over. A regular file is read from later, too, and belongs to the Index.
func Read(r io.Reader, o ReadOptions) (*Index, error) {
	x := &Index{
		seed: maphash.MakeSeed(), queries: map[int][]string{}, asked: map[string]string{},
		files: map[File]int{}, domains: map[string][]string{}, documents: map[string]string{},
	}
	x.Arrival.Name = o.Name
	if err := x.open(r); err != nil {
		return nil, err
	}
	for line, err := range ndjson.Split(x.src, o.MaxLine) {
		if err == nil {
			err = x.take(line, &o)
		}
		if err != nil {
			return nil, err
		}
	}
	if o.Wrong == nil && x.Arrival.NotWhole() != nil {
		return x, x.check()
	}
	return x, nil
}

// open has what comes at hand: a file where it is, a stream in memory.
func (x *Index) open(r io.Reader) error {
	if f, ok := r.(*os.File); ok {
		if info, err := f.Stat(); err == nil && info.Mode().IsRegular() {
			x.src = f
			return nil
		}
	}
	data, err := io.ReadAll(r)
	x.src = bytes.NewReader(data)
	return err
}

// take takes a line.
func (x *Index) take(l ndjson.Line, o *ReadOptions) error {
	bad := x.add(l, o.Wrong != nil)
	switch {
	case bad == nil:
		return nil
	case bad.Input == "":
		bad.Input = fmt.Sprintf("%s:%d", o.Name, l.Num)
	}
	if o.Wrong != nil {
		return o.Wrong(bad)
	}
	return bad
}

func wrong(code, format string, args ...any) *record.Error {
	return &record.Error{Code: code, Message: fmt.Sprintf(format, args...)}
}

// add adds what is in a line, of which only the head is looked at. It returns the
// error of an earlier stage where errors are asked for.
func (x *Index) add(l ndjson.Line, errors bool) *record.Error {
	if l.TooLong {
		return wrong(CodeLongLine, "the line has %d bytes, more than are read", l.Size)
	}
	if l.Bytes[0] != '{' || l.Bytes[len(l.Bytes)-1] != '}' {
		return wrong(CodeNotRecord, "not a JSON record: write the catalog with fmcp-resolve")
	}
	// These stand at the start of every record that fmcp-resolve writes, so
	// that finding them does not read the rest of the line.
	kind := record.KindIn(l.Bytes)
	if !x.Arrival.Take(kind, l.Bytes) {
		return nil
	}
	if kind == record.KindError && errors {
		_, rec, _, _ := record.Decode(string(l.Bytes))
		e, _ := rec.(*record.Error)
		return e
	}
	if kind != record.KindResolved {
		return nil
	}
	at := line{
		typ: unique.Make(record.Type(gjson.GetBytes(l.Bytes, "type").Str)).Value(),
		id:  gjson.GetBytes(l.Bytes, "id").Str,
		num: uint32(l.Num), at: int64(l.At), size: uint32(len(l.Bytes)), hash: maphash.Bytes(x.seed, l.Bytes),
	}
	if at.id == "" {
		return wrong(CodeNotRecord, "a %s record without an id: resolve the catalog again", at.typ)
	}
	return x.index(at, l.Bytes)
}

// index notes the names of a record.
func (x *Index) index(l line, text []byte) *record.Error {
	place := len(x.lines)
	_, twice := x.place(l.id)
	switch l.typ {
	case record.TypeTool, record.TypeResource:
		if twice {
			return wrong(CodeDuplicateID, "the %s id %q is there twice: resolve the catalog again", l.typ, l.id)
		}
	case record.TypeHandlers:
		key := File{l.id, gjson.GetBytes(text, "data.hashes.fileHash").Str}
		if _, ok := x.files[key]; !ok {
			x.files[key] = place
		}
		x.lines = append(x.lines, l)
		return nil
	case record.TypeCatalog:
		x.lines = append(x.lines, l) // by place alone
		return nil
	case record.TypeList: // by place, see List
	default:
		if twice {
			return nil
		}
	}
	if l.typ == record.TypeTool {
		l.name = gjson.GetBytes(text, "data.wireName").Str
	}
	x.lines = append(x.lines, l)
	if !twice {
		x.byID.put(place, x.idHash, none)
	}
	switch l.typ {
	case record.TypeSkillMD:
		for _, d := range gjson.GetBytes(text, "data.documents.#.uri").Array() {
			if _, twice := x.documents[d.Str]; !twice {
				x.documents[d.Str] = l.id
			}
		}
	case record.TypeTool:
		x.nameTool(place)
	case record.TypeResource:
		x.nameQueries(place, gjson.GetBytes(text, "data.queries").Array())
	}
	return nil
}

// check reads the lines whole of a catalog that may have been cut. With those of
// one with a true end that is left for the call: it would cost as much as the
// rest.
func (x *Index) check() error {
	var buffer []byte
	for at, l := range x.lines {
		text, err := x.text(at, buffer)
		if err != nil {
			return err
		}
		if buffer = text; !gjson.ValidBytes(text) {
			return fmt.Errorf("%s: the record of %s is not JSON: write the catalog with fmcp-resolve (%s)",
				x.Arrival.Name, l.id, CodeNotRecord)
		}
	}
	return nil
}

// Of are the IDs of the records of some types, in stream order.
func (x *Index) Of(types ...record.Type) []string {
	var ids []string
	for _, l := range x.lines {
		if slices.Contains(types, l.typ) {
			ids = append(ids, l.id)
		}
	}
	return ids
}

// Type is what an ID stands for, "" for nothing.
func (x *Index) Type(id string) record.Type {
	if at, ok := x.place(id); ok {
		return x.lines[at].typ
	}
	return ""
}

// Place is the line of an ID's record, for messages.
func (x *Index) Place(id string) string {
	at, _ := x.place(id)
	return fmt.Sprintf("%s:%d", x.Arrival.Name, x.lines[at].num)
}

// Catalog reads what is said of the catalog as a whole, the zero Catalog where
// nothing is. Of several in one stream the last counts.
func (x *Index) Catalog() (*Catalog, error) {
	for at := len(x.lines) - 1; at >= 0; at-- {
		if x.lines[at].typ == record.TypeCatalog {
			return decode[*Catalog](x, at)
		}
	}
	return &Catalog{}, nil
}

// Record reads the record of an ID.
func (x *Index) Record(id string) (Record, error) { return read[Record](x, id) }

// Tool reads the tool of a Spec-ID.
func (x *Index) Tool(id string) (*Tool, error) { return read[*Tool](x, id) }

// Resource reads the resource of a Spec-ID.
func (x *Index) Resource(id string) (*Resource, error) { return read[*Resource](x, id) }

// Group reads the selection or the agent of a Spec-ID.
func (x *Index) Group(id string) (*Group, error) { return read[*Group](x, id) }

// Library reads the library of a package, nil where the catalog does not carry
// it.
func (x *Index) Library(name string) (*Library, error) {
	if x.Type(name) != record.TypeLibrary {
		return nil, nil
	}
	return read[*Library](x, name)
}

// Handlers reads the handlers of a file, nil where the catalog does not carry
// them.
func (x *Index) Handlers(f File) (*Handlers, error) {
	at, ok := x.files[f]
	if !ok {
		return nil, nil
	}
	return decode[*Handlers](x, at)
}

// HandlerSchemas are the Schema-File-IDs of the files with handlers.
func (x *Index) HandlerSchemas() []string {
	var ids []string
	for _, f := range x.HandlerFiles() {
		ids = append(ids, f.Schema)
	}
	return ids
}

// HandlerFiles are the files with handlers, in the order of their IDs.
func (x *Index) HandlerFiles() []File {
	return slices.SortedFunc(maps.Keys(x.files), func(a, b File) int {
		return cmp.Or(cmp.Compare(a.Schema, b.Schema), cmp.Compare(a.Hash, b.Hash))
	})
}

func read[R Record](x *Index, id string) (r R, err error) {
	at, ok := x.place(id)
	if !ok {
		return r, fmt.Errorf("the catalog has no record of %s", id)
	}
	return decode[R](x, at)
}

// decode reads the record of a place.
func decode[R Record](x *Index, at int) (R, error) {
	var none R
	rec, err := x.decode(at)
	if err != nil {
		return none, err
	}
	r, ok := rec.(R)
	if !ok {
		return none, fmt.Errorf("the catalog's record of %s is of type %s", x.lines[at].id, x.lines[at].typ)
	}
	return r, nil
}

func (x *Index) decode(at int) (Record, error) {
	resolved, err := x.resolved(at)
	if err != nil {
		return nil, err
	}
	l := &x.lines[at]
	resolved.ID = l.id // not a part of the text, which it would hold in memory
	r := Decode(resolved)
	if t, ok := r.(*Tool); ok && t.WireName == l.name {
		t.WireName = l.name
	}
	return r, nil
}

// resolved is the record of a place as the stream has it.
func (x *Index) resolved(at int) (*record.Resolved, error) {
	l := x.lines[at]
	text, err := x.text(at, nil)
	if err != nil {
		return nil, err
	}
	// Nobody else has the text, so that the values may share its memory: a copy of
	// each would be a third of what reading a catalog allocates.
	_, rec, _, err := record.Decode(unsafe.String(unsafe.SliceData(text), len(text)))
	if err != nil {
		return nil, fmt.Errorf("the catalog's record of %s cannot be read: %w", l.id, err)
	}
	resolved, ok := rec.(*record.Resolved)
	if !ok {
		return nil, fmt.Errorf("the catalog's record of %s is not a resolved one", l.id)
	}
	return resolved, nil
}

// text is the line of a place, as it was when the catalog was read, in room that
// there is in the buffer.
func (x *Index) text(at int, buffer []byte) ([]byte, error) {
	l := x.lines[at]
	text := slices.Grow(buffer[:0], int(l.size))[:l.size]
	if n, _ := x.src.ReadAt(text, l.at); n < len(text) || maphash.Bytes(x.seed, text) != l.hash {
		return nil, fmt.Errorf("%s has been written over since it was read, so that %s cannot be used: start again, "+
			"and write catalogs by fmcp-resolve -o catalog=FILE, which replaces a file as a whole",
			x.Arrival.Name, l.id)
	}
	return text, nil
}
