package exec

import (
	"context"
	"sync"

	"github.com/flowmcp/fmcp/pkg/record"
)

// turns are those of tools that must not run beside themselves, by Spec-ID
// (chapter 19, meta.isConcurrencySafe). They are of the process: a catalog may
// be read anew, and make its tools again, while calls are under way.
var turns sync.Map

// enterAlone waits for the tool's turn; leave ends it.
func enterAlone(ctx context.Context, t *Tool) (leave func(), err error) {
	if !record.Alone(t.Meta) {
		return func() {}, nil
	}
	made, _ := turns.LoadOrStore(t.ID, make(chan struct{}, 1))
	turn := made.(chan struct{})
	select {
	case turn <- struct{}{}:
		return func() { <-turn }, nil
	case <-ctx.Done():
		return nil, fail(CodeCancelled, "the call was cancelled while it waited for another of the same tool "+
			"(meta.isConcurrencySafe: false)")
	}
}
