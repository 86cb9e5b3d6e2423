package record_test

import (
	"path/filepath"
	"slices"
	"testing"

	"github.com/flowmcp/fmcp/pkg/record"
)

func TestSeverity(t *testing.T) {
	for sev, name := range map[record.Severity]string{
		record.SeverityOff: "off", record.SeverityInfo: "info", record.SeverityWarning: "warning",
		record.SeverityError: "error",
	} {
		if got, err := record.ParseSeverity(name); err != nil || got != sev || sev.String() != name {
			t.Errorf("%s: %v, %v, %v", name, got, sev, err)
		}
	}
	for _, name := range []string{"", "Error", "fatal"} {
		if got, err := record.ParseSeverity(name); err == nil {
			t.Errorf("%q is read as %v", name, got)
		}
	}
	if !(record.SeverityOff < record.SeverityInfo && record.SeverityInfo < record.SeverityWarning &&
		record.SeverityWarning < record.SeverityError) {
		t.Error("severities do not ascend")
	}
}

func TestDiagnosticCompare(t *testing.T) {
	// Each differs from the one before in the field that decides.
	ordered := []*record.Diagnostic{
		{Loc: record.Loc{Path: "a"}, Code: "Z"},
		{Loc: record.Loc{Path: "b"}, Code: "Y"},
		{Loc: record.Loc{Path: "b", Line: 2}, Code: "X"},
		{Loc: record.Loc{Path: "b", Line: 10}, Code: "W"},
		{Loc: record.Loc{Path: "b", Line: 10, Col: 3}, Code: "V"},
		{Loc: record.Loc{Path: "b", Line: 10, Col: 3, Pointer: "/p"}, Code: "A", Message: "z"},
		{Loc: record.Loc{Path: "b", Line: 10, Col: 3, Pointer: "/p"}, Code: "B", Message: "a"},
		{Loc: record.Loc{Path: "b", Line: 10, Col: 3, Pointer: "/p"}, Code: "B", Message: "b"},
	}
	for i, a := range ordered {
		for j, b := range ordered {
			got := a.Compare(b)
			if (got < 0) != (i < j) || (got > 0) != (i > j) {
				t.Errorf("%d compared with %d is %d", i, j, got)
			}
		}
	}
	shuffled := slices.Clone(ordered)
	slices.Reverse(shuffled)
	slices.SortFunc(shuffled, (*record.Diagnostic).Compare)
	if !slices.Equal(shuffled, ordered) {
		t.Error("sorting does not restore the order")
	}
}

func TestSourceFile(t *testing.T) {
	if got, want := (record.Source{Root: "../cat", Path: "a/b.mjs"}).File(),
		filepath.Join("..", "cat", "a", "b.mjs"); got != want {
		t.Errorf("%q, want %q", got, want)
	}
}

func TestErrorText(t *testing.T) {
	e := &record.Error{Input: "stdin:7", Message: "line is not a record", Code: "LOD020"}
	if got, want := e.Error(), "stdin:7: line is not a record (LOD020)"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
}
