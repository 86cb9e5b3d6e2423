package exec

import (
	"slices"
	"strings"
	"sync"

	"github.com/flowmcp/fmcp/pkg/domain"
	"github.com/flowmcp/fmcp/pkg/model"
	"github.com/flowmcp/fmcp/pkg/ordjson"
	"github.com/flowmcp/fmcp/pkg/record"
	"github.com/flowmcp/fmcp/pkg/sandbox"
	"github.com/flowmcp/fmcp/pkg/sql"
	"github.com/flowmcp/fmcp/pkg/words"
	"github.com/flowmcp/fmcp/pkg/zod"
)

// Tool is a resolved tool record, or a query of a resource, with its z-blocks
// read. It does not change and
// may be shared between calls.
type Tool struct {
	ID           string // Spec-ID: coingecko/tool/simplePrice
	Name         string // key in main.tools
	WireName     string // MCP name
	Method       string
	Root         string // as written, server placeholders included
	Domain       string // registrable domain of Root, to which its server parameters go
	Path         string // as written
	Headers      []record.Header
	Params       []Param
	ServerParams []string      // names of the server parameters that it needs
	MimeType     string        // output.mimeType, "" where no output is declared
	Output       ordjson.Value // output.schema, Missing where none is declared
	Handlers     []string      // stages: preRequest, executeRequest, postRequest
	Schema       string        // Schema-File-ID, which is the ID of the record of its handlers
	Data         ordjson.Value // the record's data, whole
	Query        *Query        // of a resource; nil of a tool that calls an API

	Script *sandbox.Script // the handlers' source; nil where the catalog does not carry it

	fields  []zod.Field       // Params as the input knows them
	safe    map[string]string // what MCP clients have for keys that model APIs refuse; nil for most
	headers func() headerList // made for the first request
}

// Param is one parameter of a tool.
type Param struct {
	Key      string
	Location model.Location
	Source   model.Source
	Value    ordjson.Value // as written
	Slashes  bool          // those of a value stay in the path
	Z        *zod.Schema
}

// NewTool views a resolved record of type tool. The error, an *Error, names
// what in the record cannot be used.
func NewTool(r *record.Resolved) (*Tool, error) {
	d := r.Data
	if r.Type != record.TypeTool || !d.Is(ordjson.Object) {
		return nil, fail(CodeBadRecord, "%s is a record of type %s, expected a tool", r.ID, words.Quote(r.Type))
	}
	t := &Tool{
		ID: r.ID, Name: d.Get("name").Str(), WireName: d.Get("wireName").Str(), Method: strings.ToUpper(d.Get("method").Str()),
		Root: d.Get("root").Str(), Path: d.Get("path").Str(), Domain: domain.OfRoot(d.Get("root").Str()),
		ServerParams: model.ServerKeysOf(d),
		MimeType:     d.Get("output").Get("mimeType").Str(), Output: d.Get("output").Get("schema"),
		Handlers: record.StringsOf(d.Get("handlers")), Data: d,
		Schema: d.Get("schema").Str(),
	}
	if t.Name == "" {
		t.Name = r.ID
	}
	if !slices.Contains(model.Methods, t.Method) {
		return nil, fail(CodeBadRecord, "%s: method %s is not GET, POST, PUT or DELETE (VAL032)", r.ID,
			words.Quote(d.Get("method").Str()))
	}
	if n := max(d.Get("parameters").Len(), d.Get("headers").Len(), len(t.ServerParams)); n > maxParams {
		return nil, fail(CodeBadRecord, "%s has %d parameters or headers, and no more than %d can be sent", r.ID, n, maxParams)
	}
	for _, m := range d.Get("headers").Members() {
		t.Headers = append(t.Headers, record.Header{Name: m.Key, Value: scalar(m.Value)})
	}
	for i, p := range d.Get("parameters").Elems() {
		param, err := newParam(p)
		if err != nil {
			return nil, fail(CodeBadRecord, "%s: parameters[%d]: %s", r.ID, i, err.Msg)
		}
		t.Params = append(t.Params, param)
		t.fields = append(t.fields, zod.Field{Key: param.Key, Source: param.Source, Z: param.Z})
	}
	if form := t.misspelt(); form != "" {
		return nil, fail(CodeBadRecord, "%s: %s looks like a placeholder and would be sent as it stands (CMP031)",
			r.ID, words.Quote(form))
	}
	t.safe = model.SafeKeys(t.UserKeys())
	t.headers = sync.OnceValue(t.makeHeaders)
	return t, nil
}

