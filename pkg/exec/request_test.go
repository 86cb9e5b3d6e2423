package exec

import (
	"net/url"
	"slices"
	"strings"
	"testing"

	"github.com/flowmcp/fmcp/pkg/exec/fetch"
	"github.com/flowmcp/fmcp/pkg/ordjson"
)

// data is a tool of a method, root, path, headers and parameters.
func data(method, root, path, headers string, params ...string) string {
	return `{"name":"find","method":"` + method + `","root":` + quoteJSON(root) + `,"path":` + quoteJSON(path) +
		`,"headers":{` + headers + `},"serverParams":["lower_key"],"parameters":[` + strings.Join(params, ",") + `]}`
}

const root = "https://api.example.com"

// build makes the request of a call, or the codes and messages of its errors.
func build(t testing.TB, tl *Tool, params string) (*Request, string) {
	t.Helper()
	in, errs := CheckInput(tl, parse(t, params))
	if len(errs) > 0 {
		var all []string
		for _, e := range errs {
			all = append(all, e.Error())
		}
		return nil, strings.Join(all, "\n")
	}
	req, err := BuildRequest(tl, in)
	if err != nil {
		return nil, err.Error()
	}
	return req, ""
}

func TestBuildURL(t *testing.T) {
	str := "string()"
	tests := []struct {
		name, data, params, want string // want: URL, or the start of the error
	}{
		{"plain", data("GET", root, "/simple/price", ""), `{}`, root + "/simple/price"},
		{"root only", data("GET", root, "", ""), `{}`, root},
		{"query in order", data("GET", root, "/x", "", user("b", "query", str, ""),
			param("m", "query", "fixed", "contract", str, ""), user("a", "query", str, "")),
			`{"a":"1","b":"2"}`, root + "/x?b=2&m=contract&a=1"},
		{"query encoding", data("GET", root, "/x", "", user("q k", "query", str, "")), `{"q k":"a b&c=d#e+f/ü%"}`,
			root + "/x?q%20k=a%20b%26c%3Dd%23e%2Bf%2F%C3%BC%25"},
		{"query after a query in the path", data("GET", root, "/x?a=1", "", user("b", "query", str, "")), `{"b":"2"}`,
			root + "/x?a=1&b=2"},
		{"query in the root", data("GET", root+"?a=1", "", "", user("b", "query", str, "")), `{"b":"2"}`,
			root + "?a=1&b=2"},
		{"repeated keys", data("GET", root, "/x", "", param("id", "query", "fixed", "1", str, ""),
			param("id", "query", "fixed", "2", str, "")), `{}`, root + "/x?id=1&id=2"},
		{"optional left out", data("GET", root, "/x", "", user("a", "query", str, `"optional()"`),
			user("b", "query", str, "")), `{"b":"2"}`, root + "/x?b=2"},
		{"default applied", data("GET", root, "/x", "", user("limit", "query", "number()", `"default(10)"`)), `{}`,
			root + "/x?limit=10"},
		{"default overridden", data("GET", root, "/x", "", user("limit", "query", "number()", `"default(10)"`)),
			`{"limit":5}`, root + "/x?limit=5"},
		{"empty string is a value", data("GET", root, "/x", "", user("a", "query", str, "")), `{"a":""}`,
			root + "/x?a="},
		{"numbers", data("GET", root, "/x", "", user("a", "query", "number()", ""), user("b", "query", "number()", ""),
			user("c", "query", "number()", "")),
			`{"a":12345678901234567890,"b":5.0,"c":1e3}`, root + "/x?a=12345678901234567890&b=5&c=1000"},
		{"boolean", data("GET", root, "/x", "", user("a", "query", "boolean()", "")), `{"a":false}`,
			root + "/x?a=false"},
		{"array is joined by commas", data("GET", root, "/x", "", user("id", "query", "array()", "")),
			`{"id":["a b",2]}`, root + "/x?id=a%20b%2C2"},
		{"object as JSON", data("GET", root, "/x", "", user("o", "query", "object()", "")), `{"o":{"b":1,"a":[2]}}`,
			root + "/x?o=%7B%22b%22%3A1%2C%22a%22%3A%5B2%5D%7D"},
		{"fixed number as written", data("GET", root, "/x", "",
			param("version", "query", "fixed", "1.0", "number()", "")), `{}`, root + "/x?version=1.0"},
		{"text around the value", data("GET", root, "/x", "",
			param("q", "query", "fixed", "intitle:{{USER_PARAM}} or {{USER_PARAM}}", str, "")), `{"q":"a&b"}`,
			root + "/x?q=intitle%3Aa%26b%20or%20a%26b"},
		{"insert {{key}}", data("GET", root, "/c/{{id}}/h", "", user("id", "insert", str, "")), `{"id":"btc"}`,
			root + "/c/btc/h"},
		{"insert :key", data("GET", root, "/c/:id/:idx", "", user("id", "insert", str, ""),
			user("idx", "insert", str, "")), `{"id":"a","idx":"b"}`, root + "/c/a/b"},
		{"insert {key}", data("GET", root, "/c/{id}", "", user("id", "insert", str, "")), `{"id":"a"}`, root + "/c/a"},
		{"inserts within a segment", data("GET", root, "/p/:lat,:lon", "", user("lat", "insert", "number()", ""),
			user("lon", "insert", "number()", "")), `{"lat":1.5,"lon":-2}`, root + "/p/1.5,-2"},
		{"insert used twice", data("GET", root, "/{{a}}/{{a}}", "", user("a", "insert", str, "")), `{"a":"x"}`,
			root + "/x/x"},
		{"insert cannot leave its segment", data("GET", root, "/c/{{id}}/h", "", user("id", "insert", str, "")),
			`{"id":"x/a?b#c\\d e"}`, root + "/c/x%2Fa%3Fb%23c%5Cd%20e/h"},
		{"insert ../", data("GET", root, "/c/{{id}}/h", "", user("id", "insert", str, "")), `{"id":"../a"}`, "EXE012"},
		{"insert /..", data("GET", root, "/c/{{id}}/h", "", user("id", "insert", str, "")), `{"id":"a/.."}`, "EXE012"},
		{"insert \\..", data("GET", root, "/c/{{id}}/h", "", user("id", "insert", str, "")), `{"id":"a\\..\\b"}`,
			"EXE012"},
		{"insert ..%2F", data("GET", root, "/c/{{id}}/h", "", user("id", "insert", str, "")), `{"id":"..%2Fa"}`,
			"EXE012"},
		{"insert %252e.%5c", data("GET", root, "/c/{{id}}/h", "", user("id", "insert", str, "")), `{"id":"%252e.%5ca"}`,
			"EXE012"},
		{"insert ..;", data("GET", root, "/c/{{id}}/h", "", user("id", "insert", str, "")), `{"id":"a..b/..."}`,
			root + "/c/a..b%2F.../h"},
		{"path of the author with %2F..", data("GET", root, "/c%2F..%2Fd", ""), `{}`, "EXE012"},
		{"a percent sign", data("GET", root, "/c/{{id}}/h", "", user("id", "insert", str, "")), `{"id":"100%./."}`,
			"EXE012"},
		{"DOI with slashes kept", data("GET", root, "/works/{{doi}}/x", "", slashed("doi", str)),
			`{"doi":"10.1000/a b/c"}`, root + "/works/10.1000/a%20b/c/x"},
		{"slashes kept, ..", data("GET", root, "/works/{{doi}}/x", "", slashed("doi", str)), `{"doi":"10.1000/../b"}`,
			"EXE012"},
		{"slashes kept, %2e%2e", data("GET", root, "/works/{{doi}}/x", "", slashed("doi", str)),
			`{"doi":"10.1000/%2e%2e/b"}`, "EXE012"},
		{"slashes kept, an empty segment", data("GET", root, "/works/{{doi}}/x", "", slashed("doi", str)),
			`{"doi":"10.1000//b"}`, root + "/works/10.1000//b/x"},
		{"slashes kept in the path only", data("GET", root, "/works?d={{doi}}", "", slashed("doi", str)),
			`{"doi":"10.1000/b"}`, root + "/works?d=10.1000%2Fb"},
		{"slashes kept never start a host", data("GET", root, "{{doi}}", "", slashed("doi", str)),
			`{"doi":"/evil.com"}`, "EXE021"},
		{"insert ..", data("GET", root, "/c/{{id}}/h", "", user("id", "insert", str, "")), `{"id":".."}`, "EXE012"},
		{"insert .", data("GET", root, "/c/{{id}}", "", user("id", "insert", str, "")), `{"id":"."}`, "EXE012"},
		{"insert . beside .", data("GET", root, "/c/{{id}}.", "", user("id", "insert", str, "")), `{"id":"."}`,
			"EXE012"},
		{"insert .. that is escaped already", data("GET", root, "/c/{{id}}", "", user("id", "insert", str, "")),
			`{"id":"%2e%2e"}`, "EXE012"},
		{"insert that is escaped already", data("GET", root, "/c/{{id}}", "", user("id", "insert", str, "")),
			`{"id":"a%20b"}`, root + "/c/a%2520b"},
		{"insert empty", data("GET", root, "/c/{{id}}/h", "", user("id", "insert", str, "")), `{"id":""}`, "EXE012"},
		{"insert empty beside text", data("GET", root, "/c/:id.x", "", user("id", "insert", str, "")), `{"id":""}`,
			root + "/c/.x"},
		{"insert left out at the end",
			data("GET", root, "/c/:days", "", user("days", "insert", "number()", `"optional()"`)), `{}`, root + "/c"},
		{"insert left out before a query",
			data("GET", root, "/c/:days?a=1", "", user("days", "insert", "number()", `"optional()"`)), `{}`,
			root + "/c?a=1"},
		{"insert left out in the middle",
			data("GET", root, "/c/:days/h", "", user("days", "insert", "number()", `"optional()"`)), `{}`, "EXE012"},
		{"insert left out of a DELETE", data("DELETE", root, "/c/:id", "", user("id", "insert", str, `"optional()"`)),
			`{}`, "EXE012"},
		{"insert in the path's query", data("GET", root, "/x?id={{id}}&a=1", "", user("id", "insert", str, "")),
			`{"id":"a&b=/c"}`, root + "/x?id=a%26b%3D%2Fc&a=1"},
		{"insert of a list", data("GET", root, "/c/{{ids}}", "", user("ids", "insert", "array()", "")),
			`{"ids":["a/b","c"]}`, root + "/c/a%2Fb,c"},
		{"fixed insert", data("GET", root, "/c/{{id}}", "", param("id", "insert", "fixed", "a b", str, "")), `{}`,
			root + "/c/a%20b"},
		{"text of the author", data("GET", root, "/a b/ü|x%20y/100%", ""), `{}`, root + "/a%20b/%C3%BC%7Cx%20y/100%25"},
		{"server parameter in the query",
			data("GET", root, "/x", "", param("k", "query", "server", "{{SERVER_PARAM:API_KEY}}", str, "")), `{}`,
			root + "/x?k=[REDACTED:API_KEY]"},
		{"bare server parameter in the path", data("GET", root, "/v/{{API_KEY}}/x?s={{OTHER_KEY}}", ""), `{}`,
			root + "/v/[REDACTED:API_KEY]/x?s=[REDACTED:OTHER_KEY]"},
		{"declared server parameter", data("GET", root, "/v/{{lower_key}}", ""), `{}`,
			root + "/v/[REDACTED:lower_key]"},
		{"server parameter in the host", data("GET", "https://{{SERVER_PARAM:SUB}}.example.com", "/x", ""), `{}`,
			"https://[REDACTED:SUB].example.com/x"},
		{"several in a value", data("GET", root, "/x", "",
			param("a", "query", "server", "{{KEY_A}}:{{SERVER_PARAM:KEY_B}}", str, "")), `{}`,
			root + "/x?a=[REDACTED:KEY_A]%3A[REDACTED:KEY_B]"},
		{"unresolved placeholder in the path", data("GET", root, "/v/{{nope}}", ""), `{}`, "EXE021"},
		{"unresolved :key", data("GET", root, "/v/:nope", ""), `{}`, "EXE021"},
		{"unresolved placeholder in a value",
			data("GET", root, "/v", "", param("a", "query", "fixed", "{{nope}}", str, "")), `{}`, "EXE021"},
		{"unresolved placeholder in the root", data("GET", "https://{{nope}}.com", "/v", ""), `{}`, "EXE021"},
		{"http root", data("GET", "http://api.example.com", "/", ""), `{}`, "EXE021"},
		{"no root", data("GET", "", "/", ""), `{}`, "EXE021"},
		{"path that would change the host", data("GET", root, ".evil.com/", ""), `{}`, "EXE021"},
		{"path that would make a user name", data("GET", root, "@evil.com/", ""), `{}`, "EXE021"},
		{"root with a user name", data("GET", "https://u:p@example.com", "/", ""), `{}`, "EXE021"},
		{"fragment", data("GET", root, "/x#y", ""), `{}`, "EXE021"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			req, problem := build(t, tool(t, tt.data), tt.params)
			if problem != "" {
				if !strings.HasPrefix(tt.want, "EXE") || !strings.HasPrefix(problem, tt.want) {
					t.Errorf("got %s, want %s", problem, tt.want)
				}
				return
			}
			if got := req.Redacted().URL; got != tt.want {
				t.Errorf("\n got %s\nwant %s", got, tt.want)
			}
		})
	}
}

