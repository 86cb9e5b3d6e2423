package exec

import (
	"os"
	"path/filepath"
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
	for text, line := range map[string]int{"A=1\nsecret": 2, "A=\"x\n\ny\"\n!": 4, "A=\"x": 1, "=x": 1, "A='x' y": 1, "A B=1": 1} {
		if got := parseEnv(text, map[string]string{}); got != line {
			t.Errorf("%q: line %d is refused, want %d", text, got, line)
		}
	}
}

func TestLoadEnv(t *testing.T) {
	dir := t.TempDir()
	write := func(name, text string) string {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	getenv := func(k string) string {
		return map[string]string{"A": "environment", "B": "environment", "C": "environment"}[k]
	}
	e, err := LoadEnv([]string{write("1", "A=one\nB=one\n"), write("2", "A=two\nEMPTY=\n")}, getenv)
	if err != nil {
		t.Fatal(err)
	}
	for key, want := range map[string]string{"A": "two", "B": "one", "C": "environment", "D": "", "EMPTY": ""} {
		if got, ok := e.Lookup(key); got != want || ok != (want != "") {
			t.Errorf("%s: %q %v, want %q", key, got, ok, want)
		}
	}
	if _, err := LoadEnv([]string{write("3", "A=1\ncanary-line\n")}, nil); err == nil || !strings.Contains(err.Error(), "3:2") || strings.Contains(err.Error(), "canary") {
		t.Errorf("%v, want file and line and no content", err)
	}
	if _, err := LoadEnv([]string{filepath.Join(dir, "missing")}, nil); err == nil || !strings.Contains(err.Error(), "missing") {
		t.Errorf("%v", err)
	}
	var none *Env
	if _, ok := none.Lookup("A"); ok {
		t.Error("no Env has a value")
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
