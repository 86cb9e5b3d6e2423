package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"sync/atomic"
	"syscall"
	"time"

	"github.com/flowmcp/fmcp/pkg/catalog"
	"github.com/flowmcp/fmcp/pkg/report"
	"github.com/flowmcp/fmcp/pkg/sandbox"
)

// The exit statuses of all commands (docs/records.md). A command that a
// signal ends exits with 128 and the signal's number, as the shell reports it.
const (
	ExitOK       = 0
	ExitFindings = 1 // findings at or above --fail-on; fmcp-exec: an envelope with status false
	ExitUsage    = 2 // usage or configuration
	ExitFailure  = 3 // I/O, unreadable input, any error record, empty input
)

const exitSignal = 128

// UsageError is a mistake in how a command was called: it exits with ExitUsage
// and its message ends in a pointer to --help.
type UsageError struct{ Msg string }

// Error returns the message.
func (e *UsageError) Error() string { return e.Msg }

// Usagef makes a UsageError.
func Usagef(format string, args ...any) error { return &UsageError{fmt.Sprintf(format, args...)} }

// SignalError is the cause of a context that a signal ended.
type SignalError struct{ Signal syscall.Signal }

// Error names the signal.
func (e *SignalError) Error() string { return "ended by signal: " + e.Signal.String() }

// status turns what a command returned into its exit status, and says on
// stderr what went wrong.
func (a *App) status(ctx context.Context, code int, err error) int {
	if a.reading != nil {
		ctx = a.reading
	}
	var sig *SignalError
	if errors.As(context.Cause(ctx), &sig) {
		return exitSignal + int(sig.Signal)
	}
	var usage *UsageError
	var narrow *catalog.NarrowError
	switch {
	case err == nil:
		return code
	case errors.Is(err, syscall.EPIPE): // the reader has seen enough, as in "| head -1"
		return exitSignal + int(syscall.SIGPIPE)
	case errors.As(err, &usage):
		fmt.Fprintf(a.IO.Stderr, "%s: %s; see %s --help\n", a.Name, report.Visible(usage.Msg), a.Name)
		return ExitUsage
	}
	a.failed(err)
	if errors.As(err, &narrow) {
		return ExitUsage
	}
	return max(code, ExitFailure)
}

// failed says what went wrong, a line for each of errors that were joined.
func (a *App) failed(err error) {
	if many, ok := err.(interface{ Unwrap() []error }); ok {
		for _, e := range many.Unwrap() {
			a.failed(e)
		}
		return
	}
	fmt.Fprintf(a.IO.Stderr, "%s: %s\n", a.Name, report.Visible(err.Error()))
}

// exitNow ends the process; a second signal does not wait for anything.
func exitNow(sig os.Signal) {
	sandbox.End()
	if s, ok := sig.(syscall.Signal); ok {
		os.Exit(exitSignal + int(s))
	}
	os.Exit(ExitFailure)
}

// draining is what a command does at a signal that finishes what it has begun.
type draining struct {
	stop   context.CancelCauseFunc
	limit  time.Duration
	name   string
	stderr io.Writer
}

// drains is nil for a command that ends at once.
var drains atomic.Pointer[draining]

// Drain has the first signal end the context that it returns, and ctx only after a
// second one, or limit later: a command that answers requests reads no more of them
// then, and answers those that it has read. Who is at the terminal (SIGINT) decides when
// that takes too long.
func (a *App) Drain(ctx context.Context, limit time.Duration) context.Context {
	reading, stop := context.WithCancelCause(ctx)
	drains.Store(&draining{stop: stop, limit: limit, name: a.Name, stderr: a.IO.Stderr})
	a.reading = reading
	return reading
}

// wait ends the reading, and returns when the work is to end too.
func (d *draining) wait(sig syscall.Signal, signals <-chan os.Signal) {
	d.stop(&SignalError{sig})
	var over <-chan time.Time
	until := "until a second signal"
	if sig != syscall.SIGINT {
		over, until = time.After(d.limit), "for "+d.limit.String()+" at most"
	}
	fmt.Fprintf(d.stderr, "%s: %s: no more requests are read; those that were read are answered, %s\n",
		d.name, sig, until)
	select {
	case <-signals:
	case <-over:
	}
}
