package sharedlist

import (
	"strings"
	"testing"

	"github.com/flowmcp/fmcp/pkg/model"
	"github.com/flowmcp/fmcp/pkg/ordjson"
	"github.com/flowmcp/fmcp/pkg/record"
)

// parse reads a JSON text that the test itself wrote.
func parse(text string) ordjson.Value {
	v, err := ordjson.Parse(text)
	if err != nil {
		panic(err)
	}
	return v
}

// hash stands for the hash of a file.
const hash = "sha256:0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef"

func listLoad(file, list string) *record.Load {
	data := parse(list)
	return &record.Load{
		Type: record.TypeList, ID: "shared/list/" + data.Get("meta").Get("name").Str(), Data: data,
		Exports: []string{"list"},
		Src:     record.Source{Path: file, Root: "cat", FileHash: hash},
		Hashes:  record.Hashes{File: hash},
	}
}

const chainsList = `{"meta":{"name":"chains","version":"1.2.0","description":"Chains","fields":[
	{"key":"alias","type":"string","description":"d"},{"key":"id","type":"number","description":"d"},
	{"key":"slug","type":"string","optional":true,"description":"d"},{"key":"test","type":"boolean","description":"d"}]},
	"entries":[
	{"alias":"ethereum","id":1,"slug":"eth","test":false},
	{"alias":"polygon","id":137,"slug":null,"test":false},
	{"alias":"sepolia","id":11155111,"slug":"eth","test":true},
	{"alias":"base","id":8453,"test":false}]}`

// simpleList is a list of one entry that depends on others: "name@version".
func simpleList(name, version string, dependsOn ...string) string {
	deps := make([]string, len(dependsOn))
	for i, d := range dependsOn {
		ref, v, _ := strings.Cut(d, "@")
		deps[i] = `{"ref":"` + ref + `","version":"` + v + `"}`
	}
	return `{"meta":{"name":"` + name + `","version":"` + version +
		`","fields":[{"key":"k","type":"string"}],"dependsOn":[` +
		strings.Join(deps, ",") + `]},"entries":[{"k":"v"}]}`
}

// listsOf makes the lists of a catalog; their files are named after them.
func listsOf(t testing.TB, texts ...string) *Lists {
	t.Helper()
	var ls Lists
	for _, text := range texts {
		name := parse(text).Get("meta").Get("name").Str()
		l, problems := NewList(listLoad("_lists/"+name+".mjs", text))
		if len(problems) > 0 {
			t.Fatal(problems)
		}
		if p := ls.Add(l); p != nil {
			t.Fatal(p)
		}
	}
	return &ls
}

// refsOf reads a sharedLists array.
func refsOf(text string) []model.ListRef {
	return model.NewSchema(parse(`{"sharedLists":` + text + `}`)).SharedLists()
}
