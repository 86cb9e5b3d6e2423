package text

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/flowmcp/fmcp/pkg/catalog"
	"github.com/flowmcp/fmcp/pkg/model"
	"github.com/flowmcp/fmcp/pkg/ordjson"
	"github.com/flowmcp/fmcp/pkg/progress"
	"github.com/flowmcp/fmcp/pkg/record"
	"github.com/flowmcp/fmcp/pkg/words"
)

// The limits of prefill (decision "Limits of prefill"): how many calls, how long
// they take together, and how many bytes of an answer are inserted.
const (
	maxCalls    = 10
	prefillTime = 30 * time.Second
	maxResult   = 64 << 10
)

// result is what came of a call.
type result struct {
	text   string
	failed string // why there is no text
	says   string // the same with what the API said of it
	known  bool   // that is said already, of an input
}

// prefill makes the calls of a skill one after another, within one deadline
// (chapter 18, "Resolution Flow").
func (f *filler) prefill(ctx context.Context, skill *catalog.Skill) {
	ctx, cancel := context.WithTimeout(ctx, prefillTime)
	defer cancel()
	f.results = map[string]result{}
	total := int64(len(skill.Prefill))
	for i, call := range skill.Prefill {
		progress.Report(ctx, int64(i), total, "calling "+call.Tool)
		r := f.call(progress.With(ctx, nil), i, call)
		if _, twice := f.results[call.Tool]; !twice {
			f.results[call.Tool] = r
		}
		if r.failed != "" && !r.known {
			f.delivery.Problems = append(f.delivery.Problems,
				words.Problemf(CodePrefill, "prefill[%d] %s: %s", i, call.Tool, cmp.Or(r.says, r.failed)))
		}
	}
	progress.Report(ctx, total, total, "all calls have been made")
}

// call makes one call, or says why not.
func (f *filler) call(ctx context.Context, i int, call catalog.Prefill) result {
	if i >= maxCalls {
		return result{failed: fmt.Sprintf("a skill makes %d calls at most", maxCalls)}
	}
	if why := f.refuses(call); why != "" {
		return result{failed: why}
	}
	params, _, problem := f.fillParams(call.Params)
	switch {
	case problem != nil:
		return result{failed: problem.Message, known: problem.Code == CodeInput}
	case !params.Exists():
		params = ordjson.NewObject()
	}
	if f.Run == nil {
		return result{text: "[DRY RUN: " + call.Tool + " " + ordjson.Text(params) + "]"}
	}
	if ctx.Err() != nil {
		return resultOf(ctx, &record.Envelope{})
	}
	return resultOf(ctx, f.Run(ctx, call.Tool, params))
}

// resultOf is the answer of a call as text. Of an answer that is an error the text
// has the status only: what the API said is not the author's.
func resultOf(ctx context.Context, e *record.Envelope) result {
	switch {
	case e.Status:
	case ctx.Err() == context.DeadlineExceeded:
		return result{failed: "the calls of the skill took more than " + prefillTime.String()}
	case ctx.Err() != nil:
		return result{failed: "the calls were cancelled"}
	case e.HTTPStatus != 0:
		return result{failed: fmt.Sprintf("HTTP %d", e.HTTPStatus), says: strings.Join(e.Messages, "; ")}
	default:
		var why []string
		for _, m := range e.Messages {
			_, rest, _ := strings.Cut(m, ": ") // without code and name
			why = append(why, rest)
		}
		return result{failed: strings.Join(why, "; ")}
	}
	text := ordjson.Unquoted(e.Data)
	if len(text) > maxResult {
		text = words.Clip(text, maxResult) + fmt.Sprintf("\n[CUT: %d of %d bytes]", maxResult, len(text))
	}
	for _, m := range e.Messages {
		text += "\n[INCOMPLETE: " + m + "]"
	}
	return result{text: text}
}

