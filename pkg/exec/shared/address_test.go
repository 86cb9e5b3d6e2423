package shared

import (
	"strings"
	"testing"
)

func TestParse(t *testing.T) {
	for text, want := range map[string]address{
		"redis://a":                      {host: "a:6379"},
		"redis://a:7000/3":               {host: "a:7000", db: 3},
		"rediss://[::1]/":                {host: "[::1]:6379", tls: true},
		"redis://me:se%2Fcret@a":         {host: "a:6379", user: "me", password: "se/cret"},
		"redis://:only@a:1":              {host: "a:1", password: "only"},
		"rediss://me@127.0.0.1:6380/000": {host: "127.0.0.1:6380", user: "me", tls: true},
	} {
		got, err := parse(text)
		if err != nil || got != want {
			t.Errorf("%s: %+v, %v", text, got, err)
		}
		if HasPassword(text) != (want.password != "") {
			t.Errorf("%s: has a password: %v", text, HasPassword(text))
		}
	}
	for text, want := range map[string]string{
		"http://a":                  "no URL of a Redis: expected redis://[USER:PASSWORD@]HOST",
		"":                          "no URL of a Redis",
		"redis://":                  "no host",
		"redis://:6379":             "no host",
		"redis://a:99999":           "port does not exist",
		"redis://a:0":               "port does not exist",
		"redis://a/x":               "database is no number",
		"redis://a/-1":              "database is no number",
		"redis://a/99999":           "database is no number",
		"redis://a?db=1":            "more than a database",
		"redis://me:sec ret@a":      "as %XX",
		"redis://me:sec%ret@a/0":    "as %XX",
		"redis://me:secret@a:port":  "as %XX",
		"redis://me:sec/ret@a":      "as %XX",
		"redis://me:sec#ret@a":      "as %XX",
		"redis://me:secret@/secret": "no host",
		"redis://me:12/sec@a":       "is no number",
		"redis://12?sec@a":          "more than",
	} {
		_, err := parse(text)
		if err == nil || !strings.Contains(err.Error(), want) || strings.Contains(err.Error(), "sec") {
			t.Errorf("%s: %v, want %s", text, err, want)
		}
	}
}

func TestIsURL(t *testing.T) {
	for text, want := range map[string]bool{"redis://a": true, "rediss://a": true, "redis": false, "./redis:": false,
		"": false} {
		if IsURL(text) != want || !want && HasPassword(text) {
			t.Errorf("%s: %v", text, IsURL(text))
		}
	}
}
