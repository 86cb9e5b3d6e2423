package report

import "github.com/flowmcp/fmcp/pkg/record"

// Palette paints text for a terminal, or leaves it as it is.
type Palette struct{ On bool }

func (p Palette) paint(sgr, s string) string {
	if !p.On || s == "" {
		return s
	}
	return "\x1b[" + sgr + "m" + s + "\x1b[0m"
}

// Bold is for headings.
func (p Palette) Bold(s string) string { return p.paint("1", s) }

// Dim is for what is less important.
func (p Palette) Dim(s string) string { return p.paint("2", s) }

// Good is for what went well.
func (p Palette) Good(s string) string { return p.paint("32", s) }

// Path is for file names and ids.
func (p Palette) Path(s string) string { return p.paint("36", s) }

// Severity paints s in the colour of a severity: red, yellow, blue.
func (p Palette) Severity(sev record.Severity, s string) string {
	switch sev {
	case record.SeverityError:
		return p.paint("1;31", s)
	case record.SeverityWarning:
		return p.paint("1;33", s)
	case record.SeverityInfo:
		return p.paint("1;34", s)
	}
	return s
}
