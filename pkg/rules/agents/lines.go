package agents

import (
	"slices"
	"strconv"
	"strings"

	"github.com/flowmcp/fmcp/pkg/model"
	"github.com/flowmcp/fmcp/pkg/ordjson"
	"github.com/flowmcp/fmcp/pkg/record"
	"github.com/flowmcp/fmcp/pkg/rules/engine"
)

// agentView is a manifest and what was found in it.
type agentView struct {
	model.Agent
	found  map[string][]*record.Diagnostic // by code
	failed map[string][]AgentCheck         // those that are reported
}

// agentLine is a rule in the list of chapter 06, and what the list says where
// there is no finding: what holds, or, not holding, why there was nothing to
// check.
type agentLine struct {
	code string
	say  func(*agentView) (text string, holds bool)
}

// agentLines has the wording of chapter 06, "Validation Output Example".
var agentLines = []agentLine{
	{"AGT001", func(v *agentView) (string, bool) {
		return "name " + engine.Quote(v.Get("name").Str()) + " matches pattern", true
	}},
	{"AGT002", always("description is non-empty")},
	{"AGT003", func(v *agentView) (string, bool) {
		return "model " + engine.Quote(v.Get("model").Str()) + " contains /", true
	}},
	{"AGT004", func(v *agentView) (string, bool) { return "version is " + v.Get("version").Str(), true }},
	{"AGT005", always("systemPrompt is non-empty")},
	{"AGT006", func(v *agentView) (string, bool) {
		return "tools{} has " + entries(v.Get("tools").Len()), true
	}},
	{"AGT007", (*agentView).sayReferences},
	{"AGT008", func(v *agentView) (string, bool) {
		return "tests[] has " + entries(v.Get("tests").Len()) + " (minimum: " + strconv.Itoa(engine.MinTests) +
			")", true
	}},
	{"AGT009", ofTests("all tests have input field")},
	{"AGT010", ofTests("all tests have expectedTools field")},
	{"AGT011", (*agentView).sayToolIDs},
	{"AGT012", (*agentView).sayVariety},
	{"AGT013", ofObject("prompts", "prompts is valid object with file keys")},
	{"AGT014", ofObject("skills", "skills is valid object with file keys")},
	{"AGT015", ofObject("resources", "resources is valid object")},
	{"AGT016", func(v *agentView) (string, bool) {
		if len(v.FileEntries("prompts"))+len(v.FileEntries("skills")) == 0 {
			return "no files referenced", false
		}
		return "all referenced files exist and are .mjs", true
	}},
	{"AGT017", ofFiles("prompts", "no prompt files", "all prompt files export content")},
	{"AGT018", ofFiles("skills", "no skill files", "all skill files export skill")},
	{"AGT019", func(v *agentView) (string, bool) {
		if len(v.InlineTools()) == 0 {
			return "no inline tools defined", false
		}
		return "all inline tools have method, path and description", true
	}},
	{"AGT020", always("no slash keys with non-null values")},
	{"AGT030", func(v *agentView) (string, bool) {
		if v.Get("selections").Len() == 0 {
			return "no selections", false
		}
		return "all selections are valid Selection IDs", true
	}},
	{"AGT031", func(v *agentView) (string, bool) {
		rounds := v.Get("elicitation").Get("maxRounds")
		if !rounds.Exists() {
			return "no elicitation", false
		}
		return "elicitation.maxRounds " + ordjson.Text(rounds) + " is a positive integer", true
	}},
}

func entries(n int) string {
	if n == 1 {
		return "1 entry"
	}
	return strconv.Itoa(n) + " entries"
}

func always(text string) func(*agentView) (string, bool) {
	return func(*agentView) (string, bool) { return text, true }
}

// ofTests is for what is said of every test.
func ofTests(text string) func(*agentView) (string, bool) {
	return func(v *agentView) (string, bool) {
		switch tests := len(v.Tests()); {
		case v.Get("tests").Len() == 0 || !v.Get("tests").Is(ordjson.Array):
			return "tests[] is empty", false
		case tests < v.Get("tests").Len():
			return "not every test is an object", false
		}
		return text, true
	}
}

// ofObject is for an optional object.
func ofObject(field, text string) func(*agentView) (string, bool) {
	return func(v *agentView) (string, bool) {
		if v.Get(field).Len() == 0 {
			return field + " is empty", false
		}
		return text, true
	}
}

// ofFiles is for what is said of all files of a field: nothing, where one of
// them is not there to be looked at.
func ofFiles(field, none, text string) func(*agentView) (string, bool) {
	return func(v *agentView) (string, bool) {
		switch {
		case len(v.FileEntries(field)) == 0:
			return none, false
		case slices.ContainsFunc(v.found["AGT016"],
			func(d *record.Diagnostic) bool { return strings.HasPrefix(d.Loc.Pointer, "/"+field+"/") }):
			return "not every file is there", false
		}
		return text, true
	}
}

func (v *agentView) sayReferences() (string, bool) {
	external := slices.ContainsFunc(v.Members("tools"), func(m model.Member) bool { return m.Ref != "" && !m.Inline() })
	switch {
	case !external:
		return "no external tools", false
	case len(v.found["AGT020"]) > 0 || v.Get("tools").Is(ordjson.Array):
		return "all external tool keys are valid IDs", true
	}
	return "all external tool keys are valid IDs with null values", true
}

func (v *agentView) sayToolIDs() (string, bool) {
	if !slices.ContainsFunc(v.Tests(), func(t *model.Node) bool { return len(t.Get("expectedTools").Elems()) > 0 }) {
		return "no expectedTools entries", false
	}
	return "all expectedTools entries are valid IDs", true
}

func (v *agentView) sayVariety() (string, bool) {
	combinations, all := agentCombinations(v.Agent)
	switch {
	case len(v.found["AGT008"]) > 0:
		return "too few tests to compare", false
	case !all:
		return "not every test says which tools it expects", false
	}
	return "tests cover " + strconv.Itoa(len(combinations)) + " different tool combinations", true
}
