package rules

import "github.com/flowmcp/fmcp/pkg/record"

// testRules are TST001–TST013: the tests of tools, of resource queries and of
// agents (chapters 10 and 09).
var testRules = []Rule{
	tstLowered("TST001", "tests-count", checkTestCount,
		"Each tool and each resource query has at least 3 tests; of agents AGT008 says it.",
		"Tests show what a tool can do, and its output schema is made of their answers: one basic case, one edge case, one that cuts across.",
		"Write tests: [ { _description, key: value }, … ] with three cases that differ."),
	tst("TST002", "test-description", record.SeverityError, []record.Type{record.TypeSchema, record.TypeAgent}, checkTestDescription,
		"Each test is an object with a _description, a string that is not empty.",
		"Readers learn from it what this combination of values shows.",
		"Write _description: 'USDC on Ethereum'."),
	tst("TST003", "test-required", record.SeverityError, nil, checkTestRequired,
		"Each test gives a value for every required user parameter.",
		"The test cannot be executed: the call is refused before it is sent.",
		"Give the value, or write 'optional()' into z.options."),
	tst("TST004", "test-value", record.SeverityError, nil, checkTestValue,
		"The values of a tool's test pass the z block of their parameter, as those of a call do; of queries RES022 says it.",
		"The test cannot be executed, and shows its readers a value that is refused.",
		"Correct the value, or the z block."),
	tst("TST005", "test-serializable", record.SeverityError, nil, nil,
		"Tests are JSON: no functions, no Date, no undefined.",
		"main is data that can be written as JSON; anything else is lost or changed on the way. fmcp-scan finds it in the source.",
		"Write the value out: '2026-02-17' for a date, null for nothing."),
	tst("TST006", "test-keys", record.SeverityError, nil, checkTestKeys,
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
	tst("TST013", "agent-test-content", record.SeverityInfo, []record.Type{record.TypeAgent}, checkExpectedContent,
		"Each test of an agent has expectedContent, an array of texts that the answer must have.",
		"expectedTools alone says that the right tools were called, not that the answer is of any use.",
		"Write expectedContent: [ 'current price' ]."),
}

func tst(code, name string, severity record.Severity, on []record.Type, check func(*Pass), summary, why, fix string) Rule {
	return Rule{
		Code: code, Name: name, Spec: severity, Community: severity, Since: "3.0.0", Chapter: "10",
		Summary: summary, Why: why, Fix: fix, From: Spec30, On: on, Check: check,
	}
}

// tstLowered is tst for an error that is a warning under community (READINGS 2).
func tstLowered(code, name string, check func(*Pass), summary, why, fix string) Rule {
	r := tst(code, name, record.SeverityError, nil, check, summary, why, fix)
	r.Community = record.SeverityWarning
	return r
}
