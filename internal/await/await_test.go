package await

import (
	"fmt"
	"runtime"
	"sync"
	"testing"
	"testing/synctest"
)

// failing notes why a test fails.
type failing struct {
	testing.TB
	why string
}

func (f *failing) Helper() {}

func (f *failing) Fatalf(format string, args ...any) {
	f.why = fmt.Sprintf(format, args...)
	runtime.Goexit()
}

func TestUntil(t *testing.T) {
	for name, tt := range map[string]struct {
		calls int // at which it is done
		want  string
	}{
		"at once": {1, ""},
		"later":   {50, ""},
		"never":   {1 << 30, "the file: not after 1m0s"},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				f := &failing{TB: t}
				n := 0
				var ended sync.WaitGroup
				ended.Go(func() { Until(f, "the file", func() bool { n++; return n >= tt.calls }) })
				ended.Wait()
				if f.why != tt.want {
					t.Errorf("%q, want %q", f.why, tt.want)
				}
			})
		})
	}
}
