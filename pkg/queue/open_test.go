package queue

import (
	"strings"
	"testing"
	"time"

	natsgo "github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"github.com/flowmcp/fmcp/internal/nats"
)

// What is missing, or would lose or double something, is an error that says what to do.
func TestOpen(t *testing.T) {
	url := nats.Start(t, 1)[0].URL
	nc, err := natsgo.Connect(url)
	if err != nil {
		t.Fatal(err)
	}
	defer nc.Close()
	js, err := jetstream.New(nc)
	if err != nil {
		t.Fatal(err)
	}
	stream := func(c jetstream.StreamConfig) {
		t.Helper()
		if _, err := js.CreateStream(t.Context(), c); err != nil {
			t.Fatal(err)
		}
	}
	consumer := func(of string, c jetstream.ConsumerConfig) {
		t.Helper()
		c.Durable = Consumer
		if _, err := js.CreateConsumer(t.Context(), of, c); err != nil {
			t.Fatal(err)
		}
	}
	open := func(from, to string, setup bool, want string) {
		t.Helper()
		o := options(url, from, to)
		o.Setup = setup
		q, err := Open(t.Context(), o)
		switch {
		case err == nil:
			q.Close()
			if want != "" {
				t.Errorf("%s to %s: no error, want %q", from, to, want)
			}
		case want == "" || !strings.Contains(err.Error(), want):
			t.Errorf("%s to %s: %v, want %q", from, to, err, want)
		}
	}
	open("A", "answers", false, "there is no stream A at "+url+"; --setup makes it")
	stream(jetstream.StreamConfig{Name: "A", Subjects: []string{"A"}})
	open("A", "answers", false, "stream A has no consumer fmcp-exec; --setup makes it")
	consumer("A", jetstream.ConsumerConfig{AckPolicy: jetstream.AckExplicitPolicy})
	open("A", "answers", false, "no stream at "+url+" keeps answers; --setup makes one")
	stream(jetstream.StreamConfig{Name: "half", Subjects: []string{"half"}})
	open("A", "half", true, "stream half keeps half, and not half.poison: add that subject to it")
	stream(jetstream.StreamConfig{Name: "short", Subjects: []string{"short.>"}, Duplicates: time.Second})
	open("A", "short.a", true, "has a duplicate window of 1s, expected 1m0s or more")
	open("A", "answers", true, "")
	open("A", "answers", false, "")
	open("new", "all.new", true, "")
	stream(jetstream.StreamConfig{Name: "B", Subjects: []string{"B.>"}})
	consumer("B", jetstream.ConsumerConfig{AckPolicy: jetstream.AckAllPolicy})
	open("B", "answers", true, "has ack policy AckAll, expected explicit")
	stream(jetstream.StreamConfig{Name: "C", Subjects: []string{"C.>"}})
	consumer("C", jetstream.ConsumerConfig{AckPolicy: jetstream.AckExplicitPolicy, MaxDeliver: 3})
	open("C", "answers", true, "has max deliver 3, expected -1")
	stream(jetstream.StreamConfig{Name: "D", Subjects: []string{"D.>"}})
	open("D", "D.answers", true, "answers would be taken for requests")
	open("A", "A", true, "stream A keeps A: answers would be taken for requests")
	open("made", "made", true, "stream made keeps made: answers would be taken for requests")
	o := options(url, "D", "D.answers")
	o.To.Servers = strings.Replace(url, "127.0.0.1", "localhost", 1)
	if _, err := Open(t.Context(), o); err == nil || !strings.Contains(err.Error(), "would be taken for requests") {
		t.Error("by another address:", err)
	}
}

func TestOpenNoServer(t *testing.T) {
	server := nats.Start(t, 1)[0]
	server.Kill()
	_, err := Open(t.Context(), options(server.URL, "A", "b"))
	if err == nil || !strings.Contains(err.Error(), "no connection to the NATS server "+server.URL) {
		t.Error(err)
	}
}
