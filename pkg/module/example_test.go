package module_test

import (
	"errors"
	"fmt"

	"github.com/flowmcp/fmcp/pkg/module"
	"github.com/flowmcp/fmcp/pkg/ordjson"
)

// A module is read without running it: pure data comes back as a value.
func ExampleRead() {
	m, err := module.Read(`export const main = { namespace: 'tidewatch', tags: [ 'tides' ], version: '4.' + '0.0' }`)
	if err != nil {
		fmt.Println(err)
		return
	}
	main, err := m.Value("main")
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(m.Exports, ordjson.Text(main))
	// Output:
	// [main] {"namespace":"tidewatch","tags":["tides"],"version":"4.0.0"}
}

// What only running could tell is named, so that the caller can decide whether
// to run it.
func ExampleNotLiteralError() {
	m, err := module.Read(`export const main = { root: process.env.ROOT }`)
	if err != nil {
		fmt.Println(err)
		return
	}
	_, err = m.Value("main")
	var code *module.NotLiteralError
	if errors.As(err, &code) {
		fmt.Println(code.Construct)
	}
	// Output:
	// the name `process`
}
