//go:build unix

package script

import (
	"fmt"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/flowmcp/fmcp/internal/redis"
)

// Two workers keep to one rate together. While the Redis is gone, each keeps to it by
// itself, and no call fails.
func TestExecLimits(t *testing.T) {
	const calls, rate = 25, 50 // of each worker, and per second
	server := redis.Start(t, "--requirepass", envCanary)
	dir, u, flags := apiFolder(t)
	t.Setenv("REDIS_PASSWORD", envCanary)
	args := append([]string{"fmcp-exec", "-c", "api.ndjson", "-j4", "--host-rate", fmt.Sprint(rate, "/s"),
		"--limits", "redis://" + server.Addr}, flags...)
	workers := []*process{start(t, dir, args...), start(t, dir, args...)}
	const request = `{"id":"api/tool/send","params":{"to":{}}}` + "\n"
	answered := func(p *process) {
		t.Helper()
		if line := p.line(); !strings.Contains(line, `"status":true`) {
			t.Errorf("%s", line)
		}
	}
	round := func(meanwhile func()) (took time.Duration) {
		t.Helper()
		for _, p := range workers { // what they start with is no part of it
			p.write(request)
			answered(p)
		}
		began := time.Now()
		for _, p := range workers {
			p.write(strings.Repeat(request, calls))
		}
		meanwhile()
		for _, p := range workers {
			for range calls {
				answered(p)
			}
		}
		return time.Since(began)
	}
	if took, least := round(func() {}), (2*calls-1)*time.Second/rate; took < least {
		t.Errorf("%d calls in %s, at least %s are wanted", 2*calls, took, least)
	}
	// When the Redis goes, the next start is at once.
	if took, least := round(server.Kill), (calls-2)*time.Second/rate; took < least {
		t.Errorf("without Redis, %d calls in %s, at least %s are wanted", 2*calls, took, least)
	}
	for _, p := range workers {
		if _, status := p.end(); status != 0 {
			t.Errorf("status %d", status)
		}
		said := p.stderr.String()
		if strings.Count(said, "\n") != 1 || !strings.Contains(said, "warning: the Redis of --limits, "+server.Addr) {
			t.Errorf("said %s", said)
		}
	}
	if got, want := int(u.calls.Load()), 2*2*(calls+1); got != want {
		t.Errorf("%d calls, want %d", got, want)
	}
}

// A password, right or wrong, is neither in messages nor in answers.
func TestExecLimitsPassword(t *testing.T) {
	dir, _, flags := apiFolder(t)
	addr := redis.Start(t, "--requirepass", "another").Addr
	secret := url.UserPassword("", envCanary).String() + "@"
	for _, tt := range []struct {
		url, want string
		status    int
	}{
		{"redis://" + secret + addr, "WRONGPASS", 0},
		{"redis://" + secret + "127.0.0.1:1", "connection refused", 0},
		{"redis://" + secret + "127.0.0.1/x", "is no number", 2},
		{"redis://:" + envCanary + "%@127.0.0.1", "as %XX", 2},
	} {
		p := start(t, dir, append([]string{"fmcp-exec", "-c", "api.ndjson", "--host-rate", "50/s", "--limits", tt.url,
			"api/tool/send", "to={}"}, flags...)...)
		if out, status := p.end(); status != tt.status || !strings.Contains(p.stderr.String(), tt.want) {
			t.Errorf("%s: status %d, %s%s", tt.want, status, out, p.stderr.String())
		}
	}
}

func TestExecLimitsUsage(t *testing.T) {
	dir, _, flags := apiFolder(t)
	for want, more := range map[string][]string{
		"give that too":              {"--limits", "redis://127.0.0.1"},
		"it is no URL of a Redis":    {"--limits", "127.0.0.1", "--host-rate", "1/s"},
		"REDIS_CA: open gone.pem: n": {"--limits", "rediss://127.0.0.1", "--host-rate", "1/s"},
	} {
		t.Setenv("REDIS_CA", "gone.pem")
		p := start(t, dir, append(append([]string{"fmcp-exec", "-c", "api.ndjson"}, flags...), more...)...)
		if _, status := p.end(); status != 2 || !strings.Contains(p.stderr.String(), want) {
			t.Errorf("status %d, %s; want %s", status, p.stderr.String(), want)
		}
	}
}
