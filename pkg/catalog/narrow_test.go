package catalog

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/flowmcp/fmcp/pkg/model"
	"github.com/flowmcp/fmcp/pkg/ordjson"
	"github.com/flowmcp/fmcp/pkg/record"
)

// town is a stream of two catalogs: a has an agent whose selections use each
// other, and b has a list and a library of the names that a has.
func town() []*record.Resolved {
	code := func(id, file string, handlers ...string) Callable {
		return Callable{ID: id, Name: id[strings.LastIndexByte(id, '/')+1:], Schema: file, Handlers: handlers,
			Hashes: record.Hashes{File: "sha256:" + file}}
	}
	tool := func(id, file, method string, lists []string, handlers ...string) *Tool {
		return &Tool{Callable: code(id, file, handlers...), Method: method, SharedLists: lists}
	}
	handlers := func(file string, libraries ...string) *Handlers {
		return &Handlers{Schema: file, Libraries: libraries, Hashes: record.Hashes{File: "sha256:" + file}}
	}
	db := &Resource{ID: "sea/resource/db", Name: "db", Schema: "sea/db", Source: model.SQLite, Mode: model.FileBased,
		Hashes: record.Hashes{File: "sha256:sea/db"}, SharedLists: []string{"areas"}, Queries: []*Query{
			{Callable: Callable{Name: "find", Handlers: []string{"postRequest"}}, SQL: "SELECT 1"},
			{Callable: Callable{Name: "add"}, SQL: "INSERT INTO t VALUES (1)"},
		}}
	group := func(id string, selections []string, own []string, members ...[]string) *Group {
		g := &Group{ID: id, Namespace: id[:strings.IndexByte(id, '/')], Type: record.TypeSelection, Own: own,
			Selections: selections}
		if strings.Contains(id, "/agent/") {
			g.Type, g.SharedLists = record.TypeAgent, []string{"codes"}
		}
		copy(g.Members[:], members)
		return g
	}
	var recs []*record.Resolved
	for _, r := range []Record{
		&Catalog{Name: "a", Counts: Counts{Schemas: 4, Tools: 4, Resources: 1, Lists: 3, LeftOut: 2}},
		&List{ID: "shared/list/areas", Name: "areas", DependsOn: []string{"seas"}},
		&List{ID: "shared/list/seas", Name: "seas"},
		&List{ID: "shared/list/codes", Name: "codes"},
		&Library{Name: "bytes"}, &Library{Name: "dates"},
		handlers("sea/tides", "dates"), handlers("sea/db"), handlers("post/send", "bytes"),
		tool("sea/tool/tides", "sea/tides", "GET", []string{"areas"}, "postRequest"),
		tool("sea/tool/moon", "sea/tides", "GET", nil),
		tool("post/tool/send", "post/send", "POST", []string{"codes"}, "postRequest"),
		tool("pilot/tool/chart", "pilot/agent", "GET", nil),
		db,
		group("trip/selection/all", nil, nil, []string{"sea/tool/tides", "post/tool/send"}, nil,
			[]string{"sea/resource/db"}),
		group("pilot/agent/pilot", []string{"trip/selection/all"}, []string{"tool chart"},
			[]string{"sea/tool/gone"}),
		&Catalog{Name: "b", Counts: Counts{Schemas: 1, Tools: 1, Lists: 1}},
		&List{ID: "shared/list/areas", Name: "areas", Description: "of b"},
		tool("land/tool/map", "land/map", "GET", []string{"areas"}),
	} {
		recs = append(recs, Encode(r))
	}
	recs = slices.Insert(recs, 16, &record.Resolved{ID: "trip/skillmd/guide", Type: record.TypeSkillMD,
		Data: ordjson.NewObject()})
	return recs
}

// narrowed is what a narrowing leaves of records in memory.
func narrowed(n Narrowing, recs []*record.Resolved) ([]*record.Resolved, error) {
	return n.Narrow(func(yield func(*record.Resolved, error) bool) {
		for _, r := range recs {
			if !yield(r, nil) {
				return
			}
		}
	})
}

