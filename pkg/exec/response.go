package exec

import (
	"cmp"
	"net/http"
	"strconv"
	"strings"

	"github.com/flowmcp/fmcp/pkg/exec/fetch"
	"github.com/flowmcp/fmcp/pkg/exec/secret"
	"github.com/flowmcp/fmcp/pkg/ordjson"
	"github.com/flowmcp/fmcp/pkg/words"
)

// maxSnippet is how many bytes of an answer an error message quotes.
const maxSnippet = 200

// snippet is the start of a text on one line. Secrets must be redacted before:
// half a secret is not recognised.
func snippet(s string) string {
	return words.Clip(words.OneLine(s), maxSnippet)
}

// statusError words an HTTP status of 300 and above (a redirect that names no
// target ends here, and 304 is no redirect): the status, what the
// upstream said, what can be done.
func statusError(t *Tool, r *fetch.Response, host string, redact *secret.Redactor) *words.Problem {
	code := CodeClientStatus
	switch {
	case r.Status >= 500:
		code = CodeServerStatus
	case r.Status < 400 && r.Status != http.StatusNotModified:
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

// upstreamMessage finds the sentence meant for people in a JSON error, or the
// title of a web page, else returns the body. JSON is redacted as data, where an escape hides nothing.
func upstreamMessage(r *fetch.Response, redact *secret.Redactor) string {
	text, _ := r.Text()
	v, err := ordjson.Parse(text)
	if err != nil {
		if head := text[:min(len(text), shownPage)]; htmlStart().MatchString(head) {
			return cmp.Or(pageTitle(head), text)
		}
		return text
	}
	v = redact.Value(v)
	for _, path := range [][]string{
		{"error", "message"}, {"message"}, {"error_description"}, {"error"}, {"detail"}, {"title"},
		{"status", "error_message"}, {"errors"},
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

func advice(t *Tool, r *fetch.Response) string {
	switch s := r.Status; {
	case s == http.StatusUnauthorized || s == http.StatusForbidden:
		if len(t.ServerParams) > 0 {
			return "check that " + strings.Join(t.ServerParams, ", ") + " is valid and may use this tool"
		}
		return "the provider wants an account or refuses this client; the schema declares no server parameter"
	case s == http.StatusNotFound:
		return "check the values that name the thing asked for"
	case s == http.StatusTooManyRequests:
		return "the provider's rate limit is reached: " + cmp.Or(retryAdvice(r), "wait before the next call")
	case s == http.StatusNotModified:
		return "the request asks whether something has changed: take If-None-Match and If-Modified-Since out of the " +
			"tool's headers and parameters"
	case s < 400:
		return "a redirect without a target cannot be followed: check root and path of the schema"
	case s >= 500:
		return "the provider has a problem of its own: " +
			cmp.Or(retryAdvice(r), fetch.TryAgain(t.ReadsOnly(), t.Method)+" later")
	}
	return "check the parameters against the tool's description"
}

// retryAdvice says when the upstream wants to be asked again, "" if it does not
// say.
func retryAdvice(r *fetch.Response) string {
	if r.RetryAfter() == 0 {
		return ""
	}
	after := strings.TrimSpace(r.Header.Get("Retry-After"))
	if _, err := strconv.Atoi(after); err == nil {
		after += " s"
	}
	return "retry after " + after
}