// misspelt returns what was meant to be a placeholder and is none; a handler
// that runs before the request may replace it.
func (t *Tool) misspelt() string {
	if slices.Contains(t.Handlers, "preRequest") || slices.Contains(t.Handlers, "executeRequest") {
		return ""
	}
	texts := []string{t.Root}
	for _, h := range t.Headers {
		texts = append(texts, h.Value)
	}
	var inserts []string
	for _, p := range t.Params {
		texts = append(texts, p.Value.Str())
		if p.Location == model.Insert {
			inserts = append(inserts, p.Key)
		}
	}
	return model.MisspeltIn(t.Path, inserts, texts...)
}

// maxParams is how many parameters of a kind a tool may have: the field's have a
// few dozen, and what is done with them takes time that grows faster than they.
const maxParams = 1000

func newParam(v ordjson.Value) (Param, *Error) {
	p := Param{Key: v.Get("key").Str(), Location: model.Location(v.Get("location").Str()), Value: v.Get("value"), Slashes: v.Get("slashes").True()}
	p.Z, _ = zod.Parse(v.Get("primitive").Str(), record.StringsOf(v.Get("options")))
	if p.Key == "" {
		return p, fail(CodeBadRecord, "the key is missing (VAL041)")
	}
	switch p.Location {
	case model.Insert, model.Query, model.Body:
	default:
		return p, fail(CodeBadRecord, "location %s of %s is not insert, query or body (VAL043)",
			words.Quote(p.Location), words.Quote(p.Key))
	}
	switch v.Get("source").Str() {
	case model.User.String():
		p.Source = model.User
	case model.Server.String():
		p.Source = model.Server
	}
	// Text around {{USER_PARAM}} does not make a value fixed.
	for _, ph := range model.Placeholders(p.Value.Str()) {
		if ph.Bare() && ph.Name == userParam {
			p.Source = model.User
		}
	}
	return p, nil
}

// ReadsOnly is record.ReadOnly; a query reads where its statement does.
func (t *Tool) ReadsOnly() bool {
	if t.Query != nil {
		statements, err := sql.Split(t.Query.SQL)
		return err == nil && !t.Query.Dynamic && !slices.ContainsFunc(statements, func(s sql.Statement) bool { return !s.Reads() })
	}
	return record.ReadOnly(t.Data.Get("meta"), t.Method, t.Handlers)
}

// userParam is the placeholder for the caller's value (chapter 02).
const userParam = "USER_PARAM"

// User returns the parameter of that key which the caller gives.
func (t *Tool) User(key string) (*Param, bool) {
	for i := range t.Params {
		if t.Params[i].Source == model.User && t.Params[i].Key == key {
			return &t.Params[i], true
		}
	}
	return nil, false
}

// UserKeys are the keys that the caller may give, in order, without repeats.
func (t *Tool) UserKeys() []string {
	var keys []string
	seen := make(map[string]bool, len(t.Params))
	for _, p := range t.Params {
		if p.Source == model.User && !seen[p.Key] {
			seen[p.Key] = true
			keys = append(keys, p.Key)
		}
	}
	return keys
}

// ownKeys are parameters under the schema's own keys, where a caller has those
// of MCP clients. A key that is given both ways stays unknown in the second.
func (t *Tool) ownKeys(given ordjson.Value) ordjson.Value {
	own := map[string]string{}
	for key, safe := range t.safe {
		if given.Get(safe).Exists() && !given.Get(key).Exists() {
			own[safe] = key
		}
	}
	if len(own) == 0 {
		return given
	}
	members := slices.Clone(given.Members())
	for i, m := range members {
		if key, ok := own[m.Key]; ok {
			members[i] = ordjson.Field(key, m.Value)
		}
	}
	return ordjson.NewObject(members...)
}

// ownKey is ownKeys for one key.
func (t *Tool) ownKey(key string) string {
	for own, safe := range t.safe {
		if safe == key {
			return own
		}
	}
	return key
}

// scalar is a value as text for a URL or a header: numbers as JavaScript prints
// them, though integers keep all their digits.
func scalar(v ordjson.Value) string {
	switch v.Kind() {
	case ordjson.String:
		return v.Str()
	case ordjson.Number:
		if strings.ContainsAny(v.NumberText(), ".eE") {
			return ordjson.Text(ordjson.NewNumber(v.Float()))
		}
	}
	return ordjson.Text(v)
}
