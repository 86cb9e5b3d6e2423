package ordjson_test

import (
	"fmt"

	"github.com/flowmcp/fmcp/pkg/ordjson"
)

// Members keep their order and numbers their digits.
func ExampleParse() {
	v, err := ordjson.Parse(`{"zebra": 1, "apple": [12345678901234567890, 1.50]}`)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(ordjson.Text(v))
	fmt.Println(v.Get("apple").Index(0).NumberText(), v.Get("pear").Exists())
	// Output:
	// {"zebra":1,"apple":[12345678901234567890,1.50]}
	// 12345678901234567890 false
}

// Values do not change: With returns another one.
func ExampleValue_With() {
	v := ordjson.NewObject(ordjson.Field("name", ordjson.NewString("Kiel")))
	fmt.Println(ordjson.Text(v.With("depth", ordjson.NewInt(12))))
	fmt.Println(ordjson.Text(v))
	// Output:
	// {"name":"Kiel","depth":12}
	// {"name":"Kiel"}
}

func ExampleLookup() {
	v, _ := ordjson.Parse(`{"tools": {"getTides": {"path": "/v1/tides"}}}`)
	path, _ := ordjson.Lookup(v, "/tools/getTides/path")
	fmt.Println(path.Str())
	// Output:
	// /v1/tides
}
