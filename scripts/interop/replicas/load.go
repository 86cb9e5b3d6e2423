package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"sync"
	"sync/atomic"
	"time"
)

// load is clients that call without a pause.
type load struct {
	world     *world
	readsOnly bool

	wg      sync.WaitGroup
	stopped atomic.Bool
	next    atomic.Int64 // number of a call
	done    atomic.Int64
	flying  atomic.Int64

	mu     sync.Mutex
	phases []*phase
	wrote  []int64 // numbers of the calls that change something and were answered
	lost   []int64 // and of those that failed
}

// phase is what becomes of calls from one event to the next.
type phase struct {
	name         string
	kills        bool
	flying       int64    // calls that were under way when it began
	reads, write counts   // of calls that ended in it
	why          []string // the first calls failed
}

type counts struct{ ok, failed int }

// phase begins another phase.
func (l *load) phase(name string, kills bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.phases = append(l.phases, &phase{name: name, kills: kills, flying: l.flying.Load()})
}

// run starts clients: modern ones, whose requests stand alone, and legacy ones, each with
// a session that it never begins anew.
func (l *load) run(modern, legacy int) {
	l.phase("nothing happens", false)
	for i := range modern + legacy {
		l.wg.Go(func() {
			c := &client{url: l.world.url}
			if i >= modern {
				if err := c.initialize(); err != nil {
					l.note(true, 0, err)
					return
				}
			}
			for !l.stopped.Load() {
				n := l.next.Add(1)
				write, tool := !l.readsOnly && n%10 == 0, "get_bench"
				if write {
					tool = "post_bench"
				}
				l.flying.Add(1)
				err := c.call(tool, n)
				l.flying.Add(-1)
				l.note(write, n, err)
			}
		})
	}
}

func (l *load) note(write bool, n int64, err error) {
	l.done.Add(1)
	l.mu.Lock()
	defer l.mu.Unlock()
	p := l.phases[len(l.phases)-1]
	c := &p.reads
	if write {
		c = &p.write
	}
	if err == nil {
		c.ok++
		if write {
			l.wrote = append(l.wrote, n)
		}
		return
	}
	c.failed++
	if write {
		l.lost = append(l.lost, n)
	}
	if len(p.why) < 3 {
		p.why = append(p.why, fmt.Sprintf("call %d: %v", n, err))
	}
}

func (l *load) stop() {
	l.stopped.Store(true)
	l.wg.Wait()
}

// judge prints what became of the calls, and says what should not have.
func (l *load) judge() (err error) {
	for _, p := range l.phases {
		if !l.readsOnly {
			fmt.Printf("replicas: %-24s %5d reads, %d failed; %4d writes, %d failed\n", p.name+":",
				p.reads.ok+p.reads.failed, p.reads.failed, p.write.ok+p.write.failed, p.write.failed)
		}
		allowed := 0
		if p.kills {
			allowed = int(p.flying)
		}
		switch {
		case p.reads.ok == 0:
			err = errors.Join(err, fmt.Errorf("%s: no call succeeded", p.name))
		case p.reads.failed > 0, p.write.failed > allowed:
			err = errors.Join(err, fmt.Errorf("%s: calls failed: %s", p.name, strings.Join(p.why, "; ")))
		}
	}
	return err
}

// reached compares what clients know with what the upstream was asked for.
func (l *load) reached() (err error) {
	w := l.world
	w.mu.Lock()
	defer w.mu.Unlock()
	repeated, flying, arrived := 0, 0, 0
	for key, times := range w.came {
		if times > 1 && strings.HasPrefix(key, http.MethodPost) {
			err = errors.Join(err, fmt.Errorf("%s reached the upstream %d times", key, times))
		}
		repeated += times - 1
	}
	for _, n := range l.wrote {
		if w.came[fmt.Sprint(http.MethodPost, " ", n)] != 1 {
			err = errors.Join(err, fmt.Errorf("write %d was answered and never made", n))
		}
	}
	for _, n := range l.lost {
		arrived += w.came[fmt.Sprint(http.MethodPost, " ", n)]
	}
	for _, p := range l.phases {
		if p.kills {
			flying += int(p.flying)
		}
	}
	if repeated > flying {
		err = errors.Join(err, fmt.Errorf("%d reads were repeated, and %d calls were under way at the kills", repeated,
			flying))
	}
	fmt.Printf("replicas: %d reads were sent again; of %d writes that failed, %d had reached the upstream\n", repeated,
		len(l.lost), arrived)
	return err
}

// client calls by connections of its own.
type client struct {
	http.Client
	url, session string
}

const (
	modernMeta = `"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28",` +
		`"io.modelcontextprotocol/clientCapabilities":{}},`
	hello = `{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-11-25",` +
		`"capabilities":{},"clientInfo":{"name":"replicas","version":"1"}}}`
)

// initialize begins a session.
func (c *client) initialize() error {
	_, err := c.post(hello, nil)
	if err == nil && c.session == "" {
		return errors.New("there is no session")
	}
	return err
}

// call calls a tool, and looks whether the answer is that of the upstream to this call.
func (c *client) call(tool string, n int64) error {
	meta, headers := "", map[string]string{"Mcp-Session-Id": c.session, "MCP-Protocol-Version": "2025-11-25"}
	if c.session == "" {
		meta, headers = modernMeta, map[string]string{"MCP-Protocol-Version": "2026-07-28", "Mcp-Method": "tools/call",
			"Mcp-Name": tool}
	}
	text, err := c.post(fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":"tools/call","params":{%s"name":"%s",`+
		`"arguments":{"n":%d}}}`, n, meta, tool, n), headers)
	if err == nil && !bytes.Contains(text, fmt.Appendf(nil, `\"answered\":\"%d\"`, n)) {
		return fmt.Errorf("answer %.300s", text)
	}
	return err
}

func (c *client) post(text string, headers map[string]string) ([]byte, error) {
	if c.Transport == nil {
		c.Transport = http.DefaultTransport.(*http.Transport).Clone()
	}
	ctx, cancel := context.WithTimeout(context.Background(), 30*time.Second)
	defer cancel()
	r, err := http.NewRequestWithContext(ctx, http.MethodPost, c.url, strings.NewReader(text))
	if err != nil {
		return nil, err
	}
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set("Accept", "application/json, text/event-stream")
	r.Header.Set("Authorization", "Bearer "+token)
	for name, value := range headers {
		r.Header.Set(name, value)
	}
	got, err := c.Do(r)
	if err != nil {
		return nil, err
	}
	defer got.Body.Close()
	body, err := io.ReadAll(got.Body)
	if err == nil && got.StatusCode != http.StatusOK {
		err = fmt.Errorf("%s: %.200s", got.Status, body)
	}
	if id := got.Header.Get("Mcp-Session-Id"); id != "" {
		c.session = id
	}
	return body, err
}
