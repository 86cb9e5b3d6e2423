package serve

import (
	"context"
	"fmt"
	"io"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/flowmcp/fmcp/pkg/ordjson"
	"github.com/flowmcp/fmcp/pkg/record"
	"github.com/flowmcp/fmcp/pkg/serve/listing"
)

// TestManyNotifications: 1,000 notifications arrive, each once and in order, either
// way.
func TestManyNotifications(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		uri := func(i int) string { return fmt.Sprintf("flowmcp://demo/resource/r%04d", i) }
		var resources []listing.Resource
		var lines, want, cancels []string
		for i := range 1000 {
			resources = append(resources, listing.Resource{URI: uri(i), Listed: []byte("{}")})
			lines = append(lines, request("1", "resources/subscribe", `{"uri":"`+uri(i)+`"}`))
			want = append(want, `{"jsonrpc":"2.0","method":"notifications/resources/updated","params":{"uri":"`+
				uri(i)+`"}}`)
			cancels = append(cancels, cancelled(fmt.Sprint(i)))
		}
		var version atomic.Int32
		b := newBlocker()
		surface, err := NewSurface(Contents{Tools: demoTools(t), Resources: resources, Caller: b,
			Mark: func(string) string { return fmt.Sprint(version.Load()) }})
		if err != nil {
			t.Fatal(err)
		}
		say, end := talk(t, New(surface, Options{MaxInFlight: 1}))
		say(lines...)
		version.Add(1)
		time.Sleep(lookAgain)
		if got := strings.Split(say(), "\n"); !slices.Equal(got, want) {
			t.Errorf("%d notifications, want %d in order: %.300s", len(got), len(want), got)
		}
		for i := range cancels {
			lines[i] = callOf(fmt.Sprint(i), "one_demo", `{}`)
		}
		if got := say(lines...); got != "" {
			t.Errorf("calls that wait are answered: %.300s", got)
		}
		slices.Reverse(cancels) // that which runs is the last
		if got := say(cancels...); got != "" || len(b.started) != 1 {
			t.Errorf("%d calls began, and this is said of those that were cancelled: %.300s", len(b.started), got)
		}
		end()
	})
}

// underLoad is a server with 100 slow calls, of which 64 run and the others wait,
// and a client that reads all.
func underLoad(b *testing.B) (say func(line string), lines <-chan string, ended <-chan struct{}) {
	over := make(chan struct{}, 1)
	slow := callerFunc(func(ctx context.Context, id string, params ordjson.Value) *record.Envelope {
		<-ctx.Done()
		over <- struct{}{}
		return echo(ctx, id, params)
	})
	s := newServer(b, demo(b, slow), Options{})
	in, w := io.Pipe()
	r, out := io.Pipe()
	done := make(chan error)
	ctx, cancel := context.WithCancel(context.Background())
	go func() { done <- s.Serve(ctx, in, out) }()
	read := make(chan string, 1)
	go func() {
		buf := make([]byte, 64<<10)
		for {
			n, err := r.Read(buf)
			if err != nil {
				return
			}
			select {
			case read <- string(buf[:n]):
			default:
			}
		}
	}()
	say = func(line string) { _, _ = io.WriteString(w, line+"\n") }
	for i := range 100 {
		say(callOf(fmt.Sprint(i), "one_demo", `{}`))
	}
	b.Cleanup(func() {
		cancel()
		go func() {
			for range over {
			}
		}()
		<-done
		w.Close()
		r.Close()
	})
	return say, read, over
}

// p99 reports the 99th percentile of times.
func p99(b *testing.B, times []time.Duration) {
	slices.Sort(times)
	b.ReportMetric(float64(times[len(times)*99/100].Microseconds())/1000, "p99-ms")
}

// The target is 10 ms at the 99th percentile.
func BenchmarkPingUnderLoad(b *testing.B) {
	say, lines, _ := underLoad(b)
	var times []time.Duration
	for b.Loop() {
		start := time.Now()
		say(request(`"p"`, "ping", "{}"))
		<-lines
		times = append(times, time.Since(start))
	}
	p99(b, times)
}

// The target is 5 ms, from the notification to the end of the call.
func BenchmarkCancelRunning(b *testing.B) {
	say, _, ended := underLoad(b)
	var times []time.Duration
	running := 0
	for b.Loop() {
		start := time.Now()
		say(cancelled(fmt.Sprint(running)))
		<-ended
		times = append(times, time.Since(start))
		say(callOf(fmt.Sprint(running+100), "one_demo", `{}`))
		running++
	}
	p99(b, times)
}
