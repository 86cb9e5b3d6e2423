package rules

import (
	"fmt"
	"io"
	"io/fs"
	"slices"
	"strings"

	"github.com/flowmcp/fmcp/pkg/rules/engine"
)

// Explain writes what there is to know about a rule: its row, and from its
// example files in fixtures what is wrong and how it is right. A rule without
// examples is explained by its row alone.
func Explain(w io.Writer, r *engine.Rule, fixtures fs.FS) error {
	examples, err := Fixtures(fixtures, r.Code)
	if err != nil {
		return err
	}
	var b strings.Builder
	severity := r.Spec.String()
	if r.Community != r.Spec {
		severity += " (" + r.Community.String() + " under --profile community)"
	}
	fmt.Fprintf(&b, "%s %s\n%s, since %s, %s\n\n%s\n\n", r.Code, r.Name, severity, r.Since, r.Reference(), r.Summary)
	if r.Replaced != "" {
		fmt.Fprintf(&b, "Retired: %s took its place.\n\n", r.Replaced)
	}
	fmt.Fprintf(&b, "Why: %s\n\nFix: %s\n", r.Why, r.Fix)
	if by := FixedBy(r, examples); by != "" {
		fmt.Fprintf(&b, "\nFixed by: %s\n", by)
	}
	bad, good := Examples(examples)
	for i, f := range bad {
		explainBad(&b, r, f, good.Files, i == 0)
	}
	_, err = io.WriteString(w, b.String())
	return err
}

// FixedBy says what corrects findings of a rule, "" where nothing does: its examples show
// which have edits.
func FixedBy(r *engine.Rule, examples []Fixture) string {
	safe, look, none := false, false, false
	for _, f := range examples {
		for _, d := range f.Found {
			switch {
			case d.Code != r.Code:
			case d.Edits == nil:
				none = true
			case d.Safe():
				safe = true
			default:
				look = true
			}
		}
	}
	var by string
	switch {
	case safe && look:
		by = "fmcp-validate --fix, and what needs review by --fix=all"
	case safe:
		by = "fmcp-validate --fix"
	case look:
		by = "fmcp-validate --fix=all, which marks it as needing a look"
	}
	if by != "" && none {
		by += "; not all of them"
	}
	return by
}

// explainBad shows the lines in which a bad example differs from a good one,
// what is said about them, and, if it is asked to, how they are right.
func explainBad(b *strings.Builder, r *engine.Rule, f Fixture, good []FixtureFile, right bool) {
	fmt.Fprintf(b, "\nWrong:\n")
	writeFiles(b, r, f.Files, good)
	for _, d := range f.Found {
		if d.Code == r.Code {
			place := ""
			if len(f.Files) > 1 {
				place = d.Loc.Path + ", "
			}
			fmt.Fprintf(b, "\n  %sline %d: %s\n  fix: %s\n", place, max(d.Loc.Line, 1), d.Message, d.Fix)
		}
	}
	if right && good != nil {
		fmt.Fprintf(b, "\nRight:\n")
		writeFiles(b, r, good, f.Files)
	}
}

// writeFiles writes the files that others lack, and of those that differ the
// lines that do. A file that is its own example has no name worth showing.
func writeFiles(b *strings.Builder, r *engine.Rule, files, others []FixtureFile) {
	if len(files) == 1 && len(others) == 1 {
		writeLines(b, r, files[0].Source, others[0].Source)
		return
	}
	for _, f := range files {
		i := slices.IndexFunc(others, func(o FixtureFile) bool { return o.Path == f.Path })
		other := ""
		if i >= 0 {
			other = others[i].Source
		}
		if f.Source == other {
			continue
		}
		if len(files) > 1 {
			fmt.Fprintf(b, "  %s\n", f.Path)
		}
		writeLines(b, r, f.Source, other)
	}
}

// writeLines writes the lines of text that other does not have. Where it has
// them all, it writes those around the first that text lacks, and where that
// lacks none either, the whole text.
func writeLines(b *strings.Builder, r *engine.Rule, text, other string) {
	// The hash differs because the rest does.
	hash := func(line string) bool { return r.Code != "CMP006" && strings.Contains(line, "schemaHash:") }
	lines, others := strings.Split(strings.TrimRight(text, "\n"), "\n"),
		strings.Split(strings.TrimRight(other, "\n"), "\n")
	last := -1
	write := func(i int) {
		if last >= 0 && i > last+1 {
			fmt.Fprintf(b, "       …\n")
		}
		fmt.Fprintf(b, "  %3d  %s\n", i+1, lines[i])
		last = i
	}
	for i, line := range lines {
		if !hash(line) && !slices.Contains(others, line) {
			write(i)
		}
	}
	if last >= 0 {
		return
	}
	from, to := 0, len(lines)
	for i := range others {
		if i == len(lines) || lines[i] != others[i] && !hash(lines[i]) {
			from, to = max(0, i-around), min(len(lines), i+around)
			break
		}
	}
	for i := from; i < to; i++ {
		write(i)
	}
}

// around is how many lines are shown before and after lines that are missing.
const around = 2
