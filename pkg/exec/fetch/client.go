package fetch

import (
	"bytes"
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"os"
	"sync"
	"time"

	"github.com/flowmcp/fmcp/pkg/words"
)

// The limits of a call unless Options says otherwise.
const (
	DefaultTimeout        = 45 * time.Second
	DefaultConnectTimeout = 10 * time.Second
	DefaultMaxResponse    = 10 << 20
	DefaultMaxRedirects   = 5
	DefaultRetries        = 2
	DefaultRetryWait      = 10 * time.Second
	DefaultHostCalls      = 16
)

// Options loosen or tighten the network policy; every loosening is a flag
// that the user typed (README, "Trust and keys"). The zero value is the policy itself.
type Options struct {
	AllowHosts     []string      // HOST or HOST:PORT that may be called, with whatever address it has
	AllowPrivate   bool          // private, loopback and carrier-grade NAT addresses may be called
	CAFile         string        // PEM file of certificate authorities to trust besides the system's
	Timeout        time.Duration // for the whole call; 0 is DefaultTimeout
	ConnectTimeout time.Duration // for name, connection and TLS, each; 0 is DefaultConnectTimeout
	MaxResponse    int64         // bytes of an answer's body, unpacked; 0 is DefaultMaxResponse
	MaxRedirects   int           // redirects followed; 0 is DefaultMaxRedirects, negative is none
	Retries        int           // further tries of an idempotent request; 0 is DefaultRetries, negative is none
	RetryWait      time.Duration // longest wait before a further try; 0 is DefaultRetryWait
	HostCalls      int           // requests under way to one host; 0 is DefaultHostCalls
	HostInterval   time.Duration // between the starts of two requests to one host; 0 is none
	Starts         Starts        // that other processes take part in; nil for none
	MaxDownload    int64         // bytes of a file of a resource; 0 is DefaultMaxDownload
	// DownloadTimeout is for the whole of such a file, of which Timeout bounds
	// how long nothing comes; 0 is DefaultDownloadTimeout.
	DownloadTimeout time.Duration
	Record          string   // folder in which every exchange is kept; "" for none
	Replay          string   // folder from which all answers come, without any connection; "" for none
	Resolver        Resolver // nil is the system's
	Dial            DialFunc // nil is a net.Dialer's
}

// Client sends requests under a network policy. No proxy is read from the
// environment: it would resolve names where the policy cannot see them. It may
// be used by many goroutines.
type Client struct {
	policy          *policy
	transport       *http.Transport
	sender          http.RoundTripper // transport, or what Wrap puts around it
	trust           func()            // makes the transport trust whom it should; before the first request
	limits          limits
	timeout         time.Duration
	maxResponse     int64
	maxDownload     int64
	downloadTimeout time.Duration
	maxRedirects    int
	retries         int
	retryWait       time.Duration
	record          *Recording // nil for none
	replay          *Recording // nil where requests are sent
}

// NewClient makes a client; the error is one of usage.
func NewClient(o Options) (*Client, error) {
	p := &policy{allowPrivate: o.AllowPrivate, connect: orDefault(o.ConnectTimeout, DefaultConnectTimeout),
		resolver: o.Resolver, dial: o.Dial}
	for _, h := range o.AllowHosts {
		hp, err := parseAllowHost(h)
		if err != nil {
			return nil, err
		}
		p.allowed = append(p.allowed, hp)
	}
	if p.resolver == nil {
		p.resolver = net.DefaultResolver
	}
	if p.dial == nil {
		p.dial = (&net.Dialer{}).DialContext
	}
	c := &Client{
		policy: p, timeout: orDefault(o.Timeout, DefaultTimeout),
		maxResponse:     orDefault(o.MaxResponse, DefaultMaxResponse),
		maxRedirects:    orNone(o.MaxRedirects, DefaultMaxRedirects),
		maxDownload:     orDefault(o.MaxDownload, DefaultMaxDownload),
		downloadTimeout: orDefault(o.DownloadTimeout, DefaultDownloadTimeout),
		retries:         orNone(o.Retries, DefaultRetries), retryWait: orDefault(o.RetryWait, DefaultRetryWait),
	}
	c.limits.calls, c.limits.interval = orDefault(o.HostCalls, DefaultHostCalls), o.HostInterval
	c.limits.starts = o.Starts
	c.transport = &http.Transport{
		DialContext:            p.dialContext,
		TLSHandshakeTimeout:    p.connect,
		TLSClientConfig:        &tls.Config{MinVersion: tls.VersionTLS12},
		ForceAttemptHTTP2:      true,
		MaxIdleConnsPerHost:    c.limits.calls,
		IdleConnTimeout:        90 * time.Second,
		MaxResponseHeaderBytes: 256 << 10,
	}
	c.sender = c.transport
	if err := c.useRecordings(o); err != nil {
		return nil, err
	}
	pem, err := readCAFile(o.CAFile)
	if err != nil {
		return nil, err
	}
	c.trust = sync.OnceFunc(func() {
		// Reading the system's authorities takes 10 ms and more.
		c.transport.TLSClientConfig.RootCAs = roots(pem)
	})
	return c, nil
}

