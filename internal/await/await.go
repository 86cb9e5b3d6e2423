// Package await lets tests wait for what real processes, files and sockets do.
// A test of goroutines and timers alone uses testing/synctest instead.
package await

import (
	"testing"
	"time"
)

// patience is far more than anything takes that happens at all.
const patience = time.Minute

// Until waits until done reports true, and fails the test where it never does.
func Until(t testing.TB, what string, done func() bool) {
	t.Helper()
	for end := time.Now().Add(patience); !done(); time.Sleep(time.Millisecond) {
		if time.Now().After(end) {
			t.Fatalf("%s: not after %s", what, patience)
		}
	}
}
