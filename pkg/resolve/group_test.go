package resolve

import (
	"slices"
	"strings"
	"testing"

	"github.com/flowmcp/fmcp/pkg/catalog"
	"github.com/flowmcp/fmcp/pkg/ordjson"
	"github.com/flowmcp/fmcp/pkg/record"
)

// groupLoad is the load record of a selection or an agent.
func groupLoad(typ record.Type, id, file, data string) *record.Load {
	return &record.Load{
		Type: typ, ID: id, Data: parse(data), Src: record.Source{Path: file, Root: "cat", FileHash: hash},
		Hashes: record.Hashes{Schema: "01234567", Main: hash, File: hash},
	}
}

const groupTail = `,"src":{"path":"FILE","pointer":""},"hashes":{"schemaHash":"01234567","mainHash":"` + hash +
	`","fileHash":"` + hash + `"}}`

// TestGroups: members in any of the forms of decision "Selection members" and of chapter 06 are
// their IDs in the record.
func TestGroups(t *testing.T) {
	const tool = `{"method":"GET","path":"/","description":"d","parameters":[]}`
	members := []*record.Load{
		schemaLoad("providers/a/x.mjs", `{"namespace":"a","root":"https://x.org","tools":{"b":`+tool+`,"c":`+tool+`},`+
			`"prompts":{"p":{"name":"p","content":"c"}}}`),
		{Type: record.TypeSkill, ID: "a/skill/s", Data: parse(`{"content":"c"}`),
			Src: record.Source{Path: "providers/a/skills/s.mjs", Root: "cat"}},
	}
	for _, tt := range []struct {
		typ            record.Type
		id, data, want string
	}{
		{record.TypeSelection, "evm/selection/contracts",
			`{"namespace":"evm","name":"contracts","version":"flowmcp/4.0.0","description":"d","whenToUse":"w",` +
				`"tools":["a/tool/b","a/tool/c"],"skills":["a/skill/s",{"name":"mine","content":"c"}],"resources":[],` +
				`"prompts":{"a/prompt/p":null}}`,
			`{"namespace":"evm","name":"contracts","version":"flowmcp/4.0.0","description":"d","whenToUse":"w",` +
				`"tools":["a/tool/b","a/tool/c"],"skills":["a/skill/s","evm/skill/mine"],"resources":[],` +
				`"prompts":["a/prompt/p"]`},
		{record.TypeAgent, "clerk/agent/clerk",
			`{"name":"clerk","version":"flowmcp/4.0.0","description":"d","model":"m/x","systemPrompt":"s",` +
				`"maxRounds":3,"maxTokens":"many","elicitation":{"enabled":true,"maxRounds":2},` +
				`"tools":{"a/tool/b":null,"own":{"method":"GET","root":"https://x.org","path":"/","description":"d",` +
				`"parameters":[]}},"skills":{"greet":{"file":"./greet.mjs"}},` +
				`"resources":{"a/resource/r":null},"selections":["evm/selection/contracts"],` +
				`"tests":[{"_description":"d"}]}`,
			`{"namespace":"clerk","name":"clerk","version":"flowmcp/4.0.0","description":"d","model":"m/x",` +
				`"systemPrompt":"s","maxRounds":3,"maxTokens":4096,"elicitation":{"enabled":true,"maxRounds":2},` +
				`"tools":["a/tool/b","clerk/tool/own"],"skills":[],` +
				`"resources":["a/resource/r"],"prompts":[],"own":["skill greet"],` +
				`"selections":["evm/selection/contracts"],` +
				`"tests":[{"_description":"d"}],"toolsHash":"` +
				`sha256:ce2c2d35db77a7e41fb62778a6a7e74ff1015d13e31c565d6c43ccf6dc7f2f3a"`},
		{record.TypeAgent, "strange", `{"tools":7,"tests":"x"}`,
			`{"namespace":"strange","name":"strange","description":"","maxRounds":10,"maxTokens":4096,` +
				`"tools":[],"skills":[],"resources":[],` +
				`"prompts":[],"tests":"x"`},
	} {
		all := []record.Record{groupLoad(tt.typ, tt.id, "x/y.mjs", tt.data)}
		for _, l := range members {
			all = append(all, l)
		}
		recs, diags := resolveAll(t, Options{}, all...)
		// Some members of the agent are not there.
		if other := slices.DeleteFunc(diags,
			func(d *record.Diagnostic) bool { return d.Code == catalog.CodeNoMember }); len(other) > 0 {
			t.Fatalf("%s: %v", tt.id, other)
		}
		rec := recs[len(recs)-1]
		if got, want := ordjson.Text(rec.Data),
			tt.want+strings.Replace(groupTail, "FILE", "x/y.mjs", 1); rec.ID != tt.id || rec.Type != tt.typ ||
			got != want {
			t.Errorf("%s %s: %s\nwant %s", rec.ID, rec.Type, got, want)
		}
	}
}

// TestGroupsLeftOut: of two of one ID the first is kept, and what exports
// nothing or had an error is left out.
func TestGroupsLeftOut(t *testing.T) {
	one := groupLoad(record.TypeSelection, "a/selection/b", "selections/a/1.mjs", `{"name":"first"}`)
	two := groupLoad(record.TypeSelection, "a/selection/b", "selections/a/2.mjs", `{"name":"second"}`)
	none := groupLoad(record.TypeAgent, "c/agent/c", "agents/c/agent.mjs", `null`)
	bad := groupLoad(record.TypeSelection, "a/selection/bad", "selections/a/3.mjs", `{}`)
	recs, diags := resolveAll(t, Options{}, one, two, none, bad,
		&record.Diagnostic{Code: "SEL003", Severity: record.SeverityError, Message: "m",
			Loc: record.Loc{Path: bad.Src.File()}})
	if len(recs) != 2 || recs[1].Data.Get("src").Get("path").Str() != "selections/a/1.mjs" ||
		recs[0].Data.Get("counts").Get("leftOut").NumberText() != "3" {
		t.Errorf("%d records, %s", len(recs), ordjson.Text(recs[0].Data))
	}
	var codes []string
	for _, d := range diags {
		codes = append(codes, d.Code+" "+d.Loc.Path)
	}
	if got := strings.Join(codes, ", "); got != "LOD038 cat/agents/c/agent.mjs, LOD031 cat/selections/a/2.mjs" {
		t.Error(got)
	}
}
