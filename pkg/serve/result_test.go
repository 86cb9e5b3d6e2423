package serve

import (
	"context"
	"strings"
	"testing"

	"github.com/flowmcp/fmcp/pkg/ordjson"
	"github.com/flowmcp/fmcp/pkg/record"
)

// What an answer says is in it once.
func TestResults(t *testing.T) {
	png := "iVBORw0KGgoAAAA="
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
		"jpeg":     {Status: true, Data: ordjson.NewString("/9j/4AAQ"), Warnings: []string{"no PNG"}},
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
	l, _ := listing(t, true, toolLine("plain", ""), toolLine("typed", output("application/json", "number")),
		toolLine("image", output("image/png", "string")), toolLine("text", output("text/plain", "string")))
	block := func(text string) string {
		return `{"type":"text","text":` + string(ordjson.AppendString(nil, text)) + `}`
	}
	envelope := func(text string) string { return `{"content":[` + block(text) + `]}` }
	failed := func(text string) string { return strings.TrimSuffix(envelope(text), "}") + `,"isError":true}` }
	image := `{"type":"image","data":"` + png + `","mimeType":"image/png"}`
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
		{"image", "jpeg", envelope(`{"status":true,"messages":["warning: no PNG"],"data":"/9j/4AAQ"}`)},
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
		if got, want := strings.Contains(string(tool.definition), "outputSchema"),
			tool.WireName == "typed_demo"; got != want {
			t.Errorf("%s: outputSchema %v, want %v", tool.WireName, got, want)
		}
	}
}

// A document that was read in part says so beside itself.
func TestReadSaysWhatIsLeftOut(t *testing.T) {
	caller := readerFunc(func() *record.Envelope {
		return &record.Envelope{Status: true, Data: ordjson.NewString("# T"), Messages: []string{"EXE080 part"},
			Warnings: []string{"odd"}}
	})
	const uri = "flowmcp://a/resource/b"
	c := serving(t, Contents{Resources: []Resource{{URI: uri}}, Caller: caller}, Options{})
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
