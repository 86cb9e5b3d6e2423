package listing

import (
	"strings"

	"github.com/flowmcp/fmcp/pkg/ordjson"
)

// NameSiblings writes MCP names into the descriptions of tools where these name
// a tool of the same schema as the schema calls it: "Use getPoolGroups first"
// names nothing that a client could call. A query knows those of its own
// resource first.
func NameSiblings(tools []Tool) {
	s := &siblings{tools: tools, of: map[string][]int32{}}
	for i := range tools {
		for _, family := range tools[i].families {
			s.of[family] = append(s.of[family], int32(i))
		}
	}
	for i := range tools {
		t := &tools[i]
		if t.from.siblings = s; t.held != nil {
			t.Hold(s.named(t))
			t.size = len(t.held)
		}
	}
}

// siblings are the tools of each family.
type siblings struct {
	tools []Tool
	of    map[string][]int32 // places in tools
}

// named is the definition of a tool that has one, with the names of its siblings.
func (s *siblings) named(t *Tool) []byte {
	wire := func(word string) string {
		if word == t.Name {
			return "" // it is the title, too
		}
		for _, family := range t.families {
			if name := s.wireName(family, word); name != "" {
				return name
			}
		}
		return ""
	}
	if text := string(t.held); renamed(text, wire) != text {
		return renamedDefinition(t.Definition(), wire)
	}
	return t.held
}

// wireName is the MCP name of a tool of a family, "" for none and where two have the
// name.
func (s *siblings) wireName(family, name string) (wire string) {
	for _, i := range s.of[family] {
		switch t := &s.tools[i]; {
		case t.Name != name:
		case wire != "":
			return ""
		default:
			wire = t.WireName
		}
	}
	return wire
}

// renamedDefinition is a definition with the names in its descriptions replaced.
func renamedDefinition(d ordjson.Value, wire func(string) string) []byte {
	reword := func(v ordjson.Value) ordjson.Value {
		text := v.Get("description")
		if !text.Is(ordjson.String) {
			return v
		}
		return v.With("description", ordjson.NewString(renamed(text.Str(), wire)))
	}
	input := d.Get("inputSchema")
	var props []ordjson.Member
	for _, m := range input.Get("properties").Members() {
		props = append(props, ordjson.Field(m.Key, reword(m.Value)))
	}
	return ordjson.Append(nil, reword(d).With("inputSchema", input.With("properties", ordjson.NewObject(props...))))
}

// renamed is a text with other names for its words. A word that could be one
// of the language (search, price) stays, and so does a part of a path.
func renamed(text string, wire func(string) string) string {
	var b strings.Builder
	done := 0
	for i := 0; i < len(text); {
		if text[i] == '\\' { // of JSON: the letter after it belongs to no word
			i += 2
			continue
		}
		start := i
		for i < len(text) && isWord(text[i]) {
			i++
		}
		if start == i {
			i++
			continue
		}
		word := text[start:i]
		if !isName(word) || start > 0 && text[start-1] == '/' || i < len(text) && text[i] == '/' {
			continue
		}
		if name := wire(word); name != "" {
			b.WriteString(text[done:start])
			b.WriteString(name)
			done = i
		}
	}
	if done == 0 {
		return text
	}
	return b.String() + text[done:]
}

func isWord(c byte) bool {
	return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || c == '_' || c == '$'
}

// isName reports whether a word is written as names are: getPools, get_pools.
func isName(word string) bool {
	return strings.ContainsFunc(word[1:], func(r rune) bool { return r >= 'A' && r <= 'Z' || r == '_' }) &&
		strings.ToUpper(word) != word
}
