package network

import (
	"path"
	"slices"
	"strings"

	"github.com/flowmcp/fmcp/pkg/cli"
	"github.com/flowmcp/fmcp/pkg/config"
	"github.com/flowmcp/fmcp/pkg/exec/secret"
)

// KeyFlags say where the values of server parameters come from, and to whom they
// go (docs/keys.md).
type KeyFlags struct {
	EnvFile []string `group:"Keys" placeholder:"FILE" sep:"none" var:"FMCP_ENV_FILE" var-form:"paths" help:"File of KEY=value lines with server parameters, before .flowmcp/.env of the project and of the home folder. May be repeated."`
	Env     []string `group:"Keys" placeholder:"NAME|GLOB" sep:"none" var:"FMCP_ENV" help:"An environment variable that may be read as a server parameter. May be repeated."`
}

// Keys are the server parameters that the flags and the user's settings
// describe, and the hosts that the settings let be called. The error is one of
// usage.
func (f *KeyFlags) Keys(app *cli.App, of *cli.CatalogFlags) (*secret.Env, []string, error) {
	settings, err := of.Settings.Read()
	if err != nil {
		return nil, nil, err
	}
	sending := settings.Sending
	if of.Config != "" {
		file, err := config.Read(of.Config)
		if err != nil {
			return nil, nil, cli.Usagef("--config: %v", err)
		}
		sending = sending.With(file.Sending)
	}
	names := slices.Concat(sending.Env, f.Env)
	for _, name := range names {
		if key, _, ok := strings.Cut(name, "="); ok {
			return nil, nil, cli.Usagef("--env %s=… has a value, which other users of the machine could read: export "+
				"it, and name it by --env %s", key, key)
		}
		if _, err := path.Match(name, ""); err != nil {
			return nil, nil, cli.Usagef("--env %s is neither a name nor a glob: write GITHUB_TOKEN, or SHOP_*", name)
		}
	}
	env, err := secret.NewEnv(secret.EnvOptions{Files: f.EnvFile, Names: names, Found: settings.EnvFiles,
		Bound: sending.Keys, Getenv: app.IO.Getenv})
	if err != nil {
		return nil, nil, cli.Usagef("%v", err)
	}
	return env, sending.AllowHosts, nil
}
