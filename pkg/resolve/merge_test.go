package resolve

import (
	"bytes"
	"slices"
	"strings"
	"testing"

	"github.com/flowmcp/fmcp/pkg/record"
	"github.com/flowmcp/fmcp/pkg/record/recordtest"
)

// stream is what a Resolver takes, and what it makes of it.
type stream struct {
	loads  []*record.Load
	found  []*record.Diagnostic
	errors []*record.Error
}

func (s *stream) give(t *testing.T, r *Resolver) {
	t.Helper()
	for _, l := range s.loads {
		r.Add(l, nil)
	}
	for _, d := range s.found {
		r.AddDiagnostic(d, "part")
	}
	for _, e := range s.errors {
		r.AddError(e)
	}
	if r.Err() != nil {
		t.Fatal(r.Err())
	}
}

// outcome is the catalog, and what is found.
func outcome(t *testing.T, r *Resolver) string {
	t.Helper()
	lines, diags := r.Resolve()
	slices.SortStableFunc(diags, (*record.Diagnostic).Compare)
	var b []byte
	for _, line := range lines {
		b = append(append(b, line...), '\n')
	}
	for _, d := range diags {
		b = append(d.AppendJSON(b), '\n')
	}
	if r.Err() != nil {
		t.Fatal(r.Err())
	}
	return string(b)
}

func resolver(t *testing.T, opts Options) *Resolver {
	t.Helper()
	r, err := NewResolver(opts)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = r.Close() })
	return r
}

// shards are streams of one, each with some of its schemas and all else.
func (s *stream) shards(count int) []*stream {
	list := make([]*stream, count)
	for i := range list {
		list[i] = &stream{found: s.found, errors: s.errors}
	}
	next := 0
	for _, l := range s.loads {
		for i, one := range list {
			if l.Type != record.TypeSchema || i == next%count {
				one.loads = append(one.loads, l)
			}
		}
		if l.Type == record.TypeSchema {
			next++
		}
	}
	return list
}

// merged is a Resolver that has got the parts of shards.
func merged(t *testing.T, opts Options, all *stream, shards []*stream) *Resolver {
	t.Helper()
	r := resolver(t, Options{Merge: true, Version: "1"})
	for _, shard := range shards {
		made := resolver(t, opts)
		shard.give(t, made)
		lines, found := made.Parts()
		for line := range lines {
			if err := recordtest.Check(line); err != nil {
				t.Error(err)
			}
			if err := r.AddPart("part", bytes.Clone(line)); err != nil {
				t.Fatal(err)
			}
		}
		for _, d := range found {
			r.AddDiagnostic(d, "part")
		}
	}
	rest := *all
	rest.loads = slices.DeleteFunc(slices.Clone(all.loads), func(l *record.Load) bool {
		return l.Type == record.TypeSchema
	})
	rest.give(t, r)
	return r
}

