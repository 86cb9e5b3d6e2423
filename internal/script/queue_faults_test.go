//go:build unix

package script

import (
	"context"
	"flag"
	"fmt"
	"io"
	"maps"
	"net/http"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	natsgo "github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"github.com/flowmcp/fmcp/internal/await"
	"github.com/flowmcp/fmcp/internal/nats"
	"github.com/flowmcp/fmcp/pkg/ordjson"
)

var queueRequests = flag.Int("queue", 0, "requests of TestQueueFaults; 0 leaves it out")

// workerJobs is -j of the workers: so many calls are under way when one is killed.
const workerJobs = 16

// ackWait is that of the consumer: longer than the servers need for a new leader.
const ackWait = 8 * time.Second

// counting is an upstream that takes 20 ms, and counts how often each request came.
type counting struct {
	mu     sync.Mutex
	calls  map[string]int // "GET 17"
	ending chan struct{}  // receives when a call has come that is never answered
}

var requestNumber = regexp.MustCompile(`"n":(\d+)|/echo/(\d+)`)

func (c *counting) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if r.URL.Path == "/wait" {
		c.count("GET wait")
		c.ending <- struct{}{}
		<-r.Context().Done()
		return
	}
	body, _ := io.ReadAll(r.Body)
	n := requestNumber.FindStringSubmatch(r.URL.Path + string(body))
	c.count(r.Method + " " + n[1] + n[2])
	time.Sleep(20 * time.Millisecond) // what the upstream works
	w.Header().Set("Content-Type", "application/json")
	_, _ = io.WriteString(w, "{}")
}

func (c *counting) count(key string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.calls[key]++
}

// most is how often the request came that came most often.
func (c *counting) most() int {
	c.mu.Lock()
	defer c.mu.Unlock()
	return slices.Max(slices.Collect(maps.Values(c.calls)))
}

// again is how many calls of a method came more often than once.
func (c *counting) again(method string) (n int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for key, times := range c.calls {
		if strings.HasPrefix(key, method) {
			n += times - 1
		}
	}
	return n
}

// faults is a queue of three servers whose faults are tried.
type faults struct {
	*testing.T
	servers []*nats.Server
	js      jetstream.JetStream
	dir     string
	worker  []string // its command
	up      *counting
	sent    int // requests
	kept    int // messages in the stream of answers
	workers []*exec.Cmd
}

func consumer(ackWait time.Duration) jetstream.ConsumerConfig {
	return jetstream.ConsumerConfig{Durable: "fmcp-exec", AckPolicy: jetstream.AckExplicitPolicy, AckWait: ackWait,
		MaxDeliver: -1, MaxAckPending: -1}
}

func newFaults(t *testing.T) *faults {
	t.Helper()
	dir, u, flags := apiFolder(t)
	f := &faults{T: t, servers: nats.Start(t, 3), dir: dir, up: &counting{calls: map[string]int{},
		ending: make(chan struct{})}}
	u.server.Config.Handler = f.up
	var urls []string
	for _, s := range f.servers {
		urls = append(urls, s.URL)
	}
	url := strings.Join(urls, ",")
	hosts := strings.ReplaceAll(url, "nats://", "")
	nc, err := natsgo.Connect(url, natsgo.MaxReconnects(-1), natsgo.ReconnectWait(100*time.Millisecond))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(nc.Close)
	if f.js, err = jetstream.New(nc); err != nil {
		t.Fatal(err)
	}
	await.Until(t, "the servers make the stream", func() bool {
		_, err := f.js.CreateStream(t.Context(), jetstream.StreamConfig{Name: "REQUESTS", Replicas: 3,
			Retention: jetstream.WorkQueuePolicy})
		return err == nil
	})
	if _, err := f.js.CreateConsumer(t.Context(), "REQUESTS", consumer(ackWait)); err != nil {
		t.Fatal(err)
	}
	f.worker = slices.Concat([]string{filepath.Join(bin, "fmcp-exec"), "-c", "api.ndjson", fmt.Sprint("-j", workerJobs),
		"--from", "nats://" + hosts + "/REQUESTS", "--to", "nats://" + hosts + "/answers", "--setup"}, flags)
	return f
}

