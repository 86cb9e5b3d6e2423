// Package fix makes the edits that findings carry: in the sources of a catalog, in
// copies of them, or as a patch.
package fix

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/flowmcp/fmcp/pkg/edit"
	"github.com/flowmcp/fmcp/pkg/record"
	"github.com/flowmcp/fmcp/pkg/rules"
	"github.com/flowmcp/fmcp/pkg/stage"
	"github.com/flowmcp/fmcp/pkg/words"
)

// File is a file, and what it becomes.
type File struct {
	Src     record.Source
	Before  string
	After   string
	New     bool                 // there is no such file yet
	Fixed   []*record.Diagnostic // what the edits were for that were made
	Dropped []Dropped
	More    []More // the files that it needs beside it
}

// Dropped is a finding whose edit was not made, and why.
type Dropped struct {
	*record.Diagnostic
	Why error
}

// Fixer makes edits of files.
type Fixer struct {
	All     bool                          // also those that need a look, which are marked
	Seen    bool                          // somebody looks at each as it is made: no marks
	Wants   func(*record.Diagnostic) bool // which findings are to be corrected
	Checker *stage.Checker
}

// offered reports whether the edits of a finding are to be made.
func (x *Fixer) offered(d *record.Diagnostic) bool {
	return len(d.Edits) > 0 && x.Wants(d) && (x.All || d.Safe())
}

// Fix makes the edits of what was found in a file. After each round it is checked
// again, and the edits of what is found then are made too: what one edit leads to, and
// what was in the way of another.
func (x *Fixer) Fix(ctx context.Context, load *record.Load, text string, found []*record.Diagnostic) (*File, error) {
	f := &File{Src: load.Src, Before: text, After: text}
	own, err := x.Checker.Check(ctx, load, text)
	if err != nil {
		return f, err
	}
	hash := record.Hash([]byte(text))
	found = slices.DeleteFunc(slices.Clone(found), func(d *record.Diagnostic) bool { return d.Loc.FileHash != hash })
	dropped := map[string]bool{}
	for {
		var todo []*record.Diagnostic
		for _, d := range found {
			if x.offered(d) && !dropped[keyOf(d)] {
				todo = append(todo, d)
			}
		}
		if todo == nil {
			return f, nil
		}
		if slices.ContainsFunc(todo, isStep) {
			todo = slices.DeleteFunc(todo, func(d *record.Diagnostic) bool { return !isStep(d) })
		}
		first := todo[:1]
		todo = x.together(f.After, todo)
		next, left, err := x.try(ctx, load, f.After, own, todo, false)
		if err != nil || len(todo) == 0 {
			todo = first
			next, left, err = x.try(ctx, load, f.After, own, todo, true)
		}
		if err != nil {
			dropped[keyOf(todo[0])] = true
			f.Dropped = append(f.Dropped, Dropped{todo[0], err})
			continue
		}
		f.After, f.Fixed = next, append(f.Fixed, todo...)
		found, own = left, left
	}
}

// keyOf names a finding wherever its line has gone.
func keyOf(d *record.Diagnostic) string { return d.Code + " " + d.Loc.Pointer + " " + d.Message }

// together are the findings whose edits can be made at once.
func (x *Fixer) together(text string, list []*record.Diagnostic) []*record.Diagnostic {
	groups := make([][]record.Edit, len(list))
	for i, d := range list {
		groups[i] = x.editsOf(text, d)
	}
	var chosen []*record.Diagnostic
	for _, i := range edit.Together(groups) {
		chosen = append(chosen, list[i])
	}
	return chosen
}

// editsOf are the edits of a finding, with the mark that they leave if they need a
// look.
func (x *Fixer) editsOf(text string, d *record.Diagnostic) []record.Edit {
	if !x.marks(d) {
		return d.Edits
	}
	return edit.Marked(text, d.Edits, rules.Mark(d.Code, d.Message))
}

// marks reports whether the edits of a finding leave a mark.
func (x *Fixer) marks(d *record.Diagnostic) bool { return !d.Safe() && !x.Seen }

