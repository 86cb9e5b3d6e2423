package text

import (
	"testing"

	"github.com/flowmcp/fmcp/pkg/catalog"
	"github.com/flowmcp/fmcp/pkg/model"
	"github.com/flowmcp/fmcp/pkg/ordjson"
)

// TestInputSchema: an input has as examples the values of the parameter that it
// becomes, where it becomes one as it is.
func TestInputSchema(t *testing.T) {
	s := prefilled(t, "", `shop/tool/getPrice {"article":"{{input:what}}","count":"{{input:n}}","x":"{{input:what}}"}`,
		`shop/tool/getPrice {"article":"{{input:kind}}"}`, `shop/tool/getPrice {"article":"{{input:part}} x"}`,
		`shop/tool/gone {"article":"{{input:part}}"}`, `shop/resource/stock {"query":"{{input:part}}"}`,
		`shop/tool/bare {"article":"{{input:nowhere}}"}`)
	s.Inputs = []catalog.Input{
		{Key: "what", Type: model.InputString, Required: true}, {Key: "n", Type: model.InputNumber},
		{Key: "kind", Type: model.InputEnum, Values: []string{"tea"}}, {Key: "part", Type: model.InputString},
	}
	const want = `{"type":"object","properties":{"what":{"type":"string","examples":["tea","rice"]},` +
		`"n":{"type":"number"},"kind":{"type":"string","enum":["tea"]},"part":{"type":"string"}},"required":["what"]}`
	if got := ordjson.Text(InputSchema(shop(t), s)); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	about := &catalog.Prompt{Text: catalog.Text{Content: "{{input:it}}"}}
	if got := ordjson.Text(InputSchema(shop(t), about)); got != ordjson.Text(catalog.InputSchema(about.Asks())) {
		t.Errorf("of a prompt it is %s", got)
	}
}
