package exec

import (
	"fmt"
	"net/http"
	"strings"
	"testing"
	"unicode/utf16"

	"github.com/flowmcp/fmcp/pkg/catalog"
	"github.com/flowmcp/fmcp/pkg/exec/fetch"
	"github.com/flowmcp/fmcp/pkg/exec/secret"
	"github.com/flowmcp/fmcp/pkg/model"
	"github.com/flowmcp/fmcp/pkg/ordjson"
)

func utf16Bytes(s string, bigEndian bool) string {
	var b []byte
	for _, u := range utf16.Encode([]rune(s)) {
		if bigEndian {
			b = append(b, byte(u>>8), byte(u))
		} else {
			b = append(b, byte(u), byte(u>>8))
		}
	}
	return string(b)
}

// answer decodes a body and returns data and warnings, or the error.
func answer(mimeType, contentType, body string, status int) string {
	r := &fetch.Response{Status: status, Header: http.Header{"Content-Type": {contentType}}, Body: []byte(body)}
	output := ordjson.NewObject(ordjson.Field("mimeType", ordjson.NewString(mimeType)))
	tl := &Tool{Tool: catalog.Tool{Callable: catalog.Callable{Output: output}}}
	v, warnings, err := decode(tl, r, secret.NewRedactor(env(map[string]string{"K": "s3cret-key"}), []string{"K"}))
	if err != nil {
		return err.Error()
	}
	return strings.Join(append([]string{ordjson.Text(v)}, warnings...), " | ")
}

// The byte order marks that an answer may start with.
const (
	markUTF8    = "\xef\xbb\xbf"
	markUTF16LE = "\xff\xfe"
	markUTF16BE = "\xfe\xff"
)

func TestDecodeText(t *testing.T) {
	const replaced = "the answer holds bytes that are not UTF-8: U+FFFD stands for them"
	tests := []struct{ name, mimeType, contentType, body, want string }{
		{"big integers", "", model.MIMEJSON, `[123456789012345678901234567890,1.50,1E400]`,
			`[123456789012345678901234567890,1.50,1E400]`},
		{"JSON null", model.MIMEJSON, model.MIMEJSON, " null\n", `null`},
		{"JSON called HTML", model.MIMEJSON, "text/html; charset=utf-8", `{"a":1}`, `{"a":1}`},
		{"a type that is none", "", "json; ; ;", `[1]`, `[1]`},
		{"white space only", "", model.MIMEJSON, "\r\n ", `null | the answer has no body: data is null`},
		{"a mark only", "", model.MIMEJSON, markUTF8, `null | the answer has no body: data is null`},
		{"empty text", model.MIMEText, model.MIMEText, "", `""`},
		{"UTF-16 by its mark", "", model.MIMEJSON, markUTF16LE + utf16Bytes(`["ä€😀"]`, false), `["ä€😀"]`},
		{"UTF-16 big-endian", "", model.MIMEJSON, markUTF16BE + utf16Bytes(`["ä"]`, true), `["ä"]`},
		{"UTF-16 by its name", "", model.MIMEJSON + "; charset=UTF-16LE", utf16Bytes(`["ä"]`, false), `["ä"]`},
		{"UTF-16 cut", model.MIMEText, model.MIMEText, markUTF16LE + utf16Bytes("ab", false) + "c",
			`"ab" | the answer is UTF-16 and breaks off in the middle of a character`},
		{"windows-1252", model.MIMEText, model.MIMEText + "; charset=ISO-8859-1", "5 \x80 \xe4", `"5 € ä"`},
		{"Latin-9", model.MIMEText, model.MIMEText + "; charset=ISO-8859-15", "\xa4\xe4", `"€ä"`},
		{"UTF-8 called Latin-1", model.MIMEText, model.MIMEText + "; charset=latin1", "ä", `"ä"`},
		{"invalid UTF-8", model.MIMEJSON, model.MIMEJSON, "\"a\xffb\"", `"a` + "\ufffd" + `b" | ` + replaced},
		{"Shift_JIS", model.MIMEText, model.MIMEText + "; charset=Shift_JIS", "\x83e\x83X\x83g", `"テスト"`},
		{"Shift_JIS that is none", model.MIMEText, model.MIMEText + "; charset=Shift_JIS", "\x83e\xff",
			"\"テ\ufffd\" | " + strings.Replace(replaced, "UTF-8", "shift_jis", 1)},
		{"an old name of Windows-1252", model.MIMEText, model.MIMEText + "; charset=CP1252", "\x80", `"€"`},
		{"a lone surrogate", model.MIMEText, model.MIMEText, markUTF16LE + "a\x00\x00\xd8b\x00", "\"a\ufffdb\""},
		{"UTF-16 by its name, with a mark of the other order", model.MIMEText, model.MIMEText + "; charset=UTF-16BE",
			markUTF16LE + "a\x00", `"a"`},
		{"a charset that is not read", model.MIMEText, model.MIMEText + "; charset=x-own", "\x83e",
			"\"\ufffde\" | " + replaced + " (fmcp does not read its charset x-own)"},
		{"text that no output declares", "", model.MIMEText, "hi",
			`"hi" | the answer is text/plain, and the schema declares no output, which means JSON: data is the text; ` +
				`declare output.mimeType text/plain`},
		{"a table that no output declares", "", "text/csv", "a,b",
			`"a,b" | the answer is text/csv, and the schema declares no output, which means JSON: data is the text; ` +
				`declare output.mimeType text/plain`},
		{"JSON called text", "", model.MIMEText, "[1]", `[1]`},
		{"a PNG called something else", model.MIMEPNG, "application/octet-stream", pngSignature, `"iVBORw0KGgo="`},
		{"a page in the place of a PNG", model.MIMEPNG, "text/html", "<p>",
			`"PHA+" | the schema declares image/png, but the answer is not a PNG (text/html): data is what came, ` +
				`as base64`},
		{"a page that echoes a key", model.MIMEPNG, "text/html", "k=7333637265742d6b6579",
			`"az1bUkVEQUNURUQ6S10=" | the schema declares image/png, but the answer is not a PNG (text/html): ` +
				`data is ` +
				`what came, as base64`},
		{"no PNG at all", model.MIMEPNG, model.MIMEPNG, "", `null | the answer has no body: data is null`},
	}
	for _, tt := range tests {
		if got := answer(tt.mimeType, tt.contentType, tt.body, 200); got != tt.want {
			t.Errorf("%s:\n got %s\nwant %s", tt.name, got, tt.want)
		}
	}
	if got := answer(model.MIMEText, "", "", 204); got != "null" {
		t.Errorf("204: %s", got)
	}
}