// try makes the edits of some findings, and returns the text with what is found in it
// then. The error says why that is not done: own is what was found before, and one is
// whether the edits of only one finding are tried.
func (x *Fixer) try(ctx context.Context, load *record.Load, text string, own, todo []*record.Diagnostic, one bool) (
	string, []*record.Diagnostic, error) {
	var edits []record.Edit
	marks := 0
	for _, d := range todo {
		edits = append(edits, x.editsOf(text, d)...)
		if x.marks(d) {
			marks++
		}
	}
	next, err := edit.Apply(text, edits)
	if err != nil {
		return "", nil, err
	}
	next = edit.Renew(text, next)
	left, err := x.Checker.Check(ctx, load, next)
	if err != nil {
		return "", nil, fmt.Errorf("the changed file could not be read: %w", err)
	}
	was, is := count(own), count(left)
	if is[rules.ReviewMark] != was[rules.ReviewMark]+marks {
		return "", nil, errors.New("there is no place for the comment that it has to leave")
	}
	delete(was, rules.ReviewMark)
	delete(is, rules.ReviewMark)
	if isStep(todo[0]) {
		err = stepped(was, is, todo, left)
	} else {
		err = improved(own, left, was, is, todo, one)
	}
	return next, left, err
}

// isStep reports whether the edits of a finding take a file towards the next version of
// the specification.
func isStep(d *record.Diagnostic) bool {
	r, ok := rules.Lookup(d.Code)
	return ok && r.Step
}

// stepped says why steps towards the next version are no good. What they lead to may
// have more findings: an old file is looked at by few rules, and by all once it has the
// main of today. It is enough that what was found is gone, that the file can be loaded
// as before, and that nothing forbidden has come.
func stepped(was, is map[string]int, todo, left []*record.Diagnostic) error {
	for code, n := range is {
		if n > was[code] && (strings.HasPrefix(code, "LOD") || strings.HasPrefix(code, "SEC")) {
			return fmt.Errorf("the change would cause %s of %s", words.Count(n-was[code], "finding"), code)
		}
	}
	for _, d := range todo {
		if slices.ContainsFunc(left, func(l *record.Diagnostic) bool { return keyOf(l) == keyOf(d) }) {
			return errors.New("the change would not remove the finding")
		}
	}
	return nil
}

// improved says why a file is no better than before: own is what was found then, and left
// what is found now. Of one edit it is enough that less is found, or what is less bad;
// several must lead to nothing new.
func improved(own, left []*record.Diagnostic, was, is map[string]int, todo []*record.Diagnostic, one bool) error {
	worse := ""
	for _, code := range rules.Codes() {
		if is[code] > was[code] {
			worse = code
			if r, _ := rules.Lookup(code); !one || r.Spec == record.SeverityError {
				return fmt.Errorf("the change would cause %s of %s",
					words.Count(is[code]-was[code], "finding"), code)
			}
		}
	}
	mine := count(todo)
	gone := slices.ContainsFunc(own, func(d *record.Diagnostic) bool { return mine[d.Code] > 0 })
	if better := slices.Compare(bySeverity(left), bySeverity(own)); gone && better >= 0 || better > 0 ||
		total(is) > total(was) {
		why := "the change would remove no finding"
		if worse != "" {
			why += ", and cause " + strconv.Itoa(is[worse]-was[worse]) + " of " + worse
		}
		return errors.New(why)
	}
	return nil
}

// bySeverity are the numbers of errors, warnings and infos, without marks.
func bySeverity(list []*record.Diagnostic) []int {
	n := make([]int, 3)
	for _, d := range list {
		if d.Code != rules.ReviewMark {
			n[record.SeverityError-d.Severity]++
		}
	}
	return n
}

// count counts findings by code.
func count(list []*record.Diagnostic) map[string]int {
	n := map[string]int{}
	for _, d := range list {
		n[d.Code]++
	}
	return n
}

func total(n map[string]int) (sum int) {
	for _, k := range n {
		sum += k
	}
	return sum
}
