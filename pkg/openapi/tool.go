package openapi

import (
	"cmp"
	"fmt"
	"net/url"
	"slices"
	"strings"

	"github.com/flowmcp/fmcp/pkg/domain"
	"github.com/flowmcp/fmcp/pkg/model"
	"github.com/flowmcp/fmcp/pkg/ordjson"
	"github.com/flowmcp/fmcp/pkg/record"
	"github.com/flowmcp/fmcp/pkg/rules/engine"
	"github.com/flowmcp/fmcp/pkg/scaffold"
	"github.com/flowmcp/fmcp/pkg/words"
)

// The codes of findings.
const (
	codeLeftOut = "LOD053"
	codeChanged = "LOD054"
)

// tool is an operation on its way to be one of a schema.
type tool struct {
	*operation
	scaffold.Tool
	imp    *importer
	root   string
	keys   []string // environment variables
	inputs []scaffold.Input
	open   []string // parameters whose values in tests have to be replaced
	form   bool     // the body is a form
	deep   []string // its members that are written key[member]
	lists  []string // keys of the query that stand there once for each value
}

// once adds a finding about the document, where it is not there yet.
func (i *importer) once(pointer, message, fix string) {
	if !i.told[message] {
		i.told[message] = true
		i.findings = append(i.findings, &record.Diagnostic{Code: codeChanged, Severity: record.SeverityInfo,
			Message: message, Fix: fix, Subject: i.doc.Path, Loc: record.Loc{Path: i.doc.Path, Pointer: pointer}})
	}
}

// leftOut reports that the operation or a part of it has no counterpart.
func (t *tool) leftOut(pointer, message, fix string) {
	d := record.Diagnostic{Code: codeLeftOut, Severity: record.SeverityWarning, Message: message, Fix: fix}
	t.report(d, pointer)
}

// changed reports that a part of the operation says less now.
func (t *tool) changed(pointer, message, fix string) {
	t.report(record.Diagnostic{Code: codeChanged, Severity: record.SeverityInfo, Message: message, Fix: fix}, pointer)
}

func (t *tool) report(d record.Diagnostic, pointer string) {
	d.Subject = t.name()
	d.Loc = record.Loc{Path: t.imp.doc.Path, Line: t.line, Col: 1, Pointer: pointer}
	t.imp.findings = append(t.imp.findings, &d)
}

// refused says why there is no tool.
func (t *tool) refused(pointer, why, fix string) bool {
	t.leftOut(pointer, t.name()+" was left out: "+why, fix)
	return false
}

// maxInputs is how many parameters, or members of a body, a model can give.
const maxInputs = 500

// convert makes the tool, or says why there is none.
func (t *tool) convert() bool {
	t.Method = t.method
	if !slices.Contains(model.Methods, t.method) {
		return t.refused(t.pointer(), "the specification has no method "+t.method,
			"use another operation of the API, if it has one for this")
	}
	if name := t.imp.doc.unread(t.operation); name != "" {
		if strings.Contains(name, "://") {
			return t.refused(t.pointer(), "it refers to "+words.Quote(name)+
				", which is not in the folder of the document",
				"bundle the document first, so that all is in one file; nothing is fetched")
		}
		return t.refused(t.pointer(), "it refers to "+words.Quote(name)+", which cannot be found",
			"correct the reference")
	}
	if n := len(t.Parameters) + len(t.item.Parameters); n > maxInputs {
		return t.refused(t.pointer("parameters"), "it has "+words.Count(n, "parameter"), "")
	}
	if !t.findRoot() || !t.addParameters() || !t.addBody() || !t.setPath() || !t.authorize() {
		return false
	}
	t.describe()
	t.setOutput()
	if t.Callbacks != nil && t.Callbacks.Len() > 0 {
		t.changed(t.pointer("callbacks"), "the callbacks of "+t.name()+" were left out: tools receive no requests", "")
	}
	t.Tests, t.open = scaffold.Cases(t.inputs)
	for i := range t.inputs {
		t.Params = append(t.Params, t.inputs[i].Param)
	}
	return true
}

