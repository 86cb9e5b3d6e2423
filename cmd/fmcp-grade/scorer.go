package main

import (
	"strings"
	"time"

	"github.com/flowmcp/fmcp/pkg/cli"
	"github.com/flowmcp/fmcp/pkg/grade/heuristic"
	"github.com/flowmcp/fmcp/pkg/grade/protocol"
)

// scorerFlags say what scores the schemas that have no scores.
type scorerFlags struct {
	Scorer    string        `group:"Scoring" placeholder:"NAME" help:"Score the schemas that have no scores: heuristic measures their texts, without a model; cmd:PROGRAM runs a shell command for each prompt, which reads the prompt as JSON from stdin and prints the score as JSON."`
	Repeat    int           `group:"Scoring" default:"1" placeholder:"N" help:"Ask for each score N times, and take their mean; it is an error if one is more than 0.2 from it (default: 1)."`
	ScoresOut string        `group:"Scoring" name:"scores-out" placeholder:"DIR" help:"Keep the scores of the scorer: DIR/SLUG/scores.json, which --scores reads, is written as soon as a schema is scored."`
	Model     string        `group:"Scoring" name:"scorer-model" placeholder:"MODEL" help:"Name of the model that cmd:PROGRAM asks, for the reports."`
	Timeout   time.Duration `group:"Scoring" name:"scorer-timeout" default:"1m" placeholder:"TIME" help:"Longest time that cmd:PROGRAM may take for one prompt, such as 90s (default: 1m)."`
}

// scorer is what the flags ask for, as far as it is about a scorer.
func (f *scorerFlags) scorer(jobs int, clock func() string) (protocol.Scoring, error) {
	s := protocol.Scoring{Jobs: jobs, Repeat: f.Repeat, Out: f.ScoresOut, Clock: clock}
	command, isCommand := strings.CutPrefix(f.Scorer, "cmd:")
	switch {
	case f.Repeat < 1:
		return s, cli.Usagef("--repeat is %d, expected 1 or more", f.Repeat)
	case f.Scorer == "" && (f.Repeat > 1 || f.ScoresOut != ""):
		return s, cli.Usagef("--repeat and --scores-out need a scorer: give --scorer too")
	case f.Model != "" && !isCommand:
		return s, cli.Usagef("--scorer-model is the model that a program asks: give --scorer cmd:PROGRAM too")
	case f.Scorer == "":
	case f.Scorer == "heuristic":
		s.Scorer = func() protocol.Scorer { return heuristic.New() }
	case isCommand && strings.TrimSpace(command) != "":
		s.Scorer = func() protocol.Scorer { return protocol.NewCommand(command, f.Model, cli.Version(), f.Timeout) }
	default:
		return s, cli.Usagef("--scorer is %q, expected heuristic or cmd: and a program, as in 'cmd:./ask.py'", f.Scorer)
	}
	return s, nil
}
