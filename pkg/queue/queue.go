// Package queue lets several processes share the work of a NATS JetStream: each
// takes requests from a stream, and publishes one answer to each.
package queue

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
)

// Consumer is the name of the durable consumer that the processes share.
const Consumer = "fmcp-exec"

// MaxDeliver is how often a request is delivered before it is set aside: it may be
// what ends the processes that work on it.
const MaxDeliver = 5

// PoisonSuffix is added to the subject of the answers for requests that are set aside.
const PoisonSuffix = ".poison"

// ReasonHeader is the header of a request that was set aside, with an error record.
const ReasonHeader = "Fmcp-Error"

// Options say where requests come from and where answers go.
type Options struct {
	From, To Address
	Name     string // of the process, for the server's list of connections
	Setup    bool   // make what is missing
	Getenv   func(string) string
	Note     func(text string) // for what goes wrong and is tried again; from several goroutines
}

// Queue is a connection to both ends.
type Queue struct {
	options  Options
	from, to *nats.Conn
	answers  jetstream.JetStream
	consumer jetstream.Consumer
	epoch    string // makes the numbers of a stream its own, should there be another of its name
}

// starting is how long Open waits for servers that are not ready, such as those of a
// cluster that has just started or has lost a leader.
const starting = 30 * time.Second

// Open connects to the servers. What is missing there is an error that says so, or is made.
func Open(ctx context.Context, o Options) (*Queue, error) {
	for began, told := time.Now(), false; ; told = true {
		q := &Queue{options: o}
		err := q.open(ctx)
		if err == nil {
			return q, nil
		}
		q.Close()
		if !isPassing(err) || ctx.Err() != nil || time.Since(began) > starting {
			return nil, err
		}
		if !told {
			o.Note(fmt.Sprintf("the queue is not ready, and is tried again for %s: %v", starting, err))
		}
		pause(ctx, poll/4)
	}
}

// isPassing reports whether an error is one of servers that are not ready. A stream that
// is not found, where it was a moment ago, is only just being made.
func isPassing(err error) bool {
	var api *jetstream.APIError
	return errors.Is(err, context.DeadlineExceeded) || errors.Is(err, nats.ErrNoResponders) ||
		errors.Is(err, jetstream.ErrStreamNotFound) || errors.As(err, &api) && api.Code == http.StatusServiceUnavailable
}

func (q *Queue) open(ctx context.Context) error {
	o := &q.options
	var err error
	if q.from, err = o.connect(o.From); err != nil {
		return err
	}
	q.to = q.from
	if o.From.Servers != o.To.Servers {
		if q.to, err = o.connect(o.To); err != nil {
			return err
		}
	}
	requests, err := jetstream.New(q.from)
	if err != nil {
		return err
	}
	if q.answers, err = jetstream.New(q.to); err != nil {
		return err
	}
	stream, err := o.requests(ctx, requests)
	if err != nil {
		return err
	}
	q.epoch = fmt.Sprintf("%s.%x", o.From.Name, stream.CachedInfo().Created.UnixNano())
	if q.consumer, err = o.consumer(ctx, stream); err != nil {
		return err
	}
	return o.answersStream(ctx, q.answers, stream, q.consumer.CachedInfo().Config.AckWait)
}

// Close ends the connections, after what is written has left.
func (q *Queue) Close() {
	for _, nc := range []*nats.Conn{q.from, q.to} {
		if nc != nil && !nc.IsClosed() {
			_ = nc.FlushTimeout(time.Second)
			nc.Close()
		}
	}
}

// connect waits for a first connection; one that is lost later is sought until it is back.
func (o *Options) connect(a Address) (*nats.Conn, error) {
	options := []nats.Option{nats.Name(o.Name), nats.MaxReconnects(-1), nats.ReconnectWait(250 * time.Millisecond),
		nats.DisconnectErrHandler(func(_ *nats.Conn, err error) {
			if err != nil {
				o.Note(fmt.Sprintf("the connection to %s is lost, and sought again: %v", a.Servers, err))
			}
		}),
		nats.ErrorHandler(func(*nats.Conn, *nats.Subscription, error) {}), // what fails says so where it was asked for
	}
	if file := o.Getenv("NATS_CREDS"); file != "" {
		options = append(options, nats.UserCredentials(file))
	}
	if user := o.Getenv("NATS_USER"); user != "" {
		options = append(options, nats.UserInfo(user, o.Getenv("NATS_PASSWORD")))
	}
	if file := o.Getenv("NATS_CA"); file != "" {
		options = append(options, nats.RootCAs(file))
	}
	if file := o.Getenv("NATS_CERT"); file != "" {
		options = append(options, nats.ClientCert(file, o.Getenv("NATS_KEY")))
	}
	nc, err := nats.Connect(a.Servers, options...)
	if err != nil {
		return nil, fmt.Errorf("no connection to the NATS server %s: %w", a.Servers, err)
	}
	return nc, nil
}

