package resolve

import (
	"bytes"
	"cmp"
	"path/filepath"
	"slices"
	"strings"
	"unique"

	"github.com/flowmcp/fmcp/pkg/record"
	"github.com/flowmcp/fmcp/pkg/spool"
	"github.com/flowmcp/fmcp/pkg/walk"
)

// file is what findings are about.
type file struct {
	typ record.Type
	id  string
	src record.Source
}

// held is a file that waits for the others: no MCP name is certain before the last
// tool is known. Of schemas there are many, so that their records are in the spool;
// in memory is what a name or a finding needs.
type held struct {
	file
	load *record.Load // nil of a schema
	at   spool.Place  // of a schema: its record, a line, and the source where that is known
}

// holdSchema keeps the record of a schema, whose line may be known.
func (r *Resolver) holdSchema(l *record.Load, line []byte) {
	if line == nil {
		r.buffer = l.AppendJSON(r.buffer[:0])
		line = r.buffer
	}
	if l.Text != "" {
		r.buffer = append(append(append(r.buffer[:0], line...), '\n'), l.Text...)
		line = r.buffer
	}
	r.files = append(r.files, &held{file: fileOf(l), at: r.put(line)})
}

// fileOf is the file of a record, with texts of its own: those of the record are
// pieces of its line.
func fileOf(l *record.Load) file {
	return file{unique.Make(l.Type).Value(), strings.Clone(l.ID),
		record.Source{Path: strings.Clone(l.Src.Path), Root: unique.Make(l.Src.Root).Value()}}
}

// open is the record of a file.
func (r *Resolver) open(h *held) *record.Load {
	if h.load != nil {
		return h.load
	}
	r.buffer = r.text(h.at, r.buffer)
	line, source, _ := bytes.Cut(r.buffer, []byte{'\n'})
	_, rec, _, _ := record.Decode(string(line))
	l, ok := rec.(*record.Load)
	if !ok { // the spool has failed
		return &record.Load{Type: h.typ, ID: h.id, Src: h.src}
	}
	l.HashMain()
	l.Text = string(source)
	return l
}

// put keeps a text in the spool. Where that fails, the Resolver has.
func (r *Resolver) put(text []byte) spool.Place {
	at, err := r.spool.Add(text)
	r.err = cmp.Or(r.err, err)
	return at
}

// text reads a text of the spool, in room that there is in the buffer.
func (r *Resolver) text(at spool.Place, buffer []byte) []byte {
	text, err := r.spool.Text(at, buffer)
	r.err = cmp.Or(r.err, err)
	return text
}

// sort brings the files into the order in which they are walked.
func (r *Resolver) sort() {
	slices.SortStableFunc(r.files, func(a, b *held) int {
		return cmp.Or(walk.ComparePaths(a.src.File(), b.src.File()), strings.Compare(a.src.Root, b.src.Root))
	})
}

// held is a file by its path, nil where there is none. The files are sorted.
func (r *Resolver) held(name string) *held {
	if l := r.contents[filepath.Clean(name)]; l != nil {
		return &held{load: l}
	}
	i, ok := slices.BinarySearchFunc(r.files, name, func(h *held, name string) int {
		return walk.ComparePaths(h.src.File(), name)
	})
	if !ok {
		return nil
	}
	return r.files[i]
}
