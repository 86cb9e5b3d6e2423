// Package describe says what a catalog has, and of one of its tools, queries,
// resources, selections, agents, prompts or skills all that a caller must know.
package describe

import (
	"slices"
	"strings"

	"github.com/flowmcp/fmcp/pkg/exec"
	"github.com/flowmcp/fmcp/pkg/model"
	"github.com/flowmcp/fmcp/pkg/ordjson"
	"github.com/flowmcp/fmcp/pkg/record"
)

// Description is what there is to say of one thing of a catalog.
type Description struct {
	ID, WireName string
	Type         record.Type
	Data         ordjson.Value // of its record, or of the query
	Call         string        // a command line to copy, "" of what cannot be called
	tool         *exec.Tool    // nil of what cannot be called
}

// Of describes what name stands for: a Spec-ID, the ID of a query or an MCP
// name. command is how a call begins: "fmcp-exec -c catalog.ndjson". The errors
// are *exec.Error.
func Of(c *exec.Catalog, name string, command []string) (*Description, error) {
	rec, t, err := c.Describe(name)
	if err != nil {
		return nil, err
	}
	call := func(t *exec.Tool) string {
		return shellLine(append(append(slices.Clone(command), t.ID), example(t)...))
	}
	if t != nil {
		d := &Description{ID: t.ID, WireName: t.WireName, Type: record.TypeTool, Data: t.Data, Call: call(t), tool: t}
		if t.Query != nil {
			d.Type = exec.TypeQuery
		}
		return d, nil
	}
	d := &Description{ID: rec.ID, Type: rec.Type, Data: rec.Data}
	if rec.Type == record.TypeResource {
		if queries, err := c.Queries(rec.ID); err == nil {
			d.Call = call(queries[0])
		}
	}
	return d, nil
}

// example are the parameters of a call: those of the schema's first test, and
// for what is required and not there what stands nearest to a value.
func example(t *exec.Tool) []string {
	var test ordjson.Value
	if tests := t.Data.Get("tests").Elems(); len(tests) > 0 {
		test = tests[0]
	}
	var given []ordjson.Member
	for _, key := range t.UserKeys() {
		v := test.Get(key)
		if !v.Exists() && required(t, key) {
			v = sample(key, property(t, key))
		}
		if v.Exists() {
			given = append(given, ordjson.Field(key, v))
		}
	}
	var list []string
	for _, m := range given {
		if strings.HasPrefix(m.Key, "-") || strings.Contains(m.Key, "=") { // would be read as something else
			return []string{"--params", string(ordjson.Append(nil, ordjson.NewObject(given...)))}
		}
		list = append(list, m.Key+"="+plain(m.Value))
	}
	return list
}

// sample is a value for a parameter of which no test has one.
func sample(key string, prop ordjson.Value) ordjson.Value {
	switch first := prop.Get("enum").Elems(); {
	case prop.Get("examples").Len() > 0:
		return prop.Get("examples").Elems()[0]
	case prop.Get("default").Exists():
		return prop.Get("default")
	case len(first) > 0:
		return first[0]
	}
	switch prop.Get("type").Str() {
	case "number", "integer":
		return ordjson.NewInt(1)
	case "boolean":
		return ordjson.NewBool(true)
	case "array":
		return ordjson.NewArray()
	case "object":
		return ordjson.NewObject()
	}
	return ordjson.NewString(strings.ToUpper(key))
}

// property is the JSON Schema of a parameter.
func property(t *exec.Tool, key string) ordjson.Value {
	return t.Data.Get("inputSchema").Get("properties").Get(key)
}

func required(t *exec.Tool, key string) bool {
	return slices.Contains(record.StringsOf(t.Data.Get("inputSchema").Get("required")), key)
}

// plain is a value as a word of the command line has it.
func plain(v ordjson.Value) string {
	if v.Is(ordjson.String) {
		return v.Str()
	}
	return string(ordjson.Append(nil, v))
}

// shellLine is a command line of words for a POSIX shell.
func shellLine(list []string) string {
	var out []string
	for _, w := range list {
		if w == "" || strings.Trim(w, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_./:,@%+=-") != "" {
			w = "'" + strings.ReplaceAll(w, "'", `'\''`) + "'"
		}
		out = append(out, w)
	}
	return strings.Join(out, " ")
}

// memberFields are the lists of members that selections and agents have.
func memberFields() []string {
	var fields []string
	for _, f := range model.SelectionFields {
		fields = append(fields, f.Field)
	}
	return append(fields, "selections")
}

// JSON is the description as one line of JSON.
func (d *Description) JSON() ordjson.Value {
	list := []ordjson.Member{ordjson.Field("id", ordjson.NewString(d.ID)), ordjson.Field("type", ordjson.NewString(string(d.Type)))}
	add := func(key string, v ordjson.Value) {
		if v.Exists() && (!v.Is(ordjson.Array) || v.Len() > 0) && !(v.Is(ordjson.String) && v.Str() == "") {
			list = append(list, ordjson.Field(key, v))
		}
	}
	add("wireName", ordjson.NewString(d.WireName))
	for _, key := range []string{"description", "whenToUse", "version", "model", "method", "root", "path", "source", "mode", "url", "uri", "sql", "tags", "meta"} {
		add(key, d.Data.Get(key))
	}
	if d.tool != nil {
		add("readOnly", ordjson.NewBool(d.tool.ReadsOnly()))
		add("keys", ordjson.Strings(d.tool.ServerParams))
		add("inputSchema", d.Data.Get("inputSchema"))
		add("output", d.Data.Get("output"))
	}
	var queries []string
	for _, q := range d.Data.Get("queries").Elems() {
		queries = append(queries, d.ID+"/"+q.Get("name").Str())
	}
	add("queries", ordjson.Strings(queries))
	for _, field := range memberFields() {
		add(field, d.Data.Get(field))
	}
	add("call", ordjson.NewString(d.Call))
	add("src", d.Data.Get("src"))
	return ordjson.NewObject(list...)
}
