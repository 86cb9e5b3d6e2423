package walk

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"testing"

	"github.com/flowmcp/fmcp/pkg/catalog"
	"github.com/flowmcp/fmcp/pkg/module"
	"github.com/flowmcp/fmcp/pkg/ordjson"
	"github.com/flowmcp/fmcp/pkg/record"
)

// What an agent refers to, as authors write it: keys that JavaScript puts first,
// texts that JSON escapes, numbers that it writes in another way, a list that is
// declared and not used, tools in another order than that of their hash.
var hashedFiles = map[string]string{
	"agent.mjs": `export const agent = {
	name: 'chain-watch',
	tools: {
		'\u{1f600}-no/tool/x': { method: 'GET', path: '/', description: 'its own' },
		'zeta-com/tool/ping': null,
		'etherscan-io/tool/getContractAbi': null,
		'etherscan-io/tool/ask': null
	},
	hash: 'sha256:0000'
}`,
	"etherscan-io.mjs": `const shared = { key: 'chain', value: '{{USER_PARAM}}', location: 'query' }
export const main = {
	namespace: 'etherscan-io', name: 'Contracts', version: '3.0.0',
	sharedLists: [
		{ ref: 'unusedList', version: '1.0.0' },
		{ ref: 'evmChains', version: '1.0.0', filter: { key: 'alias', exists: true } }
	],
	tools: {
		getContractAbi: {
			path: '/api', method: 'GET', description: 'ABI of a contract', tests: [],
			parameters: [ { position: shared, z: { primitive: 'enum({{evmChains:alias}})', options: [] } } ],
			output: { mimeType: 'application/json', schema: { type: 'object' } }
		},
		ask: {
			output: { b: 1, 10: 'ten', 9: 'nine', a: [ 1e21, 0.1, -0, 1e-7, , null ], __proto__x: 'é\u2028\ud800"\\' },
			parameters: [], path: "/ask/{{q}}", method: 'POST', meta: { isReadOnly: true }
		}
	}
}`,
	"zeta-com.mjs": `export const main = { namespace: 'zeta-com', tools: { ping: { path: '/ping' } } }`,
}

// runner computes the hashes as chapter 06 writes them down, in JavaScript.
const hashRunner = `
import { createHash } from 'node:crypto'
import { agent } from './agent.mjs'
const SHA256 = (text) => 'sha256:' + createHash('sha256').update(text).digest('hex')
const getToolHash = async (id) => {
	const [namespace, , name] = id.split('/')
	const { main } = await import('./' + namespace + '.mjs')
	const { method, path, parameters, output } = main.tools[name]
	const used = JSON.stringify(parameters ?? []).matchAll(/{{([A-Za-z]+):[A-Za-z]+}}/g)
	const names = [...used].map((m) => m[1])
	return SHA256(JSON.stringify({
		namespace: main.namespace,
		version: main.version,
		tool: { name, method, path, parameters, output },
		sharedListRefs: (main.sharedLists ?? []).filter((r) => names.includes(r.ref)).map(({ ref, version }) => ({ ref, version }))
	}))
}
const tools = {}
const list = []
for (const id of Object.keys(agent.tools).filter((key) => agent.tools[key] === null).sort()) {
	const hash = await getToolHash(id)
	tools[id] = hash
	list.push({ id, hash })
}
console.log(JSON.stringify({ agent: SHA256(JSON.stringify(list)), tools }))
`

func exported(t *testing.T, text, name string) ordjson.Value {
	t.Helper()
	mod, err := module.Tokenize(text).Module()
	if err != nil {
		t.Fatal(err)
	}
	v, err := mod.Value(name)
	if err != nil {
		t.Fatal(err)
	}
	return v
}

// hashes are those of hashedFiles: of the tools by their IDs, and the agent's.
func hashes(t *testing.T) (agent string, tools map[string]string) {
	t.Helper()
	find := func(id catalog.ID) *record.Load {
		text, ok := hashedFiles[id.Namespace+".mjs"]
		if !ok {
			return nil
		}
		return &record.Load{Type: record.TypeSchema, ID: id.Namespace + "/x", Data: exported(t, text, "main")}
	}
	agent, list := AgentHash(exported(t, hashedFiles["agent.mjs"], "agent"), find)
	tools = map[string]string{}
	for _, tool := range list {
		tools[tool.ID] = tool.Hash
	}
	return agent, tools
}

