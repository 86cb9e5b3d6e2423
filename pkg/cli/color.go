package cli

import "github.com/flowmcp/fmcp/pkg/report"

// ColorMode is the value of --color.
type ColorMode string

// Words implements Chooser.
func (*ColorMode) Words() []string { return []string{"auto", "always", "never"} }

// UnmarshalText reads one of them.
func (m *ColorMode) UnmarshalText(text []byte) error { return choose(m, string(text), m.Words()) }

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

// Palette paints text for a terminal.
type Palette = report.Palette
