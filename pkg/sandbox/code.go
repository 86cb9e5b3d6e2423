package sandbox

import (
	"context"
	"encoding/json"
	"errors"
	"strings"
)

// Run runs the body of an async JavaScript function that calls tools with await
// call(id, params), and returns the JSON of what it returned, nil for what has none.
// It runs under the limits of handlers, but in workers of its own, half as many: code
// without end keeps no handler waiting. Nothing is left of its runtime. Calls of
// tools that were begun are finished before Run returns, unless the code fails or
// ctx ends: then their contexts end. Errors are *HandlerError, whose place is one of
// the body, or ctx's.
func (p *Pool) Run(ctx context.Context, body string, c Call) (json.RawMessage, error) {
	c.Stage = Coding
	if warn := c.Warn; warn != nil {
		c.Warn = func(text string) { // without its code, which is one of handlers
			_, text, _ = strings.Cut(text, " ")
			warn(text)
		}
	}
	out, err := p.coding().Call(ctx, Script{Key: newKey(), Source: body}, c)
	if failure := (*HandlerError)(nil); errors.As(err, &failure) {
		failure.Msg = strings.ReplaceAll(failure.Msg, "the handler", "the code")
	}
	return out, err
}

// coding is where Run runs.
func (p *Pool) coding() *Pool {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.code == nil {
		apart := p.limits
		apart.Workers = max(apart.Workers/2, 1)
		p.code = NewPool(apart)
	}
	return p.code
}
