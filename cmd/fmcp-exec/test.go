package main

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/flowmcp/fmcp/cmd/internal/network"
	"github.com/flowmcp/fmcp/pkg/cli"
	"github.com/flowmcp/fmcp/pkg/exec"
	"github.com/flowmcp/fmcp/pkg/exec/capture"
	"github.com/flowmcp/fmcp/pkg/exec/suite"
	"github.com/flowmcp/fmcp/pkg/record"
	"github.com/flowmcp/fmcp/pkg/stage"
)

type testCommand struct {
	cli.CatalogFlags
	cli.FailFlags
	cli.EndFlag
	Catalog  string        `group:"Test" short:"c" placeholder:"FILE" var:"FMCP_CATALOG" help:"The catalog that IDs and globs are looked for in: what fmcp-resolve wrote, or a folder."`
	Mode     string        `group:"Test" default:"run" enum:"run,validate,dry-run" placeholder:"MODE" help:"run makes the calls; validate also checks the answers against output.schema; dry-run checks the tests and sends nothing (default: run)."`
	Delay    time.Duration `group:"Test" default:"1s" placeholder:"TIME" help:"Between the starts of two calls of one host; 0s for none (default: 1s)."`
	ReadOnly bool          `group:"Test" help:"Skip what may change something: tools by meta.isReadOnly, else by a method other than GET, and queries other than SELECT."`
	InPlace  bool          `group:"Test" help:"Run the tests of databases that are written to on the files themselves, not on copies: what they write stays."`
	ModelCmd string        `group:"Test" name:"model-command" placeholder:"CMD" help:"Run the tests of agents with this command, which talks to the model. The shell runs it once for each test: it reads the question as JSON from stdin, and prints the calls and the answer as JSON."`
	ModelMax time.Duration `group:"Test" name:"model-timeout" default:"5m" placeholder:"TIME" help:"Longest time for one run of the model command (default: 5m)."`
	Capture  string        `group:"Test" placeholder:"DIR" help:"Keep the answers and their figures in a new folder below DIR."`

	Plan    bool   `group:"Other processes" help:"Call nothing: print the tests as request records, for fmcp-exec or a queue of it to call."`
	Answers string `group:"Other processes" placeholder:"FILE" help:"Call nothing: judge the envelopes in FILE, which answer the requests of --plan; - is stdin."`

	verboseFlag

	GenerateOutput bool   `group:"Generate" help:"Derive the output of each tool from the answers, and print a patch of the sources for patch -p1; all else goes to stderr."`
	Captures       string `group:"Generate" placeholder:"DIR" help:"Take the answers that --capture has kept in DIR, of all runs or of one, and call nothing."`
	Source         string `group:"Generate" placeholder:"DIR" help:"The folder that the catalog of -c was resolved from, if that is a file (default: the current folder)."`

	network.CallFlags
	network.Recording
	network.Resources

	folders []string // of the catalog of each case of the plan
	asked   []*exec.Catalog
	leftOut bool // an error leaves out something that was to be tested

	Targets []string `arg:"" optional:"" name:"TARGET" help:"A Spec-ID (also of a skill, prompt, selection or agent), an MCP name, a Schema-File-ID, a glob over Spec-IDs such as 'coingecko/tool/*', or a schema file or folder; without one, the whole catalog."`
}

// Long is the paragraph of the help.
func (c *testCommand) Long() string {
	return "Each test of a tool is a call with the values in the schema (chapter 10); one of a resource's query runs " +
		"on its data, without the network. There is an envelope for each, in the order of the targets, with the " +
		"field test. " +
		"A tool whose server parameters are not set is skipped by name; where every test was skipped the status is 3," +
		" unless --allow-empty is given. The cache is not used. " +
		"For a selection or an agent the tests of its members are run and summed up. An agent also has tests of " +
		"its own: --model-command asks a model and compares its answer with expectedTools and expectedContent; " +
		"without it such a test only checks that the agent has the tools, and its outcome is checked. For a skill or " +
		"a prompt, fmcp-exec tests that every placeholder stands for something and that the prefill calls succeed. " +
		"Databases that are written to are copied first, and the tests of their queries change the copies; " +
		"--in-place has them change the files. " +
		"With --generate-output stdout is a patch of the sources, and the envelopes go to stderr as text."
}

