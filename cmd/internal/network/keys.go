package network

import (
	"path"
	"slices"
	"strings"

	"github.com/flowmcp/fmcp/pkg/cli"
	"github.com/flowmcp/fmcp/pkg/config"
	"github.com/flowmcp/fmcp/pkg/exec"
)

// Keys are the server parameters that the flags and the user's settings
// describe, and the hosts that may be called besides a schema's own. The error
// is one of usage.
func (f *CallFlags) Keys(app *cli.App, mode cli.SettingsMode) (*exec.Env, []string, error) {
	settings, err := mode.Read()
	if err != nil {
		return nil, nil, err
	}
	sending := settings.Sending
	if f.Config != "" {
		file, err := config.Read(f.Config)
		if err != nil {
			return nil, nil, cli.Usagef("--config: %v", err)
		}
		sending = sending.With(file.Sending)
	}
	names := slices.Concat(sending.Env, f.Env)
	for _, name := range names {
		if key, _, ok := strings.Cut(name, "="); ok {
			return nil, nil, cli.Usagef("--env %s=… has a value, which other users of the machine could read: export it, and name it by --env %s", key, key)
		}
		if _, err := path.Match(name, ""); err != nil {
			return nil, nil, cli.Usagef("--env %s is no name and no glob: write GITHUB_TOKEN, or SHOP_*", name)
		}
	}
	env, err := exec.NewEnv(exec.EnvOptions{Files: f.EnvFile, Names: names, Found: settings.EnvFiles, Bound: sending.Keys, Getenv: app.IO.Getenv})
	if err != nil {
		return nil, nil, cli.Usagef("%v", err)
	}
	return env, slices.Concat(sending.AllowHosts, f.AllowHost), nil
}
