package secret

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

func TestParseEnv(t *testing.T) {
	tests := []struct{ text, key, want string }{
		{"A=1", "A", "1"},
		{"A=1\r\nB=2\r\n", "B", "2"},
		{"\ufeffA=1", "A", "1"},
		{"# c\n\nexport A = x y \n", "A", "x y"},
		{"A=a#b", "A", "a#b"},
		{"A=a #b", "A", "a"},
		{"A='a #b' # c", "A", "a #b"},
		{"A=\"a\\nb\"", "A", "a\nb"},
		{"A=\"a\\\"b\"", "A", `a"b`},
		{"A='a\\nb'", "A", `a\nb`},
		{"A=`a'\"b`", "A", `a'"b`},
		{"A=\"a\nb\"\nB=2", "A", "a\nb"},
		{"A=\"a\nb\"\nB=2", "B", "2"},
		{"A=pa$$word${HOME}", "A", "pa$$word${HOME}"},
		{"A=a=b==", "A", "a=b=="},
		{"A=", "A", ""},
		{"A=1\nA=2", "A", "2"},
		{"A.b-c=1", "A.b-c", "1"},
	}
	for _, tt := range tests {
		vars := map[string]string{}
		if line := parseEnv(tt.text, vars); line != 0 {
			t.Errorf("%q: line %d is refused", tt.text, line)
		}
		if got, ok := vars[tt.key]; !ok || got != tt.want {
			t.Errorf("%q: %q %v, want %q", tt.text, got, ok, tt.want)
		}
	}
	for text, line := range map[string]int{"A=1\nsecret": 2, "A=\"x\n\ny\"\n!": 4, "A=\"x": 1, "=x": 1, "A='x' y": 1,
		"A B=1": 1} {
		if got := parseEnv(text, map[string]string{}); got != line {
			t.Errorf("%q: line %d is refused, want %d", text, got, line)
		}
	}
}

// writeEnv writes an env file.
func writeEnv(t *testing.T, text string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "keys.env")
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

func newEnv(t *testing.T, o EnvOptions) *Env {
	t.Helper()
	e, err := NewEnv(o)
	if err != nil {
		t.Fatal(err)
	}
	return e
}

// TestEnvSources: a file that is named for the run, then the environment where a
// variable is named, then the files that are found. An empty value is none.
func TestEnvSources(t *testing.T) {
	vars := map[string]string{"A": "env", "C": "env", "HOME": "env", "PATH": "env", "SHOP_KEY": "env", "SHOP_ID": "env",
		"D": "env"}
	e := newEnv(t, EnvOptions{
		Files: []string{writeEnv(t, "A=one\nB=one\nC=\n"), writeEnv(t, "A=two\n")}, Names: []string{"A", "C", "SHOP_*"},
		Found: []string{writeEnv(t, "D=home\nE=home\nC=home\n"), writeEnv(t, "E=project\nD=\n"),
			filepath.Join(t.TempDir(), "none")}, Getenv: func(k string) string { return vars[k] },
	})
	for key, want := range map[string]string{"A": "two", "B": "one", "C": "env", "D": "home", "E": "project",
		"SHOP_KEY": "env", "SHOP_ID": "env", "HOME": "", "F": "", "": ""} {
		if got, ok := e.Lookup(key); got != want || ok != (want != "") {
			t.Errorf("%s: %q %v, want %q", key, got, ok, want)
		}
	}
	for key, want := range map[string]string{
		"HOME": "server parameter HOME is set in the environment; name it: --env HOME",
		"F":    "server parameter F is not set: write F=… into .flowmcp/.env, or into a file that --env-file names",
	} {
		if got := e.For("a.com").Advice([]string{"A", key}); got != want {
			t.Errorf("%s: %s", key, got)
		}
	}
	if want := "server parameters HOME, PATH are set in the environment; name them: --env HOME " +
		"--env PATH"; e.For("a.com").Advice([]string{"HOME", "PATH"}) != want {
		t.Errorf("%q, want %q", e.Advice([]string{"HOME", "PATH"}), want)
	}
	if got := e.Missing([]string{"A", "F"}); !slices.Equal(got, []string{"F"}) {
		t.Error(got)
	}
	var none *Env
	if _, ok := none.Lookup("A"); ok {
		t.Error("no Env has a value")
	}
}