// refuses says why a call is not one that may be made beforehand (decision
// "Read-only tools").
func (f *filler) refuses(call catalog.Prefill) string {
	id, query := f.target(call)
	rec, _ := f.index.Record(id)
	reads := false
	switch r := rec.(type) {
	case *catalog.Tool:
		reads = r.ReadsOnly()
	case *catalog.Resource:
		reads = !slices.ContainsFunc(r.Queries,
			func(q *catalog.Query) bool { return (q.Name == query || query == "") && !q.ReadsOnly() })
	default:
		return "Tool '" + call.Tool + "' not found"
	}
	if !reads {
		return "Tool '" + call.Tool + "' may change something"
	}
	switch scope := f.text.Scope; {
	case scope.Type == catalog.ScopeNamespace:
		namespace, _, _ := strings.Cut(id, "/")
		if !slices.Contains(scope.Of, namespace) {
			return "Tool '" + call.Tool + "' is not of the skill's namespace"
		}
	case !f.offers(scope.Of, id, map[string]bool{}):
		return "Tool '" + call.Tool + "' is not of the skill's " + string(scope.Type)
	}
	return ""
}

// target is the record that a call is of, and the query where that is a resource.
func (f *filler) target(call catalog.Prefill) (id, query string) {
	id, query = call.Tool, call.Params.Get("query").Str()
	if cut := strings.LastIndexByte(id, '/'); cut > 0 && f.index.Type(id[:cut]) == record.TypeResource {
		id, query = id[:cut], id[cut+1:]
	}
	return id, query
}

// offers reports whether selections or agents, or the selections of those, have a
// member.
func (f *filler) offers(groups []string, id string, seen map[string]bool) bool {
	for _, name := range groups {
		if seen[name] {
			continue
		}
		seen[name] = true
		g, err := f.index.Group(name)
		has := func(ids []string) bool { return slices.Contains(ids, id) }
		if err == nil && (slices.ContainsFunc(g.Members[:], has) || f.offers(g.Selections, id, seen)) {
			return true
		}
	}
	return false
}

// fillParams fills in the inputs in the parameters of a call, also nested ones; a
// value that is one placeholder has the type of the input. It is out where that
// input was left out.
func (f *filler) fillParams(v ordjson.Value) (filled ordjson.Value, out bool, problem *words.Problem) {
	switch v.Kind() {
	case ordjson.String:
		return f.fillParam(v.Str())
	case ordjson.Array:
		var list []ordjson.Value
		for _, e := range v.Elems() {
			filled, out, problem := f.fillParams(e)
			if problem != nil {
				return v, false, problem
			}
			if !out {
				list = append(list, filled)
			}
		}
		return ordjson.NewArray(list...), false, nil
	case ordjson.Object:
		var members []ordjson.Member
		for _, m := range v.Members() {
			filled, out, problem := f.fillParams(m.Value)
			if problem != nil {
				return v, false, problem
			}
			if !out {
				members = append(members, ordjson.Field(m.Key, filled))
			}
		}
		return ordjson.NewObject(members...), false, nil
	}
	return v, false, nil
}

// fillParam fills in the inputs in a text of the parameters. Other placeholders are
// of content and stay.
func (f *filler) fillParam(text string) (filled ordjson.Value, out bool, problem *words.Problem) {
	var b strings.Builder
	at := 0
	for _, ph := range model.Placeholders(text) {
		if ph.Type != model.RefInput {
			continue
		}
		v, problem := f.inputs.Get(ph.Name)
		if problem != nil || ph.Start == 0 && ph.End == len(text) {
			return v, !v.Exists(), problem
		}
		inserted, _ := ordjson.ScalarText(v)
		b.WriteString(text[at:ph.Start] + inserted)
		at = ph.End
	}
	return ordjson.NewString(b.String() + text[at:]), false, nil
}

// prefilled is the result of a call in the content.
func (f *filler) prefilled(ref model.Reference, written string) filling {
	id := f.text.Meaning(ref)
	r, ok := f.results[id]
	switch {
	case !ok:
		return failed(CodePlaceholder, "Prefill '%s' not found", written)
	case r.failed != "":
		filled := failed(CodePrefill, "Prefill execution failed: %s", r.failed)
		filled.from = id
		return filled
	}
	return filling{text: r.text, from: id}
}
