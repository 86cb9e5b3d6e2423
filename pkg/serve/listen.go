package serve

import (
	"context"
	"encoding/json"
	"maps"
	"slices"
	"sync"
	"time"

	"github.com/mark3labs/mcp-go/mcp"

	"github.com/flowmcp/fmcp/pkg/ordjson"
	"github.com/flowmcp/fmcp/pkg/serve/listing"
)

// lists are the kinds of lists that clients are told of, in this order.
var lists = []struct {
	notification string
	methods      []mcp.MCPMethod // that give the lists
	wanted       func(*mcp.SubscriptionFilter) bool
}{
	{mcp.MethodNotificationToolsListChanged, []mcp.MCPMethod{mcp.MethodToolsList},
		func(f *mcp.SubscriptionFilter) bool { return f.ToolsListChanged }},
	{mcp.MethodNotificationPromptsListChanged, []mcp.MCPMethod{mcp.MethodPromptsList},
		func(f *mcp.SubscriptionFilter) bool { return f.PromptsListChanged }},
	{mcp.MethodNotificationResourcesListChanged,
		[]mcp.MCPMethod{mcp.MethodResourcesList, mcp.MethodResourcesTemplatesList, methodSkillsList},
		func(f *mcp.SubscriptionFilter) bool { return f.ResourcesListChanged }},
}

// lookAgain is how often it is looked whether the data of resources has changed
// that a client subscribed to.
const lookAgain = 2 * time.Second

// listener is who is told of changes: a request to listen, or a session of a
// revision that tells unasked. What changes while a message is being sent is told
// once.
type listener struct {
	server *Server
	tag    string // member of params, _meta, that says which request is meant; "" for none
	news   chan struct{}

	mu      sync.Mutex
	filter  mcp.SubscriptionFilter // its ResourceSubscriptions are the keys of marks
	changed []bool                 // by index of lists
	marks   map[string]string      // what was found at an address
}

func (s *Server) newListener() *listener {
	return &listener{server: s, news: make(chan struct{}, 1), changed: make([]bool, len(lists)),
		marks: map[string]string{}}
}

// Replace serves another surface from the next request on, and tells clients which
// lists it changes.
func (s *Server) Replace(next *Surface) {
	old := s.present.Swap(next)
	for i := range lists {
		if slices.ContainsFunc(lists[i].methods, func(m mcp.MCPMethod) bool {
			return old.list(m).mark != next.list(m).mark
		}) {
			s.tell(i)
		}
	}
}

// list is what a method lists.
func (s *Surface) list(m mcp.MCPMethod) *pages {
	switch {
	case m != methodSkillsList:
		return s.lists[m]
	case s.skills.Empty():
		return &pages{}
	}
	return s.skillList()
}

func (s *Server) tell(list int) {
	s.listening.Lock()
	defer s.listening.Unlock()
	for l := range s.listeners {
		l.mu.Lock()
		l.changed[list] = true
		l.mu.Unlock()
		l.poke()
	}
}

func (l *listener) poke() {
	select {
	case l.news <- struct{}{}:
	default:
	}
}

// subscribe looks after the data of a resource; false where nobody can tell when
// that changes.
func (l *listener) subscribe(uri string) bool {
	mark := l.server.present.Load().markOf(uri)
	if mark == "" {
		return false
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	l.marks[uri] = mark
	l.poke()
	return true
}

// markOf is another text once something else would be read at a URI; "" where
// nothing is there or nobody can tell.
func (s *Surface) markOf(uri string) string {
	r, address := s.find(uri)
	if s.mark == nil || r == nil {
		return ""
	}
	return s.mark(address)
}

func (l *listener) unsubscribe(uri string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	delete(l.marks, uri)
}

// begin notes what changes from now on; end is to be called.
func (l *listener) begin() (end func()) {
	s := l.server
	s.listening.Lock()
	defer s.listening.Unlock()
	s.listeners[l] = struct{}{}
	return func() {
		s.listening.Lock()
		defer s.listening.Unlock()
		delete(s.listeners, l)
	}
}

// run tells the client of changes until ctx ends or the client is gone.
func (l *listener) run(ctx context.Context, conn Conn) {
	look := time.NewTicker(lookAgain)
	defer look.Stop()
	for {
		var due <-chan time.Time
		if l.subscribed() {
			due = look.C
		}
		select {
		case <-ctx.Done():
			return
		case <-l.news:
		case <-due:
		}
		for _, line := range l.due() {
			if conn.Send(ctx, line) != nil {
				return
			}
		}
	}
}

func (l *listener) subscribed() bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	return len(l.marks) > 0
}

