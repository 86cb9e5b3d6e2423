package migrate

import (
	"slices"
	"strings"

	"github.com/flowmcp/fmcp/pkg/edit"
	"github.com/flowmcp/fmcp/pkg/model"
	"github.com/flowmcp/fmcp/pkg/ordjson"
	"github.com/flowmcp/fmcp/pkg/record"
	"github.com/flowmcp/fmcp/pkg/words"
)

// wrapper calls functions of version 1 as handlers of today (docs/migration.md). It is the
// same in every file.
const wrapper = `// Calls functions of FlowMCP 1 as a handler: each gets and returns { struct, payload }, and
// struct.status = false fails the call for the reasons in struct.messages.
const v1 = ( routeName, phaseType, ...functions ) => async ( { struct, payload, response } ) => {
    struct.data = response ?? null
    payload.requestMethod = struct.method
    const { userParams } = payload
    const query = new URLSearchParams( struct.url.split( '?' )[ 1 ] )
    userParams._allParams = { ...Object.fromEntries( query ), ...struct.body, ...userParams }
    let result = { struct, payload }
    for( const call of functions ) {
        result = await call( { ...result, userParams, routeName, phaseType } )
    }
    Object.assign( struct, result.struct )
    result.payload.method = result.payload.requestMethod

    return phaseType === 'post' ? { response: struct.data } : { struct, payload: result.payload }
}`

// The names that the step gives to what it makes.
const (
	wrapperName   = "v1"
	functionsName = "modifiers"
)

// phases are those of version 1, and the handlers of today that run then.
var phases = []struct{ phase, stage string }{
	{"pre", "preRequest"}, {"execute", "executeRequest"}, {"post", "postRequest"},
}

// Handlers finds the functions of version 1 in the object that the file exports, and the
// modifiers of its routes that name them. They become the handlers of the tools.
func Handlers(s *Source) []Step {
	if !s.version1() {
		return nil
	}
	m, ok := s.Root.Member(fieldHandlers)
	modified := slices.ContainsFunc(s.routes(), func(r ordjson.Member) bool {
		return r.Value.Get(fieldModifiers).Exists()
	})
	if !ok && !modified {
		return nil
	}
	if !ok {
		m.KeyPos = int32(s.Root.Pos())
	}
	routes, problem := s.modifiers(m.Value)
	step := Step{At: int(m.KeyPos), Message: "found handlers and modifiers of version 1 in the schema",
		Fix: "export handlers, a function that returns the handlers of each tool, and call the functions there"}
	if problem != "" {
		step.Message += "; " + problem
		return []Step{step}
	}
	step.Edits = s.handlersOut(m.Value, routes)
	return []Step{step}
}

// route is a route whose modifiers do something.
type route struct {
	name      string
	functions [3][]string // the functions of each phase, in order
}

// modifiers are those of the routes, or what keeps them from being read.
func (s *Source) modifiers(handlers ordjson.Value) (routes []route, problem string) {
	if handlers.Exists() && !handlers.Is(ordjson.Object) {
		return nil, "handlers is not written as an object"
	}
	for _, r := range s.routes() {
		at := r.Value.Get(fieldModifiers)
		list := s.literal(at)
		if at.Exists() && !list.Is(ordjson.Array) {
			return nil, "the modifiers of " + r.Key + " are not written out"
		}
		found := route{name: r.Key}
		for _, m := range list.Elems() {
			name, phase := m.Get("handlerName").Str(), m.Get("phase").Str()
			f, ok := handlers.Member(name)
			i := slices.IndexFunc(phases, func(p struct{ phase, stage string }) bool { return p.phase == phase })
			switch {
			case i < 0:
				return nil, "the modifier " + words.Quote(name) + " of " + r.Key + " has phase " + words.Quote(phase) +
					", expected pre, execute or post"
			case !ok:
				return nil, "handlers has no function " + words.Quote(name) + ", which " + r.Key + " names"
			case !s.idle(f) || phase == "execute":
				found.functions[i] = append(found.functions[i], name)
			}
		}
		if slices.ContainsFunc(found.functions[:], func(names []string) bool { return names != nil }) {
			routes = append(routes, found)
		}
	}
	return routes, ""
}

// idle reports whether a function of version 1 returns what it is given and does nothing
// else, as many do.
func (s *Source) idle(f ordjson.Member) bool {
	i := s.At(int(f.KeyPos))
	end := i
	for !s.Is(end, ",") && !s.Closes(end) {
		end = s.After(end)
	}
	text := strings.Map(func(r rune) rune {
		if strings.ContainsRune(" \t\r\n;", r) {
			return -1
		}
		return r
	}, s.slice(span{i + 1, end}))
	_, body, _ := strings.Cut(text, "=>")
	return body == "{return{struct,payload}}" || body == "({struct,payload})"
}

