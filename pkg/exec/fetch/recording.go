package fetch

import (
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/flowmcp/fmcp/pkg/atomicfile"
	"github.com/flowmcp/fmcp/pkg/exec/percent"
	"github.com/flowmcp/fmcp/pkg/exec/secret"
	"github.com/flowmcp/fmcp/pkg/ordjson"
	"github.com/flowmcp/fmcp/pkg/record"
	"github.com/flowmcp/fmcp/pkg/walk"
)

// Recording is a folder of exchanges: what was sent, without secrets, and what
// came back. It is at the client's door, so that it has the requests of
// handlers too. It may be used by many goroutines.
//
// There is one file for each request; of a request that is sent again the last
// answer counts, so that replaying does not depend on an order.
type Recording struct{ dir string }

// maxRecording is the largest file of a recording that is read, in bytes: an
// answer of 10 MiB that is escaped throughout takes a quarter of it.
const maxRecording = 256 << 20

// useRecordings opens the folders of recordings; the error is one of usage.
func (c *Client) useRecordings(o Options) error {
	if o.Record != "" && o.Replay != "" {
		return errors.New("--record asks the network and --replay does without it: give one of them")
	}
	if o.Record != "" {
		if err := os.MkdirAll(o.Record, 0o700); err != nil {
			return fmt.Errorf("--record: %w", err)
		}
		c.record = &Recording{o.Record}
	}
	if o.Replay != "" {
		if info, err := os.Stat(o.Replay); err != nil || !info.IsDir() {
			return fmt.Errorf("--replay %s: no such folder: record one by --record", o.Replay)
		}
		c.replay = &Recording{o.Replay}
	}
	return nil
}

// replayed answers a request from the recording, under the limits of today.
func (c *Client) replayed(w *Request) (*Response, error) {
	res, err := c.replay.find(w)
	if err == nil && int64(len(res.Body)) > c.maxResponse {
		return nil, c.tooLarge()
	}
	return res, err
}

// file is where the exchange of a request is kept in the folder. The name is
// made of all that decides about the answer, but for the name of this program,
// which holds a version in others; [REDACTED:KEY] is in it for server
// parameters, so that it is the same whatever their values are.
func (r *Recording) file(req *record.HTTPRequest) string {
	parts := []string{req.Method, req.URL, ordjson.Text(req.Body)}
	var headers []string
	for _, h := range req.Headers {
		if name := strings.ToLower(h.Name); name != "user-agent" {
			headers = append(headers, name+": "+h.Value)
		}
	}
	slices.Sort(headers) // those of a handler's fetch come in any order
	sum := sha256.New()
	for _, part := range append(parts, headers...) {
		fmt.Fprintf(sum, "%d %s\n", len(part), part)
	}
	return filepath.Join(hostFolder(req.URL), req.Method+"-"+hex.EncodeToString(sum.Sum(nil)[:12])+".json")
}

// maxName is how long the name of a folder may be.
const maxName = 100

// hostFolder is the host of a URL as the name of a folder.
func hostFolder(url string) string {
	host, _, _ := strings.Cut(strings.TrimPrefix(url, Scheme), "/")
	host, _, _ = strings.Cut(host, "?")
	name := strings.Map(func(c rune) rune {
		if c < 0x80 && percent.Unreserved(byte(c)) {
			return c
		}
		return '_'
	}, host)
	if strings.HasPrefix(name, ".") || name == "" {
		name = "_" + name
	}
	return name[:min(len(name), maxName)]
}

// keep writes an exchange down. One that cannot be written fails the call: a
// recording with holes is found out too late.
func (r *Recording) keep(w *Request, res *Response) error {
	req, redact := w.Shown()
	if err := atomicfile.Write(r.dir, r.file(req), append(ordjson.AppendIndent(nil, exchangeOf(req, res, redact), ""),
		'\n')); err != nil {
		return fail(CodeRecording, "the answer could not be recorded: %s", err)
	}
	return nil
}

