package rules_test

import (
	"strings"
	"testing"

	"github.com/flowmcp/fmcp/pkg/ordjson"
	"github.com/flowmcp/fmcp/pkg/record"
	"github.com/flowmcp/fmcp/pkg/rules"
	"github.com/flowmcp/fmcp/pkg/sharedlist"
)

// Which enums VAL107 takes for copies, and which column of which list it names.
func TestCopiedLists(t *testing.T) {
	lists := &sharedlist.Lists{}
	for _, text := range []string{
		`{"meta":{"name":"feeds","version":"1.0.0","fields":[{"key":"pair","type":"string"},{"key":"chain","type":"string"},{"key":"risk","type":"string"}]},"entries":[
			{"pair":"BTC/USD","chain":"ETH","risk":"low"},{"pair":"ETH/USD","chain":"ETH","risk":"high"},{"pair":"BTC/EUR","chain":"POL","risk":"low"},
			{"pair":"ETH/EUR","chain":"ARB","risk":"low"},{"pair":"POL/USD","chain":"OPT","risk":"low"},{"pair":"ARB/USD","chain":"BASE","risk":"high"}]}`,
		`{"meta":{"name":"chains","version":"1.0.0","fields":[{"key":"slug","type":"string","optional":true},{"key":"alias","type":"string"},{"key":"otherSlug","type":"string","optional":true},{"key":"test","type":"boolean"}]},"entries":[
			{"slug":"ETH","alias":"ETH","otherSlug":"ETH","test":false},{"slug":"POL","alias":"POL","otherSlug":"POL","test":false},{"slug":"ARB","alias":"ARB","otherSlug":"ARB","test":false},
			{"slug":"OPT","alias":"OPT","otherSlug":"OPT","test":true},{"slug":"BASE","alias":"BASE","otherSlug":"BASE","test":true},{"slug":"GNO","alias":"GNO","otherSlug":"GNO","test":true},{"alias":"CELO","test":true}]}`,
		`{"meta":{"name":"assets","version":"1.0.0","fields":[{"key":"slug","type":"string"}]},"entries":[{"slug":"LINEA"},
			{"slug":"OPT"},{"slug":"BASE"},{"slug":"POL"},{"slug":"ETH"},{"slug":"BTC"},{"slug":"XRP"},{"slug":"ADA"},
			{"slug":"LTC"},{"slug":"ZEC"}]}`,
		`{"meta":{"name":"networks","version":"1.0.0","fields":[{"key":"slug","type":"string"}]},"entries":[{"slug":"LINEA"},
			{"slug":"OPT"},{"slug":"BASE"},{"slug":"POL"},{"slug":"ETH"},{"slug":"GNO"},{"slug":"TRX"},
			{"slug":"DOT"}]}`,
		`{"meta":{"name":"sides","version":"1.0.0","fields":[{"key":"side","type":"string"}]},` +
			`"entries":[{"side":"buy"},{"side":"sell"}]}`,
	} {
		v, err := ordjson.Parse(text)
		if err != nil {
			t.Fatal(err)
		}
		list, problems := sharedlist.NewList(&record.Load{Type: record.TypeList, Data: v})
		if problems != nil {
			t.Fatal(problems)
		}
		if p := lists.Add(list); p != nil {
			t.Fatal(p)
		}
	}
	for _, c := range []struct{ namespace, refs, enum, want string }{
		{"demo", "", "CELO,GNO,BASE,OPT,ARB,POL,ETH", "all 7 values of the field alias of the shared list chains"},
		{"demo", "", "ETH,ETH,CELO,GNO,BASE,OPT,ARB,POL", "all 7 values of the field alias of the shared list chains"},
		{"demo", "", "ETH,CELO,GNO,BASE,OPT", "5 of the 7 values of the field alias of the shared list chains"},
		{"demo", "", "ETH,POL,GNO,BASE,OPT", "5 of the 7 values of the field alias of the shared list chains"},
		{"other", "", "ETH,POL,GNO,BASE,OPT", "5 of the 6 values of the field otherSlug of the shared list chains"},
		{"demo", "", "ETH,POL,ARB,OPT,BASE", "all 5 values of the field chain of the shared list feeds"},
		{"demo", `{"ref":"chains","version":"1.0.0"}`, "ETH,POL,ARB,OPT,BASE",
			"5 of the 7 values of the field alias of the shared list chains"},
		{"demo", "", "ETH,POL,ARB,OPT", ""},       // fewer than 5, and not all
		{"demo", "", "ETH,CELO,GNO,BASE,SOL", ""}, // fewer than 5 of them
		{"demo", "", "ETH,CELO,GNO,BASE,OPT,SOL", "5 of the 7 values of the field alias of the shared list chains"},
		{"demo", "", "SOL,CELO,GNO,BASE,OPT,ARB,POL,ETH", "all 7 values of the field alias of the shared list chains"},
		{"demo", "", "ETH,CELO,GNO,BASE,OPT,SOL,TON", ""}, // two that no list has
		// A list that the schema declares and that lacks one value, before one that lacks none.
		{"demo", `{"ref":"chains","version":"1.0.0"}`, "ETH,POL,GNO,OPT,BASE,LINEA",
			"5 of the 7 values of the field alias of the shared list chains"},
		{"demo", "", "ETH,POL,GNO,OPT,BASE,LINEA", "6 of the 8 values of the field slug of the shared list networks"},
		// Of two lists that have all, the smaller one.
		{"demo", "", "ETH,POL,OPT,BASE,LINEA", "5 of the 8 values of the field slug of the shared list networks"},
		{"demo", "", "buy,sell", "all 2 values of the field side of the shared list sides"},
		{"demo", "", "buy", ""},
		{"demo", "", "low,high", ""},   // kinds of entries, and no list
		{"demo", "", "true,false", ""}, // booleans
	} {
		main, err := ordjson.Parse(`{"namespace":"` + c.namespace + `","version":"4.0.0","sharedLists":[` + c.refs +
			`],"tools":{"get":{"parameters":[
			{"position":{"key":"k","value":"{{USER_PARAM}}","location":"query"},"z":{"primitive":"enum(` + c.enum +
			`)","options":[]}}]}}}`)
		if err != nil {
			t.Fatal(err)
		}
		got := ""
		for _, f := range rules.Check(&record.Load{Type: record.TypeSchema, Data: main, Exports: []string{"main"}},
			&rules.Context{Lists: lists}) {
			if f.Rule.Code == "VAL107" {
				got += f.Message
			}
		}
		if c.want == "" && got != "" || !strings.Contains(got, "repeats "+c.want) && c.want != "" {
			t.Errorf("%s, enum(%s): got %q, want %q", c.namespace, c.enum, got, c.want)
		}
	}
}

