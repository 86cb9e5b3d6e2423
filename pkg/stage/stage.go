// Package stage is the machine of the commands: records flow from a source
// through steps to a sink, in order, in bounded memory, each step as parallel
// as the user allows. A command is a source and a list of steps; a command
// that is given paths simply starts with the steps of the commands before it.
package stage

import (
	"context"
	"slices"
	"sync"

	"github.com/flowmcp/fmcp/pkg/edit"
	"github.com/flowmcp/fmcp/pkg/module"
	"github.com/flowmcp/fmcp/pkg/ndjson"
	"github.com/flowmcp/fmcp/pkg/record"
)

// Item is one record on its way. A record that has not been looked into is
// only its line.
type Item struct {
	Line []byte        // as read, nil for a record made in this process
	Rec  record.Record // nil for a record that only passes through

	file   *file          // fmcp-scan: what Rec was made of
	source string         // the file's text where this process has read it
	input  string         // of a line the name of its input
	num    int            // … and its number there
	tokens *module.Tokens // of the source, where it is a module
	read   bool           // source is the file's text, even where it is empty
	edited *edit.Source   // of a load record that this process has made: what edits are made of, until it is checked
}

// New makes an item of a record made in this process.
func New(r record.Record) *Item { return &Item{Rec: r} }

// AppendJSON appends the record's line, byte for byte as it came where it only
// passed through.
func (it *Item) AppendJSON(b []byte) []byte {
	if it.Line != nil {
		return append(b, it.Line...)
	}
	return it.Rec.AppendJSON(b)
}

// Batch is some records in stream order: one, or several that were there at the
// same time, and what became of them.
type Batch []*Item

// Step transforms records. An error ends the pipeline, as does an emit that
// returns false: its output is closed.
type Step struct {
	// InOrder returns what becomes of an item, one at a time and in stream order.
	InOrder func(*Item) (Batch, error)
	// Do does so in parallel, after InOrder.
	Do func(ctx context.Context, it *Item) Batch
	// Finish emits what is left to say when the last item has passed Do. It is not
	// called where the source failed.
	Finish func(ctx context.Context, emit func(Batch) bool) error
}

// Source sends batches until it has none left; a send that returns false says
// that its output is closed. The error ends the pipeline.
type Source func(ctx context.Context, send func(Batch) bool) error

// Options say how a pipeline runs.
type Options struct {
	Jobs      int  // items that each step works on at the same time
	Unordered bool // items may leave in another order than they came
	// Where Reading is set, its end ends the source, and that of Run's own context the
	// work on items only: all that came before leaves.
	Reading context.Context
}

// Run drives records from source through steps into sink, which sees them in
// the order of the source. flush is called whenever nothing is under way.
func Run(ctx context.Context, opts Options, source Source, steps []Step, sink func(*Item) error,
	flush func() error) error {
	work, end := context.WithCancelCause(ctx)
	if opts.Reading != nil {
		ctx, source = context.WithoutCancel(ctx), source.until(opts.Reading)
	}
	ctx, cancel := context.WithCancelCause(ctx)
	fail := func(err error) { cancel(err); end(err) }
	defer fail(nil)
	in := make(chan Batch)
	p := &pipeline{Options: opts, fail: fail, work: work}
	var wait sync.WaitGroup
	wait.Go(func() {
		defer close(in)
		p.err = source(ctx, func(b Batch) bool {
			select {
			case in <- b:
				return true
			case <-ctx.Done():
				return false
			}
		})
	})
	var out <-chan Batch = in
	for _, s := range fuse(steps) {
		out = p.start(ctx, s, out)
	}
	err := ndjson.Drain(ctx, out, func(b Batch) error {
		for _, it := range b {
			if err := sink(it); err != nil {
				return err
			}
		}
		return nil
	}, flush)
	if err != nil {
		// The source is not waited for: it may be stuck reading, and ends with
		// its next record.
		return err
	}
	wait.Wait()
	return p.err
}

