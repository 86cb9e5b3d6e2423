package stage

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"os"
	"path"
	"path/filepath"
	"strings"
	"unicode/utf8"

	"github.com/flowmcp/fmcp/pkg/forbidden"
	"github.com/flowmcp/fmcp/pkg/module"
	"github.com/flowmcp/fmcp/pkg/record"
	"github.com/flowmcp/fmcp/pkg/rules"
	"github.com/flowmcp/fmcp/pkg/rules/engine"
	"github.com/flowmcp/fmcp/pkg/walk"
	"github.com/flowmcp/fmcp/pkg/words"
)

// file is a file of the tree before it is a record.
type file struct {
	walk.File
	tally *Tally // may be nil
}

// MaxFile is how many bytes a registry or a document may have; a module may have
// module.MaxSource.
const MaxFile = 16 << 20

// Walk is the source of the files under paths, for Scan. tally, unless it is
// nil, says afterwards what the files were.
func Walk(paths []string, opts walk.Options, tally *Tally) Source {
	return func(ctx context.Context, send func(Batch) bool) error {
		var b Batch
		err := walk.Walk(ctx, paths, opts, func(f walk.File) error {
			if b = append(b, &Item{file: &file{f, tally}}); len(b) < batchItems {
				return nil
			}
			if !send(b) {
				return context.Cause(ctx)
			}
			b = nil
			return nil
		})
		if len(b) > 0 {
			send(b)
		}
		return err
	}
}

// One is the source of one file, for Scan.
func One(f walk.File, tally *Tally) Source {
	return func(_ context.Context, send func(Batch) bool) error {
		send(Batch{{file: &file{f, tally}}})
		return nil
	}
}

// ScanOptions say how sources are scanned.
type ScanOptions struct {
	Raw  bool // match the text as chapter 05 says it, not tokens (decision "Scan of tokens")
	Read bool // report what cannot be read (LOD048), which Load says too

	Buffers Buffers
}

// Buffers returns the text of a file that an editor has not saved, by the path that
// opens it. A nil Buffers has none.
type Buffers func(path string) (text string, ok bool)

// module is readModule for what may be in a buffer.
func (b Buffers) module(name string) (text, hash string, _ *record.Error) {
	text, ok := b.of(name)
	if !ok {
		return readModule(name)
	}
	if err := checkText(name, text); err != nil {
		return "", "", err
	}
	return text, record.Hash([]byte(text)), nil
}

func (b Buffers) of(name string) (text string, ok bool) {
	if b == nil {
		return "", false
	}
	return b(name)
}

// Scan is the step that recognises files and looks for forbidden patterns in
// them (chapter 05). The findings of a file come before its record.
func Scan(opts ScanOptions) Step {
	return Step{Do: func(_ context.Context, it *Item) Batch {
		if it.file == nil {
			return Batch{it}
		}
		found := it.file.scan(opts)
		if t := it.file.tally; t != nil {
			t.files.Add(1)
			if len(found) > 0 {
				t.known.Add(1)
			}
		}
		return found
	}}
}

func (f *file) scan(opts ScanOptions) Batch {
	switch {
	case !utf8.ValidString(f.Open()):
		// A record is UTF-8: no other command could find the file by it.
		return Batch{New(&record.Error{
			Stage: "fmcp-scan", Input: strings.ToValidUTF8(f.Open(), "\uFFFD"), Code: "LOD002",
			Message: fmt.Sprintf("the name %+q is not UTF-8: rename the file", path.Base(f.Open())),
		})}
	case f.Err != nil:
		return Batch{New(f.Err)}
	case f.Note != nil:
		return Batch{New(f.Note)}
	}
	scan := &record.Scan{Path: f.Path, Root: f.Root, Bytes: f.Size, Namespace: f.Namespace()}
	it := New(scan)
	if path.Ext(f.Path) != ".mjs" {
		return f.scanOther(it, scan, opts)
	}
	text, hash, err := opts.Buffers.module(f.Open())
	if err != nil {
		return Batch{New(err)}
	}
	scan.FileHash, scan.Bytes, it.source, it.read = hash, int64(len(text)), text, true
	findings := f.forbidden(it, scan, text, opts)
	if scan.Type == "" {
		return nil
	}
	var out Batch
	lines := module.NewLines(text)
	more, worst := 0, record.SeverityOff
	for i, found := range findings {
		d := rules.Forbidden(found, pathID(scan), f.Open())
		if i >= rules.MaxFindings {
			more, worst = more+1, max(worst, d.Severity)
			continue
		}
		d.Loc.Line, d.Loc.Col = lines.Position(found.Start)
		out = append(out, New(d))
	}
	if more > 0 {
		out = append(out, New(rules.More(more, worst, pathID(scan), f.Open())))
	}
	return append(out, it)
}

