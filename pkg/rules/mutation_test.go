package rules_test

import (
	"io/fs"
	"path"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/flowmcp/fmcp/pkg/module"
	"github.com/flowmcp/fmcp/pkg/ordjson"
	"github.com/flowmcp/fmcp/pkg/rules"
	fixtures "github.com/flowmcp/fmcp/testdata/rules"
)

// mutant is a value with one thing damaged.
type mutant struct {
	value   ordjson.Value
	pointer string // of what was damaged
	how     string
}

// mutants damages a value in every way and place: fields and elements removed,
// types changed, texts, numbers and arrays that fit no pattern, fields that
// is not known.
func mutants(v ordjson.Value, at string) []mutant {
	list := damaged(v, at)
	members := v.Members()
	for i, m := range members {
		inner := at + ordjson.Pointer(m.Key)
		list = append(list, mutant{ordjson.NewObject(slices.Delete(slices.Clone(members), i, i+1)...), inner,
			"removed"})
		for _, mu := range mutants(m.Value, inner) {
			changed := slices.Clone(members)
			changed[i] = ordjson.Field(m.Key, mu.value)
			list = append(list, mutant{ordjson.NewObject(changed...), mu.pointer, mu.how})
		}
	}
	elems := v.Elems()
	for i, e := range elems {
		inner := at + "/" + strconv.Itoa(i)
		list = append(list, mutant{ordjson.NewArray(slices.Delete(slices.Clone(elems), i, i+1)...), at, "shortened"})
		for _, mu := range mutants(e, inner) {
			changed := slices.Clone(elems)
			changed[i] = mu.value
			list = append(list, mutant{ordjson.NewArray(changed...), mu.pointer, mu.how})
		}
	}
	return list
}

func damaged(v ordjson.Value, at string) []mutant {
	text, number := ordjson.NewString, ordjson.NewInt
	list := []mutant{{ordjson.NewNull(), at, "null"}}
	switch v.Kind() {
	case ordjson.String:
		list = append(list, mutant{number(7), at, "a number"}, mutant{text(""), at, "empty"},
			mutant{text("Un/Fit ()"), at, "unfit"}, mutant{ordjson.NewArray(v), at, "in an array"})
	case ordjson.Number:
		list = append(list, mutant{text("7"), at, "a text"}, mutant{number(-1), at, "negative"})
	case ordjson.Bool:
		list = append(list, mutant{text("true"), at, "a text"})
	case ordjson.Array:
		list = append(list, mutant{ordjson.NewArray(), at, "empty"}, mutant{ordjson.NewObject(), at, "an object"},
			mutant{ordjson.NewArray(append(slices.Clone(v.Elems()), number(7))...), at + "/" + strconv.Itoa(v.Len()),
				"a number more"})
	case ordjson.Object:
		list = append(list, mutant{ordjson.NewObject(), at, "empty"}, mutant{ordjson.NewArray(), at, "an array"},
			mutant{ordjson.NewObject(append(slices.Clone(v.Members()), ordjson.Field("unheardOf", number(7)))...),
				at + "/unheardOf", "a field more"})
	}
	return list
}

var exported = regexp.MustCompile(`export const (main|list|agent|selection|skill|prompt) =`)

// goodFile is a file of a good example: the example's files, and which of them.
type goodFile struct {
	code, name string
	files      []rules.FixtureFile
	at         int
	export     string
	value      ordjson.Value
}

// goodFiles returns the files of all good examples, each text once.
func goodFiles(t *testing.T) []goodFile {
	var list []goodFile
	seen := map[string]bool{}
	for _, r := range rules.All() {
		examples, err := rules.Fixtures(fixtures.FS, r.Code)
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range examples {
			if !strings.HasPrefix(f.Name, "good") || strings.HasPrefix(r.Code, "SEC") || r.Code == "TST005" ||
				r.Code == "RES023" {
				continue
			}
			for i, file := range f.Files {
				m := exported.FindStringSubmatch(file.Source)
				if m == nil || path.Ext(file.Path) != ".mjs" || seen[file.Source] {
					continue
				}
				seen[file.Source] = true
				mod, err := module.Read(file.Source)
				if err != nil {
					t.Fatal(err)
				}
				if v, err := mod.Value(m[1]); err == nil {
					list = append(list, goodFile{r.Code, f.Name, f.Files, i, m[1], v})
				}
			}
		}
	}
	return list
}

