package compatibility

import (
	"crypto/sha256"
	"encoding/hex"
	"testing"

	"github.com/flowmcp/fmcp/pkg/ordjson"
	"github.com/flowmcp/fmcp/pkg/record"
)

func parse(t *testing.T, text string) ordjson.Value {
	t.Helper()
	v, err := ordjson.Parse(text)
	if err != nil {
		t.Fatal(err)
	}
	return v
}

func hashOf(text string) string {
	sum := sha256.Sum256([]byte(text))
	return "sha256:" + hex.EncodeToString(sum[:])
}

// The texts are what chapter 06, "Per-Tool Hash", tells to hash, written out by
// hand: what the tool is called and calls, the lists that it uses and no
// others, and nothing of its description, tests or handlers.
func TestToolHash(t *testing.T) {
	load := &record.Load{Type: record.TypeSchema, ID: "etherscan-io/contracts", Data: parse(t, `{
		"namespace": "etherscan-io", "name": "Contracts", "version": "3.0.0",
		"sharedLists": [ {"ref": "unusedList", "version": "1.0.0"}, {"ref": "evmChains", "version": "1.0.0", "filter": {"key": "alias", "exists": true}} ],
		"tools": {
			"getContractAbi": {
				"path": "/api", "method": "GET", "description": "ABI of a contract", "tests": [],
				"parameters": [ {"position": {"key": "chain", "value": "{{USER_PARAM}}", "location": "query"}, "z": {"primitive": "enum({{evmChains:alias}})", "options": []}} ],
				"output": {"mimeType": "application/json", "schema": {"type": "object"}}
			},
			"ping": { "method": "GET", "path": "/ping", "parameters": [] }
		}
	}`)}
	for name, want := range map[string]string{
		"getContractAbi": `{"namespace":"etherscan-io","version":"3.0.0","tool":{"name":"getContractAbi",` +
			`"method":"GET","path":"/api",` +
			`"parameters":[{"position":{"key":"chain","value":"{{USER_PARAM}}","location":"query"},` +
			`"z":{"primitive":"enum({{evmChains:alias}})","options":[]}}],` +
			`"output":{"mimeType":"application/json","schema":{"type":"object"}}},` +
			`"sharedListRefs":[{"ref":"evmChains","version":"1.0.0"}]}`,
		"ping": `{"namespace":"etherscan-io","version":"3.0.0","tool":{"name":"ping","method":"GET","path":"/ping",` +
			`"parameters":[]},"sharedListRefs":[]}`,
	} {
		if got, ok := toolHash(load, name); !ok || got != hashOf(want) {
			t.Errorf("toolHash(%s) = %s, %t, want %s", name, got, ok, hashOf(want))
		}
	}
	// The same figure from another program: printf '%s' TEXT | sha256sum.
	const ping = "sha256:c93546c2b85fe1489885e99fb9e6e4f3c5a953efc3abed6184772f277356b42e"
	if got, _ := toolHash(load, "ping"); got != ping {
		t.Errorf("toolHash(ping) = %s, want %s", got, ping)
	}
	if _, ok := toolHash(load, "none"); ok {
		t.Error("a tool that is not there has a hash")
	}
}
