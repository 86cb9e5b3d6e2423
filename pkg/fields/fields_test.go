package fields

import (
	"regexp"
	"slices"
	"strings"
	"testing"
)

// Whatever a row refers to is in the table, and it says what a reader needs.
func TestTable(t *testing.T) {
	names := map[string]bool{}
	for _, o := range All {
		if names[o.Name] {
			t.Errorf("%s is there twice", o.Name)
		}
		names[o.Name] = true
		if o.Text == "" || o.Chapter == "" || (o.Fields == nil) == (o.Variants == nil) {
			t.Errorf("%s lacks text, chapter or fields", o.Name)
		}
		for _, v := range o.Variants {
			if Lookup(v) == nil {
				t.Errorf("%s may be a %s, which the table does not have", o.Name, v)
			}
		}
		seen := map[string]bool{}
		for _, f := range o.Fields {
			at := o.Name + "." + f.Name
			if seen[f.Name] {
				t.Errorf("%s is there twice", at)
			}
			seen[f.Name] = true
			if !strings.HasSuffix(f.Text, ".") || strings.Contains(f.Text, "..") {
				t.Errorf("%s: %q is not a sentence", at, f.Text)
			}
			if f.Required && (f.When != "" || f.Wanted || f.Default != "" || f.Instead != "") {
				t.Errorf("%s is required, and yet not", at)
			}
			if f.For != "" && o.Field(f.For) == nil {
				t.Errorf("%s is another name of %s, which is no field", at, f.For)
			}
			checkType(t, at, f.Type)
		}
	}
}

func checkType(t *testing.T, at string, typ Type) {
	t.Helper()
	if (typ.Kind == Ref) != (typ.Ref != "") || typ.Kind == Ref && Lookup(typ.Ref) == nil {
		t.Errorf("%s is a %q, which the table does not have", at, typ.Ref)
	}
	if (typ.Kind == Array || typ.Kind == Map) != (typ.Of != nil) || (typ.Kind == Either) != (typ.Any != nil) {
		t.Errorf("%s does not say what is in it", at)
	}
	if _, err := regexp.Compile(typ.Like); err != nil || (typ.Like == "") != (typ.Says == "") {
		t.Errorf("%s: %q, %q: %v", at, typ.Like, typ.Says, err)
	}
	if typ.Of != nil {
		checkType(t, at, *typ.Of)
	}
	for _, one := range typ.Any {
		checkType(t, at, one)
	}
}

// Versions know what they brought.
func TestKnownIn(t *testing.T) {
	for _, c := range []struct {
		object        *Object
		version, name string
		want          bool
	}{
		{Main, Version2, "routes", true},
		{Main, Version2, "tools", false},
		{Main, Version3, "skills", true},
		{Main, Version4, "skills", false},
		{Main, Version4, "schemaHash", true},
		{Tool, Version2, "meta", false},
		{ListReference, Version4, "name", false}, // another name of ref
		{Resource, Version4, "addon", true},
		{Resource, Version4, "cacheTtl", true},
	} {
		if got := slices.Contains(c.object.KnownIn(c.version), c.name); got != c.want {
			t.Errorf("%s.%s in %s: %v", c.object.Name, c.name, c.version, got)
		}
	}
	if names := Resource.Known(); len(names) != len(slices.Compact(slices.Sorted(slices.Values(names)))) {
		t.Errorf("a name is there twice: %q", names)
	}
}

// A path leads to a field, and to what it may be.
func TestFind(t *testing.T) {
	for _, c := range []struct {
		object *Object
		path   string
		want   string // the object and its field; "" for none
		types  string
	}{
		{Main, "tools/getPrice/method", "Tool.method", "'GET' | 'POST' | 'PUT' | 'DELETE'"},
		{Main, "tools/getPrice/parameters/0/position/location", "Position.location", "'insert' | 'query' | 'body'"},
		{Main, "tools/getPrice/parameters/first/z", "", ""},
		{Main, "tools/getPrice", "", "Tool"},
		{Main, "tools", "Main.tools", "{ [name: string]: Tool }"},
		{Main, "resources/x/queries/q/sql", "Query.sql", "string"},
		{Main, "resources/x/cacheTtl", "HttpResource.cacheTtl", "number"},
		{Main, "resources/x/source", "SqliteResource.source",
			"'sqlite' | 'sqlite-gtfs' | 'markdown' | 'http'"},
		{Main, "tools/a/output/schema/properties/b/items/type", "OutputSchema.type",
			"'string' | 'number' | 'boolean' | 'object' | 'array'"},
		{Main, "colour", "", ""},
		{Agent, "tools/mine/root", "AgentTool.root", "string"},
		{Selection, "skills/mine/file", "SkillFile.file", "string"},
		{Selection, "skills/0/whenToUse", "Skill.whenToUse", "string"},
		{Prompt, "testedWith", "AgentPrompt.testedWith", "string"},
		{List, "entries/0/anything", "", "unknown"},
	} {
		path := strings.Split(c.path, "/")
		got := ""
		if o, f := c.object.Find(path...); f != nil {
			got = o.Name + "." + f.Name
		}
		var types []string
		for _, typ := range c.object.At(path...) {
			types = append(types, typ.String())
		}
		if joined := strings.Join(slices.Compact(types), " | "); got != c.want || joined != c.types {
			t.Errorf("%s %s: %q, %s; want %q, %s", c.object.Name, c.path, got, joined, c.want, c.types)
		}
	}
	if o, f := Main.Find(); o != nil || f != nil {
		t.Error("no path leads to a field")
	}
}

// Types are written as TypeScript writes them, and their limits in words.
func TestType(t *testing.T) {
	for _, c := range []struct {
		typ  Type
		want string
	}{
		{Agent.Field("tools").Type, "{ [name: string]: null | AgentTool }"},
		{Position.Field("value").Type, "'{{USER_PARAM}}' | `{{SERVER_PARAM:${string}}}` | (string & {})"},
		{arrayOf(words("min(…)", "optional()")), "(`min(${string})` | 'optional()')[]"},
		{either(arrayOf(headers), null), "{ [name: string]: string }[] | null"},
	} {
		if got := c.typ.String(); got != c.want {
			t.Errorf("%s, want %s", got, c.want)
		}
	}
	for _, c := range []struct {
		typ  Type
		want string
	}{
		{Main.Field("tools").Type,
			"at most 8 entries; keys: camelCase: letters and digits, a lower-case letter first"},
		{Tool.Field("tests").Type, "at least 3 elements"},
		{Preload.Field("ttl").Type, "at least 1; whole"},
		{Skill.Field("description").Type, "not empty; at most 1024 characters"},
		{Tool.Field("path").Type, "starts with /"},
	} {
		if got := c.typ.Limits(); got != c.want {
			t.Errorf("%s, want %s", got, c.want)
		}
	}
}
