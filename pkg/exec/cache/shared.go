package cache

import (
	"context"
	"time"
)

// Shared holds answers for several processes, perhaps on several machines. An error has
// been said: the process then does without.
type Shared interface {
	// Secret is what keys the hashes of all, or becomes it: the candidate, where there is none.
	Secret(ctx context.Context, candidate []byte) ([]byte, error)
	// Take gives the answer of a name. Where there is none, and the holder is not "", it
	// gives that the turn to ask for it, for a time, unless another has it.
	Take(ctx context.Context, name, holder string, most int64, turn time.Duration) (Taken, error)
	// Put keeps an answer.
	Put(ctx context.Context, name string, answer []byte, ttl time.Duration) error
	// Hold has a turn last for a time from now on, or ends it; nothing happens to a turn
	// of another holder.
	Hold(ctx context.Context, name, holder string, turn time.Duration) error
}

// Taken is what Take gives: an answer of at most as many bytes as were asked for, or who has
// the turn to ask for it, "" for nobody.
type Taken struct {
	Answer []byte        // nil for none
	Left   time.Duration // for which it is still kept
	Holder string
}

const (
	// turnTime is how long others wait for a process that has died.
	turnTime = 10 * time.Second
	// look is how often they look whether there is an answer.
	look = 50 * time.Millisecond
	// secretAge is how old the secret is that is asked for again: it may have been removed.
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

// fromAll gives the entry that is kept for all. Where there is none, and its equals are to be
// one call, it waits for the process that has the turn; nil is for who is to call. Its
// error is ErrGaveUp.
func (s *Slot) fromAll(ctx context.Context) (*entry, error) {
	ask := func() (Taken, error) {
		return s.cache.shared.Take(ctx, s.at.name, s.holder, s.cache.limit, turnTime)
	}
	taken, err := ask()
	if err == nil && taken.Holder != "" && taken.Holder != s.holder {
		// One is waited for. Where that has no answer, and another process has the turn by
		// now, all others call: they would wait for as many times as there are processes.
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

// parseShared reads an entry. When it was made and expires is as the clock of the server
// says, told in that of this machine.
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