func TestBuildBody(t *testing.T) {
	str := "string()"
	all := []string{
		param("version", "body", "fixed", "2", str, ""), param("count", "body", "fixed", "3", "number()", ""),
		user("query", "body", "object()", ""), user("limit", "body", "number()", `"default(100)"`),
		user("none", "body", str, `"optional()"`),
		param("key", "body", "server", "k-{{API_KEY}}", str, ""), user("page", "query", "number()", `"optional()"`),
	}
	tests := []struct {
		name, data, params, body string
		warnings                 int
	}{
		{"types and order kept", data("POST", root, "/q", "", all...), `{"query":{"sql":"x","n":[1.0,null]}}`,
			`{"version":"2","count":3,"query":{"sql":"x","n":[1.0,null]},"limit":100,"key":"k-[REDACTED:API_KEY]"}`, 0},
		{"PUT", data("PUT", root, "/q", "", user("a", "body", "boolean()", "")), `{"a":true}`, `{"a":true}`, 0},
		{"all left out", data("POST", root, "/q", "", user("a", "body", str, `"optional()"`)), `{}`, `{}`, 0},
		{"no body parameters", data("POST", root, "/q", "", user("a", "query", str, "")), `{"a":"x"}`, "{}", 0},
		{"no body parameters, PUT", data("PUT", root, "/q", ""), `{}`, "{}", 0},
		{"no body parameters, GET", data("GET", root, "/q", ""), `{}`, "", 0},
		{"GET drops it", data("GET", root, "/q", "", user("a", "body", str, "")), `{"a":"x"}`, "", 1},
		{"DELETE drops it", data("DELETE", root, "/q", "", user("a", "body", str, "")), `{"a":"x"}`, "", 1},
		{"repeated key", data("POST", root, "/q", "", param("a", "body", "fixed", "1", str, ""),
			param("a", "body", "fixed", "2", str, "")), `{}`, `{"a":"2"}`, 1},
		{"insert without a place", data("GET", root, "/q", "", user("a", "insert", str, "")), `{"a":"x"}`, "", 1},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			req, problem := build(t, tool(t, tt.data), tt.params)
			if problem != "" {
				t.Fatal(problem)
			}
			got := ""
			if b := req.Redacted().Body; b.Exists() {
				got = ordjson.Text(b)
			}
			if got != tt.body || len(req.Warnings) != tt.warnings {
				t.Errorf("body %s, want %s; warnings %q", got, tt.body, req.Warnings)
			}
		})
	}
}

