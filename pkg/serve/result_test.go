package serve

import (
	"context"
	"encoding/base64"
	"strings"
	"testing"

	"github.com/flowmcp/fmcp/pkg/ordjson"
	"github.com/flowmcp/fmcp/pkg/record"
	"github.com/flowmcp/fmcp/pkg/record/recordtest"
	"github.com/flowmcp/fmcp/pkg/serve/listing"
)

// What an answer says is in it once.
func TestResults(t *testing.T) {
	png, jpeg := "iVBORw0KGgoAAAA=", "/9j/4AAQ"
	webp := base64.StdEncoding.EncodeToString([]byte("RIFF\x1a\x00\x00\x00WEBPVP8 "))
	large := png[:12] + strings.Repeat("A", maxImage)
	output := func(mime, typ string) string {
		return `,"output":{"mimeType":"` + mime + `","schema":{"type":"` + typ + `"}}`
	}
	answers := map[string]*record.Envelope{
		"ok": {Status: true, Data: ordjson.NewInt(5)},
		"cut": {Status: true, Data: ordjson.NewInt(5), Messages: []string{"EXE080 part"},
			Warnings: []string{"odd"}},
		"failed":   {Messages: []string{"EXE000 no"}, Warnings: []string{"tried twice"}, Data: ordjson.NewNull()},
		"image":    {Status: true, Data: ordjson.NewString(png)},
		"cutImage": {Status: true, Data: ordjson.NewString(png), Messages: []string{"EXE080 small"}},
		"jpeg":     {Status: true, Data: ordjson.NewString(jpeg), Warnings: []string{"no PNG"}},
		"webp":     {Status: true, Data: ordjson.NewString(webp), ContentType: "image/webp"},
		"gif":      {Status: true, Data: ordjson.NewString("R0lGODlhAQAB"), ContentType: "image/gif"},
		"page":     {Status: true, Data: ordjson.NewString("PGh0bWw+"), ContentType: "image/png"},
		"broken":   {Status: true, Data: ordjson.NewString(png + "!"), ContentType: "image/png"},
		"large":    {Status: true, Data: ordjson.NewString(large), ContentType: "image/png", Warnings: []string{"odd"}},
		"sentPNG":  {Status: true, Data: ordjson.NewString(png), ContentType: "image/png"},
		"text":     {Status: true, Data: ordjson.NewString("a\n\"b\"")},
		"csv":      {Status: true, Data: ordjson.NewString("a,b"), ContentType: "text/csv"},
		"document": {Status: true, Data: ordjson.NewString("# T"), Query: &record.Query{Source: "markdown"}},
		"warned":   {Status: true, Data: ordjson.NewString("a"), Warnings: []string{"odd"}},
		"cutText":  {Status: true, Data: ordjson.NewString("a"), Messages: []string{"EXE080 cut"}},
		"blank":    {Status: true, Data: ordjson.NewString(" \n")},
	}
	call := callerFunc(func(_ context.Context, _ string, params ordjson.Value) *record.Envelope {
		return answers[params.Get("q").Str()]
	})
	l, _ := listed(t, true, toolLine("plain", ""), toolLine("typed", output("application/json", "number")),
		toolLine("image", output("image/png", "string")), toolLine("text", output("text/plain", "string")))
	block := func(text string) string {
		return `{"type":"text","text":` + string(ordjson.AppendString(nil, text)) + `}`
	}
	envelope := func(text string) string { return `{"content":[` + block(text) + `]}` }
	failed := func(text string) string { return strings.TrimSuffix(envelope(text), "}") + `,"isError":true}` }
	imageOf := func(mime, data string) string {
		return `{"type":"image","data":"` + data + `","mimeType":"` + mime + `"}`
	}
	image := imageOf("image/png", png)
	elsewhere := `{"content":[` + block("the answer is in structuredContent") + `],"structuredContent":`
	c := serving(t, Contents{Tools: l.Tools, Caller: call}, Options{})
	for _, tc := range []struct{ tool, answer, want string }{
		{"plain", "ok", envelope(`{"status":true,"messages":[],"data":5}`)},
		{"plain", "cut", envelope(`{"status":true,"messages":["EXE080 part","warning: odd"],"data":5}`)},
		{"plain", "failed", failed(`{"status":false,"messages":["EXE000 no","warning: tried twice"],"data":null}`)},
		{"typed", "ok", elsewhere + `{"status":true,"messages":[],"data":5}}`},
		{"typed", "cut", elsewhere + `{"status":true,"messages":["EXE080 part","warning: odd"],"data":5}}`},
		{"typed", "failed", failed(`{"status":false,"messages":["EXE000 no","warning: tried twice"],"data":null}`)},
		{"image", "image", `{"content":[` + image + `]}`},
		{"image", "cutImage", `{"content":[` + image + `,` +
			block(`{"status":true,"messages":["EXE080 small"],"data":null}`) + `]}`},
		{"image", "jpeg", `{"content":[` + imageOf("image/jpeg", jpeg) + `,` +
			block(`{"status":true,"messages":["warning: no PNG"],"data":null}`) + `]}`},
		{"plain", "webp", `{"content":[` + imageOf("image/webp", webp) + `]}`},
		{"plain", "gif", `{"content":[` + imageOf("image/gif", "R0lGODlhAQAB") + `]}`},
		{"plain", "page", envelope(`{"status":true,"messages":[],"data":"PGh0bWw+"}`)},
		{"image", "broken", envelope(`{"status":true,"messages":[],"data":"` + png + `!"}`)},
		{"image", "large", envelope(`{"status":true,"messages":["warning: odd","MCP015 an image (image/png) of ` +
			`5242892 bytes in base64 was left out: the APIs of models take 5242880; ask for a smaller one"],` +
			`"data":null}`)},
		{"plain", "sentPNG", `{"content":[` + image + `]}`},
		{"plain", "image", envelope(`{"status":true,"messages":[],"data":"` + png + `"}`)},
		{"text", "text", envelope("a\n\"b\"")},
		{"plain", "text", envelope(`{"status":true,"messages":[],"data":"a\n\"b\""}`)},
		{"plain", "csv", envelope("a,b")},
		{"plain", "document", envelope("# T")},
		{"text", "warned", envelope(`{"status":true,"messages":["warning: odd"],"data":"a"}`)},
		{"text", "cutText", envelope(`{"status":true,"messages":["EXE080 cut"],"data":"a"}`)},
		{"text", "blank", envelope(`{"status":true,"messages":[],"data":" \n"}`)},
		{"text", "failed", failed(`{"status":false,"messages":["EXE000 no","warning: tried twice"],"data":null}`)},
	} {
		c.send(callOf("1", tc.tool+"_demo", `{"q":"`+tc.answer+`"}`))
		if got := ordjson.Text(c.recv().Get("result")); got != tc.want {
			t.Errorf("%s %s:\n%s\nwant\n%s", tc.tool, tc.answer, got, tc.want)
		}
	}
	// An image or a text has no form that a schema could describe.
	for _, tool := range l.Tools {
		if got, want := strings.Contains(string(tool.Listed()), "outputSchema"),
			tool.WireName == "typed_demo"; got != want {
			t.Errorf("%s: outputSchema %v, want %v", tool.WireName, got, want)
		}
	}
}

