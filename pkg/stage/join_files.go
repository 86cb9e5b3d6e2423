package stage

import (
	"bytes"
	"compress/flate"
	"io"
	"maps"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"github.com/flowmcp/fmcp/pkg/catalog"
	"github.com/flowmcp/fmcp/pkg/grade"
	"github.com/flowmcp/fmcp/pkg/record"
	"github.com/flowmcp/fmcp/pkg/spool"
	"github.com/flowmcp/fmcp/pkg/walk"
)

// packedFile is a loaded file that waits for the end of the stream: that of 10,000
// schemas would take 500 MB.
type packedFile struct {
	record.Record        // none: it leaves no stage
	root          string // of its catalog
	src           record.Source
	schema        bool
	line          []byte          // of a schema: its record, compressed, until it is kept
	kept          spool.Place     // of the line
	evidence      *grade.Evidence // as far as the file tells
	defines       []defined       // what only one file may define
	registers     []string        // of a registry: the files of its schemas
}

// defined is an ID that a file defines, and where.
type defined struct {
	typ, id string
	pointer string
}

var deflaters = sync.Pool{New: func() any {
	w, _ := flate.NewWriter(nil, flate.BestSpeed) // the level is one that there is
	return w
}}

// pack keeps of the record of a file what grades need.
func pack(it *Item) *Item {
	l, ok := it.Rec.(*record.Load)
	if !ok {
		return it
	}
	f := &packedFile{root: strings.Clone(walk.Root(l.Src)), src: l.Src.Clone()}
	f.evidence = &grade.Evidence{ID: strings.Clone(l.ID), Path: f.src.File()}
	for _, p := range catalog.PrimitiveIDs(l) {
		id := p.ID.String()
		if walk.DefinedAlone(p.ID) {
			f.defines = append(f.defines, defined{p.ID.Type, id, p.Pointer})
		}
		f.evidence.Primitives = append(f.evidence.Primitives, grade.Primitive{ID: id,
			Kind: record.Type(p.ID.Type), Pointer: p.Pointer})
	}
	switch l.Type {
	case record.TypeSchema:
		f.evidence.FileHash, f.evidence.SchemaHash = f.src.FileHash, strings.Clone(l.Hashes.Schema)
		var packed bytes.Buffer
		w := deflaters.Get().(*flate.Writer)
		w.Reset(&packed)
		_, _ = w.Write(it.AppendJSON(nil)) // a buffer takes all
		_ = w.Close()
		deflaters.Put(w)
		f.line = bytes.Clone(packed.Bytes())
	case record.TypeRegistry:
		for _, e := range l.Data.Get("schemas").Elems() {
			f.registers = append(f.registers,
				filepath.Join(filepath.Dir(l.Src.File()), filepath.FromSlash(e.Get("file").Str())))
		}
	}
	return New(f)
}

// open is the record of a packed schema; nil where it cannot be read.
func (j *joining) open(f *packedFile) *record.Load {
	packed, err := j.records.Text(f.kept, nil)
	if err != nil {
		j.records.err = err
		return nil
	}
	line, _ := io.ReadAll(flate.NewReader(bytes.NewReader(packed)))
	_, rec, _, _ := record.Decode(string(line)) // as it was packed
	load, _ := rec.(*record.Load)
	return load
}

// inOrder are the findings about a file, each once: this command validates what it is
// given, and fmcp-validate before it may have said the same, with other severities
// under another profile; then the worse counts.
func inOrder(found []*record.Diagnostic) []*record.Diagnostic {
	var code *codeFound
	for _, d := range found {
		code = code.with(d)
	}
	found = slices.DeleteFunc(found, code.explains)
	slices.SortFunc(found, func(a, b *record.Diagnostic) int {
		if n := a.Compare(b); n != 0 {
			return n
		}
		return int(b.Severity) - int(a.Severity)
	})
	seen := map[[3]string]bool{}
	return slices.DeleteFunc(found, func(d *record.Diagnostic) bool {
		key := [3]string{d.Code, d.Loc.Pointer, d.Message}
		again := seen[key]
		seen[key] = true
		return again
	})
}

// findTwice finds what two files of a catalog define. Which of them is the second
// depended on the order of the input: here it is by their paths.
func (j *joining) findTwice() {
	first := map[string]*packedFile{} // by catalog and ID
	for _, name := range slices.Sorted(maps.Keys(j.files)) {
		file := j.files[name]
		j.found[name] = slices.DeleteFunc(j.found[name],
			func(d *record.Diagnostic) bool { return d.Code == catalog.CodeDuplicateID })
		for _, d := range file.defines {
			key := file.root + "\x00" + d.id
			switch before := first[key]; {
			case before == nil:
				first[key] = file
			case before != file && file.schema:
				load := j.open(file)
				if load == nil {
					return
				}
				p := walk.Duplicate(d.typ, d.id, before.src, file.src, d.pointer)
				twice := file.src.Diagnose(record.SeverityError, file.evidence.ID, p)
				twice.Loc.Line, twice.Loc.Col = load.Find().Value(d.pointer)
				j.found[name] = append(j.found[name], twice)
			}
		}
	}
}

// unloaded is the evidence of the schemas whose records did not come: fmcp-validate
// --pass held them back, or they cannot be loaded, and are an F for that (chapter 20,
// "Grade System").
func (j *joining) unloaded() []*grade.Evidence {
	for _, it := range j.errors {
		e := it.Rec.(*record.Error)
		file := fileOfError(e)
		if id := schemaAt(file); id != "" && j.files[file] == nil {
			j.found[file] = append(j.found[file], e.Finding(id))
		}
	}
	var list []*grade.Evidence
	for file, found := range j.found {
		if j.files[file] != nil {
			continue
		}
		for _, d := range inOrder(found) {
			if id, err := catalog.ParseID(d.Subject); err == nil && id.IsFile() {
				list = append(list, &grade.Evidence{ID: d.Subject, Path: file})
				break
			}
		}
	}
	return list
}

// schemaAt is the Schema-File-ID of a file that by its place is a schema, "" of any
// other.
func schemaAt(file string) string {
	abs, err := filepath.Abs(file)
	if err != nil {
		return ""
	}
	place := walk.PlaceOf(filepath.ToSlash(abs))
	if path.Ext(place) != ".mjs" || walk.Detect(place, nil) != record.TypeSchema {
		return ""
	}
	return walk.SchemaFileID(walk.Namespace(place), place)
}