func TestNarrow(t *testing.T) {
	tests := []struct {
		name string
		n    Narrowing
		want string
	}{
		{"agent by name", Narrowing{Agent: "pilot"},
			"catalog a, list areas, list seas, list codes, library bytes, library dates, handlers sea/tides, " +
				"handlers sea/db, handlers post/send, tool sea/tool/tides, tool post/tool/send, " +
				"tool pilot/tool/chart, resource sea/resource/db [find add], selection trip/selection/all, " +
				"agent pilot/agent/pilot"},
		{"selection", Narrowing{Selection: "trip/selection/all"},
			"catalog a, list areas, list seas, list codes, library bytes, library dates, handlers sea/tides, " +
				"handlers sea/db, handlers post/send, tool sea/tool/tides, tool post/tool/send, " +
				"resource sea/resource/db [find add], selection trip/selection/all"},
		{"agent that only reads", Narrowing{Agent: "pilot/agent/pilot", ReadOnly: true},
			"catalog a, list areas, list seas, list codes, library dates, handlers sea/tides, handlers sea/db, " +
				"tool sea/tool/tides, tool pilot/tool/chart, resource sea/resource/db [find], " +
				"selection trip/selection/all, agent pilot/agent/pilot"},
		{"one tool", Narrowing{Only: []string{"sea/tool/moon"}}, "catalog a, tool sea/tool/moon"},
		{"a namespace", Narrowing{Only: []string{"land/*"}}, "catalog b, list areas of b, tool land/tool/map"},
		{"a query", Narrowing{Only: []string{"*/add"}},
			"catalog a, list areas, list seas, resource sea/resource/db [add]"},
		{"a list", Narrowing{Only: []string{"*/list/seas", "sea/tool/moon"}},
			"catalog a, list seas, tool sea/tool/moon"},
		{"a record of a later type", Narrowing{Only: []string{"trip/skillmd/*"}},
			"catalog a, skillmd trip/skillmd/guide"},
		{"part of an agent", Narrowing{Agent: "pilot", Only: []string{"sea/tool/*"}},
			"catalog a, list areas, list seas, list codes, library dates, handlers sea/tides, tool sea/tool/tides, " +
				"selection trip/selection/all, agent pilot/agent/pilot"},
		{"part of a selection", Narrowing{Agent: "pilot", Selection: "trip/selection/all", Only: []string{"*/send"}},
			"catalog a, list codes, library bytes, handlers post/send, tool post/tool/send, " +
				"selection trip/selection/all, agent pilot/agent/pilot"},
		{"denied, with what it alone needs", Narrowing{Only: []string{"sea/*"}, Deny: []string{"*/tides", "*/db"}},
			"catalog a, tool sea/tool/moon"},
		{"denied query", Narrowing{Agent: "pilot", Deny: []string{"*/add", "*/tool/*"}},
			"catalog a, list areas, list seas, list codes, handlers sea/db, resource sea/resource/db [find], " +
				"selection trip/selection/all, agent pilot/agent/pilot"},
		{"what the user and the configuration want", Narrowing{Only: []string{"sea/*"}, Allow: []string{"*/tool/*"}},
			"catalog a, list areas, list seas, library dates, handlers sea/tides, tool sea/tool/tides, " +
				"tool sea/tool/moon"},
		{"reading", Narrowing{ReadOnly: true}, "catalog a, list areas, list seas, list codes, library dates, " +
			"handlers sea/tides, handlers sea/db, tool sea/tool/tides, tool sea/tool/moon, tool pilot/tool/chart, " +
			"resource sea/resource/db [find], selection trip/selection/all, agent pilot/agent/pilot, " +
			"skillmd trip/skillmd/guide, catalog b, list areas of b, tool land/tool/map"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			recs, err := narrowed(test.n, town())
			if err != nil {
				t.Fatal(err)
			}
			if got := shown(recs); got != test.want {
				t.Errorf("got  %s\nwant %s", got, test.want)
			}
			// What is narrowed once more by the same is what it was.
			again, err := narrowed(test.n, recs)
			if err != nil || shown(again) != test.want {
				t.Errorf("again: %s %v", shown(again), err)
			}
		})
	}
}

// shown are types and IDs, and of a resource its queries.
func shown(recs []*record.Resolved) string {
	var list []string
	for _, r := range recs {
		text := string(r.Type) + " " + strings.TrimPrefix(r.ID, "shared/list/")
		switch rec := Decode(r).(type) {
		case *Resource:
			var names []string
			for _, q := range rec.Queries {
				names = append(names, q.Name)
			}
			text += " [" + strings.Join(names, " ") + "]"
		case *List:
			if rec.Description != "" {
				text += " " + rec.Description
			}
		}
		list = append(list, text)
	}
	return strings.Join(list, ", ")
}

