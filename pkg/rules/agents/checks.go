package agents

import (
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/flowmcp/fmcp/pkg/catalog"
	"github.com/flowmcp/fmcp/pkg/edit"
	"github.com/flowmcp/fmcp/pkg/fields"
	"github.com/flowmcp/fmcp/pkg/model"
	"github.com/flowmcp/fmcp/pkg/ordjson"
	"github.com/flowmcp/fmcp/pkg/record"
	"github.com/flowmcp/fmcp/pkg/rules/engine"
	"github.com/flowmcp/fmcp/pkg/walk"
)

// manifest is the manifest that the rules look at.
func manifest(p *engine.Pass) model.Agent { return model.Agent{Node: p.Root} }

func checkAgentName(p *engine.Pass) {
	if !p.Root.Is(ordjson.Object) {
		p.NoExport("agent", "write export const agent = { name: '…', … }")
		return
	}
	if p.Export != "agent" {
		p.ReportAs(min(record.SeverityWarning, p.Severity()), p.Root,
			"is read as the agent; expected an export named agent", "rename main to agent")
	}
	name := p.Root.Get("name").Str()
	folder := ""
	if path.Base(filepath.ToSlash(p.Load.Src.Path)) == engine.ManifestName {
		folder = walk.Folder(p.Load.Src)
	}
	switch {
	case catalog.IsNamespace(name) && folder != "" && folder != name:
		fix := "rename the folder to " + name
		if catalog.IsNamespace(folder) {
			fix += ", or write name: '" + folder + "'"
		}
		p.Report(p.Root.At("name"), "found "+engine.Quote(name)+", expected "+engine.Quote(folder)+
			", the name of the agent's folder", fix)
	}
}

// Chapter 06, "version".
func checkAgentVersion(p *engine.Pass) {
	p.ExpectVersion(fields.Agent.Known(), "flowmcp/4.0.0", "flowmcp/3.0.0")
}

func checkAgentTools(p *engine.Pass) {
	tools := p.Root.Get("tools")
	const example = "write tools: { 'namespace/tool/name': null }"
	switch {
	case tools.Is(ordjson.Object) && tools.Len() > 0:
	case tools.Is(ordjson.Array) && tools.Len() > 0:
		// The catalogs of the field have arrays (decision "Agent members").
		fix := example
		if id := tools.Elems()[0].Str(); id != "" {
			fix = "write tools: { '" + id + "': null, … }"
		}
		at := p.Root.At("tools")
		p.ReportAs(p.Lenient(), at, engine.Found(tools)+", expected an object whose keys are the IDs", fix).
			Fixed(true, keyed(at)...)
	case tools.Is(ordjson.Object):
		p.Report(p.Root.At("tools"), "found an empty object, expected at least one tool", example)
	default:
		p.Expect(p.Root, "tools", fields.Agent.Known(), "an object with at least one tool", example)
	}
}

// keyed makes an object of an array of different IDs, none where it is not one.
func keyed(ids *model.Node) []edit.Change {
	var members []ordjson.Member
	seen := &model.NameSet{}
	for _, e := range ids.Elems() {
		if e.Str() == "" || seen.Has(e.Str()) {
			return nil
		}
		seen.Add(e.Str())
		members = append(members, ordjson.Field(e.Str(), ordjson.NewNull()))
	}
	return []edit.Change{engine.SetValue(ids, ordjson.NewObject(members...))}
}

func checkAgentToolReferences(p *engine.Pass) {
	for _, m := range manifest(p).Members("tools") {
		switch {
		case m.Inline(): // AGT019
		case m.Ref == "":
			p.Report(m.Node, engine.Found(m.Value)+", expected the ID of a tool", "write 'namespace/tool/name'")
		default:
			p.Reference(m.Node, m.Ref, engine.TypeTool)
		}
	}
}

func checkAgentTests(p *engine.Pass) {
	tests := p.Root.Get("tests")
	if n := tests.Len(); tests.Is(ordjson.Array) && n < engine.MinTests {
		fix := "add " + strconv.Itoa(engine.MinTests-n) + " more that need other tools"
		if n == 0 {
			fix = testsExample
		}
		p.Report(p.Root.At("tests"), engine.Found(tests)+", expected at least "+strconv.Itoa(engine.MinTests)+
			" tests", fix)
	}
}

func checkAgentTestToolIDs(p *engine.Pass) {
	// The IDs of the manifest show what a bare name was meant to be.
	const most = 200 // that each is compared with
	var ids []string
	for _, m := range manifest(p).Members("tools") {
		if m.Ref != "" && len(ids) < most {
			ids = append(ids, m.Ref)
		}
	}
	for _, t := range manifest(p).Tests() {
		for _, e := range t.At("expectedTools").Items() {
			if !e.Is(ordjson.String) {
				p.Report(e, engine.Found(e.Value)+", expected the ID of a tool", "write 'namespace/tool/name'")
				continue
			}
			p.ReferenceForm(e, e.Str(), engine.TypeTool, ids)
		}
	}
}

func checkAgentTestVariety(p *engine.Pass) {
	combinations, all := agentCombinations(manifest(p))
	if n := len(manifest(p).Tests()); all && n >= engine.MinTests && len(combinations) == 1 {
		p.Report(p.Root.At("tests"), "found "+strconv.Itoa(n)+" tests that all expect "+combinations[0]+
			", expected different combinations of tools",
			"add a question that needs another tool, or several")
	}
}

// agentCombinations returns the sets of tools that the tests expect, each once,
// and whether every test says what it expects.
func agentCombinations(agent model.Agent) (sets []string, all bool) {
	tests := agent.At("tests").Items()
	for _, t := range tests {
		var ids []string
		for _, e := range t.Get("expectedTools").Elems() {
			ids = append(ids, e.Str())
		}
		if len(ids) == 0 || slices.Contains(ids, "") {
			return nil, false
		}
		slices.Sort(ids)
		if set := strings.Join(slices.Compact(ids), ", "); !slices.Contains(sets, set) {
			sets = append(sets, set)
		}
	}
	return sets, len(tests) > 0
}
