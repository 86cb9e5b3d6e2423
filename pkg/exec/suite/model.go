package suite

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/flowmcp/fmcp/pkg/catalog"
	fmcp "github.com/flowmcp/fmcp/pkg/exec"
	"github.com/flowmcp/fmcp/pkg/exec/secret"
	"github.com/flowmcp/fmcp/pkg/ordjson"
	"github.com/flowmcp/fmcp/pkg/program"
	"github.com/flowmcp/fmcp/pkg/record"
	"github.com/flowmcp/fmcp/pkg/words"
)

// Model is a command that stands for the model of an agent: docs/testing.md says
// what it reads and writes.
type Model struct {
	Command string        // for the shell
	Time    time.Duration // for one test
}

// question is what a test of an agent asks of its model.
type question struct {
	catalog *fmcp.Catalog
	agent   *catalog.Group
	group   *group
	test    ordjson.Value
}

// text is the question as the command reads it. ids are the Spec-IDs of the tools by
// both their names; keys are the server parameters of them.
func (q *question) text(c *Case) (text []byte, ids map[string]string, keys []string, err error) {
	ids = map[string]string{}
	var tools []ordjson.Value
	add := func(t fmcp.Target) {
		r := t.Record()
		ids[r.WireName], ids[r.ID], keys = r.ID, r.ID, append(keys, t.ServerKeys()...)
		tools = append(tools, ordjson.NewObject(
			ordjson.Field("name", ordjson.NewString(r.WireName)), ordjson.Field("id", ordjson.NewString(r.ID)),
			ordjson.Field("description", ordjson.NewString(r.Description)),
			ordjson.Field("inputSchema", r.InputSchema)))
	}
	for _, m := range q.group.members {
		switch m.Type {
		case record.TypeTool:
			t, err := q.catalog.Target(m.ID)
			if err != nil {
				return nil, nil, nil, err
			}
			add(t)
		case record.TypeResource:
			queries, err := q.catalog.Queries(m.ID)
			if err != nil {
				return nil, nil, nil, err
			}
			for _, query := range queries {
				add(query)
			}
		}
	}
	str := func(key, s string) ordjson.Member { return ordjson.Field(key, ordjson.NewString(s)) }
	return append(ordjson.Append(nil, ordjson.NewObject(
		ordjson.Field("v", ordjson.NewInt(1)), str("agent", q.agent.ID), ordjson.Field("test", ordjson.NewInt(c.Index)),
		str("model", q.agent.Model), str("systemPrompt", q.agent.SystemPrompt), str("input", q.test.Get("input").Str()),
		ordjson.Field("maxRounds", ordjson.NewInt(q.agent.MaxRounds)),
		ordjson.Field("maxTokens", ordjson.NewInt(q.agent.MaxTokens)),
		ordjson.Field("tools", ordjson.NewArray(tools...)))), '\n'), ids, keys, nil
}

// ask asks the model, and judges what it called and answered (chapter 06,
// "Three-Level Test Model").
func (r *Runner) ask(ctx context.Context, c *Case, t *record.Test, res *Result) {
	select {
	case r.slots <- struct{}{}:
		defer func() { <-r.slots }()
	case <-ctx.Done():
	}
	res.Began, res.Called = time.Now(), true
	text, ids, keys, err := c.question.text(c)
	redact := secret.NewRedactor(r.caller.Env, keys)
	var reply ordjson.Value
	if err == nil {
		reply, err = r.model.run(ctx, text)
	}
	e := &record.Envelope{ID: c.ID, Status: true, Data: ordjson.NewNull()}
	if err != nil {
		e = r.failed(c, words.Problemf(fmcp.CodeModel, "%s", redact.Text(err.Error())))
	} else {
		t.Answer, t.Outcome = redact.Text(reply.Get("answer").Str()), record.TestPassed
		called, wrong := judge(reply, ids, c.expected, record.StringsOf(c.question.test.Get("expectedContent")))
		if t.CalledTools = called; wrong != nil {
			e = r.failed(c, words.Problemf(fmcp.CodeAgentTest, "%s", redact.Text(strings.Join(wrong, "; "))))
			t.Outcome = record.TestFailed
		}
	}
	e.Duration = time.Since(res.Began)
	res.Envelope = e
	r.describe(c, t, e)
}

// judge says which tools were called, and what of the expected is not there: each
// tool is called, though others may be, and each text is in the answer, in whatever
// case.
func judge(reply ordjson.Value, ids map[string]string, tools, content []string) (called, wrong []string) {
	for _, call := range reply.Get("calls").Elems() {
		name := call.Get("tool").Str()
		id, known := ids[name]
		if !known {
			wrong = append(wrong, "called "+words.Quote(name)+", which the agent does not have")
			continue
		}
		called = append(called, id)
	}
	for _, tool := range tools {
		if !slices.Contains(called, tool) {
			wrong = append(wrong, "expected a call of "+tool+", found "+orNone(called))
		}
	}
	answer := strings.ToLower(reply.Get("answer").Str())
	for _, text := range content {
		if !strings.Contains(answer, strings.ToLower(text)) {
			wrong = append(wrong, "expected "+words.Quote(text)+" in the answer, found "+
				words.Quote(reply.Get("answer").Str()))
		}
	}
	return called, wrong
}

func orNone(called []string) string {
	if called == nil {
		return "no call"
	}
	return words.List(called)
}

// replyForm is what a model command prints.
const replyForm = `{"calls":[{"tool":"…","arguments":{…}}],"answer":"…"}`

// run asks one question of a process of its own.
func (m *Model) run(ctx context.Context, question []byte) (ordjson.Value, error) {
	p := program.Program{Name: "the model command", Command: m.Command, Time: m.Time, Flag: "--model-timeout",
		Form: replyForm}
	return p.Ask(ctx, question, checkReply)
}

func checkReply(reply ordjson.Value) error {
	switch {
	case !reply.Is(ordjson.Object):
		return errors.New("found " + reply.Kind().String())
	case !reply.Get("calls").Is(ordjson.Array):
		return errors.New("calls is no array")
	case !reply.Get("answer").Is(ordjson.String):
		return errors.New("answer is no string")
	}
	for i, call := range reply.Get("calls").Elems() {
		if call.Get("tool").Str() == "" {
			return fmt.Errorf("calls[%d].tool is no name", i)
		}
	}
	return nil
}
