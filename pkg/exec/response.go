package exec

import (
	"bytes"
	"encoding/base64"
	"mime"
	"net/http"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/flowmcp/fmcp/pkg/ordjson"
)

// The MIME types of chapter 04.
const (
	mimeJSON = "application/json"
	mimePNG  = "image/png"
	mimeText = "text/plain"
)

// decode makes the envelope's data of an answer with a good status (chapter
// 04): what output.mimeType declares; without one JSON is expected, though an
// image or plain text that says so is taken as what it is.
func decode(t *Tool, r *Response, redact *Redactor) (data ordjson.Value, warnings []string, err *Error) {
	ct, params, _ := mime.ParseMediaType(r.Header.Get("Content-Type"))
	body := r.Body
	if len(bytes.TrimSpace(body)) == 0 {
		if r.Status != http.StatusNoContent && r.Status != http.StatusResetContent {
			warnings = append(warnings, "the answer has no body: data is null")
		}
		return ordjson.NewNull(), warnings, nil
	}
	switch {
	case t.MimeType == mimePNG, t.MimeType == "" && strings.HasPrefix(ct, "image/"):
		if t.MimeType == mimePNG && ct != mimePNG {
			warnings = append(warnings, "the schema declares image/png, the answer is "+named(ct))
		}
		return ordjson.NewString(base64.StdEncoding.EncodeToString(body)), warnings, nil
	case t.MimeType == mimeText:
		return ordjson.NewString(toUTF8(body, params["charset"])), nil, nil
	}
	text := strings.TrimPrefix(toUTF8(body, params["charset"]), "\ufeff")
	v, parseErr := ordjson.Parse(text)
	if parseErr == nil {
		return v, nil, nil
	}
	if t.MimeType == "" && (ct == mimeText || ct == "text/csv") {
		return ordjson.NewString(text), nil, nil
	}
	return v, nil, fail(CodeNotJSON, "expected JSON, got %s (%v); it starts: %s", named(ct), parseErr, snippet(redact.Text(text)))
}

func named(contentType string) string {
	if contentType == "" {
		return "an answer without a content type"
	}
	return contentType
}

// toUTF8 reads a body in its charset: UTF-8, or Latin-1 where the answer says
// so; what is neither keeps its valid parts.
func toUTF8(body []byte, charset string) string {
	if utf8.Valid(body) {
		return string(body)
	}
	switch strings.ToLower(charset) {
	case "iso-8859-1", "latin1", "iso-8859-15", "windows-1252", "us-ascii":
		var b strings.Builder
		for _, c := range body {
			b.WriteRune(rune(c))
		}
		return b.String()
	}
	return strings.ToValidUTF8(string(body), "\ufffd")
}

// snippetRunes is how much of an answer an error message quotes.
const snippetRunes = 200

// snippet is the start of a text on one line. Secrets must be redacted before:
// half a secret is not recognised.
func snippet(s string) string {
	s = strings.Join(strings.Fields(s), " ")
	n := 0
	for i := range s {
		if n++; n > snippetRunes {
			return s[:i] + "…"
		}
	}
	return s
}

// statusError words an HTTP status of 300 and above (a redirect that names no
// target ends here): the status, what the
// upstream said, what can be done.
func statusError(t *Tool, r *Response, host string, redact *Redactor) *Error {
	code := CodeClientStatus
	switch {
	case r.Status >= 500:
		code = CodeServerStatus
	case r.Status < 400:
		code = CodeRedirect
	}
	msg := host + " answered " + strconv.Itoa(r.Status)
	if name := http.StatusText(r.Status); name != "" {
		msg += " " + name
	}
	if said := snippet(redact.Text(upstreamMessage(r, redact))); said != "" {
		msg += ": " + said
	}
	return fail(code, "%s; %s", msg, advice(t, r))
}

// upstreamMessage finds the sentence meant for people in a JSON error, else
// returns the body. JSON is redacted as data, where an escape hides nothing.
func upstreamMessage(r *Response, redact *Redactor) string {
	text := toUTF8(r.Body, "")
	v, err := ordjson.Parse(text)
	if err != nil {
		return text
	}
	v = redact.Value(v)
	for _, path := range [][]string{
		{"error", "message"}, {"message"}, {"error_description"}, {"error"}, {"detail"}, {"title"}, {"status", "error_message"}, {"errors"},
	} {
		at := v
		for _, key := range path {
			at = at.Get(key)
		}
		if at.Is(ordjson.String) && at.Str() != "" {
			return at.Str()
		}
	}
	return ordjson.Text(v)
}

func advice(t *Tool, r *Response) string {
	switch s := r.Status; {
	case s == http.StatusUnauthorized || s == http.StatusForbidden:
		if len(t.ServerParams) > 0 {
			return "check that " + strings.Join(t.ServerParams, ", ") + " is valid and may use this tool"
		}
		return "the provider wants an account or refuses this client; the schema declares no server parameter"
	case s == http.StatusNotFound:
		return "check the values that name the thing asked for"
	case s == http.StatusTooManyRequests:
		if after := r.Header.Get("Retry-After"); after != "" {
			return "the provider's rate limit is reached: retry after " + snippet(after) + secondsUnit(after)
		}
		return "the provider's rate limit is reached: wait before the next call"
	case s < 400:
		return "a redirect without a target cannot be followed: check root and path of the schema"
	case s >= 500:
		return "the provider has a problem of its own: try again later"
	}
	return "check the parameters against the tool's description"
}

func secondsUnit(s string) string {
	if _, err := strconv.Atoi(s); err == nil {
		return " s"
	}
	return ""
}
