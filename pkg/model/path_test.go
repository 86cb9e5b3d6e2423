package model

import (
	"slices"
	"strings"
	"testing"
)

// parts are path parts as text: literal text as it is, a placeholder as
// <key>, or <:key> where it is written in a legacy form.
func parts(path string, inserts ...string) string {
	var b strings.Builder
	for _, p := range PathParts(path, inserts) {
		switch {
		case p.Key == "":
			b.WriteString(p.Text + "|")
		case p.Legacy:
			b.WriteString("<:" + p.Key + ">|")
		default:
			b.WriteString("<" + p.Key + ">|")
		}
	}
	return strings.TrimSuffix(b.String(), "|")
}

func TestPathParts(t *testing.T) {
	tests := []struct {
		path, inserts, want string
	}{
		{"", "", ""},
		{"/", "", "/"},
		{"/a/b", "", "/a/b"},
		{"/a/{{id}}", "id", "/a/|<id>"},
		{"/a/{{id}}/b/{{ n }}", "id n", "/a/|<id>|/b/|<n>"},
		{"/{{a}}{{b}}", "a b", "/|<a>|<b>"},
		{"/a/{{id}}", "", "/a/|<id>"}, // whether it is declared is for others to say
		{"/{{SERVER_PARAM:KEY}}/x", "", "/|<KEY>|/x"},

		// Habits of the field (decision "Path placeholders").
		{"/points/:lat,:lon", "lat lon", "/points/|<:lat>|,|<:lon>"},
		{"/points/:lat,:lon", "", "/points/|<:lat>|,:lon"}, // only the first starts a segment
		{"/claims:search", "", "/claims:search"},
		{"/claims:search", "search", "/claims|<:search>"},
		{"/accounts/{key}", "key", "/accounts/|<:key>"},
		{"/accounts/{key}", "other", "/accounts/{key}"},
		{"/accounts/{key", "key", "/accounts/{key"},
		{"/accounts/${key}", "key", "/accounts/${key}"}, // what is more than {key} is misspelt
		{"/accounts/{{key}", "key", "/accounts/{{key}"},
		{"/accounts/{key}}", "key", "/accounts/{key}}"},
		{"/feed/geo::lat;:lon/", "lat lon", "/feed/geo:|<:lat>|;|<:lon>|/"},
		{"/coins/:id", "id", "/coins/|<:id>"},
		{"/coins/:idx", "id", "/coins/|<:idx>"}, // not :id and x
		{"/a/:id.json", "id", "/a/|<:id>|.json"},
		{"/a/:id/{{n}}/:id", "id n", "/a/|<:id>|/|<n>|/|<:id>"},
		{"/time/12:30", "", "/time/12:30"},
		{"/a/:", "", "/a/:"},
		{"/a/{}", "", "/a/{}"},
		{":id/x", "id", "<:id>|/x"},
		{":id/x", "", ":id/x"},
	}
	for _, tt := range tests {
		if got := parts(tt.path, strings.Fields(tt.inserts)...); got != tt.want {
			t.Errorf("PathParts(%q, %s) = %s, want %s", tt.path, tt.inserts, got, tt.want)
		}
	}
}

func FuzzPathParts(f *testing.F) {
	for _, s := range []string{"/a/{{id}}/:n", "/points/:lat,:lon", "{{ {{x}}", "/{key}{{a:b}}:", "", "::{{}}{}"} {
		f.Add(s, "id n lat lon key x")
	}
	f.Fuzz(func(t *testing.T, path, keys string) {
		inserts := strings.Fields(keys)
		var b strings.Builder
		for _, p := range PathParts(path, inserts) {
			if p.Text == "" || p.Legacy && p.Key == "" {
				t.Errorf("%q: part %+v", path, p)
			}
			b.WriteString(p.Text)
		}
		if b.String() != path {
			t.Errorf("the parts of %q make %q", path, b.String())
		}
	})
}

func TestPlaceholders(t *testing.T) {
	tests := []struct {
		text string
		want []Placeholder
	}{
		{"", nil},
		{"no placeholder }} {", nil},
		{"{{x", nil},
		{"{{x}}", []Placeholder{{0, 5, "", "x"}}},
		{"a {{ x }} b", []Placeholder{{2, 9, "", "x"}}},
		{"{{SERVER_PARAM:KEY}}", []Placeholder{{0, 20, "SERVER_PARAM", "KEY"}}},
		{"{{ tool : ns/name }}", []Placeholder{{0, 20, "tool", "ns/name"}}},
		{"{{list:a:b}}", []Placeholder{{0, 12, "list", "a:b"}}},
		{"{{a}}{{b}}", []Placeholder{{0, 5, "", "a"}, {5, 10, "", "b"}}},
		{"{{ {{x}}", []Placeholder{{3, 8, "", "x"}}},
		{"{{{x}}}", []Placeholder{{1, 6, "", "x"}}},
		{"{{}}", []Placeholder{{0, 4, "", ""}}},
		{"{{:x}}", []Placeholder{{0, 6, "", "x"}}},
		{"}}{{x}}", []Placeholder{{2, 7, "", "x"}}},
	}
	for _, tt := range tests {
		if got := Placeholders(tt.text); !slices.Equal(got, tt.want) {
			t.Errorf("Placeholders(%q) = %+v, want %+v", tt.text, got, tt.want)
		}
	}
}

func FuzzPlaceholders(f *testing.F) {
	for _, s := range []string{"a {{x}} b {{y:z}}", "{{ {{x}}", "{{{x}}}", "}}{{", "{{{{}}}}"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		at := 0
		for _, p := range Placeholders(text) {
			if p.Start < at || p.End < p.Start+4 || p.End > len(text) {
				t.Fatalf("%q: %+v after %d", text, p, at)
			}
			inner := text[p.Start+2 : p.End-2]
			if text[p.Start:p.Start+2] != "{{" || text[p.End-2:p.End] != "}}" || strings.Contains(inner, "{{") ||
				strings.Contains(inner, "}}") {
				t.Errorf("%q: %+v is %q", text, p, text[p.Start:p.End])
			}
			at = p.End
		}
	})
}
