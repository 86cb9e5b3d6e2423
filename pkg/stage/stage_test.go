package stage

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/flowmcp/fmcp/pkg/ordjson"
	"github.com/flowmcp/fmcp/pkg/record"
)

// numbers is a source of n findings whose messages count from 0, and each
// sends one batch of up to size items.
func numbers(n, size int) Source {
	return func(_ context.Context, send func(Batch) bool) error {
		var b Batch
		for i := range n {
			b = append(b, New(&record.Diagnostic{Message: strconv.Itoa(i)}))
			if len(b) == size || i == n-1 {
				if !send(b) {
					return nil
				}
				b = nil
			}
		}
		return nil
	}
}

func message(it *Item) string { return it.Rec.(*record.Diagnostic).Message }

// collect runs a pipeline and returns the messages that its sink saw.
func collect(t *testing.T, opts Options, source Source, steps ...Step) []string {
	t.Helper()
	var got []string
	err := Run(t.Context(), opts, source, steps, func(it *Item) error {
		got = append(got, message(it))
		return nil
	}, func() error { return nil })
	if err != nil {
		t.Fatal(err)
	}
	return got
}

// split is a step that makes two items of each, and none of every fifth; the
// parallel workers finish in another order than they began.
func split(_ context.Context, it *Item) Batch {
	n, _ := strconv.Atoi(message(it))
	for range n % 7 {
		runtime.Gosched()
	}
	if n%5 == 0 {
		return nil
	}
	return Batch{New(&record.Diagnostic{Message: message(it) + "a"}),
		New(&record.Diagnostic{Message: message(it) + "b"})}
}

func TestRunKeepsOrder(t *testing.T) {
	var want []string
	for i := range 500 {
		if i%5 != 0 {
			want = append(want, strconv.Itoa(i)+"a", strconv.Itoa(i)+"b")
		}
	}
	same := Step{Do: func(_ context.Context, it *Item) Batch { return Batch{it} }}
	for _, jobs := range []int{1, 2, 8} {
		for _, size := range []int{1, 3, 64} {
			var seen []string
			watch := Step{InOrder: func(it *Item) (Batch, error) {
				seen = append(seen, message(it))
				return Batch{it}, nil
			}}
			got := collect(t, Options{Jobs: jobs}, numbers(500, size), same, Step{Do: split}, watch, same)
			if !slices.Equal(got, want) {
				t.Errorf("jobs %d, batches of %d: %d items, want %d, or in another order", jobs, size, len(got),
					len(want))
			}
			if !slices.Equal(seen, want) {
				t.Errorf("jobs %d, batches of %d: observed %d items in another order", jobs, size, len(seen))
			}
		}
	}
}

// Unordered items may overtake: the first waits here until all others are
// through.
func TestRunUnordered(t *testing.T) {
	const n = 50
	rest := make(chan struct{})
	step := Step{Do: func(_ context.Context, it *Item) Batch {
		if message(it) == "0" {
			<-rest
		}
		return Batch{it}
	}}
	var got []string
	err := Run(t.Context(), Options{Jobs: 2, Unordered: true}, numbers(n, 1), []Step{step}, func(it *Item) error {
		if got = append(got, message(it)); len(got) == n-1 {
			close(rest)
		}
		return nil
	}, func() error { return nil })
	if err != nil || len(got) != n || got[n-1] != "0" {
		t.Errorf("%v, %q", err, got)
	}
	slices.Sort(got)
	if len(slices.Compact(got)) != n {
		t.Error("an item came twice")
	}
}

// What a slow source has sent is flushed before the next record comes.
func TestRunFlushesWhenIdle(t *testing.T) {
	for _, jobs := range []int{1, 2} {
		t.Run(strconv.Itoa(jobs), func(t *testing.T) { testRunFlushesWhenIdle(t, Options{Jobs: jobs}) })
	}
}

