package exec

import (
	"context"
	"fmt"
	"net/http"
	"strings"
	"sync"
	"testing"

	"github.com/flowmcp/fmcp/pkg/exec/fetch"
)

// TestConcurrencyUnsafe: a tool with meta.isConcurrencySafe: false never runs
// beside itself; others go on, and who waits can be cancelled.
func TestConcurrencyUnsafe(t *testing.T) {
	var mu sync.Mutex
	open, most := 0, 0
	begun, release := make(chan bool, 9), make(chan bool)
	root, c := upstream(t, fetch.Options{}, nil, func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/unsafe" {
			mu.Lock()
			open++
			most = max(most, open)
			mu.Unlock()
			begun <- true
			<-release
			mu.Lock()
			open--
			mu.Unlock()
		}
		fmt.Fprint(w, `{}`)
	})
	made := func(path, meta string) *Tool {
		return tool(t, strings.Replace(data("GET", root, path, ""), `"name":"find"`, `"name":"find","meta":`+meta, 1))
	}
	var calls sync.WaitGroup
	call := func(ctx context.Context, status bool, want string) {
		calls.Go(func() {
			// The catalog of a server is read again now and then: a tool is the
			// one of its ID.
			expect(t, c.Call(ctx, made("/unsafe", `{"isReadOnly":true,"isConcurrencySafe":false}`), parse(t, `{}`),
				Options{}), status, want)
		})
	}
	for range 5 {
		call(t.Context(), true, "{}")
	}
	<-begun
	for range 3 { // a dry run sends nothing
		tl := made("/unsafe", `{"isConcurrencySafe":false}`)
		if e := c.Call(t.Context(), tl, parse(t, `{}`), Options{DryRun: true}); !e.Status {
			t.Errorf("%s", e.AppendJSON(nil))
		}
	}
	safe := made("/safe", `{"isReadOnly":true,"isConcurrencySafe":true}`)
	expect(t, c.Call(t.Context(), safe, parse(t, `{}`), Options{}), true, "{}")
	ctx, cancel := context.WithCancel(t.Context())
	var waiter sync.WaitGroup
	waiter.Go(func() {
		e := c.Call(ctx, made("/unsafe", `{"isConcurrencySafe":false}`), parse(t, `{}`), Options{})
		expect(t, e, false, "EXE036 find: the call was cancelled while it waited for another of the same tool")
	})
	cancel()
	waiter.Wait()
	close(release)
	calls.Wait()
	if most != 1 {
		t.Errorf("%d at a time", most)
	}
}
