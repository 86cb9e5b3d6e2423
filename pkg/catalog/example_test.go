package catalog_test

import (
	"errors"
	"fmt"
	"strings"

	"github.com/flowmcp/fmcp/pkg/catalog"
	"github.com/flowmcp/fmcp/pkg/words"
)

func ExampleParseID() {
	for _, s := range []string{"tidewatch/tool/getTides", "tidewatch/stations", "tidewatch/tols/getTides"} {
		id, err := catalog.ParseID(s)
		var problem *words.Problem
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

// A catalog is read once; each record is parsed when it is asked for, by its ID
// or its MCP name.
func ExampleRead() {
	const text = `{"v":1,"kind":"resolved","id":"tidewatch/tool/getTides","type":"tool","data":{` +
		`"schema":"tidewatch/stations","name":"getTides","wireName":"get_tides_tidewatch","method":"GET",` +
		`"root":"https://api.example.com","path":"/tides","parameters":[]}}` + "\n"
	index, err := catalog.Read(strings.NewReader(text), catalog.ReadOptions{Name: "catalog.ndjson"})
	if err != nil {
		fmt.Println(err)
		return
	}
	tool, err := index.Tool(index.Named("get_tides_tidewatch"))
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(tool.ID, tool.Method, tool.Root+tool.Path)
	// Output:
	// tidewatch/tool/getTides GET https://api.example.com/tides
}