func TestBuildHeaders(t *testing.T) {
	std := " Accept=application/json, */*;q=0.5 User-Agent=" + fetch.UserAgent
	tests := []struct{ name, method, headers, want string }{
		{"defaults", "GET", ``, std},
		{"POST", "POST", ``, " Content-Type=application/json" + std},
		{"the schema's content type", "POST", `"content-type":"application/graphql"`,
			" content-type=application/graphql" + std},
		{"order", "GET", `"B":"1","A":"2"`, " B=1 A=2" + std},
		{"own accept and agent", "GET", `"accept":"text/csv","user-agent":"x"`, " accept=text/csv user-agent=x"},
		{"server parameters", "GET", `"Authorization":"Bearer {{API_KEY}}","X":"{{SERVER_PARAM:A_B}}-{{lower_key}}"`,
			" Authorization=Bearer [REDACTED:API_KEY] X=[REDACTED:A_B]-[REDACTED:lower_key]" + std},
		{"twice in different case", "GET", `"X-A":"1","x-a":"2"`, " x-a=2" + std},
		{"not the schema's business", "GET", `"Host":"evil.com","Content-Length":"0","Proxy-Authorization":"x"`, std},
		{"number", "GET", `"X":5`, " X=5" + std},
		{"line break", "GET", `"X":"a\r\nY: b"`, "EXE021"},
		{"bad name", "GET", `"X Y":"a"`, "EXE021"},
		{"unresolved", "GET", `"X":"{{nope}}"`, "EXE021"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			req, problem := build(t, tool(t, data(tt.method, root, "/", tt.headers)), `{}`)
			if problem != "" {
				if !strings.HasPrefix(problem, tt.want) {
					t.Errorf("got %s, want %s", problem, tt.want)
				}
				return
			}
			got := ""
			for _, h := range req.Redacted().Headers {
				got += " " + h.Name + "=" + h.Value
			}
			if got != tt.want {
				t.Errorf("\n got %s\nwant %s", got, tt.want)
			}
		})
	}
}

