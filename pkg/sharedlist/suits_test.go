package sharedlist_test

import (
	"testing"

	"github.com/flowmcp/fmcp/pkg/model"
	"github.com/flowmcp/fmcp/pkg/ordjson"
	"github.com/flowmcp/fmcp/pkg/record"
	"github.com/flowmcp/fmcp/pkg/sharedlist"
)

// A reference resolves where its filter asks for values of a type that the entries
// have: VAL074 speaks about the others.
func TestResolveByTypeOfFilter(t *testing.T) {
	v, err := ordjson.Parse(`{"meta":{"name":"chains","version":"1.0.0","description":"x","fields":[
		{"key":"id","type":"number"},{"key":"test","type":"boolean"},{"key":"slug","type":"string"},{"key":"none","type":"string"}]},
		"entries":[{"id":null,"test":false,"slug":"a"},{"id":1,"test":false},{"id":2,"test":true}]}`)
	if err != nil {
		t.Fatal(err)
	}
	list, _ := sharedlist.NewList(&record.Load{Type: record.TypeList, Data: v})
	lists := &sharedlist.Lists{}
	if p := lists.Add(list); p != nil {
		t.Fatal(p)
	}
	for _, c := range []struct {
		filter string
		want   bool
	}{
		{`{"key":"id","value":1}`, true},
		{`{"key":"id","value":"1"}`, false},
		{`{"key":"id","value":null}`, true},
		{`{"key":"test","value":"false"}`, false},
		{`{"key":"slug","value":7}`, false},
		{`{"key":"slug","value":"b"}`, true}, // no entry, but the type is right: VAL046
		{`{"key":"none","value":"b"}`, true}, // the same where no entry has the field
		{`{"key":"id","in":["1","2"]}`, false},
		{`{"key":"id","in":["1",2]}`, true}, // some are selected
		{`{"key":"id","in":[]}`, true},
		{`{"key":"id","exists":true}`, true},
	} {
		ref, err := ordjson.Parse(`{"sharedLists":[{"ref":"chains","version":"1.0.0","filter":` + c.filter + `}]}`)
		if err != nil {
			t.Fatal(err)
		}
		if _, _, ok := lists.Resolve(model.NewSchema(ref).SharedLists()[0]); ok != c.want {
			t.Errorf("%s: resolves %t, want %t", c.filter, ok, c.want)
		}
	}
}
