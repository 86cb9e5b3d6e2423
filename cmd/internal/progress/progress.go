// Package progress shows on a terminal how far a long run has come. It is apart
// from pkg/cli so that commands which are never long do not link its library,
// for which it is the only door.
package progress

import (
	"io"
	"sync"
	"time"

	"github.com/schollz/progressbar/v3"

	"github.com/flowmcp/fmcp/pkg/cli"
)

// Flags are those of commands whose runs may be long.
type Flags struct {
	NoProgress bool `group:"General" help:"Show no progress on stderr; it is shown on a terminal only, after 300 ms, and not where CI is set."`
}

// patience is how long a run may take without a sign of life.
const patience = 300 * time.Millisecond

// interval is how often the bar changes: a terminal is slow, and so are eyes.
const interval = 100 * time.Millisecond

// Bar is a line on stderr that says how much is done. A nil Bar shows nothing.
type Bar struct {
	mu    sync.Mutex
	bar   *progressbar.ProgressBar
	show  *time.Timer
	shown bool
	done  int
	drawn time.Time
}

// Start begins to count towards total, negative if that is not known. It
// returns nil if it would not be seen. While there is a bar, what the command writes
// to a terminal on stdout makes room for itself.
func (f Flags) Start(app *cli.App, noun string, total int) *Bar {
	ci := app.IO.Getenv("CI")
	if f.NoProgress || !app.IO.StderrTTY || ci != "" && ci != "false" || app.IO.Getenv("TERM") == "dumb" {
		return nil
	}
	b := &Bar{bar: progressbar.NewOptions(max(total, -1),
		progressbar.OptionSetWriter(app.IO.Stderr), progressbar.OptionSetDescription(noun),
		progressbar.OptionShowCount(), progressbar.OptionSetWidth(24),
		progressbar.OptionSetElapsedTime(true), progressbar.OptionSetPredictTime(total > 0),
		progressbar.OptionClearOnFinish(), progressbar.OptionUseANSICodes(true),
		progressbar.OptionSetSpinnerChangeInterval(0))}
	b.bar.StartWithoutRender()
	b.show = time.AfterFunc(patience, b.begin)
	if app.IO.StdoutTTY {
		app.IO.Stdout = &aside{b, app.IO.Stdout}
	}
	return b
}

// begin shows the bar.
func (b *Bar) begin() {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.show != nil {
		b.shown = true
		b.draw()
	}
}

// draw draws the bar; a terminal that is gone is none to report to.
func (b *Bar) draw() {
	b.drawn = time.Now()
	_ = b.bar.Set(b.done)
}

// Add says that n more are done.
func (b *Bar) Add(n int) {
	if b == nil {
		return
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	b.done += n
	if b.shown && time.Since(b.drawn) >= interval {
		b.draw()
	}
}

// Close takes the bar away.
func (b *Bar) Close() {
	if b == nil {
		return
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.show == nil {
		return
	}
	b.show.Stop()
	if b.shown {
		_ = b.bar.Clear()
	}
	b.show, b.shown = nil, false
}

// aside writes to a terminal on which a bar is.
type aside struct {
	bar *Bar
	w   io.Writer
}

// Write implements io.Writer.
func (a *aside) Write(p []byte) (int, error) {
	a.bar.mu.Lock()
	defer a.bar.mu.Unlock()
	if !a.bar.shown {
		return a.w.Write(p)
	}
	_ = a.bar.bar.Clear()
	n, err := a.w.Write(p)
	_ = a.bar.bar.RenderBlank()
	return n, err
}
