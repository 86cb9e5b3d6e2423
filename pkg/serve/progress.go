package serve

import (
	"context"
	"strconv"
	"sync"
	"time"

	"github.com/mark3labs/mcp-go/mcp"

	"github.com/flowmcp/fmcp/pkg/ordjson"
	"github.com/flowmcp/fmcp/pkg/progress"
)

// How often a client is told of the progress of a request: of what says itself how
// far it has come, and of what only takes its time.
const (
	progressPause = 100 * time.Millisecond
	progressTick  = time.Second
)

// teller tells the client how far its request has come. Of what happens while a
// message is being sent only the latest is told.
type teller struct {
	conn  Conn
	token string // as sent, a JSON text
	news  chan struct{}
	over  context.CancelFunc
	ended chan struct{}

	mu   sync.Mutex
	last step // told or to be told
	own  bool // the work says itself how far it has come
}

type step struct {
	done, total int64
	what        string
}

// tell begins to tell of the request's progress if the client wants to know. The
// context is for the work; stop is to be called when that has ended, and after it
// nothing is told any more.
func (r *Request) tell() (ctx context.Context, stop func()) {
	token := r.Params.Get("_meta").Get("progressToken")
	if r.conn == nil || !token.Is(ordjson.String) && !token.Is(ordjson.Number) {
		return r.ctx, func() {}
	}
	t := &teller{conn: r.conn, token: ordjson.Text(token), news: make(chan struct{}, 1), ended: make(chan struct{})}
	ctx, t.over = context.WithCancel(r.ctx)
	go t.run(ctx)
	return progress.With(r.ctx, t.report), func() {
		t.over()
		<-t.ended
	}
}

// report implements progress.Func. Numbers that are not higher than the last are
// left out, as the protocol wants them to grow.
func (t *teller) report(done, total int64, what string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	first := !t.own
	if t.own = true; !first && done <= t.last.done {
		return
	}
	t.last = step{done, total, what}
	select {
	case t.news <- struct{}{}:
	default:
	}
}

func (t *teller) run(ctx context.Context) {
	defer close(t.ended)
	tick := time.NewTicker(progressTick)
	defer tick.Stop()
	for told := int64(-1); ; {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
			t.wait()
		case <-t.news:
		}
		s := t.now()
		if s.done <= told {
			continue
		}
		told = s.done
		if t.conn.Send(ctx, t.line(s)) != nil {
			return
		}
		select {
		case <-ctx.Done():
		case <-time.After(progressPause):
		}
	}
}

// wait counts a second of a request that does not say how far it has come.
func (t *teller) wait() {
	t.mu.Lock()
	defer t.mu.Unlock()
	if !t.own {
		t.last = step{t.last.done + 1, -1, "running for " + strconv.FormatInt(t.last.done+1, 10) + " s"}
	}
}

func (t *teller) now() step {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.last
}

// line is the notification. The library's type would round the token.
func (t *teller) line(s step) []byte {
	b := append([]byte(`{"jsonrpc":"2.0","method":"`), mcp.MethodNotificationProgress...)
	b = append(append(b, `","params":{"progressToken":`...), t.token...)
	b = strconv.AppendInt(append(b, `,"progress":`...), s.done, 10)
	if s.total >= 0 {
		b = strconv.AppendInt(append(b, `,"total":`...), s.total, 10)
	}
	b = ordjson.AppendString(append(b, `,"message":`...), s.what)
	return append(b, "}}\n"...)
}