// Roots are the certificate authorities of --ca-file and of the system.
func Roots(caFile string) (*x509.CertPool, error) {
	pem, err := readCAFile(caFile)
	if err != nil {
		return nil, err
	}
	return roots(pem), nil
}

func roots(pem []byte) *x509.CertPool {
	pool, err := x509.SystemCertPool()
	if pem == nil {
		return nil // crypto/tls takes the system's on its own
	}
	if err != nil {
		pool = x509.NewCertPool()
	}
	pool.AppendCertsFromPEM(pem)
	return pool
}

// Warm begins with what the first call would have to wait for, and returns at
// once. It is for a command that is about to call.
func (c *Client) Warm() { go c.trust() }

// orNone is orDefault where none is a choice too.
func orNone(v, def int) int {
	if v == 0 {
		return def
	}
	return max(0, v)
}

func orDefault[T int | int64 | time.Duration](v, def T) T {
	if v > 0 {
		return v
	}
	return def
}

// readCAFile reads the PEM file of --ca-file; nil if there is none.
func readCAFile(name string) ([]byte, error) {
	if name == "" {
		return nil, nil
	}
	pem, err := os.ReadFile(name)
	if err != nil {
		return nil, fmt.Errorf("--ca-file: %w", err)
	}
	if !x509.NewCertPool().AppendCertsFromPEM(pem) {
		return nil, fmt.Errorf("--ca-file %s holds no PEM certificate: expected a block that starts with -----BEGIN "+
			"CERTIFICATE-----", name)
	}
	return pem, nil
}

// Wrap puts something around what sends each request, redirects and retries too.
// It is for before the first request.
func (c *Client) Wrap(around func(http.RoundTripper) http.RoundTripper) { c.sender = around(c.sender) }

// CountWaits has waits for the limits of hosts be time of calls, for clients that wait no
// longer. It is for before the first request.
func (c *Client) CountWaits() { c.limits.counted = true }

// Hold holds the time of a context until goOn, unless waits count: it waits for what is
// limited in its own time.
func (c *Client) Hold(ctx context.Context) (goOn func()) { return c.limits.hold(ctx) }

// Timeout is for the whole of a call.
func (c *Client) Timeout() time.Duration { return c.timeout }

// Close closes idle connections.
func (c *Client) Close() { c.transport.CloseIdleConnections() }

// firstRead bounds, in bytes, the memory that is set aside for an answer on its
// word alone.
const firstRead = 64 << 10

// assumedAnswer is how many bytes a large answer is taken to have that does not
// say.
const assumedAnswer = 2 << 20

// Do sends a request, again where that may help, and reads the answer. The
// errors are *words.Problem.
func (c *Client) Do(ctx context.Context, w *Request) (*Response, error) {
	if err := c.policy.url(w.URL, w.Origin); err != nil {
		return nil, err
	}
	if c.replay != nil {
		return c.replayed(w)
	}
	ctx, cancel := WithBudget(ctx, c.timeout)
	defer cancel()
	c.trust()
	res, err := c.tries(ctx, w, c.readAll)
	if err == nil && c.record != nil {
		err = c.record.keep(w, res)
	}
	return res, err
}

// readFunc takes what it wants of an answer, whose body is closed afterwards.
// What it returns of net/http's errors is explained by its caller.
type readFunc func(ctx context.Context, res *http.Response) (*Response, error)

// once is one try.
func (c *Client) once(ctx context.Context, w *Request, read readFunc) (*Response, error) {
	release, err := c.limits.enter(ctx, HostPort(w.URL))
	switch {
	case errors.Is(err, context.Canceled) && !errors.Is(context.Cause(ctx), context.DeadlineExceeded):
		return nil, fail(CodeCancelled, "the call was cancelled while --host-calls or --host-rate held it back: %s "+
			"has not got the request", w.URL.Host)
	case err != nil:
		return nil, c.explain(ctx, err, w)
	}
	defer release()
	req, err := httpRequest(ctx, w)
	if err != nil {
		return nil, err
	}
	// The client is made for the call, as its redirects depend on the origin;
	// the transport with its connections is shared.
	client := http.Client{Transport: c.sender, CheckRedirect: c.checkRedirect(w)}
	res, err := client.Do(req)
	if err != nil {
		return nil, c.explain(ctx, err, w)
	}
	defer res.Body.Close()
	if res.StatusCode < http.StatusOK { // 101: what follows is another protocol, and has no end
		return nil, fail(CodeServerStatus,
			"%s answered %d %s, which was not asked for: check root and path of the schema", w.URL.Host, res.StatusCode,
			http.StatusText(res.StatusCode))
	}
	answer, err := read(ctx, res)
	if err == nil {
		// Giving up closes the connection, and a server that then ends its
		// answer in good form makes half an answer look whole.
		err = ctx.Err()
	}
	if err != nil {
		return nil, c.explain(ctx, err, w)
	}
	return answer, nil
}

