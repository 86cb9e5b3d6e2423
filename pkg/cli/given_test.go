package cli

import (
	"context"
	"slices"
	"testing"
)

// givenProbe is a command with flags of all kinds.
type givenProbe struct {
	Common
	Env   []string `group:"Keys" placeholder:"NAME" sep:"none" var:"PROBE_ENV" help:"Names"`
	Files []string `group:"Keys" placeholder:"FILE" sep:"none" var:"PROBE_FILES" var-form:"paths" help:"Files"`
	Size  Size     `group:"Limits" default:"1MiB" help:"A size"`
	Hard  bool     `help:"Yes"`
	Path  string   `arg:"" optional:"" name:"path" help:"A path"`

	given []Given
}

func (p *givenProbe) Run(_ context.Context, app *App) (int, error) {
	p.given = app.Given()
	return ExitOK, nil
}

// Flags are given as they were typed, and after them those of variables; what was
// typed takes the place of its variable.
func TestGiven(t *testing.T) {
	vars := map[string]string{"PROBE_ENV": "A,B", "PROBE_FILES": "x:y"}
	for _, tt := range []struct {
		env  map[string]string
		args []string
		want []string
	}{
		{nil, nil, nil},
		{nil, []string{"--size", "2k", "path", "--hard", "--env=A", "--env", "B=C"},
			[]string{"--size=2k", "--hard", "--env=A", "--env=B=C"}},
		{nil, []string{"--hard=false", "--", "--hard"}, []string{"--hard=false"}},
		{vars, []string{"--hard"}, []string{"--hard", "--env=A", "--env=B", "--files=x", "--files=y"}},
		{vars, []string{"--env", "C"}, []string{"--env=C", "--files=x", "--files=y"}},
	} {
		p := &givenProbe{}
		if r := run(p, environment{env: tt.env}, tt.args...); r.code != ExitOK {
			t.Errorf("%v: %+v", tt.args, r)
		}
		var got []string
		for _, g := range p.given {
			got = append(got, g.Arg())
		}
		if !slices.Equal(got, tt.want) {
			t.Errorf("%v: %v, want %v", tt.args, got, tt.want)
		}
	}
	p := &givenProbe{}
	run(p, environment{}, "--files", "x")
	if len(p.given) != 1 || p.given[0].Group != "Keys" || p.given[0].Names != "FILE" {
		t.Errorf("%+v", p.given)
	}
}
