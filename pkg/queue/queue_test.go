package queue

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/nats-io/nats.go/jetstream"

	"github.com/flowmcp/fmcp/internal/await"
	"github.com/flowmcp/fmcp/internal/nats"
	"github.com/flowmcp/fmcp/pkg/record"
)

// bench is a server with a queue that --setup has made.
type bench struct {
	t  *testing.T
	o  Options
	q  *Queue
	js jetstream.JetStream
}

func options(url, from, to string) Options {
	return Options{From: Address{Servers: url, Name: from}, To: Address{Servers: url, Name: to}, Name: "test",
		Getenv: func(string) string { return "" }, Note: func(string) {}}
}

func newBench(t *testing.T) *bench {
	t.Helper()
	o := options(nats.Start(t, 1)[0].URL, "REQUESTS", "answers")
	o.Setup = true
	q, err := Open(t.Context(), o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(q.Close)
	return &bench{t: t, o: o, q: q, js: q.answers}
}

func (b *bench) send(lines ...string) {
	b.t.Helper()
	for _, line := range lines {
		if _, err := b.js.Publish(b.t.Context(), "REQUESTS", []byte(line)); err != nil {
			b.t.Fatal(err)
		}
	}
}

// ackWait has the server deliver again what is not acknowledged within d.
func (b *bench) ackWait(d time.Duration) {
	b.t.Helper()
	config := b.q.consumer.CachedInfo().Config
	config.AckWait = d
	var err error
	if b.q.consumer, err = b.js.UpdateConsumer(b.t.Context(), "REQUESTS", config); err != nil {
		b.t.Fatal(err)
	}
}

// kept are the messages of the stream of answers, by subject.
func (b *bench) kept() (answers, poison []*jetstream.RawStreamMsg) {
	b.t.Helper()
	s, err := b.js.Stream(b.t.Context(), "answers")
	if err != nil {
		b.t.Fatal(err)
	}
	for seq := uint64(1); seq <= s.CachedInfo().State.LastSeq; seq++ {
		m, err := s.GetMsg(b.t.Context(), seq)
		if err != nil {
			b.t.Fatal(err)
		}
		if m.Subject == "answers" {
			answers = append(answers, m)
		} else {
			poison = append(poison, m)
		}
	}
	return answers, poison
}

// until works until the stream of requests is empty.
func (b *bench) until(jobs int, handle func(context.Context, *Request) Answer) {
	b.t.Helper()
	reading, stop := context.WithCancel(b.t.Context())
	done := make(chan error, 1)
	go func() { done <- b.q.Work(b.t.Context(), reading, jobs, handle) }()
	await.Until(b.t, "all requests are acknowledged", func() bool { return b.left() == 0 })
	stop()
	if err := <-done; err != nil {
		b.t.Error(err)
	}
}

func (b *bench) left() uint64 {
	b.t.Helper()
	s, err := b.js.Stream(b.t.Context(), "REQUESTS")
	if err != nil {
		b.t.Fatal(err)
	}
	return s.CachedInfo().State.Msgs
}

// Each request has one answer, whose line is what was returned, and several are worked
// on at the same time.
func TestWork(t *testing.T) {
	b := newBench(t)
	want := map[string]int{}
	for i := range 100 {
		b.send(fmt.Sprintf("%d\n", i))
		want[fmt.Sprintf("answer to %d", i)] = 1
	}
	var at, most atomic.Int32
	var gate sync.WaitGroup
	gate.Add(4)
	b.until(4, func(_ context.Context, r *Request) Answer {
		if n := at.Add(1); n > most.Load() {
			most.Store(n)
			gate.Done()
		}
		gate.Wait()
		defer at.Add(-1)
		if r.Deliveries != 1 || !strings.HasPrefix(r.Name, "REQUESTS:") {
			t.Errorf("%+v", r)
		}
		return Answer{Line: []byte("answer to " + string(r.Line))}
	})
	got := map[string]int{}
	answers, poison := b.kept()
	for _, m := range answers {
		got[string(m.Data)]++
	}
	if !maps.Equal(got, want) || len(poison) != 0 || most.Load() != 4 {
		t.Errorf("%d answers, %d set aside, %d at a time: %v", len(answers), len(poison), most.Load(), got)
	}
}

// What is set aside keeps the request and the reason, and is none of the answers.
func TestPoison(t *testing.T) {
	b := newBench(t)
	b.send("broken", "fine", "large")
	b.until(1, func(_ context.Context, r *Request) Answer {
		switch string(r.Line) {
		case "broken":
			return Answer{Reason: &record.Error{Stage: "test", Input: r.Name, Code: "LOD020", Message: "no JSON"}}
		case "large":
			return Answer{Line: make([]byte, 2<<20)} // more than a server takes
		}
		return Answer{Line: []byte("1")}
	})
	answers, poison := b.kept()
	if len(answers) != 1 || len(poison) != 2 {
		t.Fatalf("%d answers, %d set aside", len(answers), len(poison))
	}
	for i, want := range []struct{ line, code, reason string }{
		{"broken", `"code":"LOD020"`, `"input":"REQUESTS:1"`},
		{"large", `"code":"EXE039"`, "answer of 2097152 bytes is larger than the NATS server takes"},
	} {
		reason := poison[i].Header.Get(ReasonHeader)
		if string(poison[i].Data) != want.line || !strings.Contains(reason, want.code) ||
			!strings.Contains(reason, want.reason) {
			t.Errorf("%s: %s", poison[i].Data, reason)
		}
	}
}

// A request that was delivered before says so; one that was delivered too often is set
// aside without another call. Of two answers to a request the first stays.
func TestRedelivery(t *testing.T) {
	b := newBench(t)
	deliver := func(times int) {
		for range times {
			m, err := b.q.consumer.Next()
			if err == nil {
				err = m.Nak()
			}
			if err != nil {
				t.Fatal(err)
			}
		}
	}
	b.send("answered")
	deliver(1)
	id := fmt.Sprintf("%s.%d", b.q.epoch, 1)
	if _, err := b.js.Publish(t.Context(), "answers", []byte("first"), jetstream.WithMsgID(id)); err != nil {
		t.Fatal(err)
	}
	var calls []string
	handle := func(_ context.Context, r *Request) Answer {
		calls = append(calls, fmt.Sprintf("%s, delivery %d", r.Line, r.Deliveries))
		return Answer{Line: []byte("second")}
	}
	b.until(1, handle)
	b.send("bad")
	deliver(MaxDeliver)
	b.until(1, handle)
	answers, poison := b.kept()
	if len(answers) != 1 || string(answers[0].Data) != "first" || len(poison) != 1 ||
		!strings.Contains(poison[0].Header.Get(ReasonHeader), "was delivered 5 times without an answer") ||
		!slices.Equal(calls, []string{"answered, delivery 2"}) {
		t.Errorf("%d answers, %d set aside, calls %q", len(answers), len(poison), calls)
	}
}

// A request that is worked on for longer than the server waits is delivered to nobody else.
func TestInProgress(t *testing.T) {
	b := newBench(t)
	b.ackWait(300 * time.Millisecond)
	b.send("slow")
	var calls atomic.Int32
	b.until(2, func(ctx context.Context, _ *Request) Answer {
		calls.Add(1)
		select {
		case <-time.After(time.Second): // of the server's clock
		case <-ctx.Done():
		}
		return Answer{Line: []byte("1")}
	})
	if calls.Load() != 1 {
		t.Errorf("%d calls", calls.Load())
	}
}

// The end of the reading loses nothing: what was fetched is answered, the rest stays as
// it was, as not delivered.
func TestWorkStops(t *testing.T) {
	b := newBench(t)
	for i := range 50 {
		b.send(fmt.Sprint(i))
	}
	reading, stop := context.WithCancel(t.Context())
	var calls atomic.Int32
	err := b.q.Work(t.Context(), reading, 2, func(context.Context, *Request) Answer {
		if calls.Add(1) == 5 {
			stop()
		}
		return Answer{Line: []byte("1")}
	})
	answers, _ := b.kept()
	if err != nil || len(answers) != int(calls.Load()) || len(answers) > 20 || int(b.left()) != 50-len(answers) {
		t.Errorf("%d calls, %d answers, %d left: %v", calls.Load(), len(answers), b.left(), err)
	}
	b.until(2, func(_ context.Context, r *Request) Answer {
		if r.Deliveries != 1 {
			t.Errorf("%s: delivery %d", r.Name, r.Deliveries)
		}
		return Answer{Line: []byte("1")}
	})
	if answers, _ = b.kept(); len(answers) != 50 {
		t.Errorf("%d answers", len(answers))
	}
}

// Answers that cannot be kept are published again, and the calls are not made again. That
// is said once, however many they are and however often it is tried.
func TestPublishAgain(t *testing.T) {
	b := newBench(t)
	if err := b.js.DeleteStream(t.Context(), "answers"); err != nil {
		t.Fatal(err)
	}
	b.send("1", "2", "3", "4")
	var calls, notes atomic.Int32
	failing := make(chan struct{})
	b.q.options.Note = func(text string) {
		if !strings.HasPrefix(text, "answers are not kept for now: ") {
			t.Error(text)
		}
		if notes.Add(1) == 1 {
			close(failing)
		}
	}
	var mend sync.WaitGroup
	mend.Go(func() {
		<-failing
		q, err := Open(t.Context(), b.o)
		if err != nil {
			t.Error(err)
			return
		}
		q.Close()
	})
	b.until(4, func(context.Context, *Request) Answer {
		calls.Add(1)
		return Answer{Line: []byte("1")}
	})
	mend.Wait()
	if answers, _ := b.kept(); len(answers) != 4 || calls.Load() != 4 || notes.Load() != 1 {
		t.Errorf("%d answers, %d calls, %d notes", len(answers), calls.Load(), notes.Load())
	}
}

// A consumer that is gone ends the work, since there is nothing to wait for.
func TestConsumerGone(t *testing.T) {
	b := newBench(t)
	if err := b.js.DeleteConsumer(t.Context(), "REQUESTS", Consumer); err != nil {
		t.Fatal(err)
	}
	err := b.q.Work(t.Context(), t.Context(), 1, nil)
	if err == nil || !strings.Contains(err.Error(), "consumer fmcp-exec of stream REQUESTS is gone") {
		t.Error(err)
	}
}
