package bench

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"
)

const hello = `package main

import "fmt"

func main() { fmt.Println("fmcp 0.1.0") }
`

// BenchmarkStart is --version of each command beside a Go program that only
// prints; x-hello is how many times longer it takes.
func BenchmarkStart(b *testing.B) {
	file := filepath.Join(b.TempDir(), "hello.go")
	if err := os.WriteFile(file, []byte(hello), 0o644); err != nil {
		b.Fatal(err)
	}
	baseline := build(b, file)
	for _, name := range []string{"scan", "load", "validate", "resolve", "exec", "grade", "serve"} {
		b.Run(name, func(b *testing.B) {
			const runs = 50 // of each, in turn, since one takes a millisecond
			var ours, theirs time.Duration
			for b.Loop() {
				for range runs {
					theirs += pipe(b, exec.Command(baseline))
					ours += pipe(b, exec.Command(command("fmcp-"+name), "--version"))
				}
			}
			ms(b, theirs/runs, "hello-ms/op")
			ms(b, ours/runs, "fmcp-ms/op")
			b.ReportMetric(ours.Seconds()/theirs.Seconds(), "x-hello")
		})
	}
}