// entangled is a stream in which schemas, and what refers to them, need each other: a
// selection with members in several, an agent that hashes tools of them and has its
// own, prompts that name tools of other files, and resources.
func entangled() *stream {
	loads, found, errors := disputed()
	loads = append(loads,
		schemaLoad("providers/shop/p.mjs", `{"namespace":"shop","root":"https://other.example",`+
			`"requiredServerParams":["KEY"],"tools":{"p":{"method":"GET","path":"/{{KEY}}","description":"d",`+
			`"parameters":[]},"q":{}},"prompts":{"ask":{"name":"ask","version":"1.0.0","description":"d",`+
			`"dependsOn":["find","p"],"content":"{{tool:find}} {{tool:nope}}"},"empty":{"description":"d"}}}`),
		schemaLoad("providers/shop/r.mjs", `{"namespace":"shop","resources":{"db":{"source":"sqlite",`+
			`"mode":"in-memory","origin":"inline","name":"x.db","description":"d",`+
			`"queries":{"all":{"sql":"SELECT 1","description":"d","parameters":[]}}}},`+
			`"routes":{"old":{"method":"GET","path":"/","description":"d","parameters":[]}}}`),
		schemaLoad("providers/shop/null.mjs", `null`),
		schemaLoad("providers/shop/lists.mjs", `{"namespace":"shop","root":"https://shop.example","sharedLists":`+
			`[{"ref":"nowhere","version":"1.0.0"}],"tools":{"l":{"method":"GET","path":"/","description":"d",`+
			`"parameters":[]}}}`),
		groupLoad(record.TypeAgent, "boss/agent/boss", "agents/boss/agent.mjs", `{"name":"boss","description":"b",`+
			`"tools":{"shop/tool/find":null,"shop/tool/p":null,"own":{"method":"GET","root":"https://own.example",`+
			`"path":"/","description":"d","parameters":[]}},"prompts":{"hello":{"content":"{{tool:own}}"}}}`),
		groupLoad(record.TypeSelection, "desk/selection/wide", "selections/desk/wide.mjs", `{"namespace":"desk",`+
			`"name":"wide","description":"d","tools":["shop/tool/p","shop/tool/find_all","harbour/tool/dock"],`+
			`"resources":["shop/resource/db"],"prompts":["shop/prompt/ask"],"skills":[]}`))
	for _, l := range loads {
		if l.Src.Path == "providers/shop/r.mjs" {
			l.Handlers = []record.Handler{{Name: "db/all", Stages: []string{"postRequest"}}}
			l.Text = "export const handlers = 1"
		}
	}
	return &stream{loads, found, errors}
}

// What is made of parts is what is made of all in one go, to the byte.
func TestMerge(t *testing.T) {
	opts := Options{Version: "1", MaxName: 40, Community: true,
		Source: func(l *record.Load) (string, bool) { return l.Text, true }}
	all := entangled()
	one := resolver(t, opts)
	all.give(t, one)
	want := outcome(t, one)
	for _, has := range []string{`"wireName":"find_all_shop_`, `LOD030`, `LOD031`, `LOD032`, `LOD041`, `LOD050`,
		`VAL072`, `CMP023`, `"toolsHash":"sha256:`, `desk/selection/all`,
		`"kind":"resolved","id":"shop/r","type":"handlers"`,
		`"names":[{"type":"tool","name":"find"`} {
		if !strings.Contains(want, has) {
			t.Errorf("no %s in\n%s", has, want)
		}
	}
	for count := 1; count <= 4; count++ {
		if got := outcome(t, merged(t, opts, all, all.shards(count))); got != want {
			t.Errorf("%d: got\n%s\nwant\n%s", count, got, want)
		}
	}
}

// A file in which the rules of the whole catalog found an error is left out as if it had
// not been passed on; the parts of those that use a list cannot be.
func TestMergeFailed(t *testing.T) {
	all := entangled()
	fails := func(path string) *Resolver {
		r := merged(t, Options{Version: "1"}, all, all.shards(2))
		r.AddDiagnostic(&record.Diagnostic{Code: "X001", Severity: record.SeverityError, Message: "m",
			Loc: record.Loc{Path: path}}, "findings")
		return r
	}
	one := resolver(t, Options{Version: "1"})
	less := *all
	less.loads = slices.DeleteFunc(slices.Clone(all.loads), func(l *record.Load) bool {
		return l.Src.File() == "cat/providers/shop/p.mjs"
	})
	less.give(t, one)
	one.AddDiagnostic(&record.Diagnostic{Code: "X001", Severity: record.SeverityError, Message: "m",
		Loc: record.Loc{Path: "cat/providers/shop/p.mjs"}}, "")
	if got, want := outcome(t, fails("cat/providers/shop/p.mjs")), outcome(t, one); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	r := fails("cat/_lists/seas-2.mjs")
	r.Resolve()
	if err := r.Err(); err == nil || !strings.Contains(err.Error(), "its part was made with the list "+
		"cat/_lists/seas-2.mjs, which has an error (X001: m): correct that, and make the parts again (LOD055)") {
		t.Error(err)
	}
}

