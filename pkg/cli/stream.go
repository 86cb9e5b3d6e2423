package cli

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/flowmcp/fmcp/pkg/record"
	"github.com/flowmcp/fmcp/pkg/report"
	"github.com/flowmcp/fmcp/pkg/stage"
	"github.com/flowmcp/fmcp/pkg/words"
)

// Pipeline is what a streaming command does.
type Pipeline struct {
	Source    stage.Source
	Steps     []stage.Step
	Whole     bool            // the command holds what came until the end
	Heap      uint64          // bytes that it should not grow beyond then; 0 is wholeMemory
	Unordered bool            // records may leave in any order
	Reading   context.Context // that of App.Drain, nil for none
	Known     *Known          // which findings are known; nil is none
	Show      *ShowFlags      // which findings are shown; nil is all
	Catalog   bool            // the command holds one, and has called CollectByHeap before it read it
	End       bool            // an end record closes the stream
	Artefact  *ArtefactFlags  // nil for a stream of all that there is
	Formats   Openers         // those that only this command has
}

// Openers open reports of formats by name.
type Openers map[string]func(io.Writer) report.Reporter

// EmptyInput is what a command says that got no record at all.
const EmptyInput = "the input is empty (LOD023); --allow-empty accepts that"

// StreamCommand has the flags of a command that streams records.
type StreamCommand struct {
	Common
	StreamFlags
	OutputFlags
	FailFlags
	tally   *stage.Tally
	sources sources
	reading context.Context // that of the pipeline
}

// Tally is what has been found in the input.
func (c *StreamCommand) Tally() *stage.Tally {
	if c.tally == nil {
		c.tally = &stage.Tally{}
	}
	return c.tally
}

// Loading are the steps that end in load records; the command works on those,
// and on other kinds that it names.
func (c *StreamCommand) Loading(app *App, kinds ...record.Kind) []stage.Step {
	return append(stage.Loading(app.Name, kinds...), c.Want(app, stage.IsOneOf(append(kinds, record.KindLoad)...)))
}

// Want is a step that notes whether there is what the command works on. Where it
// is refused, the steps after it have no last word.
func (c *StreamCommand) Want(app *App, wanted func(*stage.Item) bool) stage.Step {
	step := c.Tally().Want(wanted)
	step.Finish = func(context.Context, func(stage.Batch) bool) error { return c.refused(app, c.Tally().Failed.Load()) }
	return step
}

// refused says what is wrong with input that has nothing for the command, or is
// not whole where it must be, and is nil where it has or that is allowed. Where
// there was an error, that is what is wrong. Of input that is read no more nothing is
// known: it may still come.
func (c *StreamCommand) refused(app *App, failed bool) error {
	if c.stopped() {
		return nil
	}
	if err := c.Tally().NotWhole(); err != nil && c.RequireEnd {
		return fmt.Errorf("%w, and --require-end is given", err)
	}
	unwanted := c.Tally().Unwanted()
	switch n := c.Tally().OtherModules(); {
	case c.AllowEmpty, failed:
		return nil
	case c.Tally().Batches.Load() == 0 && len(c.sources.named) > 0:
		return fmt.Errorf("found no file of a catalog in %s (LOD023): expected .mjs modules, registry.json or "+
			"SKILL.md; --allow-empty accepts that", words.List(c.sources.named))
	case c.Tally().Batches.Load() == 0:
		return ErrEmptyInput
	case unwanted != "" && n == 0:
		return fmt.Errorf("found %s, expected %s (LOD039); --allow-empty accepts that", unwanted, app.Input)
	case n > 0:
		return fmt.Errorf("none of the modules, %d in all, is part of a catalog (LOD023): one that is exports main, "+
			"list, agent, selection, skill, prompt or content, or is in its folder, such as providers/; "+
			"--allow-empty accepts that", n)
	}
	return nil
}

// stopped reports whether a signal has ended the reading.
func (c *StreamCommand) stopped() bool { return c.reading != nil && c.reading.Err() != nil }

// counted is a source whose batches are counted.
func (c *StreamCommand) counted(source stage.Source) stage.Source {
	return func(ctx context.Context, send func(stage.Batch) bool) error {
		return source(ctx, func(b stage.Batch) bool { c.Tally().Batches.Add(1); return send(b) })
	}
}

// Run drives a pipeline into the outputs and returns the exit status that the
// records call for.
func (c *StreamCommand) Run(ctx context.Context, app *App, p Pipeline) (int, error) {
	switch {
	case p.Catalog:
	case p.Whole:
		CollectByHeap(app, cmp.Or(p.Heap, wholeMemory))
	default:
		collectSeldom(app)
	}
	outs, err := c.Open(app)
	if err != nil {
		return ExitFailure, err
	}
	defer outs.Abort()
	s := &streamRun{cmd: c, known: p.Known, show: p.Show, artefact: p.Artefact, formats: p.Formats}
	if err := s.open(app, outs, p); err != nil {
		return ExitUsage, err
	}
	steps := append([]stage.Step{}, p.Steps...)
	if s.ndjsonOnly && !p.Whole { // what comes at the end is not made in parallel
		steps = append(steps, stage.Encode())
	}
	c.reading = p.Reading
	if err := stage.Run(ctx, stage.Options{Jobs: c.Jobs, Unordered: p.Unordered, Reading: p.Reading},
		c.counted(p.Source), steps, s.item, s.flush); err != nil {
		return ExitFailure, err
	}
	if err := c.refused(app, s.failed); err != nil {
		return ExitFailure, err
	}
	return s.close(app, outs)
}

