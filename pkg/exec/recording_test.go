package exec

import (
	"context"
	"encoding/base64"
	"encoding/hex"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unicode/utf16"

	"github.com/flowmcp/fmcp/internal/canary"
	"github.com/flowmcp/fmcp/pkg/exec/fetch"
	"github.com/flowmcp/fmcp/pkg/exec/secret"
	"github.com/flowmcp/fmcp/pkg/ordjson"
	"github.com/flowmcp/fmcp/pkg/sandbox"
)

const recordedSecret = "canary/REC+51c2e7f3a9&d8=="

// careless answers as careless APIs do: with the key that it was sent, in every
// form.
func careless(w http.ResponseWriter, r *http.Request) {
	body, _ := io.ReadAll(r.Body)
	key := strings.TrimPrefix(r.Header.Get("X-Key"), "k ")
	w.Header().Set("X-Echo", key)
	w.Header().Set("Set-Cookie", "session="+key)
	switch r.URL.Path {
	case "/text":
		w.Header().Set("Content-Type", "text/plain")
		fmt.Fprintf(w, "you are %s, or %s", key, url.QueryEscape(key))
	case "/latin":
		w.Header().Set("Content-Type", "application/json; charset=iso-8859-1")
		fmt.Fprintf(w, "{\"name\":\"B\xfcsum\",\"key\":%q}", key)
	case "/latin-clean":
		w.Header().Set("Content-Type", "application/json; charset=iso-8859-1")
		fmt.Fprint(w, "{\"name\":\"B\xfcsum\"}")
	case "/wide":
		w.Header().Set("Content-Type", "application/json")
		_, _ = w.Write(wide(`{"key":` + quoteJSON(key) + `}`))
	case "/png":
		w.Header().Set("Content-Type", "image/png")
		fmt.Fprint(w, pngSignature+"\x00\xff"+key)
	case "/packed":
		w.Header().Set("Content-Encoding", "br")
		fmt.Fprint(w, "\x8b"+key)
	case "/status":
		w.WriteHeader(http.StatusTeapot)
		fmt.Fprintf(w, `{"error":{"message":"no tea for %s"}}`, key)
	case "/empty":
		w.WriteHeader(http.StatusNoContent)
	default:
		w.Header().Set("Content-Type", "application/json")
		var escaped strings.Builder
		for _, c := range utf16.Encode([]rune(key)) {
			fmt.Fprintf(&escaped, `\u%04x`, c)
		}
		fmt.Fprintf(w, `{"uri":%q,"body":%q,"key":%q,"escaped":"%s","hex":%q,"base64":%q,`+
			`"big":12345678901234567890,%q:1}`,
			r.RequestURI, body, key, escaped.String(), hex.EncodeToString([]byte(key)),
			base64.StdEncoding.EncodeToString([]byte("user:"+key)), key)
	}
}

// wide is UTF-16 with its byte order mark.
func wide(s string) []byte {
	b := []byte(markUTF16LE)
	for _, c := range utf16.Encode([]rune(s)) {
		b = append(b, byte(c), byte(c>>8))
	}
	return b
}

// taped is a tool at a path that sends its key in every place.
func taped(t *testing.T, method, root, path, mime string) *Tool {
	d := data(method, root, path, `"X-Key":"k {{API_KEY}}"`, user("q", "query", "string()", `"optional()"`),
		param("k", "query", "server", "{{API_KEY}}", "string()", ""),
		param("b", "body", "server", "{{API_KEY}}", "string()", ""), user("n", "body", "number()", `"optional()"`))
	if mime != "" {
		d = strings.Replace(d, `"name":"find"`, `"name":"find","output":{"mimeType":"`+mime+`"}`, 1)
	}
	return tool(t, strings.Replace(d, `["lower_key"]`, `["API_KEY"]`, 1))
}