// What records say of others is true of what is left.
func TestNarrowCorrects(t *testing.T) {
	recs, err := narrowed(Narrowing{Agent: "pilot", ReadOnly: true}, town())
	if err != nil {
		t.Fatal(err)
	}
	about := Decode(recs[0]).(*Catalog)
	if want := (Counts{Schemas: 3, Tools: 2, Resources: 1, Lists: 3, LeftOut: 2}); about.Counts != want {
		t.Errorf("counts %+v, want %+v", about.Counts, want)
	}
	if len(about.Narrowed) != 1 || about.Narrowed[0].Agent != "pilot/agent/pilot" || !about.Narrowed[0].ReadOnly {
		t.Errorf("narrowed by %+v", about.Narrowed)
	}
	var groups []*Group
	for _, r := range recs {
		if g, ok := Decode(r).(*Group); ok {
			groups = append(groups, g)
		}
	}
	if got := groups[0].Members[0]; !slices.Equal(got, []string{"sea/tool/tides"}) {
		t.Errorf("members of the selection: %q", got)
	}
	if got := groups[1].Members[0]; !slices.Equal(got, []string{"sea/tool/gone"}) || len(groups[1].Own) != 1 {
		t.Errorf("members of the agent: %q, own %q", got, groups[1].Own)
	}
}

func TestNarrowErrors(t *testing.T) {
	none := []*record.Resolved{town()[0], town()[9]}
	for _, test := range []struct {
		n    Narrowing
		recs []*record.Resolved
		want string
	}{
		{Narrowing{Agent: "pilott"}, nil,
			`--agent pilott: the catalog has no such agent (did you mean "pilot"?); it has pilot`},
		{Narrowing{Agent: "pilot/agent/pilo"}, nil,
			`--agent pilot/agent/pilo: the catalog has no such agent (did you ` +
				`mean "pilot/agent/pilot"?); it has pilot/agent/pilot`},
		{Narrowing{Agent: "pilot"}, none, `--agent pilot: the catalog has no agent`},
		{Narrowing{Selection: "all"}, nil,
			`--selection all: the catalog has no such selection; it has trip/selection/all`},
		{Narrowing{Only: []string{"sea/tool/tide"}}, nil,
			`--only "sea/tool/tide" matches no ID of the catalog (did you mean "sea/tool/tides"?)`},
		{Narrowing{Only: []string{"sae/tool/*"}}, nil,
			`--only "sae/tool/*" matches no ID of the catalog (did you mean "sea/tool/*"?)`},
		{Narrowing{Deny: []string{"sea/tool/tide"}}, nil,
			`--deny "sea/tool/tide" matches no ID of the catalog (did you mean "sea/tool/tides"?)`},
		{Narrowing{Allow: []string{"none/*"}}, nil, `allow "none/*" matches no ID of the catalog`},
		{Narrowing{Deny: []string{"*"}}, nil, `--deny "*": nothing in the catalog is left`},
		{Narrowing{Only: []string{"sea/[a"}}, nil, `--only "sea/[a" is not a glob: a [ has no ]`},
		{Narrowing{Only: []string{"post/*"}, ReadOnly: true}, nil,
			`--only "post/*", --read-only: nothing in the catalog is left`},
		{Narrowing{Selection: "trip/selection/all", Only: []string{"land/*"}}, nil,
			`--selection trip/selection/all, --only "land/*": nothing in the catalog is left`},
	} {
		recs := test.recs
		if recs == nil {
			recs = town()
		}
		_, err := narrowed(test.n, recs)
		var narrow *NarrowError
		if !errors.As(err, &narrow) || err.Error() != test.want {
			t.Errorf("%+v\ngot  %v\nwant %s", test.n, err, test.want)
		}
	}
}

// An Index has what is left, and the names of it alone.
func TestIndexNarrow(t *testing.T) {
	x := read1(t, toolLine("a", "")+resourceLine+toolLine("b", ""))
	y, err := x.Narrow(Narrowing{Only: []string{"a/resource/*"}})
	if err != nil {
		t.Fatal(err)
	}
	if got := strings.Join(y.Names(), " "); got != "by_year_db_a run_sql_db_a" || y.Type("a/tool/find") != "" {
		t.Errorf("%s", got)
	}
	if same, err := x.Narrow(Narrowing{}); same != x || err != nil {
		t.Error("a catalog that is not narrowed is read again")
	}
	bad := read1(t, toolLine("a", "")+`{"v":1,"kind":"resolved","id":"b/tool/x","type":"tool","data":{{}}`+"\n"+
		`{"v":1,"kind":"end","stage":"s","counts":{"resolved":2}}`+"\n")
	if _, err := bad.Narrow(Narrowing{ReadOnly: true}); err == nil || !strings.Contains(err.Error(), "b/tool/x") {
		t.Errorf("a record that cannot be read: %v", err)
	}
}

