package cli

import "github.com/flowmcp/fmcp/pkg/record"

// ColorMode is the value of --color.
type ColorMode string

var colorModes = []string{"auto", "always", "never"}

// UnmarshalText reads auto, always or never.
func (m *ColorMode) UnmarshalText(text []byte) error { return choose(m, string(text), colorModes) }

// colored decides in the order flag, FORCE_COLOR, NO_COLOR, TERM, terminal.
func (a *App) colored(mode string, tty bool) bool {
	force := a.IO.Getenv("FORCE_COLOR")
	switch {
	case mode == "always":
		return true
	case mode == "never":
		return false
	case force != "":
		return force != "0" && force != "false"
	case a.IO.Getenv("NO_COLOR") != "", a.IO.Getenv("TERM") == "dumb":
		return false
	}
	return tty
}

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
