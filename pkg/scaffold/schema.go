package scaffold

import (
	"errors"
	"fmt"
	"net/url"
	"slices"
	"strings"

	"github.com/flowmcp/fmcp/pkg/lazy"
	"github.com/flowmcp/fmcp/pkg/model"
	"github.com/flowmcp/fmcp/pkg/ordjson"
	"github.com/flowmcp/fmcp/pkg/rules/engine"
	"github.com/flowmcp/fmcp/pkg/words"
)

// parameter is one of the tool that is made.
type parameter struct {
	key      string
	location model.Location
	value    string          // fixed or of a server parameter; "" is the user's
	examples []ordjson.Value // of each request, Missing where it does without
}

// schema is a schema while it is made.
type schema struct {
	File
	namespace, tool string
	method          string
	root, path      string
	headers         []ordjson.Member
	params          []*parameter
	requests        int
}

// Schema makes a schema with one tool of requests that are known to work, each of
// which becomes a test. All are of one method and path.
func Schema(id string, requests []Request) (*File, error) {
	namespace, tool, err := splitID(id, "weather/getForecast", engine.IsCamel, engine.ToCamel)
	if err != nil {
		return nil, err
	}
	s := &schema{namespace: namespace, tool: tool, requests: len(requests)}
	s.ID, s.Path = namespace+"/tool/"+tool, "providers/"+namespace+"/"+engine.ToKebab(tool)+".mjs"
	for i, r := range requests {
		if err := s.add(i, r); err != nil {
			return nil, err
		}
	}
	s.Text = s.module().Text()
	return &s.File, nil
}

func (s *schema) add(i int, r Request) error {
	if !slices.Contains(model.Methods, r.Method) {
		return fmt.Errorf("method %s: expected one of %s, which are those of the specification",
			words.Quote(r.Method), strings.Join(model.Methods, ", "))
	}
	u, err := url.Parse(r.URL)
	// It may hold keys, and is not shown.
	if err != nil || u.Host == "" || u.Scheme != "https" || strings.ContainsAny(r.URL, " \\") {
		return errors.New("the URL cannot be used: expected https://, a host and a path")
	}
	if u.User != nil {
		r.Headers = append(slices.Clip(r.Headers), Header{"Authorization", "Basic of the URL"})
	}
	root := "https://" + u.Host
	path, values, err := pathOf(r.URL)
	if err != nil {
		return err
	}
	if i > 0 && (s.method != r.Method || s.root != root || s.path != path) {
		return fmt.Errorf("request %d is not of the method, the host and the path of the first; a tool has one of "+
			"each", i+1)
	}
	s.method, s.root, s.path = r.Method, root, path
	for _, m := range values {
		if err := s.give(i, m.Key, model.Insert, m.Value); err != nil {
			return err
		}
	}
	if err := s.addQuery(i, u.RawQuery); err != nil {
		return err
	}
	if err := s.addBody(i, r); err != nil {
		return err
	}
	return s.addHeaders(r.Headers)
}

// pathParameter is {id}, {id=42}, or {{id}} as the chapters write it.
var pathParameter = lazy.Regexp(`\{\{?([A-Za-z_][A-Za-z0-9_]*)(?:=([^{}/]*))?\}?\}`)

// pathOf is the path of a URL as schemas write it, and the values of its parameters.
func pathOf(raw string) (path string, values []ordjson.Member, err error) {
	raw, _, _ = strings.Cut(raw, "#")
	raw, _, _ = strings.Cut(raw, "?")
	_, rest, _ := strings.Cut(raw, "://")
	if at := strings.IndexByte(rest, '/'); at >= 0 {
		path = rest[at:]
	} else {
		path = "/"
	}
	path = pathParameter().ReplaceAllStringFunc(path, func(found string) string {
		m := pathParameter().FindStringSubmatch(found)
		example := ordjson.Value{}
		if strings.Contains(found, "=") {
			text, escape := url.PathUnescape(m[2])
			if escape != nil {
				text = m[2]
			}
			example = typed(text)
		}
		if slices.ContainsFunc(values, func(v ordjson.Member) bool { return v.Key == m[1] }) {
			err = fmt.Errorf("the path has two parameters %s", words.Quote(m[1]))
		}
		values = append(values, ordjson.Field(m[1], example))
		return "{{" + m[1] + "}}"
	})
	if strings.ContainsAny(pathParameter().ReplaceAllString(path, ""), "{}") {
		err = errors.New("a parameter of the path cannot be read: expected {id}, or {id=42} with a value")
	}
	return path, values, err
}

