package exec

import (
	"cmp"
	"strings"
	"testing"

	"github.com/flowmcp/fmcp/pkg/catalog"
	"github.com/flowmcp/fmcp/pkg/exec/secret"
	"github.com/flowmcp/fmcp/pkg/ordjson"
	"github.com/flowmcp/fmcp/pkg/record"
)

func parse(t testing.TB, json string) ordjson.Value {
	t.Helper()
	v, err := ordjson.Parse(json)
	if err != nil {
		t.Fatalf("%s: %v", json, err)
	}
	return v
}

// tool makes a tool of the data of a resolved record.
func tool(t testing.TB, data string) *Tool {
	t.Helper()
	tool, err := toolOf("demo/tool/find", parse(t, data))
	if err != nil {
		t.Fatal(err)
	}
	return tool
}

func toolOf(id string, data ordjson.Value) (*Tool, error) {
	rec := catalog.Decode(&record.Resolved{ID: id, Type: record.TypeTool, Data: data})
	return NewTool(rec.(*catalog.Tool))
}

func readCatalog(text string) (*Catalog, error) {
	return ReadCatalog(strings.NewReader(text), catalog.ReadOptions{Name: "c.ndjson", MaxLine: 1 << 20})
}

// param is one parameter of a resolved record.
func param(key, location, source, value, primitive, options string) string {
	return `{"key":` + quoteJSON(key) + `,"location":"` + location + `","source":"` + source + `","value":` +
		quoteJSON(value) +
		`,"primitive":` + quoteJSON(primitive) + `,"options":[` + options + `]}`
}

func quoteJSON(s string) string { return string(ordjson.AppendString(nil, s)) }

func user(key, location, primitive, options string) string {
	return param(key, location, "user", "{{USER_PARAM}}", primitive, options)
}

// slashed is an insert parameter of the user that keeps its slashes.
func slashed(key, primitive string) string {
	return strings.Replace(user(key, "insert", primitive, ""), `{"key"`, `{"slashes":true,"key"`, 1)
}

func env(vars map[string]string) *secret.Env {
	plant(vars)
	e, err := secret.NewEnv(secret.EnvOptions{Names: []string{"*"}, Getenv: func(k string) string {
		if k == "lower_key" { // which data declares
			return cmp.Or(vars[k], "lower-value")
		}
		return vars[k]
	}})
	if err != nil {
		panic(err)
	}
	return e
}
