package resolve

import (
	"slices"
	"strings"
	"testing"

	"github.com/flowmcp/fmcp/pkg/ordjson"
	"github.com/flowmcp/fmcp/pkg/record"
)

func testIndex() *Index {
	var x Index
	enum := param("chain", "{{USER_PARAM}}", "query", "enum({{chains:slug}})")
	contracts := schemaLoad("providers/etherscan/contracts.mjs",
		`{"namespace":"etherscan","sharedLists":[{"ref":"chains","version":"1.0.0","filter":{"key":"slug","exists":true}}],
		"tools":{"getContractAbi":`+aTool("GET", "/a", enum)+`,"getSource":`+aTool("GET", "/b")+`}}`)
	contracts.Handlers = []record.Handler{{Name: "getSource", Stages: []string{"preRequest"}}}
	x.Add(contracts)
	x.Add(schemaLoad("providers/moralis/nft.mjs",
		`{"namespace":"moralis","sharedLists":[{"ref":"chains","version":"1.0.0"}],"tools":{"getNfts":`+
			aTool("GET", "/a")+`}}`))
	x.Add(schemaLoad("providers/moralis/nft2.mjs",
		`{"namespace":"moralis","tools":{"getNfts":`+aTool("GET", "/a")+`}}`))
	x.Add(listLoad("_lists/chains.mjs", chainsList))
	x.Add(listLoad("_lists/testnets.mjs",
		strings.Replace(simpleList("testnets", "1.0.0", "chains@1.2.0"), `"1.2.0"`,
			`"1.2.0","condition":{"field":"test","value":true}`, 1)))
	x.Add(listLoad("_lists/alone.mjs", simpleList("alone", "1.0.0")))
	return &x
}

func TestFind(t *testing.T) {
	tests := []struct {
		id   string
		want string // entries, or code and part of the error
	}{
		{"etherscan/tool/getSource",
			`{"id":"etherscan/tool/getSource","type":"tool","file":"cat/providers/etherscan/contracts.mjs",` +
				`"keyPath":"main.tools.getSource","schema":"etherscan/contracts"}`},
		{"etherscan/contracts",
			`{"id":"etherscan/contracts","type":"schema","file":"cat/providers/etherscan/contracts.mjs",` +
				`"keyPath":"main","schema":"etherscan/contracts"}`},
		{"shared/list/chains", `{"id":"shared/list/chains","type":"list","file":"cat/_lists/chains.mjs",` +
			`"keyPath":"list"}`},
		{"moralis/tool/getNfts",
			`{"id":"moralis/tool/getNfts","type":"tool","file":"cat/providers/moralis/nft.mjs","keyPath":"main.tools.getNfts","schema":"moralis/nft"}
{"id":"moralis/tool/getNfts","type":"tool","file":"cat/providers/moralis/nft2.mjs","keyPath":"main.tools.getNfts","schema":"moralis/nft2"}`},
		{"etherscan/tool/getSorce", "LOD037 did you mean etherscan/tool/getSource"},
		{"ether/tool/getContractAbi", "LOD037 did you mean etherscan/tool/getContractAbi"},
		{"moralis/tool/nothingLikeIt", "LOD037 did you mean moralis/nft, moralis/tool/getNfts, moralis/nft2?"},
		{"nobody/tool/nothing", "LOD037 list all IDs"},
		{"getSource", "ID001 namespace/type/name"},
	}
	x := testIndex()
	for _, tt := range tests {
		entries, err := x.Find(tt.id)
		var lines []string
		for _, e := range entries {
			lines = append(lines, ordjson.Text(e.JSON()))
		}
		if err != nil {
			code, part, _ := strings.Cut(tt.want, " ")
			if codeOf(err) != code || !strings.Contains(err.Error(), part) {
				t.Errorf("%s: %v, want %s", tt.id, err, tt.want)
			}
		} else if got := strings.Join(lines, "\n"); got != tt.want {
			t.Errorf("%s:\n%s\nwant\n%s", tt.id, got, tt.want)
		}
	}
	var empty Index
	if _, err := empty.Find("a/tool/b"); codeOf(err) != "LOD037" {
		t.Errorf("empty index: %v", err)
	}
}

// TestFindOfAgent: what an agent names and its files define, in whatever order they
// come (decision "Prompt files").
func TestFindOfAgent(t *testing.T) {
	loads := []*record.Load{
		groupLoad(record.TypeAgent, "clerk/agent/clerk", "agents/clerk/agent.mjs", `{"name":"clerk","prompts":{
			"units":{"file":"./prompts/weights.mjs"},"compare":{"file":"./prompts/compare.mjs"},
			"gone":{"file":"./prompts/gone.mjs"}},"about":{"content":"x"},"tools":{"own":{"method":"GET"}}}`),
		groupLoad(record.TypeContent, "clerk/content/weights", "agents/clerk/prompts/weights.mjs", `"x"`),
		groupLoad(record.TypePrompt, "clerk/prompt/compare", "agents/clerk/prompts/compare.mjs", `{"content":"x"}`),
	}
	want := map[string]string{
		"clerk/prompt/units":   "agents/clerk/prompts/weights.mjs content",
		"clerk/prompt/compare": "agents/clerk/prompts/compare.mjs prompt",
		"clerk/prompt/about":   "agents/clerk/agent.mjs agent.about",
		"clerk/tool/own":       "agents/clerk/agent.mjs agent.tools.own",
		"clerk/prompt/gone":    "LOD037",
	}
	for range 2 {
		var x Index
		for _, l := range loads {
			x.Add(l)
		}
		for id, want := range want {
			entries, err := x.Find(id)
			got := codeOf(err)
			for _, e := range entries {
				got += strings.TrimPrefix(e.File, "cat/") + " " + e.KeyPath
			}
			if got != want {
				t.Errorf("%s: %q, want %q", id, got, want)
			}
		}
		slices.Reverse(loads)
	}
}

func TestRefs(t *testing.T) {
	tests := []struct{ list, want string }{
		{"chains", `chains (v1.2.0) — 4 entries, 4 fields
  cat/_lists/chains.mjs

Referenced by:
  etherscan/contracts.mjs::getContractAbi   (filter: slug exists, enum: slug)
  etherscan/contracts.mjs::getSource        (filter: slug exists, handlers)
  moralis/nft.mjs                           (all entries, no use found)
  testnets                                  (list, condition: test = true)
`},
		{"shared/list/alone", "alone (v1.0.0) — 1 entry, 1 field\n  cat/_lists/alone.mjs\n\nReferenced by nothing.\n"},
	}
	x := testIndex()
	for _, tt := range tests {
		refs, err := x.Refs(tt.list)
		if got := x.RefsText(tt.list, refs); err != nil || got != tt.want {
			t.Errorf("%s: %v\n%s\nwant\n%s", tt.list, err, got, tt.want)
		}
	}
	refs, _ := x.Refs("chains")
	if got := ordjson.Text(refs[0].JSON()); got != `{"list":"chains","field":"slug","via":"enum",`+
		`"user":"etherscan/contracts.mjs::getContractAbi","id":"etherscan/tool/getContractAbi",`+
		`"file":"cat/providers/etherscan/contracts.mjs","filter":"slug exists"}` {
		t.Error(got)
	}
	if _, err := (&Index{}).Refs("chian"); err == nil ||
		!strings.HasSuffix(err.Error(), "; name the folder that has the lists") {
		t.Errorf("no list at all: %v", err)
	}
	if _, err := x.Refs("chian"); err == nil || !strings.Contains(err.Error(), `did you mean "chains"?`) {
		t.Errorf("unknown list: %v", err)
	}
}
