package catalog_test

import (
	"errors"
	"fmt"

	"github.com/flowmcp/fmcp/pkg/catalog"
)

func ExampleParseID() {
	for _, s := range []string{"tidewatch/tool/getTides", "tidewatch/stations", "tidewatch/tols/getTides"} {
		id, err := catalog.ParseID(s)
		var problem *catalog.Problem
		if errors.As(err, &problem) {
			fmt.Println(problem.Code)
			continue
		}
		fmt.Println(id, id.IsFile())
	}
	// Output:
	// tidewatch/tool/getTides false
	// tidewatch/stations true
	// ID003
}
