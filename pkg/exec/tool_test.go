package exec

import (
	"strings"
	"testing"
)

func TestReadsOnly(t *testing.T) {
	for _, tt := range []struct {
		method, meta, stage string
		want                bool
	}{
		{"GET", "", "", true}, {"POST", "", "", false}, {"DELETE", "", "", false},
		{"POST", `{"isReadOnly":true}`, "", true}, {"GET", `{"isReadOnly":false}`, "", false}, {"PUT", `{"isReadOnly":"yes"}`, "", false},
		{"GET", `{"isReadOnly":"yes"}`, "", false}, {"GET", `{}`, "", false},
		{"GET", "", "postRequest", true}, {"GET", "", "preRequest", false}, {"GET", "", "executeRequest", false},
		{"GET", `{"isReadOnly":true}`, "executeRequest", true},
	} {
		d := data(tt.method, root, "/", "")
		if tt.meta != "" {
			d = strings.Replace(d, `"name":"find"`, `"name":"find","meta":`+tt.meta, 1)
		}
		tl := tool(t, d)
		tl.Handlers = strings.Fields(tt.stage)
		if got := tl.ReadsOnly(); got != tt.want {
			t.Errorf("%s %s %s: %v", tt.method, tt.meta, tt.stage, got)
		}
	}
	for text, want := range map[string]bool{
		"SELECT 1": true, "WITH x AS (SELECT 1) SELECT * FROM x": true, "INSERT INTO t VALUES (1)": false, "WITH x AS (SELECT 1) DELETE FROM t": false,
		"SELECT 'a": false, "": true,
	} {
		if got := (&Tool{Query: &Query{SQL: text}}).ReadsOnly(); got != want {
			t.Errorf("%q: %v", text, got)
		}
	}
	if (&Tool{Query: &Query{SQL: "SELECT 1", Dynamic: true}}).ReadsOnly() {
		t.Error("a statement of the caller may be any")
	}
}
