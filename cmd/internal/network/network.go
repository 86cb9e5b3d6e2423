// Package network has the flags of the commands that call tools, and makes
// what calls them. It is apart from pkg/cli so that the other commands do not
// link an HTTP client.
package network

import (
	"time"

	"github.com/flowmcp/fmcp/pkg/cli"
	"github.com/flowmcp/fmcp/pkg/exec"
)

// Flags are the keys and the network policy of calls (DESIGN, "Trust").
type Flags struct {
	EnvFile        []string      `group:"Network" placeholder:"FILE" sep:"none" help:"File of KEY=value lines with server parameters; it wins over the environment. May be repeated."`
	AllowHost      []string      `group:"Network" placeholder:"HOST[:PORT]" sep:"none" help:"A host that may be called though it is not the schema's, or its address is private. May be repeated."`
	AllowPrivate   bool          `group:"Network" help:"Private and loopback addresses may be called."`
	CAFile         string        `group:"Network" name:"ca-file" placeholder:"FILE" help:"PEM file of certificate authorities to trust besides the system's."`
	Timeout        time.Duration `group:"Network" default:"45s" placeholder:"TIME" help:"For a whole call (default: 45s)."`
	ConnectTimeout time.Duration `group:"Network" default:"10s" placeholder:"TIME" help:"For name, connection and TLS, each (default: 10s)."`
	MaxResponse    cli.Size      `group:"Network" default:"10MiB" placeholder:"SIZE" help:"Largest answer that is read (default: 10MiB)."`
}

// Caller makes the caller that the flags describe. The error is one of usage.
func (f *Flags) Caller(app *cli.App) (*exec.Caller, error) {
	env, err := exec.LoadEnv(f.EnvFile, app.IO.Getenv)
	if err != nil {
		return nil, cli.Usagef("%v", err)
	}
	client, err := exec.NewClient(exec.ClientOptions{
		AllowHosts: f.AllowHost, AllowPrivate: f.AllowPrivate, CAFile: f.CAFile,
		Timeout: f.Timeout, ConnectTimeout: f.ConnectTimeout, MaxResponse: int64(f.MaxResponse),
	})
	if err != nil {
		return nil, cli.Usagef("%v", err)
	}
	return &exec.Caller{Client: client, Env: env}, nil
}
