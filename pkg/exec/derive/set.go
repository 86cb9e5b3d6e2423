package derive

import (
	"fmt"
	"strings"

	"github.com/flowmcp/fmcp/pkg/edit"
	"github.com/flowmcp/fmcp/pkg/exec"
	"github.com/flowmcp/fmcp/pkg/ordjson"
	"github.com/flowmcp/fmcp/pkg/record"
)

// The codes of what there is to say about derived outputs; pkg/rules has their
// rows.
const (
	CodeNoResponse = "EXE063" // a tool without a response to derive its output from
	CodeNotDerived = "EXE064" // responses, but no output: chapter 04 or the source does not allow one
	CodePart       = "EXE065" // a part of the output that is not described, or not borne out
)

// Set gathers the responses of the tools whose outputs are wanted. The zero
// value is an empty set.
type Set struct {
	tools []*responses
	byID  map[string]*responses
	files []string // in the order of their first tools
}

// responses is a tool or a query and its responses.
type responses struct {
	target exec.Target
	file   string
	merger *Merger
	found  int // responses
}

// Tool adds a tool or a query to the set, if it is not in it. file is the
// schema's file. A query that no schema has, since the runtime adds it, has no
// place for an output.
func (s *Set) Tool(t exec.Target, file string) {
	id := t.Record().ID
	if q, ok := t.(*exec.Query); s.byID[id] != nil || ok && q.Added {
		return
	}
	if s.byID == nil {
		s.byID = map[string]*responses{}
	}
	one := &responses{target: t, file: file, merger: NewMerger(t.Record().Output)}
	if len(s.byFile(file)) == 0 {
		s.files = append(s.files, file)
	}
	s.tools, s.byID[id] = append(s.tools, one), one
}

// Add notes a response of a tool; one of a tool that is not in the set counts
// for nothing, nor does one that failed (chapter 04: the schema describes data
// when status is true). contentType is that of Merger.Add.
func (s *Set) Add(id string, status bool, data ordjson.Value, contentType string) {
	if one := s.byID[id]; one != nil && status {
		one.found++
		one.merger.Add(data, contentType)
	}
}

// Responses is how many have been noted.
func (s *Set) Responses() int {
	n := 0
	for _, one := range s.tools {
		n += one.found
	}
	return n
}

func (s *Set) byFile(file string) []*responses {
	var list []*responses
	for _, one := range s.tools {
		if one.file == file {
			list = append(list, one)
		}
	}
	return list
}

// File is a schema's file, what is to change in it, and what there is to say.
type File struct {
	Path  string
	Diff  string // "" where nothing changes
	Found []*record.Diagnostic

	src *edit.Source // nil where it cannot be read
}

// Files derives the outputs and writes them into the sources, file by file in
// the order of the tools. read reads a file; shown is the path under which the
// diff names it. What is wrong with one tool does not keep the others of its
// file from being patched.
func (s *Set) Files(read func(file string) (string, error), shown func(file string) string) []File {
	files := make([]File, len(s.files))
	for i, path := range s.files {
		f := &files[i]
		f.Path = path
		text, err := read(path)
		if err == nil {
			f.src, err = edit.ReadSource(text, "main")
		}
		after := f.patched(s.byFile(path), text, err)
		if f.Diff, err = edit.Diff(shown(path), text, after); err != nil {
			f.report(s.byFile(path)[0], CodeNotDerived, record.SeverityError,
				Finding{Message: "the source cannot be patched: " + err.Error()})
		}
	}
	return files
}

// patched is the source with the outputs of its tools; err is why it could
// not be read.
func (f *File) patched(tools []*responses, text string, err error) string {
	var edits []edit.Edit
	for _, one := range tools {
		if one.found == 0 {
			f.report(one, CodeNoResponse, record.SeverityInfo,
				Finding{Message: "no response with status true is there to derive its output from"})
			continue
		}
		var output ordjson.Value
		wrong := err
		if wrong == nil {
			output, wrong = f.output(one)
		}
		if wrong == nil && output.Exists() {
			more := append(edits[:len(edits):len(edits)], edit.Edit{Pointer: one.pointer(), Output: output})
			var after string
			if after, wrong = f.src.Patch(more); wrong == nil {
				edits, text = more, after
			}
		}
		if wrong != nil {
			f.report(one, CodeNotDerived, record.SeverityError,
				Finding{Message: "the source cannot be patched: " + wrong.Error()})
		}
	}
	return text
}

// output derives the output of a tool, Missing if that is not possible. The
// error is that the source has another tool than the catalog.
func (f *File) output(one *responses) (ordjson.Value, error) {
	pointer, r := one.pointer(), one.target.Record()
	in, _ := ordjson.Lookup(f.src.Value(), pointer)
	namespace, _, _ := strings.Cut(r.ID, "/")
	if !in.Is(ordjson.Object) || !ordjson.Equal(in.Get("output"), r.Output) ||
		f.src.Value().Get("namespace").Str() != namespace {
		return in, fmt.Errorf("it is not the one that the catalog was made of, whose %s is another: resolve the "+
			"catalog again", edit.Name(pointer))
	}
	output, findings := one.merger.Output()
	code, severity := CodePart, record.SeverityInfo
	if !output.Exists() {
		code, severity = CodeNotDerived, record.SeverityError
	}
	for _, found := range findings {
		f.report(one, code, severity, found)
	}
	return output, nil
}

// pointer is that of the tool or the query in main.
func (t *responses) pointer() string {
	pointer := t.target.Record().Src.Pointer
	if q, ok := t.target.(*exec.Query); ok { // that of the resource
		pointer += ordjson.Pointer("queries", q.Name)
	}
	return pointer
}

// report adds a diagnostic. It points at what the finding is about as far as
// the source has it.
func (f *File) report(one *responses, code string, severity record.Severity, found Finding) {
	pointer := one.pointer()
	if found.Pointer != "" {
		pointer += "/output" + found.Pointer
	}
	d := &record.Diagnostic{
		Code: code, Severity: severity, Subject: one.target.Record().ID,
		Message: edit.Name(pointer) + ": " + found.Message, Loc: record.Loc{Path: f.Path, Pointer: pointer},
	}
	if f.src != nil {
		d.Loc.Line, d.Loc.Col = f.src.Position(pointer)
	}
	f.Found = append(f.Found, d)
}
