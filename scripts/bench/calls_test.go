package bench

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"net"
	"net/http"
	"os/exec"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

// toolCalls is how many calls a server answers in a run.
const toolCalls = 5000

// toolCall is a call of the upstream's tool; n is its id, too.
func toolCall(n int64) string {
	return fmt.Sprintf(`{"jsonrpc":"2.0","id":%[1]d,"method":"tools/call","params":{"name":"get_bench",`+
		`"arguments":{"n":%[1]d}}}`, n)
}

// overStdio keeps 16 calls in flight on a pipe.
func overStdio(b *testing.B, c *exec.Cmd) time.Duration {
	b.Helper()
	var said bytes.Buffer
	c.Stderr = &said
	in, err := c.StdinPipe()
	if err != nil {
		b.Fatal(err)
	}
	out, err := c.StdoutPipe()
	if err != nil {
		b.Fatal(err)
	}
	if err := c.Start(); err != nil {
		b.Fatal(err)
	}
	defer func() {
		if b.Failed() {
			b.Logf("%s", said.Bytes())
		}
	}()
	r := bufio.NewReaderSize(out, 1<<20)
	ask(b, in, r, initialize)
	_, _ = io.WriteString(in, initialized+"\n")
	start := time.Now()
	for n := range int64(toolCalls + inFlight) {
		if n >= inFlight {
			line, err := r.ReadBytes('\n')
			if err != nil || !bytes.Contains(line, []byte("bitcoin")) {
				b.Fatalf("a call: %v %.300s", err, line)
			}
		}
		if n < toolCalls {
			_, _ = io.WriteString(in, toolCall(n)+"\n")
		}
	}
	took := time.Since(start)
	_ = in.Close()
	if err := c.Wait(); err != nil {
		b.Fatal(err)
	}
	return took
}

// overHTTP makes the calls by 16 connections of one client to the endpoint of a
// server that listens at addr.
func overHTTP(b *testing.B, c *exec.Cmd, addr string) time.Duration {
	b.Helper()
	var said bytes.Buffer
	c.Stderr = &said
	if err := c.Start(); err != nil {
		b.Fatal(err)
	}
	defer func() {
		_ = c.Process.Kill()
		_ = c.Wait()
		if b.Failed() {
			b.Logf("%s", said.Bytes())
		}
	}()
	client := endpoint{url: "http://" + addr + "/mcp"}
	client.Transport = &http.Transport{MaxIdleConnsPerHost: inFlight}
	for began := time.Now(); ; {
		_, err := client.post(initialize)
		if err == nil {
			break
		}
		if time.Since(began) > time.Minute {
			b.Fatal(err)
		}
	}
	if _, err := client.post(initialized); err != nil {
		b.Fatal(err)
	}
	var (
		next atomic.Int64
		wg   sync.WaitGroup
	)
	start := time.Now()
	for range inFlight {
		wg.Go(func() {
			for n := next.Add(1); n <= toolCalls; n = next.Add(1) {
				text, err := client.post(toolCall(n))
				if err != nil || !bytes.Contains(text, []byte("bitcoin")) {
					b.Errorf("call %d: %v %.300s", n, err, text)
					return
				}
			}
		})
	}
	wg.Wait()
	return time.Since(start)
}

// endpoint is a client of a server over HTTP, with the session that it was given.
type endpoint struct {
	http.Client
	url, session string
}

func (e *endpoint) post(text string) ([]byte, error) {
	req, err := http.NewRequest(http.MethodPost, e.url, strings.NewReader(text))
	if err != nil {
		return nil, err
	}
	req.Header.Set("Content-Type", "application/json")
	req.Header.Set("Accept", "application/json, text/event-stream")
	if e.session != "" {
		req.Header.Set("Mcp-Session-Id", e.session)
		req.Header.Set("MCP-Protocol-Version", "2025-06-18")
	}
	res, err := e.Do(req)
	if err != nil {
		return nil, err
	}
	defer func() { _ = res.Body.Close() }()
	if e.session == "" {
		e.session = res.Header.Get("Mcp-Session-Id")
	}
	return io.ReadAll(res.Body)
}

// freeAddr is an address on loopback that nobody listens at.
func freeAddr(b *testing.B) string {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		b.Fatal(err)
	}
	defer func() { _ = l.Close() }()
	return l.Addr().String()
}

// BenchmarkCalls is fmcp-serve beside the library's own server with the same 2,000
// tools, of which one is called that asks a TLS server on loopback, with 16 calls in
// flight. calls-x-bare is its calls a second over the other's, rss-x-bare its peak
// of resident memory.
func BenchmarkCalls(b *testing.B) {
	server, ca, catalog := upstream(b, false, 0)
	bare, rss := build(b, "./baremcp"), build(b, "./rss")
	flags := []string{"--ca-file", ca, "--allow-host", strings.TrimPrefix(server.URL, "https://"), catalog}
	rate := func(b *testing.B, theirs, ours time.Duration) {
		b.ReportMetric(toolCalls*float64(b.N)/theirs.Seconds(), "bare-calls/s")
		b.ReportMetric(toolCalls*float64(b.N)/ours.Seconds(), "fmcp-calls/s")
		b.ReportMetric(theirs.Seconds()/ours.Seconds(), "calls-x-bare")
	}
	b.Run("stdio", func(b *testing.B) {
		var theirs, ours time.Duration
		var theirPeak, ourPeak int64
		for b.Loop() {
			c, peak := measured(b, rss, bare, catalog, ca)
			theirs += overStdio(b, c)
			theirPeak += peak()
			c, peak = measured(b, rss, command("fmcp-serve"), flags...)
			ours += overStdio(b, c)
			ourPeak += peak()
		}
		rate(b, theirs, ours)
		b.ReportMetric(float64(ourPeak)/float64(theirPeak), "rss-x-bare")
	})
	b.Run("http", func(b *testing.B) {
		var theirs, ours time.Duration
		for b.Loop() {
			addr := freeAddr(b)
			theirs += overHTTP(b, exec.Command(bare, catalog, ca, addr), addr)
			addr = freeAddr(b)
			c := exec.Command(command("fmcp-serve"), append([]string{"--http", addr}, flags...)...)
			ours += overHTTP(b, c, addr)
		}
		rate(b, theirs, ours)
	})
}
