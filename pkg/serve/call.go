package serve

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync/atomic"

	"github.com/mark3labs/mcp-go/mcp"

	"github.com/flowmcp/fmcp/pkg/ordjson"
	"github.com/flowmcp/fmcp/pkg/record"
)

// call is a tools/call, a resources/read or a prompts/get that waits or runs.
type call struct {
	message
	session *session
	tool    *Tool   // nil where it is no tool that is called
	prompt  *Prompt // nil where it is no prompt that is got
	uri     string  // of the resource that is read
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

// startCall starts the call that m asks for, or says why there is none.
func (c *session) startCall(m message) *rpcError {
	name := m.params.Get("name")
	if !name.Is(ordjson.String) {
		return failure(mcp.INVALID_PARAMS, CodeBadParams, "expected params.name to be the name of a tool, found %s",
			shown(name))
	}
	tool, ok := c.tools[name.Str()]
	if !ok {
		return c.unknownTool(name.Str())
	}
	k := c.newCall(m)
	k.tool = tool
	c.enqueue(k)
	return nil
}

func (c *session) newCall(m message) *call {
	k := &call{message: m, session: c}
	k.ctx, k.cancel = context.WithCancelCause(c.ctx)
	return k
}

// run calls and answers. It ends when the answer is written: a client that does
// not read gets no further calls.
func (k *call) run() {
	b, err := k.answer()
	if err != nil {
		k.session.logFailed(k.about(), err.Message)
		b = appendError(nil, k.id, err)
	}
	k.session.out.write(k.close, b)
}

// about names the call on stderr.
func (k *call) about() string {
	switch {
	case k.tool != nil:
		return k.tool.ID
	case k.prompt != nil:
		return k.prompt.ID
	}
	return k.uri
}

// answer makes the line of the answer.
func (k *call) answer() (b []byte, err *rpcError) {
	defer func() {
		if r := recover(); r != nil {
			b, err = nil, k.session.fault(r, k.about())
		}
	}()
	switch {
	case k.tool != nil:
	case k.ctx.Err() != nil:
		return nil, failure(mcp.INTERNAL_ERROR, CodeStopping, "%s was not begun: the server is stopping",
			shown(ordjson.NewString(k.about())))
	case k.prompt != nil:
		return k.get()
	default:
		return k.read()
	}
	env := k.call()
	if env == nil {
		k.session.logf("%s: the call of %s gave no envelope", CodeCallFailed, k.tool.ID)
		return nil, failure(mcp.INTERNAL_ERROR, CodeCallFailed, "the call of %s gave no result", k.tool.WireName)
	}
	if !k.open() {
		return nil, nil
	}
	b = k.appendResult(env)
	if limit := k.session.opts.maxAnswer; len(b) > limit {
		env = refused(CodeAnswerTooLong,
			"%s: the answer takes %d bytes, more than the limit of %d that clients accept; ask for less, with a "+
				"filter, a limit or a page",
			k.tool.WireName, len(b), limit)
		b = k.appendResult(env)
	}
	if k.session.logWarnings(k.tool.ID, env); !env.Status {
		k.session.logFailed(k.tool.ID, strings.Join(env.Messages, "; "))
	}
	return b, nil
}

func (k *call) call() *record.Envelope {
	if k.ctx.Err() != nil {
		return refused(CodeStopping, "%s was not called: %v", k.tool.WireName, context.Cause(k.ctx))
	}
	args := k.params.Get("arguments")
	switch args.Kind() {
	case ordjson.Missing, ordjson.Null:
		args = ordjson.NewObject()
	case ordjson.Object:
	default:
		return refused(CodeBadArguments,
			"%s: expected arguments to be an object of parameters by name, found %s; give {} if there are none",
			k.tool.WireName, args.Kind())
	}
	return k.session.caller.Call(k.ctx, k.tool.ID, args)
}

// refused is the envelope of a call that was not made.
func refused(code, format string, args ...any) *record.Envelope {
	return &record.Envelope{Messages: []string{code + " " + fmt.Sprintf(format, args...)}, Data: ordjson.NewNull()}
}