// A client that calls a tool which was not listed knows no outputSchema of it.
func TestStructuredWhereListed(t *testing.T) {
	l, _ := listed(t, true, toolLine("typed", `,"output":{"mimeType":"application/json","schema":{"type":"object"}}`))
	for _, folded := range []bool{false, true} {
		c := serving(t, Contents{Tools: l.Tools, Caller: echo, Folded: folded}, Options{})
		answer := c.ask(callOf("1", "typed_demo", `{"q":"x"}`))
		if structured := strings.Contains(answer, "structuredContent"); structured == folded {
			t.Errorf("folded %v: %s", folded, answer)
		}
	}
}

// What is too long for a model is cut, and says so where the model looks.
// Structured content still matches its schema.
func TestLongResults(t *testing.T) {
	answers := map[string]*record.Envelope{
		"list": {Status: true, Data: ordjson.NewArray(make([]ordjson.Value, 2000)...), Warnings: []string{"odd"}},
		"text": {Status: true, Data: ordjson.NewString(strings.Repeat("a \"line\"\n", 400)), ContentType: "text/csv"},
		"fits": {Status: true, Data: ordjson.NewString(strings.Repeat("a \"line\"\n", 199)), ContentType: "text/csv"},
		"fail": {Messages: []string{strings.Repeat("no ", 2000)}, Data: ordjson.NewNull()},
	}
	call := callerFunc(func(_ context.Context, _ string, params ordjson.Value) *record.Envelope {
		return answers[params.Get("q").Str()]
	})
	l, _ := listed(t, true, toolLine("plain", ""),
		toolLine("typed", `,"output":{"mimeType":"application/json","schema":{"type":"array",`+
			`"items":{"type":"number"}}}`))
	c := serving(t, Contents{Tools: l.Tools, Caller: call}, Options{MaxResult: 2000})
	for _, tc := range []struct{ tool, answer, message, data string }{
		{"plain", "list", "MCP015 the answer is longer than 2000 bytes and was cut: data has 283 of 2000 items; " +
			"ask for less, such as one thing, a shorter period or a stricter filter",
			`,null,"[1717 of 2000 items left out]"]`},
		{"typed", "list", "MCP015 ", `,null,"[1717 of 2000 items left out]"]`},
		{"plain", "text", "MCP015 ", `\"line\"\n [2529 of 3600 bytes left out]"`},
		{"typed", "fail", "no no no ", "null"},
	} {
		c.send(callOf("1", tc.tool+"_demo", `{"q":"`+tc.answer+`"}`))
		result := c.recv().Get("result")
		got := result.Get("structuredContent")
		text := result.Get("content").Index(0).Get("text").Str()
		if tc.tool != "typed" || tc.answer == "fail" {
			var err error
			if got, err = ordjson.Parse(text); err != nil {
				t.Fatal(err)
			}
		} else if err := recordtest.Validate(outputSchema(t, l.Tools[1]), ordjson.Text(got)); err != nil {
			t.Errorf("%s %s: %v", tc.tool, tc.answer, err)
		}
		if size := len(ordjson.Text(got)); size > 2000 || size < 1000 && tc.answer != "fail" {
			t.Errorf("%s %s: %d bytes of 2000", tc.tool, tc.answer, size)
		}
		if m := got.Get("messages").Index(0).Str(); !strings.HasPrefix(m, tc.message) {
			t.Errorf("%s %s: message %s", tc.tool, tc.answer, m)
		}
		if data := ordjson.Text(got.Get("data")); !strings.HasSuffix(data, tc.data) {
			t.Errorf("%s %s: data %s", tc.tool, tc.answer, data)
		}
		if want := "the answer is in structuredContent"; tc.answer == "list" && (text == want) != (tc.tool == "typed") {
			t.Errorf("%s: text %s", tc.tool, text)
		}
	}
	c.send(callOf("1", "plain_demo", `{"q":"fits"}`))
	if text := c.recv().Get("result").Get("content").Index(0).Get("text").Str(); text != answers["fits"].Data.Str() {
		t.Errorf("a text that fits: %s", text)
	}
}