func TestFill(t *testing.T) {
	tl := tool(t, data("POST", "https://{{SUB}}.example.com", "/v/{{API_KEY}}", `"X":"k {{API_KEY}}"`,
		param("k", "query", "server", "{{API_KEY}}", "string()", ""),
		param("b", "body", "server", "{{API_KEY}}", "string()", "")))
	req, problem := build(t, tl, `{}`)
	if problem != "" {
		t.Fatal(problem)
	}
	tests := []struct{ name, sub, key, url, err string }{
		{"filled", "eu-1", `a/b?"c`, "https://eu-1.example.com/v/a%2Fb%3F%22c?k=a%2Fb%3F%22c", ""},
		{"missing", "", "", "", "EXE020 server parameters SUB, API_KEY are not set"},
		{"host cannot be left", "evil.com/", "abcd", "", "EXE021"},
		{"user name", "u@evil.com", "abcd", "", "EXE021"},
		{"line break", "eu", "a\nb", "", "EXE021"},
		{"dot segment", "eu", "..", "", "EXE012"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			w, err := req.Fill(env(map[string]string{"SUB": tt.sub, "API_KEY": tt.key}))
			if tt.err != "" {
				if err == nil || !strings.HasPrefix(err.Error(), tt.err) {
					t.Errorf("got %v, want %s", err, tt.err)
				}
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			if w.URL.String() != tt.url || w.Headers[0].Value != "k "+tt.key || !w.Headers[0].Secret ||
				w.Headers[1].Secret {
				t.Errorf("%s %+v", w.URL, w.Headers)
			}
			if got := parse(t, string(w.Body)).Get("b").Str(); got != tt.key {
				t.Errorf("body key %q", got)
			}
			if strings.Contains(w.String(), "a/b") {
				t.Errorf("String shows the secret: %s", w)
			}
		})
	}
}

