package fetch

import (
	"mime"
	"net/http"
	"slices"
	"strings"

	"github.com/flowmcp/fmcp/pkg/exec/secret"
	"github.com/flowmcp/fmcp/pkg/model"
	"github.com/flowmcp/fmcp/pkg/ordjson"
)

// Response is an answer, read whole.
type Response struct {
	Status int
	Header http.Header
	Body   []byte
	Notes  []string // what went before it: a sentence per try that failed
}

// ContentType is the answer's type without parameters, in lower case, and
// the charset among them.
func (r *Response) ContentType() (ct, charset string) {
	header := r.Header.Get("Content-Type")
	if header == model.MIMEJSON {
		return header, ""
	}
	ct, params, _ := mime.ParseMediaType(header)
	return ct, params["charset"]
}

// Text is the body in its charset; the warning, "" for none, says that something
// could not be read.
func (r *Response) Text() (text, warning string) {
	_, charset := r.ContentType()
	return readText(r.Body, charset)
}

// compressions are those that were not asked for: the transport asks for gzip
// itself, and undoes it.
var compressions = []string{"br", "deflate", "zstd", "compress", "gzip", "x-gzip"}

// Packed is the compression of the body that was not asked for, "" for none.
func (r *Response) Packed() string {
	if name := strings.ToLower(r.Header.Get("Content-Encoding")); slices.Contains(compressions, name) {
		return name
	}
	return ""
}

// IsText reports whether a text is meant for reading: it holds no NUL, and
// hardly anything that could not be read.
func IsText(s string) bool {
	return !strings.Contains(s, "\x00") && strings.Count(s, "\ufffd")*10 <= len(s)
}

// Redacted is the body of an answer without secrets, and the headers that
// fit it. JSON is redacted as data, where an escape hides nothing; text of
// another charset that holds a secret becomes UTF-8, and what is packed in a way
// that cannot be read is left out.
func (r *Response) Redacted(redact *secret.Redactor) (header http.Header, body []byte) {
	header = r.Header.Clone()
	if r.Packed() != "" {
		return header, nil
	}
	if !redact.Knows() {
		return header, r.Body
	}
	kind, charset := r.ContentType()
	read, _ := readText(r.Body, charset)
	clean := read
	if v, err := ordjson.Parse(read); err == nil {
		if data := redact.Value(v); !ordjson.Equal(data, v) {
			clean = ordjson.Text(data)
		}
	}
	if clean = redact.Data(clean); clean != read && IsText(read) && !strings.HasPrefix(kind, "image/") {
		if kind != "" {
			header.Set("Content-Type", mime.FormatMediaType(kind, map[string]string{"charset": "utf-8"}))
		}
		return header, []byte(clean)
	}
	return header, []byte(redact.Data(string(r.Body))) // an image is not text, and may hold one
}
