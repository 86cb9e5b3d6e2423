// Package tests holds the rules for the tests of tools, queries and agents
// (chapter 10).
package tests

import (
	"github.com/flowmcp/fmcp/pkg/record"
	"github.com/flowmcp/fmcp/pkg/rules/engine"
)

// Families are the rules of this package.
var Families = [][]engine.Rule{testRules}

// testRules are TST001–TST013: the tests of tools, of resource queries and of
// agents (chapters 10 and 09). Of what an agent's tests hold, chapter 06 has
// rules of its own, word for word the same (AGT008–AGT012); TST009–TST012 point
// to them, so that one fault is one finding.
var testRules = []engine.Rule{
	tstLowered("TST001", "tests-count", checkTestCount,
		"Each tool and each resource query has at least 3 tests; of agents AGT008 says it.",
		"Tests show what a tool can do, and its output schema is made of their answers: one basic case, one edge case, one that cuts across.",
		"Write tests: [ { _description, key: value }, … ] with three cases that differ."),
	tst("TST002", "test-description", record.SeverityError, []record.Type{record.TypeSchema, record.TypeAgent}, checkTestDescription,
		"Each test is an object with a _description, a string that is not empty.",
		"Readers learn from it what this combination of values shows.",
		"Write _description: 'USDC on Ethereum'."),
	tstLowered("TST003", "test-required", checkTestRequired,
		"Each test gives a value for every required user parameter.",
		"The test cannot be executed: the call is refused before it is sent.",
		"Give the value, or write 'optional()' into z.options."),
	tstLowered("TST004", "test-value", checkTestValue,
		"The values of a tool's test pass the z block of their parameter, as those of a call do; of queries RES022 says it.",
		"The test cannot be executed, and shows its readers a value that is refused.",
		"Correct the value, or the z block."),
	tst("TST005", "test-serializable", record.SeverityError, nil, nil,
		"Tests are JSON: no functions, no Date, no undefined.",
		"main is data that can be written as JSON; anything else is lost or changed on the way. fmcp-scan finds it in the source.",
		"Write the value out: '2026-02-17' for a date, null for nothing."),
	tstLowered("TST006", "test-keys", checkTestKeys,
		"A test has _description and keys of user parameters only.",
		"A key that no parameter has is never sent; fixed and server parameters are set by the runtime.",
		"Correct the key, or remove it."),
	tst("TST007", "test-enum-values", record.SeverityWarning, nil, checkTestVariety,
		"The tests give a parameter that is an enum or a chain more than one of its values.",
		"Values of an enum are what a tool can do differently; one of them does not show it.",
		"Use another of the values in one of the tests."),
	tst("TST008", "test-optional", record.SeverityInfo, nil, checkTestOptional,
		"Each optional parameter is used by a test.",
		"Nobody sees how it is used, or whether it works.",
		"Give it in one of the tests."),
	tstAgent("TST009", "AGT009", "Each test of an agent has an input, a string."),
	tstAgent("TST010", "AGT010", "Each test of an agent has expectedTools, an array that is not empty."),
	tstAgent("TST011", "AGT011", "Each entry of expectedTools is a valid ID."),
	tstAgent("TST012", "AGT012", "The tests of an agent cover different combinations of tools."),
	tst("TST013", "agent-test-content", record.SeverityInfo, []record.Type{record.TypeAgent}, checkExpectedContent,
		"Each test of an agent has expectedContent, an array of texts that the answer must have.",
		"expectedTools alone says that the right tools were called, not that the answer is of any use.",
		"Write expectedContent: [ 'current price' ]."),
	{
		Code: "RES022", Name: "query-test-value", Spec: record.SeverityError, Community: record.SeverityError, Since: "3.0.0", Chapter: "09",
		Summary: "The values of a query's tests pass the z block of their parameter, as those of a call do.",
		Why:     "The test cannot be executed, and shows its readers a value that is refused.",
		Fix:     "Correct the value, or the z block.",
		From:    engine.Spec30,
		Check:   checkQueryTestValue,
	},
}

func tst(code, name string, severity record.Severity, on []record.Type, check func(*engine.Pass), summary, why, fix string) engine.Rule {
	return engine.Rule{
		Code: code, Name: name, Spec: severity, Community: severity, Since: "3.0.0", Chapter: "10",
		Summary: summary, Why: why, Fix: fix, From: engine.Spec30, On: on, Check: check,
	}
}

// tstLowered is tst for an error that is a warning under community: decision "Number of tests"
// says so of TST001, and a test that cannot be executed keeps no tool of the
// field from working.
func tstLowered(code, name string, check func(*engine.Pass), summary, why, fix string) engine.Rule {
	r := tst(code, name, record.SeverityError, nil, check, summary, why, fix)
	r.Community = record.SeverityWarning
	return r
}

// tstAgent is a row for a rule that chapter 06 repeats.
func tstAgent(code, replaced, summary string) engine.Rule {
	severity := record.SeverityError
	if code == "TST012" {
		severity = record.SeverityWarning
	}
	return engine.Rule{
		Code: code, Name: "see-" + replaced, Spec: severity, Community: severity, Since: "3.0.0", Chapter: "10", Summary: summary,
		Why: "Chapter 06 has the same rule as " + replaced + "; two findings would be about one fault.", Fix: "See " + replaced + ".", Replaced: replaced,
	}
}
