package config

import (
	"errors"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/flowmcp/fmcp/pkg/record"
)

func TestParse(t *testing.T) {
	f, err := Parse("conf/.fmcp.yaml", `# ours
profile: community
spec: 3.0
libraries: [canvas, sharp]
fail-on: warning
max-diagnostics: 50
baseline: known.ndjson
rules:
  CMP006: off
  VAL020: info
ignore:
  - code: VAL107
    path: providers/old/**
    reason: the list is gone
  - {code: CMP005, subject: "demo/*", reason: x}
`)
	if err != nil {
		t.Fatal(err)
	}
	if f.Profile != "community" || f.Spec != "3.0" || f.FailOn != "warning" || f.MaxDiagnostics != 50 ||
		f.Baseline != filepath.FromSlash("conf/known.ndjson") {
		t.Errorf("%+v", f)
	}
	if !reflect.DeepEqual(f.Libraries, []string{"canvas", "sharp"}) {
		t.Errorf("libraries %v", f.Libraries)
	}
	if !reflect.DeepEqual(f.Severities,
		map[string]record.Severity{"CMP006": record.SeverityOff, "VAL020": record.SeverityInfo}) {
		t.Errorf("rules %v", f.Severities)
	}
	if len(f.Ignores) != 2 || f.Ignores[0].Code != "VAL107" || f.Ignores[0].Subject != nil ||
		f.Ignores[1].Path != nil || f.Ignores[1].Reason != "x" {
		t.Errorf("ignores %+v", f.Ignores)
	}
	for _, empty := range []string{"", "# nothing\n", "---\n"} {
		if f, err := Parse("f", empty); err != nil || !reflect.DeepEqual(f, &File{Path: "f"}) {
			t.Errorf("%q: %+v, %v", empty, f, err)
		}
	}
}

func TestParseErrors(t *testing.T) {
	tests := []struct{ text, want string }{
		{"profil: spec", `f:1:1: unknown key "profil" (did you mean "profile"?)`},
		{"colour: red", `f:1:1: unknown key "colour"; known are allow, allow-hosts, baseline, deny, env, fail-on, ` +
			`ignore, keys, libraries, max-diagnostics, profile, rules, spec`},
		{"[a]", "f:1:1: .fmcp.yaml: found a list, expected a mapping"},
		{"profile: comunity", `f:1:10: profile: found "comunity", expected one of spec, ` +
			`community (did you mean "community"?)`},
		{"spec: 5", "f:1:7: spec: found 5, expected a version"},
		{"spec:", "f:1:6: spec: found nothing, expected a version"},
		{"libraries: canvas", `f:1:12: libraries: found "canvas", expected a list`},
		{"libraries: [1]", "f:1:13: libraries: found 1, expected the name"},
		{"fail-on: errors", `f:1:10: fail-on: found "errors", expected one of error, warning, info, ` +
			`never (did you mean "error"?)`},
		{"max-diagnostics: 0", "f:1:18: max-diagnostics: found 0, expected a number from 1"},
		{"max-diagnostics: 1.5", "found 1.5, expected a number from 1"},
		{"baseline: ''", "f:1:11: baseline: found \"\", expected a path"},
		{"rules: off", `f:1:8: rules: found "off", expected a mapping`},
		{"rules:\n  VAL999: off", `f:2:3: there is no rule "VAL999"`},
		{"rules:\n  val020: off", `there is no rule "val020" (did you mean "VAL020"?)`},
		{"rules:\n  VAL020: of", `f:2:11: rules.VAL020: found "of", expected one of off, info, warning, ` +
			`error (did you mean "off"?)`},
		{"ignore: x", "f:1:9: ignore: found \"x\", expected a list"},
		{"ignore:\n  - VAL020", "f:2:5: ignore: found \"VAL020\", expected an entry"},
		{"ignore:\n  - {code: VAL020, path: x}", "f:2:5: ignore: an entry has no reason"},
		{"ignore:\n  - {reason: x, path: x}", "f:2:5: ignore: an entry has no code"},
		{"ignore:\n  - {code: VAL020, reason: x}", "write rules: {VAL020: off}"},
		{"ignore:\n  - {code: VAL020, reason: x, path: '[a'}", `f:2:37: ignore.path: "[a" is not a glob`},
		{"ignore:\n  - {code: VAL020, reason: x, path: '" + strings.Repeat("{a,aa}", 24) + "c'}",
			"stands for more than 1000 patterns"},
		{"ignore:\n  - {code: VAL020, reason: ' ', path: a}", "f:2:28: ignore.reason: found \" \", expected why"},
		{"ignore:\n  - {code: VAL020, reasons: x, path: a}", `f:2:20: unknown key "reasons" (did you mean "reason"?)`},
		{"ignore:\n  - {code: VAL02, reason: x, path: a}", `f:2:12: there is no rule "VAL02" (did you mean`},
		{"rules:\n  VAL020: off\n  VAL020: error",
			`f:3:3: is not YAML that can be read: found the key "VAL020" a second time`},
		{"a: b: c", "f:1:5: is not YAML that can be read"},
	}
	for _, tt := range tests {
		_, err := Parse("f", tt.text)
		var at *Error
		if !errors.As(err, &at) || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%q: %v, want %s", tt.text, err, tt.want)
		}
	}
}

