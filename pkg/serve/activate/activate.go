// Package activate gets an agent ready to be served, in the steps of chapter 06,
// "Agent Activation Lifecycle".
package activate

import (
	"context"
	"errors"

	"github.com/flowmcp/fmcp/pkg/catalog"
	"github.com/flowmcp/fmcp/pkg/exec"
	"github.com/flowmcp/fmcp/pkg/record"
	"github.com/flowmcp/fmcp/pkg/serve/listing"
)

// Options say what of what is to be got ready.
type Options struct {
	Catalog *catalog.Index
	Wanted  catalog.Narrowing    // whose Agent is the agent
	Found   []*record.Diagnostic // errors of the files that the catalog was made of on the way
	Folder  string               // that of exec.Catalog
	Caller  *exec.Caller         // which has keys, resources and the sandbox
	Style   listing.Style        // in which its tools are listed
}

// Status is how a step came out.
type Status string

// The statuses. What comes after a step that failed is skipped, and so is what
// there is nothing to do for.
const (
	Passed  Status = "pass"
	Warned  Status = "warn"
	Failed  Status = "fail"
	Skipped Status = "skip"
)

// Step is one of the sixteen steps.
type Step struct {
	Number int // from 1
	Name   string
	Status Status
	Text   string   // what was found
	Lines  []string // one for each part of it that needs one
}

// Report is what became of an activation.
type Report struct {
	ID, Name string // of the agent; ID is "" where there is none
	Steps    []Step
	Catalog  *exec.Catalog // what of the catalog the agent has; nil where it does not start
}

// Failed is the first step that failed, nil where the agent is ready.
func (r *Report) Failed() *Step {
	for i := range r.Steps {
		if r.Steps[i].Status == Failed {
			return &r.Steps[i]
		}
	}
	return nil
}

// activation is an agent on its way through the steps.
type activation struct {
	Options
	ctx     context.Context
	report  *Report
	agent   *catalog.Group
	tools   *exec.Catalog    // what the agent has
	asked   []*param         // by its tools: collectParams makes it
	listing *listing.Listing // of its tools: registerTools makes it
	lines   []string         // of the step that is done
	missing error            // why the catalog has nothing for the agent
}

// steps are those of chapter 06, "Activation Steps". Each returns what it found, or
// why it failed.
var steps = []struct {
	name string
	do   func(*activation) (string, error)
}{
	{"Read manifest", (*activation).readManifest},
	{"Validate", (*activation).validate},
	{"Resolve tools", (*activation).resolveTools},
	{"Load schemas", (*activation).loadSchemas},
	{"Security scan", (*activation).scan},
	{"Collect params", (*activation).collectParams},
	{"Check env", (*activation).checkEnv},
	{"Resolve lists", (*activation).resolveLists},
	{"Verify hashes", (*activation).verifyHash},
	{"Load resources", (*activation).loadResources},
	{"Load prompts", (*activation).loadPrompts},
	{"Load skills", (*activation).loadSkills},
	{"Register tools", (*activation).registerTools},
	{"Register prompts", (*activation).registerPrompts},
	{"Register skills", (*activation).registerSkills},
	{"Register resources", (*activation).registerResources},
}

// errNothing is that of a step with nothing to do, errWarn of one with something
// to look at.
var (
	errNothing = errors.New("nothing to do")
	errWarn    = errors.New("something to look at")
)

// Run goes through the steps up to the first that fails.
func Run(ctx context.Context, o Options) *Report {
	a := &activation{Options: o, ctx: ctx, report: &Report{Name: catalog.LastPart(o.Wanted.Agent)}}
	failed := false
	for i, step := range steps {
		s := Step{Number: i + 1, Name: step.name, Status: Skipped, Text: "not reached"}
		if !failed {
			a.lines = nil
			text, err := "not known", errNothing
			if a.agent != nil || i == 0 {
				text, err = step.do(a)
			}
			if found := a.foundIn(s.Number); found != nil {
				err = found
			}
			switch {
			case err == nil:
				s.Status = Passed
			case errors.Is(err, errWarn):
				s.Status = Warned
			case !errors.Is(err, errNothing):
				s.Status, text = Failed, err.Error()
			}
			s.Text, s.Lines = text, a.lines
			failed = s.Status == Failed
		}
		a.report.Steps = append(a.report.Steps, s)
	}
	if !failed {
		a.report.Catalog = a.tools
	}
	return a.report
}

func (a *activation) add(line string) { a.lines = append(a.lines, line) }

// stepOf is the step that a rule's findings about a manifest belong to; that of
// all others is the second.
var stepOf = map[string]int{
	"AGT007": 3, "AGT032": 8, "AGT015": 10, "AGT013": 11, "AGT016": 11, "AGT017": 11, "AGT014": 12, "AGT018": 12,
	"AGT030": 12,
}

// foundIn fails a step whose rules found an error in the manifest, which is then
// no part of the catalog.
func (a *activation) foundIn(step int) (err error) {
	for _, d := range a.errors() {
		if at := max(2, stepOf[d.Code]); at == step {
			a.add(d.Code + " " + d.Loc.Path + ": " + d.Message + "; " + d.Fix)
			err = errors.New("the manifest has errors, and the agent is left out of the catalog")
		}
	}
	return err
}

// errors are those that were found in the manifest of an agent that the catalog
// does not have.
func (a *activation) errors() (list []*record.Diagnostic) {
	for _, d := range a.Found {
		if a.agent == nil && (d.Subject == a.Wanted.Agent || d.Subject == a.report.Name+"/agent/"+a.report.Name) {
			list = append(list, d)
		}
	}
	return list
}
