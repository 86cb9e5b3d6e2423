package sandbox

import (
	"strings"
	"sync"
	"testing"
	"time"
)

// TestEndlessExports: exports that do not end have one budget of time; others
// are evaluated beside and after them.
func TestEndlessExports(t *testing.T) {
	endless.Store(0)
	t.Cleanup(func() { endless.Store(0) })
	const calls = 20
	var wg sync.WaitGroup
	var mu sync.Mutex
	short := 0
	start := time.Now()
	for range calls {
		wg.Go(func() {
			_, err := Export(t.Context(), "export const main = (() => { for (;;); })()", "main")
			if err == nil || !strings.HasPrefix(err.Error(), "evaluation did not end within ") {
				t.Errorf("got %v", err)
				return
			}
			mu.Lock()
			defer mu.Unlock()
			if strings.HasSuffix(err.Error(),
				"within 100ms of processor time, as other exports that do not end used up the 3s that they have "+
					"together") {
				short++
			}
		})
	}
	wg.Wait()
	// As many as there are processors may begin before the first ends.
	if used := time.Duration(endless.Load()); short == 0 || used > calls*exportTime/2 {
		t.Errorf("%d were stopped early, %s used in %s", short, used, time.Since(start))
	}
	if got, err := Export(t.Context(), "export const main = [1, 2].map((n) => n + 1)", "main"); err != nil ||
		got != "[2,3]" {
		t.Errorf("another: %s, %v", got, err)
	}
}