// until is the source until ctx ends. What it has sent by then counts; it is not
// waited for, since it may be stuck reading.
func (s Source) until(ctx context.Context) Source {
	return func(run context.Context, send func(Batch) bool) error {
		sent, ended := make(chan Batch), make(chan error, 1)
		go func() {
			ended <- s(ctx, func(b Batch) bool {
				select {
				case sent <- b:
					return true
				case <-ctx.Done():
				case <-run.Done():
				}
				return false
			})
		}()
		for ctx.Err() == nil {
			select {
			case b := <-sent:
				if !send(b) {
					return nil
				}
			case err := <-ended:
				return err
			case <-ctx.Done():
			}
		}
		return nil
	}
}

// pipeline is a Run at work on several items.
type pipeline struct {
	Options
	fail func(error)     // ends it at once
	work context.Context // of the work on items
	// err is that of the source, or of a step's last word: there is none after it,
	// but what is under way arrives. Whoever reads it has seen a channel closed after
	// it was written.
	err error
}

// fuse joins steps that need no order in between to one: an item passes them in
// one go, and waits in a queue once.
func fuse(steps []Step) []Step {
	var fused []Step
	for _, s := range steps {
		if n := len(fused); n > 0 && s.InOrder == nil {
			fused[n-1] = fused[n-1].then(s)
			continue
		}
		fused = append(fused, s)
	}
	return fused
}

// then is one step that does what s and next do. What s has left to say passes
// next before next has its own last word.
func (s Step) then(next Step) Step {
	joined := Step{InOrder: s.InOrder, Do: join(s.Do, next.Do)}
	if s.Finish == nil && next.Finish == nil {
		return joined
	}
	joined.Finish = func(ctx context.Context, emit func(Batch) bool) error {
		if s.Finish != nil {
			if err := s.Finish(ctx, func(b Batch) bool { return emit(next.apply(ctx, b)) }); err != nil {
				return err
			}
		}
		if next.Finish != nil {
			return next.Finish(ctx, emit)
		}
		return nil
	}
	return joined
}

// apply takes a batch through what the step does.
func (s Step) apply(ctx context.Context, b Batch) Batch {
	if s.Do == nil {
		return b
	}
	return each(ctx, b, s.Do)
}

type do = func(context.Context, *Item) Batch

func join(first, second do) do {
	switch {
	case first == nil:
		return second
	case second == nil:
		return first
	}
	return func(ctx context.Context, it *Item) Batch {
		return each(ctx, first(ctx, it), second)
	}
}

func each(ctx context.Context, b Batch, f do) Batch {
	if len(b) == 1 {
		return f(ctx, b[0])
	}
	var out Batch
	for _, it := range b {
		out = append(out, f(ctx, it)...)
	}
	return out
}

func (p *pipeline) start(ctx context.Context, s Step, in <-chan Batch) <-chan Batch {
	if s.InOrder != nil {
		in = ndjson.Map(ctx, 1, in, func(b Batch) Batch {
			out := make(Batch, 0, len(b))
			for _, it := range b {
				made, err := s.InOrder(it)
				if err != nil {
					p.fail(err)
					return nil
				}
				out = append(out, made...)
			}
			return out
		})
	}
	out := in
	if s.Do != nil {
		transform := ndjson.Map[Batch, Batch]
		if p.Unordered {
			transform = ndjson.MapUnordered
		}
		out = transform(ctx, p.Jobs, in, func(b Batch) Batch { return s.apply(p.work, b) })
	}
	if s.Finish == nil {
		return out
	}
	return ndjson.Append(ctx, out, func(emit func(Batch) bool) {
		if p.err == nil {
			p.err = s.Finish(ctx, emit)
		}
	})
}

// Encode is the step that makes the lines of records, so that this is done in
// parallel too.
func Encode() Step {
	return Step{Do: func(_ context.Context, it *Item) Batch {
		if it.Line == nil {
			it.Line = it.Rec.AppendJSON(make([]byte, 0, it.size()))
		}
		return Batch{it}
	}}
}

// size is enough for the line of most records, in bytes.
func (it *Item) size() int {
	if l, ok := it.Rec.(*record.Load); ok {
		return 2*len(l.Places) + 1024
	}
	return 512
}

// inBatches emits records that were made in this process.
func inBatches[R record.Record](list []R, emit func(Batch) bool) {
	for part := range slices.Chunk(list, batchItems) {
		b := make(Batch, len(part))
		for i, rec := range part {
			b[i] = New(rec)
		}
		if !emit(b) {
			return
		}
	}
}
