package protocol

import (
	"strings"
	"testing"
)

func TestReadVeto(t *testing.T) {
	for _, tt := range []struct{ veto, want string }{
		{`{"triggeredBy":"ai-security-veto","evidence":"line 9","reasoning":"it sends the key on"}`, ""},
		{`{"triggeredBy":"illegal-content","evidence":"line 9"}`, ""},
		{`"yes"`, `categoricalVeto: found "yes", expected an object`},
		{`{"triggeredBy":"ai-security-vetoes","evidence":"e","reasoning":"r"}`,
			`categoricalVeto.triggeredBy: found "ai-security-vetoes", expected malicious-module, ` +
				`api-key-domain-mismatch, illegal-content, ai-security-veto (did you mean "ai-security-veto"?)`},
		{`{"evidence":"e"}`, "categoricalVeto.triggeredBy: found none"},
		{`{"triggeredBy":"illegal-content"}`, "categoricalVeto.evidence: found none"},
		{`{"triggeredBy":"ai-security-veto","reasoning":"r"}`, "categoricalVeto.evidence: found none"},
		{`{"triggeredBy":"ai-security-veto","evidence":"e"}`, "categoricalVeto.reasoning: found none"},
		{`{"triggeredBy":"ai-security-veto","evidence":"e","reasoning":""}`, `categoricalVeto.reasoning: found ""`},
	} {
		r := reader{path: "scores.json"}
		s := r.read(scoresJSON(t, "categoricalVeto", tt.veto))
		switch {
		case tt.want == "" && (s == nil || s.Veto == nil || s.Veto.Evidence != "line 9"):
			t.Errorf("%s: got %+v, found %v", tt.veto, s, r.found)
		case tt.want != "" && (s != nil || len(r.found) != 1 || !strings.HasPrefix(r.found[0].Message, tt.want)):
			t.Errorf("%s: got %+v, want %s", tt.veto, r.found, tt.want)
		}
	}
	r := reader{path: "scores.json"}
	if s := r.read(scoresJSON(t, "categoricalVeto", "null")); s == nil || s.Veto != nil {
		t.Errorf("null: got %+v", s)
	}
}
