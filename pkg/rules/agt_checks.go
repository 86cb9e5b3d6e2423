package rules

import (
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/flowmcp/fmcp/pkg/catalog"
	"github.com/flowmcp/fmcp/pkg/model"
	"github.com/flowmcp/fmcp/pkg/ordjson"
	"github.com/flowmcp/fmcp/pkg/record"
	"github.com/flowmcp/fmcp/pkg/walk"
)

// The checks of agentRules (agt.go).

// The fields of a manifest and of elicitation; those of its tests are agentTestFields (chapter 06).
var (
	agentFields = []string{
		"name", "description", "version", "model", "systemPrompt", "tools", "tests", "maxRounds", "maxTokens", "prompts", "skills",
		"resources", "sharedLists", "inputSchema", "selections", "elicitation", "hash",
	}
	elicitationFields = []string{"enabled", "maxRounds", "requestedSchemas"}
)

// agent is the manifest that the rules look at.
func (p *Pass) agent() model.Agent { return model.Agent{Node: p.root} }

// agentText is the check of a field that must be a string that is not blank.
func agentText(field, fix string) func(*Pass) {
	return func(p *Pass) { p.expectText(p.root, field, agentFields, fix) }
}

// ManifestName is the file that an agent is defined by (chapter 06, "Directory
// Rules").
const ManifestName = "agent.mjs"

func checkAgentName(p *Pass) {
	if !p.root.Is(ordjson.Object) {
		p.noExport("agent", "write export const agent = { name: '…', … }")
		return
	}
	name := p.root.Get("name").Str()
	folder := ""
	if path.Base(filepath.ToSlash(p.load.Src.Path)) == ManifestName {
		folder = walk.Folder(p.load.Src)
	}
	switch {
	case !catalog.IsNamespace(name):
		p.expect(p.root, "name", agentFields, "lower-case letters, digits and hyphens, a letter first", write("name", toNamespace(name), "write name: 'crypto-research'"))
	case folder != "" && folder != name:
		fix := "rename the folder to " + name
		if catalog.IsNamespace(folder) {
			fix += ", or write name: '" + folder + "'"
		}
		p.report(p.root.At("name"), "found "+quote(name)+", expected "+quote(folder)+", the name of the agent's folder", fix)
	}
}

// noExport reports that a file does not export the object that it is read for.
func (p *Pass) noExport(name, example string) {
	switch {
	case p.exports(name):
		p.report(p.root, found(p.root.Value)+", expected an object", example)
	case len(p.load.Exports) == 0:
		p.reportFile("found no export, expected one named "+name, example)
	default:
		fix := example
		if near, ok := p.speller.Closest(name, p.load.Exports); ok {
			fix = "rename " + near + " to " + name
		} else if p.exports("main") {
			// The manifests of the field are written so.
			fix = "rename main to " + name
		}
		p.reportFile("found the exports "+strings.Join(p.load.Exports, ", ")+", expected one named "+name, fix)
	}
}

func checkAgentModel(p *Pass) {
	text := p.root.Get("model").Str()
	provider, name, ok := strings.Cut(text, "/")
	if !ok || strings.TrimSpace(provider) == "" || strings.TrimSpace(name) == "" {
		fix := "write model: 'anthropic/claude-sonnet-4-5-20250929'"
		if text != "" && !ok {
			fix = "put the provider before it: model: 'provider/" + text + "'"
		}
		p.expect(p.root, "model", agentFields, "provider/model-name", fix)
	}
}

// The versions of manifests (chapter 06, "version"; decision "Versions of primitives").
const (
	agentVersion       = "flowmcp/4.0.0"
	legacyAgentVersion = "flowmcp/3.0.0"
)

func checkAgentVersion(p *Pass) {
	v := p.root.Get("version")
	fix := "write version: '" + agentVersion + "'"
	switch {
	case v.Str() == agentVersion:
	case v.Str() == legacyAgentVersion:
		if p.spec >= Spec42 {
			p.reportAs(min(record.SeverityWarning, p.rule.Severity(p.ctx.profile())), p.root.At("version"), found(v)+", which is deprecated; expected "+quote(agentVersion), fix)
		}
	default:
		p.expect(p.root, "version", agentFields, quote(agentVersion), fix)
	}
}

