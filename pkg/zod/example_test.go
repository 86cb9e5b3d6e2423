package zod_test

import (
	"fmt"

	"github.com/flowmcp/fmcp/pkg/ordjson"
	"github.com/flowmcp/fmcp/pkg/zod"
)

func ExampleParse() {
	limit, problems := zod.Parse("number()", []string{"min(1)", "max(50)", "default(10)"})
	fmt.Println(len(problems), limit.Wanted(), limit.Optional())
	fmt.Println(ordjson.Text(limit.JSONSchema()))
	for _, issue := range limit.Check(ordjson.NewInt(60)) {
		fmt.Println(issue.Msg)
	}
	// Output:
	// 0 a number true
	// {"type":"number","minimum":1,"maximum":50,"default":10}
	// expected at most 50, got the number 60
}

// A text from a command line becomes a value of the block's type.
func ExampleSchema_FromText() {
	area, _ := zod.Parse("enum(1,2,3)", nil)
	weight, _ := zod.Parse("number()", nil)
	for _, block := range []*zod.Schema{area, weight} {
		v, err := block.FromText("2")
		fmt.Println(ordjson.Text(v), err)
	}
	// Output:
	// "2" <nil>
	// 2 <nil>
}
