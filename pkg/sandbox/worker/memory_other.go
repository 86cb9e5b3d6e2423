//go:build !linux

package worker

import (
	"os"
	"runtime/metrics"
	"time"

	"github.com/flowmcp/fmcp/pkg/sandbox"
)

// watchMemory ends the process where it holds more bytes than it may.
func watchMemory(limit int64) {
	sample := []metrics.Sample{{Name: "/memory/classes/total:bytes"}, {Name: "/memory/classes/heap/released:bytes"}}
	for {
		time.Sleep(sandbox.MemoryInterval)
		metrics.Read(sample)
		if int64(sample[0].Value.Uint64()-sample[1].Value.Uint64()) > limit {
			os.Exit(sandbox.ExitMemory)
		}
	}
}
