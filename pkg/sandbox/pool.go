package sandbox

import (
	"context"
	"encoding/json"
	"io"
	"os"
	"os/exec"
	"strconv"
	"sync"
	"time"

	"github.com/flowmcp/fmcp/pkg/ndjson"
)

// Limits of a Pool; 0 is the default of each.
type Limits struct {
	Workers int           // processes at a time; DefaultWorkers
	Time    time.Duration // for one handler, without the waits for its fetches; DefaultTime
	Memory  int64         // resident bytes of a worker; DefaultMemory
}

// The defaults of Limits.
const (
	DefaultWorkers = 8
	DefaultTime    = 5 * time.Second
	DefaultMemory  = 256 << 20
)

const (
	// memoryInterval is how often a worker's memory is looked at.
	memoryInterval = 5 * time.Millisecond
	// maxScripts is how many schemas a worker runs before a fresh one follows.
	maxScripts = 64
	// maxOutput is the longest line that is taken from a worker, in bytes.
	maxOutput = 64 << 20
	// maxFetches is how many fetches a handler may make in one call.
	maxFetches = 100
)

// Pool runs handlers in worker processes: this program again, with an empty
// environment and nothing open but a pipe each way. No process is started
// before the first Call. It may be used by many goroutines.
type Pool struct {
	limits Limits
	slots  chan struct{}

	mu     sync.Mutex
	idle   []*process
	closed bool
}

// NewPool makes a pool.
func NewPool(l Limits) *Pool {
	if l.Workers <= 0 {
		l.Workers = DefaultWorkers
	}
	if l.Time <= 0 {
		l.Time = DefaultTime
	}
	if l.Memory <= 0 {
		l.Memory = DefaultMemory
	}
	return &Pool{limits: l, slots: make(chan struct{}, l.Workers)}
}

// Script is a schema's source with what its factory is given.
type Script struct {
	Key    string // tells sources and lists apart: same key, same script
	Path   string // of the schema's file, for messages
	Source string
	Lists  json.RawMessage // shared lists by name; {} where empty

	Libraries []string // requiredLibraries of the schema
}

// Call is one call of a handler.
type Call struct {
	Name  string // of the tool, or of the resource
	Query string // of the resource; "" for a tool
	Stage string
	Input json.RawMessage // the argument: { struct, payload }, or with response
	// Fetch makes the fetches of executeRequest, several at a time.
	Fetch func(context.Context, FetchRequest) FetchAnswer
}

// Call runs a handler and returns the JSON of the object that it returned,
// whose shape is that of its stage; nil where the schema has no such handler,
// which reading its source cannot always tell. Errors are *HandlerError, or
// ctx's.
func (p *Pool) Call(ctx context.Context, s Script, c Call) (json.RawMessage, error) {
	for _, name := range s.Libraries {
		if name != "crypto" && name != "zlib" {
			return nil, &HandlerError{Code: CodeLibrary, Msg: "the schema requires the library " + strconv.Quote(name) + ", which the catalog does not carry"}
		}
	}
	select {
	case p.slots <- struct{}{}:
	case <-ctx.Done():
		return nil, ctx.Err()
	}
	defer func() { <-p.slots }()
	w, err := p.take(s.Key)
	if err != nil {
		return nil, &HandlerError{Code: CodeStart, Msg: "no process could be started for the handlers: " + err.Error()}
	}
	output, failure, reusable := w.call(ctx, p.limits, s, c)
	if reusable {
		p.give(w)
	} else {
		w.kill()
	}
	return output, failure
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

// take takes an idle worker, best one that knows the script, or starts one.
func (p *Pool) take(key string) (*process, error) {
	p.mu.Lock()
	at := len(p.idle) - 1
	for i, w := range p.idle {
		if w.known[key] {
			at = i
		}
	}
	if at >= 0 {
		w := p.idle[at]
		p.idle = append(p.idle[:at], p.idle[at+1:]...)
		p.mu.Unlock()
		return w, nil
	}
	p.mu.Unlock()
	return startProcess()
}

func (p *Pool) give(w *process) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.closed || len(w.known) >= maxScripts {
		w.kill()
		return
	}
	p.idle = append(p.idle, w)
}

// process is a worker as its parent sees it.
type process struct {
	cmd     *exec.Cmd
	in      io.WriteCloser
	replies chan reply // closed when the worker is gone
	known   map[string]bool
}