// requests is the stream that requests come from.
func (o *Options) requests(ctx context.Context, js jetstream.JetStream) (jetstream.Stream, error) {
	name := o.From.Name
	stream, err := js.Stream(ctx, name)
	switch {
	case err == nil:
		return stream, nil
	case !errors.Is(err, jetstream.ErrStreamNotFound):
		return nil, fmt.Errorf("stream %s at %s: %w", name, o.From.Servers, err)
	case !o.Setup:
		return nil, fmt.Errorf("there is no stream %s at %s; --setup makes it", name, o.From.Servers)
	case o.From == o.To: // known before anything is made
		return nil, o.keepsBoth(name)
	}
	return create(ctx, js, jetstream.StreamConfig{Name: name, Subjects: []string{name},
		Retention: jetstream.WorkQueuePolicy})
}

// consumer is the one that the processes share.
func (o *Options) consumer(ctx context.Context, stream jetstream.Stream) (jetstream.Consumer, error) {
	c, err := stream.Consumer(ctx, Consumer)
	if errors.Is(err, jetstream.ErrConsumerNotFound) {
		if !o.Setup {
			return nil, fmt.Errorf("stream %s has no consumer %s; --setup makes it", o.From.Name, Consumer)
		}
		c, err = stream.CreateConsumer(ctx, jetstream.ConsumerConfig{Durable: Consumer,
			AckPolicy: jetstream.AckExplicitPolicy, AckWait: 30 * time.Second, MaxDeliver: -1, MaxAckPending: -1})
	}
	if err != nil {
		return nil, fmt.Errorf("consumer %s of stream %s: %w", Consumer, o.From.Name, err)
	}
	config := c.CachedInfo().Config
	switch {
	case config.AckPolicy != jetstream.AckExplicitPolicy:
		return nil, fmt.Errorf("consumer %s of stream %s has ack policy %s, expected explicit", Consumer, o.From.Name,
			config.AckPolicy)
	case config.MaxDeliver > 0 && config.MaxDeliver <= MaxDeliver: // the server would stop before we set it aside
		return nil, fmt.Errorf("consumer %s of stream %s has max deliver %d, expected -1: what is delivered more than "+
			"%d times is set aside here", Consumer, o.From.Name, config.MaxDeliver, MaxDeliver)
	}
	return c, nil
}

// answersStream checks that one stream keeps the answers and what is set aside, and that
// it is not the one of the requests: it sees when there would be a second answer to one.
func (o *Options) answersStream(ctx context.Context, js jetstream.JetStream, requests jetstream.Stream,
	ackWait time.Duration) error {
	subject := o.To.Name
	poison := subject + PoisonSuffix
	name, err := js.StreamNameBySubject(ctx, subject)
	if errors.Is(err, jetstream.ErrStreamNotFound) {
		if !o.Setup {
			return fmt.Errorf("no stream at %s keeps %s; --setup makes one", o.To.Servers, subject)
		}
		name = streamName(subject)
		_, err = create(ctx, js, jetstream.StreamConfig{Name: name, Subjects: []string{subject, poison},
			Duplicates: 10 * time.Minute})
	}
	if err != nil {
		return fmt.Errorf("the stream of %s at %s: %w", subject, o.To.Servers, err)
	}
	stream, err := js.Stream(ctx, name)
	if err != nil {
		return fmt.Errorf("stream %s at %s: %w", name, o.To.Servers, err)
	}
	info := stream.CachedInfo()
	if name == o.From.Name && info.Created.Equal(requests.CachedInfo().Created) {
		return o.keepsBoth(name)
	}
	other, err := js.StreamNameBySubject(ctx, poison)
	switch window := info.Config.Duplicates; {
	case errors.Is(err, jetstream.ErrStreamNotFound) || err == nil && other != name:
		return fmt.Errorf("stream %s keeps %s, and not %s: add that subject to it", name, subject, poison)
	case err != nil:
		return fmt.Errorf("the stream of %s at %s: %w", poison, o.To.Servers, err)
	case window < 2*ackWait:
		return fmt.Errorf("stream %s has a duplicate window of %s, expected %s or more, twice the ack wait of "+
			"consumer %s: a second answer to a request would stay", name, window, 2*ackWait, Consumer)
	}
	return nil
}

func (o *Options) keepsBoth(stream string) error {
	return fmt.Errorf("stream %s keeps %s: answers would be taken for requests", stream, o.To.Name)
}

// create makes a stream in three copies, or in one where there is no cluster.
func create(ctx context.Context, js jetstream.JetStream, config jetstream.StreamConfig) (jetstream.Stream, error) {
	config.Replicas = 3
	stream, err := js.CreateStream(ctx, config)
	var api *jetstream.APIError
	if errors.As(err, &api) && api.ErrorCode == noCluster {
		config.Replicas = 1
		stream, err = js.CreateStream(ctx, config)
	}
	switch {
	case errors.As(err, &api) && api.ErrorCode == noPeers:
		return nil, fmt.Errorf("stream %s cannot be made in three copies: %w; start three servers, or make the stream "+
			"with the copies that you want", config.Name, err)
	case err != nil:
		return nil, fmt.Errorf("stream %s cannot be made: %w", config.Name, err)
	}
	return stream, nil
}

// What the server says where it has no three servers for a stream.
const (
	noCluster jetstream.ErrorCode = 10074
	noPeers   jetstream.ErrorCode = 10005
)
