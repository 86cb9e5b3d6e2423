package catalog

import (
	"strings"
	"testing"

	"github.com/flowmcp/fmcp/pkg/model"
	"github.com/flowmcp/fmcp/pkg/record"
)

// TestCodec: a record of each type is written as it was read, in the order of
// docs/records.md.
func TestCodec(t *testing.T) {
	const made = `"src":{"path":"a.mjs","pointer":"/tools/x"},"hashes":{"schemaHash":"1","mainHash":"2","fileHash":"3"}`
	for _, want := range []string{
		`"id":"demo","type":"catalog","data":{"name":"demo","version":"1.0.0","description":"d",` +
			`"schemaSpec":"4.2.0","counts":{"schemas":1,"tools":2,"resources":3,"lists":4,"leftOut":5},` +
			`"toolNames":"snake","profile":"spec"}}`,
		`"id":"demo","type":"catalog","data":{"name":"demo","counts":{"schemas":0,"tools":0,"resources":0,"lists":0,` +
			`"leftOut":0},"toolNames":"spec"}}`,
		`"id":"shared/list/seas","type":"list","data":{"name":"seas","version":"1.0.0","description":"d",` +
			`"fields":[{"key":"a"}],"entries":[{"a":1.5}],` + made + `}}`,
		`"id":"zlib","type":"library","data":{"version":"1.0.0","hash":"sha256:1","script":"x"}}`,
		`"id":"a/b","type":"handlers","data":{` + made + `,"source":"s","lists":{"seas":[]},"libraries":["zlib"],` +
			`"profile":"community"}}`,
		`"id":"a/tool/x","type":"tool","data":{"schema":"a/b","namespace":"a","name":"x","wireName":"x_a",` +
			`"description":"","method":"GET","root":"r","path":"/","headers":{"B":"1","A":"2"},` +
			`"parameters":[{"key":"k","location":"insert","source":"user","value":"{{USER_PARAM}}",` +
			`"primitive":"string()","options":[],"slashes":true},` +
			`{"key":"s","location":"query","source":"server","value":"{{SERVER_PARAM:K}}","primitive":"string()",` +
			`"options":["min(1)"]}],"serverParams":["K"],` +
			`"inputSchema":{"type":"object"},"output":{"mimeType":"image/png"},"meta":{"isReadOnly":true},` +
			`"preload":{"ttl":1},"tests":[{"_description":"d"}],` +
			`"handlers":["preRequest"],"tags":["t"],"sharedLists":["seas"],` + made + `}}`,
		`"id":"a/resource/r","type":"resource","data":{"schema":"a/b","namespace":"a","name":"r","description":"d",` +
			`"source":"http","mode":"in-memory","origin":"project","path":"p","url":"u","cacheTtl":60,` +
			`"addon":"gtfs","addonVersion":"1","addonSource":"s","file":"f.db","uri":"flowmcp://a/resource/r",` +
			`"queries":[` +
			`{"name":"q","wireName":"q_r_a","description":"d","sql":"SELECT ?","parameters":[{"key":"k",` +
			`"source":"fixed","value":7,"primitive":"number()","options":[]}],` +
			`"inputSchema":{"type":"object"},"output":{"mimeType":"application/json"},"tests":[],` +
			`"handlers":["postRequest"]},` +
			`{"name":"n","wireName":"n_r_a","description":"d","parameters":[],"inputSchema":{"type":"object"},` +
			`"capability":"c","added":true}],"tags":["t"],` + made + `}}`,
		`"id":"a/prompt/p","type":"prompt","data":{"namespace":"a","name":"p","version":"v","description":"d",` +
			`"scope":{"type":"namespace","of":["a"]},"testedWith":"m/x","dependsOn":["a/tool/x"],` +
			`"references":["a/prompt/q"],"contentFile":"./p.mjs",` +
			`"names":[{"type":"tool","name":"x","id":"a/tool/x"}],"content":"c",` + made + `}}`,
		`"id":"a/skill/s","type":"skill","data":{"namespace":"a","name":"s","description":"",` +
			`"scope":{"type":"agent","of":["b/agent/b"]},"whenToUse":"w","output":"o",` +
			`"requires":{"tools":["a/tool/x"],"resources":["a/resource/r"],"external":["e"]},` +
			`"input":[{"key":"k","type":"enum","description":"d","required":true,"values":["v"]},` +
			`{"key":"n","type":"number","description":"d"}],` +
			`"prefill":[{"tool":"a/tool/x","params":{"k":"{{input:k}}"}},{"tool":"a/tool/y"}],"content":"c",` +
			made + `}}`,
		`"id":"a/skillmd/s","type":"skillmd","data":{"namespace":"a","name":"s","version":"1.0.0","description":"d",` +
			`"tags":["t"],"capabilities":["resource://skills/s/document"],"dependsOn":["b/skillmd/b"],` +
			`"frontmatter":{"name":"s"},"documents":[{"uri":"resource://skills/s/document","title":"s",` +
			`"mimeType":"text/markdown","path":"SKILL.md","hash":"sha256:1","content":"c"},` +
			`{"uri":"resource://skills/s/references/r","ref":"r","mimeType":"text/markdown","path":"references/r.md",` +
			`"hash":"sha256:2","content":"d"}],` + made + `}}`,
		`"id":"a/selection/s","type":"selection","data":{"namespace":"a","name":"s","version":"1.0.0",` +
			`"description":"d","whenToUse":"w","tools":["a/tool/x"],"skills":[],"resources":[],"prompts":["p"],` +
			`"own":["skill y"],"selections":["a/selection/t"],` + made + `}}`,
		`"id":"a/agent/s","type":"agent","data":{"namespace":"a","name":"s","description":"",` +
			`"model":"m","systemPrompt":"p","maxRounds":5,"maxTokens":100,"elicitation":{"enabled":true},` +
			`"tools":[],"skills":[],"resources":[],"prompts":[],"tests":[{"input":"i"}],"hash":"h",` +
			`"toolsHash":"sha256:` + strings.Repeat("0", 64) + `",` + made + `}}`,
	} {
		want = `{"v":1,"kind":"resolved",` + want
		_, rec, _, err := record.Decode(want)
		if err != nil {
			t.Fatalf("%s: %v", want, err)
		}
		if got := string(Encode(Decode(rec.(*record.Resolved))).AppendJSON(nil)); got != want {
			t.Errorf("\n%s, want\n%s", got, want)
		}
	}
}

// TestQueryReads: only a database that is written to can be changed by a query.
func TestQueryReads(t *testing.T) {
	written := &Resource{Source: model.SQLite, Mode: model.FileBased}
	for text, want := range map[string]bool{
		"SELECT 1": true, "WITH x AS (SELECT 1) SELECT * FROM x": true, "INSERT INTO t VALUES (1)": false,
		"WITH x AS (SELECT 1) DELETE FROM t": false,
		"SELECT 'a":                          false, "": false, "SELECT 1; SELECT 2": false, "{{DYNAMIC_SQL}}": false,
	} {
		if got := (&Query{Resource: written, SQL: text}).ReadsOnly(); got != want {
			t.Errorf("%q: %v", text, got)
		}
		for _, r := range []*Resource{
			{Source: model.SQLite, Mode: model.InMemory}, {Source: model.HTTP, Mode: model.FileBased},
			{Source: model.Markdown},
		} {
			if !(&Query{Resource: r, SQL: text}).ReadsOnly() {
				t.Errorf("%s %s %q is written to", r.Source, r.Mode, text)
			}
		}
	}
}