func testRunFlushesWhenIdle(t *testing.T, opts Options) {
	flushed := make(chan int, 100)
	sunk := 0
	source := func(_ context.Context, send func(Batch) bool) error {
		for i := 1; i <= 3; i++ {
			send(Batch{New(&record.Diagnostic{})})
			for n := range flushed {
				if n >= i {
					break
				}
			}
		}
		return nil
	}
	err := Run(t.Context(), opts, source, []Step{{Do: func(_ context.Context, it *Item) Batch { return Batch{it} }}},
		func(*Item) error { sunk++; return nil },
		func() error {
			select {
			case flushed <- sunk:
			default:
			}
			return nil
		})
	if err != nil || sunk != 3 {
		t.Errorf("%d items, %v", sunk, err)
	}
}

func TestRunErrors(t *testing.T) {
	bad := errors.New("bad")
	nothing := func() error { return nil }
	pass := func(*Item) error { return nil }
	failing := func(ctx context.Context, send func(Batch) bool) error {
		_ = numbers(3, 1)(ctx, send)
		return bad
	}
	seen := 0
	if err := Run(t.Context(), Options{Jobs: 2}, failing, nil, func(*Item) error { seen++; return nil },
		nothing); !errors.Is(err, bad) || seen != 3 {
		t.Errorf("source: %v after %d items", err, seen)
	}
	if err := Run(t.Context(), Options{Jobs: 2}, numbers(1000, 1), []Step{{Do: split}},
		func(*Item) error { return bad }, nothing); !errors.Is(err, bad) {
		t.Errorf("sink: %v", err)
	}
	if err := Run(t.Context(), Options{Jobs: 2}, numbers(1, 1), nil, pass,
		func() error { return bad }); !errors.Is(err, bad) {
		t.Errorf("flush: %v", err)
	}
}

// endsSoon waits for the goroutines of a test to end.
func endsSoon(t *testing.T, before int) {
	t.Helper()
	for end := time.Now().Add(10 * time.Second); runtime.NumGoroutine() > before; runtime.Gosched() {
		if time.Now().After(end) {
			b := make([]byte, 1<<16)
			t.Fatalf("%d goroutines more than before\n%s", runtime.NumGoroutine()-before, b[:runtime.Stack(b, true)])
		}
	}
}

// A pipeline that is cancelled, or whose sink fails, leaves nothing running.
func TestRunLeavesNoGoroutine(t *testing.T) {
	before := runtime.NumGoroutine()
	stop := errors.New("stop")
	endless := func(_ context.Context, send func(Batch) bool) error {
		for send(Batch{New(&record.Diagnostic{Message: "1"})}) {
		}
		return nil
	}
	steps := []Step{{Do: split}, {InOrder: func(it *Item) (Batch, error) { return Batch{it}, nil },
		Do: func(_ context.Context, it *Item) Batch { return Batch{it} }}}
	for range 20 {
		ctx, cancel := context.WithCancelCause(t.Context())
		n := 0
		err := Run(ctx, Options{Jobs: 4}, endless, steps, func(*Item) error {
			if n++; n == 10 {
				cancel(stop)
			}
			return nil
		}, func() error { return nil })
		if !errors.Is(err, stop) {
			t.Errorf("cancelled: %v", err)
		}
		if err := Run(t.Context(), Options{Jobs: 4}, endless, steps, func(*Item) error { return stop },
			func() error { return nil }); !errors.Is(err, stop) {
			t.Errorf("sink: %v", err)
		}
	}
	endsSoon(t, before)
}

// A source that is stuck in a read does not hold up the end.
func TestRunDoesNotWaitForAStuckSource(t *testing.T) {
	for _, jobs := range []int{1, 2} {
		t.Run(strconv.Itoa(jobs), func(t *testing.T) { testRunDoesNotWaitForAStuckSource(t, Options{Jobs: jobs}) })
	}
}

