package cli

import (
	"fmt"
	"slices"
	"strings"

	"github.com/flowmcp/fmcp/pkg/rules"
	"github.com/flowmcp/fmcp/pkg/stage"
	"github.com/flowmcp/fmcp/pkg/words"
	fixtures "github.com/flowmcp/fmcp/testdata/rules"
)

// RuleFlags say how files are judged.
type RuleFlags struct {
	Profile  ProfileName  `group:"Rules" placeholder:"NAME" help:"Severities: spec is the specification as written, community is what public catalogs follow (default: spec)."`
	Spec     SpecVersion  `group:"Rules" placeholder:"VERSION" help:"Version of the specification: 4.2, 3.0 or 2.0 (default: 4.2)."`
	Settings SettingsMode `group:"Rules" placeholder:"WHICH" var:"FMCP_SETTINGS" help:"The .flowmcp folders that are read: both, home, project (that of the current folder) or none (default: both)."`
	Library  []string     `group:"Rules" placeholder:"NAME" sep:"none" help:"A package that requiredLibraries may name in addition to the allowlist of chapter 05; may be repeated."`
}

// ProfileName is the value of --profile; "" is the default.
type ProfileName string

// Words implements Chooser.
func (*ProfileName) Words() []string {
	return []string{string(rules.ProfileSpec), string(rules.ProfileCommunity)}
}

// UnmarshalText reads the name of a profile.
func (n *ProfileName) UnmarshalText(text []byte) error { return choose(n, string(text), n.Words()) }

// SpecVersion is the value of --spec; "" is the newest.
type SpecVersion string

// Words implements Chooser.
func (*SpecVersion) Words() []string {
	return []string{string(rules.Spec42), string(rules.Spec30), string(rules.Spec20)}
}

// Options are the stage's options of the flags, for work on the paths.
func (f *RuleFlags) Options(paths ...string) (stage.ValidateOptions, error) {
	spec, err := rules.ParseSpec(string(f.Spec))
	if err != nil {
		return stage.ValidateOptions{}, Usagef("--spec: %v", err)
	}
	settings, err := f.Settings.Read(paths...)
	if err != nil {
		return stage.ValidateOptions{}, err
	}
	return stage.ValidateOptions{Profile: rules.Profile(f.Profile), Spec: spec,
		Libraries: slices.Concat(settings.Libraries, f.Library)}, nil
}

// Explain writes what there is to know about a rule, or about all.
func Explain(app *App, code string) (int, error) {
	if code == "all" {
		for i, r := range rules.All() {
			if i > 0 {
				fmt.Fprintln(app.IO.Stdout)
			}
			if err := rules.Explain(app.IO.Stdout, r, fixtures.FS); err != nil {
				return ExitFailure, err
			}
		}
		return ExitOK, nil
	}
	r, ok := rules.Lookup(strings.ToUpper(code))
	if !ok {
		return ExitUsage, Usagef("--explain: there is no rule %s%s", code,
			words.DidYouMean(strings.ToUpper(code), rules.Codes()))
	}
	if err := rules.Explain(app.IO.Stdout, r, fixtures.FS); err != nil {
		return ExitFailure, err
	}
	return ExitOK, nil
}
