package resolve

import (
	"slices"
	"testing"

	"github.com/flowmcp/fmcp/pkg/catalog"
	"github.com/flowmcp/fmcp/pkg/record"
)

// TestMembersThatAreNotThere: members of every kind are looked for, and the files
// of what a selection or an agent defines itself. The selection fails for it, and
// takes the skill that is written out in it along.
func TestMembersThatAreNotThere(t *testing.T) {
	selection := groupLoad(record.TypeSelection, "evm/selection/all", "selections/evm/all.mjs",
		`{"tools":["a/tool/none"],"skills":["a/skill/there","a/skill/none",{"name":"mine","content":"c"}],`+
			`"prompts":["a/prompt/there","a/prompt/inside","a/prompt/none","./file.mjs"],"resources":[]}`)
	agent := groupLoad(record.TypeAgent, "clerk/agent/clerk", "agents/clerk/agent.mjs",
		`{"skills":{"greet":{"file":"./greet.mjs"},"lost":{"file":"./lost.mjs"},"a/skill/gone":null},`+
			`"selections":["evm/selection/all",`+
			`"evm/selection/none","evm/selection/bad"]}`)
	bad := groupLoad(record.TypeSelection, "evm/selection/bad", "selections/evm/bad.mjs", `null`)
	skill := &record.Load{Type: record.TypeSkill, ID: "a/skill/there", Data: parse(`{"content":"c"}`),
		Src: record.Source{Path: "providers/a/skills/there.mjs", Root: "cat"}}
	prompt := &record.Load{Type: record.TypePrompt, ID: "a/prompt/there", Data: parse(`{"content":"c"}`),
		Src: record.Source{Path: "providers/a/prompts/there.mjs", Root: "cat"}}
	schema := &record.Load{Type: record.TypeSchema, ID: "a/x",
		Data: parse(`{"namespace":"a","prompts":{"inside":{"name":"inside","content":"c"}}}`),
		Src:  record.Source{Path: "providers/a/x.mjs", Root: "cat"}}
	greet := &record.Load{Type: record.TypeSkill, ID: "clerk/skill/greet", Data: parse(`{"content":"c"}`),
		Src: record.Source{Path: "agents/clerk/greet.mjs", Root: "cat"}}
	recs, diags := resolveAll(t, Options{}, selection, agent, bad, skill, prompt, schema, greet)
	var got []string
	for _, d := range diags {
		if d.Code == catalog.CodeNoMember || d.Code == catalog.CodeNoReference {
			got = append(got, d.Code+" "+d.Severity.String()+" "+d.Loc.Pointer)
		}
		if d.Loc.Pointer == "/tools/0" && d.Message !=
			"Selection evm/selection/all: Reference 'a/tool/none' not found: nothing in the input defines it" {
			t.Error(d.Message)
		}
	}
	slices.Sort(got)
	want := []string{"LOD041 error /selections/1", "LOD041 error /skills/a~1skill~1gone",
		"LOD041 error /skills/lost/file", "LOD041 warning /selections/0", "LOD041 warning /selections/2",
		"SEL003 error /prompts/2", "SEL003 error /prompts/3", "SEL003 error /skills/1", "SEL003 error /tools/0"}
	if !slices.Equal(got, want) {
		t.Errorf("%q\nwant %q", got, want)
	}
	if got := idsOf(recs); slices.Contains(got, "evm/selection/all") || slices.Contains(got, "evm/skill/mine") ||
		!slices.Contains(got, "clerk/agent/clerk") {
		t.Errorf("%q", got)
	}
}

// TestSelectionsFailTogether: one that names a skill of a selection which fails has
// a member that is not there, whatever their order.
func TestSelectionsFailTogether(t *testing.T) {
	first := groupLoad(record.TypeSelection, "a/selection/first", "selections/a/1.mjs",
		`{"skills":["b/skill/mine"]}`)
	second := groupLoad(record.TypeSelection, "b/selection/second", "selections/b/2.mjs",
		`{"skills":[{"name":"mine","content":"c"}],"tools":["b/tool/none"]}`)
	whole := groupLoad(record.TypeSelection, "c/selection/whole", "selections/c/3.mjs",
		`{"skills":[{"name":"mine","content":"c"}]}`)
	for _, loads := range [][]record.Record{{first, second, whole}, {whole, second, first}} {
		recs, diags := resolveAll(t, Options{}, loads...)
		var got []string
		for _, d := range diags {
			got = append(got, d.Code+" "+d.Severity.String()+" "+d.Subject)
		}
		slices.Sort(got)
		want := []string{"SEL003 error b/selection/second", "SEL003 warning a/selection/first"}
		if !slices.Equal(got, want) {
			t.Errorf("%q\nwant %q", got, want)
		}
		if got := idsOf(recs); !slices.Equal(got, []string{"cat", "c/skill/mine", "c/selection/whole"}) {
			t.Errorf("%q", got)
		}
		if n := recs[0].Data.Get("counts").Get("leftOut").NumberText(); n != "2" {
			t.Errorf("%s left out", n)
		}
	}
}

func idsOf(recs []*record.Resolved) []string {
	var ids []string
	for _, r := range recs {
		ids = append(ids, r.ID)
	}
	return ids
}
