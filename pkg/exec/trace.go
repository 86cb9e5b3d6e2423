package exec

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"
	"unicode/utf8"

	"github.com/flowmcp/fmcp/pkg/exec/fetch"
	"github.com/flowmcp/fmcp/pkg/exec/secret"
	"github.com/flowmcp/fmcp/pkg/ordjson"
	"github.com/flowmcp/fmcp/pkg/record"
)

// Trace writes what goes over the wire and what handlers log, for people
// (fmcp-exec -v). Every line names its call, and no line has a value of a server
// parameter. It may be used by many goroutines; nil writes nothing.
type Trace struct {
	Out  io.Writer
	Show func(string) string // makes control characters visible: the texts are untrusted

	mu    sync.Mutex
	calls int
}

// traced is the trace of one call.
type traced struct {
	*Trace
	label  string
	redact *secret.Redactor
}

type tracedKey struct{}

// begin gives a call its name in the trace.
func (t *Trace) begin(ctx context.Context, id string, o Options, redact *secret.Redactor) context.Context {
	if t == nil {
		return ctx
	}
	t.mu.Lock()
	t.calls++
	c := &traced{t, id + "#" + strconv.Itoa(t.calls), redact}
	t.mu.Unlock()
	if o.Tag.Exists() {
		c.write("* tag " + ordjson.Text(o.Tag))
	}
	if o.Label != "" {
		c.write("* " + o.Label)
	}
	return context.WithValue(ctx, tracedKey{}, c)
}

// tracedOf is the trace of the call that ctx is of, nil if there is none.
func tracedOf(ctx context.Context) *traced {
	c, _ := ctx.Value(tracedKey{}).(*traced)
	return c
}

// maxTraced is how many bytes of a body are shown. It is redacted whole and cut
// then: half a secret would not be recognised.
const maxTraced = 16 << 10

// write writes lines together.
func (c *traced) write(lines ...string) {
	var b strings.Builder
	for _, text := range lines {
		for line := range strings.Lines(c.redact.Text(text)) {
			b.WriteString("[" + c.Show(c.label) + "] " + c.Show(strings.TrimRight(line, "\r\n")) + "\n")
		}
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	_, _ = io.WriteString(c.Out, b.String()) // who does not read the trace has the answer all the same
}

// request shows what is sent.
func (c *traced) request(req *Request) {
	if c == nil {
		return
	}
	shown := req.Redacted()
	c.redact.Request(shown)
	lines := []string{"> " + shown.Method + " " + shown.URL}
	for _, h := range shown.Headers {
		lines = append(lines, "> "+h.Name+": "+h.Value)
	}
	if shown.Body.Exists() {
		text := shown.Body.Str()
		if !shown.Body.Is(ordjson.String) {
			text = string(ordjson.Append(nil, shown.Body))
		}
		lines = append(lines, c.body(">", []byte(text))...)
	}
	c.write(lines...)
}

// cached shows an answer for which nothing is sent.
func (c *traced) cached(req *Request, from *record.Cached, data ordjson.Value) {
	if c == nil {
		return
	}
	c.request(req)
	why := "an equal call was under way, and this is its answer"
	if from.State == record.CacheHit {
		why = "the answer is in the cache, of " + record.Timestamp(from.FetchedAt)
	}
	c.write("* nothing is sent: " + why)
	c.rows(data)
}

// answer shows what came back, before any handler sees it.
func (c *traced) answer(res *fetch.Response, err error, took time.Duration) {
	if c == nil {
		return
	}
	if err != nil {
		c.write("* " + err.Error())
		return
	}
	var lines []string
	for _, note := range res.Notes {
		lines = append(lines, "* "+note)
	}
	lines = append(lines, fmt.Sprintf("< %d %s, after %s", res.Status, http.StatusText(res.Status),
		took.Round(time.Millisecond)))
	names := make([]string, 0, len(res.Header))
	for name := range res.Header {
		names = append(names, name)
	}
	slices.Sort(names)
	for _, name := range names {
		for _, value := range res.Header[name] {
			if name == "Set-Cookie" { // a key on its own
				value = "[REDACTED]"
			}
			lines = append(lines, "< "+name+": "+value)
		}
	}
	_, body := res.Redacted(c.redact) // in JSON an escape could hide a secret
	c.write(append(lines, c.body("<", body)...)...)
}

// query shows what a resource is asked, and rows what it answers.
func (c *traced) query(q *record.Query) {
	if c == nil {
		return
	}
	lines := []string{"> " + strings.TrimSpace(q.Source+" "+q.Name)}
	if q.SQL != "" {
		lines = append(lines, c.body(">", []byte(q.SQL))...)
	}
	c.write(append(lines, c.body(">", ordjson.Append(nil, q.Params))...)...)
}

func (c *traced) rows(data ordjson.Value) {
	if c != nil {
		c.write(c.body("<", ordjson.Append(nil, data))...)
	}
}

// logger is what handlers log to, nil if it is not read.
func (c *traced) logger() func(level, text string) {
	if c == nil {
		return nil
	}
	return func(level, text string) {
		var lines []string
		for line := range strings.Lines(text) {
			lines = append(lines, "* console."+level+": "+line)
		}
		if lines == nil {
			lines = []string{"* console." + level + ":"}
		}
		c.write(lines...)
	}
}

// body is the lines of a body, as far as they are shown.
func (c *traced) body(arrow string, b []byte) []string {
	if len(b) == 0 {
		return nil
	}
	if !utf8.Valid(b) {
		return []string{fmt.Sprintf("%s (%d bytes that are not UTF-8 text)", arrow, len(b))}
	}
	text, rest := c.redact.Text(string(b)), 0
	if len(text) > maxTraced {
		rest = len(text) - maxTraced
		text = strings.ToValidUTF8(text[:maxTraced], "")
	}
	var lines []string
	for line := range strings.Lines(text) {
		lines = append(lines, arrow+" "+line)
	}
	if rest > 0 {
		lines = append(lines, fmt.Sprintf("%s (%d bytes more)", arrow, rest))
	}
	return lines
}
