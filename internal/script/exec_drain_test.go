//go:build unix

package script

import (
	"fmt"
	"io"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"

	"github.com/flowmcp/fmcp/internal/await"
)

// draining starts fmcp-exec on more requests than it works on at a time, and sends it a
// signal while the upstream keeps the first four waiting. Its input stays open.
func draining(t *testing.T, sig syscall.Signal, more ...string) (*process, *upstream) {
	t.Helper()
	dir, u, flags := apiFolder(t)
	p := start(t, dir, append(append([]string{"fmcp-exec", "-c", "api.ndjson", "-j4"}, flags...), more...)...)
	for i := range 16 {
		p.write(fmt.Sprintf(`{"id":"api/tool/wait","tag":%d}`+"\n", i))
	}
	for range 4 {
		<-u.entered
	}
	p.signal(sig)
	await.Until(t, "it says that it drains", func() bool {
		return strings.Contains(p.stderr.String(), "no more requests are read")
	})
	return p, u
}

// rest reads answers until the process ends, and returns its status.
func (p *process) rest() (lines []string, status int) {
	p.t.Helper()
	out, err := io.ReadAll(p.stdout)
	if err != nil {
		p.t.Error(err)
	}
	return strings.Split(strings.TrimSuffix(string(out), "\n"), "\n"), p.wait()
}

// A signal ends the reading: what was read by then is answered, and what was sent
// has an answer.
func TestExecDrains(t *testing.T) {
	for _, sig := range []syscall.Signal{syscall.SIGTERM, syscall.SIGINT, syscall.SIGHUP} {
		t.Run(sig.String(), func(t *testing.T) {
			t.Parallel()
			p, u := draining(t, sig)
			close(u.release)
			lines, status := p.rest()
			if status != 128+int(sig) {
				t.Errorf("status %d, %s", status, p.stderr.String())
			}
			// Four were under way, and one may have waited for its turn.
			if n := len(lines); n != int(u.calls.Load()) || n < 4 || n > 5 {
				t.Errorf("%d answers to %d calls", n, u.calls.Load())
			}
			for i, line := range lines {
				if !strings.Contains(line, fmt.Sprintf(`"tag":%d,"status":true`, i)) {
					t.Errorf("answer %d is %s", i, line)
				}
			}
		})
	}
}

// The second signal, and --drain after SIGTERM, end the calls: each still has an answer,
// which says so.
func TestExecDrainEnds(t *testing.T) {
	for name, sigs := range map[string][]syscall.Signal{
		"two signals": {syscall.SIGINT, syscall.SIGTERM},
		"--drain":     {syscall.SIGTERM},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			more := []string{"--drain", "1h"}
			if len(sigs) == 1 {
				more[1] = "1ms"
			}
			p, u := draining(t, sigs[0], more...)
			for _, sig := range sigs[1:] {
				p.signal(sig)
			}
			lines, status := p.rest()
			if status != 128+int(sigs[0]) {
				t.Errorf("status %d, %s", status, p.stderr.String())
			}
			if n := len(lines); n < 4 || n > 5 || u.calls.Load() != 4 {
				t.Errorf("%d answers to %d calls", n, u.calls.Load())
			}
			for i, line := range lines {
				if !strings.Contains(line, fmt.Sprintf(`"tag":%d,"status":false,"messages":["EXE036 wait: `, i)) {
					t.Errorf("answer %d is %s", i, line)
				}
			}
		})
	}
}

// What a process that was told to end has not answered, another one may do: the upstream
// gets each request once, though a repeated one would change something.
func TestExecHandsOver(t *testing.T) {
	const requests = 1000
	dir, u, flags := apiFolder(t)
	args := append([]string{"fmcp-exec", "-c", "api.ndjson", "-j4"}, flags...)
	request := func(i int) string {
		return fmt.Sprintf(`{"id":"api/tool/send","params":{"to":{"n":%d}},"tag":%d}`+"\n", i, i)
	}
	first := start(t, dir, args...)
	for i := range requests {
		first.write(request(i))
	}
	await.Until(t, "some are sent", func() bool { return u.calls.Load() >= 20 })
	first.signal(syscall.SIGTERM)
	answered, status := first.rest()
	if status != 128+int(syscall.SIGTERM) {
		t.Errorf("status %d, %s", status, first.stderr.String())
	}
	second := start(t, dir, args...)
	for i := len(answered); i < requests; i++ {
		second.write(request(i))
	}
	more, status := second.end()
	if n := len(answered) + strings.Count(more, "\n"); status != 0 || n != requests || len(answered) == requests {
		t.Errorf("status %d, %d answers, %d of them of the first", status, n, len(answered))
	}
	bodies := 0
	u.posts.Range(func(body, n any) bool {
		if bodies++; n.(*atomic.Int64).Load() != 1 {
			t.Errorf("%s was sent %d times", body, n.(*atomic.Int64).Load())
		}
		return true
	})
	if bodies != requests {
		t.Errorf("%d requests came, want %d", bodies, requests)
	}
}

// A call of the command line ends at the first signal.
func TestExecOneCallEnds(t *testing.T) {
	dir, u, flags := apiFolder(t)
	p := start(t, dir, append([]string{"fmcp-exec", "-c", "api.ndjson", "api/tool/wait"}, flags...)...)
	<-u.entered
	p.signal(syscall.SIGINT)
	if out, status := p.end(); out != "" || status != 128+int(syscall.SIGINT) {
		t.Errorf("status %d, %s", status, out)
	}
}
