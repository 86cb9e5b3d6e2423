package record

import (
	"strconv"
	"strings"
	"time"

	"github.com/flowmcp/fmcp/pkg/ordjson"
)

// Envelope is the answer to one call: the standard envelope of chapter 04
// (Status, Messages, Data) and what is known about how it came about.
type Envelope struct {
	ID       string
	Tag      ordjson.Value // of the request; Missing where it had none
	Status   bool
	Messages []string      // why it failed; of a success, what is missing of the answer
	Data     ordjson.Value // null where Status is false
	Warnings []string      // never change Status (chapter 04, "Non-Blocking Validation")
	Request  *HTTPRequest  // redacted; nil where none was built
	Query    *Query        // of a resource, in the place of Request
	DryRun   bool
	Cache    *Cached // nil where the tool's answers are not cached
	Test     *Test   // nil where the call is not one of a test
	Duration time.Duration

	Delivered *Delivered // of a prompt or a skill, whose Data is null
	// HTTPStatus is that by which a call failed, 0 for another reason. It is no
	// field of the record.
	HTTPStatus int

	// At is when the call was made, as an ISO 8601 time; "" where that is not known. It
	// is no field of the record: captures have it.
	At string

	// ContentType is what the upstream calls the data, if that is one of the
	// types that data can be of; "" also where a handler made the data. It is no
	// field of the record: captures have it.
	ContentType string
}

// Cached says what the cache did for a call (chapter 11, "User Communication").
type Cached struct {
	State     CacheState
	FetchedAt time.Time // when the data came from the network
	ExpiresAt time.Time // until when it stays in the cache; zero where it was not cached
	Message   string    // for people: "Cached (fetched: …, expires: …)"
	Note      string    // preload.description, on a hit
}

// CacheState is how the cache answered.
type CacheState string

// The states of chapter 11.
const (
	CacheHit     CacheState = "hit"
	CacheMiss    CacheState = "miss"
	CacheExpired CacheState = "expired" // fetched again
	CacheRefresh CacheState = "refresh" // fetched again since --refresh asked for it
	CacheStale   CacheState = "stale"   // an old copy, since fetching failed (chapter 13, "Caching Behavior")
)

// HTTPRequest is a request as it is shown: every secret in it is redacted.
type HTTPRequest struct {
	Method  string
	URL     string
	Headers []Header
	Body    ordjson.Value // Missing where there is none
}

// Query is what the data of a resource is asked.
type Query struct {
	Source string        // of the resource: "sqlite"
	Name   string        // of the query
	SQL    string        // the statement as it is run; "" of a document
	Params ordjson.Value // the values of its placeholders in their order, an array; of a document an object
}

// Header is one header line of a request.
type Header struct{ Name, Value string }

// MismatchPrefix begins the warnings of a call that say where its data is not what
// output.schema says.
const MismatchPrefix = "output schema: "

// Mismatches are the places where the data is not what output.schema says: a run of
// a test in TestValidate has them in a list, any other call among its warnings.
func (e *Envelope) Mismatches() []string {
	var list []string
	if e.Test != nil {
		list = e.Test.Mismatches
	}
	for _, w := range e.Warnings {
		if strings.HasPrefix(w, MismatchPrefix) {
			list = append(list, w)
		}
	}
	return list
}

// AppendJSON implements Record.
func (e *Envelope) AppendJSON(b []byte) []byte {
	b = head(b, KindEnvelope)
	b = str(b, "id", e.ID)
	if e.Tag.Exists() {
		b = append(b, `,"tag":`...)
		b = ordjson.Append(b, e.Tag)
	}
	b = append(b, ',')
	b = e.appendStandard(b)
	if len(e.Warnings) > 0 {
		b = append(b, `,"warnings":`...)
		b = ordjson.Append(b, ordjson.Strings(e.Warnings))
	}
	if e.Request != nil {
		b = append(b, `,"request":`...)
		b = e.Request.append(b)
	}
	if e.Query != nil {
		b = append(b, `,"request":`...)
		b = e.Query.append(b)
	}
	if e.DryRun {
		b = append(b, `,"dryRun":true`...)
	}
	if e.Cache != nil {
		b = append(b, `,"cache":`...)
		b = e.Cache.append(b)
	}
	if e.Test != nil {
		b = append(b, `,"test":`...)
		b = e.Test.append(b)
	}
	if e.Delivered != nil {
		b = append(b, `,"delivered":`...)
		b = e.Delivered.append(b)
	}
	b = append(b, `,"durationMs":`...)
	b = strconv.AppendInt(b, e.Duration.Milliseconds(), 10)
	return append(b, '}')
}

// Standard is the standard envelope alone, as chapter 04 defines it: what an
// MCP client gets.
func (e *Envelope) Standard() []byte {
	return append(e.appendStandard([]byte{'{'}), '}')
}

func (e *Envelope) appendStandard(b []byte) []byte {
	b = append(b, `"status":`...)
	b = strconv.AppendBool(b, e.Status)
	b = append(b, `,"messages":`...)
	b = ordjson.Append(b, ordjson.Strings(e.Messages))
	b = append(b, `,"data":`...)
	return ordjson.Append(b, e.Data)
}

func (c *Cached) append(b []byte) []byte {
	b = append(b, '{')
	b = append(b, str(nil, "state", string(c.State))[1:]...)
	if !c.FetchedAt.IsZero() {
		b = str(b, "fetchedAt", Timestamp(c.FetchedAt))
	}
	if !c.ExpiresAt.IsZero() {
		b = str(b, "expiresAt", Timestamp(c.ExpiresAt))
	}
	b = str(b, "message", c.Message)
	if c.Note != "" {
		b = str(b, "note", c.Note)
	}
	return append(b, '}')
}

// Timestamp writes a time as JavaScript's toISOString does, which chapter 11
// has in its files.
func Timestamp(t time.Time) string { return t.UTC().Format("2006-01-02T15:04:05.000Z") }

func (r *HTTPRequest) append(b []byte) []byte {
	b = append(b, '{')
	b = append(b, str(nil, "method", r.Method)[1:]...)
	b = str(b, "url", r.URL)
	b = append(b, `,"headers":{`...)
	for i, h := range r.Headers {
		if i > 0 {
			b = append(b, ',')
		}
		b = ordjson.AppendKey(b, h.Name)
		b = ordjson.AppendString(b, h.Value)
	}
	b = append(b, '}')
	if r.Body.Exists() {
		b = append(b, `,"body":`...)
		b = ordjson.Append(b, r.Body)
	}
	return append(b, '}')
}

func (q *Query) append(b []byte) []byte {
	b = append(b, '{')
	b = append(b, str(nil, "source", q.Source)[1:]...)
	b = str(b, "query", q.Name)
	b = optional(b, "sql", q.SQL)
	b = append(b, `,"params":`...)
	b = ordjson.Append(b, q.Params)
	return append(b, '}')
}
