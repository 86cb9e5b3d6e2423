package fetch

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strconv"
	"time"

	"github.com/flowmcp/fmcp/pkg/model"
	"github.com/flowmcp/fmcp/pkg/progress"
	"github.com/flowmcp/fmcp/pkg/resource/remote"
	"github.com/flowmcp/fmcp/pkg/words"
)

// The limits of a download unless Options says otherwise.
const (
	DefaultMaxDownload     = 1 << 30
	DefaultDownloadTimeout = 10 * time.Minute
)

// errStalled ends a download of which nothing comes any more.
var errStalled = errors.New("stalled")

// Download implements remote.Fetcher under the policy of all requests: the host
// of the URL is the only one that may be called, unless the user allows more.
// The client's timeout is how long nothing may come; the whole may take longer.
func (c *Client) Download(ctx context.Context, r remote.Request) (*remote.Answer, error) {
	if c.replay != nil {
		return nil, fail(CodeNoRecording,
			"files are not recorded, and nothing is fetched while recordings are replayed: call once without --replay")
	}
	req, err := downloadRequest(r)
	if err != nil {
		return nil, err
	}
	if err := c.policy.url(req.URL, req.Origin); err != nil {
		return nil, err
	}
	ctx, cancel := WithBudget(ctx, c.downloadTimeout)
	defer cancel()
	idle := newBudget(ctx, c.timeout, errStalled)
	defer idle.end()
	ctx = idle
	c.trust()
	host := req.URL.Host
	res, err := c.tries(ctx, req, func(_ context.Context, res *http.Response) (*Response, error) {
		got := int64(0)
		tick := func(n int) {
			idle.again(c.timeout)
			got += int64(n)
			progress.Report(ctx, got, res.ContentLength, "bytes of a file of "+host)
		}
		tick(0)
		return c.save(res, r, tick)
	})
	switch {
	case err == nil:
		return downloaded(r, res, host)
	case errors.Is(context.Cause(ctx), errStalled):
		return nil, fail(CodeTimeout, "%s sent nothing for %s: try again later, or raise --timeout", host, c.timeout)
	case errors.Is(context.Cause(ctx), context.DeadlineExceeded):
		return nil, fail(CodeTimeout, "%s did not send the whole file within %s: raise --download-timeout", host,
			c.downloadTimeout)
	}
	return nil, err
}

// downloaded reads the status of an answer. What the upstream says is not
// repeated: it may hold the URL.
func downloaded(r remote.Request, res *Response, host string) (*remote.Answer, error) {
	a := &remote.Answer{ETag: res.Header.Get("ETag"), LastModified: res.Header.Get("Last-Modified"), Notes: res.Notes}
	what := host + " answered " + strconv.Itoa(res.Status) + " " + http.StatusText(res.Status)
	switch s := res.Status; {
	case s == http.StatusOK:
		return a, nil
	case s == http.StatusNotModified && r.ETag+r.LastModified != "":
		a.NotModified = true
		return a, nil
	case s >= 500:
		return nil, fail(CodeServerStatus, "%s: the provider has a problem of its own, try again later", what)
	case s >= 400:
		return nil, fail(CodeClientStatus, "%s: check the resource's url", what)
	}
	code := CodeClientStatus
	if res.Status >= 300 && res.Status != http.StatusNotModified {
		code = CodeRedirect
	}
	return nil, fail(code, "%s, and no file: check the resource's url", what)
}

// downloadRequest is the request of a download.
func downloadRequest(r remote.Request) (*Request, error) {
	u, err := ParseURL(r.URL)
	if err != nil {
		return nil, fail(CodeBadRequest, "the resource's url is not a valid https URL")
	}
	req := &Request{Method: http.MethodGet, Reads: true, URL: u, Origin: HostPort(u), Headers: []Header{
		{Name: "User-Agent", Value: UserAgent}, {Name: "Accept", Value: "*/*"},
	}}
	for name, value := range map[string]string{"If-None-Match": r.ETag, "If-Modified-Since": r.LastModified} {
		if value != "" && model.IsHeaderValue(value) {
			req.Headers = append(req.Headers, Header{Name: name, Value: value})
		}
	}
	return req, nil
}

// save writes the body of an answer that is the file.
func (c *Client) save(res *http.Response, r remote.Request, tick func(int)) (*Response, error) {
	answer := &Response{Status: res.StatusCode, Header: res.Header}
	if res.StatusCode != http.StatusOK {
		return answer, nil
	}
	most := c.maxDownload
	if res.ContentLength > most {
		return nil, tooLong(most, res.ContentLength)
	}
	w, err := r.Begin()
	if err != nil {
		return nil, fail(remote.CodeCopy, "the copy cannot be written: %v", err)
	}
	to := &failing{w: w}
	n, err := io.Copy(to, &ticking{r: io.LimitReader(res.Body, most+1), tick: tick})
	switch {
	case to.err != nil:
		return nil, fail(remote.CodeCopy, "the copy cannot be written: %v", to.err)
	case errors.Is(err, io.ErrUnexpectedEOF):
		return nil, temporary{fail(remote.CodeCopy, "%s sent %s: try again", res.Request.URL.Host,
			partOf(n, res.ContentLength))}
	case err != nil:
		return nil, err
	case n > most:
		return nil, tooLong(most, -1)
	}
	return answer, nil
}

func partOf(got, of int64) string {
	if of < 0 {
		return fmt.Sprintf("%d bytes of the file and then closed the connection", got)
	}
	return fmt.Sprintf("%d of the %d bytes of the file and then closed the connection", got, of)
}

func tooLong(most, is int64) *words.Problem {
	size := ""
	if is >= 0 {
		size = fmt.Sprintf(" (%d bytes)", is)
	}
	return fail(CodeTooLarge, "the file%s is larger than %d bytes: raise --max-download", size, most)
}

// ticking tells of everything that is read.
type ticking struct {
	r    io.Reader
	tick func(int)
}

func (t *ticking) Read(p []byte) (int, error) {
	n, err := t.r.Read(p)
	t.tick(n)
	return n, err
}

// failing remembers the error of a writer, which io.Copy does not tell from
// that of the reader.
type failing struct {
	w   io.Writer
	err error
}

func (f *failing) Write(p []byte) (int, error) {
	n, err := f.w.Write(p)
	f.err = err
	return n, err
}