// work starts a worker.
func (f *faults) work() {
	f.Helper()
	c := exec.Command(f.worker[0], f.worker[1:]...)
	c.Dir, c.Env = f.dir, append(c.Environ(), "PARCELBIRD_TOKEN="+envCanary, "FMCP_ENV=PARCELBIRD_TOKEN")
	c.Stderr = testWriter{f.T}
	if err := c.Start(); err != nil {
		f.Fatal(err)
	}
	f.Cleanup(func() { _ = c.Process.Kill() })
	f.workers = append(f.workers, c)
}

type testWriter struct{ *testing.T }

func (w testWriter) Write(p []byte) (int, error) { w.Logf("%s", p); return len(p), nil }

// end ends the oldest worker.
func (f *faults) end(sig syscall.Signal) {
	f.Helper()
	c := f.workers[0]
	f.workers = f.workers[1:]
	_ = c.Process.Signal(sig)
	err := c.Wait()
	status := c.ProcessState.Sys().(syscall.WaitStatus)
	if status.ExitStatus() != 128+int(sig) && status.Signal() != sig {
		f.Errorf("a worker ended with %v", err)
	}
}

// send publishes n requests, every tenth of them a POST.
func (f *faults) send(n int) {
	f.Helper()
	for i := f.sent; i < f.sent+n; i++ {
		line := fmt.Sprintf(`{"id":"api/tool/echo","params":{"id":"%d"},"tag":%d}`, i, i)
		if i%10 == 0 {
			line = fmt.Sprintf(`{"id":"api/tool/send","params":{"to":{"n":%d}},"tag":%d}`, i, i)
		}
		if _, err := f.js.PublishAsync("REQUESTS", []byte(line)); err != nil {
			f.Fatal(err)
		}
	}
	<-f.js.PublishAsyncComplete()
	f.sent += n
}

// until waits until the stream of answers has n messages more than those that were
// looked at, however long that takes as long as there is progress.
func (f *faults) until(n int) {
	f.Helper()
	for done := 0; done < n; {
		last := done
		await.Until(f, fmt.Sprintf("more than %d of %d answers", last, n), func() bool {
			if s, err := f.js.Stream(f.Context(), "answers"); err == nil {
				done = int(s.CachedInfo().State.Msgs) - f.kept
			}
			return done > last
		})
	}
}

// outcome is what became of some requests.
type outcome struct {
	answers, aside, lost, twice int
	refused                     int // answers that say that the request is not repeated
	gets, posts                 int // that came to the upstream more often than once
}

// Whether a batch may have requests that are called again, since a worker is killed that
// has called them and not kept their answers, and POSTs that are refused, since it had
// them in hand.
const (
	mayNot    = 0
	mayRepeat = workerJobs
)

// batch has two workers answer n requests, and a fault come when a third is answered.
func (f *faults) batch(name string, n, repeats int, fault func()) {
	f.Helper()
	gets, posts, first := f.up.again("GET"), f.up.again("POST"), f.sent
	f.send(n)
	start := time.Now()
	for range 2 {
		f.work()
	}
	f.until(n / 3)
	fault()
	f.until(n)
	took := time.Since(start)
	await.Until(f, "all requests are acknowledged", func() bool {
		s, err := f.js.Stream(f.Context(), "REQUESTS")
		return err == nil && s.CachedInfo().State.Msgs == 0
	})
	for len(f.workers) > 0 {
		f.end(syscall.SIGTERM)
	}
	o := f.look(first)
	o.gets, o.posts = f.up.again("GET")-gets, f.up.again("POST")-posts
	f.row(name, n, o, took)
	if o.answers != n || o.aside+o.lost+o.twice+o.posts > 0 || o.gets > 3*repeats || o.refused > 4*repeats ||
		f.up.most() > 2 {
		f.Errorf("%s: %+v", name, o)
	}
}

func (f *faults) row(name string, n int, o outcome, took time.Duration) {
	f.Helper()
	f.Logf("| %s | %d | %d | %d | %d | %d | %d | %d | %d | %.1f s |", name, n, o.answers, o.aside, o.lost, o.twice,
		o.gets, o.posts, o.refused, took.Seconds())
}