// What is not JSON is explained so that the reader knows what to do.
func TestDecodeNotJSON(t *testing.T) {
	tests := []struct{ name, contentType, body, want string }{
		{"a page", "text/html", "<!DOCTYPE html>\n<html><head><title>Just a\n moment... s3cret-key</title>",
			`expected JSON, got text/html: a web page titled "Just a moment... [REDACTED:K]", ` +
				`as providers send to log in,`},
		{"a page without a title", "text/html", "<html><title> </title>",
			"got text/html: a web page, as providers send"},
		{"XML", "application/xml", `<?xml version="1.0"?><a/>`, "got application/xml: XML; ask the provider for JSON"},
		{"cut off", model.MIMEJSON, `{"a":[1,2`, "got application/json that breaks off after 9 bytes ("},
		{"cut off in a string", model.MIMEJSON, `{"a":"b`, "that breaks off after 7 bytes ("},
		{"lines", "application/x-ndjson", "{\"a\":1}\n{\"a\":2}\n",
			"several JSON values, one a line; declare output.mimeType text/plain"},
		{"JSONP", "text/javascript", `cb({"a":1});`, "JSON inside a function call; leave out"},
		{"binary", "application/pdf", "%PDF-1.4\x00\x01", "got application/pdf: 10 bytes that are not text"},
		{"noise", "", strings.Repeat("\xff", 20), "got an answer without a content type: 20 bytes that are not text"},
		{"words", model.MIMEJSON, "rate limited s3cret-key", "it starts: rate limited [REDACTED:K]"},
		{"JavaScript's own", model.MIMEJSON, `{"a":NaN}`, "it starts: {\"a\":NaN}"},
	}
	for _, tt := range tests {
		got := answer(model.MIMEJSON, tt.contentType, tt.body, 200)
		if !strings.HasPrefix(got, CodeNotJSON) || !strings.Contains(got, tt.want) || strings.Contains(got, "s3cret") ||
			strings.Contains(got, "\n") {
			t.Errorf("%s:\n got %s\nwant %s", tt.name, got, tt.want)
		}
	}
	r := &fetch.Response{Status: 200, Header: http.Header{"Content-Encoding": {"br"}}, Body: []byte("\x0b\x02")}
	if _, _, err := decode(&Tool{}, r, secret.NewRedactor(nil, nil)); err == nil ||
		!strings.Contains(err.Message, "compressed as br") {
		t.Errorf("compressed: %v", err)
	}
}

func FuzzDecode(f *testing.F) {
	f.Add("application/json", `{"a":1}`)
	f.Add("text/html; charset=utf-16", "\xff\xfe<\x00")
	f.Add("text/plain; charset=", "\x00")
	f.Fuzz(func(t *testing.T, contentType, body string) {
		for _, mimeType := range []string{"", model.MIMEJSON, model.MIMEText, model.MIMEPNG} {
			if got := answer(mimeType, contentType, body, 200); got == "" {
				t.Error(fmt.Errorf("%q as %q gives nothing", body, mimeType))
			}
		}
	})
}
