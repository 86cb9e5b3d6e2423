package scaffold

import (
	"reflect"
	"strings"
	"testing"

	"github.com/flowmcp/fmcp/pkg/module"
)

func TestCurl(t *testing.T) {
	tests := []struct {
		command string
		want    Request
	}{
		{"curl https://a.example", Request{Method: "GET", URL: "https://a.example"}},
		{"curl -sSL --url https://a.example -o out.json", Request{Method: "GET", URL: "https://a.example"}},
		{"curl 'https://a.example/x' \\\n  -H 'Accept: text/plain' \\\r\n --compressed",
			Request{Method: "GET", URL: "https://a.example/x", Headers: []Header{{"Accept", "text/plain"}}}},
		{`curl -XPUT "https://a.example/\"x\"" --json "{\"a\":1}"`,
			Request{Method: "PUT", URL: `https://a.example/"x"`, Body: `{"a":1}`}},
		{`curl https://a.example --data-raw $'{"a":"it\'s \u00e9\x41"}' -H 'content-type: application/json'`,
			Request{Method: "POST", URL: "https://a.example", Body: `{"a":"it's éA"}`,
				Headers: []Header{{"content-type", "application/json"}}}},
		{"curl https://a.example -d a=1 -d b=2",
			Request{Method: "POST", URL: "https://a.example", Body: "a=1&b=2", Form: true}},
		{"curl -G https://a.example?x=1 -d a=1 --data-urlencode 'q=a b&c'",
			Request{Method: "GET", URL: "https://a.example?x=1&a=1&q=a+b%26c"}},
		{"$ curl https://a.example", Request{Method: "GET", URL: "https://a.example"}}, // as in a terminal
		{"curl https://a.example -u me:pw", Request{Method: "GET", URL: "https://a.example",
			Headers: []Header{{"Authorization", "Basic bWU6cHc="}}}},
	}
	for _, tt := range tests {
		got, err := Curl(tt.command)
		if err != nil || !reflect.DeepEqual(got, tt.want) {
			t.Errorf("%s:\ngot  %+v %v\nwant %+v", tt.command, got, err, tt.want)
		}
	}
}

func TestCurlRefuses(t *testing.T) {
	for command, want := range map[string]string{
		"wget https://a.example":            "does not begin with curl",
		"curl":                              "no URL",
		"curl 'https://a.example":           "single quote",
		`curl "https://a.example`:           "double quote",
		"curl $'a":                          "not closed",
		`curl $'\uzz'`:                      "escape",
		"curl https://a.example | jq .":     `goes on after curl with "|"`,
		"curl https://a.example?a=1&b=2":    `goes on after curl with "&"`,
		"curl https://a.example -F a=1":     "the body is multipart/form-data, and tools send JSON",
		"curl https://a.example --form a=1": "the body is multipart/form-data, and tools send JSON",
		"curl https://a.example -x h":       `option "-x" of curl is not read; take it out`,
		"curl ^\"https://a.example?a=1^&b=2^\" ^\n  -H ^\"a: b^\"": `"Copy as cURL (bash)"`,
		"curl https://a.example --heder 'a:'":                      `did you mean "header"?`,
		"curl https://a.example -H":                                "has no value",
		"curl https://a.example -H a":                              "no colon",
		"curl https://a.example -d @file":                          "in a file",
		"curl https://a.example b":                                 "two URLs",
	} {
		if _, err := Curl(command); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %s", command, err, want)
		}
	}
}

// Whatever a command is, a schema that is made of it can be read.
func FuzzCurl(f *testing.F) {
	f.Add("curl 'https://a.example/{id=1}?a=1' -H 'X-Api-Key: k' \\\n --json $'{\"a\":\"\\u00e9\"}'")
	f.Add("curl -XPOST \"https://u:p@a.example\" -d a=1 -G")
	f.Fuzz(func(t *testing.T, command string) {
		r, err := Curl(command)
		if err != nil {
			return
		}
		file, err := Schema("a/b", []Request{r})
		if err != nil {
			return
		}
		if _, err := module.Read(file.Text); err != nil {
			t.Errorf("%v in\n%s", err, file.Text)
		}
	})
}
