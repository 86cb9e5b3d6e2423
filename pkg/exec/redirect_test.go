package exec

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"sort"
	"strings"
	"testing"

	"github.com/flowmcp/fmcp/pkg/exec/fetch"
	"github.com/flowmcp/fmcp/pkg/ordjson"
	"github.com/flowmcp/fmcp/pkg/record"
)

// TestRedirectsCarryNoSecrets: what another host gets to see of a request that
// is full of secrets, and what the own host sees when that one sends it back.
func TestRedirectsCarryNoSecrets(t *testing.T) {
	const secret = "canary/Zk7+42"
	quoted := url.QueryEscape(secret)
	headers := `"X-Plain":"p","Authorization":"Bearer fixed","X-Custom":"{{API_KEY}}","X-Api-Key":"fixed",` +
		`"apikey":"fixed","Cookie":"a=b","X-Auth-Token":"fixed","X-CSRF":"q"`
	params := []string{param("k", "query", "server", "{{API_KEY}}", "string()", ""), user("q", "query", "string()", "")}
	tests := []struct {
		name, method string
		status       int
		location     string // of api.com/start
		params       []string
		want         string // host, path with query, headers of each request after the first
	}{
		{"own host keeps all", "GET", 302, "/end?k=" + quoted, params,
			"api.com /end?k=" + quoted + " Apikey Authorization Cookie X-Api-Key X-Auth-Token X-Csrf X-Custom X-Plain"},
		{"another host", "GET", 302, "https://other.com/end?a=1", params, "other.com /end?a=1 X-Csrf X-Plain"},
		{"the query echoed", "GET", 302, "https://other.com/end?k=" + quoted + "&q=x", params,
			"other.com /end?q=x X-Csrf X-Plain"},
		{"under another name", "GET", 307, "https://other.com/end?q=x&token=" + quoted + "&t2=a" + quoted + "b", params,
			"other.com /end?q=x X-Csrf X-Plain"},
		{"its name with another value", "GET", 302, "https://other.com/end?k=changed&q=x", params,
			"other.com /end?q=x X-Csrf X-Plain"},
		{"as a name", "GET", 302, "https://other.com/end?" + quoted + "=1", params, "other.com /end X-Csrf X-Plain"},
		{"escaped otherwise", "GET", 302, "https://other.com/end?x=%63anary/Zk7%2b42", params,
			"other.com /end X-Csrf X-Plain"},
		{"there and back", "GET", 302, "https://other.com/back", params,
			"other.com /back X-Csrf X-Plain, api.com /end X-Csrf X-Plain"},
		{"in the path", "GET", 302, "https://other.com/" + url.PathEscape(secret) + "/end", params, "EXE032"},
		{"in the path, spread", "GET", 302, "https://other.com/" + secret + "/end", params, "EXE032"},
		{"POST becomes GET", "POST", 302, "https://other.com/end",
			append(params, param("b", "body", "server", "{{API_KEY}}", "string()", "")),
			"other.com /end X-Csrf X-Plain"},
		{"POST stays POST", "POST", 307, "https://other.com/end",
			append(params, param("b", "body", "server", "{{API_KEY}}", "string()", "")), "EXE032"},
		{"POST stays POST, no secret in the body", "POST", 308, "https://other.com/end",
			append(params, user("b", "body", "string()", `"default(x)"`)), "other.com /end X-Csrf X-Plain"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			var seen []string
			names := map[string]string{"api.com": "93.184.216.34", "other.com": "1.1.1.1"}
			_, client := newFakeNet(t, names, fetch.Options{AllowHosts: []string{"other.com"}},
				func(w http.ResponseWriter, r *http.Request) {
					if r.URL.Path == "/start" {
						w.Header().Set("Location", tt.location)
						w.WriteHeader(tt.status)
						return
					}
					seen = append(seen, r.Host+" "+r.URL.RequestURI()+" "+strings.Join(ownHeadersOf(r.Header), " "))
					if body, _ := io.ReadAll(r.Body); strings.Contains(string(body), "canary") {
						t.Errorf("the body reached %s", r.Host)
					}
					if r.URL.Path == "/back" {
						http.Redirect(w, r, "https://api.com/end?k="+quoted, http.StatusFound)
						return
					}
					fmt.Fprint(w, `"done"`)
				})
			c := &Caller{Client: client, Env: env(map[string]string{"API_KEY": secret})}
			e := c.Call(t.Context(), tool(t, data(tt.method, "https://api.com", "/start", headers, tt.params...)),
				parse(t, `{"q":"x"}`), Options{})
			if strings.HasPrefix(tt.want, "EXE") {
				expect(t, e, false, tt.want+" find: redirect refused: it would carry a server parameter to host "+
					"other.com:443")
				if seen != nil {
					t.Errorf("seen %q", seen)
				}
				return
			}
			expect(t, e, true, `"done"`)
			if got := strings.Join(seen, ", "); got != tt.want {
				t.Errorf("seen\n%s\nwant\n%s", got, tt.want)
			}
		})
	}
}