func write(t *testing.T, name, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}

func TestFind(t *testing.T) {
	t.Chdir(t.TempDir())
	write(t, "repo/.git/HEAD", "")
	write(t, "repo/a/b/x.mjs", "")
	write(t, ".fmcp.yaml", "")
	find := func(path, want string) {
		t.Helper()
		if got, err := Find(path); err != nil || filepath.ToSlash(got) != want {
			t.Errorf("%s: %q, %v, want %q", path, got, err, want)
		}
	}
	find("repo/a/b/x.mjs", "") // .git ends the search
	find(".", ".fmcp.yaml")
	write(t, "repo/.fmcp.yaml", "")
	find("repo/a/b/x.mjs", "repo/.fmcp.yaml")
	find("repo/a/missing.mjs", "repo/.fmcp.yaml")
	write(t, "repo/a/b/.fmcp.yaml", "")
	find("repo/a/b", "repo/a/b/.fmcp.yaml")
	find("repo/a", "repo/.fmcp.yaml")
}

// A file that the user did not name lowers no security finding, wherever it is.
func TestReadFound(t *testing.T) {
	t.Chdir(t.TempDir())
	for text, want := range map[string]string{
		"rules: {SEC006: error}":                          "",
		"rules: {VAL020: off}":                            "",
		"rules:\n  CMP006: off\n  SEC006: info":           ".fmcp.yaml:3:3: lowers SEC006",
		"rules: {VAL026: warning}":                        "lowers VAL026",
		"rules: {LOD012: off}":                            "lowers LOD012",
		"rules: {CMP022: warning}":                        "lowers CMP022",
		"rules: {CMP023: off}":                            "lowers CMP023",
		"rules: {CMP033: info}":                           "lowers CMP033",
		"rules: {LOD047: off}":                            "lowers LOD047",
		"rules: {LOD048: off}":                            "lowers LOD048",
		"ignore: [{code: CMP033, path: x, reason: y}]":    "lowers CMP033",
		"fail-on: warning":                                "",
		"fail-on: never":                                  "lowers fail-on",
		"libraries: []":                                   "",
		"libraries: [evil]":                               "widens the allowlist",
		"ignore: [{code: SEC006, path: x, reason: y}]":    "lowers SEC006",
		"ignore: [{code: SEC006, subject: x, reason: y}]": "lowers SEC006",
	} {
		write(t, Name, text)
		switch f, err := ReadFound(Name); {
		case want == "" && (err != nil || !f.Found), want != "" && (err == nil || !strings.Contains(err.Error(), want)):
			t.Errorf("%s: %v, want %q", text, err, want)
		}
		if f, err := Read(Name); err != nil || f.Found {
			t.Errorf("%s, named: %v", text, err)
		}
	}
}

func FuzzParse(f *testing.F) {
	f.Add("profile: spec\nrules: {VAL020: off}\nignore: [{code: CMP005, path: a, reason: b}]\n")
	f.Add("spec: 3.0\nlibraries: [a]\nmax-diagnostics: 3\nbaseline: x\nfail-on: never\n")
	f.Fuzz(func(t *testing.T, text string) {
		file, err := Parse("f", text)
		if err != nil {
			var at *Error
			if !errors.As(err, &at) || at.Line < 1 || at.Col < 1 {
				t.Fatalf("%T without a place: %v", err, err)
			}
			return
		}
		NewFilter(file, nil).Apply(&record.Diagnostic{Code: "VAL020", Severity: record.SeverityError, Subject: "a/b",
			Loc: record.Loc{Path: "a/b.mjs"}})
	})
}
