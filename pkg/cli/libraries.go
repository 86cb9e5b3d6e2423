package cli

import (
	"github.com/flowmcp/fmcp/pkg/resolve"
	"github.com/flowmcp/fmcp/pkg/rules"
	"github.com/flowmcp/fmcp/pkg/stage"
)

// LibraryFlags say which packages a catalog carries for its handlers (chapter
// 05, "Library Allowlist").
type LibraryFlags struct {
	Libraries string       `group:"Libraries" placeholder:"DIR" help:"Carry the packages that schemas require, from this node_modules folder."`
	Library   []string     `group:"Libraries" placeholder:"NAME" sep:"none" help:"A package that requiredLibraries may name in addition to the allowlist of chapter 05; may be repeated."`
	Config    string       `group:"Libraries" placeholder:"FILE" help:"Configuration file whose libraries may be named too (default: .fmcp.yaml of the first path's folder, or of those above it up to the repository's)."`
	Settings  SettingsMode `group:"Libraries" placeholder:"WHICH" var:"FMCP_SETTINGS" help:"The .flowmcp folders that are read: both, home, project (that of the current folder) or none (default: both)."`
	NoConfig  bool         `group:"Libraries" help:"Read no configuration file."`
}

// Configure completes a profile that no flag has set by the configuration file,
// as fmcp-validate does, and returns the effective allowlist: that of the profile,
// and what the user adds by flags and configuration. A configuration that was not
// named cannot add any (config.ReadFound).
func (f *LibraryFlags) Configure(profile *ProfileName, paths []string) (resolve.Allowlist, error) {
	judge := JudgeFlags{RuleFlags: RuleFlags{Profile: *profile, Library: f.Library, Settings: f.Settings},
		Config: f.Config, NoConfig: f.NoConfig}
	if _, err := judge.complete(paths); err != nil {
		return nil, err
	}
	opts, err := judge.Options(paths...)
	if err != nil {
		return nil, err
	}
	*profile = judge.Profile
	return allowlist(opts), nil
}

func allowlist(opts stage.ValidateOptions) resolve.Allowlist {
	ctx := rules.Context{Profile: opts.Profile, Libraries: opts.Libraries}
	return ctx.AllowedLibraries()
}
