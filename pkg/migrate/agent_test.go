package migrate

import "testing"

func TestAgent(t *testing.T) {
	got, err := Agent(`{ "name": "crypto-analyst", "model": "m", "version": "2.0.0", "tools": [ "etherscan/getAbi",
		"etherscan/contracts::getSource", "a/tool/b" ], "prompts": [ { "name": "summary", "file": "./prompts/summary.mjs" } ],
		"tests": [ "analyze BTC", { "input": "x" } ], "sharedLists": [ "evmChains" ] }`)
	const want = `export const agent = {
    name: 'crypto-analyst',
    model: 'm',
    version: 'flowmcp/3.0.0',
    tools: { 'etherscan/tool/getAbi': null, 'etherscan/tool/getSource': null, 'a/tool/b': null },
    prompts: {
        summary: { file: './prompts/summary.mjs' }
    },
    tests: [
        { _description: 'analyze BTC', input: 'analyze BTC' },
        { input: 'x' }
    ],
    sharedLists: ['evmChains']
}
`
	if err != nil || got != want {
		t.Errorf("%v:\n%s", err, got)
	}
	for _, bad := range []string{"", "[]", "{"} {
		if got, err := Agent(bad); err == nil {
			t.Errorf("%q: no error, got %s", bad, got)
		}
	}
}
