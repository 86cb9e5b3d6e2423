package engine

import (
	"strings"

	"github.com/flowmcp/fmcp/pkg/catalog"
	"github.com/flowmcp/fmcp/pkg/model"
	"github.com/flowmcp/fmcp/pkg/words"
)

// EachReference calls f for each reference of a text (chapters 12, 14 and 18),
// once for each way of writing it: as written, and at its place in the text.
func EachReference(text *model.Node, f func(ref model.Reference, written string, at *model.Node)) {
	EachPlaceholder(text, func(ph model.Placeholder, written string, at *model.Node) {
		if ref, ok := ph.Reference(); ok {
			f(ref, written, at)
		}
	})
}

// EachPlaceholder is EachReference for placeholders of all kinds.
func EachPlaceholder(n *model.Node, f func(ph model.Placeholder, written string, at *model.Node)) {
	seen := map[string]bool{}
	text := n.Str()
	for _, ph := range model.Placeholders(text) {
		if written := text[ph.Start:ph.End]; !seen[written] {
			seen[written] = true
			f(ph, shorten(written), n.In(ph.Start))
		}
	}
}

// shorten is quote for text that needs no quotes.
func shorten(s string) string {
	if strings.ContainsFunc(s, func(r rune) bool { return r < ' ' }) || len(s) > words.Shown {
		return Quote(s)
	}
	return s
}

// IsInputName matches ^[a-zA-Z][a-zA-Z0-9]*$ (PH003).
func IsInputName(s string) bool {
	return Each(s, func(c byte) bool { return isLower(c) || isUpper(c) }, IsAlnum)
}

// Mentions are what entries of requires, or placeholders, mean: a name, and a
// namespace where they give one.
type Mentions struct{ set model.NameSet }

func (m *Mentions) Add(namespace, name string) {
	m.set.Add(name)
	m.set.Add(namespace + "\n" + name)
}

// Has reports whether something was added that means the same: of one that
// gives no namespace, the name decides.
func (m *Mentions) Has(namespace, name string) bool {
	if namespace == "" {
		return m.set.Has(name)
	}
	return m.set.Has("\n"+name) || m.set.Has(namespace+"\n"+name)
}

// NamesOf are the namespace of an entry of requires, "" where it gives none, and
// its name.
func NamesOf(entry string) (namespace, name string) {
	if ns, _, full := strings.Cut(entry, "/"); full {
		namespace = ns
	}
	return namespace, catalog.LastPart(entry)
}
