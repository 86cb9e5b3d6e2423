package main

import (
	"context"
	"crypto/tls"
	"net"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"

	"github.com/flowmcp/fmcp/cmd/internal/network"
	"github.com/flowmcp/fmcp/pkg/cli"
	"github.com/flowmcp/fmcp/pkg/exec/fetch"
	"github.com/flowmcp/fmcp/pkg/serve"
	"github.com/flowmcp/fmcp/pkg/serve/auth"
	servehttp "github.com/flowmcp/fmcp/pkg/serve/http"
	"github.com/flowmcp/fmcp/pkg/serve/metrics"
	"github.com/flowmcp/fmcp/pkg/serve/seal"
)

// httpFlags are those of a server that is reached by a network (docs/serve.md, "HTTP").
type httpFlags struct {
	HTTP        string        `group:"HTTP" name:"http" placeholder:"ADDR" help:"Serve over HTTP at ADDR, such as 127.0.0.1:8080, in place of stdin and stdout. The endpoint is /mcp. Every caller uses the keys of the server; none are taken from requests. Addresses other than loopback need a token."`
	TokenFile   string        `group:"HTTP" placeholder:"FILE" help:"Accept the tokens in FILE, one a line: TOKEN or NAME TOKEN. Changes apply to the next request."`
	PublicURL   string        `group:"HTTP" name:"public-url" placeholder:"URL" help:"URL at which clients reach the endpoint, such as https://mcp.example.com/mcp."`
	Issuer      string        `group:"HTTP" placeholder:"URL" help:"Accept access tokens (OAuth) that this authorization server issues for --public-url."`
	JWKSURL     string        `group:"HTTP" name:"jwks-url" placeholder:"URL" help:"URL of the keys of --issuer, a JWK Set."`
	Audience    []string      `group:"HTTP" placeholder:"NAME" sep:"none" help:"Audience that access tokens may have (default: --public-url). May be repeated."`
	Scope       []string      `group:"HTTP" placeholder:"NAME" sep:"none" help:"Scope that access tokens need. May be repeated."`
	AllowOrigin []string      `group:"HTTP" placeholder:"ORIGIN" sep:"none" help:"Origin whose pages may call from a browser, such as https://app.example.com. May be repeated."`
	TLSCert     string        `group:"HTTP" name:"tls-cert" placeholder:"FILE" help:"PEM file of the certificate and its chain, to serve HTTPS. A new one applies to the next connection."`
	TLSKey      string        `group:"HTTP" name:"tls-key" placeholder:"FILE" help:"PEM file of the private key."`
	MaxBody     cli.Size      `group:"HTTP" default:"4MiB" placeholder:"SIZE" help:"Longest message that is accepted (default: 4MiB)."`
	MaxRequests int           `group:"HTTP" default:"256" placeholder:"N" help:"Requests that are answered at the same time, not counting streams (default: 256)."`
	StateKey    string        `group:"HTTP" placeholder:"FILE" help:"A secret of 32 bytes or more that servers behind one balancer share. Sessions, and forms for users, that begin with one of them go on with the others."`
	StopDelay   time.Duration `group:"HTTP" placeholder:"TIME" help:"How long to answer requests as before after a signal to stop, while /readyz says 503 and a balancer looks elsewhere (default: 0s)."`
	RequestRate network.Rate  `group:"HTTP" placeholder:"N/UNIT" help:"Requests of one caller per second (s), minute (m) or hour (h), such as 600/m (default: no limit)."`
}

// httpServer is what --http asks for: it listens, and does not answer yet.
type httpServer struct {
	listener net.Listener
	options  servehttp.Options
}

// listen reads what --http needs; nil where it is not given. The errors are of
// usage.
func (f *httpFlags) listen(ctx context.Context, app *cli.App, caFile string) (*httpServer, error) {
	if f.HTTP == "" {
		return nil, f.unused()
	}
	if f.MaxRequests < 1 || f.MaxBody < 1 {
		return nil, cli.Usagef("--max-requests and --max-body have to be 1 or more")
	}
	if f.StopDelay < 0 {
		return nil, cli.Usagef("--stop-delay is %s, expected a time such as 5s", f.StopDelay)
	}
	o := servehttp.Options{Metrics: metrics.New(cli.Version()), Origins: f.AllowOrigin, MaxBody: int64(f.MaxBody),
		MaxRequests: f.MaxRequests, Between: time.Duration(f.RequestRate), Delay: f.StopDelay,
		Warn: func(text string) { note(app, text) }}
	for _, origin := range f.AllowOrigin {
		u, err := url.Parse(origin)
		if err != nil || u.Scheme == "" || u.Host == "" || strings.ToLower(u.Scheme+"://"+u.Host) != origin {
			return nil, cli.Usagef("--allow-origin %s: expected scheme and host in lower case, such as "+
				"https://app.example.com", origin)
		}
	}
	if f.PublicURL != "" {
		u, err := url.Parse(f.PublicURL)
		if err != nil || u.Scheme != "https" && u.Scheme != "http" || u.Host == "" {
			return nil, cli.Usagef("--public-url %s: expected a URL such as https://mcp.example.com/mcp", f.PublicURL)
		}
		o.Public = u
	}
	var err error
	if f.StateKey != "" {
		if o.Key, err = seal.Read(f.StateKey); err != nil {
			return nil, cli.Usagef("--state-key: %v", err)
		}
	}
	if o.TLS, err = f.tls(o.Warn); err != nil {
		return nil, err
	}
	if o.Guard, err = f.guard(ctx, caFile, o.Warn); err != nil {
		return nil, cli.Usagef("%v", err)
	}
	at, err := net.ResolveTCPAddr("tcp", f.HTTP)
	if err != nil {
		return nil, cli.Usagef("--http %s: %v; expected an address such as 127.0.0.1:8080", f.HTTP, err)
	}
	if err := f.reach(app, at, o); err != nil {
		return nil, err
	}
	l, err := net.ListenTCP("tcp", at)
	if err != nil {
		return nil, cli.Usagef("--http %s: %v", f.HTTP, err)
	}
	return &httpServer{l, o}, nil
}

