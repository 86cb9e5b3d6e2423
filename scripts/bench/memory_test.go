package bench

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
)

// BenchmarkMemory is the peak of resident memory of fmcp-exec and fmcp-serve by the
// number of schemas in the resolved catalog: of one call, of 2,000 calls of as many tools
// from everywhere in the catalog, and of list; of a server that lists all tools, and of
// one that has answered 20 searches.
func BenchmarkMemory(b *testing.B) {
	rss := build(b, "./rss")
	base := bytes.SplitAfter(output(b, exec.Command(command("fmcp-resolve"), generated(b, "500"))), []byte("\n"))
	for _, n := range []int{500, 2000, 5000, 20_000, 100_000} {
		b.Run(strconv.Itoa(n), func(b *testing.B) {
			catalog, ids := grown(b, base, n)
			peaks := map[string]int64{}
			run := func(unit, name string, args []string, do func(*exec.Cmd)) {
				c, peak := measured(b, rss, command(name), args...)
				do(c)
				peaks[unit] = max(peaks[unit], peak())
			}
			wait := func(c *exec.Cmd) { pipe(b, c) }
			for b.Loop() {
				run("call-B", "fmcp-exec", []string{"-c", catalog, "--dry-run", ids[0]}, wait)
				run("calls-B", "fmcp-exec", []string{"-c", catalog, "--dry-run"}, func(c *exec.Cmd) {
					c.Stdin = callsOf(ids)
					pipe(b, c)
				})
				run("list-B", "fmcp-exec", []string{"list", "-c", catalog}, wait)
				run("serve-B", "fmcp-serve", []string{catalog}, func(c *exec.Cmd) { served(b, c, allPages) })
				run("search-B", "fmcp-serve", []string{catalog, "--mode", "search"}, func(c *exec.Cmd) {
					served(b, c, func(ask func(string) []byte) {
						for i := range 20 {
							ask(fmt.Sprintf(`"method":"tools/call","params":{"name":"search","arguments":{`+
								`"query":"departures of trains, part %d"}}`, i))
						}
					})
				})
			}
			for unit, peak := range peaks {
				b.ReportMetric(float64(peak), unit)
			}
		})
	}
}

// grown is a resolved catalog of n schemas: the lines of a resolved one of 500, again
// and again with other namespaces. ids are 2,000 tools of it.
func grown(b *testing.B, base [][]byte, n int) (file string, ids []string) {
	b.Helper()
	file = filepath.Join(b.TempDir(), "catalog.ndjson")
	f, err := os.Create(file)
	if err != nil {
		b.Fatal(err)
	}
	w := bufio.NewWriter(f)
	lines, tools, copies := 0, 0, n/500
	for i := range copies {
		for _, line := range base {
			id := between(line, `"id":"`, `"`)
			namespace, _, named := strings.Cut(id, "/")
			switch {
			case len(line) == 0, bytes.Contains(line, []byte(`"kind":"end"`)):
				continue
			case named && namespace != "shared":
				line = renamed(line, namespace, i)
				if bytes.Contains(line, []byte(`"type":"tool"`)) {
					if tools%copies == 0 && len(ids) < 2000 {
						ids = append(ids, between(line, `"id":"`, `"`))
					}
					tools++
				}
			case i > 0: // what is there once: the catalog itself, and lists
				continue
			}
			lines++
			_, _ = w.Write(line)
		}
	}
	fmt.Fprintf(w, `{"v":1,"kind":"end","stage":"fmcp-resolve","counts":{"resolved":%d}}`+"\n", lines)
	if err := w.Flush(); err != nil {
		b.Fatal(err)
	}
	if err := f.Close(); err != nil {
		b.Fatal(err)
	}
	return file, ids
}

// renamed is a record with another namespace, in IDs, MCP names and server parameters.
func renamed(line []byte, namespace string, i int) []byte {
	snake := strings.ReplaceAll(namespace, "-", "_")
	for _, form := range []string{namespace, snake, strings.ToUpper(snake)} {
		line = bytes.ReplaceAll(line, []byte(form), fmt.Appendf(nil, "%s0%d", form, i))
	}
	return line
}

func between(line []byte, start, end string) string {
	_, rest, _ := bytes.Cut(line, []byte(start))
	text, _, _ := bytes.Cut(rest, []byte(end))
	return string(text)
}

// callsOf are requests for tools.
func callsOf(ids []string) io.Reader {
	var all strings.Builder
	for _, id := range ids {
		fmt.Fprintf(&all, `{"v":1,"kind":"request","id":%q,"params":{}}`+"\n", id)
	}
	return strings.NewReader(all.String())
}

// served starts a server, has it asked, and ends it.
func served(b *testing.B, c *exec.Cmd, do func(ask func(request string) []byte)) {
	b.Helper()
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
	r := bufio.NewReaderSize(out, 1<<20)
	ask(b, in, r, initialize)
	_, _ = io.WriteString(in, initialized+"\n")
	do(func(request string) []byte { return ask(b, in, r, `{"jsonrpc":"2.0","id":2,`+request+`}`) })
	_ = in.Close()
	if err := c.Wait(); err != nil {
		b.Fatal(err)
	}
}

// allPages asks for all tools, page by page.
func allPages(ask func(string) []byte) {
	for cursor := "{}"; cursor != ""; {
		page := ask(`"method":"tools/list","params":` + cursor)
		if cursor = between(page[:min(len(page), 500)], `"nextCursor":"`, `"`); cursor != "" {
			cursor = `{"cursor":"` + cursor + `"}`
		}
	}
}
