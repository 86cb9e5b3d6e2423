package cache

import (
	"context"
	"time"
)

// Shared holds answers for several processes, perhaps on several machines. It reports its
// errors to the user itself; the process then goes on without it.
type Shared interface {
	// Secret is the key of all processes' hashes; where there is none yet, the candidate becomes it.
	Secret(ctx context.Context, candidate []byte) ([]byte, error)
	// Take returns the answer of a name. Where there is none, the holder, unless it is "",
	// gets the turn to call for it, for a time, if nobody else has it.
	Take(ctx context.Context, name, holder string, most int64, turn time.Duration) (Taken, error)
	// Put keeps an answer.
	Put(ctx context.Context, name string, answer []byte, ttl time.Duration) error
	// Hold makes the holder's turn last for a time from now on, or ends it with 0.
	Hold(ctx context.Context, name, holder string, turn time.Duration) error
}

// Taken is an answer of at most as many bytes as Take allows, or who has the turn.
type Taken struct {
	Answer []byte        // nil for none
	Left   time.Duration // for which it is still kept
	Holder string        // "" for nobody
}

const (
	// turnTime is how long others wait for a process that has died.
	turnTime = 10 * time.Second
	// look is how often they look whether there is an answer.
	look = 50 * time.Millisecond
	// secretAge is after how long the secret is asked for again: it may have been removed.
	secretAge = time.Second
)

// sharedSecret is the secret of all processes, or while that cannot be had the last one
// that this process had.
func (c *Cache) sharedSecret(ctx context.Context) []byte {
	c.asking.Lock()
	defer c.asking.Unlock()
	now := c.now()
	if now.Sub(c.asked) >= secretAge {
		if secret, err := c.shared.Secret(ctx, c.secret); err == nil {
			c.secret, c.asked = secret, now
		}
	}
	return c.secret
}

// fromAll returns the entry that is kept for all processes. Where there is none, and equal
// calls are to be one, it waits for the process that has the turn. The entry is nil where
// this process is to call; the error is ErrGaveUp.
func (s *Slot) fromAll(ctx context.Context) (*entry, error) {
	ask := func() (Taken, error) {
		return s.cache.shared.Take(ctx, s.at.name, s.holder, s.cache.limit, turnTime)
	}
	taken, err := ask()
	if err == nil && taken.Holder != "" && taken.Holder != s.holder {
		// Only the first holder is waited for. If its call fails, all others call: otherwise
		// the last would wait for as many calls as there are processes.
		first := taken.Holder
		defer s.hold(ctx)()
		for err == nil && taken.Holder == first {
			if !sleep(ctx, look) {
				return nil, ErrGaveUp
			}
			taken, err = ask()
		}
	}
	switch {
	case err != nil:
	case taken.Holder != "" && taken.Holder == s.holder:
		s.keepTurn(ctx)
	case taken.Answer != nil:
		return parseShared(taken, s.cache.now()), nil
	}
	return nil, nil
}

// parseShared reads an entry, with its times by this machine's clock: how long it is still
// kept is known, and not how the clock differs of the machine that made it.
func parseShared(taken Taken, now time.Time) *entry {
	e := parseEntry(taken.Answer)
	if e == nil {
		return nil
	}
	shift := now.Add(taken.Left).Sub(e.expires)
	e.fetched, e.expires = e.fetched.Add(shift), e.expires.Add(shift)
	return e
}

// keepTurn keeps the turn of a call until leave.
func (s *Slot) keepTurn(ctx context.Context) {
	ctx, cancel := context.WithCancel(context.WithoutCancel(ctx))
	hold := func(ctx context.Context, d time.Duration) { _ = s.cache.shared.Hold(ctx, s.at.name, s.holder, d) }
	s.leave = func() {
		cancel()
		hold(context.WithoutCancel(ctx), 0)
	}
	go func() {
		for sleep(ctx, turnTime/4) {
			hold(ctx, turnTime)
		}
	}()
}

// sleep reports whether the context lasted as long.
func sleep(ctx context.Context, d time.Duration) bool {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return true
	case <-ctx.Done():
		return false
	}
}
