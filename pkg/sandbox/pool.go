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
	// handlers that run at a time, besides those that wait for a fetch, where memory allows;
	// DefaultWorkers
	Workers int
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
	// MemoryInterval is how often a worker's memory is looked at.
	MemoryInterval = 5 * time.Millisecond
	// sizeInterval is how many calls of a worker there are between two looks at
	// whether it has grown.
	sizeInterval = 16
	// maxScripts is how many schemas a worker runs before a fresh one follows.
	maxScripts = 64
	// maxOutput is the longest line that is taken from a worker, in bytes: what
	// a stream takes for a record, and read as JSON it needs many times as much.
	maxOutput = 16 << 20
	// MaxFetches is how many fetches a handler may make in one call.
	MaxFetches = 100
	// maxOpen is how many of them are made at a time, as browsers do; each may
	// bring an answer of the largest size into the parent's memory.
	maxOpen = 6
)

// Pool runs handlers in worker processes: this program again, with an empty
// environment and nothing open but a pipe each way. No process is started
// before the first Call. It may be used by many goroutines.
type Pool struct {
	limits Limits

	mu      sync.Mutex
	idle    []*process
	closed  bool
	running int           // handlers that run
	held    int64         // bytes of memory that all processes may hold now, see room.go
	freed   chan struct{} // closed, and made again, whenever either gets less
	code    *Pool         // see coding; nil before the first Run
}

// NewPool makes a pool.
func NewPool(l Limits) *Pool {
	l.Workers = cmp.Or(l.Workers, DefaultWorkers)
	l.Time, l.Wait, l.Load = cmp.Or(l.Time, DefaultTime), cmp.Or(l.Wait, DefaultWait), cmp.Or(l.Load, DefaultLoad)
	l.Memory = cmp.Or(l.Memory, DefaultMemory)
	return &Pool{limits: l, freed: make(chan struct{})}
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
	// Time is asked when the call begins for what it gets of a processor; nil is
	// Limits.Time.
	Time func() time.Duration
	// Held is how long its fetches were held back until now, which is not the
	// handler's time; nil for never.
	Held  func() time.Duration
	Input json.RawMessage // the argument: { struct, payload }, or with response
	// Fetch makes the fetches of executeRequest, several at a time.
	Fetch func(context.Context, FetchRequest) FetchAnswer
	// Tool makes the calls of tools by code, several at a time, see Run.
	Tool func(context.Context, ToolCall) ToolAnswer
	// Warn gets what was let pass.
	Warn func(string)
	// Log gets what handlers write to console; nil drops it.
	Log func(level, text string)
}

// Call runs a handler and returns the JSON of the object that it returned,
// whose shape is that of its stage; nil where the schema has no such handler,
// which reading its source cannot always tell. Errors are *HandlerError, or
// ctx's.
func (p *Pool) Call(ctx context.Context, s Script, c Call) (json.RawMessage, error) {
	if failure := s.missing(); failure != nil {
		return nil, failure
	}
	w, err := p.take(ctx, &s)
	if err != nil {
		return nil, err
	}
	r := &run{process: w, pool: p, answers: make(chan Request, MaxFetches), fetching: make(chan struct{}, maxOpen)}
	output, failure := r.call(ctx, s, c)
	p.give(w, r.waiting, r.reusable)
	return output, failure
}

// Handler is what a schema has handlers for: a tool, or resource/query.
type Handler struct {
	Name   string   `json:"name"`
	Stages []string `json:"stages"`
}

// Handlers makes a schema's handlers without calling one, and lists them in the
// order of the source. The errors are those of Call.
func (p *Pool) Handlers(ctx context.Context, s Script) ([]Handler, error) {
	out, err := p.Call(ctx, s, Call{Stage: Listing})
	if err != nil {
		return nil, err
	}
	var list []Handler
	err = json.Unmarshal(out, &list)
	return list, err
}

// Close ends the idle workers.
func (p *Pool) Close() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.closed = true
	for p.spare(nil) {
	}
	if p.code != nil {
		p.code.Close()
	}
}
