package queue

import (
	"errors"
	"strings"
	"testing"
	"time"

	natsgo "github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"github.com/flowmcp/fmcp/internal/nats"
)

// place is a server, on which queues are opened.
type place struct {
	*testing.T
	url string
	js  jetstream.JetStream
}

func newPlace(t *testing.T) *place {
	t.Helper()
	url := nats.Start(t, 1)[0].URL
	nc, err := natsgo.Connect(url)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(nc.Close)
	js, err := jetstream.New(nc)
	if err != nil {
		t.Fatal(err)
	}
	return &place{t, url, js}
}

func (p *place) stream(c jetstream.StreamConfig) {
	p.Helper()
	if _, err := p.js.CreateStream(p.Context(), c); err != nil {
		p.Fatal(err)
	}
}

func (p *place) consumer(of string, c jetstream.ConsumerConfig) {
	p.Helper()
	c.Durable = Consumer
	if _, err := p.js.CreateConsumer(p.Context(), of, c); err != nil {
		p.Fatal(err)
	}
}

// open opens a queue, and wants an error unless that is "".
func (p *place) open(o Options, setup bool, want string) {
	p.Helper()
	o.Setup = setup
	q, err := Open(p.Context(), o)
	switch {
	case err == nil:
		q.Close()
		if want != "" {
			p.Errorf("%s to %s: no error, want %q", o.From.Name, o.To.Name, want)
		}
	case want == "" || !strings.Contains(err.Error(), want):
		p.Errorf("%s to %s: %v, want %q", o.From.Name, o.To.Name, err, want)
	}
}

// What is missing, or would lose or double something, is an error that says what to do.
func TestOpen(t *testing.T) {
	p := newPlace(t)
	open := func(from, to string, setup bool, want string) {
		t.Helper()
		p.open(options(p.url, from, to), setup, want)
	}
	open("A", "answers", false, "there is no stream A at "+p.url+"; --setup makes it")
	p.stream(jetstream.StreamConfig{Name: "A", Subjects: []string{"A"}})
	open("A", "answers", false, "stream A has no consumer fmcp-exec; --setup makes it")
	p.consumer("A", jetstream.ConsumerConfig{AckPolicy: jetstream.AckExplicitPolicy})
	open("A", "answers", false, "no stream at "+p.url+" keeps answers; --setup makes one")
	p.stream(jetstream.StreamConfig{Name: "half", Subjects: []string{"half"}})
	open("A", "half", true, "stream half keeps half, and not half.poison: add that subject to it")
	p.stream(jetstream.StreamConfig{Name: "short", Subjects: []string{"short.>"}, Duplicates: time.Second})
	open("A", "short.a", true, "has a duplicate window of 1s, expected 1m0s or more")
	open("A", "answers", true, "")
	open("A", "answers", false, "")
	open("new", "all.new", true, "")
	p.stream(jetstream.StreamConfig{Name: "B", Subjects: []string{"B.>"}})
	p.consumer("B", jetstream.ConsumerConfig{AckPolicy: jetstream.AckAllPolicy})
	open("B", "answers", true, "has ack policy AckAll, expected explicit")
	p.stream(jetstream.StreamConfig{Name: "C", Subjects: []string{"C.>"}})
	p.consumer("C", jetstream.ConsumerConfig{AckPolicy: jetstream.AckExplicitPolicy, MaxDeliver: 3})
	open("C", "answers", true, "has max deliver 3, expected -1")
}

// A stream that takes requests does not take answers, whatever it is called by.
func TestOpenItself(t *testing.T) {
	p := newPlace(t)
	p.stream(jetstream.StreamConfig{Name: "A", Subjects: []string{"A"}})
	p.stream(jetstream.StreamConfig{Name: "D", Subjects: []string{"D.>"}})
	p.open(options(p.url, "D", "D.answers"), true, "stream D keeps D.answers: answers would be taken for requests")
	p.open(options(p.url, "A", "A"), true, "stream A keeps A: answers would be taken for requests")
	p.open(options(p.url, "made", "made"), true, "stream made keeps made: answers would be taken for requests")
	if _, err := p.js.Stream(t.Context(), "made"); !errors.Is(err, jetstream.ErrStreamNotFound) {
		t.Errorf("made for a queue that cannot be: %v", err)
	}
	o := options(p.url, "D", "D.answers")
	o.To.Servers = strings.Replace(p.url, "127.0.0.1", "localhost", 1)
	p.open(o, true, "answers would be taken for requests")
}

func TestOpenNoServer(t *testing.T) {
	server := nats.Start(t, 1)[0]
	server.Kill()
	_, err := Open(t.Context(), options(server.URL, "A", "b"))
	if err == nil || !strings.Contains(err.Error(), "no connection to the NATS server "+server.URL) {
		t.Error(err)
	}
}