// streamRun writes the items of one run and counts what the exit status
// depends on: findings and failures, those of the commands before included,
// since a shell sees only the status of the last one.
type streamRun struct {
	cmd        *StreamCommand
	reporters  []report.Reporter
	ndjsonOnly bool
	failed     bool
	findings   bool
	known      *Known
	total      map[record.Severity]int
	codes      map[string]map[record.Severity]int
	reported   int // findings
	held       int // findings beyond --max-diagnostics
	show       *ShowFlags
	hidden     int  // findings that show leaves out
	hiddenFail bool // and --fail-on counts
	tests      report.Tests
	artefact   *ArtefactFlags
	formats    Openers
	leftOut    bool // something that is not in the artefact
}

func (s *streamRun) open(app *App, outs *Outputs, p Pipeline) error {
	s.ndjsonOnly = true
	s.total, s.codes = map[record.Severity]int{}, map[string]map[record.Severity]int{}
	dir, err := os.Getwd()
	if err != nil {
		dir = "" // paths are shown as they are
	}
	for _, o := range outs.All {
		s.ndjsonOnly = s.ndjsonOnly && o.Format == FormatNDJSON
		opts := report.Options{
			Palette: o.Palette, Width: o.Width, Source: s.cmd.sources.lines, Dir: dir, Tool: app.Name,
			Version: Version(), Fails: s.cmd.FailOn.Fails,
		}
		if p.End {
			opts.End = func(counts map[record.Kind]int) *record.End {
				return &record.End{Stage: app.Name, Counts: counts,
					Partial: s.cmd.stopped() || s.cmd.Tally().NotWhole() != nil}
			}
		}
		format := o.Format
		if format == FormatCatalog {
			format, opts.Only = FormatNDJSON, record.KindResolved
		}
		if s.artefact != nil && s.aside() && o.Format == FormatNDJSON {
			opts.Only = record.KindResolved
		}
		if open := s.formats[o.Format]; open != nil {
			s.reporters = append(s.reporters, open(o))
			continue
		}
		r, err := report.New(format, o, opts)
		if err != nil {
			return Usagef("%v", err)
		}
		s.reporters = append(s.reporters, r)
	}
	if s.aside() {
		all := "-o text=FILE writes them to a file"
		if s.cmd.Format == FormatNDJSON {
			all = "--with-findings passes all on; " + all
		}
		s.reporters = append(s.reporters, report.NewDigest(app.IO.Stderr, all,
			report.Options{Palette: app.ErrPalette(), Source: s.cmd.sources.lines}))
	}
	return nil
}

func (s *streamRun) item(it *stage.Item) error {
	s.leftOut = s.leftOut || leavesOut(it.Rec)
	switch rec := it.Rec.(type) {
	case *record.Error:
		s.failed = true
		s.count(rec.Code, record.SeverityError)
	case *record.Envelope:
		s.findings = s.fails(rec) || s.findings
	case *record.Grade:
		failed := len(rec.Errors) > 0 || rec.Grade == record.GradeRejected
		s.findings = s.findings || failed && s.cmd.FailOn.Fails(record.SeverityError) ||
			len(rec.Warnings) > 0 && s.cmd.FailOn.Fails(record.SeverityWarning)
	case *record.Diagnostic:
		s.findings = s.findings || s.cmd.FailOn.Fails(rec.Severity)
		if s.hide(rec) {
			return nil
		}
		s.count(rec.Code, rec.Severity)
		if s.known != nil && s.known.Max > 0 && s.reported == s.known.Max {
			s.held++
			return nil
		}
		s.reported++
	}
	for _, r := range s.reporters {
		if err := r.Record(it.Rec, it.Line); err != nil {
			return err
		}
	}
	return nil
}

// fails says whether an envelope is a finding at or above --fail-on: a call or a
// test that failed is an error, a test whose answer is not what the schema says
// a warning (chapter 10, "Validation Mode"), one that was skipped an info.
func (s *streamRun) fails(e *record.Envelope) bool {
	t := e.Test
	if t == nil {
		return !e.Status && s.cmd.FailOn.Fails(record.SeverityError)
	}
	s.tests.Add(t)
	return s.cmd.FailOn.Fails(t.Severity())
}

func (s *streamRun) flush() error {
	var errs []error
	for _, r := range s.reporters {
		errs = append(errs, r.Flush())
	}
	return errors.Join(errs...)
}

func (s *streamRun) close(app *App, outs *Outputs) (int, error) {
	for _, r := range s.reporters {
		if err := r.Close(); err != nil {
			return ExitFailure, err
		}
	}
	s.spareArtefact(app, outs)
	if err := outs.Commit(); err != nil {
		return ExitFailure, err
	}
	s.summary(app)
	switch {
	case s.failed:
		return ExitFailure, nil
	case s.findings:
		return ExitFindings, nil
	}
	return ExitOK, nil
}
