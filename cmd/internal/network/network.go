// Package network has the flags of the commands that call tools, and makes
// what calls them. It is apart from pkg/cli so that the other commands do not
// link an HTTP client.
package network

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/flowmcp/fmcp/pkg/cli"
	"github.com/flowmcp/fmcp/pkg/exec"
	"github.com/flowmcp/fmcp/pkg/exec/cache"
	"github.com/flowmcp/fmcp/pkg/exec/fetch"
	"github.com/flowmcp/fmcp/pkg/exec/secret"
	"github.com/flowmcp/fmcp/pkg/exec/shared"
	"github.com/flowmcp/fmcp/pkg/sandbox"
	"github.com/flowmcp/fmcp/pkg/words"
)

// Flags are those of calls that may be answered from the cache.
type Flags struct {
	CallFlags
	CacheFlags
}

// CallFlags are the keys, and the network policy with every limit (README,
// "Trust and keys").
type CallFlags struct {
	KeyFlags
	AllowHost       []string      `group:"Network" placeholder:"HOST[:PORT]" sep:"none" var:"FMCP_ALLOW_HOST" help:"A host that may be called though it is not the schema's, or its address is private. May be repeated."`
	Expose          []string      `group:"Network" name:"expose-server-params" placeholder:"SCHEMA" sep:"none" help:"A schema, namespace/file, whose handlers get the values of its server parameters and may send them anywhere. May be repeated."`
	AllowPrivate    bool          `group:"Network" help:"Private and loopback addresses may be called."`
	CAFile          string        `group:"Network" name:"ca-file" placeholder:"FILE" var:"FMCP_CA_FILE" help:"PEM file of certificate authorities to trust in addition to the system's."`
	Timeout         time.Duration `group:"Network limits" default:"45s" placeholder:"TIME" help:"For a whole call with its redirects and retries (default: 45s)."`
	ConnectTimeout  time.Duration `group:"Network limits" default:"10s" placeholder:"TIME" help:"For name and connection, and for TLS, each (default: 10s)."`
	MaxResponse     cli.Size      `group:"Network limits" default:"10MiB" placeholder:"SIZE" help:"Largest answer that is read, unpacked (default: 10MiB)."`
	MaxRedirects    uint8         `group:"Network limits" default:"5" placeholder:"N" help:"Redirects that are followed (default: 5)."`
	Retries         uint8         `group:"Network limits" default:"2" placeholder:"N" help:"Retries of a tool that only reads, after a failed connection, 429 or 503 (default: 2)."`
	RetryWait       time.Duration `group:"Network limits" default:"10s" placeholder:"TIME" help:"Longest wait before a retry, Retry-After included (default: 10s)."`
	HostCalls       uint16        `group:"Network limits" default:"16" placeholder:"N" help:"Requests under way to one host at a time (default: 16)."`
	MaxDownload     cli.Size      `group:"Network limits" default:"1GiB" placeholder:"SIZE" help:"Largest file of an http resource that is downloaded (default: 1GiB)."`
	DownloadTimeout time.Duration `group:"Network limits" default:"10m" placeholder:"TIME" help:"For all of such a file; --timeout is how long nothing may come (default: 10m)."`
	HostRate        Rate          `group:"Network limits" placeholder:"N/UNIT" help:"Requests to one host per s, m or h, evenly spaced, such as 30/m (default: no limit)."`
	Limits          string        `group:"Network limits" placeholder:"URL" help:"Keep to --host-rate together with all processes that name the same Redis or Valkey: redis://HOST[:PORT][/DB], or rediss:// for TLS (default: each process by itself)."`
	HandlerTimeout  time.Duration `group:"Network limits" default:"5s" placeholder:"TIME" help:"Processor time of a handler, once its libraries have started (default: 5s)."`
	HandlerWait     time.Duration `group:"Network limits" default:"30s" placeholder:"TIME" help:"How long a handler may wait, for fetches, timers and a free processor (default: 30s)."`
	HandlerMemory   cli.Size      `group:"Network limits" default:"256MiB" placeholder:"SIZE" help:"Memory that the process of a handler may use (default: 256MiB)."`
}

// Recording are the flags that keep answers, and do with those that were kept.
type Recording struct {
	Record string `group:"Network" placeholder:"DIR" help:"Keep every answer in DIR, without secrets, to be replayed. The cache is not used."`
	Replay string `group:"Network" placeholder:"DIR" help:"Answer from what was recorded in DIR; nothing is sent and no keys are needed. The cache is not used."`
}

// CacheFlags are the cache of calls (chapter 11, "User Overrides").
type CacheFlags struct {
	NoCache   bool     `group:"Cache" help:"Do not read answers from the cache, and keep none."`
	Refresh   bool     `group:"Cache" help:"Fetch answers again that are in the cache, and keep the new ones."`
	Kept      string   `group:"Cache" name:"cache" placeholder:"DIR" help:"Where answers of tools with preload are kept: a folder, or for several processes a Redis or Valkey, redis://HOST[:PORT][/DB] (default: ~/.flowmcp/cache)."`
	CacheSize cli.Size `group:"Cache" default:"256MiB" placeholder:"SIZE" help:"Size of all answers in the cache together; the oldest are removed first (default: 256MiB)."`
}

// CacheDir is the flag that says which folder the cache is.
type CacheDir struct {
	Dir string `group:"Cache" name:"cache" placeholder:"DIR" help:"Where answers of tools with preload are kept (default: ~/.flowmcp/cache)."`
}

