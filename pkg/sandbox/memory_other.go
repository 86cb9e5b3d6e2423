//go:build !linux

package sandbox

import (
	"os"
	"runtime/metrics"
	"time"
)

// meter cannot tell on this system how much memory a worker holds, which watches
// itself, nor how long it ran: all the time in which it waits for no fetch counts.
type meter struct{}

func newMeter(int) meter { return meter{} }

func (meter) close() {}

func (meter) resident() int64 { return 0 }

func (meter) processor() (time.Duration, bool) { return 0, false }

// watchMemory ends the process where it holds more bytes than it may.
func watchMemory(limit int64) {
	sample := []metrics.Sample{{Name: "/memory/classes/total:bytes"}, {Name: "/memory/classes/heap/released:bytes"}}
	for {
		time.Sleep(memoryInterval)
		metrics.Read(sample)
		if int64(sample[0].Value.Uint64()-sample[1].Value.Uint64()) > limit {
			os.Exit(exitMemory)
		}
	}
}
