package walk

import (
	"strings"
	"testing"

	"github.com/flowmcp/fmcp/pkg/record"
)

func TestDetect(t *testing.T) {
	tests := []struct {
		place, exports string
		want           record.Type
		ns             string
	}{
		{"providers/coingecko-com/simple-price.mjs", "main handlers", record.TypeSchema, "coingecko-com"},
		{"cat/providers/coingecko-com/simple-price.mjs", "handlers main", record.TypeSchema, "coingecko-com"},
		{"providers/a/x.mjs", "", record.TypeSchema, "a"},
		{"providers/a/x.mjs", "default", record.TypeSchema, "a"},
		{"providers/a/deep/er/x.mjs", "main", record.TypeSchema, "a"},
		{"providers/a/old.mjs", "schema", record.TypeSchema, "a"},
		{"_lists/evm-chains.mjs", "list", record.TypeList, ""},
		{"_lists/evm-chains.mjs", "main", record.TypeList, ""},
		{"_lists/evm-chains.mjs", "", record.TypeList, ""},
		{"elsewhere/evm-chains.mjs", "list", record.TypeList, "elsewhere"},
		{"agents/crypto-research/agent.mjs", "agent", record.TypeAgent, "crypto-research"},
		{"agents/crypto-research/agent.mjs", "main", record.TypeAgent, "crypto-research"},
		{"agents/crypto-research/agent.mjs", "", record.TypeAgent, "crypto-research"},
		{"agents/crypto-research/tools.mjs", "", "", "crypto-research"},
		{"agents/crypto-research/tools.mjs", "main", record.TypeSchema, "crypto-research"},
		{"agents/crypto-research/skills/deep-dive.mjs", "skill", record.TypeSkill, "crypto-research"},
		{"agents/crypto-research/skills/deep-dive.mjs", "", record.TypeSkill, "crypto-research"},
		{"agents/crypto-research/prompts/about.mjs", "content", record.TypeContent, "crypto-research"},
		{"agents/crypto-research/prompts/about.mjs", "prompt content", record.TypePrompt, "crypto-research"},
		{"agents/crypto-research/prompts/about.mjs", "", record.TypePrompt, "crypto-research"},
		{"providers/etherscan/prompts/about.mjs", "content", record.TypeContent, "etherscan"},
		{"providers/etherscan/prompts/about.mjs", "", record.TypeContent, "etherscan"},
		{"providers/etherscan/skills/audit.mjs", "content skill", record.TypeSkill, "etherscan"},
		{"etherscan/skills/audit.mjs", "skill", record.TypeSkill, "etherscan"},
		{"etherscan/Contracts.mjs", "main", record.TypeSchema, "etherscan"},
		{"etherscan/Contracts.mjs", "", "", "etherscan"},
		{"selections/evm-research/selection.mjs", "selection", record.TypeSelection, "evm-research"},
		{"selections/evm-research/selection.mjs", "", record.TypeSelection, "evm-research"},
		{"selections/evm-research/contract-analysis.mjs", "selection", record.TypeSelection, "evm-research"},
		{"selections/evm-research/contract-analysis.mjs", "", record.TypeSelection, "evm-research"},
		{"providers/agents/skills/x.mjs", "skill", record.TypeSkill, "agents"},
		{"agents/providers/agent.mjs", "agent", record.TypeAgent, "providers"},
		{"_shared/chains.mjs", "evmChains", "", ""},
		{"providers/a/_shared/util.mjs", "", "", "a"},
		{"_shared/chains.mjs", "main", record.TypeSchema, ""},
		{"x.mjs", "main", record.TypeSchema, ""},
		{"x.mjs", "", "", ""},
		{"scripts/build.mjs", "", "", "scripts"},
		{"registry.json", "", record.TypeRegistry, ""},
		{"cat/registry.json", "", record.TypeRegistry, ""},
		{"providers/a/skills/b/SKILL.md", "", record.TypeSkillMD, "a"},
		{"providers/a/resources/doc.md", "", record.TypeMarkdown, "a"},
		{"providers/a/resources/data.db", "", record.TypeDatabase, "a"},
		{"a/resources/data.sqlite", "", record.TypeDatabase, "a"},
		{"a/x.txt", "", "", "a"},
	}
	for _, tt := range tests {
		exports := strings.Fields(tt.exports)
		if got := Detect(tt.place, exports); got != tt.want {
			t.Errorf("Detect(%q, %v) = %q, want %q", tt.place, exports, got, tt.want)
		}
		if got := Namespace(tt.place); got != tt.ns {
			t.Errorf("Namespace(%q) = %q, want %q", tt.place, got, tt.ns)
		}
	}
	named := File{Root: "scripts", Path: "build.mjs", Named: true}
	if got := named.Detect(nil); got != record.TypeSchema {
		t.Errorf("a named file is %q, want a schema", got)
	}
}

func TestProvider(t *testing.T) {
	for place, want := range map[string]string{
		"aave/aave.mjs": "aave", "moralis-com/eth/nft.mjs": "moralis-com", "v1.1.1/aave/aave.mjs": "aave",
		"providers/aave/aave.mjs": "aave", "aave.mjs": "",
	} {
		if got := Provider(place); got != want {
			t.Errorf("Provider(%s) = %q, want %q", place, got, want)
		}
	}
}