// A value of a list that enum() cannot hold keeps the tool out of the catalog
// that fmcp-resolve makes, so that fmcp-validate may not pass it (LOD033).
func TestListValueThatEnumCannotHold(t *testing.T) {
	lists := &sharedlist.Lists{}
	v, err := ordjson.Parse(`{"meta":{"name":"towns","version":"1.0.0","description":"x","fields":[{"key":"name",` +
		`"type":"string","description":"x"}]},"entries":[{"name":"Paris"},{"name":"Paris, Texas"}]}`)
	if err != nil {
		t.Fatal(err)
	}
	list, _ := sharedlist.NewList(&record.Load{Type: record.TypeList, Data: v})
	if p := lists.Add(list); p != nil {
		t.Fatal(p)
	}
	main := `{"sharedLists":[{"ref":"towns","version":"1.0.0"}],` +
		`"tools":{"a":{"parameters":[{"position":{"key":"town","value":"{{USER_PARAM}}","location":"query"},` +
		`"z":{"primitive":"enum({{towns:name}})","options":[]}}]}}}`
	for _, f := range rules.Check(load(t, main), &rules.Context{Lists: lists}) {
		if f.Rule.Code == "LOD033" && f.Pointer == "/tools/a/parameters/0/z/primitive" {
			return
		}
	}
	t.Error("no LOD033 for a value with a comma")
}
