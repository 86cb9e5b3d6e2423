package engine

import (
	"strconv"
	"strings"

	"github.com/flowmcp/fmcp/pkg/model"
	"github.com/flowmcp/fmcp/pkg/words"
)

// EachReference calls f for each reference of a text (chapters 12, 14 and 18),
// once for each way of writing it; at is the placeholder as written and where
// it stands.
func EachReference(text string, f func(ref model.Reference, at string)) {
	EachPlaceholder(text, func(ph model.Placeholder, at string) {
		if ref, ok := ph.Reference(); ok {
			f(ref, at)
		}
	})
}

func EachPlaceholder(text string, f func(ph model.Placeholder, at string)) {
	seen := map[string]bool{}
	lines := strings.Contains(text, "\n")
	line, from := 1, 0 // counted on the way: a text may hold a placeholder in each of its lines
	for _, ph := range model.Placeholders(text) {
		if lines {
			line += strings.Count(text[from:ph.Start], "\n")
			from = ph.Start
		}
		written := text[ph.Start:ph.End]
		if seen[written] {
			continue
		}
		seen[written] = true
		at := shorten(written)
		if lines {
			at += " on line " + strconv.Itoa(line) + " of the text"
		}
		f(ph, at)
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
	return namespace, LastPart(entry)
}

func LastPart(id string) string { return id[strings.LastIndexByte(id, '/')+1:] }
