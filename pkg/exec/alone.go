package exec

import (
	"context"
	"sync"

	"github.com/flowmcp/fmcp/pkg/record"
)

// alone keeps tools that are not safe beside themselves from running so
// (chapter 19, meta.isConcurrencySafe). The zero value is ready.
type alone struct {
	mu    sync.Mutex
	turns map[string]chan struct{} // by Spec-ID
}

// enter waits for the tool's turn; leave ends it.
func (a *alone) enter(ctx context.Context, t *Tool) (leave func(), err error) {
	if !record.Alone(t.Data.Get("meta")) {
		return func() {}, nil
	}
	a.mu.Lock()
	if a.turns == nil {
		a.turns = map[string]chan struct{}{}
	}
	turn := a.turns[t.ID]
	if turn == nil {
		turn = make(chan struct{}, 1)
		a.turns[t.ID] = turn
	}
	a.mu.Unlock()
	select {
	case turn <- struct{}{}:
		return func() { <-turn }, nil
	case <-ctx.Done():
		return nil, fail(CodeCancelled, "the call was cancelled while it waited for another of the same tool (meta.isConcurrencySafe: false)")
	}
}
