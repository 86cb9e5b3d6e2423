package exec

import (
	"bytes"
	"encoding/base64"
	"errors"
	"fmt"
	"html"
	"net/http"
	"strings"

	"github.com/flowmcp/fmcp/pkg/exec/fetch"
	"github.com/flowmcp/fmcp/pkg/exec/secret"
	"github.com/flowmcp/fmcp/pkg/lazy"
	"github.com/flowmcp/fmcp/pkg/model"
	"github.com/flowmcp/fmcp/pkg/ordjson"
	"github.com/flowmcp/fmcp/pkg/words"
)

// dataTypes are the content types that say what data is. Others are as good as
// none, and could be anything: a key, for one.
var dataTypes = []string{model.MIMEJSON, model.MIMEPNG, "image/jpeg", "image/gif", "image/webp",
	model.MIMEText, "text/csv"}

const pngSignature = "\x89PNG\r\n\x1a\n"

// decode makes the envelope's data of an answer with a good status (chapter
// 04): what output.mimeType declares; without one JSON is expected, though an
// image or plain text that says so is taken as what it is. What the answer
// calls itself decides nothing else: half of all APIs send JSON as text/html.
func decode(t *Tool, r *fetch.Response, redact *secret.Redactor) (data ordjson.Value, warnings []string,
	err *words.Problem) {
	if enc := r.Packed(); enc != "" {
		return data, nil, fail(CodeNotJSON,
			"the answer is compressed as %s, which was not asked for and cannot be read: the provider must heed "+
				"Accept-Encoding", enc)
	}
	ct, _ := r.ContentType()
	if t.MIMEType() == model.MIMEPNG || t.MIMEType() == "" && strings.HasPrefix(ct, "image/") {
		return decodeImage(t, r, ct, redact)
	}
	text, warning := r.Text()
	if warning != "" {
		warnings = append(warnings, warning)
	}
	noContent := r.Status == http.StatusNoContent || r.Status == http.StatusResetContent
	switch {
	case t.MIMEType() == model.MIMEText && !noContent:
		return ordjson.NewString(text), warnings, nil
	case strings.TrimSpace(text) == "":
		if !noContent {
			warnings = append(warnings, "the answer has no body: data is null")
		}
		return ordjson.NewNull(), warnings, nil
	}
	v, parseErr := ordjson.Parse(text)
	if parseErr == nil {
		return v, warnings, nil
	}
	if t.MIMEType() == "" && (ct == model.MIMEText || ct == "text/csv") {
		return ordjson.NewString(text), append(warnings,
			"the answer is "+ct+", and the schema declares no output, which means JSON: data is the text; declare "+
				"output.mimeType text/plain"), nil
	}
	return data, nil, notJSON(ct, text, len(r.Body), parseErr, redact)
}

// decodeImage makes base64 of an image. One that is not a PNG where a PNG is
// declared is still handed on (chapter 04, "Non-Blocking Validation"). It is
// redacted before, since base64 hides what is escaped in it.
func decodeImage(t *Tool, r *fetch.Response, ct string, redact *secret.Redactor) (ordjson.Value, []string,
	*words.Problem) {
	if len(bytes.TrimSpace(r.Body)) == 0 {
		return ordjson.NewNull(), []string{"the answer has no body: data is null"}, nil
	}
	var warnings []string
	if t.MIMEType() == model.MIMEPNG && !bytes.HasPrefix(r.Body, []byte(pngSignature)) {
		warnings = append(warnings, "the schema declares image/png, but the answer is not a PNG ("+named(ct)+
			"): data is "+
			"what came, as base64")
	}
	return ordjson.NewString(base64.StdEncoding.EncodeToString([]byte(redact.Data(string(r.Body))))), warnings, nil
}

func named(contentType string) string {
	if contentType == "" {
		return "an answer without a content type"
	}
	return contentType
}

// notJSON says what came in the place of JSON, and what can be done about it.
func notJSON(ct, text string, size int, parseErr error, redact *secret.Redactor) *words.Problem {
	if !fetch.IsText(text) {
		return fail(CodeNotJSON, "expected JSON, got %s: %d bytes that are not text; the schema cannot be used with "+
			"this answer: declare output.mimeType image/png if it is a PNG", named(ct), size)
	}
	return fail(CodeNotJSON, "expected JSON, got %s%s; it starts: %s", named(ct), unlikeJSON(text, parseErr, redact),
		snippet(redact.Text(text)))
}

var (
	htmlStart = lazy.Regexp(`(?i)^\s*(<!--.*?-->\s*)?<(!doctype html|html|head|body|h1)\b`)
	htmlTitle = lazy.Regexp(`(?is)<title[^>]*>(.*?)</title>`)
	jsonp     = lazy.Regexp(`^\s*[A-Za-z_$][\w$.]*\s*\(\s*[\[{]`)
)

// shownPage is how much of a text is looked at, in bytes, to tell what it is.
const shownPage = 64 << 10

// pageTitle is the title of a web page, "" if it has none.
func pageTitle(page string) string {
	m := htmlTitle().FindStringSubmatch(page)
	if m == nil {
		return ""
	}
	return strings.TrimSpace(html.UnescapeString(m[1]))
}

// unlikeJSON explains a text that is not JSON.
func unlikeJSON(text string, parseErr error, redact *secret.Redactor) string {
	head := strings.TrimSpace(text[:min(len(text), shownPage)])
	switch {
	case htmlStart().MatchString(head):
		title := pageTitle(head)
		if title != "" {
			title = " titled " + words.Quote(snippet(redact.Text(title)))
		}
		return ": a web page" + title + ", as providers send to log in, to refuse a client or to say that they are " +
			"down; try again later, else check root and path of the schema"
	case strings.HasPrefix(head, "<"):
		return ": XML; ask the provider for JSON (often a parameter such as format=json), or declare output.mimeType " +
			"text/plain"
	case jsonp().MatchString(head):
		return ": JSON inside a function call; leave out the parameter that asks for a callback"
	}
	var syntax *words.SyntaxError
	if !errors.As(parseErr, &syntax) {
		return fmt.Sprintf(" (%v)", parseErr)
	}
	if first, rest, more := strings.Cut(head, "\n"); more && strings.TrimSpace(rest) != "" {
		if v, err := ordjson.Parse(first); err == nil && (v.Is(ordjson.Object) || v.Is(ordjson.Array)) {
			return ": several JSON values, one a line; declare output.mimeType text/plain"
		}
	}
	if syntax.Offset >= len(text) && strings.ContainsAny(head[:1], `{["`) {
		return fmt.Sprintf(" that breaks off after %d bytes (%v): try again, or ask for less", len(text), parseErr)
	}
	return fmt.Sprintf(" (%v)", parseErr)
}
