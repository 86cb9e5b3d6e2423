// Package cli is what the commands have in common on the command line: flags,
// help, version, exit statuses, colour, signals. It is the only importer of the
// flag library.
package cli

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"
	"syscall"
	"time"

	"github.com/alecthomas/kong"

	"github.com/flowmcp/fmcp/pkg/sandbox"
)

// Command is a command, or a subcommand of one: a pointer to a struct whose
// fields are its flags and arguments (kong tags), with Common embedded in the
// outermost.
type Command interface {
	// Run does the work and returns the exit status. An error is printed and
	// exits with ExitFailure, or ExitUsage where it is a UsageError.
	Run(ctx context.Context, app *App) (int, error)
}

// Info is what the help of a command says beside its flags.
type Info struct {
	Name     string    // "fmcp-scan"
	Short    string    // one sentence
	Examples []Example // three
	// what it reads on stdin where no path is given: "scan records, as in: fmcp-scan catalog/ |
	// fmcp-load"
	Input    string
	Named    string   // what may be named instead; a path where empty
	Jobs     int      // default of --jobs; 0 is one per processor, half of them in a pipe
	Heaviest bool     // does most of the work of a pipe: one per processor there too
	Formats  []string // what -f and -o take, where a subcommand has no Formats() of its own; text and ndjson where nil
	Others   string   // what the formats other than text and ndjson show; findings and errors only if empty
	Findings string   // what exit status 1 means; "findings at or above --fail-on" where empty and there is that flag
}

// App is a running command.
type App struct {
	Info
	IO      IO
	Command Command // the outermost, whose flags its subcommands share
	Common  *Common
	Palette Palette // for stdout

	parsed  *kong.Context
	reading context.Context // that of Drain, nil for none
}

// Main runs a command as the process: arguments, streams and signals are the
// process's, and it exits with the command's status.
func Main(info Info, cmd Command) {
	ctx, cancel := context.WithCancelCause(context.Background())
	signals := make(chan os.Signal, 2)
	signal.Notify(signals, os.Interrupt, syscall.SIGTERM)
	if !signal.Ignored(syscall.SIGHUP) { // as under nohup
		signal.Notify(signals, syscall.SIGHUP)
	}
	// Asked for, so that writing to a reader who has left fails, and files that
	// are half written are cleaned up, where the runtime would end the process.
	signal.Notify(make(chan os.Signal, 1), syscall.SIGPIPE)
	go watch(signals, cancel, exitNow)
	code := Run(ctx, info, cmd, os.Args[1:], SystemIO())
	sandbox.End()
	os.Exit(code)
}

// grace is how long a command may take to end after a signal; MCP clients send
// SIGKILL after two seconds.
const grace = 1500 * time.Millisecond

// longer is more than grace for a command that is no MCP client's child.
var longer atomic.Int64

// Grace gives the process so long to end after a signal, where that is more than
// it has anyway.
func (a *App) Grace(d time.Duration) { longer.Store(int64(d)) }

// watch ends the context at the first signal, or when the command has drained, and
// the process at the next one or when the command does not end.
func watch(signals <-chan os.Signal, cancel context.CancelCauseFunc, exit func(os.Signal)) {
	sig := <-signals
	if s, ok := sig.(syscall.Signal); ok {
		if d := drains.Load(); d != nil {
			d.wait(s, signals)
		}
		cancel(&SignalError{s})
	}
	select {
	case sig = <-signals:
	case <-time.After(max(grace, time.Duration(longer.Load()))):
	}
	exit(sig)
}

// Run runs a command and returns its exit status.
func Run(ctx context.Context, info Info, cmd Command, args []string, stdio IO) int {
	app := &App{Info: info, IO: stdio, Command: cmd, Common: &Common{}}
	if versionWanted(args) {
		fmt.Fprintln(stdio.Stdout, versionLine(info.Name, Version()))
		return ExitOK
	}
	if c, ok := cmd.(interface{ common() *Common }); ok {
		app.Common = c.common()
	}
	parser, err := kong.New(cmd, kong.Name(info.Name), kong.NoDefaultHelp(), kong.Vars{"jobs": info.jobsText()},
		kong.Resolvers(variables(stdio.Getenv)))
	if err != nil {
		return app.status(ctx, ExitFailure, fmt.Errorf("flags are declared wrongly: %w", err))
	}
	if done, code, err := app.generated(parser.Model.Node, args); done {
		return app.status(ctx, code, err)
	}
	if err := mistyped(parser.Model.Node, args); err != nil {
		return app.status(ctx, ExitUsage, err)
	}
	kctx, err := parser.Parse(args)
	if err != nil {
		return app.parseFailed(ctx, parser.Model.Node, err)
	}
	app.parsed = kctx
	if node := kctx.Selected(); node != nil {
		if sub, ok := node.Target.Addr().Interface().(Command); ok {
			cmd = sub
		}
		app.Formats = app.formatsOf(node)
	}
	if err := app.check(app.Command); err != nil {
		return app.status(ctx, ExitUsage, err)
	}
	code, err := cmd.Run(ctx, app)
	return app.status(ctx, code, err)
}

