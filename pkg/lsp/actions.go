package lsp

import (
	"slices"
	"strings"

	"github.com/flowmcp/fmcp/pkg/fix"
	"github.com/flowmcp/fmcp/pkg/record"
)

// codeActions are the edits of findings at a place, and all that are safe at once.
func (s *server) codeActions(path string, p *documentParams) (any, error) {
	d := s.docs[path]
	if d == nil || d.load == nil || record.Hash([]byte(d.text.src)) != d.load.Src.FileHash {
		return []codeAction{}, nil // it cannot be read as it is
	}
	wants := func(kind string) bool {
		return len(p.Context.Only) == 0 || slices.ContainsFunc(p.Context.Only, func(only string) bool {
			return kind == only || strings.HasPrefix(kind, only+".")
		})
	}
	list := []codeAction{}
	found := slices.DeleteFunc(s.live.Findings(path), func(d *record.Diagnostic) bool { return len(d.Edits) == 0 })
	if wants(kindQuickFix) {
		for _, f := range found {
			shown := diagnosticOf(d.text, f)
			if !overlap(shown.Range, p.Range) {
				continue
			}
			a, err := s.quickFix(d, f)
			if err != nil {
				return nil, err
			}
			if a != nil {
				a.Diagnostics = []diagnostic{shown}
				list = append(list, *a)
			}
		}
	}
	if wants(kindFixAll) {
		edits, err := s.fixed(d, found, (*record.Diagnostic).Safe)
		if err != nil {
			return nil, err
		}
		if len(edits) > 0 {
			list = append(list, codeAction{Title: "Correct all that can be corrected safely", Kind: kindFixAll,
				Edit: d.edit(edits)})
		}
	}
	return list, nil
}

// quickFix is the action for one finding, nil where its edits lead to nothing better.
func (s *server) quickFix(d *document, f *record.Diagnostic) (*codeAction, error) {
	edits, err := s.fixed(d, []*record.Diagnostic{f}, func(o *record.Diagnostic) bool {
		return o.Code == f.Code && o.Loc.Pointer == f.Loc.Pointer
	})
	if err != nil || len(edits) == 0 {
		return nil, err
	}
	a := &codeAction{Title: f.Code + ": " + f.Fix, Kind: kindQuickFix, IsPreferred: f.Safe(), Edit: d.edit(edits)}
	if !f.Safe() {
		a.Title += " (needs review)"
	}
	return a, nil
}

// fixed are the edits that correct findings of a document, as fmcp-validate --fix
// makes them.
func (s *server) fixed(d *document, found []*record.Diagnostic, wants func(*record.Diagnostic) bool) (
	[]textEdit, error) {
	fixer := &fix.Fixer{All: true, Seen: true, Wants: wants, Checker: s.live.Checker()}
	file, err := fixer.Fix(s.ctx, d.load, d.text.src, found)
	if err != nil {
		return nil, err
	}
	return d.text.changes(file.After), nil
}

// sync is how many lines further on two texts are looked through for the next line
// that they have in common.
const sync = 100

// changes are the edits that make another text of this one, by whole lines.
func (t *text) changes(to string) []textEdit {
	a, b := slices.Collect(strings.Lines(t.src)), slices.Collect(strings.Lines(to))
	var edits []textEdit
	for offset := 0; len(a) > 0 || len(b) > 0; {
		if len(a) > 0 && len(b) > 0 && a[0] == b[0] {
			offset += len(a[0])
			a, b = a[1:], b[1:]
			continue
		}
		i, j := nextCommon(a, b)
		end := offset + len(strings.Join(a[:i], ""))
		edits = append(edits, textEdit{t.span(offset, end), strings.Join(b[:j], "")})
		offset, a, b = end, a[i:], b[j:]
	}
	return edits
}

// nextCommon is how many lines of each of two texts come before one that they have in
// common; all of them where none is near.
func nextCommon(a, b []string) (int, int) {
	for sum := 1; sum < sync; sum++ {
		for i := max(0, sum-len(b)); i <= min(sum, len(a)); i++ {
			if j := sum - i; i < len(a) && j < len(b) && a[i] == b[j] && strings.TrimSpace(a[i]) != "" {
				return i, j
			}
		}
	}
	return len(a), len(b)
}

func (d *document) edit(edits []textEdit) workspaceEdit {
	return workspaceEdit{map[string][]textEdit{d.uri: edits}}
}

// overlap reports whether two ranges touch.
func overlap(a, b span) bool { return !a.End.before(b.Start) && !b.End.before(a.Start) }

func (p position) before(q position) bool {
	return p.Line < q.Line || p.Line == q.Line && p.Character < q.Character
}
