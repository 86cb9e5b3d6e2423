package suite

import (
	"slices"
	"strings"

	"github.com/flowmcp/fmcp/pkg/exec"
	"github.com/flowmcp/fmcp/pkg/model"
	"github.com/flowmcp/fmcp/pkg/ordjson"
	"github.com/flowmcp/fmcp/pkg/record"
	"github.com/flowmcp/fmcp/pkg/words"
)

// tagTest is the member of a request's tag that says which test of its tool it is:
// {"test":0}. The tag may have others, which do not matter here.
const tagTest = "test"

// Requests are the calls of the tests that another process can make (decision "Tests as
// requests"); reads leaves out those of tools that may change something.
func (p *Plan) Requests(reads bool) []*record.Request {
	var list []*record.Request
	for _, c := range p.cases {
		if c.Target == nil || c.err != nil || c.stays() || reads && !c.Target.ReadsOnly() {
			continue
		}
		tag := ordjson.NewObject(ordjson.Field(tagTest, ordjson.NewInt(c.Index)))
		list = append(list, &record.Request{ID: c.ID, Params: c.Params, Tag: tag})
	}
	return list
}

// stays reports whether only the process that judges a test can make its calls: a database
// that is written to is copied first, and the calls of a skill are several.
func (c *Case) stays() bool {
	q, ok := c.Target.(*exec.Query)
	return ok && q.Resource.Mode == model.FileBased || c.text != nil && c.text.prefill
}

// Answers are what other processes were answered to the Requests of a plan.
type Answers map[answered]*record.Envelope

type answered struct {
	id    string
	index int
}

// Add adds an envelope as it was written, unless it is of no test. Of several answers to
// a test the last one counts.
func (a Answers) Add(envelope ordjson.Value) {
	if n := envelope.Get("tag").Get(tagTest); n.Is(ordjson.Number) {
		e := record.Answer(envelope)
		a[answered{e.ID, int(n.Float())}] = e
	}
}

// of is the answer to a test. The error says why there is none that tells how the API
// answers now.
func (a Answers) of(c *Case) (*record.Envelope, *words.Problem) {
	e := a[answered{c.ID, c.Index}]
	const code = exec.CodeNoAnswer
	switch {
	case e == nil:
		return nil, words.Problemf(code, "there is no answer to the test: its request may still wait, or was set aside")
	case e.DryRun:
		return nil, words.Problemf(code, "the answer is that of a dry run, which calls nothing")
	case e.Cache != nil && (e.Cache.State == record.CacheHit || e.Cache.State == record.CacheStale):
		return nil, words.Problemf(code, "the answer is one of the cache, and a test asks the API as it is now: "+
			"answer the requests with --no-cache")
	}
	return e, nil
}

// lacksKey reports whether a call was not made for want of a server parameter.
func lacksKey(e *record.Envelope) bool {
	return !e.Status && slices.ContainsFunc(e.Messages, func(m string) bool {
		return strings.HasPrefix(m, exec.CodeMissingServer+" ") || strings.HasPrefix(m, exec.CodeUnbound+" ")
	})
}

// answered judges the answer that another process got.
func (r *Runner) answered(c *Case, t *record.Test, res *Result) {
	e, err := r.answers.of(c)
	if err != nil {
		res.Envelope = r.failed(c, err)
		return
	}
	e.Cache = nil
	r.judge(c, t, e)
	if res.Envelope = e; lacksKey(e) {
		t.Outcome = record.TestSkipped
	}
}
