package bench

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	natsgo "github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"github.com/flowmcp/fmcp/internal/nats"
)

// queued is how many requests are answered in a run.
const queued = 6000

// BenchmarkQueue is fmcp-exec as the workers of a queue of three servers on the same
// machine, beside fmcp-exec that reads the same requests from a file; the upstream takes
// 20 ms. cost-x-alone is the time of one worker over that of the file, both with 16 calls
// in flight.
func BenchmarkQueue(b *testing.B) {
	server, ca, catalog := upstream(b, false, 20*time.Millisecond)
	var text bytes.Buffer
	for n := range queued {
		fmt.Fprintf(&text, `{"id":"bench/tool/get","params":{"n":%d},"tag":%d}`+"\n", n, n)
	}
	input := filepath.Join(b.TempDir(), "requests.ndjson")
	if err := os.WriteFile(input, text.Bytes(), 0o600); err != nil {
		b.Fatal(err)
	}
	j := "-j" + strconv.Itoa(inFlight)
	q := startQueue(b)
	var alone time.Duration
	workers := map[int]time.Duration{1: 0, 2: 0, 4: 0}
	for b.Loop() {
		in, err := os.Open(input)
		if err != nil {
			b.Fatal(err)
		}
		c := execCommand(server, ca, catalog, j)
		c.Stdin = in
		start := time.Now()
		if out, err := c.Output(); err != nil || bytes.Count(out, []byte(`"status":true`)) != queued {
			b.Fatalf("not all calls succeeded: %v, %.300s", err, out)
		}
		alone += time.Since(start)
		_ = in.Close()
		for _, n := range []int{1, 2, 4} {
			q.fill(b, text.Bytes())
			var commands []*exec.Cmd
			for range n {
				commands = append(commands, execCommand(server, ca, catalog, append([]string{j}, q.flags...)...))
			}
			workers[n] += q.answered(b, commands)
		}
	}
	rate := func(d time.Duration) float64 { return queued * float64(b.N) / d.Seconds() }
	b.ReportMetric(rate(alone), "alone-calls/s")
	for n, took := range workers {
		b.ReportMetric(rate(took), fmt.Sprintf("workers-%d-calls/s", n))
	}
	b.ReportMetric(workers[1].Seconds()/alone.Seconds(), "cost-x-alone")
}

// benchQueue is a queue of three servers.
type benchQueue struct {
	js    jetstream.JetStream
	flags []string // of a worker
}

func startQueue(b *testing.B) *benchQueue {
	b.Helper()
	var urls []string
	for _, s := range nats.Start(b, 3) {
		urls = append(urls, s.URL)
	}
	nc, err := natsgo.Connect(strings.Join(urls, ","))
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(nc.Close)
	js, err := jetstream.New(nc)
	if err != nil {
		b.Fatal(err)
	}
	hosts := "nats://" + strings.ReplaceAll(strings.Join(urls, ","), "nats://", "")
	return &benchQueue{js, []string{"--from", hosts + "/REQUESTS", "--to", hosts + "/answers"}}
}

// fill has the queue anew, with a request for each line.
func (q *benchQueue) fill(b *testing.B, lines []byte) {
	b.Helper()
	_ = q.js.DeleteStream(b.Context(), "REQUESTS")
	_ = q.js.DeleteStream(b.Context(), "answers")
	setup := func() error {
		_, err := q.js.CreateStream(b.Context(), jetstream.StreamConfig{Name: "REQUESTS", Replicas: 3,
			Retention: jetstream.WorkQueuePolicy})
		if err == nil {
			_, err = q.js.CreateConsumer(b.Context(), "REQUESTS", jetstream.ConsumerConfig{Durable: "fmcp-exec",
				AckPolicy: jetstream.AckExplicitPolicy, MaxDeliver: -1, MaxAckPending: -1})
		}
		if err == nil {
			_, err = q.js.CreateStream(b.Context(), jetstream.StreamConfig{Name: "answers", Replicas: 3,
				Subjects: []string{"answers", "answers.poison"}})
		}
		return err
	}
	for began := time.Now(); ; { // the servers may still be starting
		err := setup()
		if err == nil {
			break
		}
		if time.Since(began) > time.Minute {
			b.Fatal(err)
		}
	}
	for line := range bytes.Lines(lines) {
		if _, err := q.js.PublishAsync("REQUESTS", bytes.TrimSpace(line)); err != nil {
			b.Fatal(err)
		}
	}
	<-q.js.PublishAsyncComplete()
}

// answered is how long workers take from their start to the last answer.
func (q *benchQueue) answered(b *testing.B, workers []*exec.Cmd) time.Duration {
	b.Helper()
	start := time.Now()
	for _, c := range workers {
		if err := c.Start(); err != nil {
			b.Fatal(err)
		}
	}
	for {
		s, err := q.js.Stream(b.Context(), "answers")
		if err == nil && s.CachedInfo().State.Msgs == queued {
			break
		}
		if time.Since(start) > 5*time.Minute {
			b.Fatalf("not all is answered: %v", err)
		}
		time.Sleep(10 * time.Millisecond)
	}
	took := time.Since(start)
	for _, c := range workers {
		_ = c.Process.Signal(syscall.SIGTERM)
		_ = c.Wait()
	}
	return took
}