func checkAgentTools(p *Pass) {
	tools := p.root.Get("tools")
	const example = "write tools: { 'namespace/tool/name': null }"
	switch {
	case tools.Is(ordjson.Object) && tools.Len() > 0:
	case tools.Is(ordjson.Array) && tools.Len() > 0:
		// The catalogs of the field have arrays (decision "Agent members").
		severity := p.rule.Severity(p.ctx.profile())
		if p.community() {
			severity = min(record.SeverityWarning, severity)
		}
		fix := example
		if id := tools.Elems()[0].Str(); id != "" {
			fix = "write tools: { '" + id + "': null, … }"
		}
		p.reportAs(severity, p.root.At("tools"), found(tools)+", expected an object whose keys are the IDs", fix)
	case tools.Is(ordjson.Object):
		p.report(p.root.At("tools"), "found an empty object, expected at least one tool", example)
	default:
		p.expect(p.root, "tools", agentFields, "an object with at least one tool", example)
	}
}

func checkAgentToolReferences(p *Pass) {
	for _, m := range p.agent().Members("tools") {
		switch {
		case m.Inline(): // AGT019
		case m.Ref == "":
			p.report(m.Node, found(m.Value)+", expected the ID of a tool", "write 'namespace/tool/name'")
		default:
			p.reference(m.Node, m.Ref, typeTool)
		}
	}
}

func checkAgentTests(p *Pass) {
	tests := p.root.Get("tests")
	const example = "write tests: [ { _description: '…', input: '…', expectedTools: [ 'namespace/tool/name' ] }, … ]"
	if !tests.Is(ordjson.Array) {
		p.expect(p.root, "tests", agentFields, "an array of at least "+strconv.Itoa(minTests)+" tests", example)
		return
	}
	if n := tests.Len(); n < minTests {
		fix := "add " + strconv.Itoa(minTests-n) + " more that need other tools"
		if n == 0 {
			fix = example
		}
		p.report(p.root.At("tests"), found(tests)+", expected at least "+strconv.Itoa(minTests)+" tests", fix)
	}
}

func checkAgentTestInput(p *Pass) {
	for _, t := range p.agent().Tests() { // TST002 speaks about what is no object
		p.expectText(t, "input", agentTestFields, "write the question as a user would ask it: input: 'What is …?'")
	}
}

func checkAgentTestTools(p *Pass) {
	for _, t := range p.agent().Tests() {
		if v := t.Get("expectedTools"); !v.Is(ordjson.Array) || v.Len() == 0 {
			fix := "write expectedTools: [ 'namespace/tool/name' ]"
			if v.Is(ordjson.String) && v.Str() != "" {
				fix = "write expectedTools: [ '" + v.Str() + "' ]"
			}
			p.expect(t, "expectedTools", agentTestFields, "an array of IDs of tools, one at least", fix)
		}
	}
}

func checkAgentTestToolIDs(p *Pass) {
	// The IDs of the manifest show what a bare name was meant to be.
	const most = 200 // that each is compared with
	var ids []string
	for _, m := range p.agent().Members("tools") {
		if m.Ref != "" && len(ids) < most {
			ids = append(ids, m.Ref)
		}
	}
	for _, t := range p.agent().Tests() {
		for _, e := range t.At("expectedTools").Items() {
			if !e.Is(ordjson.String) {
				p.report(e, found(e.Value)+", expected the ID of a tool", "write 'namespace/tool/name'")
				continue
			}
			p.referenceForm(e, e.Str(), typeTool, ids)
		}
	}
}

func checkAgentTestVariety(p *Pass) {
	combinations, all := agentCombinations(p.agent())
	if n := len(p.agent().Tests()); all && n >= minTests && len(combinations) == 1 {
		p.report(p.root.At("tests"), "found "+strconv.Itoa(n)+" tests that all expect "+combinations[0]+", expected different combinations of tools",
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
