package exec

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"io"
	"net/http"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/flowmcp/fmcp/pkg/exec/cache"
	"github.com/flowmcp/fmcp/pkg/exec/fetch"
	"github.com/flowmcp/fmcp/pkg/ordjson"
	"github.com/flowmcp/fmcp/pkg/record"
)

// memory is what several caches share, in this process. Its clock is none of theirs.
type memory struct {
	mu     sync.Mutex
	secret []byte
	kept   map[string]memoryValue
	gone   bool
	full   bool
}

type memoryValue struct {
	text []byte
	end  time.Time
}

var errMemory = errors.New("gone")

func (m *memory) locked(do func()) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.gone {
		return errMemory
	}
	do()
	return nil
}

func (m *memory) get(key string) (memoryValue, bool) {
	v, ok := m.kept[key]
	return v, ok && time.Now().Before(v.end)
}

func (m *memory) set(key string, text []byte, d time.Duration) {
	if m.kept == nil {
		m.kept = map[string]memoryValue{}
	}
	m.kept[key] = memoryValue{text, time.Now().Add(d)}
}

func (m *memory) Secret(_ context.Context, candidate []byte) (found []byte, err error) {
	err = m.locked(func() {
		if m.secret == nil {
			m.secret = candidate
		}
		found = m.secret
	})
	return found, err
}

func (m *memory) Take(_ context.Context, name, holder string, most int64, turn time.Duration) (t cache.Taken,
	err error) {
	err = m.locked(func() {
		if v, ok := m.get(name); ok && int64(len(v.text)) <= most {
			t = cache.Taken{Answer: v.text, Left: time.Until(v.end)}
			return
		}
		if holder == "" {
			return
		}
		if _, ok := m.get("turn " + name); !ok {
			m.set("turn "+name, []byte(holder), turn)
		}
		t.Holder = string(m.kept["turn "+name].text)
	})
	return t, err
}

func (m *memory) Put(_ context.Context, name string, answer []byte, ttl time.Duration) error {
	if m.full {
		return errMemory
	}
	return m.locked(func() { m.set(name, answer, ttl) })
}

func (m *memory) Hold(_ context.Context, name, holder string, turn time.Duration) error {
	return m.locked(func() {
		if v, ok := m.get("turn " + name); ok && string(v.text) == holder {
			m.set("turn "+name, v.text, turn)
		}
	})
}

// commonOptions are those of equal calls of several processes.
type commonOptions struct {
	processes, calls int           // of each
	later            time.Duration // than the one before, a process begins
	answer           time.Duration // of the upstream; 0 is a second
	status           int           // 0 is 200
	skew             time.Duration // of the clocks of two processes
	goes             bool          // what they share, half a second after the start
	count            bool          // waits
	more             string        // of the tool
}

// commonCalls are equal calls of several processes, and how often one was sent.
func commonCalls(t *testing.T, m *memory, o commonOptions) (list []*record.Envelope, sent int) {
	t.Helper()
	var n atomic.Int32
	var wg sync.WaitGroup
	list = make([]*record.Envelope, o.processes*o.calls)
	if o.goes {
		time.AfterFunc(time.Second/2, func() {
			m.mu.Lock()
			defer m.mu.Unlock()
			m.gone = true
		})
	}
	for i := range o.processes {
		_, client := newFakeNet(t, apiNames(), fetch.Options{}, func(w http.ResponseWriter, r *http.Request) {
			n.Add(1)
			select {
			case <-time.After(cmp.Or(o.answer, time.Second)):
			case <-r.Context().Done():
			}
			w.WriteHeader(cmp.Or(o.status, http.StatusOK))
			_, _ = io.WriteString(w, `{"n":1}`)
		})
		if o.count {
			client.CountWaits()
		}
		c := &Caller{Client: client, Env: env(nil), Cache: cache.New(cache.Options{Shared: m, Now: func() time.Time {
			return time.Now().Add(time.Duration(i-1) * o.skew)
		}})}
		for j := range o.calls {
			wg.Go(func() {
				time.Sleep(time.Duration(i) * o.later)
				list[i*o.calls+j] = c.Call(t.Context(), findTool(t, "GET", preloadHour+o.more), ordjson.Value{},
					Options{})
			})
		}
	}
	wg.Wait()
	return list, int(n.Load())
}

