package queue

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"github.com/flowmcp/fmcp/pkg/record"
)

// Request is a request that a server has delivered.
type Request struct {
	Line       []byte
	Name       string // "REQUESTS:17", for errors
	Deliveries int    // how often it was delivered, from 1

	msg jetstream.Msg
	seq uint64
}

// Answer is the line of an envelope; or, for a request that is set aside, the reason.
type Answer struct {
	Line   []byte
	Reason *record.Error
}

// codeAside is that of a request that is set aside though it can be read.
const codeAside = "EXE039"

// poll is how long a server is asked to wait for requests, and so how long the end of
// the reading may take: what the server sends later would count as delivered.
const poll = time.Second

// Work answers requests, jobs at a time, until reading ends; then it answers those that
// were fetched. After ctx it only publishes what handle still returns. An error says
// that there is nothing to fetch from.
//
// A request is acknowledged once its answer is kept. Publishing is done beside the
// calls, so that these wait for none of it.
func (q *Queue) Work(ctx, reading context.Context, jobs int, handle func(context.Context, *Request) Answer) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	w := &worker{Queue: q, handle: handle, free: make(chan struct{}, 2*jobs), fetched: make(chan *Request, 2*jobs),
		answered: make(chan func()), hand: map[*Request]bool{}, failing: map[string]bool{}}
	var calls, publishing sync.WaitGroup
	for range 2 * jobs {
		w.free <- struct{}{}
		publishing.Go(func() {
			for publish := range w.answered {
				publish()
			}
		})
	}
	for range jobs {
		calls.Go(func() { w.call(ctx) })
	}
	stop := make(chan struct{})
	var beat sync.WaitGroup
	beat.Go(func() { w.keep(stop) })
	err := w.fetch(reading)
	if err != nil {
		cancel()
	}
	close(w.fetched)
	calls.Wait()
	close(w.answered)
	publishing.Wait()
	close(stop)
	beat.Wait()
	return err
}

type worker struct {
	*Queue
	handle   func(context.Context, *Request) Answer
	free     chan struct{} // one for each request that may be fetched
	fetched  chan *Request
	answered chan func() // what publishes an answer

	mu   sync.Mutex
	hand map[*Request]bool // delivered and not yet acknowledged

	failing map[string]bool // what has failed for a while, which is said once
}

// fetch asks for as many requests as there is room for.
func (w *worker) fetch(reading context.Context) error {
	var last string
	for reading.Err() == nil {
		select {
		case <-w.free:
		case <-reading.Done():
			return nil
		}
		n := 1
		for len(w.free) > 0 {
			<-w.free
			n++
		}
		batch, err := w.consumer.Fetch(n, jetstream.FetchMaxWait(poll))
		if err == nil {
			for msg := range batch.Messages() {
				n--
				w.take(msg)
			}
			err = batch.Error()
		}
		for range n {
			w.free <- struct{}{}
		}
		switch {
		case err == nil || errors.Is(err, nats.ErrTimeout):
			last = ""
			continue
		case w.gone(reading):
			return fmt.Errorf("consumer %s of stream %s is gone: %w", Consumer, w.options.From.Name, err)
		case err.Error() != last:
			last = err.Error()
			w.options.Note(fmt.Sprintf("no requests of stream %s for now: %s", w.options.From.Name, last))
		}
		pause(reading, poll/4)
	}
	return nil
}

// gone reports whether the consumer is no more, and not only out of reach.
func (w *worker) gone(ctx context.Context) bool {
	ctx, cancel := context.WithTimeout(ctx, 5*time.Second)
	defer cancel()
	_, err := w.consumer.Info(ctx)
	return errors.Is(err, jetstream.ErrConsumerNotFound) || errors.Is(err, jetstream.ErrStreamNotFound)
}

func (w *worker) take(msg jetstream.Msg) {
	meta, err := msg.Metadata()
	if err != nil {
		return // not from a consumer: nothing could be acknowledged
	}
	r := &Request{Line: bytes.TrimSpace(msg.Data()), Deliveries: int(meta.NumDelivered), msg: msg,
		seq: meta.Sequence.Stream, Name: fmt.Sprintf("%s:%d", meta.Stream, meta.Sequence.Stream)}
	w.mu.Lock()
	w.hand[r] = true
	w.mu.Unlock()
	w.fetched <- r
}

