package cli

import (
	"cmp"
	"os"
	"path/filepath"
	"strings"

	"github.com/alecthomas/kong"

	"github.com/flowmcp/fmcp/pkg/config"
)

// SettingsMode says which .flowmcp folders are read; "" is both.
type SettingsMode string

// Words implements Chooser.
func (*SettingsMode) Words() []string { return []string{"both", "project", "home", "none"} }

// UnmarshalText reads which folders.
func (m *SettingsMode) UnmarshalText(text []byte) error { return choose(m, string(text), m.Words()) }

// Read reads the folders, for work on the paths.
func (m SettingsMode) Read(paths ...string) (*config.Settings, error) {
	home := ""
	if m != "project" && m != "none" {
		home = cmp.Or(os.Getenv("HOME"), os.Getenv("USERPROFILE"))
	}
	s, err := config.ReadSettings(home, m != "home" && m != "none", paths)
	if err != nil {
		return nil, Usagef("%v", err)
	}
	return s, nil
}

// variables gives a flag with the tag var the value of that variable of the
// environment, where the flag is not typed.
func variables(getenv func(string) string) kong.Resolver {
	return kong.ResolverFunc(func(_ *kong.Context, _ *kong.Path, flag *kong.Flag) (any, error) {
		values := variable(flag, getenv)
		switch {
		case values == nil:
			return nil, nil
		case !flag.IsSlice():
			return values[0], nil
		}
		list := make([]any, len(values))
		for i, value := range values {
			list[i] = value
		}
		return list, nil
	})
}

// variable is what the variable of a flag stands for, nil for nothing. One of a flag
// that may be repeated has several: paths as the system's PATH has them, else with
// commas or spaces.
func variable(flag *kong.Flag, getenv func(string) string) []string {
	name := flag.Tag.Get("var")
	if name == "" || getenv(name) == "" {
		return nil
	}
	value := getenv(name)
	switch {
	case !flag.IsSlice():
		return []string{value}
	case flag.Tag.Get("var-form") == "paths":
		return filepath.SplitList(value)
	}
	return strings.FieldsFunc(value, func(r rune) bool { return r == ',' || r == ' ' })
}
