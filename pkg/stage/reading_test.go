package stage

import (
	"context"
	"errors"
	"io"
	"slices"
	"strings"
	"testing"
	"testing/synctest"

	"github.com/flowmcp/fmcp/pkg/record"
)

// The end of Reading ends the source, which may be stuck; what it has sent leaves. The end
// of Run's own context ends the work on it, and it leaves as well.
func TestReadingEnds(t *testing.T) {
	for _, cut := range []bool{false, true} {
		synctest.Test(t, func(t *testing.T) {
			in, out := io.Pipe()
			ctx, cancel := context.WithCancelCause(t.Context())
			reading, stop := context.WithCancelCause(ctx)
			release := make(chan struct{})
			go func() {
				synctest.Wait() // three are worked on, the others wait
				stop(errors.New("stop"))
				synctest.Wait()
				if cut {
					cancel(errors.New("cut"))
				} else {
					close(release)
				}
			}()
			go func() { _, _ = io.WriteString(out, strings.Repeat(`{"v":1,"kind":"x"}`+"\n", 10)) }()
			var got []string
			err := Run(ctx, Options{Jobs: 3, Reading: reading}, Lines(in, "stdin", "fmcp-exec", 0, true, &Tally{}),
				[]Step{{Do: func(ctx context.Context, _ *Item) Batch {
					code := "done"
					select {
					case <-release:
					case <-ctx.Done():
						code = "cut"
					}
					return Batch{New(&record.Error{Code: code})}
				}}}, func(it *Item) error { got = append(got, it.Rec.(*record.Error).Code); return nil },
				func() error { return nil })
			want := "done"
			if cut {
				want = "cut"
			}
			if err != nil || len(got) != 4 || slices.ContainsFunc(got, func(s string) bool { return s != want }) {
				t.Errorf("%q, %v; want %q for the three that were worked on and the one that was next", got, err, want)
			}
			_ = in.Close()
		})
	}
}

// An error of the source, and its end, are those of Run where nothing has ended the
// reading.
func TestReadingGoesOn(t *testing.T) {
	broken := errors.New("broken")
	for _, fails := range []error{nil, broken} {
		n := 0
		err := Run(t.Context(), Options{Jobs: 2, Reading: t.Context()},
			func(_ context.Context, send func(Batch) bool) error {
				for range 100 {
					send(Batch{New(&record.Error{})})
				}
				return fails
			}, nil, func(*Item) error { n++; return nil }, func() error { return nil })
		if n != 100 || !errors.Is(err, fails) {
			t.Errorf("%d items, %v; want %v", n, err, fails)
		}
	}
}
