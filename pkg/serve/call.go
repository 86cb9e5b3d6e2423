package serve

import (
	"context"
	"errors"
	"fmt"
	"math"
	"strings"
	"sync/atomic"

	"github.com/flowmcp/fmcp/pkg/ordjson"
	"github.com/flowmcp/fmcp/pkg/record"
)

// call is a tools/call or resources/read that waits or runs.
type call struct {
	session *session
	id, key string
	tool    *Tool  // nil where a resource is read
	uri     string // of that resource
	args    ordjson.Value
	frame   ordjson.Value // what the engine says a result must carry
	token   ordjson.Value // progressToken of the client, Missing where none
	cost    int           // what it holds of the gate
	ctx     context.Context
	cancel  context.CancelCauseFunc

	closed atomic.Bool // answered or withdrawn: nothing more is said of it
}

// errWithdrawn is why a call ends that the client cancelled.
var errWithdrawn = errors.New("the client cancelled the call")

// withdraw ends a running call that the client no longer wants. Once it
// returns, no answer is begun.
func (k *call) withdraw() {
	k.closed.Store(true)
	k.cancel(errWithdrawn)
}

func (k *call) open() bool { return !k.closed.Load() }

// close is open, for the last thing that is said.
func (k *call) close() bool { return k.closed.CompareAndSwap(false, true) }

// startCall starts the call that m asks for, or says why there is none. It
// holds the reader up while too much waits already.
func (c *session) startCall(m message, frame ordjson.Value, size int) *rpcError {
	name := m.params.Get("name")
	if !name.Is(ordjson.String) {
		return failure(rpcInvalidParams, CodeBadParams, "expected params.name to be the name of a tool, found %s", shown(name))
	}
	tool, ok := c.tools[name.Str()]
	if !ok {
		return c.unknownTool(name.Str())
	}
	k := c.newCall(m, frame, size)
	k.tool, k.args = tool, m.params.Get("arguments")
	c.gate.enter(c.ctx, k.cost)
	c.enqueue(k)
	return nil
}

func (c *session) newCall(m message, frame ordjson.Value, size int) *call {
	k := &call{session: c, id: m.id, key: m.key, frame: frame, token: m.params.Get("_meta").Get("progressToken"), cost: size + callCost}
	k.ctx, k.cancel = context.WithCancelCause(context.WithValue(c.ctx, callKey{}, k))
	return k
}

// run calls and answers. It ends when the answer is written: a client that does
// not read gets no further calls.
func (k *call) run() {
	if k.tool == nil {
		k.runRead()
		return
	}
	if k.ctx.Err() != nil {
		k.answer(refused(CodeStopping, "%s was not called: %v", k.tool.WireName, context.Cause(k.ctx)))
		return
	}
	env, err := k.call()
	if err != nil {
		k.session.logFailed(k.tool.ID, err.message)
		k.session.out.write(k.close, appendError(nil, k.id, err))
		return
	}
	k.answer(env)
}

func (k *call) call() (env *record.Envelope, err *rpcError) {
	defer func() {
		if r := recover(); r != nil {
			env, err = nil, k.session.fault(r, k.tool.WireName)
		}
	}()
	args := k.args
	switch args.Kind() {
	case ordjson.Missing, ordjson.Null:
		args = ordjson.NewObject()
	case ordjson.Object:
	default:
		return refused(CodeBadArguments, "%s: expected arguments to be an object of parameters by name, found %s; give {} where there are none",
			k.tool.WireName, args.Kind()), nil
	}
	if env = k.session.caller.Call(k.ctx, k.tool.ID, args); env == nil {
		k.session.logf("%s: the call of %s gave no envelope", CodeCallFailed, k.tool.ID)
		return nil, failure(rpcInternal, CodeCallFailed, "the call of %s gave no result", k.tool.WireName)
	}
	return env, nil
}

// refused is the envelope of a call that was not made.
func refused(code, format string, args ...any) *record.Envelope {
	return &record.Envelope{Messages: []string{code + " " + fmt.Sprintf(format, args...)}, Data: ordjson.NewNull()}
}

func (k *call) answer(env *record.Envelope) {
	if !k.open() {
		return
	}
	b := k.appendResult(env)
	if limit := k.session.opts.MaxAnswer; len(b) > limit {
		env = refused(CodeAnswerTooLong,
			"%s: the answer takes %d bytes, more than the limit of %d that clients accept; ask for less, with a filter, a limit or a page",
			k.tool.WireName, len(b), limit)
		b = k.appendResult(env)
	}
	if k.session.logWarnings(k.tool.ID, env); !env.Status {
		k.session.logFailed(k.tool.ID, strings.Join(env.Messages, "; "))
	}
	k.session.out.write(k.close, b)
}

type callKey struct{}

// Progress tells the client how far a call is, where it asked to know: done of
// total (0 where unknown), both finite and done growing from one to the next.
// ctx is the one that Caller.Call got. What is told after the answer, or after
// the client has cancelled, is dropped.
func Progress(ctx context.Context, done, total float64, text string) {
	k, ok := ctx.Value(callKey{}).(*call)
	if !ok || math.IsNaN(done) || math.IsInf(done, 0) || !k.token.Is(ordjson.String) && !k.token.Is(ordjson.Number) {
		return
	}
	b := append([]byte(nil), `{"jsonrpc":"2.0","method":"`+methodProgress+`","params":{"progressToken":`...)
	b = ordjson.Append(b, k.token)
	b = append(b, `,"progress":`...)
	b = ordjson.AppendNumber(b, done)
	if total > 0 && !math.IsInf(total, 0) {
		b = append(b, `,"total":`...)
		b = ordjson.AppendNumber(b, total)
	}
	if text != "" {
		b = append(b, `,"message":`...)
		b = ordjson.AppendString(b, text)
	}
	k.session.out.write(k.open, append(b, "}}\n"...))
}