func (s *schema) addQuery(i int, query string) error {
	var keys []string
	for part := range strings.SplitSeq(query, "&") {
		if part == "" {
			continue
		}
		key, value, _ := strings.Cut(part, "=")
		key, err1 := url.QueryUnescape(key)
		value, err2 := url.QueryUnescape(value)
		if err1 != nil || err2 != nil || key == "" {
			return errors.New("the query of the URL cannot be read: expected key=value&key=value, with % as %25")
		}
		if slices.Contains(keys, key) {
			return fmt.Errorf("the query has %s twice: expected each key once; an API that takes several values "+
				"often takes them with commas too", words.Quote(key))
		}
		keys = append(keys, key)
		if err := s.give(i, key, model.Query, typed(value)); err != nil {
			return err
		}
	}
	return nil
}

func (s *schema) addBody(i int, r Request) error {
	if r.Body == "" {
		return nil
	}
	if r.Form {
		return errors.New("the body is a form, and tools send JSON: add -H 'Content-Type: application/json' if it " +
			"is JSON; else the tool needs a handler (docs/handlers.md)")
	}
	if r.Method != "POST" && r.Method != "PUT" {
		return fmt.Errorf("a body with method %s: expected POST or PUT", r.Method)
	}
	body, err := ordjson.Parse(r.Body)
	if err != nil || !body.Is(ordjson.Object) {
		return errors.New("the body cannot be used: expected a JSON object")
	}
	for _, m := range body.Members() {
		if at := nestedKey(m.Value); at != "" {
			return fmt.Errorf("body field %s holds %s, which is named as a key is; server parameters stand only at "+
				"the top of a body: take it out, or write a handler (docs/handlers.md)", words.Quote(m.Key),
				words.Quote(at))
		}
		if err := s.give(i, m.Key, model.Body, m.Value); err != nil {
			return err
		}
	}
	return nil
}

// give adds the value of a parameter in a request. That of a key goes nowhere.
func (s *schema) give(i int, key string, location model.Location, v ordjson.Value) error {
	at := slices.IndexFunc(s.params, func(p *parameter) bool { return p.key == key })
	if at < 0 {
		p := &parameter{key: key, location: location, examples: make([]ordjson.Value, s.requests)}
		if IsKey(key) {
			p.value = s.serverParam(key)
		}
		s.params = append(s.params, p)
		at = len(s.params) - 1
	}
	p := s.params[at]
	if key == "_description" || key == "__proto__" { // a test has no place for its value
		return fmt.Errorf("no parameter can be called %s", words.Quote(key))
	}
	if p.location != location {
		return fmt.Errorf("%s is in the %s and in the %s of the request: expected each name once, since callers give "+
			"values by name", words.Quote(key), where[p.location], where[location])
	}
	if p.value == "" {
		p.examples[i] = v
	}
	return nil
}

// where names locations as users know them.
var where = map[model.Location]string{model.Insert: "path", model.Query: "query", model.Body: "body"}

// serverParam is the placeholder of a key.
func (s *schema) serverParam(name string) string {
	env := Variable(s.namespace, name)
	if !slices.Contains(s.Keys, env) {
		s.Keys = append(s.Keys, env)
	}
	return "{{SERVER_PARAM:" + env + "}}"
}

func (s *schema) module() *Module {
	words := strings.ToLower(strings.Join(engine.PartsOf(s.tool), " "))
	s.Notes = append(s.Notes, "write what the tool is good for into its description",
		"fmcp-exec test --generate-output derives the output from answers")
	t := Tool{Name: s.tool, Method: s.method, Path: s.path, Hint: s.namespace + " " + words, Tests: s.tests(),
		Description: upper(words) + ": " + s.method + " " + strings.NewReplacer("{{", "{", "}}", "}").Replace(s.path)}
	for _, p := range s.params {
		t.Params = append(t.Params, p.param())
	}
	return &Module{Namespace: s.namespace, Name: engine.ToPascal(s.tool), Root: s.root, Keys: s.Keys,
		Description: upper(words) + " of " + strings.TrimPrefix(s.root, "https://"), Tags: []string{s.namespace},
		Headers: s.headers, Tools: []Tool{t}}
}

// upper is a text as a sentence begins.
func upper(s string) string { return strings.ToUpper(s[:1]) + s[1:] }

// param is the parameter as it is written.
func (p *parameter) param() Param {
	out := Param{Key: p.key, Location: p.location, Value: p.value}
	if p.value != "" {
		return out
	}
	out.Primitive = p.primitive()
	missing := func(v ordjson.Value) bool { return !v.Exists() }
	if p.location != model.Insert && slices.ContainsFunc(p.examples, missing) {
		out.Options = []string{"optional()"}
	}
	return out
}