// The texts are what chapter 06 tells to hash, written out by hand; their hashes
// are from another program: printf '%s' TEXT | sha256sum.
func TestAgentHash(t *testing.T) {
	agent, tools := hashes(t)
	texts := []struct{ id, text, hash string }{
		{"etherscan-io/tool/ask", `{"namespace":"etherscan-io","version":"3.0.0","tool":{"name":"ask",` +
			`"method":"POST","path":"/ask/{{q}}","parameters":[],"output":{"9":"nine","10":"ten","b":1,` +
			`"a":[1e+21,0.1,0,1e-7,null,null],"__proto__x":"é` + "\u2028" + `\ud800\"\\"}},"sharedListRefs":[]}`,
			"sha256:701f607660f9895d44a5c47e3010973c820547101f25cb49217b09d4b87e26c6"},
		{"etherscan-io/tool/getContractAbi", `{"namespace":"etherscan-io","version":"3.0.0","tool":{` +
			`"name":"getContractAbi","method":"GET","path":"/api","parameters":[{"position":{"key":"chain",` +
			`"value":"{{USER_PARAM}}","location":"query"},"z":{"primitive":"enum({{evmChains:alias}})",` +
			`"options":[]}}],"output":{"mimeType":"application/json","schema":{"type":"object"}}},` +
			`"sharedListRefs":[{"ref":"evmChains","version":"1.0.0"}]}`,
			"sha256:12794e53c4acf9717c25466db5332a57754dcb664b36d7f9781ccf0e0eb8ce6d"},
		{"zeta-com/tool/ping", `{"namespace":"zeta-com","tool":{"name":"ping","path":"/ping"},"sharedListRefs":[]}`,
			"sha256:fe17c7cffd5d472be81c4168d744b558bafa9287fc729e0d99d8ab8d1379ece8"},
	}
	for _, tt := range texts {
		sum := sha256.Sum256([]byte(tt.text))
		if got := "sha256:" + hex.EncodeToString(sum[:]); got != tt.hash || tools[tt.id] != tt.hash {
			t.Errorf("%s: %s, the text's hash is %s, want %s", tt.id, tools[tt.id], got, tt.hash)
		}
	}
	const want = "sha256:83b33e60037edaa9ada11f3909ac56113d5b97bf8200a27c41d54f0cc496d595"
	if agent != want || len(tools) != len(texts) {
		t.Errorf("agent: %s of %d tools, want %s", agent, len(tools), want)
	}
}

func TestAgentHashOfMissingTools(t *testing.T) {
	agent := exported(t, "export const agent = { tools: { 'a-com/tool/x': null, 'a-com/resource/y': null } }", "agent")
	hash, tools := AgentHash(agent, func(catalog.ID) *record.Load {
		return &record.Load{ID: "a-com/x", Data: exported(t, hashedFiles["zeta-com.mjs"], "main")}
	})
	if hash != "" || len(tools) != 2 || slices.ContainsFunc(tools, func(h HashedTool) bool { return h.Hash != "" }) {
		t.Errorf("%q of %v", hash, tools)
	}
	const none = "sha256:4f53cda18c2baa0c0354bb5f9a3ecbe5ed12ab4d8e11ba873c2f11161202b945" // of []
	if hash, _ := AgentHash(ordjson.NewObject(), nil); hash != none {
		t.Errorf("without tools: %s, want %s", hash, none)
	}
}

// TestAgentHashInNode compares with what JavaScript makes of chapter 06.
func TestAgentHashInNode(t *testing.T) {
	node, err := exec.LookPath("node")
	if err != nil {
		t.Skip("node is not on PATH")
	}
	dir := t.TempDir()
	files := map[string]string{"runner.mjs": hashRunner}
	for name, text := range hashedFiles {
		files[name] = text
	}
	for name, text := range files {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	out, err := exec.CommandContext(t.Context(), node, filepath.Join(dir, "runner.mjs")).Output()
	if err != nil {
		t.Fatal(err)
	}
	var want struct {
		Agent string
		Tools map[string]string
	}
	if err := json.Unmarshal(out, &want); err != nil {
		t.Fatal(err)
	}
	agent, tools := hashes(t)
	if agent != want.Agent || len(tools) != len(want.Tools) {
		t.Errorf("agent: %s of %d tools, Node has %s", agent, len(tools), want.Agent)
	}
	for id, hash := range want.Tools {
		if tools[id] != hash {
			t.Errorf("%s: %s, Node has %s", id, tools[id], hash)
		}
	}
}
