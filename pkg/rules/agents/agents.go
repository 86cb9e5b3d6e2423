// Package agents holds the rules for the manifests of agents (chapter 06).
package agents

import (
	"github.com/flowmcp/fmcp/pkg/record"
	"github.com/flowmcp/fmcp/pkg/rules/engine"
)

// Families are the rules of this package.
var Families = [][]engine.Rule{agentRules, agentPartRules}

var onAgent = []record.Type{record.TypeAgent}

// agentRules are AGT001–AGT012: the manifest of an agent, its tools and its
// tests (chapters 06 and 09). agentPartRules are the others.
var agentRules = []engine.Rule{
	agent("AGT001", "agent-name", checkAgentName,
		"A manifest exports agent, an object whose name matches ^[a-z][a-z0-9-]*$ and is that of its folder.",
		"The name is the agent's ID and the folder by which the catalog finds it.",
		"Use lower-case letters, digits and hyphens, and name the folder so: agents/crypto-research/agent.mjs."),
	agent("AGT002", "agent-description", agentText("description", "say in a sentence what the agent is for"),
		"agent.description is a string that is not empty.",
		"It is what a catalog shows of the agent.",
		"Say in a sentence what the agent is for."),
	agent("AGT003", "agent-model", checkAgentModel,
		"agent.model is provider/model-name, as OpenRouter writes it.",
		"A model without a provider cannot be routed to one.",
		"Write model: 'anthropic/claude-sonnet-4-5-20250929'."),
	agent("AGT004", "agent-version", checkAgentVersion,
		"agent.version is 'flowmcp/4.0.0'; 'flowmcp/3.0.0' is accepted with a warning.",
		"It says by which version of the specification the manifest is read; it is not the agent's own version.",
		"Write version: 'flowmcp/4.0.0'."),
	agent("AGT005", "agent-system-prompt", agentText("systemPrompt", "say who the agent is and how it behaves: systemPrompt: 'You are …'"),
		"agent.systemPrompt is a string that is not empty.",
		"Without it the agent has no persona and no instructions.",
		"Say who the agent is, what it knows and how it answers."),
	agent("AGT006", "agent-tools", checkAgentTools,
		"agent.tools is an object with at least one entry.",
		"An agent without tools has nothing to execute.",
		"Write tools: { 'coingecko-com/tool/simplePrice': null }."),
	agentCatalog("AGT007", "agent-tool-reference", checkAgentToolReferences,
		"Each key of agent.tools that has a slash is the ID of a tool, namespace/tool/name, that the catalog defines.",
		"A reference that names no tool cannot be loaded, and the agent does not start.",
		"Write the full ID, or correct its namespace or name."),
	agent("AGT008", "agent-tests", checkAgentTests,
		"agent.tests is an array of at least 3 tests.",
		"One basic case, one edge case and one that cuts across providers are the least that shows what the agent can do.",
		"Add tests: { _description, input, expectedTools, expectedContent }."),
	agent("AGT009", "agent-test-input", checkAgentTestInput,
		"Each test of an agent has an input, a string.",
		"The input is the question that the agent is asked; without it there is no test.",
		"Write input: 'What is the current price of Ethereum?'."),
	agent("AGT010", "agent-test-tools", checkAgentTestTools,
		"Each test of an agent has expectedTools, an array that is not empty.",
		"Which tools are called is what a test can decide for certain.",
		"Write expectedTools: [ 'coingecko-com/tool/simplePrice' ]."),
	agent("AGT011", "agent-test-tool-id", checkAgentTestToolIDs,
		"Each entry of expectedTools is the ID of a tool, namespace/tool/name.",
		"Calls are recorded by ID; anything else never matches one.",
		"Write the full ID: 'coingecko-com/tool/simplePrice'."),
	agentWarning("AGT012", "agent-test-variety", checkAgentTestVariety,
		"The tests of an agent expect different combinations of tools.",
		"Tests that all expect the same tools do not show that the agent chooses between them.",
		"Add a question that needs another tool, or several."),
}

func agent(code, name string, check func(*engine.Pass), summary, why, fix string) engine.Rule {
	return engine.Rule{
		Code: code, Name: name, Spec: record.SeverityError, Community: record.SeverityError, Since: "3.0.0", Chapter: "06",
		Summary: summary, Why: why, Fix: fix, From: engine.Spec30, On: onAgent, Whole: code == "AGT001", Check: check,
	}
}

// agentCatalog is agent for a rule that looks at other files.
func agentCatalog(code, name string, check func(*engine.Pass), summary, why, fix string) engine.Rule {
	r := agent(code, name, check, summary, why, fix)
	r.Catalog = true
	return r
}

func agentWarning(code, name string, check func(*engine.Pass), summary, why, fix string) engine.Rule {
	r := agent(code, name, check, summary, why, fix)
	r.Spec, r.Community = record.SeverityWarning, record.SeverityWarning
	return r
}
