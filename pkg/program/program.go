// Package program asks programs of the user: the shell runs one for each question,
// which it reads as JSON from stdin, and it prints its answer as JSON.
package program

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os/exec"
	"strings"
	"time"

	"github.com/flowmcp/fmcp/pkg/ordjson"
	"github.com/flowmcp/fmcp/pkg/words"
)

// Program is a command that answers questions.
type Program struct {
	Name    string        // "the model command", in messages
	Command string        // for the shell
	Env     []string      // its environment; nil is that of this process
	Time    time.Duration // for one question
	Flag    string        // that sets Time
	Form    string        // of the answers, in messages
}

// maxAnswer is how many bytes a program may print.
const maxAnswer = 4 << 20

// Ask asks one question of a process of its own. check says what is wrong with an
// answer.
func (p *Program) Ask(ctx context.Context, question []byte, check func(ordjson.Value) error) (ordjson.Value, error) {
	ctx, cancel := context.WithTimeout(ctx, p.Time)
	defer cancel()
	cmd := exec.CommandContext(ctx, "sh", "-c", p.Command)
	out, said := &head{full: cancel}, &tail{}
	cmd.Stdin, cmd.Stdout, cmd.Stderr, cmd.WaitDelay = bytes.NewReader(question), out, said, time.Second
	cmd.Env = p.Env
	endGroup(cmd)
	err := cmd.Run()
	switch {
	case out.text.Len() > maxAnswer:
		return ordjson.Value{}, fmt.Errorf("%s printed more than %d bytes, expected %s", p.Name, maxAnswer, p.Form)
	case errors.Is(ctx.Err(), context.DeadlineExceeded):
		return ordjson.Value{}, fmt.Errorf("%s did not end within %s: raise %s", p.Name, p.Time, p.Flag)
	case errors.Is(err, exec.ErrWaitDelay):
		return ordjson.Value{}, fmt.Errorf("%s ended, but a process that it started keeps its output open: "+
			"have it wait for that process, or redirect the output of it", p.Name)
	case err != nil:
		return ordjson.Value{}, fmt.Errorf("%s failed: %w%s", p.Name, err, said.last())
	}
	answer, err := ordjson.Parse(out.text.String())
	if err == nil {
		err = check(answer)
	}
	if err != nil {
		return ordjson.Value{}, fmt.Errorf("%s printed %s: %w; expected %s", p.Name, words.Quote(out.text.String()),
			err, p.Form)
	}
	return answer, nil
}

// head keeps what is written up to maxAnswer, past which it ends who writes.
type head struct {
	text bytes.Buffer
	full func()
}

// Write implements io.Writer.
func (h *head) Write(p []byte) (int, error) {
	if h.text.Len() > maxAnswer {
		h.full()
		return len(p), nil
	}
	return h.text.Write(p)
}

// tail keeps the end of what is written.
type tail struct{ text []byte }

// maxTail is how much of stderr is kept.
const maxTail = 4 << 10

// Write implements io.Writer.
func (t *tail) Write(p []byte) (int, error) {
	t.text = append(t.text, p...)
	t.text = t.text[max(0, len(t.text)-maxTail):]
	return len(p), nil
}

// last is the last line, after a colon.
func (t *tail) last() string {
	lines := strings.Split(strings.TrimSpace(string(t.text)), "\n")
	if last := strings.TrimSpace(lines[len(lines)-1]); last != "" {
		return ": " + words.Brief(last)
	}
	return ""
}
