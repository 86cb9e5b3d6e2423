package resolve

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/flowmcp/fmcp/pkg/catalog"
	"github.com/flowmcp/fmcp/pkg/record"
)

// Tools and resources of an agent's own are those of a namespace of its name; one
// that cannot be called is left out with the place and the reason.
func TestOwnCallables(t *testing.T) {
	list := &record.Load{Type: record.TypeList, ID: "shared/list/areas", Data: parse(`{"meta":{"name":"areas",` +
		`"version":"1.2.0","fields":[{"key":"slug","type":"string"}]},"entries":[{"slug":"north"},{"slug":"south"}]}`),
		Hashes: record.Hashes{Schema: "01234567", Main: hash, File: hash},
		Src:    record.Source{Path: "_lists/areas.mjs", Root: "cat", FileHash: hash}}
	agent := groupLoad(record.TypeAgent, "clerk/agent/clerk", "agents/clerk/agent.mjs",
		`{"name":"clerk","sharedLists":["areas"],"tools":{`+
			`"ask":{"method":"GET","root":"https://{{host}}.example.com","path":"/","description":"d","parameters":[`+
			`{"position":{"key":"area","value":"{{USER_PARAM}}","location":"query"},`+
			`"z":{"primitive":"enum({{areas:slug}})","options":[]}},`+
			`{"position":{"key":"k","value":"{{SERVER_PARAM:CLERK_KEY}}","location":"query"},`+
			`"z":{"primitive":"string()","options":[]}}]},`+
			`"rootless":{"method":"GET","path":"/","description":"d","parameters":[]},`+
			`"plain":{"method":"GET","root":"http://example.com","path":"/","description":"d","parameters":[]},`+
			`"odd":{"method":"GET","root":"https://example.com","path":"/","description":"d","parameters":[`+
			`{"z":{"primitive":"string()","options":[]}}]}},`+
			`"resources":{"notes":{"source":{"type":"sqlite","path":"notes.db"},"description":"d",`+
			`"queries":{"all":{"sql":"SELECT 1","description":"d","parameters":[]}}}}}`)
	recs, diags := resolveAll(t, Options{}, list, agent)
	var found []string
	for _, d := range diags {
		found = append(found, d.Code+" "+d.Severity.String()+" "+d.Loc.Pointer+" "+strings.Fields(d.Message)[0])
	}
	want := []string{
		"AGT033 error /tools/rootless/root agent.tools.rootless.root:",
		"AGT033 error /tools/plain/root agent.tools.plain.root:",
		"VAL040 error /tools/odd/parameters/0/position agent.tools.odd.parameters[0].position:",
		"LOD041 warning /tools/rootless agent", "LOD041 warning /tools/plain agent", "LOD041 warning /tools/odd agent",
	}
	if got := strings.Join(found, "\n"); got != strings.Join(want, "\n") {
		t.Errorf("got\n%s\nwant\n%s", got, strings.Join(want, "\n"))
	}
	var ids []string
	for _, r := range recs {
		ids = append(ids, r.ID)
		switch rec := catalog.Decode(r).(type) {
		case *catalog.Tool:
			if rec.Root != "https://{{host}}.example.com" || rec.Src.Pointer != "/tools/ask" ||
				rec.Parameters[0].Primitive != "enum(north,south)" ||
				strings.Join(rec.ServerKeys(), " ") != "CLERK_KEY" {
				t.Errorf("%+v", rec)
			}
		case *catalog.Resource:
			if rec.Origin != "inline" || rec.File != "notes.db" || rec.Mode != "in-memory" || rec.Source != "sqlite" {
				t.Errorf("%+v", rec)
			}
		}
	}
	if got := strings.Join(ids, " "); got !=
		"cat shared/list/areas clerk/tool/ask clerk/resource/notes clerk/agent/clerk" {
		t.Error(got)
	}
}

// What an agent defines itself is looked at once, and takes time as it is long: a
// manifest of the largest size has thousands of tools and lists.
func TestHostileOwnTools(t *testing.T) {
	var tools, lists strings.Builder
	for i := range 8000 {
		fmt.Fprintf(&tools, `,"t%d":{"method":"GET","root":"https://example.com","path":"/","description":"d",`+
			`"parameters":[]}`, i)
		fmt.Fprintf(&lists, `,"l%d"`, i)
	}
	agent := groupLoad(record.TypeAgent, "clerk/agent/clerk", "agents/clerk/agent.mjs",
		`{"name":"clerk","sharedLists":[`+lists.String()[1:]+`],"tools":{`+tools.String()[1:]+`}}`)
	resolver, err := NewResolver(Options{})
	if err != nil {
		t.Fatal(err)
	}
	resolver.Add(agent, nil)
	began := time.Now()
	recs, _ := resolver.Resolve()
	n := 0
	for range recs {
		n++
	}
	if took := time.Since(began); n != 8002 || took > 20*time.Second {
		t.Errorf("%d records in %s", n, took)
	}
}
