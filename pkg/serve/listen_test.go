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

	"github.com/flowmcp/fmcp/pkg/catalog"
	"github.com/flowmcp/fmcp/pkg/serve/listing"
	"github.com/flowmcp/fmcp/pkg/serve/skills"
)

// surfaceOf has the tools that are named, a prompt, and one resource.
func surfaceOf(t testing.TB, mark func(string) string, tools ...string) *Surface {
	t.Helper()
	lines := []string{promptLine}
	for _, name := range tools {
		lines = append(lines, toolLine(name, ""))
	}
	l := listingOf(t, lines...)
	s, err := NewSurface(Contents{Name: "demo", Version: "1", Tools: l.Tools, Prompts: l.Prompts, Caller: echo,
		Resources: []listing.Resource{{URI: "flowmcp://demo/resource/some", Listed: []byte("{}")}}, Mark: mark})
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func listenTo(id, notifications string) string {
	return request(id, "subscriptions/listen", `{"notifications":`+notifications+`,`+modernMeta+`}`)
}

// talk runs a server in a bubble. say sends lines and returns what there is to read
// once all has come to rest.
func talk(t *testing.T, s *Server) (say func(lines ...string) string, end func() string) {
	t.Helper()
	in, w := io.Pipe()
	var out testLog
	done := make(chan error)
	go func() { done <- s.Serve(t.Context(), in, &out) }()
	read := 0
	rest := func() string {
		synctest.Wait()
		text := out.String()[read:]
		read += len(text)
		return strings.TrimSpace(text)
	}
	return func(lines ...string) string {
			for _, line := range lines {
				io.WriteString(w, line+"\n")
			}
			return rest()
		}, func() string {
			w.Close()
			start := time.Now()
			if err := <-done; err != nil || time.Since(start) > 0 {
				t.Errorf("Serve ended after %v: %v", time.Since(start), err)
			}
			return rest()
		}
}

func tagged(id, method, member string) string {
	return `{"jsonrpc":"2.0","method":"notifications/` + method +
		`","params":{"_meta":{"io.modelcontextprotocol/subscriptionId":` + id + `}` + member + `}}`
}

func changed(id, list string) string { return tagged(id, list+"/list_changed", "") }

// sameLines says whether lines are the same in any order: what is told on different
// streams has none.
func sameLines(got string, want ...string) bool {
	lines := strings.Split(got, "\n")
	if got == "" {
		lines = nil
	}
	slices.Sort(lines)
	slices.Sort(want)
	return slices.Equal(lines, want)
}

// TestListen: each stream says first what it grants, has its own copy of what it
// asked for, and ends with a result unless the client cancels it.
func TestListen(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := New(surfaceOf(t, nil, "one"), Options{Reloads: true, Stderr: t.Output()})
		say, end := talk(t, s)
		got := say(listenTo("7", `{"toolsListChanged":true,"promptsListChanged":true,`+
			`"resourceSubscriptions":["flowmcp://demo/resource/some"]}`))
		if want := tagged("7", "subscriptions/acknowledged",
			`,"notifications":{"toolsListChanged":true,"promptsListChanged":true}`); got != want {
			t.Errorf("got %s\nwant %s", got, want)
		}
		say(listenTo(`"7"`, `{"toolsListChanged":true,"resourcesListChanged":true}`),
			listenTo("9007199254740993", `{"promptsListChanged":true}`))

		s.Replace(surfaceOf(t, nil, "one", "two"))
		if got := say(); !sameLines(got, changed("7", "tools"), changed(`"7"`, "tools")) {
			t.Errorf("tools have changed: %s", got)
		}
		s.Replace(surfaceOf(t, nil, "one", "two"))
		if got := say(cancelled("7")); got != "" {
			t.Errorf("nothing has changed, and 7 is cancelled: %s", got)
		}
		next := surfaceOf(t, nil, "one")
		next.lists["prompts/list"] = fixedPages("prompts", nil, 1)
		next.lists["resources/templates/list"] = fixedPages("resourceTemplates", [][]byte{[]byte("{}")}, 1)
		s.Replace(next)
		if got := say(); !sameLines(got, changed(`"7"`, "tools"), changed(`"7"`, "resources"),
			changed("9007199254740993", "prompts")) {
			t.Errorf("all has changed: %s", got)
		}
		closing := func(id string) string {
			return `{"jsonrpc":"2.0","id":` + id + `,"result":{"_meta":{` +
				`"io.modelcontextprotocol/serverInfo":{"name":"demo","version":"1"},` +
				`"io.modelcontextprotocol/subscriptionId":` + id + `},"resultType":"complete"}}`
		}
		if got := end(); !sameLines(got, closing(`"7"`), closing("9007199254740993")) {
			t.Errorf("at the end: %s", got)
		}
	})
}

// TestListenToSkills: a skill whose text has changed is another file, under the same
// address.
func TestListenToSkills(t *testing.T) {
	with := func(line string) *Surface {
		x, err := catalog.Read(strings.NewReader(line), catalog.ReadOptions{})
		if err != nil {
			t.Fatal(err)
		}
		s, err := NewSurface(Contents{Skills: skills.New(x, func(id, why string) { t.Errorf("%s: %s", id, why) })})
		if err != nil {
			t.Fatal(err)
		}
		return s
	}
	synctest.Test(t, func(t *testing.T) {
		s := New(with(skillLine), Options{Reloads: true})
		say, end := talk(t, s)
		say(listenTo("1", `{"toolsListChanged":true,"promptsListChanged":true,"resourcesListChanged":true}`))
		s.Replace(with(skillLine))
		if got := say(); got != "" {
			t.Errorf("nothing has changed: %s", got)
		}
		s.Replace(with(strings.Replace(skillLine, `"content":"Look."`, `"content":"Look again."`, 1)))
		if got := say(); got != changed("1", "resources") {
			t.Errorf("a skill has changed: %s", got)
		}
		end()
	})
}

