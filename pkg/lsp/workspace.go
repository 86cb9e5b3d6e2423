package lsp

import (
	"context"
	"maps"
	"path/filepath"
	"slices"
	"strings"

	"github.com/flowmcp/fmcp/pkg/record"
	"github.com/flowmcp/fmcp/pkg/rules"
	"github.com/flowmcp/fmcp/pkg/stage"
	"github.com/flowmcp/fmcp/pkg/walk"
)

// workspace are the files that an editor works on: those of its folders, and of them
// those that it has open with the texts that they have there.
type workspace struct {
	folders []string
	jobs    int
	live    *stage.Live
	watches bool // the editor tells when files change

	docs  map[string]*document // by path
	files map[string]walk.File // that were found in the folders, by path
	dirty map[string]bool      // files to be read again
	shown map[string]bool      // files of which the editor shows findings
	facts map[string]facts     // of files that could be read
}

// document is a file that is open in the editor.
type document struct {
	uri     string // as the editor writes it
	version int
	text    *text
	load    *record.Load // of the last text that could be read, nil for none
}

// loaded is the record of the last text that could be read; nil for a file that is not
// open.
func (d *document) loaded() *record.Load {
	if d == nil {
		return nil
	}
	return d.load
}

func newWorkspace(jobs int) *workspace {
	return &workspace{jobs: jobs, docs: map[string]*document{}, files: map[string]walk.File{}, dirty: map[string]bool{},
		shown: map[string]bool{}, facts: map[string]facts{}}
}

// start says how the files of the folders are judged.
func (w *workspace) start(folders []string, opts stage.ValidateOptions) {
	w.folders = folders
	opts.Buffers = func(path string) (string, bool) {
		if d := w.docs[path]; d != nil {
			return d.text.src, true
		}
		return "", false
	}
	w.live = stage.NewLive(opts, w.loaded)
}

// loaded takes the record of a file that could be read.
func (w *workspace) loaded(l *record.Load) {
	w.facts[l.Src.File()] = factsOf(l)
	if d := w.docs[l.Src.File()]; d != nil {
		d.load = l
	}
}

// open notes the text that a file has in the editor.
func (w *workspace) open(uri string, version int, src string) {
	path, ok := pathOf(uri)
	if !ok {
		return
	}
	d := w.docs[path]
	if d == nil {
		d = &document{}
		w.docs[path] = d
	}
	d.uri, d.version, d.text = uri, version, newText(src)
	w.dirty[path] = true
}

// close gives a file its text on disk again.
func (w *workspace) close(uri string) {
	if path, ok := pathOf(uri); ok && w.docs[path] != nil {
		delete(w.docs, path)
		w.dirty[path] = true
	}
}

// reread looks which files there are, and reads those again that may have changed on
// disk.
func (w *workspace) reread(ctx context.Context, changed []documentID) error {
	found := map[string]walk.File{}
	err := walk.Walk(ctx, w.folders, walk.Options{}, func(f walk.File) error {
		found[f.Open()] = f
		return nil
	})
	if err != nil {
		return err
	}
	for path := range found {
		if _, known := w.files[path]; !known {
			w.dirty[path] = true
		}
	}
	for path := range w.files {
		if _, still := found[path]; !still {
			w.dirty[path] = true
		}
	}
	for _, c := range changed {
		if path, ok := pathOf(c.URI); ok {
			if _, known := found[path]; known {
				w.dirty[path] = true
			}
		}
	}
	w.files = found
	return nil
}

// check reads the files again that have changed, and returns them.
func (w *workspace) check(ctx context.Context) ([]string, error) {
	if len(w.dirty) == 0 {
		return nil, nil
	}
	changed := slices.SortedFunc(maps.Keys(w.dirty), walk.ComparePaths)
	clear(w.dirty)
	var files []walk.File
	for _, path := range changed {
		f, known := w.files[path]
		if !known && w.docs[path] == nil {
			if f, ok := w.live.File(path); ok {
				w.live.Remove(f)
			}
			delete(w.facts, path)
			continue
		}
		if !known {
			f = w.place(path)
		}
		files = append(files, f)
	}
	return changed, w.live.Update(ctx, w.jobs, files...)
}

// place is the file of a path that no walk has found: it is not saved yet, is ignored
// by git, or is in no folder that is open.
func (w *workspace) place(path string) walk.File {
	for _, folder := range w.folders {
		if rel, err := filepath.Rel(folder, path); err == nil && filepath.IsLocal(rel) {
			return walk.NewFile(folder, filepath.ToSlash(rel))
		}
	}
	return walk.NewFile(filepath.Dir(path), filepath.Base(path))
}

// text is the text of a file, in the editor or else on disk; nil where there is none.
func (w *workspace) text(path string) *text {
	if d := w.docs[path]; d != nil {
		return d.text
	}
	if !strings.HasSuffix(path, ".mjs") && !strings.HasSuffix(path, ".json") && !strings.HasSuffix(path, ".md") {
		return nil
	}
	b, err := walk.ReadFile(path, stage.MaxFile)
	if err != nil {
		return nil
	}
	return newText(string(b))
}

// diagnostics are findings as the editor shows them.
func (w *workspace) diagnostics(path string, found []*record.Diagnostic) []diagnostic {
	t := w.text(path)
	list := make([]diagnostic, 0, len(found))
	for _, d := range found {
		list = append(list, diagnosticOf(t, d))
	}
	return list
}

func diagnosticOf(t *text, d *record.Diagnostic) diagnostic {
	p := diagnostic{Severity: severities[d.Severity], Code: d.Code, Source: "fmcp", Message: d.Message}
	if d.Fix != "" {
		p.Message += "\nfix: " + d.Fix
	}
	if r, ok := rules.Lookup(d.Code); ok {
		p.CodeDescription.Href = r.HelpURI()
	}
	if t != nil && d.Loc.Line > 0 {
		start := t.place(d.Loc.Line, d.Loc.Col)
		p.Range = t.span(start, t.extent(start))
	}
	return p
}
