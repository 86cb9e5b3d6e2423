package tests

import (
	"slices"
	"strconv"
	"strings"

	"github.com/flowmcp/fmcp/pkg/model"
	"github.com/flowmcp/fmcp/pkg/ordjson"
	"github.com/flowmcp/fmcp/pkg/rules/engine"
	"github.com/flowmcp/fmcp/pkg/zod"
)

// checkTestDuplicates reports tests that make the call of an earlier one (chapter
// 10, "Resource Query Test Count": each test demonstrates something different),
// where there is another call to make: three tests are asked for even of a tool
// without parameters.
func checkTestDuplicates(p *engine.Pass) {
	eachTested(p, func(t *tested) {
		first := map[string]int{}
		var same []*testCase
		for i, test := range t.tests {
			values := valuesOf(test)
			if _, known := first[values]; known {
				same = append(same, test)
				continue
			}
			first[values] = i
		}
		if !t.whole || len(first) >= t.calls(len(t.tests)) {
			return
		}
		for _, test := range same {
			p.Report(test.Node, "gives the values of tests["+strconv.Itoa(first[valuesOf(test)])+
				"], expected each test to show something different",
				"give other values, as of an edge case, or remove the test")
		}
	})
}

// valuesOf is what a test gives, whatever its keys are called.
func valuesOf(test *testCase) string {
	var values []string
	for _, m := range test.Members() {
		if m.Key != engine.TestDescription {
			values = append(values, strconv.Quote(m.Key)+ordjson.Text(m.Value))
		}
	}
	slices.Sort(values)
	return strings.Join(values, "\n")
}

// calls is how many different calls there are, or most where there are more.
func (t *tested) calls(most int) int {
	n := 1
	for _, f := range t.fields {
		if f.Source == model.User {
			n = min(n*waysOf(f.Z, most), most)
		}
	}
	return n
}

// waysOf is in how many ways a parameter can be given, or most where there are more.
func waysOf(z *zod.Schema, most int) int {
	n := most
	switch z.Type() {
	case zod.Enum:
		if len(z.Lists()) == 0 {
			n = len(z.Values())
		}
	case zod.Boolean:
		n = 2
	}
	if z.Optional() {
		n++
	}
	return n
}
