//go:build unix

package protocol

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/flowmcp/fmcp/pkg/ordjson"
)

func TestCommand(t *testing.T) {
	for _, tt := range []struct{ name, command, want string }{
		{"an object", `echo '{"score":4.5,"reasoning":"clear","x":1}'`, "4.5 clear"},
		{"as the instructions ask", `echo '[{"dimension":"whenToUse","score":1,"reasoning":""}]'`, "1 "},
		{"of another prompt", `echo '{"dimension":"parameters","score":1,"reasoning":""}'`,
			`dimension is "parameters" and not "whenToUse"; expected {"score":4.5,"reasoning":"…"}`},
		{"off the scale", `echo '{"score":5.5,"reasoning":""}'`, "score is 5.5 and not a number from 1.0 to 5.0; "},
		{"no score", `echo '{"reasoning":""}'`, "score is none and not a number from 1.0 to 5.0; "},
		{"no reasoning", `echo '{"score":5}'`, "reasoning is none and not a text; "},
		{"two answers", `echo '[{},{}]'`, "the scorer printed \"[{},{}]\\n\": found array; "},
		{"no JSON", `echo good`, `the scorer printed "good\n": `},
		{"a process that stays", `sleep 30 & echo '{"score":4,"reasoning":"r"}'`,
			"the scorer ended, but a process that it started keeps its output open"},
		{"a failure", `echo 'no credit' >&2; exit 3`, "the scorer failed: exit status 3: no credit"},
		{"no end", `sleep 600`, "the scorer did not end within 2s: raise --scorer-timeout"},
		{"no end of output", `yes`, "the scorer printed more than 4194304 bytes, expected "},
	} {
		c := NewCommand(tt.command, "", "1", 2*time.Second)
		a, err := c.Score(t.Context(), &NewPrompts(loaded(t, `{}`)).List[0])
		got := ordjson.Text(ordjson.NewNumber(a.Score)) + " " + a.Reasoning
		if err != nil {
			got = err.Error()
		}
		if !strings.Contains(got, tt.want) || err == nil && got != tt.want {
			t.Errorf("%s: %s\nwant %s", tt.name, got, tt.want)
		}
	}
}

// A scorer reads one line: a prompt, and nothing of the others. Its environment has
// no key.
func TestCommandReads(t *testing.T) {
	t.Setenv("SOME_API_KEY", "secret")
	dir := t.TempDir()
	c := NewCommand("env > '"+dir+`/env'; cat > '`+dir+`/in'; echo '{"score":1,"reasoning":""}'`, "", "1", time.Minute)
	if _, err := c.Score(t.Context(), &NewPrompts(loaded(t, `{"description":"d"}`)).List[0]); err != nil {
		t.Fatal(err)
	}
	read := func(name string) string {
		b, err := os.ReadFile(filepath.Join(dir, name))
		if err != nil {
			t.Fatal(err)
		}
		return string(b)
	}
	v, err := ordjson.Parse(instructionsOf(t))
	if err != nil {
		t.Fatal(err)
	}
	want := `{"schemaId":"a/b","scoringProtocol":"v1","scoringInstructions":` + ordjson.Text(v) +
		`,"dimension":"whenToUse","prompt":` + ordjson.Text(ordjson.NewString(askWhenToUse+`"d"`)) + "}\n"
	if got := read("in"); got != want {
		t.Errorf("%s\nwant %s", got, want)
	}
	if env := read("env"); !strings.Contains(env, "PATH=") || strings.Contains(env, "SOME_API_KEY") {
		t.Error(env)
	}
}

func instructionsOf(t *testing.T) string {
	t.Helper()
	return ordjson.Text(NewPrompts(loaded(t, `{}`)).JSON().Get("scoringInstructions"))
}

// Of the command only the name of its program is written down.
func TestHarness(t *testing.T) {
	for command, want := range map[string]string{
		"./ask.py --key sk-1":           `{"name":"cmd:ask.py"}`,
		"KEY=sk-1 /usr/bin/env ask":     `{"name":"cmd:env"}`,
		"'./my ask' x":                  `{"name":"cmd:my"}`,
		"$(echo sk-1)":                  `{"name":"cmd:sh"}`,
		"curl -H 'Authorization: sk-1'": `{"name":"cmd:curl"}`,
	} {
		if got := ordjson.Text(NewCommand(command, "", "1", 0).Harness()); got != want {
			t.Errorf("%s: %s, want %s", command, got, want)
		}
	}
	if got := ordjson.Text(NewCommand("ask", "m-1", "1", 0).Harness()); got != `{"name":"cmd:ask","model":"m-1"}` {
		t.Error(got)
	}
}
