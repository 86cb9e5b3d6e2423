package model

import (
	"slices"
	"testing"
)

func TestMisspelt(t *testing.T) {
	for text, want := range map[string][]string{
		"/city/{lat}":                     {"{lat}"},
		"/city/{{lat":                     {"{{lat"},
		"/city/{{lat}/x":                  {"{{lat}"},
		"/city/{{lat/{{lon}}":             {"{{lat"},
		"/city/{lat":                      {"{lat"},
		"/city/{lat}}":                    {"{lat}}"},
		"/city/${x}":                      {"${x}"},
		"/{a}/b/{c-d}":                    {"{a}", "{c-d}"},
		"{USER_PARAM}":                    {"{USER_PARAM}"},
		"{{USER_PARAM":                    {"{{USER_PARAM"},
		"{{ USER_PARAM }":                 {"{{ USER_PARAM"},
		"Bearer {KEY}":                    {"{KEY}"},
		"Bearer {SERVER_PARAM:KEY}":       {"{SERVER_PARAM:KEY}"},
		"Bearer ${SERVER_PARAM:KEY}":      {"${SERVER_PARAM:KEY}"},
		"{{SERVER_PARAM:}}":               {"{{SERVER_PARAM:}}"},
		"{{SERVER_PARAM:KEY}":             {"{{SERVER_PARAM:KEY}"},
		"{{}}":                            {"{{}}"},
		`{"a":"{USER_PARAM}","b":"${x}"}`: {"{USER_PARAM}", "${x}"},

		"":                                   nil,
		"/city/{{lat}}/{{SERVER_PARAM:KEY}}": nil,
		"{{USER_PARAM}}":                     nil,
		`{"a":{"b":{"c":1}},"d":[{}]}`:       nil,
		`{"a":{"b":{{USER_PARAM}}}}`:         nil,
		`{a:1,b:{c:2}}`:                      nil,
		"{ user { name } }":                  nil,
		"{user{name}}":                       nil,
		"query{user{name}}":                  nil,
		"query {me}":                         nil,
		"query($id:ID!){user(id:$id){name}}": nil,
		"{__typename}":                       nil,
		"^[a-z]{2,3}[0-9]{4}$":               nil,
		"$5 }":                               nil,
		"a {} b":                             nil,
	} {
		if got := Misspelt(text); !slices.Equal(got, want) {
			t.Errorf("%s: %q, want %q", text, got, want)
		}
	}
}

func FuzzMisspelt(f *testing.F) {
	f.Add("/{a}/{{b/${c}/{{SERVER_PARAM:}}/{SERVER_PARAM:")
	f.Fuzz(func(t *testing.T, text string) {
		for _, form := range Misspelt(text) {
			if len(form) < 2 || len(form) > len(text) {
				t.Errorf("%q: found %q", text, form)
			}
		}
	})
}
