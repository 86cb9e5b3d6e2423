package engine

import (
	"slices"
	"strconv"
	"strings"

	"github.com/flowmcp/fmcp/pkg/model"
	"github.com/flowmcp/fmcp/pkg/words"
)

// What every tool has, one of a schema and one of an agent's own.

// ToolMethod reports a tool whose method is none.
func (p *Pass) ToolMethod(t *model.Node) {
	m := t.Get("method")
	if slices.Contains(model.Methods, m.Str()) {
		return
	}
	fix := "write method: 'GET', or the method that the API documents"
	if near, ok := words.Closest(strings.TrimSpace(m.Str()), model.Methods); ok {
		fix = "did you mean " + strconv.Quote(near) + "? write method: '" + near + "'"
	}
	p.Expect(t, "method", ToolFields, "GET, POST, PUT or DELETE", fix)
}

// ToolPath reports a tool whose path is none.
func (p *Pass) ToolPath(t *model.Node) {
	path := t.Get("path")
	if strings.HasPrefix(path.Str(), "/") {
		return
	}
	fix := "write path: '/', or the path that follows main.root"
	switch text := path.Str(); {
	case strings.HasPrefix(text, "https://") || strings.HasPrefix(text, "http://"):
		fix = "put scheme and host into main.root and leave the path here"
	case text != "":
		fix = "write path: '/" + text + "'"
	}
	p.Expect(t, "path", ToolFields, "a string that starts with /", fix)
}

// ToolDescription reports a tool that does not say what it is for.
func (p *Pass) ToolDescription(t *model.Node) {
	p.ExpectText(t, "description", ToolFields, "say in a sentence what the tool returns")
}
