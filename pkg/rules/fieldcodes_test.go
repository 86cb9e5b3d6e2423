package rules

import (
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/flowmcp/fmcp/pkg/fields"
	"github.com/flowmcp/fmcp/pkg/ordjson"
	"github.com/flowmcp/fmcp/pkg/record"
	"github.com/flowmcp/fmcp/pkg/record/recordtest"
	fixtures "github.com/flowmcp/fmcp/testdata/rules"
)

// byJSONSchema is what the published JSON Schema says of the data of a file; ok is false
// where there is none.
func byJSONSchema(l *record.Load) (wrong error, ok bool) {
	o := ObjectOf(l.Type)
	if o == nil || o.Export == "" || !l.Data.Is(ordjson.Object) {
		return nil, false
	}
	return recordtest.Against("../../types/"+o.Export+".schema.json", []byte(ordjson.Text(l.Data))), true
}

func hasError(f Fixture, l *record.Load) bool {
	return slices.ContainsFunc(f.Found, func(d *record.Diagnostic) bool {
		return d.Severity == record.SeverityError && d.Loc.Path == l.Src.Path
	})
}

// What has no error is valid by the JSON Schemas: the examples of all rules, which are
// wrong in one way each, and those of the chapters.
func TestJSONSchemasAllowWhatRulesAllow(t *testing.T) {
	valid := map[record.Type]int{}
	check := func(code string, list []Fixture) {
		for _, f := range list {
			for _, l := range f.Loads {
				wrong, ok := byJSONSchema(l)
				switch {
				case !ok || hasError(f, l):
				case wrong != nil:
					t.Errorf("%s, %s: %s has no error, but %v", code, f.Name, l.Src.Path, wrong)
				default:
					valid[l.Type]++
				}
			}
		}
	}
	for _, code := range Codes() {
		list, err := Fixtures(fixtures.FS, code)
		if err != nil {
			t.Fatal(err)
		}
		check(code, list)
	}
	examples := os.DirFS("../../testdata/examples")
	entries, err := os.ReadDir("../../testdata/examples")
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		f := Fixture{Name: e.Name()}
		if err := f.runFolder(examples, e.Name(), nil); err == nil { // else a file is no data
			check("examples", []Fixture{f})
		}
	}
	for _, typ := range []record.Type{record.TypeSchema, record.TypeList, record.TypeAgent, record.TypeSelection,
		record.TypeSkill, record.TypePrompt, record.TypeRegistry} {
		if valid[typ] < 5 {
			t.Errorf("only %d files of type %s are valid", valid[typ], typ)
		}
	}
}

// What the tables of the rules refuse in a field, the JSON Schemas refuse too.
func TestJSONSchemasRefuseWhatRulesRefuse(t *testing.T) {
	var samples []ordjson.Value
	for _, text := range []string{`null`, `true`, `0`, `1`, `-1`, `1.5`, `""`, `" "`, `"x"`, `"X y"`, `"/x"`, `"1.0"`,
		`[]`, `[""]`, `[1]`, `{}`, `{"x":1}`} {
		v, err := ordjson.Parse(text)
		if err != nil {
			t.Fatal(err)
		}
		samples = append(samples, v)
	}
	checked := 0
	for _, objects := range registry().Objects() {
		for _, row := range objects.Fields {
			rule, _ := Lookup(row.Code)
			for _, o := range append([]*fields.Object{objects.Of}, variants(objects.Of)...) {
				f := o.Field(row.Name)
				if f == nil || f.Loose || rule.Spec != record.SeverityError {
					continue
				}
				at := schemaAt(o, f.Name)
				if at == "" {
					continue // SKILL.md
				}
				checked++
				for _, v := range samples {
					text := ordjson.Text(v)
					if !row.Must.Is(v) && recordtest.Against(at, []byte(text)) == nil {
						t.Errorf("%s.%s: %s refuses %s, the JSON Schema allows it", o.Name, f.Name, row.Code, text)
					}
				}
			}
		}
	}
	if checked < 100 {
		t.Errorf("only %d rows are checked", checked)
	}
}

func variants(o *fields.Object) []*fields.Object {
	var list []*fields.Object
	for _, name := range o.Variants {
		list = append(list, fields.Lookup(name))
	}
	return list
}

// schemaAt is where the JSON Schema of a field is, "" for none.
func schemaAt(o *fields.Object, field string) string {
	for _, root := range fields.All {
		file := "../../types/" + root.Export + ".schema.json"
		text, err := os.ReadFile(file)
		if err != nil {
			continue // inside of others
		}
		schema, _ := ordjson.Parse(string(text))
		pointer := "/$defs/" + o.Name + "/properties/" + field
		if root == o {
			pointer = "/properties/" + field
		}
		if v, _ := ordjson.Lookup(schema, pointer); v.Exists() {
			return file + "#" + pointer
		}
	}
	return ""
}

// A field has the codes of the tables, and of the examples, that are about it.
func TestFieldCodes(t *testing.T) {
	codes, err := FieldCodes(fixtures.FS)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		object     *fields.Object
		name, want string
	}{
		{fields.Tool, "method", "VAL032"},
		{fields.Main, "root", "CMP022 VAL015 VAL047"},  // by examples alone
		{fields.Main, "dataLicense", "VAL027"},         // by the table alone
		{fields.Main, "tools", "VAL016 VAL030 VAL031"}, // names of tools are its keys
		{fields.Main, "tags", "VAL021 VAL028"},         // one of them is about an element
		{fields.GTFS, "mode", "RES030"},
		{fields.HTTP, "source", "RES001"},
		{fields.AgentPrompt, "testedWith", "PRM004 PRM005"},
		{fields.SkillExtension, "id", "SKM009"},
		{fields.Main, "meta", ""},
	} {
		if got := strings.Join(codes[c.object.Field(c.name)], " "); got != c.want {
			t.Errorf("%s.%s: %q, want %q", c.object.Name, c.name, got, c.want)
		}
	}
}