// TestListenToNothing: a server whose tools cannot change says so, and is done.
func TestListenToNothing(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		say, end := talk(t, New(surfaceOf(t, nil, "one"), Options{}))
		got := strings.Split(say(listenTo("7", `{"toolsListChanged":true}`)), "\n")
		if len(got) != 2 || got[0] != tagged("7", "subscriptions/acknowledged", `,"notifications":{}`) ||
			!strings.HasPrefix(got[1], `{"jsonrpc":"2.0","id":7,"result":`) {
			t.Errorf("got %s", got)
		}
		for _, tc := range []struct{ params, want string }{
			{`{` + modernMeta + `}`, "found none"},
			{`{"notifications":[],` + modernMeta + `}`, "found []"},
			{`{"notifications":{"toolsListChanged":1},` + modernMeta + `}`,
				"expected params.notifications.toolsListChanged"},
		} {
			if got := say(request("8", "subscriptions/listen", tc.params)); !strings.Contains(got, "-32602") ||
				!strings.Contains(got, tc.want) {
				t.Errorf("%s: %s, want %s", tc.params, got, tc.want)
			}
		}
		end()
	})
}

// TestUnasked: a session hears of what it was told that it would, once it has
// begun.
func TestUnasked(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := New(surfaceOf(t, nil, "one"), Options{Reloads: true})
		say, end := talk(t, s)
		s.Replace(surfaceOf(t, nil, "two"))
		if got := say(); got != "" {
			t.Errorf("before initialize: %s", got)
		}
		got := say(initialize("2025-11-25"))
		if want := `"capabilities":{"prompts":{"listChanged":true},"resources":{"listChanged":true},` +
			`"tools":{"listChanged":true}`; !strings.Contains(got, want) {
			t.Errorf("%s has no %s", got, want)
		}
		s.Replace(surfaceOf(t, nil, "one", "two"))
		s.Replace(surfaceOf(t, nil, "one"))
		const want = `{"jsonrpc":"2.0","method":"notifications/tools/list_changed","params":{}}`
		if got := say(); got != want && got != want+"\n"+want {
			t.Errorf("got %s", got)
		}
		end()
	})
}

// TestSubscribe: who subscribed to a resource hears when its data has changed, in
// either era.
func TestSubscribe(t *testing.T) {
	const uri = "flowmcp://demo/resource/some"
	ask := func(id, method, uri string) string { return request(id, "resources/"+method, `{"uri":"`+uri+`"}`) }
	synctest.Test(t, func(t *testing.T) {
		var version atomic.Int32
		mark := func(uri string) string { return fmt.Sprint(uri, version.Load()) }
		say, end := talk(t, New(surfaceOf(t, mark, "one"), Options{}))
		if got := say(initialize("2025-11-25")); !strings.Contains(got, `"resources":{"subscribe":true}`) {
			t.Errorf("initialize: %s", got)
		}
		for _, tc := range []struct{ line, want string }{
			{ask("2", "subscribe", uri), `{"jsonrpc":"2.0","id":2,"result":{}}`},
			{ask("3", "subscribe", uri+"s"), "-32002"},
			{listenTo("4", `{"resourceSubscriptions":["`+uri+`?a=1","flowmcp://no/where"]}`),
				tagged("4", "subscriptions/acknowledged",
					`,"notifications":{"resourceSubscriptions":["`+uri+`?a=1"]}`)},
		} {
			if got := say(tc.line); !strings.Contains(got, tc.want) {
				t.Errorf("%s: %s, want %s", tc.line, got, tc.want)
			}
		}
		later := func() string { time.Sleep(3 * lookAgain); return say() }
		if got := later(); got != "" {
			t.Errorf("nothing has changed: %s", got)
		}
		version.Add(1)
		untagged := `{"jsonrpc":"2.0","method":"notifications/resources/updated","params":{"uri":"` + uri + `"}}`
		ours := tagged("4", "resources/updated", `,"uri":"`+uri+`?a=1"`)
		if got := later(); !sameLines(got, untagged, ours) {
			t.Errorf("it has changed: %s", got)
		}
		say(ask("5", "unsubscribe", uri))
		version.Add(1)
		if got := later(); !sameLines(got, ours) {
			t.Errorf("after unsubscribe: %s", got)
		}
		end()
	})
}

// TestListenerStalls: what changes while the client does not read is told once.
func TestListenerStalls(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := New(surfaceOf(t, nil, "one"), Options{Reloads: true})
		reads, sent := make(chan struct{}), 0
		conn := connFunc(func(ctx context.Context, line []byte) error {
			if sent++; sent == 2 { // after the acknowledgement
				<-reads
			}
			return nil
		})
		ctx, cancel := context.WithCancel(t.Context())
		r := s.NewSession().Begin(ctx, parsed(t, listenTo("1", `{"toolsListChanged":true}`)), conn)
		done := make(chan Answer)
		go func() { done <- r.Run() }()
		for i := range 20 {
			synctest.Wait()
			s.Replace(surfaceOf(t, nil, "one", fmt.Sprintf("t%d", i)))
		}
		close(reads)
		synctest.Wait()
		cancel()
		if a := <-done; !strings.Contains(lineOf(a), `"result"`) || sent != 3 {
			t.Errorf("%d messages, want 3; the end is %s", sent, lineOf(a))
		}
		r.End()
		if len(s.listeners) > 0 || s.slots.free != s.opts.MaxInFlight {
			t.Errorf("%d listen still, %d slots are free", len(s.listeners), s.slots.free)
		}
	})
}
