package cli

import (
	"slices"

	"github.com/flowmcp/fmcp/pkg/rules"
)

// LibraryFlags say which packages a catalog carries for its handlers (chapter
// 05, "Library Allowlist").
type LibraryFlags struct {
	Libraries string       `group:"Libraries" placeholder:"DIR" help:"Carry the packages that schemas require, from this node_modules folder."`
	Library   []string     `group:"Libraries" placeholder:"NAME" sep:"none" help:"A package that requiredLibraries may name beside the allowlist of chapter 05; may be repeated."`
	Config    string       `group:"Libraries" placeholder:"FILE" help:"Configuration file whose libraries may be named too (default: .fmcp.yaml of the first path's folder, or of those above it up to the repository's)."`
	Settings  SettingsMode `group:"Libraries" placeholder:"WHICH" var:"FMCP_SETTINGS" help:"The .flowmcp folders that are read: both, home, project (that of the current folder) or none (default: both)."`
	NoConfig  bool         `group:"Libraries" help:"Read no configuration file."`
}

// Allowed is the effective allowlist under a profile: that of the
// specification, and what the user adds by flags and configuration. A
// configuration that nobody named cannot add any (config.ReadFound).
func (f *LibraryFlags) Allowed(profile ProfileName, paths []string) ([]string, error) {
	judge := JudgeFlags{Config: f.Config, NoConfig: f.NoConfig}
	file, err := judge.read(paths)
	if err != nil {
		return nil, Usagef("%v", err)
	}
	settings, err := f.Settings.Read(paths...)
	if err != nil {
		return nil, err
	}
	ctx := rules.Context{Profile: rules.Profile(profile), Libraries: slices.Concat(settings.Libraries, f.Library)}
	if file != nil {
		ctx.Libraries = slices.Concat(file.Libraries, ctx.Libraries)
		if profile == "" {
			ctx.Profile = file.Profile
		}
	}
	return ctx.AllowedLibraries(), nil
}
