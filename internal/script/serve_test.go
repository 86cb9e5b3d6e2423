//go:build unix

package script

import (
	"fmt"
	"regexp"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"
	"time"
)

const initialize = `{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-06-18",` +
	`"capabilities":{},"clientInfo":{"name":"test","version":"1"}}}` + "\n"

func call(id int, tool, arguments string) string {
	return fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":"tools/call","params":{"name":"%s","arguments":%s}}`+"\n", id,
		tool, arguments)
}

var answerID = regexp.MustCompile(`^\{"jsonrpc":"2\.0","id":(\d+),"result":`)

// 20 calls, then the end of the input: 20 answers, every time.
func TestServeAnswersAll(t *testing.T) {
	const calls, times = 20, 100
	dir, _, flags := apiFolder(t)
	var in strings.Builder
	in.WriteString(initialize)
	for id := 1; id <= calls; id++ {
		arguments := `{"id":"a"}`
		if id%5 == 0 {
			arguments = `{"wrong":1}`
		}
		in.WriteString(call(id, "echo_api", arguments))
	}
	input := strings.TrimSuffix(in.String(), "\n") // the last line may lack its newline
	for n := range times {
		p := start(t, dir, append([]string{"fmcp-serve", "api.ndjson"}, flags...)...)
		p.write(input)
		out, status := p.end()
		seen := map[string]bool{}
		for line := range strings.Lines(out) {
			m := answerID.FindStringSubmatch(line)
			if m == nil || seen[m[1]] {
				t.Errorf("unexpected answer %.200s", line)
				continue
			}
			seen[m[1]] = true
		}
		if status != 0 || len(seen) != calls+1 || strings.Count(p.stderr.String(), " failed: ") != calls/5 {
			t.Fatalf("run %d: status %d, %d answers of %d, stderr %q", n+1, status, len(seen), calls+1,
				p.stderr.String())
		}
	}
}

// A signal: the calls under way are answered first, all within two seconds,
// after which an MCP client would send SIGKILL.
func TestServeSignal(t *testing.T) {
	tests := []struct {
		name    string
		signal  syscall.Signal
		release bool // the upstream answers
		want    string
	}{
		{"answered", syscall.SIGTERM, true, `\"status\":true`},
		{"interrupted", syscall.SIGINT, true, `\"status\":true`},
		{"hung up", syscall.SIGHUP, true, `\"status\":true`},
		{"upstream hangs", syscall.SIGTERM, false, `"isError":true`},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			dir, u, flags := apiFolder(t)
			p := start(t, dir, append([]string{"fmcp-serve", "api.ndjson"}, flags...)...)
			p.write(initialize + call(7, "wait_api", "{}"))
			p.line()
			select {
			case <-u.entered:
			case <-time.After(patience):
				t.Fatal("the call did not reach the upstream")
			}
			sent := time.Now()
			p.signal(tt.signal)
			if tt.release {
				close(u.release)
			}
			answer := p.line()
			if !strings.HasPrefix(answer, `{"jsonrpc":"2.0","id":7,"result":`) || !strings.Contains(answer, tt.want) {
				t.Errorf("answer %s", answer)
			}
			status := p.wait()
			if took := time.Since(sent); status != 128+int(tt.signal) || took > 2*time.Second {
				t.Errorf("status %d after %v, stderr %q", status, took, p.stderr.String())
			}
		})
	}
}

// The end of the input while an upstream hangs: the call is given up, and
// answered, before an MCP client would send a signal.
func TestServeEndOfInput(t *testing.T) {
	dir, u, flags := apiFolder(t)
	p := start(t, dir, append([]string{"fmcp-serve", "api.ndjson"}, flags...)...)
	p.write(initialize + call(7, "wait_api", "{}"))
	p.line()
	select {
	case <-u.entered:
	case <-time.After(patience):
		t.Fatal("the call did not reach the upstream")
	}
	ended := time.Now()
	out, status := p.end()
	if took := time.Since(ended); status != 0 || took > 4*time.Second {
		t.Errorf("status %d after %v, stderr %q", status, took, p.stderr.String())
	}
	if !strings.HasPrefix(out, `{"jsonrpc":"2.0","id":7,"result":`) || !strings.Contains(out, `"isError":true`) {
		t.Errorf("answer %s", out)
	}
}

// A call that the client cancels gets no answer, and the next one does.
func TestServeCancel(t *testing.T) {
	dir, u, flags := apiFolder(t)
	p := start(t, dir, append([]string{"fmcp-serve", "api.ndjson"}, flags...)...)
	p.write(initialize + call(7, "wait_api", "{}"))
	p.line()
	select {
	case <-u.entered:
	case <-time.After(patience):
		t.Fatal("the call did not reach the upstream")
	}
	p.write(`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":7}}` + "\n" +
		call(8, "echo_api", `{"id":"a"}`))
	if answer := p.line(); !strings.HasPrefix(answer, `{"jsonrpc":"2.0","id":8,"result":`) {
		t.Errorf("answer %s", answer)
	}
	if out, status := p.end(); out != "" || status != 0 {
		t.Errorf("status %d, more answers: %s", status, out)
	}
}

// A server that is killed while it makes calls, and started again, sends nothing
// twice: who called is to decide whether to call again.
func TestServeKilled(t *testing.T) {
	dir, u, flags := apiFolder(t)
	args := append([]string{"fmcp-serve", "api.ndjson"}, flags...)
	id := 0
	for range 5 {
		p := start(t, dir, args...)
		p.write(initialize)
		p.line()
		for range 100 {
			id++
			p.write(call(id, "send_api", fmt.Sprintf(`{"to":{"n":%d}}`, id)))
		}
		p.line() // the others run, or wait
		p.signal(syscall.SIGKILL)
		if status := p.wait(); status != 128+int(syscall.SIGKILL) {
			t.Errorf("status %d", status)
		}
	}
	p := start(t, dir, args...)
	p.write(initialize)
	p.line()
	p.write(call(id+1, "send_api", `{"to":{"n":"last"}}`))
	if got := p.line(); !strings.Contains(got, `\"status\":true`) {
		t.Errorf("after all: %s", got)
	}
	p.end()
	sent := 0
	u.posts.Range(func(body, n any) bool {
		if sent++; n.(*atomic.Int64).Load() != 1 {
			t.Errorf("%s was sent %d times", body, n.(*atomic.Int64).Load())
		}
		return true
	})
	if sent < 6 || sent > id+1 {
		t.Errorf("%d calls were made of %d", sent, id+1)
	}
}
