package scaffold

import (
	"slices"
	"strings"
	"testing"
)

func TestSchemaFromURL(t *testing.T) {
	tests := []struct {
		name string
		urls []string
		want []string // in the text
		note string
	}{
		{"types and neighbours", []string{"https://api.example.com/v1?lat=52.5&on=true&from=2024-03-01&q=a"}, []string{
			"root: 'https://api.example.com'", "path: '/v1'", "primitive: 'number()'", "primitive: 'boolean()'",
			"The same with lat 51.5", "The same with on false"}, "description"},
		{"what a number would not keep is text", []string{"https://a.example/x?id=007&v=1.50&n=12345678901234567890"},
			[]string{"id: '007'", "v: '1.50'", "n: '12345678901234567890'"}, "replace-me"},
		{"dates", []string{"https://a.example/x?d=2024-03-01"}, []string{"d: '2024-02-29'", "d: '2024-02-28'"}, ""},
		{"a parameter of the path", []string{"https://a.example/users/{id=42}"}, []string{
			"path: '/users/{{id}}'", "location: 'insert'", "id: 42", "id: 41", "id: 40"}, ""},
		{"without a value", []string{"https://a.example/users/{id}"}, []string{
			"id: 'replace-me'", "Replace the value of id"},
			"{id=VALUE}"},
		{"each URL is a test, what one of them lacks is optional", []string{"https://a.example/s?q=a",
			"https://a.example/s?q=b&n=2",
			"https://a.example/s?q=3"}, []string{"q: 'a'", "q: 'b', n: 2", "q: '3'", "options: ['optional()']"}, ""},
		{"no parameters", []string{"https://a.example"}, []string{"path: '/'", "parameters: []"}, ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			var requests []Request
			for _, u := range tt.urls {
				requests = append(requests, Request{Method: "GET", URL: u})
			}
			f, err := Schema("weather/getForecast", requests)
			if err != nil {
				t.Fatal(err)
			}
			for _, want := range tt.want {
				if !strings.Contains(f.Text, want) {
					t.Errorf("want %s in\n%s", want, f.Text)
				}
			}
			if n := strings.Count(f.Text, "_description"); n != 3 {
				t.Errorf("%d tests, want 3", n)
			}
			if !slices.ContainsFunc(f.Notes, func(n string) bool { return strings.Contains(n, tt.note) }) {
				t.Errorf("notes %q, want one with %q", f.Notes, tt.note)
			}
		})
	}
}

func TestSchemaRefuses(t *testing.T) {
	tests := []struct{ id, curl, want string }{
		{"Weather/get_it", "curl https://a.example", `did you mean "weather/getIt"?`},
		{"getIt", "curl https://a.example", "such as weather/getForecast"},
		{"a/b", "curl http://a.example/", "expected https://"},
		{"a/b", "curl -X PATCH https://a.example/", "GET, POST, PUT, DELETE"},
		{"a/b", "curl https://a.example/{id}?id=1", `"id" is in the path and in the query`},
		{"a/b", "curl 'https://a.example/{id}/{id}'", `two parameters "id"`},
		{"a/b", "curl 'https://a.example/{1}'", "expected {id}, or {id=42}"},
		{"a/b", "curl 'https://a.example/?q=1&q=2'", `"q" twice`},
		{"a/b", "curl 'https://a.example/?q=%zz'", "% as %25"},
		{"a/b", "curl https://a.example?_description=x", `no parameter can be called "_description"`},
		{"a/b", "curl https://a.example -d a=1", "the body is a form"},
		{"a/b", "curl https://a.example --json [1]", "expected a JSON object"},
		{"a/b", `curl https://a.example --json '{"user":{"password":"SECRETVALUE"}}'`, `"user" holds "password"`},
		{"a/b", "curl https://a.example -H 'a b: SECRETVALUE'", "the name of a header"},
	}
	for _, tt := range tests {
		r, err := Curl(tt.curl)
		if err != nil {
			t.Fatal(err)
		}
		_, err = Schema(tt.id, []Request{r})
		if err == nil || !strings.Contains(err.Error(), tt.want) || strings.Contains(err.Error(), "SECRETVALUE") {
			t.Errorf("%s: %v, want %s", tt.curl, err, tt.want)
		}
	}
	_, err := Schema("a/b", []Request{{Method: "GET", URL: "https://a.example/x"},
		{Method: "GET", URL: "https://a.example/y"}})
	if err == nil || !strings.Contains(err.Error(), "request 2 is not of the method") {
		t.Error(err)
	}
}

// Wherever keys are in a request, their values are nowhere in what is made of it.
func TestKeysGoNowhere(t *testing.T) {
	for _, command := range []string{
		"curl 'https://a.example/x?api_key=SECRETVALUE'", "curl 'https://a.example/x?accessToken=SECRETVALUE&q=1'",
		"curl 'https://a.example/x?appid=SECRETVALUE'", "curl 'https://me:SECRETVALUE@a.example/x'",
		"curl https://a.example -u me:SECRETVALUE", "curl https://a.example -ume:SECRETVALUE",
		"curl https://a.example -H 'Authorization: Bearer SECRETVALUE'",
		"curl https://a.example -H 'Authorization: SECRETVALUE'",
		"curl https://a.example -H 'X-Api-Key: SECRETVALUE'", "curl https://a.example -H 'X-Whatever: SECRETVALUE'",
		"curl https://a.example --oauth2-bearer SECRETVALUE",
		`curl https://a.example --json '{"client_secret":"SECRETVALUE"}'`,
		"curl 'https://a.example/bot{token=SECRETVALUE}/x'",
	} {
		r, err := Curl(command)
		if err != nil {
			t.Fatal(err)
		}
		f, err := Schema("a/b", []Request{r})
		if err != nil {
			t.Fatal(command, err)
		}
		if len(f.Keys) != 1 || !strings.Contains(f.Text, "{{SERVER_PARAM:"+f.Keys[0]+"}}") {
			t.Errorf("%s: keys %q in\n%s", command, f.Keys, f.Text)
		}
		all := f.Text + f.Summary("p") + f.Path
		if strings.Contains(all, "SECRETVALUE") || strings.Contains(all, "bWU6") {
			t.Errorf("%s: its key is in\n%s", command, all)
		}
	}
	r, _ := Curl("curl https://a.example -b session=SECRETVALUE -A SECRETVALUE")
	if f, err := Schema("a/b", []Request{r}); err != nil || strings.Contains(f.Text+f.Summary(""), "SECRETVALUE") ||
		!strings.Contains(f.Summary(""), `header "Cookie" was left out`) {
		t.Error(f, err)
	}
	for _, harmless := range []string{"q", "keyword", "monkey", "tokenize", "author", "passenger", "design"} {
		if IsKey(harmless) {
			t.Errorf("%s is taken for a key", harmless)
		}
	}
}
