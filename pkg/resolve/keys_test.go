package resolve

import (
	"strings"
	"testing"

	"github.com/flowmcp/fmcp/pkg/catalog"
	"github.com/flowmcp/fmcp/pkg/record"
	"github.com/flowmcp/fmcp/pkg/walk"
)

// TestSharedKeys: a key is shared where schemas of several registrable domains
// ask for it, declared or not; the finding is at the domain with the fewest.
func TestSharedKeys(t *testing.T) {
	schema := func(id, root, declared, value string) *record.Load {
		l := schemaLoad("providers/"+id+"/s.mjs",
			`{"namespace":"`+id+`","root":"`+root+`","requiredServerParams":[`+declared+`],"tools":{"x":`+
				aTool("GET", "/a", param("k", value, "query", "string()"))+`}}`)
		l.ID = id + "/s"
		return l
	}
	const key = `"KEY"`
	for _, tt := range []struct {
		name  string
		loads []record.Record
		want  string // part of the message, "" for none
		at    string
	}{
		{"one domain", []record.Record{schema("a", "https://a.com", key, "x"),
			schema("b", "https://eu.a.com:8443/v1", key, "x")}, "", ""},
		{"two", []record.Record{schema("b", "https://b.com", key, "x"),
			schema("a", "https://a.com", `"OTHER","KEY"`, "x"), schema("c", "https://c.a.com", key, "x")},
			"KEY is asked for by schemas of 2 registrable domains, and goes to none before it is bound: a.com (a/s, " +
				"c/s), b.com (b/s)", "b/s /requiredServerParams/0"},
		{"not declared", []record.Record{schema("b", "https://b.com", "", "{{SERVER_PARAM:KEY}}"),
			schema("a", "https://a.com", key, "x"), schema("c", "https://a.com", key, "x")},
			"a.com (a/s, c/s), b.com (b/s)", "b/s /root"},
		{"no schema declares it", []record.Record{schema("b", "https://b.com", "", "{{KEY}}"),
			schema("a", "https://a.com", "", "{{KEY}}")}, "", ""},
		{"public suffix", []record.Record{schema("b", "https://b.github.io", key, "x"),
			schema("a", "https://a.github.io", key, "x")}, "a.github.io (a/s), b.github.io (b/s)",
			"b/s /requiredServerParams/0"},
		{"many", []record.Record{schema("c", "https://a.com", key, "x"), schema("d", "https://a.com", key, "x"),
			schema("e", "https://a.com", key, "x"), schema("f", "https://a.com", key, "x"),
			schema("b", "https://b.com", key, "x")},
			"a.com (c/s, d/s, e/s and 1 more), b.com (b/s)", "b/s /requiredServerParams/0"},
	} {
		recs, diags := resolveAll(t, Options{}, tt.loads...)
		switch {
		case tt.want == "" && len(diags) > 0:
			t.Errorf("%s: %s", tt.name, appendAll(nil, diags))
		case tt.want != "" && (len(diags) != 1 || diags[0].Code != catalog.CodeSharedKey ||
			diags[0].Severity != record.SeverityWarning || !strings.Contains(diags[0].Message, tt.want) ||
			diags[0].Subject+" "+diags[0].Loc.Pointer != tt.at || !strings.HasPrefix(diags[0].Fix, "write KEY@a.")):
			t.Errorf("%s: %s", tt.name, appendAll(nil, diags))
		}
		if recs[0].Data.Get("counts").Get("leftOut").Float() > 1 {
			t.Errorf("%s: schemas are left out", tt.name)
		}
	}
	var k walk.KeyAsks
	k.Add(schema("a", "https://a.com", key, "x"))
	k.Add(schema("b", "https://b.com", key, "x"))
	k.Remove("cat/providers/b/s.mjs")
	if got := k.Shared(); len(got) != 0 {
		t.Errorf("what is removed still asks: %v", got)
	}
}
