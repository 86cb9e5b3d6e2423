package bench

import (
	"testing"
	"time"
)

// BenchmarkResolve is fmcp-resolve over 10,000 schemas, alone and with 1,000 agents:
// x-schemas is the time of the second by that of the first, and the peaks are those
// of its memory.
func BenchmarkResolve(b *testing.B) {
	rss := build(b, "./rss")
	alone, agents := generated(b, "10000"), generated(b, "10000", "-agents", "1000")
	run := func(dir string) (time.Duration, int64) {
		c, peak := measured(b, rss, command("fmcp-resolve"), dir)
		return pipe(b, c), peak()
	}
	run(alone) // both find the files in the page cache
	run(agents)
	var without, with time.Duration
	var peakWithout, peakWith int64
	for b.Loop() {
		took, peak := run(alone)
		without, peakWithout = without+took, max(peakWithout, peak)
		took, peak = run(agents)
		with, peakWith = with+took, max(peakWith, peak)
	}
	ms(b, without, "schemas-ms/op")
	ms(b, with, "agents-ms/op")
	b.ReportMetric(with.Seconds()/without.Seconds(), "x-schemas")
	b.ReportMetric(float64(peakWithout), "schemas-rss-B")
	b.ReportMetric(float64(peakWith), "agents-rss-B")
}