// Parts that do not make one catalog are refused, and so is what no fmcp-resolve wrote.
func TestMergeRefused(t *testing.T) {
	all := entangled()
	lines := func(opts Options, shard *stream) [][]byte {
		r := resolver(t, opts)
		shard.give(t, r)
		var list [][]byte
		parts, _ := r.Parts()
		for line := range parts {
			list = append(list, line)
		}
		return list
	}
	half := all.shards(2)
	first := lines(Options{Version: "1"}, half[0])
	tests := []struct {
		name   string
		second [][]byte
		want   string
	}{
		{"options", lines(Options{Version: "1", MaxName: 40}, half[1]),
			"b: was made with --max-name 40, and a with 63: make all parts with the same options (LOD055)"},
		{"version", lines(Options{Version: "2"}, half[1]), "b: was made by version 2 of fmcp-resolve, and this is 1: "},
		{"twice", first, "is in two parts: give each part once"},
		{"cut", [][]byte{[]byte(`{"v":1,"kind":"part","id":"a/b","type":"schema",` +
			`"data":{"src":{"path":"p","root":"r"},"tools":[{"name":"x"}]},"resolved":[]}`)},
			"the part record of r/p lacks records of its tools, resources and handlers"},
		{"type", [][]byte{[]byte(`{"v":1,"kind":"part","id":"a/b","type":"schema",` +
			`"data":{"src":{"path":"p","root":"r"},"tools":[{"name":"x"}]},"resolved":[null]}`)},
			"the part record of r/p lacks records of its tools, resources and handlers"},
		{"queries", [][]byte{[]byte(`{"v":1,"kind":"part","id":"a/b","type":"schema","data":{"src":` +
			`{"path":"p","root":"r"},"resources":[{"name":"x","queries":["q"]}]},"resolved":[{"v":1,` +
			`"kind":"resolved","id":"a/resource/x","type":"resource","data":{"queries":[]}}]}`)},
			"the record of a/resource/x is not what fmcp-resolve --part wrote"},
		{"library", [][]byte{[]byte(`{"v":1,"kind":"part","id":"a/b","type":"schema",` +
			`"data":{"src":{"path":"p","root":"r"},"libraries":["x"]},"resolved":[]}`)},
			`no part has the library "x"`},
		{"named", [][]byte{[]byte(`{"v":1,"kind":"part","id":"a/b","type":"schema","data":{"src":` +
			`{"path":"p","root":"r"},"tools":[{"name":"x"}]},"resolved":[{"v":1,"kind":"resolved",` +
			`"id":"a/tool/x","type":"tool","data":{"wireName":"y"}}]}`)},
			"the record of a/tool/x is not what fmcp-resolve --part wrote"},
	}
	for _, tt := range tests {
		r := resolver(t, Options{Merge: true, Version: "1"})
		var err error
		for _, line := range first {
			if err = r.AddPart("a", line); err != nil {
				t.Fatal(err)
			}
		}
		for _, line := range tt.second {
			if err = r.AddPart("b", line); err != nil {
				break
			}
		}
		if err == nil {
			made, _ := r.Resolve()
			for range made {
			}
			err = r.Err()
		}
		if err == nil || !strings.Contains(err.Error(), tt.want) || !strings.HasSuffix(err.Error(), " (LOD055)") {
			t.Errorf("%s: %v", tt.name, err)
		}
	}
	r := resolver(t, Options{Merge: true})
	r.Add(schemaLoad("providers/a/a.mjs", `{}`), nil)
	if err := r.Err(); err == nil || !strings.Contains(err.Error(), "a load record, expected a part") {
		t.Error(err)
	}
	r = resolver(t, Options{})
	if err := r.AddPart("x", first[0]); err == nil || !strings.Contains(err.Error(), "fmcp-resolve merge FILE…") {
		t.Error(err)
	}
}