func testRunDoesNotWaitForAStuckSource(t *testing.T, opts Options) {
	before := runtime.NumGoroutine()
	in, out := io.Pipe()
	ctx, cancel := context.WithCancelCause(t.Context())
	stop := errors.New("stop")
	var once sync.Once
	go func() { _, _ = io.WriteString(out, `{"v":1,"kind":"x"}`+"\n") }()
	err := Run(ctx, opts, Lines(in, "stdin", "fmcp-load", 0, false, &Tally{}), nil, func(*Item) error {
		once.Do(func() { cancel(stop) })
		return nil
	}, func() error { return nil })
	if !errors.Is(err, stop) {
		t.Error(err)
	}
	_ = in.Close()
	endsSoon(t, before)
}

// Lines that are not records, and those of other commands.
func TestDecode(t *testing.T) {
	long := strings.Repeat("x", 200)
	tests := []struct{ line, want string }{
		{`{ "v":1, "kind":"other" , "x":1.50 }`, ""}, // as it came
		{`{"v":1,"kind":"envelope","id":"a"}`, ""},
		{`{"v":3,"kind":"unknown"}`, ""}, // only known kinds have versions that we know
		{`{"v":2,"kind":"grade"}`, "LOD022"},
		{`{"v":2,"kind":"load"}`, "LOD022"},
		{`{"v":1,"kind":5}`, "LOD020"},
		{`{"kind":"load"}`, "LOD020"},
		{`{"v":"1","kind":"load"}`, "LOD020"},
		{`[1]`, "LOD020"},
		{`{"v":1,"kind":"load"} x`, "LOD020"},
		{`{"v":1,"kind":"other"`, "LOD020"},
		{`{"v":1,"kind":"diagnostic","severity":"bad"}`, "LOD020"},
		{`{"v":1,"kind":"other","x":"` + long + `"}`, "LOD021"},
	}
	var in strings.Builder
	for _, tt := range tests {
		in.WriteString(tt.line + "\n")
	}
	var got []*Item
	err := Run(t.Context(), Options{Jobs: 3},
		Lines(strings.NewReader(in.String()), "in", "fmcp-load", 150, false, &Tally{}),
		[]Step{Decode("fmcp-load", record.KindLoad)}, func(it *Item) error { got = append(got, it); return nil },
		func() error { return nil })
	if err != nil || len(got) != len(tests) {
		t.Fatalf("%d items, %v", len(got), err)
	}
	for i, tt := range tests {
		e, failed := got[i].Rec.(*record.Error)
		switch {
		case tt.want == "" && (failed || string(got[i].AppendJSON(nil)) != tt.line):
			t.Errorf("%s became %s", tt.line, got[i].AppendJSON(nil))
		case tt.want != "" && (!failed || e.Code != tt.want || e.Input != fmt.Sprintf("in:%d", i+1) ||
			e.Stage != "fmcp-load"):
			t.Errorf("%.60s became %s, want %s", tt.line, got[i].AppendJSON(nil), tt.want)
		}
	}
}

