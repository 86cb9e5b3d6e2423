package progress

import (
	"bytes"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/flowmcp/fmcp/pkg/cli"
)

// screen is what a terminal shows; a timer draws on it too.
type screen struct {
	mu sync.Mutex
	b  bytes.Buffer
}

func (s *screen) Write(p []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.b.Write(p)
}

func (s *screen) String() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.b.String()
}

func (s *screen) Len() int { return len(s.String()) }

// terminal is one that stdout and stderr share.
func terminal(vars map[string]string) (*cli.App, *screen) {
	screen := &screen{}
	return &cli.App{IO: cli.IO{Stdout: screen, Stderr: screen, StdoutTTY: true, StderrTTY: true,
		Getenv: func(k string) string { return vars[k] }}}, screen
}

// last is what is in the line of the bar.
func last(screen string) string {
	screen = screen[strings.LastIndexByte(screen, '\r')+1:]
	return strings.TrimSpace(strings.ReplaceAll(screen, "\x1b[2K", ""))
}

func TestShownAfterAWhile(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		app, screen := terminal(nil)
		b := Flags{}.Start(app, "tests", 10)
		b.Add(2)
		time.Sleep(patience - time.Millisecond)
		synctest.Wait()
		if screen.Len() > 0 {
			t.Errorf("shown too early: %q", screen)
		}
		time.Sleep(time.Millisecond)
		synctest.Wait()
		if got := last(screen.String()); !strings.HasPrefix(got, "tests  20% |") || !strings.Contains(got, "(2/10") {
			t.Errorf("%q", got)
		}
		time.Sleep(interval)
		b.Add(3)
		if got := last(screen.String()); !strings.Contains(got, "50%") || !strings.Contains(got, "(5/10") {
			t.Errorf("%q", got)
		}
		b.Add(1) // too soon to be drawn
		if got := last(screen.String()); !strings.Contains(got, "(5/10") {
			t.Errorf("%q", got)
		}
		if _, err := app.IO.Stdout.Write([]byte("a result\n")); err != nil {
			t.Error(err)
		}
		if got := screen.String(); !strings.Contains(got, "\x1b[2K\ra result\n") ||
			!strings.Contains(last(got), "(5/10") {
			t.Errorf("a result has no line of its own: %q", got)
		}
		b.Add(4)
		b.Close()
		b.Close()
		if got := screen.String(); !strings.HasSuffix(got, "\x1b[2K\r") {
			t.Errorf("the bar stays: %q", got)
		}
		before := screen.Len()
		b.Add(1)
		if screen.Len() != before {
			t.Error("it goes on after its end")
		}
	})
}

func TestShortRun(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		app, screen := terminal(nil)
		b := Flags{}.Start(app, "tests", 10)
		b.Add(10)
		if _, err := app.IO.Stdout.Write([]byte("x")); err != nil {
			t.Error(err)
		}
		b.Close()
		time.Sleep(time.Second)
		synctest.Wait()
		if screen.String() != "x" {
			t.Errorf("%q", screen)
		}
	})
}

func TestUnknownTotal(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		app, screen := terminal(map[string]string{"CI": "false"})
		b := Flags{}.Start(app, "calls", -1)
		var wait sync.WaitGroup
		for range 20 {
			wait.Go(func() { b.Add(1) })
		}
		wait.Wait()
		time.Sleep(time.Second)
		synctest.Wait()
		b.Add(1)
		if got := last(screen.String()); !strings.Contains(got, "calls (21/-") {
			t.Errorf("%q", got)
		}
		b.Close()
	})
}

func TestNotShown(t *testing.T) {
	for name, b := range map[string]func() *Bar{
		"--no-progress": func() *Bar { app, _ := terminal(nil); return Flags{NoProgress: true}.Start(app, "", 1) },
		"CI": func() *Bar {
			app, _ := terminal(map[string]string{"CI": "true"})
			return Flags{}.Start(app, "", 1)
		},
		"dumb": func() *Bar {
			app, _ := terminal(map[string]string{"TERM": "dumb"})
			return Flags{}.Start(app,
				"", 1)
		},
		"no terminal": func() *Bar {
			app, _ := terminal(nil)
			app.IO.StderrTTY = false
			return Flags{}.Start(app,
				"", 1)
		},
	} {
		bar := b()
		if bar != nil {
			t.Errorf("%s: there is a bar", name)
		}
		bar.Add(1)
		bar.Close()
	}
	app, screen := terminal(nil)
	app.IO.StdoutTTY = false
	out := app.IO.Stdout
	b := Flags{}.Start(app, "tests", 1)
	if app.IO.Stdout != out {
		t.Error("a file has to make no room")
	}
	b.Close()
	if screen.Len() > 0 {
		t.Errorf("%q", screen)
	}
}
