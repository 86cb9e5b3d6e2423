package bench

import (
	"testing"
	"time"
)

// BenchmarkGrade is fmcp-grade over 10,000 schemas, of paths and at the end of a pipe:
// x-validate is the time of the first by that of fmcp-validate alone, and the peaks are
// those of its memory.
func BenchmarkGrade(b *testing.B) {
	rss, dir := build(b, "./rss"), generated(b, "10000")
	var validate, paths, piped time.Duration
	var peakPaths, peakPiped int64
	for b.Loop() {
		alone, _ := measured(b, rss, command("fmcp-validate"), dir)
		validate += pipe(b, alone)

		of, peak := measured(b, rss, command("fmcp-grade"), dir)
		paths += pipe(b, of)
		peakPaths = max(peakPaths, peak())

		load, _ := measured(b, rss, command("fmcp-load"), dir)
		judged, _ := measured(b, rss, command("fmcp-validate"), "--pass=all")
		last, peak := measured(b, rss, command("fmcp-grade"))
		piped += pipe(b, load, judged, last)
		peakPiped = max(peakPiped, peak())
	}
	ms(b, validate, "validate-ms/op")
	ms(b, paths, "grade-ms/op")
	ms(b, piped, "pipe-ms/op")
	b.ReportMetric(paths.Seconds()/validate.Seconds(), "x-validate")
	b.ReportMetric(float64(peakPaths), "grade-rss-B")
	b.ReportMetric(float64(peakPiped), "pipe-rss-B")
}
