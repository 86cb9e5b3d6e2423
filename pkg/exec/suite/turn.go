package suite

import (
	"context"
	"sync"
)

// turns let the calls of a host start in the order of the plan, whoever of those
// that wait for the delay wakes up first: the results leave in that order, and
// one that came last would hold back all that are behind it.
type turns struct {
	mu    sync.Mutex
	lines map[string][]*turn // by host, those that have not started
	of    map[*Case]*turn
}

type turn struct {
	host  string
	ready chan struct{} // closed when all before it have started, or never will
	over  bool
}

func newTurns(cases []*Case) *turns {
	t := &turns{lines: map[string][]*turn{}, of: map[*Case]*turn{}}
	for _, c := range cases {
		if c.Target == nil {
			continue
		}
		own := &turn{host: hostOf(c.Target), ready: make(chan struct{})}
		if len(t.lines[own.host]) == 0 {
			close(own.ready)
		}
		t.lines[own.host] = append(t.lines[own.host], own)
		t.of[c] = own
	}
	return t
}

// wait waits for the turn of a test, or returns the context's error.
func (t *turns) wait(ctx context.Context, c *Case) error {
	own := t.of[c]
	if own == nil {
		return nil
	}
	select {
	case <-own.ready:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// pass ends the turn of a test, which has started or never will.
func (t *turns) pass(c *Case) {
	own := t.of[c]
	if own == nil {
		return
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	own.over = true
	line := t.lines[own.host]
	if len(line) == 0 || line[0] != own {
		return
	}
	for len(line) > 0 && line[0].over {
		line = line[1:]
	}
	t.lines[own.host] = line
	if len(line) > 0 {
		close(line[0].ready)
	}
}
