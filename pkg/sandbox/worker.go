package sandbox

import (
	"bufio"
	"encoding/json"
	"io"
	"os"
	"os/signal"
	goruntime "runtime"
	"runtime/debug"
	"strconv"
	"time"

	"github.com/dop251/goja"
)

// workerArg, and the bytes of memory that it may hold, make any of our commands
// a worker. It is looked at before main, so that no flag is parsed and nothing
// else starts.
const workerArg = "--fmcp-sandbox-worker"

const (
	// workerStack ends a worker whose native functions recurse without end.
	workerStack = 64 << 20
)

func init() {
	if len(os.Args) == 3 && os.Args[1] == workerArg {
		memory, err := strconv.ParseInt(os.Args[2], 10, 64)
		if err != nil {
			os.Exit(1)
		}
		debug.SetMemoryLimit(memory / 4 * 3) // from here on the garbage collector works hard
		debug.SetMaxStack(workerStack)
		goruntime.GOMAXPROCS(1)     // a call is handed on without waking a thread
		signal.Ignore(os.Interrupt) // meant for the parent, which says what becomes of the call
		time.Local = time.UTC       // a date is written in the same way on every machine
		go watchMemory(memory)
		// Until main begins, this goroutine is bound to its thread, which would
		// have to be woken for every call.
		go newWorker(input(), os.Stdout).serve()
		select {}
	}
}

// worker runs handlers, one call at a time.
type worker struct {
	in       chan request
	out      io.Writer
	scripts  map[string]*runtime      // by key
	programs map[string]*goja.Program // libraries by hash
}

// newWorker reads messages until the other side is gone, and then ends the
// process, whatever it does. So that it sees that, it must never wait for a
// handler to take a message: there is room for a call and all its answers.
func newWorker(in io.Reader, out io.Writer) *worker {
	w := &worker{in: make(chan request, 2*maxFetches), out: out, scripts: map[string]*runtime{}, programs: map[string]*goja.Program{}}
	go func() {
		d := json.NewDecoder(bufio.NewReaderSize(in, 64<<10))
		for {
			var m request
			if err := d.Decode(&m); err != nil {
				os.Exit(0)
			}
			w.in <- m
		}
	}()
	return w
}

func (w *worker) serve() {
	for m := range w.in {
		if m.Library != nil {
			w.send(reply{Error: w.compile(m.Library)})
			continue
		}
		if m.Stage == "" {
			continue // answers a fetch that nobody waited for
		}
		w.send(w.call(m))
	}
}

func (w *worker) send(r reply) {
	text, err := line(r)
	if err != nil {
		text, _ = line(reply{Error: &HandlerError{Code: CodeThrew, Msg: "the handler's result is no JSON"}})
	}
	if _, err := w.out.Write(text); err != nil {
		os.Exit(0)
	}
}

func (w *worker) call(m request) reply {
	if m.Stage == exporting {
		return export(m)
	}
	r := w.scripts[m.Key]
	if r == nil {
		made, err := newRuntime(w, m)
		if err != nil {
			return reply{Error: err}
		}
		r = made
		w.scripts[m.Key] = r
	}
	output, err := r.call(m)
	if err != nil {
		return reply{Error: err}
	}
	return reply{Output: output, Warning: r.warning}
}