// parseFailed answers arguments that did not parse, --help among them.
func (a *App) parseFailed(ctx context.Context, node *kong.Node, err error) int {
	if !errors.Is(err, errHelp) {
		return a.status(ctx, ExitUsage, usageOf(err))
	}
	var parse *kong.ParseError
	if errors.As(err, &parse) && parse.Context != nil {
		if own, code, err := a.ownHelp(ctx, parse.Context); own {
			return a.status(ctx, code, err)
		}
		if selected := parse.Context.Selected(); selected != nil && selected != selected.Parent.DefaultCmd {
			node = selected
		}
	}
	a.Palette = Palette{On: a.colored(helpColor(err), a.IO.StdoutTTY)}
	_, err = io.WriteString(a.IO.Stdout, a.describe(node).Help(a.Palette, a.IO.Width))
	return a.status(ctx, ExitOK, err)
}

// Helper is a command that has help of its own on what its arguments name.
type Helper interface {
	// WantsHelp reports whether the arguments name something.
	WantsHelp() bool
	// Help writes it, and returns the exit status.
	Help(ctx context.Context, app *App) (int, error)
}

// ownHelp answers --help where the command is a Helper and has what it needs.
// Parsing has stopped before the arguments were put into the command.
func (a *App) ownHelp(ctx context.Context, parsed *kong.Context) (own bool, code int, err error) {
	node := parsed.Selected()
	if node == nil {
		return false, 0, nil
	}
	h, ok := node.Target.Addr().Interface().(Helper)
	if !ok || parsed.Reset() != nil || parsed.Resolve() != nil {
		return false, 0, nil
	}
	if _, err := parsed.Apply(); err != nil || !h.WantsHelp() {
		return false, 0, nil
	}
	a.Formats = a.formatsOf(node)
	if err := a.check(a.Command); err != nil {
		return true, ExitUsage, err
	}
	code, err = h.Help(ctx, a)
	return true, code, err
}

// check completes and checks the shared flags that the command has.
func (a *App) check(cmd Command) error {
	a.Palette = Palette{On: a.colored(string(a.Common.Color), a.IO.StdoutTTY)}
	if c, ok := cmd.(interface{ streamFlags() *StreamFlags }); ok {
		if err := c.streamFlags().check(a); err != nil {
			return err
		}
	}
	if c, ok := cmd.(interface{ outputFlags() *OutputFlags }); ok {
		return c.outputFlags().check(a)
	}
	return nil
}

// RequireInput fails where a command is about to wait for someone to type
// records: no path is given and stdin is a terminal. "-" asks for stdin.
func (a *App) RequireInput(paths []string) error {
	if len(paths) > 0 || !a.IO.StdinTTY {
		return nil
	}
	return Usagef("nothing to read: stdin is a terminal; name %s, or pipe in %s", cmp.Or(a.Named, "a path"), a.Input)
}

// ErrPalette is the palette for stderr.
func (a *App) ErrPalette() Palette {
	return Palette{On: a.colored(string(a.Common.Color), a.IO.StderrTTY)}
}

// jobsText is the default of --jobs in the help.
func (i *Info) jobsText() string {
	switch {
	case i.Jobs > 0:
		return strconv.Itoa(i.Jobs)
	case i.Heaviest:
		return "one per processor"
	}
	return "one per processor, half of them in a pipe"
}

// formatsText lists formats in the help.
func (i *Info) formatsText(formats []string) string {
	list := strings.Join(formats, ", ")
	if slices.Contains(formats, "tap") { // as all formats of reports do; others show a whole answer
		list += "; all but text and ndjson show " + cmp.Or(i.Others, "findings and errors only")
	}
	return list
}

func (i *Info) formats() []string {
	if i.Formats == nil {
		return AnswerFormats
	}
	return i.Formats
}

// formatsOf are the formats of a command, or of a subcommand that has its own.
func (i *Info) formatsOf(node *kong.Node) []string {
	if own, ok := node.Target.Addr().Interface().(interface{ Formats() []string }); ok &&
		node.Type == kong.CommandNode {
		return own.Formats()
	}
	return i.formats()
}
