package fetch

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"net/http"
	"strconv"
	"strings"
	"time"

	"github.com/flowmcp/fmcp/pkg/words"
)

// firstWait is the wait before the second try where the upstream names none; it
// doubles with each further one.
const firstWait = 250 * time.Millisecond

// TryAgain is the advice after a failure if it is not known whether the
// request had its effect: only what reads is safe to repeat.
func TryAgain(reads bool, method string) string {
	if reads {
		return "try again"
	}
	return "the " + method + " may have had its effect all the same, so look before you try again"
}

// tries sends a request until it has an answer that is worth having: again
// after a failed connection, 429 and 503, as far as policy and time allow.
func (c *Client) tries(ctx context.Context, w *Request, read readFunc) (*Response, error) {
	var notes []string
	for try := 1; ; try++ {
		res, err := c.once(ctx, w, read)
		after, why := worthRetrying(res, err)
		wait, ok := c.wait(ctx, try, after)
		if why == "" || !ok || !w.Reads {
			return finish(res, err, notes)
		}
		notes = append(notes, fmt.Sprintf("try %d of %d failed (%s): sent again after %s", try, c.retries+1, why,
			wait.Round(time.Millisecond)))
		if pause(ctx, wait) != nil {
			return nil, c.explain(ctx, ctx.Err(), w)
		}
	}
}

// finish hands on what the last try gave, and that there were others.
func finish(res *Response, err error, notes []string) (*Response, error) {
	if res != nil {
		res.Notes = notes
	}
	var e *words.Problem
	switch {
	case !errors.As(err, &e):
		return res, err
	case len(notes) > 0:
		return nil, fail(e.Code, "%s; this was try %d", e.Message, len(notes)+1)
	}
	return nil, e
}

// worthRetrying says why a request should be sent again, "" where it should
// not, and how long the upstream wants us to wait. A host that does not exist,
// a certificate or a policy that refuses will not change by asking again.
func worthRetrying(res *Response, err error) (after time.Duration, why string) {
	if err != nil {
		if errors.As(err, new(temporary)) {
			return 0, "no connection"
		}
		return 0, ""
	}
	if res.Status != http.StatusTooManyRequests && res.Status != http.StatusServiceUnavailable {
		return 0, ""
	}
	return res.RetryAfter(), strconv.Itoa(res.Status)
}

// RetryAfter reads Retry-After: seconds or a date (RFC 9110, 10.2.3). What is
// neither, or past, is 0.
func (r *Response) RetryAfter() time.Duration {
	text := strings.TrimSpace(r.Header.Get("Retry-After"))
	if n, err := strconv.ParseUint(text, 10, 31); err == nil {
		return time.Duration(n) * time.Second
	}
	if text != "" && strings.Trim(text, "0123456789") == "" {
		return 1<<63 - 1 // more seconds than anybody waits
	}
	if at, err := http.ParseTime(text); err == nil {
		return max(0, time.Until(at))
	}
	return 0
}

// wait is how long to wait before the next try: what the upstream wants, else
// ever longer. Both get a random part, so that calls that failed together do
// not come back together. ok is false where there is to be no further try: all
// are used up, or the wait is longer than --retry-wait or than the call may last.
func (c *Client) wait(ctx context.Context, try int, after time.Duration) (d time.Duration, ok bool) {
	if try > c.retries || after > c.retryWait {
		return 0, false
	}
	base := min(firstWait<<min(try-1, 16), c.retryWait)
	if after > 0 {
		d = after + rand.N(min(after/10, firstWait)+1)
	} else {
		d = base/2 + rand.N(base/2+1)
	}
	deadline, limited := ctx.Deadline()
	return d, !limited || time.Now().Add(d).Before(deadline)
}
