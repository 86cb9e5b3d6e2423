package queue

import (
	"strings"
	"testing"
)

func TestParseAddress(t *testing.T) {
	for _, tt := range []struct{ text, what, servers, name, err string }{
		{"nats://a/REQUESTS", "STREAM", "nats://a", "REQUESTS", ""},
		{"tls://a:4222,b/answers.of.calls", "SUBJECT", "tls://a:4222,tls://b", "answers.of.calls", ""},
		{"http://a/REQUESTS", "STREAM", "", "", "no address of a queue: expected nats://HOST/STREAM"},
		{"REQUESTS", "STREAM", "", "", "no address of a queue"},
		{"nats:///REQUESTS", "STREAM", "", "", "no host"},
		{"nats://a", "SUBJECT", "", "", "no SUBJECT: expected nats://HOST/SUBJECT"},
		{"nats://a/", "STREAM", "", "", "no STREAM"},
		{"nats://a/b/c", "STREAM", "", "", `"b/c" is no name of a stream`},
		{"nats://a/b.c", "STREAM", "", "", `"b.c" is no name of a stream`},
		{"nats://a/b.*", "SUBJECT", "", "", `"b.*" is no name of a subject`},
		{"nats://me:secret@a/b", "STREAM", "", "", "set NATS_USER and NATS_PASSWORD"},
	} {
		a, err := ParseAddress(tt.text, tt.what)
		switch {
		case tt.err == "" && (err != nil || a.Servers != tt.servers || a.Name != tt.name):
			t.Errorf("%s: %+v, %v", tt.text, a, err)
		case tt.err != "" && (err == nil || !strings.Contains(err.Error(), tt.err)):
			t.Errorf("%s: %v, want %q", tt.text, err, tt.err)
		case err != nil && strings.Contains(err.Error(), "secret"):
			t.Errorf("%s: %v shows the password", tt.text, err)
		}
	}
}
