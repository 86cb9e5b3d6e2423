package suite

import (
	"context"
	"slices"
	"strings"
	"time"

	"github.com/flowmcp/fmcp/pkg/catalog"
	"github.com/flowmcp/fmcp/pkg/exec"
	"github.com/flowmcp/fmcp/pkg/model"
	"github.com/flowmcp/fmcp/pkg/ordjson"
	"github.com/flowmcp/fmcp/pkg/record"
	"github.com/flowmcp/fmcp/pkg/text"
	"github.com/flowmcp/fmcp/pkg/words"
)

// textTest is a test of a skill or a prompt, which has none of its own: that all
// that its content refers to is there or, of a skill, that the calls can be made
// that it is prefilled with (chapter 17, "Output Format Example").
type textTest struct {
	catalog *exec.Catalog
	text    catalog.Delivered
	prefill bool
	first   exec.Target // of the calls, nil where it cannot be found
}

// structural is what the first test of a skill or a prompt shows.
const structural = "Structural (Placeholder-Resolution)"

// texts are the Spec-IDs of the skills and prompts, in stream order.
func texts(c *exec.Catalog) []string { return c.Of(record.TypeSkill, record.TypePrompt) }

// addTexts adds the skills and prompts that are wanted.
func (p *Plan) addTexts(c *exec.Catalog, wanted func(id string) bool) int {
	n := 0
	for _, id := range texts(c) {
		if wanted(id) {
			p.addText(c, id)
			n++
		}
	}
	return n
}

// addText adds the tests of a skill or a prompt.
func (p *Plan) addText(c *exec.Catalog, id string) {
	if p.seen[id] {
		return
	}
	p.see(id)
	rec, err := c.Record(id)
	if err != nil {
		p.cases = append(p.cases, newCase(id, nil, &words.Problem{Code: exec.CodeBadRecord, Message: err.Error()},
			false))
		return
	}
	add := func(i int, description string, prefill bool) *Case {
		one := newCase(id, nil, nil, false)
		one.Index, one.Description = i, description
		one.text = &textTest{catalog: c, text: rec.(catalog.Delivered), prefill: prefill}
		p.cases = append(p.cases, one)
		return one
	}
	add(0, structural, false)
	skill, ok := rec.(*catalog.Skill)
	if !ok || len(skill.Prefill) == 0 {
		return
	}
	tools, resources := 0, 0
	for _, call := range skill.Prefill {
		if strings.Contains(call.Tool, "/"+catalog.TypeResource+"/") {
			resources++
		} else {
			tools++
		}
	}
	var calls []string
	if tools > 0 {
		calls = append(calls, words.Count(tools, "Tool"))
	}
	if resources > 0 {
		calls = append(calls, words.Count(resources, "Resource"))
	}
	test := add(1, "Prefill executed ("+strings.Join(calls, ", ")+")", true).text
	test.first, _, _ = c.Find(skill.Prefill[0].Tool, skill.Prefill[0].Params)
}

// deliver delivers the text, and judges what the test is about.
func (r *Runner) deliver(ctx context.Context, c *Case, t *record.Test, res *Result) {
	e := &record.Envelope{ID: c.ID, Status: true, Data: ordjson.NewNull()}
	res.Envelope, t.Outcome = e, record.TestPassed
	given, o, code := ordjson.NewObject(), text.Options{}, text.CodePlaceholder
	var missing []string
	skipped := 0 // calls
	if c.text.prefill {
		code = text.CodePrefill
		var lacking []string
		if given, lacking = c.text.inputs(); lacking != nil {
			res.Envelope, t.Outcome = r.failed(c, words.Problemf(exec.CodeTestSkipped,
				"skipped, since no test of the tool that is called says a value for input %s",
				words.List(lacking))), record.TestSkipped
			return
		}
		if r.mode != record.TestDryRun {
			_ = r.turns.wait(ctx, c) // one that is cut short leaves the calls to say so
			res.Called, o.Run = true, func(ctx context.Context, id string, params ordjson.Value) *record.Envelope {
				e, keys := r.prefillCall(ctx, c.text.catalog, id, params)
				if missing = append(missing, keys...); keys != nil {
					skipped++
				}
				return e
			}
		}
	}
	res.Began = time.Now()
	d := text.Deliver(ctx, c.text.catalog.Index, c.text.text, given, o)
	e.Duration = time.Since(res.Began)
	for _, p := range d.Problems {
		if p.Code == code {
			e.Status, t.Outcome = false, record.TestFailed
			e.Messages = append(e.Messages, r.failed(c, p).Messages...)
		}
	}
	if missing != nil && skipped == len(e.Messages) {
		t.Outcome, t.Missing = record.TestSkipped, slices.Compact(slices.Sorted(slices.Values(missing)))
	}
}

// prefillCall is a call that a skill is prefilled with, or the keys that are not
// set for it.
func (r *Runner) prefillCall(ctx context.Context, tools *exec.Catalog, id string, params ordjson.Value) (
	e *record.Envelope, missing []string) {
	target, params, err := tools.Find(id, params)
	if err != nil {
		return exec.Failure(id, ordjson.Value{}, err), nil
	}
	one := newCase(id, target, nil, false)
	one.Params = params
	if keys, why := r.missing(one, params); len(keys) > 0 {
		return r.failed(one, words.Problemf(exec.CodeTestSkipped, "%s", why)), keys
	}
	if end, err := r.start(ctx, one); err == nil {
		defer end()
	}
	return r.caller.Call(ctx, target, params, exec.Options{}), nil
}

// inputs are values for the inputs of a skill that its calls need: the first of an
// enum, or what the first test of the tool has for the parameter that the input is.
// lacking are those of which nobody says a value (decision "Tests of skills").
func (t *textTest) inputs() (given ordjson.Value, lacking []string) {
	skill := t.text.(*catalog.Skill)
	var values []ordjson.Member
	for _, ask := range skill.Inputs {
		placeholder, used := "{{"+model.RefInput+":"+ask.Key+"}}", false
		value := ordjson.Value{}
		if len(ask.Values) > 0 {
			value = ordjson.NewString(ask.Values[0])
		}
		for _, call := range skill.Prefill {
			used = used || strings.Contains(ordjson.Text(call.Params), placeholder)
			target, _, err := t.catalog.Find(call.Tool, call.Params)
			for _, m := range call.Params.Members() {
				if !value.Exists() && err == nil && m.Value.Is(ordjson.String) && m.Value.Str() == placeholder {
					value = target.Record().FirstTest().Get(m.Key)
				}
			}
		}
		switch {
		case value.Exists():
			values = append(values, ordjson.Field(ask.Key, value))
		case used && ask.Required:
			lacking = append(lacking, ask.Key)
		}
	}
	return ordjson.NewObject(values...), lacking
}
