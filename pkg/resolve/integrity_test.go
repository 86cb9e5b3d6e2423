package resolve

import (
	"strings"
	"testing"

	"github.com/flowmcp/fmcp/pkg/ordjson"
	"github.com/flowmcp/fmcp/pkg/record"
	"github.com/flowmcp/fmcp/pkg/walk"
)

// hashed is what the hash of a tool is of, with one part replaced.
func hashed(t *testing.T, old, with string) walk.HashedTool {
	t.Helper()
	const text = `{"namespace":"a","version":"1.0.0","tool":{"name":"x","method":"GET","path":"/x","parameters":[` +
		`{"position":{"key":"q","value":"{{USER_PARAM}}","location":"query"},` +
		`"z":{"primitive":"string()","options":[]}}],"output":{"mimeType":"text/plain"}},"sharedListRefs":[]}`
	v, err := ordjson.Parse(strings.Replace(text, old, with, 1))
	if err != nil {
		t.Fatal(err)
	}
	return walk.HashedTool{ID: "a/tool/x", Hash: ordjson.Text(v), Hashed: v}
}

// Each part of what is hashed has words of its own where it changes.
func TestChangesOfTools(t *testing.T) {
	parameter := func(key, options string) string {
		return `{"position":{"key":"` + key + `","value":"{{USER_PARAM}}","location":"query"},` +
			`"z":{"primitive":"string()","options":[` + options + `]}}`
	}
	q := parameter("q", "")
	for _, tt := range []struct{ old, with, want string }{
		{q, q + "," + parameter("p", `"optional()"`), "Tool parameters changed (new optional parameter added): p"},
		{q, q + "," + parameter("p", `"default(1)"`), "Tool parameters changed (new optional parameter added): p"},
		{q, q + "," + parameter("p", ""), "Tool parameters changed (new required parameter added): p"},
		{q, q + `,{"position":{"key":"f","value":"fixed","location":"query"}}`,
			"Tool parameters changed (new optional parameter added): f"},
		{q, "", "Tool parameters changed (parameter removed): q"},
		{q, parameter("q", `"min(1)"`), "Tool parameters changed (parameter changed): q"},
		{q, parameter("r", ""), "Tool parameters changed (new required parameter added, parameter removed): r, q"},
		{`"GET"`, `"POST"`, `Tool method changed: "GET", now "POST"`},
		{`"/x"`, `"/y"`, `Tool path changed: "/x", now "/y"`},
		{"text/plain", "image/png", "Tool output changed"},
		{`"version":"1.0.0",`, "", `Tool version changed: "1.0.0", now none`},
		{`"sharedListRefs":[]`, `"sharedListRefs":[{"ref":"l"}]`, `Tool sharedListRefs changed: [], now [{"ref":"l"}]`},
	} {
		was, is := &Integrity{Tools: []walk.HashedTool{hashed(t, "", "")}},
			&Integrity{Tools: []walk.HashedTool{hashed(t, tt.old, tt.with)}}
		changes := is.Changes(was)
		if len(changes) != 1 || len(changes[0].Fields) != 1 || changes[0].Fields[0].text() != tt.want {
			t.Errorf("%s: %+v, want %s", tt.with, changes, tt.want)
		}
		if same := is.Changes(is); same != nil {
			t.Errorf("%s: nothing changed, found %+v", tt.with, same)
		}
	}
}

// A tool that came or went is a change of the agent.
func TestChangesOfTheList(t *testing.T) {
	one, two := walk.HashedTool{ID: "a/tool/x", Hash: "1"}, walk.HashedTool{ID: "b/tool/y", Hash: "2"}
	came := (&Integrity{Tools: []walk.HashedTool{one, two}}).Changes(&Integrity{Tools: []walk.HashedTool{one}})
	if len(came) != 1 || came[0].ID != two.ID || came[0].Expected != "" || came[0].Got != "2" {
		t.Errorf("%+v", came)
	}
	went := (&Integrity{Tools: []walk.HashedTool{two}}).Changes(&Integrity{Tools: []walk.HashedTool{one, two}})
	if len(went) != 1 || went[0].ID != one.ID || went[0].Expected != "1" || went[0].Got != "" {
		t.Errorf("%+v", went)
	}
}

// The samples of chapter 06, "Verification CLI", but for the name of the command.
func TestIntegrityText(t *testing.T) {
	load := &record.Load{Type: record.TypeAgent, ID: "crypto-research/agent/crypto-research"}
	is := &Integrity{Load: load, Stored: "sha256:1", Calculated: "sha256:1", Tools: make([]walk.HashedTool, 5)}
	if got, want := is.Text(nil, false), "Agent \"crypto-research\": 5 tools, all hashes valid\n"; got != want {
		t.Errorf("%s\nwant %s", got, want)
	}
	is.Stored = "sha256:2"
	const want = `Agent "crypto-research": HASH MISMATCH
  - etherscan-io/tool/getContractAbi: expected sha256:abc... got sha256:def...
  - Tool parameters changed (new optional parameter added)
  Recommendation: Review changes and run ` + "`fmcp-resolve agent rehash crypto-research`\n"
	if got := is.Text([]ToolChange{{ID: "etherscan-io/tool/getContractAbi", Expected: "sha256:abc...",
		Got: "sha256:def...", Fields: []FieldChange{{Field: "parameters", How: addedOptional}}}}, true); got != want {
		t.Errorf("%s\nwant %s", got, want)
	}
}