// What is left out is known with what leaves it out: the first thing that does.
func TestLeftOut(t *testing.T) {
	var b []byte
	for _, r := range town() {
		b = append(r.AppendJSON(b), '\n')
	}
	x := read1(t, string(b))
	for _, test := range []struct {
		n    Narrowing
		want string
	}{
		{Narrowing{}, "map[]"},
		{Narrowing{ReadOnly: true}, "map[post/tool/send:--read-only sea/resource/db/add:--read-only]"},
		{Narrowing{Only: []string{"land/*", "sea/tool/*"}, Deny: []string{"*/moon"}, ReadOnly: true},
			"map[pilot/tool/chart:--only land/*,sea/tool/* post/tool/send:--only land/*,sea/tool/* " +
				"sea/resource/db:--only land/*,sea/tool/* sea/resource/db/add:--only land/*,sea/tool/* " +
				"sea/resource/db/find:--only land/*,sea/tool/* sea/tool/moon:--deny */moon " +
				"trip/skillmd/guide:--only land/*,sea/tool/*]"},
		{Narrowing{Agent: "pilot", Deny: []string{"*/db"}, Allow: []string{"*/*/*", "*/moon"}},
			"map[land/tool/map:--agent pilot sea/resource/db:--deny */db sea/resource/db/add:--deny */db " +
				"sea/resource/db/find:--deny */db sea/tool/moon:--agent pilot trip/skillmd/guide:--agent pilot]"},
	} {
		got, err := x.LeftOut(test.n)
		if err != nil || fmt.Sprint(got) != test.want {
			t.Errorf("%+v: %v\n%v\nwant\n%s", test.n, err, got, test.want)
		}
	}
	if _, err := x.LeftOut(Narrowing{Agent: "none"}); err == nil {
		t.Error("no error for an agent that is not there")
	}
}

// Groups that use each other are in a narrowing once.
func TestNarrowCycle(t *testing.T) {
	recs := town()
	for _, r := range recs {
		if g, ok := Decode(r).(*Group); ok && g.Type == record.TypeSelection {
			g.Selections = []string{"trip/selection/all", "pilot/agent/pilot"}
			*r = *Encode(g)
		}
	}
	left, err := narrowed(Narrowing{Selection: "trip/selection/all"}, recs)
	if err != nil || !strings.Contains(shown(left), "agent pilot/agent/pilot") {
		t.Errorf("%s %v", shown(left), err)
	}
}

// Texts bring along what it takes to deliver them, and no tool that a prompt only
// says that it explains.
func TestNarrowTexts(t *testing.T) {
	skill := &Skill{Text: Text{ID: "trip/skill/plan", Content: "Read {{prompt:sea/about}} and {{seas:alias}}"},
		Tools: []string{"sea/tool/moon"}, Prefill: []Prefill{{Tool: "sea/resource/db/find"}}}
	prompt := &Prompt{Text: Text{ID: "sea/prompt/about", Content: "{{tool:chart}} {{tool:nothing}} {{input:area}}",
		Names: []Name{{"tool", "chart", "pilot/tool/chart"}}}, References: []string{"sea/prompt/more"},
		DependsOn: []string{"sea/tool/tides"}}
	more := &Prompt{Text: Text{ID: "sea/prompt/more", Content: "{{skill:trip/plan}}"}}
	recs := slices.Insert(town(), 14, Encode(skill), Encode(prompt), Encode(more))
	left, err := narrowed(Narrowing{Only: []string{"trip/skill/plan"}}, recs)
	if err != nil {
		t.Fatal(err)
	}
	const want = "catalog a, list areas, list seas, handlers sea/db, tool sea/tool/moon, tool pilot/tool/chart, " +
		"resource sea/resource/db [find], skill trip/skill/plan, prompt sea/prompt/about, prompt sea/prompt/more"
	if got := shown(left); got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
	g, err := NewGraph(func(yield func(*record.Resolved, error) bool) { yield(Encode(prompt), nil) })
	missing := []string{"sea/prompt/more", "pilot/tool/chart", "sea/tool/tides"}
	if err != nil || !slices.Equal(g.Nodes[0].Missing, missing) {
		t.Errorf("%+v %v", g.Nodes[0], err)
	}
}
