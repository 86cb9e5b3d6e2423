package serve

import (
	"context"
	"strconv"
	"sync"
	"time"

	"github.com/mark3labs/mcp-go/mcp"

	"github.com/flowmcp/fmcp/pkg/ordjson"
	"github.com/flowmcp/fmcp/pkg/serve/listing"
	"github.com/flowmcp/fmcp/pkg/words"
)

// Session is what is known of one client. Over stdio the process has one; over
// HTTP one begins with initialize, and each message of a revision without
// sessions has its own.
type Session struct {
	server *Server

	mu      sync.Mutex
	running map[*Request]struct{} // what waits or runs
	asked   int                   // how many requests were sent to the client
	asks    map[string]chan<- Message
	hello   Hello // of a client that began with initialize

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

// Hello is what a client says of itself in initialize, and what of that a session needs.
type Hello struct {
	Client string `json:"client"` // what it calls itself
	Forms  bool   `json:"forms"`  // it shows them
}

// maxClient is how much of a client's name is kept: it travels in a header.
const maxClient = 200

// HelloOf reads the params of initialize.
func HelloOf(params ordjson.Value) Hello {
	return Hello{words.Clip(clientName(params.Get("clientInfo")), maxClient), showsForms(params.Get("capabilities"))}
}

// greeted notes what a client said in initialize, and what it was told that it would hear of.
func (c *Session) greeted(h Hello, able mcp.ServerCapabilities) {
	c.mu.Lock()
	c.hello = h
	c.mu.Unlock()
	c.unasked.promise(able)
}

// Resume returns the session of a client that has said hello to another server of the
// same catalog.
func (s *Server) Resume(h Hello) *Session {
	c := s.NewSession()
	c.greeted(h, s.capabilities(s.present.Load()))
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
