package sandbox

import (
	"cmp"
	"context"
	"encoding/json"
	"sync"
	"time"
)

// Limits of a Pool; 0 is the default of each.
type Limits struct {
	Workers int           // handlers that run at a time, besides those that wait for a fetch; DefaultWorkers
	Time    time.Duration // of a processor, for one handler; DefaultTime
	Wait    time.Duration // in which a handler may not run; DefaultWait
	Load    time.Duration // of a processor, for a library to compile, and for a schema's to start; DefaultLoad
	Memory  int64         // resident bytes of a worker; DefaultMemory
}

// The defaults of Limits.
const (
	DefaultWorkers = 8
	DefaultTime    = 5 * time.Second
	DefaultWait    = 30 * time.Second
	DefaultLoad    = 30 * time.Second // 16 MB take a second
	DefaultMemory  = 256 << 20
)

const (
	// memoryInterval is how often a worker's memory is looked at.
	memoryInterval = 5 * time.Millisecond
	// sizeInterval is how many calls of a worker there are between two looks at
	// whether it has grown.
	sizeInterval = 16
	// maxScripts is how many schemas a worker runs before a fresh one follows.
	maxScripts = 64
	// maxOutput is the longest line that is taken from a worker, in bytes: what
	// a stream takes for a record, and read as JSON it needs many times as much.
	maxOutput = 16 << 20
	// maxFetches is how many fetches a handler may make in one call.
	maxFetches = 100
	// maxOpen is how many of them are made at a time, as browsers do; each may
	// bring an answer of the largest size into the parent's memory.
	maxOpen = 6
	// perWorker is how many processes there may be for each that runs: the
	// others wait for fetches.
	perWorker = 8
)

// Pool runs handlers in worker processes: this program again, with an empty
// environment and nothing open but a pipe each way. No process is started
// before the first Call. It may be used by many goroutines.
type Pool struct {
	limits    Limits
	running   chan struct{} // a slot for each handler that runs
	processes chan struct{} // … and for each that waits for a fetch

	mu     sync.Mutex
	idle   []*process
	closed bool
}

// NewPool makes a pool.
func NewPool(l Limits) *Pool {
	l.Workers = cmp.Or(l.Workers, DefaultWorkers)
	l.Time, l.Wait, l.Load = cmp.Or(l.Time, DefaultTime), cmp.Or(l.Wait, DefaultWait), cmp.Or(l.Load, DefaultLoad)
	l.Memory = cmp.Or(l.Memory, DefaultMemory)
	return &Pool{limits: l, running: make(chan struct{}, l.Workers), processes: make(chan struct{}, perWorker*l.Workers)}
}

// Script is a schema's source with what its factory is given.
type Script struct {
	Key    string // tells sources and lists apart: same key, same script
	Path   string // of the schema's file, for messages
	Source string
	Lists  json.RawMessage // shared lists by name; {} where empty

	Loose     bool                // preRequest may return { struct } alone, as --profile community lets it
	Libraries []string            // requiredLibraries of the schema
	Bundles   map[string]*Library // those that the catalog carries, by name
}

// Call is one call of a handler.
type Call struct {
	Name  string // of the tool, or of the resource
	Query string // of the resource; "" for a tool
	Stage string
	Input json.RawMessage // the argument: { struct, payload }, or with response
	// Fetch makes the fetches of executeRequest, several at a time.
	Fetch func(context.Context, FetchRequest) FetchAnswer
	// Warn gets what was let pass.
	Warn func(string)
}

// Call runs a handler and returns the JSON of the object that it returned,
// whose shape is that of its stage; nil where the schema has no such handler,
// which reading its source cannot always tell. Errors are *HandlerError, or
// ctx's.
func (p *Pool) Call(ctx context.Context, s Script, c Call) (json.RawMessage, error) {
	if failure := s.missing(); failure != nil {
		return nil, failure
	}
	if err := enter(ctx, p.processes); err != nil {
		return nil, err
	}
	defer func() { <-p.processes }()
	if err := enter(ctx, p.running); err != nil {
		return nil, err
	}
	w, err := p.take(&s)
	if err != nil {
		<-p.running
		return nil, &HandlerError{Code: CodeStart, Msg: "no process could be started for the handlers: " + err.Error()}
	}
	r := &run{process: w, pool: p, answers: make(chan request, maxFetches), fetching: make(chan struct{}, maxOpen)}
	output, failure := r.call(ctx, s, c)
	if r.reusable {
		p.give(w)
	} else {
		w.kill()
	}
	if !r.waiting {
		<-p.running
	}
	return output, failure
}

// enter takes a slot.
func enter(ctx context.Context, slots chan struct{}) error {
	select {
	case slots <- struct{}{}:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// Handler is what a schema has handlers for: a tool, or resource/query.
type Handler struct {
	Name   string   `json:"name"`
	Stages []string `json:"stages"`
}

// Handlers makes a schema's handlers without calling one, and lists them in the
// order of the source. The errors are those of Call.
func (p *Pool) Handlers(ctx context.Context, s Script) ([]Handler, error) {
	out, err := p.Call(ctx, s, Call{Stage: listing})
	if err != nil {
		return nil, err
	}
	var list []Handler
	err = json.Unmarshal(out, &list)
	return list, err
}

// Close ends the workers that nobody uses.
func (p *Pool) Close() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.closed = true
	for _, w := range p.idle {
		w.kill()
	}
	p.idle = nil
}

// take takes an idle worker, best one that knows the script, or else its
// libraries, or starts one.
func (p *Pool) take(s *Script) (*process, error) {
	p.mu.Lock()
	at, best := len(p.idle)-1, 0
	for i, w := range p.idle {
		if fit := w.fits(s); fit > best {
			at, best = i, fit
		}
	}
	if at < 0 {
		p.mu.Unlock()
		return startProcess(p.limits.Memory)
	}
	w := p.idle[at]
	p.idle = append(p.idle[:at], p.idle[at+1:]...)
	p.mu.Unlock()
	if !w.known[s.Key] && p.grown(w) { // no schema pays for what another left
		w.kill()
		return startProcess(p.limits.Memory)
	}
	return w, nil
}

// grown reports whether a worker holds so much that a call may not get what it
// is entitled to.
func (p *Pool) grown(w *process) bool { return w.memory.resident() > p.limits.Memory/2 }

// give keeps a worker for the next call, unless it has grown, or there are
// enough.
func (p *Pool) give(w *process) {
	w.calls++
	grown := len(w.known) >= maxScripts || w.calls%sizeInterval == 0 && p.grown(w)
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.closed || grown || len(p.idle) >= p.limits.Workers {
		w.kill()
		return
	}
	p.idle = append(p.idle, w)
}
