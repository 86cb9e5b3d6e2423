package fetch

import (
	"context"
	"sync"
)

// Room bounds what large answers of upstreams take in memory together, from when
// they are read until the contexts of their calls end. A call whose answer has
// no room waits with reading it, so that an MCP client that does not read is
// felt by the upstream and not in memory.
type Room struct {
	limit int64

	mu    sync.Mutex
	used  int64
	freed chan struct{} // closed when something leaves
}

// NewRoom returns room for about limit bytes.
func NewRoom(limit int64) *Room { return &Room{limit: limit, freed: make(chan struct{})} }

type roomKey struct{}

// share is what a call holds of a room.
type share struct {
	room *Room
	ctx  context.Context
	held int64 // under the lock of room
}

// For returns a context for a call whose answers count until ctx ends.
func (r *Room) For(ctx context.Context) context.Context {
	return context.WithValue(ctx, roomKey{}, &share{room: r, ctx: ctx})
}

// answerWeight is how many bytes an answer takes for each of its own: it is read,
// made text, parsed, and encoded again.
const answerWeight = 8

// takeRoom waits until an answer of n bytes has room. A call that holds some
// does not wait for more, nor does one that is alone: they would wait for
// themselves.
func takeRoom(ctx context.Context, n int64) error {
	s, ok := ctx.Value(roomKey{}).(*share)
	if !ok {
		return nil
	}
	r := s.room
	n *= answerWeight
	r.mu.Lock()
	defer r.mu.Unlock()
	for s.held == 0 && r.used > 0 && r.used+n > r.limit {
		freed := r.freed
		r.mu.Unlock()
		select {
		case <-freed:
		case <-ctx.Done():
		}
		r.mu.Lock()
		if err := ctx.Err(); err != nil {
			return err
		}
	}
	if s.held == 0 {
		context.AfterFunc(s.ctx, s.leave)
	}
	s.held += n
	r.used += n
	return nil
}

func (s *share) leave() {
	r := s.room
	r.mu.Lock()
	defer r.mu.Unlock()
	r.used -= s.held
	close(r.freed)
	r.freed = make(chan struct{})
}