const paging = `export const handlers = () => ({ find: { executeRequest: async ({ struct, payload }) => {
	const all = []
	for (let page = 1; page <= 3; page++) {
		const answer = await fetch(payload.url + '&page=' + page, { headers: { ...struct.headers, 'X-Page': String(page) } })
		all.push(answer.status, answer.headers.get('x-echo'), (await answer.json()).uri)
	}
	return { response: all }
} } })`

// TestRecordAndReplay: what is replayed is what was answered, no secret is in
// the recording, and nothing is dialled.
func TestRecordAndReplay(t *testing.T) {
	dir := t.TempDir()
	root, c := upstream(t, fetch.Options{Record: dir}, map[string]string{"API_KEY": recordedSecret}, careless)
	net := &fakeNet{}
	client, err := fetch.NewClient(fetch.Options{Replay: dir, Resolver: net, Dial: net.dial,
		AllowHosts: []string{strings.TrimPrefix(root, "https://")}})
	if err != nil {
		t.Fatal(err)
	}
	replay := &Caller{Client: client, Env: secret.StandIns(), Sandbox: sandbox.NewPool(sandbox.Limits{Workers: 1})}
	defer replay.Close()
	search := canary.For(recordedSecret)
	for _, tt := range []struct{ name, method, path, mime, params, want string }{
		{"json", "GET", "/v", "", `{"q":"ä"}`, `"escaped":"[REDACTED:API_KEY]"`},
		{"big integers", "GET", "/v", "", `{}`, `"big":12345678901234567890`},
		{"body", "POST", "/v", "", `{"n":7}`, `"body":"{\"b\":\"[REDACTED:API_KEY]\",\"n\":7}"`},
		{"text", "GET", "/text", "text/plain", `{}`, `"you are [REDACTED:API_KEY], or [REDACTED:API_KEY]"`},
		{"latin", "GET", "/latin", "", `{}`, `{"name":"Büsum","key":"[REDACTED:API_KEY]"}`},
		{"latin without a secret", "GET", "/latin-clean", "", `{}`, `{"name":"Büsum"}`},
		{"utf-16", "GET", "/wide", "", `{}`, `{"key":"[REDACTED:API_KEY]"}`},
		{"packed", "GET", "/packed", "", `{}`, "EXE042"},
		{"status", "GET", "/status", "", `{}`, "EXE040 find: "},
		{"empty", "GET", "/empty", "", `{}`, "null"},
		{"a fetch of a handler", "GET", "/v", "handlers", `{}`,
			`[200,"[REDACTED:API_KEY]","/v?k=[REDACTED:API_KEY]&page=1",200,`},
	} {
		t.Run(tt.name, func(t *testing.T) {
			tl := taped(t, tt.method, root, tt.path, tt.mime)
			if tt.mime == "handlers" {
				tl = handledTool(t, root, paging, c, "executeRequest")
			}
			params := parse(t, tt.params)
			if tt.mime == "handlers" {
				params = parse(t, `{"q":"x"}`)
				tt.want = strings.Replace(tt.want, "?k", "?q=x&k", 1)
			}
			live := c.Call(context.Background(), tl, params, Options{})
			again := replay.Call(context.Background(), tl, params, Options{})
			live.Duration, again.Duration = 0, 0
			a, b := string(live.AppendJSON(nil)), string(again.AppendJSON(nil))
			if a != b || !strings.Contains(a, "REDACTED") {
				t.Errorf("replayed\n%s\nanswered\n%s", b, a)
			}
			if got := ordjson.Text(live.Data) + strings.Join(live.Messages, ""); !strings.Contains(got, tt.want) {
				t.Errorf("%s; want %s", got, tt.want)
			}
			if form := search.In([]byte(a)); form != "" {
				t.Errorf("the envelope holds the secret as %s", form)
			}
		})
	}
	if len(net.asked)+len(net.dialled) > 0 {
		t.Errorf("replaying asked for %v and dialled %v", net.asked, net.dialled)
	}
	found, err := search.Below(dir)
	if err != nil || len(found) > 0 {
		t.Errorf("%v %v", found, err)
	}
	files, _ := filepath.Glob(filepath.Join(dir, "*", "*.json"))
	if len(files) != 13 {
		t.Errorf("%d files: %v", len(files), files)
	}
	for _, name := range files {
		text, err := os.ReadFile(name)
		if err != nil || strings.Contains(string(text), "session=") || strings.Contains(string(text), "replayed-") {
			t.Errorf("%s: %v\n%s", name, err, text)
		}
	}
}