// forbidden finds the forbidden patterns of a source and, from its exports,
// what type of file it is. Shared lists must meet more than the rest (chapter 05).
func (f *file) forbidden(it *Item, scan *record.Scan, text string, opts ScanOptions) []forbidden.Finding {
	it.tokens = module.Tokenize(text)
	names := it.tokens.ExportNames()
	if scan.Type = f.Detect(names); scan.Type == "" || len(names) == 0 {
		if mod, err := it.tokens.Module(); err == nil {
			names = mod.Exports
		} else if scan.Type == "" {
			names = exportLines(text)
		}
		scan.Type = f.Detect(names)
	}
	return forbidden.Scan(it.tokens, forbidden.Options{
		Raw: opts.Raw, Read: opts.Read, List: scan.Type == record.TypeList,
		Export: engine.ExportName(scan.Type, names),
	})
}

// exportLines returns what a module with a syntax error seems to export: the
// names in lines that begin with export. A schema that cannot be read must be
// reported, not forgotten.
func exportLines(text string) (names []string) {
	for _, line := range strings.Split("\n"+text, "\nexport")[1:] {
		names = append(names, module.Tokenize("export"+line).Exported(0)...)
	}
	return names
}

// scanOther makes the record of a file that is not a module.
func (f *file) scanOther(it *Item, scan *record.Scan, opts ScanOptions) Batch {
	if d := f.oldAgent(); d != nil {
		return Batch{New(d)}
	}
	if scan.Type = f.Detect(nil); scan.Type == "" || f.OldAgent() {
		return nil
	}
	if it.source, it.read = opts.Buffers.of(f.Open()); it.read {
		if err := checkText(f.Open(), it.source); err != nil {
			return Batch{New(err)}
		}
		scan.FileHash, scan.Bytes = record.Hash([]byte(it.source)), int64(len(it.source))
		return Batch{it}
	}
	hash, err := hashFile(f.Open())
	if err != nil {
		return Batch{New(unreadable(f.Open(), err))}
	}
	scan.FileHash = hash
	return Batch{it}
}

// oldAgent is the finding about an agent of version 2 that no agent.mjs beside it
// replaces (LOD052), nil for other files.
func (f *file) oldAgent() *record.Diagnostic {
	if !f.OldAgent() {
		return nil
	}
	if _, err := os.Stat(filepath.Join(filepath.Dir(f.Open()), "agent.mjs")); err == nil {
		return nil
	}
	row, _ := rules.Lookup("LOD052")
	return &record.Diagnostic{
		Code: row.Code, Severity: row.Spec, Fix: row.Fix, Loc: record.Loc{Path: f.Open()},
		Message: "found an agent of version 2, which is not read; expected agent.mjs beside it",
	}
}

// pathID is the id that findings about a file carry before anybody has read
// what it exports: namespace and file name as the folder gives them.
func pathID(s *record.Scan) string { return walk.SchemaFileID(s.Namespace, s.Path) }

func unreadable(file string, err error) *record.Error {
	code := "LOD001"
	if errors.Is(err, walk.ErrNotRegular) {
		code = "LOD006"
	}
	return &record.Error{
		Stage: "fmcp-scan", Input: file, Code: code, Message: "cannot be read: " + words.Cause(err).Error(),
	}
}

// readModule reads a source whole, within its budget, and returns its fileHash
// (decision "Three hashes"): modules have module.MaxSource, registries and
// documents MaxFile.
func readModule(name string) (text, hash string, _ *record.Error) {
	most, _ := budget(name)
	b, err := walk.ReadFile(name, int64(most)+1)
	if err != nil {
		return "", "", unreadable(name, err)
	}
	text = string(b)
	if err := checkText(name, text); err != nil {
		return "", "", err
	}
	return text, record.Hash(b), nil
}

// budget is how many bytes a file may have, and what to do about one with more.
func budget(name string) (most int, fix string) {
	if path.Ext(name) == ".mjs" {
		return module.MaxSource, "move its data into a resource, or leave it out with --exclude"
	}
	return MaxFile, "leave it out with --exclude"
}

// checkText says why a source is not read.
func checkText(name, text string) *record.Error {
	switch most, fix := budget(name); {
	case len(text) > most:
		return &record.Error{
			Stage: "fmcp-scan", Input: name, Code: "LOD001",
			Message: fmt.Sprintf("is larger than %d MiB: it was not read; %s", most>>20, fix),
		}
	case !utf8.ValidString(text):
		return notUTF8(name, []byte(text))
	}
	return nil
}

func notUTF8(name string, b []byte) *record.Error {
	at := 0
	for at < len(b) {
		r, n := utf8.DecodeRune(b[at:])
		if r == utf8.RuneError && n == 1 {
			break
		}
		at += n
	}
	line, col := module.NewLines(string(b[:at])).Position(at)
	return &record.Error{
		Stage: "fmcp-scan", Input: name, Code: "LOD002",
		Message: "is not UTF-8: save the file as UTF-8",
		Loc:     &record.Loc{Path: name, Line: line, Col: col},
	}
}

func hashFile(name string) (string, error) {
	f, _, err := walk.OpenFile(name)
	if err != nil {
		return "", err
	}
	defer func() { _ = f.Close() }()
	h := sha256.New()
	if _, err := io.Copy(h, f); err != nil {
		return "", err
	}
	return record.HashText(h.Sum(nil)), nil
}