// TestCommonCache: of equal calls of several processes one is sent, as far as possible.
func TestCommonCache(t *testing.T) {
	const s = time.Second
	for _, tt := range []struct {
		name string
		m    *memory
		o    commonOptions
		sent int
		took time.Duration // by each, but for a few looks
		want string        // in each envelope
	}{
		{"cold", &memory{}, commonOptions{processes: 3, calls: 5}, 1, s, `{"n":1}`},
		{"clocks that differ", &memory{}, commonOptions{processes: 3, calls: 1, skew: 50 * time.Minute}, 1, s,
			`{"n":1}`},
		{"slow", &memory{}, commonOptions{processes: 2, calls: 1, answer: 40 * s}, 1, 40 * s, `{"n":1}`},
		{"slow, and waits count", &memory{}, commonOptions{processes: 2, calls: 2, answer: 40 * s, count: true}, 1,
			40 * s, `{"n":1}`},
		{"too slow, and waits count", &memory{}, commonOptions{processes: 2, calls: 1, answer: 60 * s, count: true,
			later: 10 * s}, 2, 45 * s, "EXE035"},
		{"refused", &memory{}, commonOptions{processes: 4, calls: 5, status: 404}, 4, 2 * s, "EXE040"},
		{"gone", &memory{gone: true}, commonOptions{processes: 2, calls: 5}, 2, s, `{"n":1}`},
		{"goes", &memory{}, commonOptions{processes: 2, calls: 5, goes: true}, 2, 2 * s, `{"n":1}`},
		{"full", &memory{full: true}, commonOptions{processes: 2, calls: 5}, 2, 2 * s, `{"n":1}`},
		{"more than a read", &memory{}, commonOptions{processes: 2, calls: 3, more: `,"meta":{"isReadOnly":false}`}, 6,
			s, `{"n":1}`},
	} {
		t.Run(tt.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				list, sent := commonCalls(t, tt.m, tt.o)
				if sent != tt.sent {
					t.Errorf("sent %d times, want %d", sent, tt.sent)
				}
				for _, e := range list {
					if e.Duration > tt.took+s/4 {
						t.Errorf("took %s, want %s", e.Duration, tt.took)
					}
					got := string(e.AppendJSON(nil))
					if !strings.Contains(got, tt.want) || strings.Contains(got, "not cached") {
						t.Errorf("%s, want %s", got, tt.want)
					}
				}
			})
		})
	}
}

// TestCommonCacheTurns: who has the turn and dies holds others back no longer than that
// lasts, and one that lives keeps it.
func TestCommonCacheTurns(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		m := &memory{}
		_, sent := commonCalls(t, m, commonOptions{processes: 1, calls: 1, status: 404})
		if sent != 1 || len(m.kept) != 1 {
			t.Fatalf("sent %d times, kept %v", sent, m.kept)
		}
		for name, v := range m.kept {
			if v.end.After(time.Now()) {
				t.Error("the turn was not given up")
			}
			m.set(name, []byte("who has died"), 10*time.Second)
		}
		list, sent := commonCalls(t, m, commonOptions{processes: 1, calls: 3})
		if sent != 1 {
			t.Errorf("sent %d times", sent)
		}
		for _, e := range list {
			if e.Duration < 11*time.Second || e.Duration > 11*time.Second+time.Second/4 {
				t.Errorf("took %s", e.Duration)
			}
			expect(t, e, true, `{"n":1}`)
		}
	})
}

// TestCommonCacheGarbage: what else stands where an answer is kept is a miss, and goes.
func TestCommonCacheGarbage(t *testing.T) {
	for name, change := range map[string]func(m *memory, v memoryValue) memoryValue{
		"as it was": func(_ *memory, v memoryValue) memoryValue { return v },
		"empty":     func(_ *memory, v memoryValue) memoryValue { v.text = []byte{}; return v },
		"garbage":   func(_ *memory, v memoryValue) memoryValue { v.text = []byte("\x00\xff{"); return v },
		"no entry":  func(_ *memory, v memoryValue) memoryValue { v.text = []byte(`{"data":{"n":2}}`); return v },
		"of another request": func(_ *memory, v memoryValue) memoryValue {
			v.text = bytes.Replace(v.text, []byte(`"request":"`), []byte(`"request":"x`), 1)
			return v
		},
		"for longer than its ttl": func(_ *memory, v memoryValue) memoryValue {
			v.end = v.end.Add(time.Hour)
			return v
		},
		"another secret": func(m *memory, v memoryValue) memoryValue {
			m.secret = []byte("another")
			return v
		},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				m := &memory{}
				o := commonOptions{processes: 1, calls: 1}
				commonCalls(t, m, o)
				for key, v := range m.kept {
					if !strings.HasPrefix(key, "turn ") {
						m.kept[key] = change(m, v)
					}
				}
				want := 1
				if name == "as it was" {
					want = 0
				}
				for range 2 {
					list, sent := commonCalls(t, m, o)
					if expect(t, list[0], true, `{"n":1}`); sent != want {
						t.Errorf("sent %d times, want %d", sent, want)
					}
					want = 0
				}
			})
		})
	}
}
