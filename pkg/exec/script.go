package exec

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"github.com/flowmcp/fmcp/pkg/catalog"
	"github.com/flowmcp/fmcp/pkg/ordjson"
	"github.com/flowmcp/fmcp/pkg/record"
	"github.com/flowmcp/fmcp/pkg/sandbox"
	"github.com/flowmcp/fmcp/pkg/words"
)

// newScript is the source of a schema, and the lists and libraries that its
// factory gets.
func newScript(h *catalog.Handlers, bundles map[string]*sandbox.Library) *sandbox.Script {
	given := lists(h.Lists)
	sum := sha256.Sum256(given)
	return &sandbox.Script{
		Key: h.Schema + " " + h.Hashes.File + " " + hex.EncodeToString(sum[:8]), Path: h.Src.Path, Source: h.Source,
		Lists: given, Loose: h.Profile == record.ProfileCommunity, Libraries: h.Libraries, Bundles: bundles,
	}
}

func lists(v ordjson.Value) json.RawMessage {
	if !v.Is(ordjson.Object) {
		return nil
	}
	return ordjson.Append(nil, v)
}

// handler runs a handler and reads what it returned: Missing where the schema
// has no such handler. The errors are *words.Problem.
func (c *Caller) handler(ctx context.Context, s *sandbox.Script, call sandbox.Call) (ordjson.Value, error) {
	call.Log = tracedOf(ctx).logger()
	out, err := c.Sandbox.Call(ctx, *s, call)
	if err != nil {
		return ordjson.Value{}, handlerError(ctx, s, call.Stage, err)
	}
	if out == nil {
		return ordjson.Value{}, nil
	}
	v, err := ordjson.Parse(string(out))
	if err != nil || !v.Get("response").Exists() && !v.Get("struct").Exists() {
		return ordjson.Value{}, fail(sandbox.CodeShape, "%s returned what JSON does not have, such as a function",
			call.Stage)
	}
	return v, nil
}

// handlerError makes a *words.Problem of one of the sandbox.
func handlerError(ctx context.Context, s *sandbox.Script, stage string, err error) *words.Problem {
	var failure *sandbox.HandlerError
	switch {
	case errors.As(err, &failure):
		text := failure.Msg + whereText(s.Path, failure)
		if failure.Code != sandbox.CodeFactory && !strings.HasPrefix(text, stage+" ") { // else it says where
			text = stage + ": " + text
		}
		return fail(failure.Code, "%s", text)
	case errors.Is(context.Cause(ctx), context.DeadlineExceeded):
		return fail(CodeTimeout, "the call did not end in time, and %s still ran: ask for less, or raise --timeout",
			stage)
	}
	return fail(CodeCancelled, "the call was cancelled in %s", stage)
}

// whereText is the place of an error in the schema's file, and from where that
// was called.
func whereText(path string, e *sandbox.HandlerError) string {
	if e.Line == 0 {
		return ""
	}
	text := fmt.Sprintf(" (%s:%d:%d", path, e.Line, e.Col)
	for i, p := range e.Callers {
		sep := ", "
		if i == 0 {
			sep = ", called at "
		}
		text += fmt.Sprintf("%s%d:%d", sep, p.Line, p.Col)
	}
	return text + ")"
}

// ListHandlers makes the handlers of one of HandlerFiles without calling one, and
// says what there is. The error is a *words.Problem.
func (c *Catalog) ListHandlers(ctx context.Context, pool *sandbox.Pool, f catalog.File) ([]sandbox.Handler, error) {
	c.mu.Lock()
	script, err := c.script(f)
	c.mu.Unlock()
	if err != nil {
		return nil, fail(CodeBadRecord, "%v", err)
	}
	list, err := pool.Handlers(ctx, *script)
	if err != nil {
		return nil, handlerError(ctx, script, "handlers", err)
	}
	return list, nil
}

// verdict is what a handler says in its struct of how it went: that it failed,
// which is the error, or what a caller must know of its data (decision "Handler
// results"). Beside a response it stands on its own. clean redacts.
func verdict(stage string, out ordjson.Value, clean func(string) string) (said string, err error) {
	st := out.Get("struct")
	if v := out.Get("verdict"); v.Exists() {
		st = v
	}
	var texts []string
	for _, m := range st.Get("messages").Elems() {
		switch m.Kind() {
		case ordjson.String:
			texts = append(texts, m.Str())
		case ordjson.Null:
		default:
			texts = append(texts, ordjson.Text(m))
		}
	}
	said = snippet(clean(strings.Join(texts, "; ")))
	switch s := st.Get("status"); {
	case !s.Exists() || s.True():
		return said, nil
	case !s.Is(ordjson.Bool):
		return "", fail(sandbox.CodeShape, "%s returned a struct whose status is %s, expected true or false", stage,
			snippet(clean(ordjson.Text(s))))
	case said == "":
		return "", fail(sandbox.CodeThrew, "%s says that it failed, and not why: struct.messages is empty", stage)
	}
	return "", fail(sandbox.CodeThrew, "%s says that it failed: %s", stage, said)
}