// Of requests each line has an answer of its own, also where none is JSON; it has the
// tag as far as that can be read.
func TestErrorsEchoTags(t *testing.T) {
	long := strings.Repeat("x", 3000)
	tests := []struct{ line, want string }{
		{`not JSON`, `LOD020 `},
		{`nor this`, `LOD020 `},
		{`{"id":"a/tool/b","tag":7,"params":{`, `LOD020 7`},
		{`{"params":{},"tag":{"n":[1,"}"]}}`, `LOD020 {"n":[1,"}"]}`},
		{`{"id":"a/tool/b","tag":null,"v":2}`, `LOD022 null`},
		{`{"id":"a/tool/b","tag":12`, `LOD020 `}, // which may be the start of 123
		{`{"id":"a/tool/b","tag":"cut`, `LOD020 `},
		{`{"id":"a/tool/b","tag":"first","params":"` + long + `"}`, `LOD021 "first"`},
		{`{"id":"a/tool/b","params":"` + long + `","tag":{"last":1} }`, `LOD021 {"last":1}`},
		{`{"id":"a/tool/b","params":{"x":"` + long + `","tag":1}}`, `LOD021 `},
		{`{"params":{"tag":5}}`, `LOD020 `},
	}
	var in strings.Builder
	for _, tt := range tests {
		in.WriteString(tt.line + "\n\n")
	}
	var got []string
	err := Run(t.Context(), Options{Jobs: 3}, Lines(strings.NewReader(in.String()), "stdin", "fmcp-exec", 2500, true,
		&Tally{}), []Step{Decode("fmcp-exec", record.KindRequest)}, func(it *Item) error {
		e, ok := it.Rec.(*record.Error)
		if !ok {
			t.Fatalf("%s is no error", it.AppendJSON(nil))
		}
		tag := ""
		if e.Tag.Exists() {
			tag = ordjson.Text(e.Tag)
		}
		got = append(got, fmt.Sprintf("%s %s %s", e.Input, e.Code, tag))
		return nil
	}, func() error { return nil })
	if err != nil || len(got) != len(tests) {
		t.Fatalf("%q, %v", got, err)
	}
	for i, tt := range tests {
		if want := fmt.Sprintf("stdin:%d %s", 2*i+1, tt.want); got[i] != want {
			t.Errorf("%.60s became %s, want %s", tt.line, got[i], want)
		}
	}
}

type brokenReader struct{}

func (brokenReader) Read([]byte) (int, error) { return 0, errors.New("disk on fire") }

func TestLinesReadError(t *testing.T) {
	var got []*Item
	err := Lines(brokenReader{}, "in", "fmcp-load", 0, false, &Tally{})(t.Context(),
		func(b Batch) bool { got = append(got, b...); return true })
	if err != nil || len(got) != 1 {
		t.Fatalf("%d items, %v", len(got), err)
	}
	if e, ok := got[0].Rec.(*record.Error); !ok || e.Code != "LOD001" || !strings.Contains(e.Message, "disk on fire") {
		t.Errorf("%s", got[0].AppendJSON(nil))
	}
}

// write puts files into a new folder and returns it.
func write(t *testing.T, files map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	for name, text := range files {
		file := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(file), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// A step that refuses its input has the last word, but what passed it arrives,
// and so it is with an error of the source. An InOrder that fails ends all.
func TestErrorsOfSteps(t *testing.T) {
	refused := errors.New("refused")
	pass := func(_ context.Context, it *Item) Batch { return Batch{it} }
	for _, jobs := range []int{1, 4} {
		for _, tt := range []struct {
			name  string
			fails error // of the source
			step  Step
			want  int // items that arrive
		}{
			{"refuses", nil, Step{Do: pass,
				Finish: func(context.Context, func(Batch) bool) error { return refused }}, 3},
			{"source", refused, Step{Do: pass}, 3},
			{"in order", nil, Step{InOrder: func(*Item) (Batch, error) { return nil, refused }}, 0},
		} {
			last := Step{InOrder: func(it *Item) (Batch, error) { return Batch{it}, nil },
				Finish: func(_ context.Context, emit func(Batch) bool) error {
					emit(Batch{New(&record.Diagnostic{Message: "the last word"})})
					return nil
				}}
			source := func(_ context.Context, send func(Batch) bool) error {
				for range 3 {
					send(Batch{New(&record.Diagnostic{})})
				}
				return tt.fails
			}
			arrived := 0
			err := Run(t.Context(), Options{Jobs: jobs}, source, []Step{tt.step, last}, func(it *Item) error {
				if arrived++; message(it) != "" {
					t.Errorf("%s, %d jobs: %s", tt.name, jobs, message(it))
				}
				return nil
			}, func() error { return nil })
			if !errors.Is(err, refused) || arrived != tt.want {
				t.Errorf("%s, %d jobs: %v, %d items, want %d", tt.name, jobs, err, arrived, tt.want)
			}
		}
	}
}
