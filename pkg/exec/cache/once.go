package cache

import (
	"context"
	"crypto/rand"
	"errors"
	"slices"

	"github.com/flowmcp/fmcp/pkg/ordjson"
	"github.com/flowmcp/fmcp/pkg/record"
)

// answer is one that equal calls get which are made at the same time.
type answer struct {
	ready    chan struct{} // closed when it is there
	gone     bool          // there is none: who asked for it gave up
	data     ordjson.Value
	err      error
	envelope record.Envelope // of the call, with the warnings of the answer alone
}

// ErrGaveUp says that a call ended while it waited for an equal one.
var ErrGaveUp = errors.New("gave up waiting for an equal call")

// Once does what gives the answer to a call, and fills its envelope, unless an equal one is
// under way: then it gives the answer of that, whatever it is. Where the other gave up, it
// is done after all. hold is called before a wait, and what it returns after it. Where
// answers are shared, Load waits likewise for an equal call of another process, which is
// waited for once.
func (s *Slot) Once(ctx context.Context, hold func(context.Context) (goOn func()),
	do func() (ordjson.Value, error)) (_ ordjson.Value, shared bool, _ error) {
	for {
		a, first := s.cache.enter(s.at.hash)
		if first {
			s.holder, s.hold = rand.Text(), hold
			s.answer(ctx, a, do)
			return a.data, false, a.err
		}
		goOn := hold(ctx)
		select {
		case <-ctx.Done():
		case <-a.ready:
		}
		goOn()
		if ctx.Err() != nil {
			return ordjson.Value{}, true, ErrGaveUp
		}
		if !a.gone {
			s.take(&a.envelope)
			return a.data, true, a.err
		}
	}
}

// enter is the answer of an equal call that is under way, or a new one, which is to be
// given.
func (c *Cache) enter(hash string) (a *answer, first bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if a = c.answers[hash]; a != nil {
		return a, false
	}
	if c.answers == nil {
		c.answers = map[string]*answer{}
	}
	a = &answer{ready: make(chan struct{}), gone: true}
	c.answers[hash] = a
	return a, true
}

// answer gives the answer; where do panics, there is none.
func (s *Slot) answer(ctx context.Context, a *answer, do func() (ordjson.Value, error)) {
	defer func() {
		s.cache.mu.Lock()
		delete(s.cache.answers, s.at.hash)
		s.cache.mu.Unlock()
		close(a.ready)
		if s.leave != nil {
			s.leave()
		}
	}()
	said := len(s.envelope.Warnings)
	a.data, a.err = do()
	a.gone = a.err != nil && ctx.Err() != nil
	a.envelope = *s.envelope
	a.envelope.Warnings = slices.Clone(s.envelope.Warnings[said:])
}

// take fills the envelope as that of an equal call.
func (s *Slot) take(from *record.Envelope) {
	s.envelope.Warnings = append(s.envelope.Warnings, from.Warnings...)
	s.envelope.HTTPStatus, s.envelope.ContentType = from.HTTPStatus, from.ContentType
	if from.Cache != nil {
		cached := *from.Cache
		s.envelope.Cache = &cached
	}
}
