package exec_test

import (
	"context"
	"fmt"
	"strings"

	"github.com/flowmcp/fmcp/pkg/catalog"
	"github.com/flowmcp/fmcp/pkg/exec"
	"github.com/flowmcp/fmcp/pkg/exec/secret"
)

// resolved is what fmcp-resolve writes, with one tool.
const resolved = `{"v":1,"kind":"resolved","id":"tidewatch/tool/getTides","type":"tool","data":{` +
	`"schema":"tidewatch/stations","namespace":"tidewatch","name":"getTides","wireName":"get_tides_tidewatch",` +
	`"method":"GET","root":"https://api.example.com","path":"/tides/{{station}}","headers":{},"parameters":[` +
	`{"key":"station","location":"insert","source":"user","value":"{{USER_PARAM}}","primitive":"string()",` +
	`"options":["min(2)"]},` +
	`{"key":"days","location":"query","source":"user","value":"{{USER_PARAM}}","primitive":"number()",` +
	`"options":["default(2)"]}],"inputSchema":{"type":"object","properties":{}},"src":{"path":"stations.mjs",` +
	`"pointer":"/tools/getTides"}}}` + "\n"

// A tool is found by its ID or its MCP name, its parameters are checked, and a
// dry run shows the request. Whatever happens, the answer is an envelope.
func ExampleCaller_Call() {
	tools, err := exec.ReadCatalog(strings.NewReader(resolved), catalog.ReadOptions{Name: "catalog.ndjson"})
	if err != nil {
		fmt.Println(err)
		return
	}
	caller := &exec.Caller{Env: secret.StandIns()}
	for _, words := range [][]string{{"station=cuxhaven"}, {"station=x", "dayz=3"}} {
		tool, params, err := tools.FindWords("get_tides_tidewatch", words)
		if err != nil {
			fmt.Println(err)
			return
		}
		e := caller.Call(context.Background(), tool, params, exec.Options{DryRun: true})
		fmt.Println(e.Status)
		if e.Status {
			fmt.Println(e.Request.URL)
		}
		for _, m := range e.Messages {
			fmt.Println(m)
		}
	}
	// Output:
	// true
	// https://api.example.com/tides/cuxhaven?days=2
	// false
	// EXE010 getTides: unknown parameter "dayz" (did you mean "days"?); known are station, days
	// EXE012 getTides: parameter "station": expected at least 2 characters, got 1: the string "x"
}
