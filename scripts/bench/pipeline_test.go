package bench

import (
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"testing"
	"time"
)

// importAll is the baseline of the pipeline: Node importing the same modules,
// one after the other, and stringifying main, and nothing else.
const importAll = `
import fs from 'node:fs'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
const files = []
const walk = (dir) => {
    for (const e of fs.readdirSync(dir, { withFileTypes: true })) {
        const file = path.join(dir, e.name)
        if (e.isDirectory()) walk(file)
        else if (file.endsWith('.mjs')) files.push(file)
    }
}
walk(path.resolve(process.argv[2]))
let bytes = 0
for (const file of files.sort()) {
    try {
        const { main } = await import(pathToFileURL(file))
        if (main) bytes += JSON.stringify(main).length
    } catch { /* a file that Node cannot import costs it nothing more */ }
}
console.log(bytes)
`

func node(b *testing.B, dir string) *exec.Cmd {
	b.Helper()
	script := filepath.Join(b.TempDir(), "import.mjs")
	if err := os.WriteFile(script, []byte(importAll), 0o644); err != nil {
		b.Fatal(err)
	}
	return exec.Command("node", script, dir)
}

func scanLoadValidate(b *testing.B, dir string) time.Duration {
	b.Helper()
	return pipe(b, exec.Command(command("fmcp-scan"), dir), exec.Command(command("fmcp-load")),
		exec.Command(command("fmcp-validate")))
}

// BenchmarkPipeline is fmcp-scan | fmcp-load | fmcp-validate with process
// starts; x-node is how many times faster it is than Node.
func BenchmarkPipeline(b *testing.B) {
	catalogs := map[string]func() string{
		"generated-500": func() string { return generated(b, "500") },
		"community":     func() string { return os.Getenv("FMCP_COMMUNITY") },
	}
	for _, name := range []string{"generated-500", "community"} {
		dir := catalogs[name]()
		if dir == "" {
			b.Logf("FMCP_COMMUNITY names no folder: %s is not measured", name)
			continue
		}
		b.Run(name, func(b *testing.B) {
			scanLoadValidate(b, dir) // both find the files in the page cache
			var ours, theirs time.Duration
			for b.Loop() {
				theirs += pipe(b, node(b, dir))
				ours += scanLoadValidate(b, dir)
			}
			ms(b, theirs, "node-ms/op")
			ms(b, ours, "fmcp-ms/op")
			b.ReportMetric(theirs.Seconds()/ours.Seconds(), "x-node")
		})
	}
}

// BenchmarkSize is the pipeline over 500 and 50,000 schemas: the peak memory of
// each command, and the time per schema, x-500 being the ratio of the two.
func BenchmarkSize(b *testing.B) {
	rss := build(b, "./rss")
	var small float64
	for _, n := range []int{500, 50_000} {
		b.Run(strconv.Itoa(n), func(b *testing.B) {
			dir := generated(b, strconv.Itoa(n))
			scanLoadValidate(b, dir)
			rounds := 1
			if n == 500 {
				rounds = 10 // of a tenth of a second
			}
			var wall time.Duration
			for b.Loop() {
				for range rounds {
					wall += scanLoadValidate(b, dir)
				}
			}
			perSchema := float64(wall.Microseconds()) / float64(b.N*rounds*n)
			b.ReportMetric(perSchema, "us/schema")
			peaks(b, rss, dir)
			if n == 500 {
				small = perSchema
			} else if small > 0 {
				b.ReportMetric(perSchema/small, "x-500")
			}
		})
	}
}

// peaks reports the peak memory of each command of the pipeline.
func peaks(b *testing.B, rss, dir string) {
	b.Helper()
	scan, scanPeak := measured(b, rss, command("fmcp-scan"), dir)
	load, loadPeak := measured(b, rss, command("fmcp-load"))
	validate, validatePeak := measured(b, rss, command("fmcp-validate"))
	pipe(b, scan, load, validate)
	b.ReportMetric(float64(scanPeak()), "scan-rss-B")
	b.ReportMetric(float64(loadPeak()), "load-rss-B")
	b.ReportMetric(float64(validatePeak()), "validate-rss-B")
}