// Examples are those of the help.
func (c *testCommand) Examples() []cli.Example {
	return []cli.Example{
		{Command: "fmcp-exec test catalog/providers/coingecko/simple.mjs",
			What: "all tests of a schema, while you write it"},
		{Command: "fmcp-exec test -c catalog.ndjson 'coingecko/tool/*' --capture captures/",
			What: "the tests of a namespace; keep the answers"},
		{Command: "fmcp-exec test -c catalog/ coingecko/tool/simplePrice --generate-output | patch -p1",
			What: "write the output of a tool as its answers show it"},
		{Command: "fmcp-exec test -c catalog.ndjson crypto/agent/researcher --model-command './ask.py'",
			What: "run the tests of an agent with a model"},
		{Command: "fmcp-exec test -c catalog.ndjson --plan | fmcp-exec -c catalog.ndjson --no-cache > answers.ndjson",
			What: "have other processes make the calls"},
		{Command: "fmcp-exec test -c catalog.ndjson --answers answers.ndjson",
			What: "and judge what they were answered"},
		{Command: "fmcp-exec test -c catalog.ndjson --mode validate --fail-on warning -o junit=tests.xml",
			What: "in CI: fail where an answer is not what output.schema says"},
	}
}

// Formats are those of -f and -o.
func (c *testCommand) Formats() []string {
	return append(slices.Clone(cli.AnswerFormats), "junit", "tap")
}

func (c *testCommand) Run(ctx context.Context, app *cli.App) (int, error) {
	run := stream(app)
	run.FailFlags = c.FailFlags
	if c.Delay < 0 {
		return cli.ExitUsage, cli.Usagef("--delay is %s, expected 0s or more", c.Delay)
	}
	if err := c.fit(run); err != nil {
		return cli.ExitUsage, err
	}
	caller, err := c.Caller(app, &c.CatalogFlags, c.Recording)
	if err != nil {
		return cli.ExitUsage, err
	}
	defer caller.Close()
	if err := c.Open(app, caller, &c.CallFlags, network.CacheFlags{}); err != nil {
		return cli.ExitUsage, err
	}
	caller.Resources.OnCopies = !c.InPlace
	caller.Trace = c.trace(app)
	plan, err := c.plan(ctx, app, run)
	if err != nil {
		return cli.ExitUsage, err
	}
	for _, tools := range c.asked {
		caller.Env.AskedBy(tools.Domains)
	}
	if err := c.CheckExposed(app, plan.HandlerSchemas); err != nil {
		return cli.ExitUsage, err
	}
	if c.Plan {
		return c.requests(ctx, app, run, plan)
	}
	mode, results := record.TestMode(c.Mode), &results{}
	if c.Capture != "" && len(plan.Cases()) > 0 {
		if results.capture, err = capture.Start(c.Capture, mode, time.Now()); err != nil {
			return cli.ExitFailure, err
		}
	}
	runner, err := c.runner(ctx, app, run, plan, caller)
	if err != nil {
		return cli.ExitFailure, err
	}
	status := cli.ExitOK
	if c.GenerateOutput {
		status, err = c.generate(ctx, app, run, plan, runner, results)
	} else {
		status, err = c.test(ctx, app, run, plan, runner, results.step())
	}
	if cerr := results.close(); err == nil && cerr != nil {
		return cli.ExitFailure, cerr
	}
	if err == nil && status == cli.ExitOK && results.ran == 0 && c.Captures == "" && !run.AllowEmpty {
		return cli.ExitFailure, fmt.Errorf("no test was run: all of %d were skipped; --allow-empty accepts that",
			len(plan.Cases()))
	}
	return c.orLeftOut(run, status, err)
}

// runner runs the tests, or judges what other processes were answered.
func (c *testCommand) runner(ctx context.Context, app *cli.App, run *cli.StreamCommand, plan *suite.Plan,
	caller *exec.Caller) (*suite.Runner, error) {
	o := suite.Options{Mode: record.TestMode(c.Mode), Delay: c.Delay, Jobs: run.Jobs, ReadOnly: c.ReadOnly,
		Model: c.model(), Cases: plan.Cases()}
	if c.Answers != "" {
		var err error
		if o.Answers, err = c.readAnswers(ctx, app, run); err != nil {
			return nil, err
		}
	}
	if c.Replay != "" || c.Answers != "" {
		o.Delay, c.Delay = 0, 0 // there is no host to spare
	}
	return suite.NewRunner(caller, o), nil
}