func TestEnvFileErrors(t *testing.T) {
	for text, want := range map[string]string{
		"A=1\ncanary-line\n": ":2 is not of the form",
		"A@api.example.com=1": `A@api.example.com binds to "api.example.com", ` +
			"expected a registrable domain such as example.com",
		"A@=1": `binds to ""`, "A@EXAMPLE.com=1": "such as example.com",
	} {
		if _, err := NewEnv(EnvOptions{Files: []string{writeEnv(t, text)}}); err == nil ||
			!strings.Contains(err.Error(), want) || strings.Contains(err.Error(), "canary") {
			t.Errorf("%q: %v, want %s", text, err, want)
		}
	}
	if _, err := NewEnv(EnvOptions{Files: []string{"missing.env"}}); err == nil || !strings.Contains(err.Error(),
		"missing.env") {
		t.Errorf("%v", err)
	}
}

// TestBinding: a key that schemas of several domains ask for goes to none of
// them before the user binds it; one that is bound goes nowhere else.
func TestBinding(t *testing.T) {
	asked := map[string][]string{"SHARED": {"a.com", "evil.org"}, "OWN": {"a.com"}, "CONF": {"a.com", "evil.org"},
		"SOLE": {"evil.org"}}
	e := newEnv(t, EnvOptions{
		Files: []string{writeEnv(t, "SHARED=general\nOWN=own\nCONF=conf\n"+
			"PAIR@a.com=for-a\nPAIR@b.com=for-b\nPAIR=general\nSOLE@a.com=bound\n")},
		Bound: map[string][]string{"CONF": {"a.com", "c.com"}},
	})
	e.AskedBy(func(key string) []string { return asked[key] })
	for _, tt := range []struct{ key, domain, want string }{
		{"SHARED", "a.com", ""}, {"SHARED", "evil.org", ""}, {"OWN", "a.com", "own"}, {"CONF", "a.com", "conf"},
		{"CONF", "c.com", "conf"}, {"CONF", "evil.org", ""},
		{"PAIR", "a.com", "for-a"}, {"PAIR", "b.com", "for-b"}, {"PAIR", "c.com", "general"}, {"SOLE", "evil.org", ""},
		{"SOLE", "a.com", "bound"},
		// A schema that names the binding itself gets nothing.
		{"SOLE@a.com", "evil.org", ""}, {"PAIR@a.com", "evil.org", ""}, {"SOLE", "a.com=", ""},
	} {
		if got, _ := e.For(tt.domain).Lookup(tt.key); got != tt.want {
			t.Errorf("%s for %s: %q, want %q", tt.key, tt.domain, got, tt.want)
		}
	}
	for _, tt := range []struct{ key, domain, want string }{
		{"SHARED", "a.com", "server parameter SHARED is asked for by schemas of a.com, evil.org, and does not go to " +
			"a.com before you bind it: if it is their key, write SHARED@a.com=… into the env file"},
		{"SOLE", "evil.org", "server parameter SOLE is bound to a.com, and does not go to evil.org before you bind " +
			"it: if it is their key, write SOLE@evil.org=… into the env file"},
		{"CONF", "evil.org", "server parameter CONF is bound to a.com, c.com, and does not go to evil.org before you " +
			"bind it: if it is their key, write CONF@evil.org=… into the env file"},
	} {
		if got := e.For(tt.domain).Advice([]string{tt.key}); got != tt.want {
			t.Errorf("%s: %s", tt.key, got)
		}
	}
	// Whatever it is bound to, no value is shown.
	r := NewRedactor(e.For("evil.org"), []string{"PAIR", "SOLE"})
	if got := r.Text("for-a for-b general bound"); got != "[REDACTED:PAIR] [REDACTED:PAIR] [REDACTED:PAIR] "+
		"[REDACTED:SOLE]" {
		t.Error(got)
	}
}

func FuzzParseEnv(f *testing.F) {
	f.Add("A=1\nexport B='x\ny' # c\n")
	f.Add("A=\"\\\"\n")
	f.Fuzz(func(t *testing.T, text string) {
		vars := map[string]string{}
		if line := parseEnv(text, vars); line < 0 || line > strings.Count(text, "\n")+1 {
			t.Fatalf("line %d of %q", line, text)
		}
		for k := range vars {
			if k == "" || strings.ContainsAny(k, "\n=") {
				t.Fatalf("key %q of %q", k, text)
			}
		}
	})
}
