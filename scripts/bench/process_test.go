// Package bench measures the commands as whole processes, each beside the
// baseline that its figure is a ratio of, in the same run. make bench runs it
// ten times and writes benchstat's tables to docs/bench.
package bench

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"
)

// root is the root of the repository; make bench has built bin/ there.
const root = "../.."

// command is the path of one of our commands.
func command(name string) string { return filepath.Join(root, "bin", name) }

// pipe runs commands as a shell pipe, throws the output of the last away, and
// returns the time from the start of the first to the end of the last. Exit
// status 1 means findings, which inputs have.
func pipe(b *testing.B, commands ...*exec.Cmd) time.Duration {
	b.Helper()
	for i, c := range commands {
		c.Stderr = os.Stderr
		if i == 0 {
			continue
		}
		r, w, err := os.Pipe()
		if err != nil {
			b.Fatal(err)
		}
		defer func() { _ = r.Close() }()
		commands[i-1].Stdout, c.Stdin = w, r
	}
	start := time.Now()
	for i, c := range commands {
		if err := c.Start(); err != nil {
			b.Fatal(err)
		}
		if i < len(commands)-1 {
			_ = c.Stdout.(*os.File).Close()
		}
	}
	for _, c := range commands {
		if err := c.Wait(); err != nil && c.ProcessState.ExitCode() != 1 {
			b.Fatalf("%s: %v", c, err)
		}
	}
	return time.Since(start)
}

// measured is a command whose peak of resident memory can be asked for once it
// has ended.
func measured(b *testing.B, rss string, name string, args ...string) (c *exec.Cmd, peak func() int64) {
	b.Helper()
	file := filepath.Join(b.TempDir(), filepath.Base(name))
	return exec.Command(rss, append([]string{file, name}, args...)...), func() int64 {
		text, err := os.ReadFile(file)
		if err != nil {
			b.Fatal(err)
		}
		n, err := strconv.ParseInt(string(text), 10, 64)
		if err != nil {
			b.Fatal(err)
		}
		return n
	}
}

// output runs a command for what it prints.
func output(b *testing.B, c *exec.Cmd) []byte {
	b.Helper()
	var out bytes.Buffer
	c.Stdout, c.Stderr = &out, os.Stderr
	if err := c.Run(); err != nil && c.ProcessState.ExitCode() != 1 {
		b.Fatalf("%s: %v", c, err)
	}
	return out.Bytes()
}

// generated is a folder with a catalog of n generated schemas, made with further
// flags of gencatalog. It is kept under the system's cache folder, since 50,000 files
// take a while to write.
func generated(b *testing.B, n string, more ...string) string {
	b.Helper()
	cache, err := os.UserCacheDir()
	if err != nil {
		b.Fatal(err)
	}
	dir := filepath.Join(cache, "fmcp-bench", "schemas-"+n+strings.Join(more, ""))
	if _, err := os.Stat(filepath.Join(dir, "_lists")); err == nil {
		return dir
	}
	c := exec.Command("go", slices.Concat([]string{"run", "./scripts/gencatalog", "-n", n}, more, []string{dir})...)
	c.Dir = root
	if out, err := c.CombinedOutput(); err != nil {
		b.Fatalf("gencatalog: %v\n%s", err, out)
	}
	// A registry is one record, as large as the catalog is: it would be measured
	// in the place of the schemas.
	if err := os.Remove(filepath.Join(dir, "registry.json")); err != nil {
		b.Fatal(err)
	}
	return dir
}

// build compiles a Go program of the repository or a file, for a baseline.
func build(b *testing.B, target string) string {
	b.Helper()
	bin := filepath.Join(b.TempDir(), "baseline")
	c := exec.Command("go", "build", "-trimpath", "-ldflags", "-s -w", "-o", bin, target)
	if out, err := c.CombinedOutput(); err != nil {
		b.Fatalf("go build %s: %v\n%s", target, err, out)
	}
	return bin
}

// ms reports a duration per operation.
func ms(b *testing.B, total time.Duration, unit string) {
	b.ReportMetric(float64(total.Microseconds())/1000/float64(b.N), unit)
}