// model is what is asked, nil for nothing.
func (c *testCommand) model() *suite.Model {
	if c.ModelCmd == "" {
		return nil
	}
	return &suite.Model{Command: c.ModelCmd, Time: c.ModelMax}
}

// fit says which flags do not go together.
func (c *testCommand) fit(run *cli.StreamCommand) error {
	dry := record.TestMode(c.Mode) == record.TestDryRun
	if err := c.fitElsewhere(run); err != nil {
		return err
	}
	switch {
	case c.ModelMax <= 0:
		return cli.Usagef("--model-timeout is %s, expected more than 0s", c.ModelMax)
	case dry && c.Capture != "":
		return cli.Usagef("--capture keeps answers, and --mode dry-run gets none: give one of them")
	case !c.GenerateOutput && (c.Captures != "" || c.Source != ""):
		return cli.Usagef("--captures and --source are of --generate-output: add it, or leave them out")
	case !c.GenerateOutput:
		return nil
	case dry:
		return cli.Usagef("--generate-output needs answers, and --mode dry-run gets none: give one of them")
	case c.Captures != "" && c.Capture != "":
		return cli.Usagef("--captures takes answers that are kept, and --capture keeps new ones: give one of them")
	case run.Format != cli.FormatText && run.Format != cli.FormatNDJSON:
		return cli.Usagef("--generate-output prints a patch to stdout: write %s to a file, as in -o %s=FILE",
			run.Format, run.Format)
	}
	return nil
}

// waiting is how many tests there may be for each call under way: the tests of a
// catalog come host by host, and those that wait for the delay of theirs must
// not keep other hosts waiting. maxWaiting bounds the answers that are held until
// those before them have come.
const (
	waiting    = 16
	maxWaiting = 512
)

// test runs the tests and writes their envelopes.
func (c *testCommand) test(ctx context.Context, app *cli.App, run *cli.StreamCommand, plan *suite.Plan,
	runner *suite.Runner, last stage.Step) (int, error) {
	source := func(_ context.Context, send func(stage.Batch) bool) error {
		for _, one := range plan.Cases() {
			if !send(stage.Batch{stage.New(one)}) {
				break
			}
		}
		return nil
	}
	if c.Delay > 0 && run.Jobs > 1 {
		run.Jobs = max(run.Jobs, min(run.Jobs*waiting, maxWaiting))
	}
	bar := c.progress(app).Start(app, "tests", len(plan.Cases()))
	defer bar.Close()
	step := counted(bar, func(ctx context.Context, it *stage.Item) stage.Batch {
		return stage.Batch{stage.New(runner.Run(ctx, it.Rec.(*suite.Case)))}
	})
	return run.Run(ctx, app, cli.Pipeline{Source: source, Steps: []stage.Step{step, last}, Whole: true,
		End: c.End})
}

// results takes the results in order, keeps them where that is asked for, and
// hands on their envelopes.
type results struct {
	capture *capture.Run // nil for none
	ran     int          // tests that were not skipped
	tally   suite.Tally
}

// step is the last step of a run: after it, results are their envelopes.
func (r *results) step() stage.Step {
	return stage.Step{
		InOrder: func(it *stage.Item) (stage.Batch, error) {
			res, ok := it.Rec.(*suite.Result)
			if !ok {
				return stage.Batch{it}, nil
			}
			err := r.add(res)
			it.Rec = res.Envelope // that of a group is made by add
			return stage.Batch{it}, err
		},
	}
}

func (r *results) add(res *suite.Result) error {
	r.tally.Add(res)
	if res.Case.IsAggregate() {
		return nil
	}
	if res.Test.Outcome != record.TestSkipped {
		r.ran++
	}
	if r.capture != nil && res.Case.Target != nil {
		return r.capture.Add(res)
	}
	return nil
}

func (r *results) close() error {
	if r.capture == nil {
		return nil
	}
	return r.capture.Close()
}