// handlersOut are the edits that take the functions out of the schema and export them as
// handlers; nil where names of the file are in the way.
func (s *Source) handlersOut(handlers ordjson.Value, routes []route) []record.Edit {
	gone := []string{}
	if s.Root.Get(fieldHandlers).Exists() {
		gone = append(gone, "/"+fieldHandlers)
	}
	for _, r := range s.routes() {
		if r.Value.Get(fieldModifiers).Exists() {
			gone = append(gone, ordjson.Pointer(s.routesKey(), r.Key, fieldModifiers))
		}
	}
	u := s.usage(handlers, routes != nil)
	edits := s.edits(routes == nil, edit.Drop(gone...))
	if edits == nil || u.inSchema || routes != nil && s.taken() {
		return nil
	}
	for _, sp := range slices.Concat(u.moved, u.unused) {
		edits = append(edits, record.Edit{Start: s.commented(sp.first), End: s.past(s.lineEnd(sp.end)),
			Safe: routes == nil})
	}
	if routes == nil {
		return edits
	}
	open := s.At(s.Root.Pos())
	end := int(s.List[s.List[open].Match].End)
	if s.Is(int(s.List[open].Match)+1, ";") {
		end++
	}
	text := "\n\n" + wrapper + "\n\nexport const handlers = ( { sharedLists, libraries } ) => {\n"
	for _, b := range u.bindings {
		text += "    " + b + "\n"
	}
	if u.bindings != nil {
		text += "\n"
	}
	for _, sp := range u.moved {
		text += "    " + s.indented(s.commented(sp.first), s.lineEnd(sp.end), "    ") + "\n\n"
	}
	text += "    const " + functionsName + " = " + s.functions(handlers) + "\n\n" + returned(routes) + "}"
	// First, since the mark of a change that needs a look is made at the first edit.
	return slices.Insert(edits, 0, record.Edit{Start: end, End: end, Text: s.lines(text)})
}

// taken reports whether names that the step gives to what it makes are in the file.
func (s *Source) taken() bool {
	return s.names(span{0, len(s.List)}, wrapperName, functionsName) ||
		slices.ContainsFunc(s.statements(), func(sp span) bool { return s.declared(sp) == fieldHandlers })
}

// functions is the object of the functions as it is written, where what is called schema
// has other names.
func (s *Source) functions(handlers ordjson.Value) string {
	open := s.At(handlers.Pos())
	closing := int(s.List[open].Match)
	var b strings.Builder
	done := handlers.Pos()
	replace := func(i, end int, text string) {
		b.WriteString(s.Src[done:s.List[i].Start] + text)
		done = int(s.List[end].End)
	}
	for i := open; i < closing; i++ {
		switch {
		case s.Name(i) != Export || s.Member(i) || s.Is(i+1, ":"):
		case s.Dot(i+1) && s.Name(i+2) == fieldHandlers:
			replace(i, i+2, functionsName)
		default:
			replace(i, i, "main")
		}
	}
	return b.String() + s.Src[done:s.List[closing].End]
}

// returned is what the factory returns.
func returned(routes []route) string {
	var b strings.Builder
	b.WriteString("    return {\n")
	for i, r := range routes {
		b.WriteString("        " + key(r.name) + ": {\n")
		sep := ""
		for k, names := range r.functions {
			if names == nil {
				continue
			}
			b.WriteString(sep + "            " + phases[k].stage + ": " + wrapperName + "( " + quoted(r.name) + ", " +
				quoted(phases[k].phase))
			for _, name := range names {
				b.WriteString(", " + member(functionsName, name))
			}
			b.WriteString(" )")
			sep = ",\n"
		}
		b.WriteString("\n        }")
		if i < len(routes)-1 {
			b.WriteString(",")
		}
		b.WriteString("\n")
	}
	b.WriteString("    }\n")
	return b.String()
}

func quoted(text string) string { return edit.Literal(ordjson.NewString(text)) }

func key(name string) string {
	if model.IsIdent(name) {
		return name
	}
	return quoted(name)
}

// member is the code that reads a member of an object.
func member(object, name string) string {
	if model.IsIdent(name) {
		return object + "." + name
	}
	return object + "[ " + quoted(name) + " ]"
}

// commented is where the comments begin that stand directly above token i, or where that
// does.
func (s *Source) commented(i int) int {
	start, end := int(s.List[i].Start), 0
	if i > 0 {
		end = int(s.List[i-1].End)
		end += strings.IndexByte(s.Src[end:start]+"\n", '\n')
	}
	between := s.Src[min(end, start):start]
	if n := max(strings.LastIndex(between, "\n\n"), strings.LastIndex(between, "\n\r\n")); n >= 0 {
		between = between[n:]
	}
	return start - len(strings.TrimLeft(between, " \t\r\n"))
}

// past is the start of the next line after an offset that is not blank, if nothing else is
// in the line of the offset; else the offset.
func (s *Source) past(offset int) int {
	for {
		line, _, more := strings.Cut(s.Src[offset:], "\n")
		if strings.TrimSpace(line) != "" || !more {
			return offset
		}
		offset += len(line) + 1
	}
}
