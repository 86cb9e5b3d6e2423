package text

import (
	"testing"

	"github.com/flowmcp/fmcp/pkg/catalog"
	"github.com/flowmcp/fmcp/pkg/model"
)

// TestDocument: a skill as a file says the same to everybody: what it asks for, and
// which calls its text is made with.
func TestDocument(t *testing.T) {
	s := prefilled(t, "\nPrice of {{input:what}}: {{prefill:shop/tool/getPrice}}\n{{prefill:shop/resource/stock}} "+
		"{{prefill:shop/tool/order}} {{prefill:shop/tool/bare}} {{tool:gone}}\n",
		`shop/tool/getPrice {"article":"{{input:what}}"}`, `shop/resource/stock {"query":"byName","name":"tea"}`,
		`shop/tool/order {}`, `shop/tool/bare`, `shop/tool/bare {"twice":1}`)
	s.Inputs = []catalog.Input{{Key: "what", Type: model.InputEnum, Description: "Of what", Required: true,
		Values: []string{"tea", "rice"}}}
	s.Output = "A price"
	const want = "## Inputs\n\nIn the text below `{{input:key}}` stands for the input of that key.\n\n" +
		"| Parameter | Type | Required | Description |\n|---|---|---|---|\n" +
		"| what | one of tea, rice | Yes | Of what |\n\n" +
		"Price of {{input:what}}: [call getPrice_shop with {\"article\":\"{{input:what}}\"}]\n" +
		"[call by_name_stock_shop with {\"name\":\"tea\"}] " +
		"[ERROR: Prefill execution failed: Tool 'shop/tool/order' may change something] " +
		"[call bare_shop with {}] [ERROR: Tool 'gone' not found]\n\n## Output\n\nA price"
	if got := Document(shop(t, s), s); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	if got := Document(shop(t), skill(" Hello ")); got != "Hello" {
		t.Errorf("a plain skill is %q", got)
	}
}
