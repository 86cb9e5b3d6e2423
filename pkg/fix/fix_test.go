package fix_test

import (
	"cmp"
	"context"
	"flag"
	"io/fs"
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/flowmcp/fmcp/pkg/fix"
	"github.com/flowmcp/fmcp/pkg/record"
	"github.com/flowmcp/fmcp/pkg/rules"
	"github.com/flowmcp/fmcp/pkg/stage"
	"github.com/flowmcp/fmcp/pkg/walk"
	fixtures "github.com/flowmcp/fmcp/testdata/rules"
)

var update = flag.Bool("update", false, "rewrite edits.txt")

// found is what is found in the files of a folder.
func found(t *testing.T, dir string) []*record.Diagnostic {
	t.Helper()
	var list []*record.Diagnostic
	opts := stage.ValidateOptions{Ignores: true}
	err := stage.Run(t.Context(), stage.Options{Jobs: 1}, stage.Walk([]string{dir}, walk.Options{}, nil),
		append(stage.Loading("test"), stage.Validate(opts)...), func(it *stage.Item) error {
			switch rec := it.Rec.(type) {
			case *record.Diagnostic:
				list = append(list, rec)
			case *record.Error: // nothing of it can be fixed
			}
			return nil
		}, func() error { return nil })
	if err != nil {
		t.Fatal(err)
	}
	return list
}

