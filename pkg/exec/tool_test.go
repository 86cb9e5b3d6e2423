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
		{"POST", `{"isReadOnly":true}`, "", true}, {"GET", `{"isReadOnly":false}`, "", false},
		{"PUT", `{"isReadOnly":"yes"}`, "", false},
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
}
