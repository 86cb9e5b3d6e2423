package exec

import (
	"context"
	"errors"
	"io"
	"net/http"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/flowmcp/fmcp/pkg/exec/fetch"
	"github.com/flowmcp/fmcp/pkg/ordjson"
)

// commonStarts are those of several processes, evenly spaced; where they are gone there is
// an error.
type commonStarts struct {
	mu   sync.Mutex
	next time.Time
	gone bool
}

func (s *commonStarts) Start(_ context.Context, host string, interval, most time.Duration) (time.Duration, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.gone || host != "api.com:443" {
		return 0, errors.New("gone")
	}
	now := time.Now()
	if s.next.Before(now) {
		s.next = now
	}
	wait := s.next.Sub(now)
	if wait <= most {
		s.next = s.next.Add(interval)
	}
	return wait, nil
}

// TestCommonStarts: clients that share their starts keep to the rate together, refuse what
// would come too late, and each to its own where what they share is gone.
func TestCommonStarts(t *testing.T) {
	const s = time.Second
	for _, tt := range []struct {
		name  string
		gone  bool
		count bool // waits
		calls int  // of each of two
		took  time.Duration
	}{
		{"together", false, false, 5, 18 * s},
		{"each alone", true, false, 5, 8 * s},
		{"two refused", false, true, 3, 6 * s},
	} {
		t.Run(tt.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				starts := &commonStarts{gone: tt.gone}
				began := time.Now()
				var wg sync.WaitGroup
				for range 2 {
					_, client := newFakeNet(t, apiNames(), fetch.Options{HostInterval: 2 * s, Starts: starts,
						Timeout: 7 * s}, func(w http.ResponseWriter, _ *http.Request) { _, _ = io.WriteString(w, "1") })
					if tt.count {
						client.CountWaits()
					}
					for range tt.calls {
						wg.Go(func() {
							e := (&Caller{Client: client, Env: env(nil)}).Call(t.Context(),
								bareTool(t, "GET", "https://api.com"), ordjson.Value{}, Options{})
							if !e.Status && tt.count {
								expect(t, e, false, "EXE035 find: api.com:443 is called as often as --host-rate "+
									"allows, and the next start is 8s away")
								return
							}
							expect(t, e, true, "1")
						})
					}
				}
				wg.Wait()
				if took := time.Since(began); took != tt.took {
					t.Errorf("took %s, want %s", took, tt.took)
				}
			})
		})
	}
}
