package report

import (
	"fmt"
	"strings"
	"testing"

	"github.com/flowmcp/fmcp/pkg/record"
)

// The worst come first, 20 are shown, and all are counted; other records are none.
func TestDigest(t *testing.T) {
	var b strings.Builder
	d := NewDigest(&b, "see all so", Options{})
	add := func(rec record.Record) {
		if err := d.Record(rec, nil); err != nil {
			t.Fatal(err)
		}
	}
	for i := range 30 {
		add(&record.Diagnostic{Code: "CMP005", Severity: record.SeverityWarning, Message: fmt.Sprint("w", i),
			Loc: record.Loc{Path: "a.mjs"}})
		add(&record.Scan{Path: "a.mjs"})
	}
	add(&record.Diagnostic{Code: "VAL001", Severity: record.SeverityError, Message: "e",
		Loc: record.Loc{Path: "a.mjs"}})
	add(&record.Error{Code: "LOD020", Input: "stdin:3", Message: "f"})
	if err := d.Close(); err != nil {
		t.Fatal(err)
	}
	got := b.String()
	if strings.Count(got, "a.mjs: warning CMP005") != 18 ||
		!strings.HasSuffix(got, "32 findings in all, of which 20 are shown:\n  LOD020  1 failure\n  VAL001  1 error\n"+
			"  CMP005  30 warnings\nsee all so\n") {
		t.Errorf("got\n%s", got)
	}
	if failed, e, w := strings.Index(got, "LOD020: f"), strings.Index(got, "VAL001: e"),
		strings.Index(got, "w0"); failed != strings.Index(got, "LOD020") || failed > e || e > w {
		t.Errorf("got\n%s", got)
	}
}
