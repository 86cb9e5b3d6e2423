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
	families := map[string]map[string]string{} // wire names by name; "" where two tools have it
	for i := range tools {
		for _, family := range tools[i].families {
			if families[family] == nil {
				families[family] = map[string]string{}
			}
			if _, known := families[family][tools[i].Name]; known {
				families[family][tools[i].Name] = ""
			} else {
				families[family][tools[i].Name] = tools[i].WireName
			}
		}
	}
	for i := range tools {
		t := &tools[i]
		wire := func(word string) string {
			if word == t.Name {
				return "" // it is the title, too
			}
			for _, family := range t.families {
				if name := families[family][word]; name != "" {
					return name
				}
			}
			return ""
		}
		if text := string(t.Listed); renamed(text, wire) != text {
			t.Listed = renamedDefinition(t.Definition(), wire)
		}
	}
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
