package cli

import (
	"slices"
	"strings"

	"github.com/alecthomas/kong"
)

// Given is a flag that the user gave, by typing it or by its variable.
type Given struct {
	Name  string // without dashes
	Value string
	Bool  bool   // it has no value
	Group string // of the help
	Names string // what the help says that the value is: FILE, DIR, ...
}

// Given are the flags that the user gave by their long names, those that were typed
// first and in that order: what another run of the command needs to do the same
// elsewhere. Short names are of flags about this run.
func (a *App) Given() []Given {
	flags := map[string]*kong.Flag{}
	for _, f := range a.parsed.Flags() {
		flags[f.Name] = f
	}
	var all []Given
	args := a.parsed.Args
	for i := 0; i < len(args) && args[i] != "--"; i++ {
		name, value, valued := strings.Cut(strings.TrimPrefix(args[i], "--"), "=")
		f := flags[name]
		if f == nil || !strings.HasPrefix(args[i], "--") {
			continue
		}
		if !valued && !f.IsBool() {
			i++
			value = args[i]
		}
		all = append(all, given(f, value))
	}
	typed := len(all)
	for _, f := range a.parsed.Flags() {
		if slices.ContainsFunc(all[:typed], func(g Given) bool { return g.Name == f.Name }) {
			continue
		}
		for _, value := range variable(f, a.IO.Getenv) {
			all = append(all, given(f, value))
		}
	}
	return all
}

func given(f *kong.Flag, value string) Given {
	g := Given{Name: f.Name, Value: value, Bool: f.IsBool() && value == "", Names: f.PlaceHolder}
	if f.Group != nil {
		g.Group = f.Group.Title
	}
	return g
}

// Arg is the flag as it is typed.
func (g Given) Arg() string {
	if g.Bool {
		return "--" + g.Name
	}
	return "--" + g.Name + "=" + g.Value
}