func startProcess() (*process, error) {
	self, err := os.Executable()
	if err != nil {
		return nil, err
	}
	cmd := exec.Command(self, workerArg)
	cmd.Env = []string{} // nil would hand on ours
	cmd.Dir = os.TempDir()
	in, err := cmd.StdinPipe()
	if err != nil {
		return nil, err
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := cmd.Start(); err != nil {
		return nil, err
	}
	w := &process{cmd: cmd, in: in, replies: make(chan reply, 1), known: map[string]bool{}}
	go w.read(out)
	return w, nil
}

// read hands replies on until the worker is gone.
func (w *process) read(out io.Reader) {
	defer func() {
		close(w.replies)
		_ = w.cmd.Process.Kill()
		_ = w.cmd.Wait()
	}()
	lines := ndjson.NewReader(out, maxOutput)
	for {
		l, err := lines.Next()
		if err != nil {
			return
		}
		r := reply{Error: &HandlerError{Code: CodeMemory, Msg: "the handler returned more than " + strconv.Itoa(maxOutput) + " bytes"}}
		if !l.TooLong {
			r = reply{}
			if json.Unmarshal(l.Bytes, &r) != nil {
				return
			}
		}
		w.replies <- r
	}
}

// kill ends a worker. It never blocks.
func (w *process) kill() {
	_ = w.cmd.Process.Kill()
	_ = w.in.Close()
	go func() {
		for range w.replies { // lets read go on to the end
		}
	}()
}

// send writes a message. A worker that does not read is killed by the deadline,
// and the write then fails.
func (w *process) send(m request) error {
	text, err := line(m)
	if err != nil {
		return err
	}
	_, err = w.in.Write(text)
	return err
}

// run is a call that is under way.
type run struct {
	*process
	limits  Limits
	started int // fetches
	open    int // of them, still to be answered
	answers chan request
}

func (w *process) call(ctx context.Context, l Limits, s Script, c Call) (output json.RawMessage, failure error, reusable bool) {
	m := request{Key: s.Key, Name: c.Name, Query: c.Query, Stage: c.Stage, Input: c.Input}
	if !w.known[s.Key] {
		m.Source, m.Lists = s.Source, s.Lists
	}
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	r := &run{process: w, limits: l, answers: make(chan request, maxFetches)}
	sent := make(chan error, 1)
	go func() { sent <- w.send(m) }()
	last, err := r.wait(ctx, c)
	if err != nil {
		return nil, err, false
	}
	// An answer to what was not read whole would be out of step with the next.
	reusable = r.open == 0 && <-sent == nil
	if last.Error != nil {
		w.known[s.Key] = last.Error.Code != CodeFactory
		return nil, last.Error, reusable
	}
	w.known[s.Key] = true
	return last.Output, nil, reusable
}

// wait answers fetches until the call ends, or one of its limits is reached.
func (r *run) wait(ctx context.Context, c Call) (reply, error) {
	tick := time.NewTicker(memoryInterval)
	defer tick.Stop()
	left, since := r.limits.Time, time.Now()
	for {
		select {
		case got, ok := <-r.replies:
			switch {
			case !ok:
				return reply{}, &HandlerError{Code: CodeMemory, Msg: "the handler ended its process: out of memory or stack"}
			case got.Request == nil:
				return got, nil
			}
			if r.started++; r.started > maxFetches {
				return reply{}, &HandlerError{Code: CodeTime, Msg: "the handler makes more than " + strconv.Itoa(maxFetches) + " fetches in one call"}
			}
			r.open++
			go func() { r.answers <- r.fetch(ctx, c, got) }()
		case a := <-r.answers:
			r.open--
			go func() { _ = r.send(a) }()
		case <-ctx.Done():
			return reply{}, ctx.Err()
		case <-tick.C:
			if n := resident(r.cmd.Process.Pid); n > r.limits.Memory {
				return reply{}, &HandlerError{Code: CodeMemory, Msg: "the handler needs more than " + strconv.FormatInt(r.limits.Memory>>20, 10) + " MiB of memory"}
			}
			now := time.Now()
			if r.open == 0 {
				left -= now.Sub(since)
			}
			if since = now; left <= 0 {
				return reply{}, &HandlerError{Code: CodeTime, Msg: "the handler did not end within " + r.limits.Time.String()}
			}
		}
	}
}

func (r *run) fetch(ctx context.Context, c Call, got reply) request {
	answer := FetchAnswer{Error: "fetch is not available here"}
	if c.Fetch != nil {
		answer = c.Fetch(ctx, *got.Request)
	}
	return request{Fetch: got.Fetch, Answer: &answer}
}
