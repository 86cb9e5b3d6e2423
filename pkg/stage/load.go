package stage

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"slices"
	"strings"

	"github.com/flowmcp/fmcp/pkg/edit"
	"github.com/flowmcp/fmcp/pkg/forbidden"
	"github.com/flowmcp/fmcp/pkg/module"
	"github.com/flowmcp/fmcp/pkg/ordjson"
	"github.com/flowmcp/fmcp/pkg/record"
	"github.com/flowmcp/fmcp/pkg/rules"
	"github.com/flowmcp/fmcp/pkg/rules/engine"
	"github.com/flowmcp/fmcp/pkg/sandbox"
	"github.com/flowmcp/fmcp/pkg/walk"
	"github.com/flowmcp/fmcp/pkg/words"
)

// modules are the types of files that export something (chapters 01, 03, 06, 12,
// 14, 17).
var modules = []record.Type{
	record.TypeSchema, record.TypeList, record.TypeAgent, record.TypeSelection, record.TypeSkill, record.TypePrompt,
	record.TypeContent,
}

// Load is the step that turns scan records of modules, registries and SKILL.md
// files into load records. Records of other files pass: there is nothing in them to load.
// That fmcp-scan could not read a module (LOD048) is not passed on: LOD003 says it here.
func Load() Step {
	return Step{Do: func(ctx context.Context, it *Item) Batch {
		if d, ok := it.Rec.(*record.Diagnostic); ok && d.Code == "LOD048" {
			return nil
		}
		scan, ok := it.Rec.(*record.Scan)
		if !ok {
			return Batch{it}
		}
		l := &loader{scan: scan, src: record.Source{Path: scan.Path, Root: scan.Root, FileHash: scan.FileHash}, it: it}
		switch {
		case scan.Type == record.TypeRegistry:
			return l.registry()
		case scan.Type == record.TypeSkillMD:
			return l.skillMD()
		case slices.Contains(modules, scan.Type):
			return l.module(ctx)
		}
		return Batch{it}
	}}
}

// loader loads one file.
type loader struct {
	scan *record.Scan
	src  record.Source
	it   *Item
	out  Batch
}

// text reads the source unless the scan has, and makes sure that it is still
// what was scanned.
func (l *loader) text() (string, *record.Error) {
	if l.it.read {
		return l.it.source, nil
	}
	text, hash, err := readModule(l.src.File())
	if err != nil {
		err.Stage = "fmcp-load"
		if _, statErr := os.Stat(l.src.File()); errors.Is(statErr, fs.ErrNotExist) {
			err.Code, err.Message = "LOD005", "vanished after it was scanned: scan again"
		}
		return "", err
	}
	switch l.src.FileHash {
	case hash:
	case "": // a record that someone wrote by hand
		l.src.FileHash = hash
	default:
		return "", &record.Error{Stage: "fmcp-load", Input: l.src.File(), Code: "LOD005",
			Message: "changed after it was scanned: scan again"}
	}
	return text, nil
}

const byteOrderMark = "\uFEFF"

func (l *loader) registry() Batch {
	text, err := l.text()
	if err != nil {
		return Batch{New(err)}
	}
	text = strings.TrimPrefix(text, byteOrderMark)
	v, perr := ordjson.Parse(text)
	if perr != nil {
		return l.syntax("is not JSON: ", text, perr)
	}
	load := &record.Load{Type: l.scan.Type, Src: l.src, Data: v, Exports: []string{}, Static: true}
	load.ID = walk.FileID(load, l.scan.Namespace)
	hash(load)
	load.Places = record.NewPlaces(v, nil, module.NewLines(text))
	return l.done(load)
}

// syntax fails for the file not being what it is read as, which what begins.
func (l *loader) syntax(what, text string, err error) Batch {
	e := &record.Error{Stage: "fmcp-load", Input: l.src.File(), Code: "LOD003", Message: what + err.Error()}
	var at *words.SyntaxError
	if errors.As(err, &at) {
		e.Message, e.Fix, e.Loc = what+at.Message, at.Fix, l.loc(text, at.Offset)
	}
	return append(l.out, New(e))
}

func (l *loader) loc(text string, offset int) *record.Loc {
	line, col := module.NewLines(text).Position(offset)
	return &record.Loc{Path: l.src.File(), Line: line, Col: col}
}