// keep tells the server of what is still worked on, so that it delivers it to nobody else.
func (w *worker) keep(stop <-chan struct{}) {
	tick := time.NewTicker(w.consumer.CachedInfo().Config.AckWait / 3)
	defer tick.Stop()
	for {
		select {
		case <-stop:
			return
		case <-tick.C:
		}
		w.mu.Lock()
		for r := range w.hand {
			_ = r.msg.InProgress() // fails where the connection is lost
		}
		w.mu.Unlock()
	}
}

func (w *worker) call(ctx context.Context) {
	for r := range w.fetched {
		var a Answer
		if r.Deliveries > MaxDeliver {
			a.Reason = &record.Error{Stage: w.options.Name, Input: r.Name, Code: codeAside, Message: fmt.Sprintf(
				"was delivered %d times without an answer: it may end the processes that work on it", MaxDeliver)}
		} else {
			a = w.handle(ctx, r)
		}
		w.answered <- func() { w.publish(ctx, r, a) }
		w.free <- struct{}{}
	}
}

// publish publishes an answer under an ID of the request, and acknowledges the request.
// Whatever fails of that is done again, and the call is not.
func (w *worker) publish(ctx context.Context, r *Request, a Answer) {
	msg, aside := &nats.Msg{Subject: w.options.To.Name, Data: a.Line}, a.Reason != nil
	if aside {
		msg = w.poison(r, a.Reason)
	}
	kept := w.again(ctx, "answers are not kept for now", func(ctx context.Context) error {
		_, err := w.answers.PublishMsg(ctx, msg, jetstream.WithMsgID(fmt.Sprintf("%s.%d", w.epoch, r.seq)))
		switch {
		case !isTooLarge(err):
		case aside:
			msg.Data = nil // the reason says which request it was
		default:
			aside = true
			msg = w.poison(r, &record.Error{Stage: w.options.Name, Input: r.Name, Code: codeAside, Message: fmt.Sprintf(
				"was called, and its answer of %d bytes is larger than the NATS server takes", len(a.Line))})
		}
		return err
	})
	if kept {
		w.again(ctx, "requests are not acknowledged for now", r.msg.DoubleAck)
	}
	w.mu.Lock()
	delete(w.hand, r)
	w.mu.Unlock()
}

// poison is a request that is set aside, as it came.
func (w *worker) poison(r *Request, reason *record.Error) *nats.Msg {
	msg := nats.NewMsg(w.options.To.Name + PoisonSuffix)
	msg.Data = r.msg.Data()
	msg.Header.Set(ReasonHeader, string(reason.AppendJSON(nil)))
	return msg
}

func isTooLarge(err error) bool {
	return errors.Is(err, nats.ErrMaxPayload) || errors.Is(err, jetstream.ErrStreamMessageExceedsMaximum)
}

// again does something until it succeeds, and after the end of ctx once.
func (w *worker) again(ctx context.Context, failing string, do func(context.Context) error) bool {
	for wait := 50 * time.Millisecond; ; wait = min(2*wait, 2*time.Second) {
		try, cancel := context.WithTimeout(context.WithoutCancel(ctx), 5*time.Second)
		err := do(try)
		cancel()
		switch {
		case err == nil:
			w.fails(failing, false)
			return true
		case ctx.Err() != nil:
			return false
		case wait == 2*time.Second && w.fails(failing, true):
			w.options.Note(fmt.Sprintf("%s: %v", failing, err))
		}
		pause(ctx, wait)
	}
}

// fails notes whether something fails, and reports whether it has begun to.
func (w *worker) fails(what string, now bool) (begun bool) {
	w.mu.Lock()
	defer w.mu.Unlock()
	begun = now && !w.failing[what]
	w.failing[what] = now
	return begun
}

func pause(ctx context.Context, d time.Duration) {
	select {
	case <-time.After(d):
	case <-ctx.Done():
	}
}
