package sandbox

import "time"

// clock is the time of a handler: what it runs on a processor, and what it
// waits, for fetches, for timers of its libraries, or for a processor that
// others keep busy. A machine with much to do fails no call that does little.
type clock struct {
	ran, waited time.Duration // limits of both
	note        string        // what ran is for, besides the handler
	began       time.Time
	before      time.Duration        // processor time of the worker until then
	look        time.Time            // before which no limit can be reached
	held        func() time.Duration // what of it is no waiting of the handler's

	// Where the system does not tell processor times: how long it did not wait
	// for a fetch.
	awake time.Duration
	since time.Time // of awake; zero while it waits
}

// start begins to count.
func (r *run) start(ran, waited time.Duration) {
	now := time.Now()
	r.clock = clock{ran: ran, waited: waited, began: now, since: now, look: now.Add(min(ran, waited)),
		held: func() time.Duration { return 0 }}
	r.clock.before, _ = r.memory.processor()
}

// wake and rest say that the handler runs, and that it waits for a fetch.
func (c *clock) wake() { c.since = time.Now() }

func (c *clock) rest() {
	c.awake += time.Since(c.since)
	c.since = time.Time{}
}

// late says which limit the handler has passed.
func (r *run) late() *HandlerError {
	c, now := &r.clock, time.Now()
	if now.Before(c.look) {
		return nil
	}
	ran, ok := r.memory.processor()
	if ran -= c.before; !ok {
		if ran = c.awake; !c.since.IsZero() {
			ran += now.Sub(c.since)
		}
	}
	waited := now.Sub(c.began) - ran - c.held()
	switch {
	case ran >= c.ran:
		return &HandlerError{Code: CodeTime,
			Msg: "the handler did not end within " + c.ran.String() + " of processor time (--handler-timeout" +
				c.note + ")"}
	case waited >= c.waited:
		return &HandlerError{Code: CodeTime,
			Msg: "the handler waited for " + c.waited.String() +
				", for fetches, timers or a free processor (--handler-wait)"}
	}
	c.look = now.Add(min(c.ran-ran, c.waited-waited))
	return nil
}
