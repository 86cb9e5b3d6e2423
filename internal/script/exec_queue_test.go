//go:build unix

package script

import (
	"fmt"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	natsgo "github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"github.com/flowmcp/fmcp/internal/await"
	"github.com/flowmcp/fmcp/internal/nats"
	"github.com/flowmcp/fmcp/pkg/ordjson"
	"github.com/flowmcp/fmcp/pkg/record"
)

// jobQueue is a server with a stream of requests, whose consumer waits a second for an
// acknowledgement.
func jobQueue(t *testing.T) (js jetstream.JetStream, flags []string) {
	t.Helper()
	url := nats.Start(t, 1)[0].URL
	nc, err := natsgo.Connect(url)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(nc.Close)
	if js, err = jetstream.New(nc); err != nil {
		t.Fatal(err)
	}
	_, err = js.CreateStream(t.Context(), jetstream.StreamConfig{Name: "REQUESTS",
		Retention: jetstream.WorkQueuePolicy})
	if err == nil {
		_, err = js.CreateConsumer(t.Context(), "REQUESTS", jetstream.ConsumerConfig{Durable: "fmcp-exec",
			AckPolicy: jetstream.AckExplicitPolicy, AckWait: time.Second})
	}
	if err != nil {
		t.Fatal(err)
	}
	return js, []string{"--from", url + "/REQUESTS", "--to", url + "/answers", "--setup"}
}

// kept is what is kept of answers and of requests that were set aside.
func kept(t *testing.T, js jetstream.JetStream, n int) (answers, poison []*jetstream.RawStreamMsg) {
	t.Helper()
	var s jetstream.Stream
	await.Until(t, fmt.Sprintf("%d requests have an answer", n), func() bool {
		var err error
		s, err = js.Stream(t.Context(), "answers")
		return err == nil && int(s.CachedInfo().State.Msgs) >= n
	})
	for seq := range s.CachedInfo().State.LastSeq {
		m, err := s.GetMsg(t.Context(), seq+1)
		switch {
		case err != nil:
			t.Fatal(err)
		case m.Subject == "answers":
			answers = append(answers, m)
		default:
			poison = append(poison, m)
		}
	}
	return answers, poison
}

// A worker that is killed loses no request, and no request that may change something is
// sent twice. One that is told to end leaves nothing half done.
func TestExecQueue(t *testing.T) {
	const requests = 200
	dir, u, flags := apiFolder(t)
	js, queue := jobQueue(t)
	args := append(append([]string{"fmcp-exec", "-c", "api.ndjson", "-j4"}, flags...), queue...)
	send := func(line string) {
		t.Helper()
		if _, err := js.Publish(t.Context(), "REQUESTS", []byte(line)); err != nil {
			t.Fatal(err)
		}
	}
	send(`{"id":"api/tool/send","params":`)
	send(`{"v":1,"kind":"end"}`)
	for i := range requests {
		id := "wait"
		if i%10 > 0 {
			id = "send"
		}
		send(fmt.Sprintf(`{"id":"api/tool/%s","params":%s,"tag":%d}`, id,
			map[string]string{"wait": "{}", "send": fmt.Sprintf(`{"to":{"n":%d}}`, i)}[id], i))
	}
	killed := start(t, dir, args...)
	for range 4 {
		<-u.entered
	}
	killed.signal(syscall.SIGKILL)
	killed.wait()
	close(u.release)

	ended := start(t, dir, args...)
	before := u.calls.Load()
	await.Until(t, "the second one works", func() bool { return u.calls.Load() > before+20 })
	ended.signal(syscall.SIGTERM)
	if out, status := ended.end(); out != "" || status != 128+int(syscall.SIGTERM) {
		t.Errorf("status %d, %s%s", status, out, ended.stderr.String())
	}
	last := start(t, dir, args...)
	answers, poison := kept(t, js, requests+2)
	last.signal(syscall.SIGTERM)
	last.wait()
	checkAnswers(t, answers, requests)
	var reasons []string // two that are worked on at the same time may change places
	for _, m := range poison {
		reasons = append(reasons, m.Header.Get("Fmcp-Error"))
	}
	if text := strings.Join(reasons, "\n"); len(reasons) != 2 || !strings.Contains(text, `"code":"LOD020"`) ||
		!strings.Contains(text, `found a record of kind \"end\", expected a request`) {
		t.Errorf("set aside for %s", text)
	}
	u.posts.Range(func(body, n any) bool {
		if n := n.(*atomic.Int64).Load(); n != 1 {
			t.Errorf("%s was sent %d times", body, n)
		}
		return true
	})
}

// checkAnswers checks that each tag has one answer, and that what failed is only what
// the worker that was killed may have sent.
func checkAnswers(t *testing.T, answers []*jetstream.RawStreamMsg, requests int) {
	t.Helper()
	seen, refused := map[string]int{}, 0
	for _, m := range answers {
		_, rec, v, err := record.Decode(string(m.Data))
		e, ok := rec.(*record.Envelope)
		if err != nil || !ok {
			t.Fatalf("%s: %v", m.Data, err)
		}
		seen[string(ordjson.Append(nil, v.Get("tag")))]++
		switch {
		case e.Status:
		case strings.HasPrefix(e.Messages[0], "EXE038 "):
			refused++
		default:
			t.Errorf("%s", m.Data)
		}
	}
	if len(answers) != requests || len(seen) != requests || refused > 16 { // of -j4, four times as many are in hand
		t.Errorf("%d answers to %d requests, %d refused", len(answers), len(seen), refused)
	}
}

func TestExecQueueFlags(t *testing.T) {
	dir, _, flags := apiFolder(t)
	queue := func(more ...string) []string {
		return append([]string{"--from", "nats://a/A", "--to", "nats://a/b"}, more...)
	}
	for want, more := range map[string][]string{
		"a queue has two ends":    {"--from", "nats://127.0.0.1/A"},
		"leave --end out":         queue("--end"),
		"leave --unordered out":   queue("--unordered"),
		"leave --dry-run out":     queue("--dry-run"),
		"leave --fail-on out":     queue("--fail-on", "never"),
		"leave --format out":      queue("-f", "text"),
		"leave --output out":      queue("-o", "ndjson=x"),
		"leave --allow-empty out": queue("--allow-empty"),
		"leave --params out":      queue("--params", "{}"),
		"leave api/tool/send out": queue("api/tool/send", "to=1"),
		"--from: it has a user":   {"--from", "nats://u:pass@a/A", "--to", "nats://a/b"},
		"--to: it has no SUBJECT": {"--from", "nats://a/A", "--to", "nats://a"},
	} {
		p := start(t, dir, append(append([]string{"fmcp-exec", "-c", "api.ndjson"}, flags...), more...)...)
		_, status := p.end()
		if text := p.stderr.String(); status != 2 || !strings.Contains(text, want) || strings.Contains(text, "pass") {
			t.Errorf("status %d, %s; want %s", status, text, want)
		}
	}
	p := start(t, dir, append(append([]string{"fmcp-exec", "-c", "api.ndjson"}, flags...), "--from",
		"nats://127.0.0.1:1/A", "--to", "nats://127.0.0.1:1/b")...)
	if _, status := p.end(); status != 3 || !strings.Contains(p.stderr.String(), "no connection to the NATS server") {
		t.Errorf("status %d, %s", status, p.stderr.String())
	}
}