// exchangeOf is the content of a file of a recording.
func exchangeOf(req *record.HTTPRequest, res *Response, redact *secret.Redactor) ordjson.Value {
	request := []ordjson.Member{ordjson.Field("method", ordjson.NewString(req.Method)),
		ordjson.Field("url", ordjson.NewString(req.URL))}
	var headers []ordjson.Member
	for _, h := range req.Headers {
		headers = append(headers, ordjson.Field(h.Name, ordjson.NewString(h.Value)))
	}
	slices.SortFunc(headers, func(a, b ordjson.Member) int { return strings.Compare(a.Key, b.Key) })
	request = append(request, ordjson.Field("headers", ordjson.ScriptObject(headers)))
	if req.Body.Exists() {
		request = append(request, ordjson.Field("body", req.Body))
	}
	header, clean := res.Redacted(redact)
	key, body := "body", string(clean)
	if !utf8.Valid(clean) {
		key, body = "bodyBase64", base64.StdEncoding.EncodeToString(clean)
	}
	var answered []ordjson.Member
	for name := range header {
		if name != "Set-Cookie" { // it is not read, and is a secret of its own
			answered = append(answered, ordjson.Field(redact.Data(name),
				ordjson.NewString(redact.Data(strings.Join(header[name], ", ")))))
		}
	}
	slices.SortFunc(answered, func(a, b ordjson.Member) int { return strings.Compare(a.Key, b.Key) })
	return ordjson.NewObject(
		ordjson.Field("v", ordjson.NewInt(1)),
		ordjson.Field("request", ordjson.NewObject(request...)),
		ordjson.Field("response", ordjson.NewObject(
			ordjson.Field("status", ordjson.NewInt(res.Status)),
			ordjson.Field("headers", ordjson.ScriptObject(answered)), ordjson.Field(key, ordjson.NewString(body)))),
	)
}

// find gives the answer that was recorded for a request.
func (r *Recording) find(w *Request) (*Response, error) {
	req, _ := w.Shown()
	path := filepath.Join(r.dir, r.file(req))
	text, err := walk.ReadFile(path, maxRecording) // no pipe, and nothing without end
	if errors.Is(err, fs.ErrNotExist) {
		return nil, fail(CodeNoRecording,
			"no answer to %s %s was recorded (it would be in %s): record it by --record %s", req.Method, req.URL, path,
			r.dir)
	}
	if err != nil {
		return nil, fail(CodeRecording, "the recording cannot be read: %s", err)
	}
	res, err := responseOf(string(text))
	if err != nil {
		return nil, fail(CodeRecording, "%s is not a recording (%s): remove it, and record it by --record %s",
			path, err,
			r.dir)
	}
	return res, nil
}

func responseOf(text string) (*Response, error) {
	v, err := ordjson.Parse(text)
	if err != nil {
		return nil, err
	}
	if n := v.Get("v"); n.Exists() && n.Float() > 1 {
		return nil, fmt.Errorf("it is of version %s, and this program reads 1", ordjson.Text(n))
	}
	from := v.Get("response")
	res := &Response{Header: http.Header{}}
	status := from.Get("status")
	if res.Status, err = strconv.Atoi(status.NumberText()); !status.Is(ordjson.Number) || err != nil ||
		res.Status < 200 || res.Status > 999 {
		return nil, errors.New("response.status is not an HTTP status")
	}
	for _, m := range from.Get("headers").Members() {
		res.Header.Set(m.Key, m.Value.Str())
	}
	switch body, packed := from.Get("body"), from.Get("bodyBase64"); {
	case body.Is(ordjson.String):
		res.Body = []byte(body.Str())
	case !packed.Is(ordjson.String):
		return nil, errors.New("response has neither body nor bodyBase64")
	default:
		if res.Body, err = base64.StdEncoding.DecodeString(packed.Str()); err != nil {
			return nil, errors.New("response.bodyBase64 is not base64")
		}
	}
	return res, nil
}
