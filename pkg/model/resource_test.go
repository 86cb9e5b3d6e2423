package model

import "testing"

func TestResources(t *testing.T) {
	s := NewSchema(parse(t, `{"resources":{
		"db":{"source":"sqlite","mode":"file-based","origin":"project","name":"n.db","queries":{
			"one":{"sql":"SELECT ?","parameters":[{"position":{"key":"a","value":"{{USER_PARAM}}"}}]},
			"any":{"sql":" {{DYNAMIC_SQL}} "},"none":3,"text":{"sql":"SELECT '{{sql}} {{list:DYNAMIC_SQL}}'"}}},
		"md":{"source":"markdown","mode":"file-based","origin":5,"database":"./x.db"},
		"odd":"text"}}`))
	list := s.Resources()
	if len(list) != 3 {
		t.Fatalf("%d resources", len(list))
	}
	db, md, odd := list[0], list[1], list[2]
	if db.Name != "db" || db.Source != SQLite || db.Mode != FileBased || db.Origin != Project || db.File != "n.db" ||
		db.Database != "" {
		t.Errorf("%+v", db)
	}
	if md.Origin != "" || md.Database != "./x.db" || len(md.Queries()) != 0 || odd.Source != "" {
		t.Errorf("%+v, %+v", md, odd)
	}
	queries := db.Queries()
	if len(queries) != 4 || queries[0].Name != "one" || queries[0].SQL != "SELECT ?" || queries[2].SQL != "" {
		t.Fatalf("%+v", queries)
	}
	for i, want := range []bool{false, true, false, false} {
		if queries[i].Dynamic() != want {
			t.Errorf("query %s is dynamic: %v", queries[i].Name, !want)
		}
	}
	params := queries[0].Tool().Parameters(nil)
	if len(params) != 1 || params[0].Key != "a" || params[0].Source != User ||
		params[0].Pointer() != "/resources/db/queries/one/parameters/0" {
		t.Errorf("%+v", params)
	}
	if got := NewSchema(parse(t, `{"resources":[1]}`)).Resources(); len(got) != 0 {
		t.Errorf("an array has the resources %+v", got)
	}
}