// due are the notifications of what has changed.
func (l *listener) due() (lines [][]byte) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for i := range lists {
		if l.changed[i] && lists[i].wanted(&l.filter) {
			lines = append(lines, l.notification(lists[i].notification, ""))
		}
		l.changed[i] = false
	}
	present := l.server.present.Load()
	for _, uri := range slices.Sorted(maps.Keys(l.marks)) {
		if now := present.markOf(uri); now != l.marks[uri] {
			l.marks[uri] = now
			lines = append(lines, l.notification(mcp.MethodNotificationResourceUpdated,
				`"uri":`+string(ordjson.AppendString(nil, uri))))
		}
	}
	return lines
}

func (l *listener) notification(method, member string) []byte {
	params := l.tag
	if params != "" && member != "" {
		params += ","
	}
	return []byte(`{"jsonrpc":"2.0","method":"` + method + `","params":{` + params + member + "}}\n")
}

// listen answers subscriptions/listen: it goes on until the client cancels it or
// the server ends it, and takes no slot.
func (r *Request) listen() (*work, *Error) {
	if wanted := r.Params.Get("notifications"); !wanted.Is(ordjson.Object) {
		return nil, failure(mcp.INVALID_PARAMS, CodeBadParams, "expected params.notifications to be an object that "+
			`says what is wanted, such as {"toolsListChanged":true}; found %s`, ordjson.Shown(wanted))
	}
	var params mcp.SubscriptionsListenParams
	if err := r.read(&params); err != nil {
		return nil, err
	}
	return &work{about: string(r.Method), endless: true, do: func() ([]byte, *Error) {
		return r.tellUntilEnd(params.Notifications)
	}}, nil
}

func (r *Request) tellUntilEnd(wanted mcp.SubscriptionFilter) ([]byte, *Error) {
	l := r.server.newListener()
	l.tag = `"_meta":{"` + mcp.MetaKeySubscriptionID + `":` + r.ID + `}`
	if r.server.opts.Reloads {
		l.filter = wanted
		l.filter.ResourceSubscriptions = nil
	}
	granted := l.filter
	for _, uri := range wanted.ResourceSubscriptions {
		if l.subscribe(uri) {
			granted.ResourceSubscriptions = append(granted.ResourceSubscriptions, uri)
		}
	}
	defer l.begin()()
	ctx, cancel := context.WithCancel(r.ctx)
	defer cancel()
	defer context.AfterFunc(r.session.listens, cancel)()
	ack := l.notification(mcp.MethodNotificationSubscriptionsAcknowledged,
		string(listing.AppendJSON([]byte(`"notifications":`), granted)))
	if err := r.conn.Send(ctx, ack); err == nil && !granted.IsEmpty() {
		l.run(ctx, r.conn)
	}
	result := r.result()
	result.EnsureResultMeta().SetSubscriptionID(json.RawMessage(r.ID))
	return appendAnswer(nil, r.ID, mcp.SubscriptionsListenResult{Result: result}), nil
}

// Unasked begins to note what the client of a session that began with initialize is
// told though it did not ask: of lists that change, and of resources that it has
// subscribed to. What it returns is to be called, once, and tells until ctx ends.
func (c *Session) Unasked() (tell func(ctx context.Context, conn Conn)) {
	end := c.unasked.begin()
	return func(ctx context.Context, conn Conn) {
		defer end()
		c.unasked.run(ctx, conn)
	}
}

// promise notes what a client was told that it would hear of.
func (l *listener) promise(able mcp.ServerCapabilities) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.filter = mcp.SubscriptionFilter{
		ToolsListChanged:     able.Tools.ListChanged,
		PromptsListChanged:   able.Prompts != nil && able.Prompts.ListChanged,
		ResourcesListChanged: able.Resources != nil && able.Resources.ListChanged,
	}
}

// subscribe and unsubscribe are of the revisions up to 2025-11-25.
func (r *Request) subscribe() ([][]byte, *Error) {
	uri := r.Params.Get("uri")
	switch found, _ := r.surface.find(uri.Str()); {
	case found == nil:
		return nil, r.unknownResource(uri, addressOf(uri.Str()))
	case !r.session.unasked.subscribe(uri.Str()):
		return nil, failure(mcp.INVALID_PARAMS, CodeNotOffered,
			"nobody can tell when the data of %s changes, which is on the network; read it again", ordjson.Shown(uri))
	}
	return r.encoded(mcp.EmptyResult{})
}

func (r *Request) unsubscribe() ([][]byte, *Error) {
	r.session.unasked.unsubscribe(r.Params.Get("uri").Str())
	return r.encoded(mcp.EmptyResult{})
}
