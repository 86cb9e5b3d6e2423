package suite

import (
	"context"
	"sync"
)

// turns let the calls of a host start in the order of the plan, whoever of those
// that wait for the delay wakes up first: the results leave in that order, and
// one that came last would hold back all that come after it.
type turns map[*Case]*turn

type turn struct {
	before <-chan struct{} // closed when all before it have started, or never will
	over   chan struct{}   // before of the next
	pass   sync.Once
}

func newTurns(cases []*Case) turns {
	first := make(chan struct{})
	close(first)
	t, last := turns{}, map[string]*turn{}
	for _, c := range cases {
		target := c.Target
		if c.text != nil {
			target = c.text.first // the others of its calls follow within its turn
		}
		if target == nil {
			continue
		}
		host := hostOf(target)
		t[c] = &turn{before: first, over: make(chan struct{})}
		if last[host] != nil {
			t[c].before = last[host].over
		}
		last[host] = t[c]
	}
	return t
}

// wait waits for the turn of a test, or returns the context's error.
func (t turns) wait(ctx context.Context, c *Case) error {
	if t[c] == nil {
		return nil
	}
	select {
	case <-t[c].before:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// pass ends the turn of a test, which has started or never will.
func (t turns) pass(c *Case) {
	own := t[c]
	if own == nil {
		return
	}
	own.pass.Do(func() {
		go func() {
			<-own.before
			close(own.over)
		}()
	})
}
