package serve

import (
	"context"
	"slices"
	"sync"
)

// slots bounds how many calls run at once, over all clients. Calls get their
// turns in the order in which they queued.
type slots struct {
	mu    sync.Mutex
	free  int
	queue []*turn
}

func newSlots(n int) *slots { return &slots{free: n} }

// turn is the place of a call in the queue, and later its slot.
type turn struct {
	slots *slots
	come  chan struct{} // closed once it is a slot
}

// line queues a call; leave is to be called for every turn.
func (s *slots) line() *turn {
	t := &turn{slots: s, come: make(chan struct{})}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.queue = append(s.queue, t)
	s.next()
	return t
}

// next gives free slots, under the lock, to those that have waited longest.
func (s *slots) next() {
	for s.free > 0 && len(s.queue) > 0 {
		close(s.queue[0].come)
		s.queue[0] = nil
		s.queue = s.queue[1:]
		s.free--
	}
}

// wait returns when the turn has come or ctx has ended.
func (t *turn) wait(ctx context.Context) {
	select {
	case <-t.come:
	case <-ctx.Done():
	}
}

// leave gives the slot, or the place in the queue, to others.
func (t *turn) leave() {
	s := t.slots
	s.mu.Lock()
	defer s.mu.Unlock()
	if i := slices.Index(s.queue, t); i >= 0 {
		s.queue = slices.Delete(s.queue, i, i+1)
		return
	}
	s.free++
	s.next()
}
