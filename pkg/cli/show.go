package cli

import (
	"path"
	"slices"
	"strings"

	"github.com/flowmcp/fmcp/pkg/record"
	"github.com/flowmcp/fmcp/pkg/rules"
	"github.com/flowmcp/fmcp/pkg/words"
)

// ShowFlags say which findings are shown, in all formats. Exit statuses and
// --pass count those that are not shown too; error records are always shown.
type ShowFlags struct {
	Severity ShownSeverity `group:"Findings" placeholder:"SEVERITY" help:"Show findings of this severity and above: error, warning or info; the exit status counts all (default: info)"`
	Select   []CodePattern `group:"Findings" placeholder:"CODE,..." help:"Show findings of these codes only, such as VAL050 or SEC*; the exit status counts all. May be repeated"`
	Deselect []CodePattern `group:"Findings" placeholder:"CODE,..." help:"Do not show findings of these codes; the exit status counts all. May be repeated"`
}

// ShownSeverity is the value of --severity; "" is info.
type ShownSeverity string

// Words implements Chooser.
func (*ShownSeverity) Words() []string { return []string{"error", "warning", "info"} }

// UnmarshalText reads a severity.
func (s *ShownSeverity) UnmarshalText(text []byte) error { return choose(s, string(text), s.Words()) }

// CodePattern is a value of --select and --deselect: a code, or a glob over
// codes.
type CodePattern string

// Words implements Chooser: those that are no patterns.
func (*CodePattern) Words() []string { return rules.Codes() }

// UnmarshalText reads a pattern that some code matches.
func (p *CodePattern) UnmarshalText(text []byte) error {
	*p = CodePattern(strings.ToUpper(string(text)))
	codes := rules.Codes()
	if slices.ContainsFunc(codes, p.match) {
		return nil
	}
	if family := *p + "*"; slices.ContainsFunc(codes, family.match) {
		return Usagef("there is no code %q (did you mean %q?)", string(text), string(family))
	}
	return Usagef("there is no code %q%s; fmcp-validate --explain all lists them", text,
		words.DidYouMean(string(*p), codes))
}

func (p CodePattern) match(code string) bool {
	ok, err := path.Match(string(p), code)
	return ok && err == nil
}

// Shows says whether a finding is shown.
func (f *ShowFlags) Shows(d *record.Diagnostic) bool {
	if least, err := record.ParseSeverity(string(f.Severity)); err == nil && d.Severity < least {
		return false
	}
	match := func(p CodePattern) bool { return p.match(d.Code) }
	return (len(f.Select) == 0 || slices.ContainsFunc(f.Select, match)) && !slices.ContainsFunc(f.Deselect, match)
}

// hide keeps a finding from being shown, and counts it.
func (s *streamRun) hide(d *record.Diagnostic) bool {
	if s.show == nil || s.show.Shows(d) {
		return false
	}
	s.hidden++
	s.hiddenFail = s.hiddenFail || s.cmd.FailOn.Fails(d.Severity)
	return true
}

// hiddenNote says how many findings are not shown, "" where none are.
func (s *streamRun) hiddenNote() string {
	if s.hidden == 0 {
		return ""
	}
	note := words.Count(s.hidden, "finding") + " not shown (--severity, --select, --deselect)"
	if s.hiddenFail {
		note += "; the exit status counts them"
	}
	return note
}
