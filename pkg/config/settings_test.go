package config

import (
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// TestSending: what a configuration says about keys, and what is wrong with it.
func TestSending(t *testing.T) {
	f, err := Parse("f", "keys:\n  SHOP_KEY: [example.com, localhost]\nenv: [ 'SHOP_*' ]\n"+
		"allow-hosts: [ 'a.com:8443' ]\n")
	if err != nil || !slices.Equal(f.Keys["SHOP_KEY"], []string{"example.com", "localhost"}) ||
		!slices.Equal(f.Env, []string{"SHOP_*"}) || !slices.Equal(f.AllowHosts, []string{"a.com:8443"}) {
		t.Errorf("%+v %v", f, err)
	}
	for text, want := range map[string]string{
		"keys: [A]":                    "f:1:7: keys: found a list, expected a mapping of keys",
		"keys: { A: example.com }":     "f:1:12: keys.A: found \"example.com\", expected a list of registrable domains",
		"keys: { A: [api.shop.com] }":  `f:1:13: keys.A: found "api.shop.com", expected a registrable domain: shop.com`,
		"env: A":                       `f:1:6: env: found "A", expected a list of names`,
		"allow: api/*":                 `f:1:8: allow: found "api/*", expected a list of Spec-IDs`,
		"deny: [ 7 ]":                  "f:1:9: deny: found 7",
		"allow-hosts: [ 7 ]":           "f:1:16: allow-hosts: found 7",
		"allow-host: [ a.com ]":        `did you mean "allow-hosts"?`,
		"keys: { A: [ '' ] }":          "keys.A: found \"\"",
		"keys: { A: [ EXAMPLE.com ] }": "expected a registrable domain: example.com",
	} {
		if _, err := Parse("f", text); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want %s", text, err, want)
		}
	}
	both := Sending{Keys: map[string][]string{"A": {"a.com"}, "B": {"b.com"}},
		Env: []string{"A"}}.With(Sending{Keys: map[string][]string{"A": {"c.com"}}, Env: []string{"B"}})
	if !maps.EqualFunc(both.Keys, map[string][]string{"A": {"c.com"}, "B": {"b.com"}}, slices.Equal) ||
		!slices.Equal(both.Env, []string{"A", "B"}) {
		t.Errorf("%+v", both)
	}
}

// TestSettingsOfOneFolder: where the current folder is the home folder, its
// settings are read once, and as the user's own.
func TestSettingsOfOneFolder(t *testing.T) {
	home := t.TempDir()
	if err := os.MkdirAll(filepath.Join(home, Folder), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(home, Folder, settingsName),
		[]byte(`{"security":{"allowedLibraries":["x"]},"env":["A"]}`), 0o600); err != nil {
		t.Fatal(err)
	}
	t.Chdir(home)
	s, err := ReadSettings(home, true, nil)
	if err != nil || len(s.EnvFiles) != 1 || !slices.Equal(s.Libraries, []string{"x"}) ||
		!slices.Equal(s.Env, []string{"A"}) {
		t.Errorf("%+v %v", s, err)
	}
	// The same folder as a project decides nothing about keys.
	s, err = ReadSettings("", true, []string{t.TempDir()})
	if err != nil || !slices.Equal(s.Libraries, []string{"x"}) || s.Env != nil || len(s.EnvFiles) != 1 {
		t.Errorf("%+v %v", s, err)
	}
}
