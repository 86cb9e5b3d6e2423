package tests

import (
	"github.com/flowmcp/fmcp/pkg/fields"
	"github.com/flowmcp/fmcp/pkg/model"
	"github.com/flowmcp/fmcp/pkg/rules/engine"
)

// objects is the table of the fields of an agent's tests (chapter 10).
var objects = []engine.Objects{
	{In: "tool", Of: fields.Tool, Fields: []engine.Field{
		{Code: "TST001", Name: "tests", Must: engine.Array.As("an array of at least 1 test"), When: isVersion2,
			Fix: "write tests: [ { _description: 'what it shows', key: value } ]"},
		{Code: "TST001", Name: "tests", Must: engine.Array.As("an array of at least 3 tests"), When: isLater,
			Fix: "write tests: [ { _description: 'what it shows', key: value }, … ] with three cases that differ"},
	}},
	{In: "agent.tests[]", Of: fields.AgentTest, Fields: []engine.Field{
		{Code: "TST002", Must: testObject, Fix: "write { _description: 'what it shows', key: value }"},
		{Code: "TST002", Name: engine.TestDescription, Must: engine.Text,
			Fix: "write _description: 'what this test shows'"},
	}},
	{In: ".tests[]", Of: fields.AgentTest, Fields: []engine.Field{
		{Code: "TST013", Name: "expectedContent", Must: engine.Texts.As("an array of texts that the answer must have"),
			Fix: "write expectedContent: [ 'text of the answer' ]"},
	}},
}

var testObject = engine.Object.As("an object with _description and values")

// Version 2 asks for one test, later ones for three.
func isVersion2(p *engine.Pass, _ *model.Node) bool { return p.Spec == engine.Spec20 }

func isLater(p *engine.Pass, _ *model.Node) bool { return p.Spec != engine.Spec20 }
