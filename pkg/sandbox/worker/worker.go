// Package worker is what runs JavaScript: a process of this program that
// pkg/sandbox has started, see sandbox.Pool. It is the only importer of goja.
package worker

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

	"github.com/flowmcp/fmcp/pkg/sandbox"
)

// workerStack ends a worker whose native functions recurse without end, in bytes.
const workerStack = 64 << 20

// A command that links this package is a worker where its arguments say so. That
// is looked at before main, so that no flag is parsed and nothing else starts.
func init() {
	if len(os.Args) == 3 && os.Args[1] == sandbox.WorkerArg {
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
	in       chan sandbox.Request
	out      io.Writer
	scripts  map[string]*runtime      // by key
	programs map[string]*goja.Program // libraries by hash
}

// newWorker reads messages until the other side is gone, and then ends the
// process, whatever it does. So that it sees that, it must never wait for a
// handler to take a message: there is room for a call and all its answers.
func newWorker(in io.Reader, out io.Writer) *worker {
	w := &worker{in: make(chan sandbox.Request, 2*sandbox.MaxFetches), out: out, scripts: map[string]*runtime{},
		programs: map[string]*goja.Program{}}
	go func() {
		d := json.NewDecoder(bufio.NewReaderSize(in, 64<<10))
		for {
			var m sandbox.Request
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
			w.send(sandbox.Reply{Error: w.compile(m.Library)})
			continue
		}
		if m.Stage == "" {
			continue // answers a fetch that no handler waited for
		}
		w.send(w.call(m))
	}
}

func (w *worker) send(r sandbox.Reply) {
	text, err := sandbox.Line(r)
	if err != nil {
		text, _ = sandbox.Line(sandbox.Reply{Error: &sandbox.HandlerError{Code: sandbox.CodeThrew,
			Msg: "the handler's result is not JSON"}})
	}
	if _, err := w.out.Write(text); err != nil {
		os.Exit(0)
	}
}

func (w *worker) call(m sandbox.Request) sandbox.Reply {
	switch m.Stage {
	case sandbox.Exporting:
		return export(m)
	case sandbox.Coding:
		return w.code(m)
	}
	r := w.scripts[m.Key]
	if r == nil {
		made, err := newRuntime(w, m)
		if err != nil {
			return sandbox.Reply{Error: err}
		}
		r = made
		w.scripts[m.Key] = r
	}
	output, err := r.call(m)
	if err != nil {
		return sandbox.Reply{Error: err}
	}
	return sandbox.Reply{Output: output, Warning: r.warning}
}
