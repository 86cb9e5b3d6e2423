package resolve

import (
	"slices"
	"testing"

	"github.com/flowmcp/fmcp/pkg/catalog"
	"github.com/flowmcp/fmcp/pkg/record"
)

// TestMembersThatAreNotThere: members of every kind are looked for, and the files
// of what a selection or an agent defines itself.
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
	_, diags := resolveAll(t, Options{}, selection, agent, bad, skill, prompt, schema, greet)
	var got []string
	for _, d := range diags {
		if d.Code == catalog.CodeNoMember {
			got = append(got, d.Severity.String()+" "+d.Loc.Pointer)
		}
	}
	slices.Sort(got)
	want := []string{"error /prompts/2", "error /selections/1", "error /skills/1", "error /skills/a~1skill~1gone",
		"error /skills/lost/file", "error /tools/0", "warning /selections/2"}
	if !slices.Equal(got, want) {
		t.Errorf("%q\nwant %q", got, want)
	}
}
