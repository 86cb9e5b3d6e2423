package bench

import (
	"bufio"
	"bytes"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"
)

const (
	initialize = `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18",` +
		`"capabilities":{},"clientInfo":{"name":"bench","version":"1"}}}`
	initialized = `{"jsonrpc":"2.0","method":"notifications/initialized"}`
	list        = `{"jsonrpc":"2.0","id":2,"method":"tools/list"}`
)

// session is one run of a server: how long it took to answer initialize, from
// its start, and tools/list when warm.
type session struct{ ready, list time.Duration }

// lists is how many times tools/list is asked; the first one is not counted.
const lists = 20

func serve(b *testing.B, c *exec.Cmd) session {
	b.Helper()
	var said bytes.Buffer // of stderr: notes in between would break the table
	c.Stderr = &said
	in, err := c.StdinPipe()
	if err != nil {
		b.Fatal(err)
	}
	out, err := c.StdoutPipe()
	if err != nil {
		b.Fatal(err)
	}
	var s session
	start := time.Now()
	if err := c.Start(); err != nil {
		b.Fatal(err)
	}
	r := bufio.NewReaderSize(out, 1<<20)
	defer func() {
		if b.Failed() {
			b.Logf("%s", said.Bytes())
		}
	}()
	ask(b, in, r, initialize)
	s.ready = time.Since(start)
	_, _ = io.WriteString(in, initialized+"\n")
	tools := bytes.Count(ask(b, in, r, list), []byte(`"inputSchema"`))
	if tools != 2000 {
		b.Fatalf("%s lists %d tools, expected 2000", c, tools)
	}
	warm := time.Now()
	for range lists {
		ask(b, in, r, list)
	}
	s.list = time.Since(warm) / lists
	_ = in.Close()
	if err := c.Wait(); err != nil {
		b.Fatal(err)
	}
	return s
}

func ask(b *testing.B, in io.Writer, out *bufio.Reader, question string) []byte {
	b.Helper()
	if _, err := io.WriteString(in, question+"\n"); err != nil {
		b.Fatal(err)
	}
	line, err := out.ReadBytes('\n')
	if err != nil {
		b.Fatal(err)
	}
	return line
}

// catalog2000 is a resolved catalog of 2,000 tools.
func catalog2000(b *testing.B) string {
	b.Helper()
	file := filepath.Join(b.TempDir(), "catalog.ndjson")
	var kept bytes.Buffer
	tools := 0
	for _, line := range bytes.SplitAfter(output(b, exec.Command(command("fmcp-resolve"), generated(b, "1000"))),
		[]byte("\n")) {
		if bytes.Contains(line, []byte(`"type":"tool"`)) {
			if tools++; tools > 2000 {
				continue
			}
		}
		kept.Write(line)
	}
	if tools < 2000 {
		b.Fatalf("the generated catalog has only %d tools", tools)
	}
	if err := os.WriteFile(file, kept.Bytes(), 0o644); err != nil {
		b.Fatal(err)
	}
	b.Setenv("FMCP_ENV", "*_API_KEY")
	for _, m := range regexp.MustCompile(`"[A-Z0-9_]+_API_KEY"`).FindAllString(kept.String(), -1) {
		b.Setenv(strings.Trim(m, `"`), "a key, so that no tool is hidden")
	}
	return file
}

// BenchmarkServe is fmcp-serve with 2,000 tools beside the library's own
// server with the same: ready-x-bare and list-x-bare are how many times longer
// it takes to answer initialize from a cold start, and a warm tools/list;
// rss-x-bare is how many times its peak of resident memory.
func BenchmarkServe(b *testing.B) {
	catalog, bare, rss := catalog2000(b), build(b, "./baremcp"), build(b, "./rss")
	b.ResetTimer()
	var ours, theirs session
	for b.Loop() {
		t, o := serve(b, exec.Command(bare, catalog)), serve(b, exec.Command(command("fmcp-serve"), catalog))
		theirs.ready, theirs.list = theirs.ready+t.ready, theirs.list+t.list
		ours.ready, ours.list = ours.ready+o.ready, ours.list+o.list
	}
	ms(b, theirs.ready, "bare-ready-ms")
	ms(b, ours.ready, "fmcp-ready-ms")
	b.ReportMetric(ours.ready.Seconds()/theirs.ready.Seconds(), "ready-x-bare")
	ms(b, theirs.list, "bare-list-ms")
	ms(b, ours.list, "fmcp-list-ms")
	b.ReportMetric(ours.list.Seconds()/theirs.list.Seconds(), "list-x-bare")
	peaks := map[string]float64{}
	for name, server := range map[string]string{"bare": bare, "fmcp": command("fmcp-serve")} {
		c, peak := measured(b, rss, server, catalog)
		serve(b, c)
		peaks[name] = float64(peak())
		b.ReportMetric(peaks[name], name+"-rss-B")
	}
	b.ReportMetric(peaks["fmcp"]/peaks["bare"], "rss-x-bare")
}