// example copies an example of a rule to a catalog of its own.
func example(t *testing.T, code, name string) string {
	t.Helper()
	dir := t.TempDir()
	sub, err := fs.Sub(fixtures.FS, code+"/"+name)
	if err != nil {
		t.Fatal(err)
	}
	if path.Ext(name) != ".mjs" {
		if err := os.CopyFS(dir, sub); err != nil {
			t.Fatal(err)
		}
	}
	lists, _ := fs.Sub(fixtures.FS, "_lists")
	if _, err := os.Stat(filepath.Join(dir, "_lists")); err != nil {
		if err := os.CopyFS(filepath.Join(dir, "_lists"), lists); err != nil {
			t.Fatal(err)
		}
	}
	if path.Ext(name) == ".mjs" {
		text, err := fs.ReadFile(fixtures.FS, code+"/"+name)
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, name), text, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// run makes the edits of a rule in the files of a folder.
func run(t *testing.T, dir, code string) *fix.Pass {
	t.Helper()
	opts := stage.ValidateOptions{Ignores: true}
	x := &fix.Fixer{All: true, Checker: stage.NewChecker(opts),
		Wants: func(d *record.Diagnostic) bool { return d.Code == code }}
	pass, err := x.Run(context.Background(), 1, stage.Walk([]string{dir}, walk.Options{}, nil), opts)
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range pass.Changed() {
		if err := f.Write(); err != nil {
			t.Fatal(err)
		}
	}
	return pass
}

// leads are codes that the edits of a rule may lead to, or be dropped for: what a field
// names under its right name is not in the example, nor on this machine.
var leads = map[string]string{"AGT014": "AGT016", "AGT015": "RES020", "PRM011": "PRM012",
	"SKL016": "SKL017", "VAL003": "RES043", "VAL043": "VAL050", "VAL072": "VAL048", "VAL074": "VAL046",
	"RES001": "RES020", "RES026": "RES020", "RES027": "RES020", "SKL005": "SKL024", "SKL006": "SKL025",
	"VAL022": "CMP032"}

// Each bad example of a rule that has edits: once they are made there is less of it and
// nothing new, however often they are asked for. What each rule has is in edits.txt.
func TestExamples(t *testing.T) {
	var list strings.Builder
	for _, r := range rules.All() {
		entries, err := fs.ReadDir(fixtures.FS, r.Code)
		if err != nil || r.Replaced != "" {
			continue
		}
		has := map[string]bool{}
		for _, e := range entries {
			if strings.HasPrefix(e.Name(), "bad") {
				fixExample(t, r.Code, e.Name(), has)
			}
		}
		if len(has) > 0 {
			list.WriteString(strings.Join(append([]string{r.Code}, slices.Sorted(maps.Keys(has))...), " ") + "\n")
		}
	}
	name := filepath.Join("testdata", "edits.txt")
	if *update {
		if err := os.WriteFile(name, []byte(list.String()), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(name)
	if err != nil || string(want) != list.String() {
		t.Errorf("%v: %s differs:\n%s", err, name, list.String())
	}
}

// fixExample makes the edits of a rule in one of its examples, and notes in has what
// they are.
func fixExample(t *testing.T, code, name string, has map[string]bool) {
	dir, where := example(t, code, name), code+"/"+name
	before := found(t, dir)
	offered := false
	for _, d := range before {
		if d.Code == code && d.Edits != nil {
			offered = true
			has[safety(d)] = true
		}
	}
	if !offered {
		return
	}
	for _, f := range run(t, dir, code).Files {
		for _, d := range f.Dropped {
			if lead := leads[code]; lead != "" && strings.Contains(d.Why.Error(), lead) {
				return
			}
			t.Errorf("%s: not fixed: %v", where, d.Why)
		}
	}
	after := found(t, dir)
	was, is := countOf(before), countOf(after)
	rule, _ := rules.Lookup(code)
	for other, n := range is {
		if rule.Step && !strings.HasPrefix(other, "LOD") && !strings.HasPrefix(other, "SEC") {
			continue // a file of a later version is looked at by more rules
		}
		if n > was[other] && other != rules.ReviewMark && other != leads[code] {
			t.Errorf("%s: %d of %s, %d before", where, n, other, was[other])
		}
	}
	for _, d := range after { // the same finding, wherever it is now
		same := func(b *record.Diagnostic) bool { return b.Code == d.Code && b.Message == d.Message }
		if i := slices.IndexFunc(before, same); d.Code == code && i >= 0 && before[i].Edits != nil {
			t.Errorf("%s: still %s", where, d.Message)
		}
	}
	if pass := run(t, dir, code); len(pass.Changed()) > 0 {
		t.Errorf("%s: changed again:\n%s", where, pass.Changed()[0].After)
	}
}

func safety(d *record.Diagnostic) string {
	if d.Safe() {
		return "safe"
	}
	return "look"
}

func countOf(list []*record.Diagnostic) map[string]int {
	n := map[string]int{}
	for _, d := range list {
		n[d.Code]++
	}
	return n
}

// The samples of chapters 08 and 19 have all of a schema in one object.
func TestWrap(t *testing.T) {
	for _, c := range []struct{ name, before, after string }{
		{"fields beside tools", `export const schema = {
    // what it is
    main: {
        name: 'x', // the name
        version: '3.0.0'
    },
    tools: {}
}
`, `export const main = {
    // what it is
    name: 'x', // the name
    version: '3.0.0',
    tools: {}
}
`},
		{"a comma after the last", "export const schema = { main: { version: '3.0.0', }, tools: {} }\n",
			"export const main = { version: '3.0.0', tools: {} }\n"},
		{"nothing else", "export const schema = { main: { version: '3.0.0' } }\n",
			"export const main = { version: '3.0.0' }\n"},
		{"a text of several lines", "export const schema = {\n  main: {\n    name: `a\n    b`,\n" +
			"    version: '3.0.0'\n  }\n}\n",
			"export const main = {\n  name: `a\n    b`,\n  version: '3.0.0'\n}\n"},
		{"a field that both have", "export const schema = { main: { tools: {} }, tools: {} }\n", ""},
		{"code", "export const schema = { main: { name: String( 1 ) }, tools: {} }\n", ""}, // LOD010
		{"named elsewhere", "export const schema = { main: { version: '3.0.0' } }\nconsole.log( schema )\n", ""},
	} {
		dir := t.TempDir()
		if err := os.WriteFile(filepath.Join(dir, "a.mjs"), []byte(c.before), 0o600); err != nil {
			t.Fatal(err)
		}
		run(t, dir, "VAL001")
		after, err := os.ReadFile(filepath.Join(dir, "a.mjs"))
		if want := cmp.Or(c.after, c.before); err != nil || string(after) != want {
			t.Errorf("%s: %v\n%s", c.name, err, after)
		}
	}
}

// A step towards the next version counts as done where its finding is gone, whatever
// later versions find.
func TestSteps(t *testing.T) {
	const v2 = `export const main = {
    namespace: 'demo', name: 'DemoShop', description: 'Prices', version: '2.1.0', root: 'https://api.example.com',
    routes: { getPrice: { method: 'GET', path: '/price', description: 'Price', parameters: [] } }
}
`
	dir := t.TempDir()
	name := filepath.Join(dir, "a.mjs")
	if err := os.WriteFile(name, []byte(v2), 0o600); err != nil {
		t.Fatal(err)
	}
	before := countOf(found(t, dir))
	run(t, dir, "VAL014")
	after, err := os.ReadFile(name)
	want := strings.NewReplacer("2.1.0", "3.0.0", "routes:", "tools:").Replace(v2)
	if err != nil || string(after) != want {
		t.Errorf("%v:\n%s", err, after)
	}
	if is := countOf(found(t, dir)); is["VAL100"] <= before["VAL100"] {
		t.Errorf("found %v before, %v after: expected what only version 3 asks for", before, is)
	}
}
