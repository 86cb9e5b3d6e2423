package protocol

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/flowmcp/fmcp/pkg/lazy"
	"github.com/flowmcp/fmcp/pkg/ordjson"
	"github.com/flowmcp/fmcp/pkg/program"
	"github.com/flowmcp/fmcp/pkg/record"
	"github.com/flowmcp/fmcp/pkg/words"
)

// Command is a Scorer that asks a program of the user.
type Command struct {
	program program.Program
	version string // of this program
	model   string // that the program asks; "" where the user does not say
}

// answerForm is what a scorer command prints.
const answerForm = `{"score":4.5,"reasoning":"…"}`

// NewCommand is a Scorer that runs a command once for each prompt.
func NewCommand(command, model, version string, limit time.Duration) *Command {
	return &Command{version: version, model: model, program: program.Program{Name: "the scorer", Command: command,
		Env: environment(), Time: limit, Flag: "--scorer-timeout", Form: answerForm}}
}

// passedOn are the variables that a scorer gets: what programs need to run, and none
// that may have a key in it.
var passedOn = []string{"PATH", "HOME", "USER", "LANG", "LC_ALL", "LC_CTYPE", "TZ", "TMPDIR"}

func environment() []string {
	env := []string{} // not nil, which would be all of them
	for _, name := range passedOn {
		if value, set := os.LookupEnv(name); set {
			env = append(env, name+"="+value)
		}
	}
	return env
}

// Creator implements Scorer.
func (c *Command) Creator() ordjson.Value {
	return ordjson.NewObject(text("skill", "fmcp-grade"), text("skillVersion", c.version))
}

// Harness implements Scorer. Of the command it has the name of the program alone: there
// may be a key among the arguments.
func (c *Command) Harness() ordjson.Value {
	h := ordjson.NewObject(text("name", "cmd:"+programOf(c.program.Command)))
	if c.model != "" {
		h = h.With("model", ordjson.NewString(c.model))
	}
	return h
}

var plainName = lazy.Regexp(`^[\w.-]+$`)

// programOf is the name of the program that a line for the shell starts.
func programOf(command string) string {
	for _, word := range strings.Fields(command) {
		if strings.Contains(word, "=") { // a variable
			continue
		}
		if name := filepath.Base(word); plainName().MatchString(name) {
			return name
		}
		break
	}
	return "sh"
}

// Score implements Scorer: it asks one process, which sees nothing of other prompts.
func (c *Command) Score(ctx context.Context, p *Prompt) (Answer, error) {
	question := append(ordjson.Append(nil, ordjson.NewObject(text("schemaId", p.Schema.ID),
		text("scoringProtocol", Version), text("scoringInstructions", instructions), text("dimension", p.Dimension),
		text("prompt", p.Text))), '\n')
	v, err := c.program.Ask(ctx, question, func(v ordjson.Value) error { return checkAnswer(v, p.Dimension) })
	if err != nil {
		return Answer{}, err
	}
	v = single(v)
	return Answer{Score: v.Get("score").Float(), Reasoning: v.Get("reasoning").Str()}, nil
}

// single is the answer in an array of one, which is what scoringInstructions ask a
// model for.
func single(v ordjson.Value) ordjson.Value {
	if v.Is(ordjson.Array) && v.Len() == 1 {
		return v.Index(0)
	}
	return v
}

func checkAnswer(v ordjson.Value, dimension string) error {
	v = single(v)
	score, reasoning, of := v.Get("score"), v.Get("reasoning"), v.Get("dimension")
	switch {
	case !v.Is(ordjson.Object):
		return errors.New("found " + v.Kind().String())
	case !record.IsScore(score):
		return fmt.Errorf("score is %s and not %s", ordjson.Shown(score), scale)
	case !reasoning.Is(ordjson.String):
		return fmt.Errorf("reasoning is %s and not a text", ordjson.Shown(reasoning))
	case of.Exists() && of.Str() != dimension:
		return fmt.Errorf("dimension is %s and not %s", ordjson.Shown(of), words.Quote(dimension))
	}
	return nil
}