// reach looks at who can reach the server: an address of others needs a token,
// which they should not send in the clear.
func (f *httpFlags) reach(app *cli.App, at *net.TCPAddr, o servehttp.Options) error {
	local := at.IP.IsLoopback()
	public := o.Public != nil && !auth.Loopback(o.Public.Hostname())
	where := "--http " + f.HTTP
	if local && public {
		where = "--public-url " + f.PublicURL
	}
	switch {
	case (!local || public) && !o.Guard.Required():
		return cli.Usagef("%s can be reached from other machines, and every caller uses the keys of the server: give "+
			"--token-file or --issuer, or listen on 127.0.0.1 alone", where)
	case !local && o.TLS == nil && (o.Public == nil || o.Public.Scheme != "https"):
		note(app, "warning: tokens come unencrypted: give --tls-cert and --tls-key, or --public-url with the https "+
			"URL of the proxy in front")
	}
	return nil
}

// unused refuses flags of HTTP where there is no HTTP: one that seems to protect
// and does nothing is worse than none.
func (f *httpFlags) unused() error {
	for flag, given := range map[string]bool{
		"token-file": f.TokenFile != "", "public-url": f.PublicURL != "", "issuer": f.Issuer != "",
		"jwks-url": f.JWKSURL != "", "tls-cert": f.TLSCert != "", "tls-key": f.TLSKey != "",
		"state-key": f.StateKey != "", "stop-delay": f.StopDelay != 0,
	} {
		if given {
			return cli.Usagef("--%s is for --http, which is not given", flag)
		}
	}
	return nil
}

func (f *httpFlags) tls(warn func(string)) (*tls.Config, error) {
	switch {
	case f.TLSCert == "" && f.TLSKey == "":
		return nil, nil
	case f.TLSCert == "" || f.TLSKey == "":
		return nil, cli.Usagef("--tls-cert and --tls-key belong together: give both")
	}
	config, err := servehttp.Certificate(f.TLSCert, f.TLSKey, warn)
	if err != nil {
		return nil, cli.Usagef("%v", err)
	}
	return config, nil
}

// guard says who may call.
func (f *httpFlags) guard(ctx context.Context, caFile string, warn func(string)) (*auth.Guard, error) {
	if f.Issuer == "" && slices.ContainsFunc([]int{len(f.JWKSURL), len(f.Audience), len(f.Scope)},
		func(n int) bool { return n > 0 }) {
		return nil, cli.Usagef("--jwks-url, --audience and --scope are for --issuer, which is not given")
	}
	o := auth.Options{TokenFile: f.TokenFile, Issuer: f.Issuer, KeysURL: f.JWKSURL, Resource: f.PublicURL,
		Audience: f.Audience, Scopes: f.Scope, Warn: warn}
	if f.Issuer != "" {
		roots, err := fetch.Roots(caFile)
		if err != nil {
			return nil, err
		}
		t := http.DefaultTransport.(*http.Transport).Clone()
		t.TLSClientConfig = &tls.Config{MinVersion: tls.VersionTLS12, RootCAs: roots}
		o.Client = &http.Client{Transport: t}
	}
	return auth.New(ctx, o)
}

// serve answers until ctx ends; over stdio, until the input ends too.
func (h *httpServer) serve(ctx context.Context, app *cli.App, server *serve.Server) error {
	if h == nil {
		return server.Serve(ctx, app.IO.Stdin, app.IO.Stdout)
	}
	scheme := "http"
	if h.options.TLS != nil {
		scheme = "https"
	}
	app.Grace(h.options.Delay + servehttp.Drain + 5*time.Second)
	note(app, "listening on "+scheme+"://"+h.listener.Addr().String()+servehttp.Path)
	return servehttp.Serve(ctx, h.listener, server, h.options)
}

// caller is one whose calls are counted; over stdio nobody asks for that.
func (h *httpServer) caller(c serve.Caller) serve.Caller {
	if h == nil {
		return c
	}
	return h.options.Metrics.Caller(c)
}

// reloaded counts a catalog that was read again.
func (h *httpServer) reloaded(err error) {
	if h != nil {
		h.options.Metrics.Reloaded(err)
	}
}

// key is the one that servers share; over stdio there is one server.
func (h *httpServer) key() *seal.Key {
	if h == nil {
		return nil
	}
	return h.options.Key
}