// findRoot sets the root of the operation's first server.
func (t *tool) findRoot() bool {
	if t.root = t.imp.Root; t.root != "" {
		return true
	}
	servers := cmp.Or(len(t.Servers), len(t.item.Servers), len(t.imp.doc.model.Servers))
	if servers == 0 {
		return t.refused(t.pointer(), "the document names no server", "give --root https://…")
	}
	server := slices.Concat(t.Servers, t.item.Servers, t.imp.doc.model.Servers)[0]
	root := server.URL
	if server.Variables != nil {
		for name, v := range server.Variables.FromOldest() {
			root = strings.ReplaceAll(root, "{"+name+"}", v.Default)
			t.imp.once(ordjson.Pointer("servers", 0, "variables", name), words.Quote(name)+" of the server is "+
				words.Quote(v.Default)+" in every root", "give --root to call another server")
		}
	}
	u, err := url.Parse(root)
	if err != nil || u.Host == "" || u.Scheme != "https" && u.Scheme != "http" || strings.ContainsAny(root, "{} ") ||
		u.RawQuery != "" || u.Fragment != "" || u.User != nil || domain.Of(u.Hostname()) == "" {
		return t.refused(t.pointer("servers"), "its server "+words.Quote(root)+" is not a URL that can be called",
			"give --root https://…")
	}
	if u.Scheme == "http" {
		t.imp.once("/servers/0/url", "the server "+words.Quote(root)+" is called by https", "")
	}
	if servers > 1 {
		t.imp.once("/servers", words.Quote(root)+" is called, and not the document's "+
			words.Count(servers-1, "other server"),
			"give --root to call another server")
	}
	t.root = "https://" + u.Host + strings.TrimRight(u.EscapedPath(), "/")
	return true
}

// setPath writes the path as the chapters do.
func (t *tool) setPath() bool {
	path := t.path
	for i := range t.inputs {
		if p := &t.inputs[i]; p.Location == model.Insert {
			path = strings.ReplaceAll(path, "{"+p.Name+"}", "{{"+p.Key+"}}")
		}
	}
	if rest := strings.NewReplacer("{{", "", "}}", "").Replace(path); strings.ContainsAny(rest, "{}#? ") ||
		!strings.HasPrefix(path, "/") || strings.Contains(path, "/:") {
		return t.refused(t.pointer(), "its path contains something that is neither text nor one of its parameters",
			"correct the path of the document")
	}
	t.Path = path
	return true
}

// describe sets name and description.
func (t *tool) describe() {
	t.Name = engine.ToCamel(t.OperationId)
	if t.Name == "" {
		t.Name = engine.ToCamel(strings.ToLower(t.method) + " " + strings.ReplaceAll(t.path, "{", "by {"))
	}
	for name, n := t.Name, 2; t.imp.names[t.Name]; n++ {
		t.Name = fmt.Sprint(name, n)
	}
	t.imp.names[t.Name] = true
	text, detail := scaffold.Plain(t.Summary), scaffold.Plain(t.Operation.Description)
	if !strings.HasPrefix(detail, strings.TrimSuffix(text, ".")) {
		text = strings.TrimSuffix(text, ".") + ". " + detail
	} else if detail != "" {
		text = detail
	}
	if text = strings.TrimPrefix(text, ". "); isTrue(t.Deprecated) {
		text = "Deprecated. " + text
	}
	if text == "" {
		text = t.name()
	}
	t.Tool.Description = t.cut(text, maxDescription, t.pointer("description"))
	t.Hint = t.imp.Namespace + " " + strings.ToLower(strings.Join(engine.PartsOf(t.Name), " "))
}

// How many characters of a description a model reads, whichever tool it chooses.
const (
	maxDescription = 600
	maxParameter   = 300
)

// cut keeps the sentences that there is room for.
func (t *tool) cut(text string, limit int, pointer string) string {
	text = scaffold.Plain(text)
	if len(text) <= limit {
		return text
	}
	t.changed(pointer, fmt.Sprintf("a description of %d bytes was cut: models read the descriptions of all tools "+
		"each time", len(text)), "")
	if at := strings.LastIndex(text[:limit], ". "); at > limit/3 {
		return text[:at+1]
	}
	return words.Clip(text, limit)
}

// give adds a parameter; no two have one name, since callers give values by names.
func (t *tool) give(in scaffold.Input) bool {
	same := func(o scaffold.Input) bool { return o.Key == in.Key }
	if in.Location == model.Insert {
		for n := 2; slices.ContainsFunc(t.inputs, same); n++ {
			in.Key = fmt.Sprint(strings.TrimRight(in.Key, "0123456789"), n)
		}
	}
	if at := slices.IndexFunc(t.inputs, same); at >= 0 && t.inputs[at].Location == model.Insert {
		t.inputs[at].Key = "path" + engine.ToPascal(in.Key)
	} else if at >= 0 || in.Key == "" || in.Key == engine.TestDescription || in.Key == "__proto__" {
		return false
	}
	t.inputs = append(t.inputs, in)
	return true
}

// addKey adds what a key is sent as.
func (t *tool) addKey(env string) string {
	if !slices.Contains(t.keys, env) {
		t.keys = append(t.keys, env)
	}
	return "{{SERVER_PARAM:" + env + "}}"
}

func (t *tool) addHeader(name, value string) {
	t.Headers = slices.DeleteFunc(t.Headers, func(m ordjson.Member) bool { return strings.EqualFold(m.Key, name) })
	t.Headers = append(t.Headers, ordjson.Field(name, ordjson.NewString(value)))
}
