package config

import (
	"errors"
	"path/filepath"
	"strings"
	"testing"

	"github.com/flowmcp/fmcp/pkg/record"
)

func finding(code, subject, path, pointer string) *record.Diagnostic {
	return &record.Diagnostic{Code: code, Severity: record.SeverityError, Subject: subject,
		Loc: record.Loc{Path: filepath.FromSlash(path), Pointer: pointer}}
}

func TestFilter(t *testing.T) {
	t.Chdir(t.TempDir())
	f, err := Parse("sub/.fmcp.yaml", `
rules: {CMP006: off, VAL020: info}
ignore:
  - {code: VAL001, path: providers/old, reason: x}
  - {code: VAL002, path: "*.test.mjs", reason: x}
  - {code: VAL003, subject: "demo/*", reason: x}
  - {code: VAL012, subject: demo/a, path: a.mjs, reason: x}
`)
	if err != nil {
		t.Fatal(err)
	}
	filter := NewFilter(f, nil)
	tests := []struct {
		d    *record.Diagnostic
		want string // severity, "" for left out
	}{
		{finding("CMP006", "a/b", "sub/x.mjs", ""), ""},
		{finding("VAL020", "a/b", "sub/x.mjs", ""), "info"},
		{finding("VAL001", "a/b", "sub/providers/old/a/x.mjs", ""), ""},
		{finding("VAL001", "a/b", "sub/providers/older/x.mjs", ""), "error"},
		{finding("VAL001", "a/b", "providers/old/x.mjs", ""), "error"}, // outside the file's folder
		{finding("VAL002", "a/b", "sub/deep/x.test.mjs", ""), ""},
		{finding("VAL003", "demo/shop", "x.mjs", ""), ""},
		{finding("VAL003", "demo/tool/x", "x.mjs", ""), "error"},
		{finding("VAL012", "demo/a", "sub/a.mjs", ""), ""},
		{finding("VAL012", "demo/b", "sub/a.mjs", ""), "error"},
		{finding("VAL012", "demo/a", "sub/b.mjs", ""), "error"},
	}
	left := 0
	for _, tt := range tests {
		got := ""
		if d := filter.Apply(tt.d); d != nil {
			got = d.Severity.String()
		} else {
			left++
		}
		if got != tt.want {
			t.Errorf("%s %s %s: %q, want %q", tt.d.Code, tt.d.Subject, tt.d.Loc.Path, got, tt.want)
		}
		if tt.d.Severity != record.SeverityError {
			t.Errorf("%s: the finding itself was changed", tt.d.Code)
		}
	}
	if filter.Left() != left {
		t.Errorf("%d left out, want %d", filter.Left(), left)
	}
}

func TestBaseline(t *testing.T) {
	b := NewBaseline()
	for _, d := range []*record.Diagnostic{
		finding("VAL020", "b/x", "p", "/docs"), finding("VAL001", "b/x", "p", ""), finding("SEC001", "a/x", "p", ""),
		finding("SEC001", "a/x", "p", ""),
	} {
		if NewFilter(nil, b).Apply(d) != nil {
			t.Errorf("%s is reported while the baseline is written", d.Code)
		}
	}
	var text strings.Builder
	if _, err := b.WriteTo(&text); err != nil {
		t.Fatal(err)
	}
	want := `{"code":"SEC001","subject":"a/x","pointer":"","count":2}
{"code":"VAL001","subject":"b/x","pointer":""}
{"code":"VAL020","subject":"b/x","pointer":"/docs"}
`
	if text.String() != want {
		t.Fatalf("written:\n%s\nwant:\n%s", text.String(), want)
	}

	b, err := ParseBaseline("known", text.String())
	if err != nil {
		t.Fatal(err)
	}
	take := func(d *record.Diagnostic, want bool) {
		t.Helper()
		if got := b.Take(d); got != want {
			t.Errorf("%s %s: known %v, want %v", d.Code, d.Loc.Pointer, got, want)
		}
	}
	sec := finding("SEC001", "a/x", "p", "")
	take(sec, true)
	take(sec, true)
	take(sec, false) // a third one is new
	take(finding("VAL020", "b/x", "elsewhere", "/docs"), true)
	take(finding("VAL020", "b/x", "p", "/tags"), false)
	take(finding("VAL020", "b/y", "p", "/docs"), false)
	if taken, stale := b.Counts(); taken != 3 || stale != 1 {
		t.Errorf("%d known and %d stale, want 3 and 1", taken, stale)
	}

	// A watched file comes again: its findings are as known as before.
	NewFilter(nil, b).Round()
	take(sec, true)
	take(sec, true)
	take(sec, false)
	if taken, stale := b.Counts(); taken != 3 || stale != 1 {
		t.Errorf("in the second round %d known and %d stale, want 3 and 1", taken, stale)
	}

	b, _ = ParseBaseline("known", text.String())
	b.Distrust()
	take(sec, false)
	take(finding("VAL001", "b/x", "p", ""), true)
}

func TestBaselineErrors(t *testing.T) {
	for text, want := range map[string]string{
		"{}":                               "known:1:1: is not a finding",
		"\n[1]":                            "known:2:1: is not a finding",
		`{"code":"VAL001"`:                 "known:1:1: is not a JSON object",
		`{"code":"VAL001","count":0}`:      "is not a finding",
		`{"code":"VAL001","count":"many"}`: "is not a finding",
	} {
		_, err := ParseBaseline("known", text)
		var at *Error
		if !errors.As(err, &at) || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want %s", text, err, want)
		}
	}
	if _, err := ReadBaseline(filepath.Join(t.TempDir(), "none")); err == nil ||
		!strings.Contains(err.Error(), "cannot be read: no such file") {
		t.Errorf("%v", err)
	}
}

func FuzzParseBaseline(f *testing.F) {
	f.Add(`{"code":"VAL001","subject":"a/b","pointer":"/x","count":2}`)
	f.Add("{}\n\r\n[")
	f.Fuzz(func(t *testing.T, text string) {
		b, err := ParseBaseline("known", text)
		if err != nil {
			var at *Error
			if !errors.As(err, &at) || at.Line < 1 {
				t.Fatalf("%T without a line: %v", err, err)
			}
			return
		}
		if taken, stale := b.Counts(); taken != 0 || stale < 0 {
			t.Fatalf("%d known and %d stale before any finding", taken, stale)
		}
	})
}