// readAll holds an answer in memory.
func (c *Client) readAll(ctx context.Context, res *http.Response) (*Response, error) {
	if res.ContentLength > c.maxResponse {
		return nil, c.tooLarge()
	}
	// The transport has unpacked gzip, so that this limits what it expands to.
	var body bytes.Buffer
	body.Grow(int(min(max(res.ContentLength, 0), firstRead)) + bytes.MinRead) // one read more sees the end
	limited := io.LimitReader(res.Body, c.maxResponse+1)
	_, err := io.CopyN(&body, limited, firstRead)
	if err == nil {
		size := res.ContentLength
		if size < 0 {
			size = assumedAnswer
		}
		if err = takeRoom(ctx, size); err == nil {
			body.Grow(int(size)) // its start has come, and there is room
			_, err = body.ReadFrom(limited)
		}
	}
	if err != nil && !errors.Is(err, io.EOF) {
		return nil, err
	}
	if int64(body.Len()) > c.maxResponse {
		return nil, c.tooLarge()
	}
	return &Response{Status: res.StatusCode, Header: res.Header, Body: body.Bytes()}, nil
}

func (c *Client) tooLarge() *words.Problem {
	return fail(CodeTooLarge, "the answer is larger than %d bytes: ask for less, or raise --max-response",
		c.maxResponse)
}

func httpRequest(ctx context.Context, w *Request) (*http.Request, error) {
	var body io.Reader
	if w.Body != nil {
		body = bytes.NewReader(w.Body)
	}
	req, err := http.NewRequestWithContext(ctx, w.Method, Scheme, body)
	if err != nil {
		return nil, fail(CodeBadRequest, "the request cannot be made")
	}
	req.URL, req.Host = w.URL, w.URL.Host
	for _, h := range w.Headers {
		req.Header.Set(h.Name, h.Value)
	}
	return req, nil
}

// explain turns an error of net/http into one with a code. The request's URL,
// which url.Error holds, is left out: it may carry server parameters.
func (c *Client) explain(ctx context.Context, err error, w *Request) error {
	host := w.URL.Host
	if errors.As(err, new(*words.Problem)) {
		return err
	}
	var asURL *url.Error
	if errors.As(err, &asURL) {
		err = asURL.Err
	}
	var (
		dns     *net.DNSError
		op      *net.OpError
		timeout net.Error
		tlsErr  *tls.CertificateVerificationError
		record  tls.RecordHeaderError
		alert   tls.AlertError
	)
	switch {
	case errors.Is(context.Cause(ctx), context.DeadlineExceeded):
		return fail(CodeTimeout, "%s gave no whole answer within %s: %s, ask for less, or raise --timeout", host,
			c.timeout, TryAgain(w.Reads, w.Method))
	case ctx.Err() != nil && w.Reads:
		return fail(CodeCancelled, "the call was cancelled before %s answered", host)
	case ctx.Err() != nil:
		return fail(CodeCancelled, "the call was cancelled before %s answered: %s", host, TryAgain(false, w.Method))
	case errors.As(err, &dns) && dns.IsNotFound:
		return fail(CodeConnect, "host %s is not known: check the schema's root and the network", host)
	case errors.As(err, &tlsErr):
		return fail(CodeTLS, "the certificate of %s is not trusted (%v): if its authority is your own, name it by "+
			"--ca-file", host, tlsErr.Err)
	case errors.As(err, &record), errors.As(err, &alert), errors.Is(err, http.ErrSchemeMismatch):
		return fail(CodeTLS, "%s does not speak TLS as expected (%v): check host and port", host, err)
	case errors.As(err, &timeout) && timeout.Timeout(), errors.Is(err, context.DeadlineExceeded):
		return temporary{fail(CodeTimeout, "no connection to %s within %s: try again later, or raise "+
			"--connect-timeout", host, c.policy.connect)}
	case errors.As(err, &op) && op.Op == "dial":
		return temporary{fail(CodeConnect, "no connection to %s (%v): check the network and whether the host is up",
			host, op.Err)}
	}
	return temporary{fail(CodeConnect, "the exchange with %s failed (%v): %s", host, err, TryAgain(w.Reads, w.Method))}
}
