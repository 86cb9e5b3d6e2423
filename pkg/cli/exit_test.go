package cli

import (
	"context"
	"errors"
	"strings"
	"testing"
)

// A folder of an untrusted catalog does not drive the terminal by its name, nor
// starts a line of its own, which a CI service could take for a command.
func TestStatusShowsNames(t *testing.T) {
	name := "x\x1b[2J\n::error::pwned"
	for _, err := range []error{Usagef("%s: unknown key", name), errors.New(name + ": unreadable")} {
		var b strings.Builder
		app := &App{Info: Info{Name: "fmcp-validate"}, IO: IO{Stderr: &b}}
		app.status(context.Background(), ExitOK, err)
		if got := b.String(); !strings.Contains(got, `x\u001b[2J\u000a::error::pwned`) ||
			strings.Count(got, "\n") != 1 {
			t.Errorf("%q", got)
		}
	}
	var b strings.Builder
	app := &App{Info: Info{Name: "x"}, IO: IO{Stderr: &b}}
	app.status(context.Background(), ExitOK, errors.Join(errors.New("a"), errors.New("b")))
	if b.String() != "x: a\nx: b\n" {
		t.Errorf("joined: %q", b.String())
	}
}