// with returns the example as a file system in which the file exports v.
func (g *goodFile) with(v ordjson.Value) fs.FS {
	fsys := fstest.MapFS{}
	for _, name := range lists {
		fsys[name.Path] = &fstest.MapFile{Data: []byte(name.Source)}
	}
	for i, f := range g.files {
		name := path.Join(g.code, g.name, f.Path)
		if len(g.files) == 1 && f.Path == g.name {
			name = path.Join(g.code, g.name)
		}
		source := f.Source
		if i == g.at {
			// What else the file exports stays.
			source = "export const " + g.export + " = " + ordjson.Text(v) + "\n" +
				strings.Replace(source, "export const "+g.export+" =", "const whole =", 1)
		}
		fsys[name] = &fstest.MapFile{Data: []byte(source)}
	}
	return fsys
}

// lists are the shared lists that examples refer to.
var lists = func() []rules.FixtureFile {
	names, err := fs.Glob(fixtures.FS, "_lists/*.mjs")
	if err != nil {
		panic(err)
	}
	var files []rules.FixtureFile
	for _, name := range names {
		text, err := fs.ReadFile(fixtures.FS, name)
		if err != nil {
			panic(err)
		}
		files = append(files, rules.FixtureFile{Path: name, Source: string(text)})
	}
	return files
}()

// reported reports whether the rules find the damage: something at its place,
// inside or around it. That the hash of the schema is another one is not a
// find.
func (g *goodFile) reported(t *testing.T, mu mutant, faults []string) bool {
	found, err := rules.Fixtures(g.with(mu.value), g.code)
	if err != nil || len(found) == 0 {
		t.Fatalf("%s/%s, %s %s: %d examples, %v", g.code, g.name, mu.pointer, mu.how, len(found), err)
	}
	for _, d := range found[0].Found {
		if d.Code == "CMP006" && mu.pointer != "/schemaHash" {
			continue
		}
		if slices.ContainsFunc(append(faults, mu.pointer), func(at string) bool { return near(d.Loc.Pointer, at) }) {
			return true
		}
	}
	return false
}

// near reports whether one of the pointers leads into the other. The file as a
// whole is near what is at its top only.
func near(a, b string) bool {
	if a == "" || b == "" {
		return strings.Count(a+b, "/") < 2
	}
	return a == b || strings.HasPrefix(a, b+"/") || strings.HasPrefix(b, a+"/")
}

// At least 95 % of the damages that violate the specification are reported.
// What a violation is, the shapes say, which the chapters were copied into.
func TestMutations(t *testing.T) {
	families := map[string]bool{}
	for _, r := range rules.All() {
		if r.Check != nil {
			families[strings.TrimRight(r.Code, "0123456789")] = true
		}
	}
	hasRows := func(family string) bool { return families[family] }
	violating, missed := 0, 0
	perExport := map[string]int{}
	done := map[string]bool{}
	for _, g := range goodFiles(t) {
		sh := shapes[g.export]
		before := sh.faults(g.value, "", hasRows)
		for i, mu := range mutants(g.value, "") {
			if i%mutantsApart != 0 {
				continue
			}
			faults := slices.DeleteFunc(sh.faults(mu.value, "", hasRows),
				func(f string) bool { return slices.Contains(before, f) })
			key := g.export + ordjson.Text(mu.value)
			if len(faults) == 0 || done[key] {
				continue
			}
			done[key] = true
			violating++
			perExport[g.export]++
			if !g.reported(t, mu, faults) {
				missed++
				t.Logf("missed: %s/%s %s: %s %s", g.code, g.name, g.export, mu.pointer, mu.how)
			}
		}
	}
	rate := 100 * float64(violating-missed) / float64(violating)
	t.Logf("%d of %d violating mutations reported: %.2f %%; by export %v", violating-missed, violating, rate, perExport)
	if violating < 2000/mutantsApart {
		t.Errorf("%d mutations violate the specification; the shapes or the examples are gone", violating)
	}
	if rate < 95 {
		t.Errorf("%.2f %% of the violating mutations are reported, want at least 95 %%", rate)
	}
}
