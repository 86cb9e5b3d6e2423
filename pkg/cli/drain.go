package cli

import (
	"context"
	"fmt"
	"io"
	"os"
	"sync/atomic"
	"syscall"
	"time"
)

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
