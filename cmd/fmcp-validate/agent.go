package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"

	"github.com/flowmcp/fmcp/pkg/cli"
	"github.com/flowmcp/fmcp/pkg/config"
	"github.com/flowmcp/fmcp/pkg/record"
	"github.com/flowmcp/fmcp/pkg/report"
	"github.com/flowmcp/fmcp/pkg/rules"
	"github.com/flowmcp/fmcp/pkg/rules/agents"
	"github.com/flowmcp/fmcp/pkg/stage"
	"github.com/flowmcp/fmcp/pkg/walk"
)

type agentCommand struct {
	cli.JudgeFlags
	NoIgnores bool   `group:"Findings" help:"Ignore fmcp-ignore comments."`
	Dir       string `arg:"" name:"DIR" help:"The folder of an agent, such as agents/crypto-research, or its agent.mjs."`
}

// Formats are those of -f and -o.
func (a *agentCommand) Formats() []string { return cli.AnswerFormats }

// Run prints the list of chapter 06, "Validation Output Example".
func (a *agentCommand) Run(ctx context.Context, app *cli.App) (int, error) {
	c := outer(app)
	file, err := a.Configure(&c.StreamCommand, []string{a.Dir})
	if err != nil {
		return cli.ExitUsage, err
	}
	opts, err := a.Options(a.Dir)
	if err != nil {
		return cli.ExitUsage, err
	}
	opts.Keep = true
	load, found, err := a.read(ctx, opts)
	if err != nil {
		return cli.ExitFailure, err
	}
	filter, ignores := config.NewFilter(file, nil), rules.NewIgnores(load.Ignores)
	if a.NoIgnores {
		ignores = nil
	}
	code := cli.ExitOK
	judged := map[*record.Diagnostic]*record.Diagnostic{}
	for _, d := range found {
		if !ignores.Cover(d) {
			judged[d] = filter.Apply(d)
		}
	}
	for _, d := range ignores.Findings(load, opts.Profile, nil) {
		found, judged[d] = append(found, d), filter.Apply(d)
	}
	for _, d := range judged {
		if d != nil && c.FailOn.Fails(d.Severity) {
			code = cli.ExitFindings
		}
	}
	list := agents.ListAgent(load, found, func(d *record.Diagnostic) *record.Diagnostic { return judged[d] })
	return c.Answer(app, code, report.AgentText(list), report.AgentLines(list))
}

// read runs the stages over the manifest, and returns what they find in it.
func (a *agentCommand) read(ctx context.Context, opts stage.ValidateOptions) (load *record.Load,
	found []*record.Diagnostic, err error) {
	name, err := a.manifest()
	if err != nil {
		return nil, nil, err
	}
	err = stage.Run(ctx, stage.Options{Jobs: 1}, stage.Walk([]string{name}, walk.Options{}, nil),
		append(stage.Loading(info.Name), stage.Validate(opts)...), func(it *stage.Item) error {
			switch rec := it.Rec.(type) {
			case *record.Load:
				load = rec
			case *record.Diagnostic:
				found = append(found, rec)
			case *record.Error:
				return rec
			}
			return nil
		}, func() error { return nil })
	if err == nil && (load == nil || load.Type != record.TypeAgent) {
		err = fmt.Errorf("%s: is not a manifest of an agent: it exports no agent, and is in no folder of agents/", name)
	}
	return load, found, err
}

// manifest is the path of the agent.mjs that DIR means.
func (a *agentCommand) manifest() (string, error) {
	if info, err := os.Stat(a.Dir); err != nil || !info.IsDir() {
		return a.Dir, nil // reported where it cannot be read
	}
	name := filepath.Join(a.Dir, rules.ManifestName)
	if _, err := os.Stat(name); err == nil {
		return name, nil
	}
	if agents, _ := filepath.Glob(filepath.Join(a.Dir, "agents", "*", rules.ManifestName)); len(agents) > 0 {
		return "", fmt.Errorf("%s: holds agents; name one of them: %s", a.Dir, filepath.Dir(agents[0]))
	}
	return "", fmt.Errorf("%s: has no %s, by which an agent is defined (chapter 06)", a.Dir, rules.ManifestName)
}