// TestRecordExposed: what a handler sends that knows the values of server
// parameters is recorded without them, and found again without keys.
func TestRecordExposed(t *testing.T) {
	dir := t.TempDir()
	root, c := upstream(t, fetch.Options{Record: dir}, map[string]string{"API_KEY": recordedSecret}, careless)
	tl := handledTool(t, root, `export const handlers = () => ({ find: { executeRequest: async ({ struct }) => {
	const { API_KEY } = struct.serverParams
	const answer = await fetch(struct.url + '&mine=' + encodeURIComponent(API_KEY), { method: 'POST', headers: { 'X-Key': 'k ' + API_KEY }, body: JSON.stringify({ API_KEY }) })
	return { response: (await answer.json()).key }
} } })`, c, "executeRequest")
	tl.Schema, c.Exposed = "demo/stations", []string{"demo/stations"}
	expect(t, c.Call(t.Context(), tl, parse(t, `{"q":"x"}`), Options{}), true, `"[REDACTED:API_KEY]"`)
	if found, err := canary.For(recordedSecret).Below(dir); err != nil || len(found) > 0 {
		t.Errorf("%v %v", found, err)
	}
	client, err := fetch.NewClient(fetch.Options{Replay: dir,
		AllowHosts: []string{strings.TrimPrefix(root, "https://")}})
	if err != nil {
		t.Fatal(err)
	}
	replay := &Caller{Client: client, Env: secret.StandIns(), Sandbox: c.Sandbox, Exposed: c.Exposed}
	expect(t, replay.Call(t.Context(), tl, parse(t, `{"q":"x"}`), Options{}), true, `"[REDACTED:API_KEY]"`)
}

// TestRecordedImage: an image that carries a secret loses it, and stays bytes.
func TestRecordedImage(t *testing.T) {
	dir := t.TempDir()
	root, c := upstream(t, fetch.Options{Record: dir}, map[string]string{"API_KEY": recordedSecret}, careless)
	tl := taped(t, "GET", root, "/png", "image/png")
	c.Call(context.Background(), tl, parse(t, `{}`), Options{})
	if found, err := canary.For(recordedSecret).Below(dir); err != nil || len(found) > 0 {
		t.Errorf("%v %v", found, err)
	}
	client, err := fetch.NewClient(fetch.Options{Replay: dir})
	if err != nil {
		t.Fatal(err)
	}
	e := (&Caller{Client: client, Env: secret.StandIns()}).Call(context.Background(), tl, parse(t, `{}`), Options{})
	if got, _ := base64.StdEncoding.DecodeString(e.Data.Str()); string(got) != pngSignature+
		"\x00\xff[REDACTED:API_KEY]" {
		t.Errorf("%q", got)
	}
}

// TestLastAnswerCounts: of a request that is made again the last answer is
// replayed, however often; the name of the program does not matter.
func TestLastAnswerCounts(t *testing.T) {
	dir, n := t.TempDir(), 0
	root, c := upstream(t, fetch.Options{Record: dir}, nil,
		func(w http.ResponseWriter, _ *http.Request) { n++; fmt.Fprint(w, n) })
	for range 3 {
		c.Call(context.Background(), tool(t, data("GET", root, "/", "")), parse(t, `{}`), Options{})
	}
	client, err := fetch.NewClient(fetch.Options{Replay: dir})
	if err != nil {
		t.Fatal(err)
	}
	other := tool(t, data("GET", root, "/", `"User-Agent":"fmcp/99"`))
	for range 2 {
		expect(t, (&Caller{Client: client}).Call(context.Background(), other, parse(t, `{}`), Options{}), true, "3")
	}
}