// poison has two lines that are no requests, and a request that ends each process that
// works on it.
func (f *faults) poison() {
	f.Helper()
	if _, err := f.js.UpdateConsumer(f.Context(), "REQUESTS", consumer(time.Second)); err != nil {
		f.Fatal(err)
	}
	start, first, gets := time.Now(), f.sent, f.up.again("GET")
	ending := fmt.Sprintf(`{"id":"api/tool/wait","tag":%d}`, first)
	for _, line := range []string{`{"id":`, `{"v":1,"kind":"end"}`, ending} {
		if _, err := f.js.Publish(f.Context(), "REQUESTS", []byte(line)); err != nil {
			f.Fatal(err)
		}
	}
	f.sent++
	for range 5 {
		f.work()
		<-f.up.ending
		f.end(syscall.SIGKILL)
	}
	f.work()
	f.until(3)
	f.end(syscall.SIGTERM)
	o := f.look(first)
	o.gets = f.up.again("GET") - gets
	delete(f.up.calls, "GET wait")
	f.row("poison", 3, o, time.Since(start))
	if o.aside != 3 || o.answers+o.lost > 0 || o.gets != 4 {
		f.Errorf("%+v", o)
	}
}

// look reads what has come for the requests from first on.
func (f *faults) look(first int) outcome {
	f.Helper()
	s, err := f.js.Stream(f.Context(), "answers")
	if err != nil {
		f.Fatal(err)
	}
	var o outcome
	seen := map[int]int{}
	for ; f.kept < int(s.CachedInfo().State.Msgs); f.kept++ {
		var msg *jetstream.RawStreamMsg
		await.Until(f, "the next answer", func() bool { // the servers may be busy with a new leader
			ctx, cancel := context.WithTimeout(f.Context(), time.Second)
			defer cancel()
			msg, err = s.GetMsg(ctx, uint64(f.kept)+1)
			return err == nil
		})
		v, _ := ordjson.Parse(string(msg.Data))
		message := ordjson.Text(v.Get("messages"))
		switch {
		case msg.Subject != "answers":
			o.aside++
		case strings.Contains(message, "EXE038 "):
			o.refused++
			fallthrough
		case v.Get("status").True():
			o.answers++
		default:
			f.Errorf("%s", msg.Data)
		}
		seen[int(v.Get("tag").Float())]++
	}
	for tag := first; tag < f.sent; tag++ {
		switch n := seen[tag]; {
		case n == 0:
			o.lost++
		case n > 1:
			o.twice++
		}
	}
	return o
}

// Each request has one answer or is set aside, none that may change something is sent
// twice, and any other at most twice, whatever fails.
func TestQueueFaults(t *testing.T) {
	if *queueRequests == 0 {
		t.Skip("-queue says how many requests; make interop tries 1,200, make bench 24,000")
	}
	f := newFaults(t)
	t.Log("| fault | requests | answered | set aside | lost | answered twice | GETs sent again | POSTs sent again | " +
		"POSTs not repeated | took |")
	all := func() {
		f.leader("REQUESTS").Kill()
		f.end(syscall.SIGKILL)
		f.work()
		f.end(syscall.SIGTERM)
		f.work()
	}
	if testing.Short() {
		f.batch("all three at once", *queueRequests, mayRepeat, all)
		return
	}
	n := *queueRequests / 6
	f.batch("none", n, mayNot, func() {})
	f.batch("SIGTERM of a worker", n, mayNot, func() { f.end(syscall.SIGTERM); f.work() })
	f.batch("kill -9 of a worker", n, mayRepeat, func() { f.end(syscall.SIGKILL); f.work() })
	leader := f.leader("REQUESTS")
	f.batch("kill -9 of the leader", n, mayNot, leader.Kill)
	leader.Restart(t)
	f.healthy()
	leader = f.leader("REQUESTS")
	f.batch("all three at once", n, mayRepeat, all)
	leader.Restart(t)
	f.healthy()
	f.poison()
	if server := f.servers[0]; f.smallDisk(server) {
		f.lead(server)
		f.batch("disk of the leader full", n, mayNot, func() { f.fill(server) })
	} else {
		t.Log("a full disk: skipped, since no tmpfs can be mounted")
	}
}