// ownHeadersOf are the names of the headers but those that every request has.
func ownHeadersOf(h http.Header) []string {
	var names []string
	for name := range h {
		if !strings.HasPrefix(name, "Accept") && !strings.HasPrefix(name, "Content-") && name != "User-Agent" {
			names = append(names, name)
		}
	}
	sort.Strings(names)
	return names
}

func TestMaxRedirects(t *testing.T) {
	for limit, want := range map[int]int{0: 5, 1: 1, 7: 7, -1: 0} {
		hops := 0
		_, client := newFakeNet(t, apiNames(), fetch.Options{MaxRedirects: limit},
			func(w http.ResponseWriter, r *http.Request) {
				hops++
				http.Redirect(w, r, fmt.Sprintf("/%d", hops), http.StatusFound)
			})
		e := (&Caller{Client: client, Env: env(nil)}).Call(t.Context(), bareTool(t, "GET", "https://api.com"),
			ordjson.Value{}, Options{})
		expect(t, e, false, fmt.Sprintf("EXE032 find: more than %d redirects, the last one to host api.com:443: use "+
			"the final URL as root, or raise --max-redirects", want))
		if hops != want+1 {
			t.Errorf("limit %d: %d requests", limit, hops)
		}
	}
}

func TestRedirects(t *testing.T) {
	var other *httptest.Server
	var seen []string
	other = httptest.NewTLSServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		seen = append(seen, r.Header.Get("X-Key")+r.Header.Get("Authorization")+r.Header.Get("Referer")+"|"+
			r.Header.Get("X-Plain"))
		fmt.Fprint(w, `"other"`)
	}))
	defer other.Close()
	root, c := upstream(t, fetch.Options{}, map[string]string{"API_KEY": "canary-value"},
		func(w http.ResponseWriter, r *http.Request) {
			switch r.URL.Path {
			case "/here":
				http.Redirect(w, r, "/there", http.StatusFound)
			case "/there":
				fmt.Fprintf(w, `{"referer":%q,"key":%q}`, r.Header.Get("Referer"), r.Header.Get("X-Key"))
			case "/loop":
				http.Redirect(w, r, "/loop", http.StatusFound)
			case "/other":
				http.Redirect(w, r, other.URL+"/x", http.StatusFound)
			case "/http":
				http.Redirect(w, r, "http://"+r.Host+"/there", http.StatusFound)
			case "/metadata":
				http.Redirect(w, r, "https://169.254.169.254/latest/", http.StatusFound)
			}
		})
	call := func(path string) *record.Envelope {
		tl := tool(t, data("GET", root, path,
			`"X-Key":"{{API_KEY}}","X-Plain":"p","Authorization":"Bearer {{API_KEY}}"`))
		return c.Call(context.Background(), tl, ordjson.Value{}, Options{})
	}
	expect(t, call("/here"), true, `{"referer":"","key":"[REDACTED:API_KEY]"}`)
	expect(t, call("/loop"), false, "EXE032 find: more than 5 redirects")
	expect(t, call("/other"), false, "EXE032 find: redirect refused: host 127.0.0.1:")
	expect(t, call("/http"), false, "only https is allowed")
	expect(t, call("/metadata"), false, "169.254.169.254")
	if len(seen) > 0 {
		t.Fatalf("the other host was called: %q", seen)
	}
	// The two servers have one certificate, so that both are trusted.
	_, trusting := upstream(t, fetch.Options{AllowHosts: []string{strings.TrimPrefix(root, fetch.Scheme),
		strings.TrimPrefix(other.URL, fetch.Scheme)}}, nil, nil)
	c.Client = trusting.Client
	expect(t, call("/other"), true, `"other"`)
	if len(seen) != 1 || seen[0] != "|p" {
		t.Errorf("the other host got %q, want the plain header alone", seen)
	}
}
