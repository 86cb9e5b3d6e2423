package engine

import (
	"reflect"
	"testing"

	"github.com/flowmcp/fmcp/pkg/record"
)

func TestFamilyText(t *testing.T) {
	f := Family{Text: `all: error, since 3.0.0, chapter 14, from 3.0, on skill

SKL001 skill-export: whole, lowered
A skill file exports an object
named skill.
Why: The export is all that is read: without
it there is no skill.
Fix: Write it.

DEP001 see-SKL005: warning, on agent skill, late, catalog, replaced SKL005
S.
Why: W.
Fix: F.

all: info, since fmcp 0.1, own code

LOD001 unreadable
S.
Why: W.
Fix: F.
`}
	e, w := record.SeverityError, record.SeverityWarning
	both := []record.Type{record.TypeAgent, record.TypeSkill}
	want := []Rule{
		{Code: "SKL001", Name: "skill-export", Spec: e, Community: w, Since: "3.0.0", Chapter: "14",
			Summary: "A skill file exports an object named skill.",
			Why:     "The export is all that is read: without it there is no skill.", Fix: "Write it.",
			From: Spec30, On: both[1:], Whole: true},
		{Code: "DEP001", Name: "see-SKL005", Spec: w, Community: w, Since: "3.0.0", Chapter: "14",
			Summary: "S.", Why: "W.", Fix: "F.", From: Spec30, On: both, Late: true, Catalog: true, Replaced: "SKL005"},
		{Code: "LOD001", Name: "unreadable", Spec: record.SeverityInfo, Community: record.SeverityInfo,
			Since: "fmcp 0.1", Chapter: OwnCode, Summary: "S.", Why: "W.", Fix: "F."},
	}
	got := f.rules()
	if len(got) != len(want) {
		t.Fatalf("read %d rules, want %d", len(got), len(want))
	}
	for i, r := range got {
		if !reflect.DeepEqual(*r, want[i]) {
			t.Errorf("read\n%+v, want\n%+v", *r, want[i])
		}
	}
}
