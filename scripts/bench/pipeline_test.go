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

func scanLoadValidate(b *testing.B, dir string) usage {
	b.Helper()
	return pipe(b, nil, exec.Command(command("fmcp-scan"), dir), exec.Command(command("fmcp-load")), exec.Command(command("fmcp-validate")))
}

// BenchmarkPipeline is fmcp-scan | fmcp-load | fmcp-validate with process
// starts; x-node is how many times faster it is than Node.
func BenchmarkPipeline(b *testing.B) {
	catalogs := map[string]func() string{
		"generated-500": func() string { return generated(b, "500") },
		"community":     func() string { return os.Getenv("FMCP_COMMUNITY") },
	}
	for _, name := range []string{"generated-500", "community"} {
		b.Run(name, func(b *testing.B) {
			dir := catalogs[name]()
			if dir == "" {
				b.Logf("FMCP_COMMUNITY names no folder: not measured")
				return
			}
			scanLoadValidate(b, dir) // both find the files in the page cache
			var ours, theirs time.Duration
			for b.Loop() {
				theirs += pipe(b, nil, node(b, dir)).wall
				ours += scanLoadValidate(b, dir).wall
			}
			ms(b, theirs, "node-ms/op")
			ms(b, ours, "fmcp-ms/op")
			b.ReportMetric(theirs.Seconds()/ours.Seconds(), "x-node")
		})
	}
}

// BenchmarkSize is the pipeline over 500 and 50,000 schemas: the memory of
// each command, and the time per schema, x-500 being the ratio of the two.
func BenchmarkSize(b *testing.B) {
	commands := []string{"scan", "load", "validate"}
	var small float64
	for _, n := range []int{500, 50_000} {
		b.Run(strconv.Itoa(n), func(b *testing.B) {
			dir := generated(b, strconv.Itoa(n))
			rss := make([]int64, len(commands))
			var wall time.Duration
			for b.Loop() {
				u := scanLoadValidate(b, dir)
				wall += u.wall
				for i, bytes := range u.rss {
					rss[i] = max(rss[i], bytes)
				}
			}
			perSchema := float64(wall.Microseconds()) / float64(b.N) / float64(n)
			b.ReportMetric(perSchema, "us/schema")
			for i, c := range commands {
				b.ReportMetric(float64(rss[i])/1e6, c+"-MB")
			}
			if n == 500 {
				small = perSchema
			} else if small > 0 {
				b.ReportMetric(perSchema/small, "x-500")
			}
		})
	}
}
