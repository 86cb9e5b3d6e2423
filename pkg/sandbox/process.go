package sandbox

import (
	"encoding/json"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"sync"
	"syscall"

	"github.com/flowmcp/fmcp/pkg/ndjson"
)

// process is a worker as its parent sees it.
type process struct {
	cmd     *exec.Cmd
	memory  meter
	in      io.WriteCloser
	replies chan Reply // closed when the worker is gone
	known   map[string]bool
	calls   int
	counts  int64 // bytes of the pool's budget, see room.go

	compiled map[string]bool // libraries by hash
}

// startProcess starts a worker that may hold so many bytes of memory.
func startProcess(memory int64) (*process, error) {
	self, err := executable()
	if err != nil {
		return nil, err
	}
	keepFiles()
	cmd := exec.Command(self, WorkerArg, strconv.FormatInt(memory, 10))
	cmd.Env = []string{} // nil would hand on ours
	cmd.Dir = string(filepath.Separator)
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
	w := &process{cmd: cmd, memory: newMeter(cmd.Process.Pid), in: in, replies: make(chan Reply, 1),
		known: map[string]bool{}, compiled: map[string]bool{}}
	live.Add(1)
	workers.Store(w, true)
	go w.read(out)
	return w, nil
}

// executable is this program. Where the system has a name for the very file that
// runs, that one is taken: the other may have been replaced by a new version.
func executable() (string, error) {
	const running = "/proc/self/exe"
	if _, err := os.Stat(running); err == nil {
		return running, nil
	}
	return os.Executable()
}

// The workers of this process.
var (
	workers sync.Map // *process, true
	live    sync.WaitGroup
)

// End ends all workers and waits until they are gone: whoever looks after a
// command ended finds none of its processes.
func End() {
	for w := range workers.Range {
		_ = w.(*process).cmd.Process.Kill()
	}
	live.Wait()
}

// read hands replies on until the worker is gone.
func (w *process) read(out io.Reader) {
	defer func() {
		_ = w.cmd.Process.Kill()
		_ = w.cmd.Wait()
		w.memory.close()
		close(w.replies)
		workers.Delete(w)
		live.Done()
	}()
	lines := ndjson.NewReader(out, maxOutput)
	for {
		l, err := lines.Next()
		if err != nil {
			return
		}
		r := Reply{lost: true, Error: &HandlerError{Code: CodeMemory,
			Msg: "the handler returned, or sent, more than " + strconv.Itoa(maxOutput) + " bytes"}}
		if !l.TooLong {
			r = Reply{}
			if json.Unmarshal(l.Bytes, &r) != nil {
				return
			}
		}
		w.replies <- r
	}
}

// ExitMemory is the status of a worker that ends itself since it holds more
// memory than it may.
const ExitMemory = 3

// ended says why a worker is gone that was not ended here, as far as that is
// known.
func (w *process) ended(memory int64) *HandlerError {
	state := w.cmd.ProcessState
	if status, ok := state.Sys().(syscall.WaitStatus); ok && status.Signaled() {
		return &HandlerError{Code: CodeKilled,
			Msg: "the process of the handler was ended from outside, by signal " + strconv.Itoa(int(status.Signal())) +
				" (" + status.Signal().String() + "); the system does that where memory is short"}
	}
	switch state.ExitCode() {
	case ExitMemory:
		return tooLarge(memory)
	case 2: // of the runtime of Go
		return &HandlerError{Code: CodeMemory,
			Msg: "the process of the handler ended itself, as it does where there is no longer stack or memory " +
				"to be had"}
	}
	return &HandlerError{Code: CodeKilled, Msg: "the process of the handler ended itself with " + state.String()}
}

// kill ends a worker. It never blocks.
func (w *process) kill() {
	if w.cmd == nil {
		return // it could not be started
	}
	_ = w.cmd.Process.Kill()
	_ = w.in.Close()
	go func() {
		for range w.replies { // lets read go on to the end
		}
	}()
}

// pipeRoom is what a pipe takes, in bytes, before anybody has read.
const pipeRoom = 32 << 10

// begin sends a call to a worker that waits for one. What the pipe has no room
// for is written beside the caller, who has a deadline.
func (w *process) begin(m Request) <-chan error {
	sent := make(chan error, 1)
	text, err := Line(m)
	write := func() {
		if err == nil {
			_, err = w.in.Write(text)
		}
		sent <- err
	}
	if len(text) > pipeRoom {
		go write()
	} else {
		write()
	}
	return sent
}

// send writes a message. A worker that does not read is killed by the deadline,
// and the write then fails.
func (w *process) send(m Request) error {
	text, err := Line(m)
	if err != nil {
		return err
	}
	_, err = w.in.Write(text)
	return err
}