// Path is the folder of the cache, "" where there is no home folder either.
func (d *CacheDir) Path(app *cli.App) string {
	if d.Dir != "" {
		return d.Dir
	}
	return cache.Dir(app.IO.Getenv)
}

// Rate is the value of --host-rate: the time between two requests.
type Rate time.Duration

// UnmarshalText reads a rate: 5/s, 30/m, 1000/h.
func (r *Rate) UnmarshalText(text []byte) error {
	number, unit, _ := strings.Cut(string(text), "/")
	per := map[string]time.Duration{"s": time.Second, "m": time.Minute, "h": time.Hour}[unit]
	n, err := strconv.ParseUint(number, 10, 20)
	if err != nil || n == 0 || per == 0 {
		return cli.Usagef("%q is not a rate, expected requests per second, minute or hour such as 5/s, 30/m "+
			"or 1000/h", text)
	}
	*r = Rate(per / time.Duration(n))
	return nil
}

// Caller makes the caller that the flags describe. The error is one of usage.
func (f *Flags) Caller(app *cli.App, of *cli.CatalogFlags, recording Recording) (*exec.Caller, error) {
	if f.NoCache && f.Refresh {
		return nil, cli.Usagef("--refresh fills the cache and --no-cache leaves it alone: give one of them")
	}
	caller, err := f.CallFlags.Caller(app, of, recording)
	if err != nil || f.NoCache || recording != (Recording{}) {
		return caller, err
	}
	o := cache.Options{Dir: (&CacheDir{f.Kept}).Path(app), Size: int64(f.CacheSize), Refresh: f.Refresh}
	if shared.IsURL(f.Kept) {
		if o.Shared, err = open(app, "--cache", f.Kept, "no answers are kept"); err != nil {
			return nil, err
		}
	}
	caller.Cache = cache.New(o)
	return caller, nil
}

// Caller makes the caller that the flags describe, without a cache. The error
// is one of usage.
func (f *CallFlags) Caller(app *cli.App, of *cli.CatalogFlags, recording Recording) (*exec.Caller, error) {
	if err := f.check(); err != nil {
		return nil, err
	}
	env, allowed, err := f.Keys(app, of)
	if err != nil {
		return nil, err
	}
	if recording.Replay != "" {
		env = secret.StandIns()
	}
	starts, err := f.starts(app)
	if err != nil {
		return nil, err
	}
	client, err := fetch.NewClient(fetch.Options{
		AllowHosts: slices.Concat(allowed, f.AllowHost), AllowPrivate: f.AllowPrivate, CAFile: f.CAFile,
		Timeout: f.Timeout, ConnectTimeout: f.ConnectTimeout, MaxResponse: int64(f.MaxResponse),
		MaxRedirects: orNone(f.MaxRedirects), Retries: orNone(f.Retries), RetryWait: f.RetryWait,
		HostCalls: int(f.HostCalls), HostInterval: time.Duration(f.HostRate), Starts: starts,
		MaxDownload: int64(f.MaxDownload), DownloadTimeout: f.DownloadTimeout,
		Record: recording.Record, Replay: recording.Replay,
	})
	if err != nil {
		return nil, cli.Usagef("%v", err)
	}
	return &exec.Caller{Client: client, Env: env,
		Sandbox: sandbox.NewPool(sandbox.Limits{Time: f.HandlerTimeout, Wait: f.HandlerWait,
			Memory: int64(f.HandlerMemory)}), Exposed: f.Expose}, nil
}

// CheckExposed refuses a schema of --expose-server-params that has no handlers
// among the Schema-File-IDs of a catalog, and warns of the others: decision "Keys and handlers" wants
// that to be loud.
func (f *CallFlags) CheckExposed(app *cli.App, handlerSchemas func() []string) error {
	if len(f.Expose) == 0 {
		return nil
	}
	schemas := handlerSchemas()
	for _, id := range f.Expose {
		if !slices.Contains(schemas, id) {
			return cli.Usagef("--expose-server-params %s: no schema with handlers has that ID%s", id,
				words.DidYouMean(id, schemas))
		}
		fmt.Fprintf(app.IO.Stderr, "%s: warning: the handlers of %s get the values of its server parameters, and can "+
			"send them to every host that may be called (--expose-server-params)\n", app.Name, id)
	}
	return nil
}

// leastMemory is what a worker of the sandbox needs to run anything.
const leastMemory = 64 << 20

// check refuses what would stand for something else than it says: to the
// client, 0 is the default.
func (f *CallFlags) check() error {
	for _, t := range []struct {
		flag  string
		value time.Duration
	}{{"timeout", f.Timeout}, {"connect-timeout", f.ConnectTimeout}, {"retry-wait", f.RetryWait},
		{"download-timeout", f.DownloadTimeout}, {"handler-timeout", f.HandlerTimeout},
		{"handler-wait", f.HandlerWait}} {
		if t.value <= 0 {
			return cli.Usagef("--%s is %s, expected more than 0, such as 10s", t.flag, t.value)
		}
	}
	if f.HandlerMemory < leastMemory {
		return cli.Usagef("--handler-memory is %d bytes, expected 64MiB or more: a process needs some for itself",
			f.HandlerMemory)
	}
	if f.HostCalls == 0 {
		return cli.Usagef("--host-calls is 0, expected 1 or more")
	}
	return nil
}

// orNone is how a limit of none is passed to the client.
func orNone(n uint8) int {
	if n == 0 {
		return -1
	}
	return int(n)
}
