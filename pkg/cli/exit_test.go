package cli

import (
	"context"
	"errors"
	"os"
	"strings"
	"syscall"
	"testing"
	"testing/synctest"
	"time"
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

// The first signal ends the reading. The command ends with the second one, and after
// any but SIGINT when its time is over.
func TestDrain(t *testing.T) {
	tests := []struct {
		sig    syscall.Signal
		second time.Duration // when the second signal comes
		after  time.Duration // when the command is ended
		said   string
	}{
		{syscall.SIGTERM, 100 * time.Hour, 30 * time.Second, "for 30s at most"},
		{syscall.SIGHUP, 100 * time.Hour, 30 * time.Second, "for 30s at most"},
		{syscall.SIGTERM, time.Second, time.Second, "for 30s at most"},
		{syscall.SIGINT, 100 * time.Hour, 100 * time.Hour, "until a second signal"},
	}
	for _, tt := range tests {
		synctest.Test(t, func(t *testing.T) {
			defer drains.Store(nil)
			ctx, cancel := context.WithCancelCause(t.Context())
			signals := make(chan os.Signal, 2)
			start := time.Now()
			var ended, exited time.Duration
			r := runContext(ctx, &probe{run: func(ctx context.Context, app *App) (int, error) {
				reading := app.Drain(ctx, 30*time.Second)
				signals <- tt.sig
				time.AfterFunc(tt.second, func() { signals <- syscall.SIGTERM })
				go watch(signals, cancel, func(os.Signal) { exited = time.Since(start) })
				<-reading.Done()
				var sig *SignalError
				if time.Since(start) != 0 || !errors.As(context.Cause(reading), &sig) || sig.Signal != tt.sig {
					t.Errorf("%v: reading ended after %s by %v", tt.sig, time.Since(start), context.Cause(reading))
				}
				<-ctx.Done()
				ended = time.Since(start)
				time.Sleep(2 * grace)
				return ExitOK, nil
			}}, environment{})
			synctest.Wait()
			if r.code != 128+int(tt.sig) || !strings.Contains(r.stderr, tt.said) || ended != tt.after ||
				exited != tt.after+grace {
				t.Errorf("%v: status %d, ended after %s, exits after %s, %s", tt.sig, r.code, ended, exited, r.stderr)
			}
			time.Sleep(tt.second) // the timer has fired
		})
	}
}

// A command that ends while it drains has the status of the signal, whatever it says.
func TestDrainedStatus(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		defer drains.Store(nil)
		signals := make(chan os.Signal, 2)
		ctx, cancel := context.WithCancelCause(t.Context())
		r := runContext(ctx, &probe{run: func(ctx context.Context, app *App) (int, error) {
			reading := app.Drain(ctx, time.Hour)
			signals <- syscall.SIGTERM
			go watch(signals, cancel, func(os.Signal) {})
			<-reading.Done()
			synctest.Wait()
			if ctx.Err() != nil {
				t.Error("it does not drain")
			}
			return ExitFailure, errors.New("the input is empty")
		}}, environment{})
		if r.code != 128+int(syscall.SIGTERM) || strings.Contains(r.stderr, "empty") {
			t.Errorf("status %d, %s", r.code, r.stderr)
		}
		signals <- syscall.SIGTERM
		time.Sleep(2 * grace) // which ends watch
	})
}
