package rules_test

import (
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/flowmcp/fmcp/pkg/record"
	"github.com/flowmcp/fmcp/pkg/rules"
)

// resourceOf is a main whose one resource db has the given fields.
func resourceOf(version, fields string) string {
	return mainOf(version, `"tools":{},"resources":{"db":{`+fields+`}}`)
}

const (
	oneQuery = `"queries":{"byId":{"sql":"SELECT 1","description":"d","parameters":[],` +
		`"output":{"mimeType":"application/json","schema":{"type":"array"}},"tests":[{"_description":"d"}]}}`
	getSchema = `"queries":{"getSchema":{"sql":"SELECT 1","description":"d","parameters":[],` +
		`"output":{"mimeType":"application/json","schema":{"type":"array"}},"tests":[{"_description":"d"}]}}`
	inMemory  = `"source":"sqlite","mode":"in-memory","origin":"global","name":"demo.db","description":"d",` + oneQuery
	fileBased = `"source":"sqlite","mode":"file-based","origin":"project","name":"demo.db","description":"d",`
)

func TestResourceFile(t *testing.T) {
	for _, c := range []struct{ name, fields, stored, want string }{
		{"not known", inMemory, "", ""},
		{"there", inMemory, "global/demo.db", ""},
		{"not there", inMemory, "project/demo.db", "RES020 warning /resources/db/name"},
		{"leads elsewhere", strings.Replace(inMemory, "demo.db", "../demo.db", 1), "project/demo.db",
			"RES027 error /resources/db/name"},
		{"no origin", strings.Replace(inMemory, "global", "disk", 1), "project/demo.db",
			"RES026 error /resources/db/origin"},
		{"to be made by hand", fileBased + oneQuery, "global/demo.db", "RES020 warning /resources/db/name"},
		{"made by hand", fileBased + oneQuery, "project/demo.db", "RES042 info /resources/db/queries"},
		{"to be made on the first run", fileBased + getSchema, "global/demo.db", ""},
	} {
		ctx := &rules.Context{}
		if c.stored != "" {
			ctx.Stored = func(origin, name string) bool { return c.stored == origin+"/"+name }
		}
		if got := found(rules.Check(load(t, resourceOf("4.0.0", c.fields)), ctx)); got != c.want {
			t.Errorf("%s: got\n%s\nwant\n%s", c.name, got, c.want)
		}
	}
}

// Resources came with version 3; the one lowered rule is RES036.
func TestResourceProfiles(t *testing.T) {
	http := `"source":"http","url":"https://example.com/a.db","cacheTtl":5,"description":"d",` + oneQuery
	for _, c := range []struct {
		name, main string
		ctx        *rules.Context
		want       string
	}{
		{"spec", resourceOf("4.0.0", http), &rules.Context{}, "RES036 error /resources/db/path"},
		{"community", resourceOf("4.0.0", http), &rules.Context{Profile: rules.ProfileCommunity},
			"RES036 warning /resources/db/path"},
		{"version 3", resourceOf("3.0.0", http), &rules.Context{Spec: rules.Spec30}, "RES036 error /resources/db/path"},
		{"version 2", resourceOf("2.0.0", http), &rules.Context{Spec: rules.Spec20},
			"VAL003 error /resources\nVAL016 error /tools"},
	} {
		if got := found(rules.Check(load(t, c.main), c.ctx)); got != c.want {
			t.Errorf("%s: got\n%s\nwant\n%s", c.name, got, c.want)
		}
	}
}

func TestHandlersOfQueries(t *testing.T) {
	for _, c := range []struct {
		handler record.Handler
		want    string
	}{
		{record.Handler{Name: "db/byId", Stages: []string{"postRequest"}}, ""},
		{record.Handler{Name: "db/byId"}, ""},
		{record.Handler{Name: "db"}, ""},
		{record.Handler{Name: "db/byId", Stages: []string{"executeRequest"}},
			`handlers: found "db/byId" with a stage "executeRequest", expected one of postRequest`},
		{record.Handler{Name: "db", Stages: []string{"postRequest"}},
			`handlers: found "db" with a stage "postRequest", expected one of byId`},
		{record.Handler{Name: "db/other", Stages: []string{"postRequest"}},
			`handlers: found "db/other", which is not the name of a tool or resource of this schema: it never runs, ` +
				`and callers get the answer without it`},
	} {
		l := load(t, resourceOf("4.0.0", inMemory))
		l.Exports, l.Handlers = []string{"main", "handlers"}, []record.Handler{c.handler}
		var got []string
		for _, f := range rules.Check(l, &rules.Context{}) {
			if f.Rule.Code == "VAL005" {
				got = append(got, f.Message)
			}
		}
		if strings.Join(got, "\n") != c.want {
			t.Errorf("%+v: got %q, want %q", c.handler, got, c.want)
		}
	}
}

// However much an author writes into a query, there is one finding, it is
// short, and it comes at once.
func TestHostileSQL(t *testing.T) {
	const n = 50_000
	var named, stray strings.Builder
	for i := range n {
		named.WriteString(", :n" + strconv.Itoa(i))
		stray.WriteString(", {{n" + strconv.Itoa(i) + "}}")
	}
	for name, c := range map[string]struct{ sql, code string }{
		"named":       {"SELECT 1" + named.String(), "RES014"},
		"stray":       {"SELECT 1" + stray.String(), "RES014"},
		"parentheses": {strings.Repeat("(", n), "RES029"},
		"statements":  {strings.Repeat("SELECT 1;", n), "RES007"},
		"triggers":    {strings.Repeat("CREATE TRIGGER a BEGIN;", n), "RES029"},
		"quotes":      {"SELECT " + strings.Repeat("''", n) + "'", "RES007"},
	} {
		main := strings.Replace(resourceOf("4.0.0", inMemory), "SELECT 1", c.sql, 1)
		var codes []string
		for _, f := range rules.Check(load(t, main), &rules.Context{}) {
			if f.Rule.Code != "TST001" {
				codes = append(codes, f.Rule.Code)
			}
			if len(f.Message) > 400 {
				t.Errorf("%s: a message of %d bytes", name, len(f.Message))
			}
		}
		if !slices.Equal(codes, []string{c.code}) {
			t.Errorf("%s: found %s, want %s", name, codes, c.code)
		}
	}
}
