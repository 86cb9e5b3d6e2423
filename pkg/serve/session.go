package serve

import (
	"context"
	"strconv"
	"sync"
	"time"

	"github.com/mark3labs/mcp-go/mcp"

	"github.com/flowmcp/fmcp/pkg/ordjson"
	"github.com/flowmcp/fmcp/pkg/serve/listing"
)

// Session is what is known of one client. Over stdio the process has one; over
// HTTP one begins with initialize, and each message of a revision without
// sessions has its own.
type Session struct {
	server *Server

	mu      sync.Mutex
	running map[*Request]struct{} // what waits or runs
	forms   bool                  // the client shows them, as it has said in initialize
	asked   int                   // how many requests were sent to the client
	asks    map[string]chan<- Message
	client  string // what it calls itself, where it began with initialize

	unasked    *listener
	listens    context.Context // ended when requests to listen are
	endListens context.CancelFunc
}

// NewSession returns the session of a client that has said nothing yet.
func (s *Server) NewSession() *Session {
	c := &Session{server: s, running: map[*Request]struct{}{}, asks: map[string]chan<- Message{},
		unasked: s.newListener()}
	c.listens, c.endListens = context.WithCancel(context.Background())
	return c
}

// Conn is where a transport sends what is said to a client while one of its
// requests runs.
type Conn interface {
	// Send sends a notification or a request, a line with its end. It may wait for
	// the client to read, until ctx ends. It is called concurrently.
	Send(ctx context.Context, line []byte) error
}

// ask sends a request to the client and waits for its result.
func (c *Session) ask(ctx context.Context, conn Conn, method mcp.MCPMethod, params any) (ordjson.Value, error) {
	c.mu.Lock()
	c.asked++
	id := ordjson.NewString("fmcp-" + strconv.Itoa(c.asked))
	answer := make(chan Message, 1)
	c.asks[idKey(id)] = answer
	c.mu.Unlock()
	defer func() {
		c.mu.Lock()
		defer c.mu.Unlock()
		delete(c.asks, idKey(id))
	}()

	line := append(appendID(nil, ordjson.Text(id)), `,"method":`...)
	line = append(listing.AppendJSON(line, method), `,"params":`...)
	if err := conn.Send(ctx, append(listing.AppendJSON(line, params), "}\n"...)); err != nil {
		return ordjson.Value{}, err
	}
	select {
	case m := <-answer:
		if e := m.whole.Get("error"); e.Exists() {
			return ordjson.Value{}, &askError{method, e}
		}
		return m.whole.Get("result"), nil
	case <-ctx.Done():
		soon, cancel := context.WithTimeout(context.WithoutCancel(ctx), time.Second)
		defer cancel()
		_ = conn.Send(soon, append(append([]byte(`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{`+
			`"requestId":`), ordjson.Text(id)...), "}}\n"...)) // a client that is gone asks nobody any more
		return ordjson.Value{}, context.Cause(ctx)
	}
}

// askError is what a client answered in place of a result.
type askError struct {
	method mcp.MCPMethod
	found  ordjson.Value
}

func (e *askError) Error() string {
	return "the client refused " + string(e.method) + ": " + ordjson.Shown(e.found.Get("message"))
}

// answered passes an answer of the client on to who asked. What nobody waits for
// any more means nothing.
func (c *Session) answered(m Message) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if answer := c.asks[m.key]; answer != nil {
		delete(c.asks, m.key)
		answer <- m
	}
}

// notified reads a notification; only one means something to us.
func (c *Session) notified(m Message) {
	if m.Method != mcp.MethodNotificationCancelled {
		return
	}
	key := idKey(m.Params.Get("requestId"))
	if key == "" {
		return
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	for r := range c.running {
		if r.key == key {
			r.withdraw()
		}
	}
}