func TestNewToolRefuses(t *testing.T) {
	for name, d := range map[string]string{
		"method":   `{"method":"PATCH"}`,
		"key":      data("GET", root, "/", "", user("", "query", "string()", "")),
		"location": data("GET", root, "/", "", user("a", "header", "string()", "")),
		"parameters": data("GET", root, "/", "",
			slices.Repeat([]string{user("a", "query", "string()", "")}, maxParams+1)...),
	} {
		_, err := toolOf("a/tool/b", parse(t, d))
		if err == nil || !strings.HasPrefix(err.Error(), CodeBadRecord) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func FuzzBuildRequest(f *testing.F) {
	f.Add("/c/{{id}}/:idx?x={{id}}", "a/../b", "v#", "k&", "Bearer {{API_KEY}}", "sécret/?#")
	f.Add("/{id}.:idx", "..", ".", "", "\r\n", "..")
	f.Add("//evil.com/:id", "@evil.com", "\\", "a", "{{SERVER_PARAM:API_KEY}}", "@evil.com")
	f.Fuzz(func(t *testing.T, path, insert, query, key, header, secret string) {
		if key == "" {
			key = "q"
		}
		d := data("GET", "https://{{HOST_PART}}.example.com/v1", path, `"X":`+quoteJSON(header),
			user("id", "insert", "string()", ""), user("idx", "insert", "string()", ""),
			param(key, "query", "fixed", query, "string()", ""),
			param("s", "query", "server", "{{API_KEY}}", "string()", ""))
		v, err := ordjson.Parse(d)
		if err != nil {
			return // key or text that is not UTF-8
		}
		tl, err := toolOf("a/tool/b", v)
		if err != nil {
			t.Fatal(err)
		}
		in, errs := CheckInput(tl, ordjson.NewObject(ordjson.Field("id", ordjson.NewString(insert)),
			ordjson.Field("idx", ordjson.NewString(insert))))
		if errs != nil {
			return
		}
		req, err := BuildRequest(tl, in)
		if err != nil {
			return
		}
		if len(secret) > 8 && strings.Contains(req.Redacted().URL, secret) &&
			!strings.Contains(path+insert+query+key, secret) {
			t.Fatal("the secret is shown")
		}
		w, err := req.Fill(env(map[string]string{"HOST_PART": "eu", "API_KEY": secret}))
		if err != nil {
			return
		}
		sent, err := url.Parse(w.URL.String())
		if err != nil || sent.Host != "eu.example.com" || sent.User != nil || w.Origin != "eu.example.com:443" {
			t.Fatalf("the host changed: %v %v", sent, err)
		}
		if clean := sent.JoinPath().EscapedPath(); !strings.HasPrefix(clean, "/v1") {
			t.Fatalf("the path left /v1: %s", clean)
		}
		if n, want := strings.Count(sent.EscapedPath(), "/"), strings.Count(pathOnly(path), "/")+1; n > want {
			t.Fatalf("%s has %d slashes, the schema only %d", sent.EscapedPath(), n, want)
		}
		for _, h := range w.Headers {
			if strings.ContainsAny(h.Value, "\r\n") {
				t.Fatalf("line break in header %q", h.Value)
			}
		}
	})
}

// pathOnly is a path of a schema without the query in it.
func pathOnly(path string) string {
	p, _, _ := strings.Cut(path, "?")
	return p
}
