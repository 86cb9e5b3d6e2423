package exec

import (
	"context"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"testing"

	"golang.org/x/text/encoding/charmap"

	"github.com/flowmcp/fmcp/pkg/exec/fetch"
	"github.com/flowmcp/fmcp/pkg/exec/secret"
	"github.com/flowmcp/fmcp/pkg/ordjson"
	"github.com/flowmcp/fmcp/pkg/record"
)

// TestCanary lets the upstream echo a secret in every form that it can think
// of, and looks for it in what leaves.
func TestCanary(t *testing.T) {
	const secret, password = `Zk7/+"ca<nary>&42 x`, "Wq9$pass"
	basic := base64.StdEncoding.EncodeToString([]byte("user42:" + password))
	forms := []string{
		secret, url.QueryEscape(secret), url.PathEscape(secret), strings.ToLower(url.QueryEscape(secret)),
		encode(secret, inQuery),
		quoteJSON(secret), "Zk7/+&quot;ca&lt;nary&gt;&amp;42 x", base64.StdEncoding.EncodeToString([]byte(secret)),
		base64.StdEncoding.EncodeToString([]byte("u:" + secret)),
		base64.URLEncoding.EncodeToString([]byte("us:" + secret + ":z")),
		base64.StdEncoding.EncodeToString([]byte("usr:" + secret)),
		base64.StdEncoding.EncodeToString([]byte("/v?k=" + encode(secret, inQuery))),
		hex.EncodeToString([]byte(secret)), basic, "user42:" + password, password,
	}
	quoted, err := json.Marshal(forms)
	if err != nil {
		t.Fatal(err)
	}
	vars := map[string]string{"API_KEY": secret, "BASIC": basic, "PIN": "7", "ACCOUNT": "9876543210"}
	status := 200
	root, c := upstream(t, fetch.Options{}, vars, func(w http.ResponseWriter, r *http.Request) {
		w.WriteHeader(status)
		body, _ := io.ReadAll(r.Body)
		fmt.Fprintf(w, `{"forms":%s,%s:"key","number":9876543210,"other":19876,"uri":%s,"pin":"is 7 or 77","body":%s,`+
			`"header":%s}`, quoted, quoteJSON(secret),
			quoteJSON(r.RequestURI), body, quoteJSON(r.Header.Get("X")))
	})
	d := strings.Replace(data("POST", root, "/v/{{API_KEY}}",
		`"X":"{{API_KEY}} {{PIN}}","Authorization":"Basic {{BASIC}}"`,
		param("k", "query", "server", "{{API_KEY}}{{ACCOUNT}}", "string()", ""),
		param("b", "body", "server", "{{API_KEY}}", "string()", ""),
		user("echo", "query", "string()", `"optional()"`), user("n", "query", "number()", `"optional()","max(3)"`)),
		`["lower_key"]`, `["API_KEY","BASIC","PIN","ACCOUNT"]`, 1)
	tl := tool(t, d)
	clean := func(e *record.Envelope) string {
		t.Helper()
		text := string(e.AppendJSON(nil))
		for _, canary := range append(forms, quoteJSON(secret)[1:20], "9876543210", "ca<nary", "ca%3Cnary",
			"ca%3cnary") {
			if strings.Contains(text, canary) {
				t.Errorf("%q leaked: %s", canary, text)
			}
		}
		return text
	}
	got := clean(c.Call(context.Background(), tl, parse(t, `{"echo":`+quoteJSON(secret)+`}`), Options{}))
	for _, want := range []string{`"status":true`, "[REDACTED:API_KEY]", "[REDACTED:BASIC]",
		`"number":"[REDACTED:ACCOUNT]"`, `"other":19876`, `"pin":"is 7 or 77"`} {
		if !strings.Contains(got, want) {
			t.Errorf("%s lacks %s", got, want)
		}
	}
	clean(c.Call(context.Background(), tl, parse(t, `{"echo":`+quoteJSON(secret)+`}`), Options{DryRun: true}))
	for _, status = range []int{400, 401, 500} {
		clean(c.Call(context.Background(), tl, ordjson.Value{}, Options{}))
	}
	clean(c.Call(context.Background(), tl, parse(t, `{"n":`+quoteJSON(secret)+`,"Zk":1}`), Options{}))
	c.Client, _ = fetch.NewClient(fetch.Options{Resolver: &fakeNet{}})
	clean(c.Call(context.Background(), tl, ordjson.Value{}, Options{}))
}

// TestRedactorMisread: a server that reads the bytes of a header as Latin-1, as
// Node does, or as Windows-1252, echoes other characters than were sent.
func TestRedactorMisread(t *testing.T) {
	const secret = `kä€n"ari-42`
	root, c := upstream(t, fetch.Options{}, map[string]string{"API_KEY": secret},
		func(w http.ResponseWriter, r *http.Request) {
			sent := r.Header.Get("X")
			latin, _ := charmap.ISO8859_1.NewDecoder().String(sent)
			windows, _ := charmap.Windows1252.NewDecoder().String(sent)
			text, err := json.Marshal([]string{
				sent, latin, windows, base64.RawStdEncoding.EncodeToString([]byte(latin)),
				strings.Trim(strconv.QuoteToASCII(windows), `"`), url.QueryEscape(latin),
			})
			if err != nil {
				t.Error(err)
			}
			_, _ = w.Write(text)
		})
	tl := tool(t, strings.Replace(data("GET", root, "/v", `"X":"{{API_KEY}}"`), `["lower_key"]`, `["API_KEY"]`, 1))
	const shown = `"[REDACTED:API_KEY]"`
	expect(t, c.Call(t.Context(), tl, ordjson.Value{}, Options{}), true, "["+strings.Repeat(shown+",", 5)+shown+"]")
}

func TestRedactorShort(t *testing.T) {
	r := secret.NewRedactor(env(map[string]string{"PIN": "12"}), []string{"PIN", "UNSET"})
	if got := r.Text("12 x12 a=12&b=123 (12)"); got != "[REDACTED:PIN] x12 a=[REDACTED:PIN]&b=123 ([REDACTED:PIN])" {
		t.Error(got)
	}
	v := parse(t, `{"a":"12"}`)
	if got := ordjson.Text(r.Value(v)); got != `{"a":"12"}` {
		t.Error(got)
	}
}
