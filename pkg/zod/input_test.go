package zod

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/flowmcp/fmcp/pkg/model"
	"github.com/flowmcp/fmcp/pkg/ordjson"
)

func TestCheckInput(t *testing.T) {
	field := func(key string, source model.Source, primitive string, options ...string) Field {
		z, _ := Parse(primitive, options)
		return Field{Key: key, Source: source, Z: z}
	}
	fields := []Field{
		field("id", model.User, "number()", "min(1)"),
		field("limit", model.User, "number()", "default(10)"),
		field("sort", model.User, "enum(asc,desc)", "optional()"),
		field("module", model.Fixed, "string()"),
		field("both", model.Fixed, "string()"),
		field("both", model.User, "string()", "optional()"),
		field("twice", model.User, "string()", "optional()"),
		field("twice", model.User, "number()"),
	}
	tests := []struct{ given, values, issues string }{
		{`{"id":1}`, "id=1 limit=10", ""},
		{`{"id":2,"limit":3,"sort":"asc","both":"x","twice":"y"}`, `both="x" id=2 limit=3 sort="asc" twice="y"`, ""},
		{`{}`, "limit=10", "missing id: a number"},
		{`{"id":0}`, "id=0 limit=10", "refused id: expected at least 1, got the number 0"},
		{`{"id":1,"sort":"up"}`, `id=1 limit=10 sort="up"`,
			`refused sort: expected one of "asc", "desc", got the string "up"`},
		{`{"id":1,"sort":null}`, `id=1 limit=10 sort=null`,
			`refused sort: expected one of "asc", "desc", got null; leave an optional parameter out instead`},
		{`{"idd":1,"module":"m","id":1}`, "id=1 limit=10", "unknown idd: |hidden module: "},
	}
	names := map[InputKind]string{UnknownKey: "unknown", HiddenKey: "hidden", MissingKey: "missing",
		RefusedValue: "refused"}
	for _, tt := range tests {
		got, issues := CheckInput(fields, value(t, tt.given))
		var values, said []string
		for key, v := range got {
			values = append(values, key+"="+ordjson.Text(v))
		}
		slices.Sort(values)
		for _, issue := range issues {
			said = append(said, fmt.Sprintf("%s %s: %s", names[issue.Kind], issue.Key, issue.Msg))
			if (issue.Field == nil) != (issue.Kind == UnknownKey) {
				t.Errorf("%s: field of %s is %v", tt.given, issue.Key, issue.Field)
			}
		}
		if strings.Join(values, " ") != tt.values || strings.Join(said, "|") != tt.issues {
			t.Errorf("%s: values %s, issues %s", tt.given, values, said)
		}
	}
}

// The first issues of a test are those that it has of all.
func TestFirstIssues(t *testing.T) {
	var fields []Field
	var given strings.Builder
	for i := range 3 * mapFrom {
		z, _ := Parse("number()", nil)
		fields = append(fields, Field{Key: "k" + strconv.Itoa(i), Source: model.User, Z: z})
		switch i % 3 {
		case 0:
			given.WriteString(`"k` + strconv.Itoa(i) + `":"text",`)
		case 1:
			given.WriteString(`"unknown` + strconv.Itoa(i) + `":1,`)
		}
	}
	object := value(t, "{"+strings.TrimSuffix(given.String(), ",")+"}")
	_, all := CheckInput(fields, object)
	if len(all) != 4*mapFrom {
		t.Fatalf("%d issues, want %d", len(all), 4*mapFrom)
	}
	for most := range len(all) + 1 {
		if first := NewInput(fields).Issues(object, most); !slices.Equal(first, all[:most]) {
			t.Fatalf("the first %d: %v, want %v", most, first, all[:most])
		}
	}
}