func TestReplayMisses(t *testing.T) {
	dir := t.TempDir()
	client, err := fetch.NewClient(fetch.Options{Replay: dir, MaxResponse: 10})
	if err != nil {
		t.Fatal(err)
	}
	c := &Caller{Client: client, Env: secret.StandIns()}
	call := func(want string) string {
		t.Helper()
		e := c.Call(context.Background(), taped(t, "GET", "https://{{SUB}}.api.com", "/v", ""), parse(t, `{"q":"a b"}`),
			Options{})
		expect(t, e, false, want)
		return e.Messages[0]
	}
	said := call("EXE067 find: no answer to GET https://[REDACTED:SUB].api.com/v?q=a%20b&k=[REDACTED:API_KEY] was " +
		"recorded (it would be in " + dir)
	_, name, _ := strings.Cut(said, "it would be in ")
	name, _, _ = strings.Cut(name, ")")
	for text, want := range map[string]string{
		`{`:       "EXE068 find: " + name + " is not a recording (",
		`{"v":2}`: "is not a recording (it is of version 2, and this program reads 1)",
		`{"v":1}`: "is not a recording (response.status is not an HTTP status)",
		`{"v":1,"response":{"status":"200","body":""}}`:          "response.status is not an HTTP status",
		`{"v":1,"response":{"status":99,"body":""}}`:             "response.status is not an HTTP status",
		`{"v":1,"response":{"status":200}}`:                      "response has neither body nor bodyBase64",
		`{"v":1,"response":{"status":200,"bodyBase64":"%"}}`:     "response.bodyBase64 is not base64",
		`{"v":1,"response":{"status":200,"body":"01234567890"}}`: "EXE037",
	} {
		if err := writeText(name, text); err != nil {
			t.Fatal(err)
		}
		call(want)
	}
	if err := os.Remove(name); err != nil {
		t.Fatal(err)
	}
	if err := os.Mkdir(name, 0o700); err != nil {
		t.Fatal(err)
	}
	call("EXE068 find: the recording cannot be read: ")
}

func writeText(name, text string) error {
	if err := os.MkdirAll(filepath.Dir(name), 0o700); err != nil {
		return err
	}
	return os.WriteFile(name, []byte(text), 0o600)
}

// TestRecordingThatCannotBeWritten fails the call: what is missing would be
// found out only when it is replayed.
func TestRecordingThatCannotBeWritten(t *testing.T) {
	dir := t.TempDir()
	root, c := upstream(t, fetch.Options{Record: dir}, nil,
		func(w http.ResponseWriter, _ *http.Request) { fmt.Fprint(w, 1) })
	if err := writeText(filepath.Join(dir, strings.ReplaceAll(strings.TrimPrefix(root, fetch.Scheme), ":", "_")),
		"a file"); err != nil {
		t.Fatal(err)
	}
	expect(t, c.Call(context.Background(), tool(t, data("GET", root, "/", "")), parse(t, `{}`), Options{}), false,
		"EXE068 find: the answer could not be recorded: ")
}

func TestRecordingUsage(t *testing.T) {
	file := filepath.Join(t.TempDir(), "file")
	if err := writeText(file, ""); err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		o    fetch.Options
		want string
	}{
		{fetch.Options{Record: "a", Replay: "b"},
			"--record asks the network and --replay does without it: give one of them"},
		{fetch.Options{Replay: file}, "--replay " + file + ": no such folder: record one by --record"},
		{fetch.Options{Replay: file + "none"}, "no such folder"},
		{fetch.Options{Record: file}, "--record: "},
	} {
		if _, err := fetch.NewClient(tt.o); err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%+v: %v", tt.o, err)
		}
	}
}