func (l *loader) module(ctx context.Context) Batch {
	text, rerr := l.text()
	if rerr != nil {
		return Batch{New(rerr)}
	}
	tokens := l.it.tokens
	if tokens == nil {
		tokens = module.Tokenize(text)
	}
	mod, err := tokens.Module()
	if err != nil {
		return l.syntax("syntax error: ", text, err)
	}
	load := &record.Load{Type: l.scan.Type, Src: l.src, Exports: mod.Exports, Data: ordjson.NewNull().At(mod.First),
		Ignores: rules.ReadIgnores(tokens), Reviews: rules.ReadReviews(tokens)}
	var handlers []int
	if load.Exports == nil {
		load.Exports = []string{}
	}
	if err := l.export(ctx, load, mod, tokens); err != nil {
		return append(l.out, New(err))
	}
	load.ID = walk.FileID(load, l.scan.Namespace)
	hash(load)
	if load.Type == record.TypeSchema {
		load.Handlers, handlers = mod.Handlers, mod.HandlersAt
		load.Fetches = forbidden.Fetches(tokens)
		if len(load.Handlers) > 0 {
			load.Text = text
		}
		readOld(ctx, load, text)
	}
	if load.Type == record.TypeSkill {
		load.ContentName = tokens.Variable("skill", "content")
	}
	if text != "" { // nothing is in an empty file
		load.Places = record.NewPlaces(load.Data, handlers, module.NewLines(text))
	}
	l.overwritten(load, text, mod.Overwritten)
	l.unreadHandlers(load)
	done := l.done(load)
	if load.Static {
		done[len(done)-1].edited = edit.NewSource(tokens, mod, engine.ExportName(load.Type, load.Exports), load.Data)
	}
	return done
}

// export reads the export of the file's type: as data, or, where it takes code
// to make it, in the sandbox.
func (l *loader) export(ctx context.Context, load *record.Load, mod *module.Module,
	tokens *module.Tokens) *record.Error {
	name := engine.ExportName(load.Type, load.Exports)
	v, err := mod.Value(name)
	var not *module.NotLiteralError
	switch {
	case err == nil:
		load.Data, load.Static = v, true
		return nil
	case !errors.As(err, &not):
		load.Static = true // there is no such export; the rules say so
		return nil
	}
	loc := l.loc(tokens.Src, not.Offset)
	if load.Type == record.TypeList {
		return &record.Error{
			Stage: "fmcp-load", Input: l.src.File(), Code: "LOD004", Loc: loc,
			Message: name + " is not literal, " + not.Construct +
				" makes it code, and a shared list is data: it is not run (SEC205)",
		}
	}
	json, serr := sandbox.Export(ctx, tokens.Src, name)
	if serr == nil {
		load.Data, serr = ordjson.Parse(json)
		load.Data = tokens.Locate(load.Data, name, not.Offset)
	}
	if serr != nil {
		e := &record.Error{
			Stage: "fmcp-load", Input: l.src.File(), Code: "LOD004", Loc: loc,
			Message: name + " is not literal, " + not.Construct + " makes it code, and that code fails: " +
				serr.Error(),
		}
		var at *sandbox.Error
		if errors.As(serr, &at) && at.Line > 0 {
			e.Loc = &record.Loc{Path: l.src.File(), Line: at.Line, Col: at.Col}
		}
		return e
	}
	l.note(load, &record.Diagnostic{
		Code: "LOD010", Severity: record.SeverityWarning, Loc: *loc,
		Message: name + " is not literal: " + not.Construct + " needs code to run",
		Fix:     "write the value out: " + name + " is data, hashable without running anything (chapter 01)",
	})
	return nil
}

// overwritten reports the first key that is written again, and how many more
// there are.
func (l *loader) overwritten(load *record.Load, src string, lost []module.Overwritten) {
	if len(lost) == 0 {
		return
	}
	more := ""
	if n := len(lost) - 1; n > 0 {
		more = "; so are the values of " + words.Count(n, "other key") + " of this file"
	}
	l.note(load, &record.Diagnostic{
		Code: "LOD051", Severity: record.SeverityWarning, Loc: *l.loc(src, lost[0].Offset),
		Message: "the key " + words.Quote(lost[0].Key) + " is written again in this object, so this value is lost" +
			more,
		Fix: "rename one of the two, or remove it",
	})
}

// unreadHandlers says which handlers are known by name only.
func (l *loader) unreadHandlers(load *record.Load) {
	for _, h := range load.Handlers {
		if len(h.Stages) > 0 {
			continue
		}
		what := "the stages of the handler " + h.Name
		if h.Name == record.UnknownHandlers {
			what = "some names of handlers"
		}
		loc := record.Loc{Path: l.src.File()}
		loc.Line, loc.Col = load.Find().Handler(h.Name)
		l.note(load, &record.Diagnostic{
			Code: "LOD011", Severity: record.SeverityInfo, Loc: loc,
			Message: what + " cannot be read without running code",
			Fix: "return an object literal with preRequest, executeRequest and postRequest from handlers " +
				"(chapter 01)",
		})
		return
	}
}

func (l *loader) note(load *record.Load, d *record.Diagnostic) {
	d.Subject = walk.FileID(load, l.scan.Namespace)
	l.out = append(l.out, New(d))
}

func (l *loader) done(load *record.Load) Batch { return append(l.out, New(load)) }

// hash computes the figures of decision "Three hashes" that rules read; that of
// main is left to record.Load.HashMain.
func hash(load *record.Load) {
	load.Hashes = record.Hashes{Schema: record.SchemaHash(load.Data), File: load.Src.FileHash}
}

// Loading are the steps that end in load records, whatever the input is: files
// of a walk, scan records, or load records already. Records of the given kinds are
// read too; what comes several times is there once.
func Loading(command string, kinds ...record.Kind) []Step {
	decode := Decode(command, append(kinds, record.KindScan, record.KindLoad)...)
	decode.InOrder = once()
	return []Step{decode, Scan(ScanOptions{}), Load()}
}
