package main

import (
	"cmp"
	"slices"
	"time"

	"github.com/flowmcp/fmcp/pkg/cli"
	"github.com/flowmcp/fmcp/pkg/grade"
	"github.com/flowmcp/fmcp/pkg/grade/spec2"
	"github.com/flowmcp/fmcp/pkg/ordjson"
	"github.com/flowmcp/fmcp/pkg/record"
	"github.com/flowmcp/fmcp/pkg/words"
)

// gradingFlags say how scores become grades.
type gradingFlags struct {
	Grading   string  `group:"Grading" default:"baseline" enum:"baseline,spec2" placeholder:"NAME" help:"How scores become grades: baseline is chapter 20, spec2 the Grading-Spec 2.0.0 (default: baseline)."`
	Persona   persona `group:"Grading" placeholder:"NAME" help:"With --grading spec2, the persona under which the scores were given: ai-engineer, decision-maker, hackathon-builder or schema-maintainer."`
	Gradings  string  `group:"Grading" placeholder:"DIR" help:"With --grading spec2, a folder of grading data: its entries of a schema count in the grade, and the new entry is added to it."`
	Timestamp string  `group:"Grading" placeholder:"TIME" help:"Time for the reports, or now; by default they have none, so that equal input gives equal reports. With --grading spec2 also the time of the entries, which is now by default."`
}

// persona is the value of --persona.
type persona string

// Words implements cli.Chooser.
func (*persona) Words() []string { return spec2.Personas }

// report makes the report of a schema.
func (g *gradingFlags) report() (func(*grade.Evidence) (*record.Grade, error), error) {
	timestamp, err := cli.Timestamp(g.Timestamp)
	if err != nil {
		return nil, err
	}
	if g.Grading == "spec2" {
		return g.spec2(timestamp)
	}
	for flag, value := range map[string]string{"--persona": string(g.Persona), "--gradings": g.Gradings} {
		if value != "" {
			return nil, cli.Usagef("%s is for entries of the Grading-Spec: add --grading spec2", flag)
		}
	}
	return func(e *grade.Evidence) (*record.Grade, error) {
		r := grade.Report(e)
		r.Timestamp = timestamp
		return r, nil
	}, nil
}

// clock is the time: that which the reports carry, or now.
func (g *gradingFlags) clock() string {
	if g.Timestamp != "" && g.Timestamp != "now" {
		return g.Timestamp
	}
	return time.Now().UTC().Format(time.RFC3339)
}

// spec2 makes reports by the Grading-Spec, and keeps their entries.
func (g *gradingFlags) spec2(timestamp string) (func(*grade.Evidence) (*record.Grade, error), error) {
	if g.Persona != "" && !slices.Contains(spec2.Personas, string(g.Persona)) {
		return nil, cli.Usagef("--persona: found %q, expected %s%s", g.Persona, words.List(spec2.Personas),
			words.DidYouMean(string(g.Persona), spec2.Personas))
	}
	folder, before := spec2.Folder(g.Gradings), &grade.Evidence{}
	return func(e *grade.Evidence) (*record.Grade, error) {
		now, err := time.Parse(time.RFC3339, cmp.Or(timestamp, g.clock()))
		if err != nil {
			return nil, err
		}
		o := spec2.Options{Persona: string(g.Persona), Now: now}
		if g.Gradings != "" {
			if o.Earlier, err = folder.Before(e.ID, o.Now); err != nil {
				return nil, err
			}
		}
		r := spec2.Report(e, &o)
		r.Timestamp = timestamp
		switch {
		case g.Gradings == "" || !r.Grading.Entry.Exists():
		case before.ID == e.ID && before.Path != e.Path: // they come in the order of their IDs
			r.Grading.NoEntry, r.Grading.Entry = before.Path+" has the same ID: rename one of them", ordjson.Value{}
		default:
			before = e
			err = folder.Add(e.ID, o.Now, r.Grading.Entry)
		}
		return r, err
	}, nil
}
