// Package dts declares tools in TypeScript: what a model that writes code reads
// before it calls them (docs/serve.md).
package dts

import (
	"strings"

	"github.com/flowmcp/fmcp/pkg/model"
	"github.com/flowmcp/fmcp/pkg/ordjson"
	"github.com/flowmcp/fmcp/pkg/words"
)

// Tool is a tool that code may call.
type Tool struct {
	Name        string        // by which it is called
	Description string        //
	Input       ordjson.Value // JSON Schema of its parameters
	Output      ordjson.Value // as a schema declares it (chapter 04); Missing where it is not known
	Writes      bool          // may change something
}

// Declare is the declaration of a tool: an overload of the function call.
func Declare(t Tool) string {
	w := &writer{}
	about := t.Description
	if t.Writes {
		about = "May change data. " + about
	}
	w.doc(about)
	w.b.WriteString("declare function call(id: " + quoted(t.Name) + ", params")
	if t.Input.Get("required").Len() == 0 {
		w.b.WriteByte('?')
	}
	w.b.WriteString(": ")
	w.input(t.Input)
	w.b.WriteString("): Promise<")
	switch t.Output.Get("mimeType").Str() {
	case model.MIMEText, model.MIMEPNG:
		w.b.WriteString("string")
	default:
		w.b.WriteString(outputOf(t.Output.Get("schema")))
	}
	w.b.WriteString(">;\n")
	return w.b.String()
}

// maxOutput is how many bytes an output may take. Of 1,500 outputs of the field a
// handful is longer, up to 100,000.
const maxOutput = 4000

// outputOf is the type of an output, down to the level at which it is not too long.
func outputOf(s ordjson.Value) string {
	for levels := maxLevels; ; levels-- {
		w := &writer{levels: levels}
		if w.output(s); w.b.Len() <= maxOutput || levels == 0 {
			return w.b.String()
		}
	}
}

// maxLevels is how deep an output is described; chapter 04 allows 4 levels.
const maxLevels = 8

// writer writes types, each where the one before ended.
type writer struct {
	b      strings.Builder
	depth  int
	levels int // of an output: objects below are not described
}

// line begins a line.
func (w *writer) line() {
	w.b.WriteByte('\n')
	for range w.depth {
		w.b.WriteString("  ")
	}
}

// doc writes a comment, and begins the line that it is about.
func (w *writer) doc(text string) {
	if text = words.OneLine(text); text == "" {
		return
	}
	w.b.WriteString("/** " + strings.ReplaceAll(text, "*/", "*\\/") + " */")
	w.line()
}

// object writes the members of a schema's properties.
func (w *writer) object(s ordjson.Value, optional func(key string) bool, comment func(ordjson.Value) string,
	value func(ordjson.Value)) {
	w.b.WriteByte('{')
	w.depth++
	for _, m := range s.Get("properties").Members() {
		w.line()
		w.doc(comment(m.Value))
		w.b.WriteString(key(m.Key))
		if optional(m.Key) {
			w.b.WriteByte('?')
		}
		w.b.WriteString(": ")
		value(m.Value)
		w.b.WriteByte(';')
	}
	w.depth--
	if s.Get("properties").Len() > 0 {
		w.line()
	}
	w.b.WriteByte('}')
}

// input writes the type of a JSON Schema as tools have it for parameters.
func (w *writer) input(s ordjson.Value) {
	switch {
	case s.Get("enum").Is(ordjson.Array):
		w.union(s.Get("enum"))
	case s.Get("properties").Is(ordjson.Object):
		needed := map[string]bool{}
		for _, key := range s.Get("required").Elems() {
			needed[key.Str()] = true
		}
		w.object(s, func(key string) bool { return !needed[key] }, notes, w.input)
	default:
		w.named(s, w.input)
	}
}

// output writes the type of a schema of chapter 04. What a value is said to be,
// and whether it is there, is informational: nothing is optional.
func (w *writer) output(s ordjson.Value) {
	switch {
	case s.Get("enum").Is(ordjson.Array):
		w.union(s.Get("enum"))
	case s.Get("properties").Is(ordjson.Object) && w.depth < w.levels:
		w.object(s, func(string) bool { return false },
			func(v ordjson.Value) string { return v.Get("description").Str() }, w.output)
	default:
		w.named(s, w.output)
	}
	if s.Get("nullable").True() {
		w.b.WriteString(" | null")
	}
}

// named writes a type that has no members.
func (w *writer) named(s ordjson.Value, element func(ordjson.Value)) {
	switch name := s.Get("type").Str(); name {
	case "string", "number", "boolean", "null":
		w.b.WriteString(name)
	case "integer":
		w.b.WriteString("number")
	case "object":
		w.b.WriteString("Record<string, unknown>")
	case "array":
		w.b.WriteString("Array<")
		element(s.Get("items"))
		w.b.WriteByte('>')
	default:
		w.b.WriteString("unknown")
	}
}

// union writes the values of an enum.
func (w *writer) union(values ordjson.Value) {
	for i, v := range values.Elems() {
		if i > 0 {
			w.b.WriteString(" | ")
		}
		if v.Is(ordjson.Object) || v.Is(ordjson.Array) {
			w.b.WriteString("unknown")
			continue
		}
		w.b.Write(ordjson.Append(nil, v))
	}
	if values.Len() == 0 {
		w.b.WriteString("never")
	}
}

// notes are the description of a parameter, and what no type can say of it.
func notes(s ordjson.Value) string {
	list := []string{}
	if text := strings.TrimRight(words.OneLine(s.Get("description").Str()), "."); text != "" {
		list = append(list, text)
	}
	add := func(before string, v ordjson.Value) {
		if v.Exists() {
			list = append(list, before+ordjson.Text(v))
		}
	}
	add("default ", s.Get("default"))
	if s.Get("type").Str() == "integer" {
		list = append(list, "a whole number")
	}
	add("at least ", s.Get("minimum"))
	add("at most ", s.Get("maximum"))
	add("shortest ", s.Get("minLength"))
	add("longest ", s.Get("maxLength"))
	add("as ", s.Get("pattern"))
	if !s.Get("enum").Exists() {
		for i, v := range s.Get("examples").Elems() {
			add([]string{"e.g. ", ""}[min(i, 1)], v)
		}
	}
	return strings.Join(list, "; ")
}

// key is a key as an object type has it.
func key(name string) string {
	if model.IsIdent(name) {
		return name
	}
	return quoted(name)
}

func quoted(s string) string { return string(ordjson.AppendString(nil, s)) }
