package cli

import (
	"io"
	"os"

	"golang.org/x/term"
)

// IO is all that a command sees of the process around it. Tests make their own.
type IO struct {
	Stdin          io.Reader
	Stdout, Stderr io.Writer
	Getenv         func(string) string
	// Whether each stream is a terminal.
	StdinTTY, StdoutTTY, StderrTTY bool
	// Piped is set where stdin or stdout is a pipe: other commands run beside
	// this one.
	Piped bool
	// Width is the number of columns of the terminal that stdout is; 0 if it is
	// none.
	Width int
}

// SystemIO is the IO of the process.
func SystemIO() IO {
	stdio := IO{
		Stdin:     os.Stdin,
		Stdout:    os.Stdout,
		Stderr:    os.Stderr,
		Getenv:    os.Getenv,
		StdinTTY:  term.IsTerminal(int(os.Stdin.Fd())),
		StdoutTTY: term.IsTerminal(int(os.Stdout.Fd())),
		StderrTTY: term.IsTerminal(int(os.Stderr.Fd())),
	}
	stdio.Piped = isPipe(os.Stdin) || isPipe(os.Stdout)
	if stdio.StdoutTTY {
		stdio.Width, _, _ = term.GetSize(int(os.Stdout.Fd()))
	}
	return stdio
}

func isPipe(f *os.File) bool {
	info, err := f.Stat()
	return err == nil && info.Mode()&os.ModeNamedPipe != 0
}