func outputSchema(t *testing.T, tool listing.Tool) string {
	d, err := ordjson.Parse(string(tool.Listed()))
	if err != nil || !d.Get("outputSchema").Exists() {
		t.Fatal("no outputSchema", err)
	}
	return ordjson.Text(d.Get("outputSchema"))
}

// A document that was read in part says so beside itself.
func TestReadSaysWhatIsLeftOut(t *testing.T) {
	caller := readerFunc(func() *record.Envelope {
		return &record.Envelope{Status: true, Data: ordjson.NewString("# T"), Messages: []string{"EXE080 part"},
			Warnings: []string{"odd"}}
	})
	const uri = "flowmcp://a/resource/b"
	c := serving(t, Contents{Resources: []listing.Resource{{URI: uri}}, Caller: caller}, Options{})
	got := c.ask(request("1", "resources/read", `{"uri":"`+uri+`"}`))
	want := `{"jsonrpc":"2.0","id":1,"result":{"contents":[{"uri":"flowmcp://a/resource/b",` +
		`"mimeType":"text/markdown","text":"# T"},` +
		`{"uri":"flowmcp://a/resource/b","mimeType":"text/plain","text":"EXE080 part\nwarning: odd"}]}}`
	if got != want {
		t.Errorf("%s, want %s", got, want)
	}
}

// readerFunc is a Caller that reads only.
type readerFunc func() *record.Envelope

func (f readerFunc) Call(context.Context, string, ordjson.Value) *record.Envelope { return nil }

func (f readerFunc) Deliver(context.Context, string, ordjson.Value) *record.Envelope { return f() }
func (f readerFunc) Read(context.Context, string) *record.Envelope                   { return f() }
