package exec

import (
	"slices"
	"strings"
	"sync"

	"github.com/flowmcp/fmcp/pkg/catalog"
	"github.com/flowmcp/fmcp/pkg/domain"
	"github.com/flowmcp/fmcp/pkg/model"
	"github.com/flowmcp/fmcp/pkg/ordjson"
	"github.com/flowmcp/fmcp/pkg/sandbox"
	"github.com/flowmcp/fmcp/pkg/words"
)

// Target is what a call asks for: a *Tool or a *Query. It does not change and
// may be shared between calls.
type Target interface {
	Record() *catalog.Callable
	Label() string // how messages name it
	ReadsOnly() bool
	UserKeys() []string
	ServerKeys() []string
	inputs() *params
}

// Tool is a tool of a catalog, ready to be called. Its ServerParams are all that
// a request can hold.
type Tool struct {
	catalog.Tool
	params
	Domain string          // registrable domain of Root, to which its server parameters go
	Script *sandbox.Script // the handlers' source; nil where the catalog does not carry it

	headers func() headerList // made for the first request
}

// NewTool makes a tool ready. The error, a *words.Problem, names what in the record
// cannot be used.
func NewTool(r *catalog.Tool) (*Tool, error) {
	t := &Tool{Tool: *r, Domain: domain.OfRoot(r.Root)}
	t.Method, t.ServerParams = strings.ToUpper(r.Method), r.ServerKeys()
	if t.Name == "" {
		t.Name = r.ID
	}
	if !slices.Contains(model.Methods, t.Method) {
		return nil, fail(CodeBadRecord, "%s: method %s is not GET, POST, PUT or DELETE (VAL032)", r.ID,
			words.Quote(r.Method))
	}
	if n := max(len(r.Parameters), len(r.Headers), len(t.ServerParams)); n > maxParams {
		return nil, fail(CodeBadRecord, "%s has %d parameters or headers, and no more than %d can be sent", r.ID, n,
			maxParams)
	}
	for _, p := range r.Parameters {
		if p.Key == "" || !slices.Contains(locations, p.Location) {
			return nil, fail(CodeBadRecord, "%s has a parameter %s in %s, expected a key in insert, query or body "+
				"(VAL041, VAL043)", r.ID, words.Quote(p.Key), words.Quote(string(p.Location)))
		}
	}
	t.read(&r.Callable)
	t.headers = sync.OnceValue(t.makeHeaders)
	return t, nil
}

// Label implements Target.
func (t *Tool) Label() string { return t.Name }

// ServerKeys implements Target.
func (t *Tool) ServerKeys() []string { return t.ServerParams }

// locations are where a parameter can be sent.
var locations = []model.Location{model.Insert, model.Query, model.Body}

// maxParams is how many parameters of a kind a tool may have: the field's have a
// few dozen, and what is done with them takes time that grows faster than they.
const maxParams = 1000

// userParam is the placeholder for the caller's value (chapter 02).
const userParam = "USER_PARAM"

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
