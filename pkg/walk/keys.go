package walk

import (
	"cmp"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/flowmcp/fmcp/pkg/catalog"
	"github.com/flowmcp/fmcp/pkg/domain"
	"github.com/flowmcp/fmcp/pkg/model"
	"github.com/flowmcp/fmcp/pkg/ordjson"
	"github.com/flowmcp/fmcp/pkg/record"
	"github.com/flowmcp/fmcp/pkg/words"
)

// KeyAsks gathers which schemas ask for which server parameters. The zero
// KeyAsks is empty.
type KeyAsks struct {
	byKey map[string][]keyAsk
}

// keyAsk is that a schema asks for a key. Of the schema there is no data, which
// would be that of the whole catalog.
type keyAsk struct {
	schema    *record.Load
	domain    string
	pointer   string
	line, col int // of the pointer
	declared  bool
}

// Add takes a schema. One without a root has nowhere to send a key.
func (k *KeyAsks) Add(l *record.Load) {
	schema := model.NewSchema(l.Data)
	// With texts of its own: those of the record are pieces of its line.
	ask := keyAsk{schema: &record.Load{Type: record.TypeSchema, ID: strings.Clone(l.ID), Src: l.Src.Clone()},
		domain: strings.Clone(domain.OfRoot(schema.Get("root").Str()))}
	if ask.domain == "" {
		return
	}
	if k.byKey == nil {
		k.byKey = map[string][]keyAsk{}
	}
	var keys model.NameSet
	var places *record.Finder
	add := func(key, pointer string, declared bool) {
		if !keys.Has(key) {
			key = strings.Clone(key)
			keys.Add(key)
			if places == nil {
				places = l.Find()
			}
			ask.pointer, ask.declared = pointer, declared
			ask.line, ask.col = places.Value(pointer)
			k.byKey[key] = append(k.byKey[key], ask)
		}
	}
	for i, key := range schema.RequiredServerParams() {
		add(key, "/requiredServerParams/"+strconv.Itoa(i), true)
	}
	for _, t := range schema.Tools() {
		if t.Is(ordjson.Object) {
			for _, key := range schema.ServerParams(t, t.Parameters(nil), schema.Headers(t)) {
				add(key, "/root", false)
			}
		}
	}
}

// Remove takes back what a file asks for.
func (k *KeyAsks) Remove(file string) {
	for key, asks := range k.byKey {
		k.byKey[key] = slices.DeleteFunc(asks, func(a keyAsk) bool { return a.schema.Src.File() == file })
	}
}

// SharedKey is a key that schemas of several registrable domains ask for, at the
// schema of those that is most likely the one too many.
type SharedKey struct {
	words.Problem
	Schema    *record.Load // without its data
	Line, Col int          // of Pointer
}

// Shared are the keys that schemas of several domains ask for, in order. One
// that no schema declares is none that a user could have (CMP002 reports it).
func (k *KeyAsks) Shared() []SharedKey {
	var list []SharedKey
	for _, key := range slices.Sorted(maps.Keys(k.byKey)) {
		byDomain := map[string][]keyAsk{}
		declared := false
		asks := slices.Clone(k.byKey[key])
		slices.SortStableFunc(asks, func(a, b keyAsk) int { // whatever the order in which they came
			return cmp.Compare(a.schema.Src.File(), b.schema.Src.File())
		})
		for _, a := range asks {
			byDomain[a.domain] = append(byDomain[a.domain], a)
			declared = declared || a.declared
		}
		if len(byDomain) < 2 || !declared {
			continue
		}
		// Most schemas first: the last domain is the one that stands out.
		domains := slices.SortedFunc(maps.Keys(byDomain), func(a, b string) int {
			return cmp.Or(cmp.Compare(len(byDomain[b]), len(byDomain[a])), cmp.Compare(a, b))
		})
		odd := byDomain[domains[len(domains)-1]][0]
		var texts []string
		for _, d := range domains {
			texts = append(texts, d+" ("+schemasText(byDomain[d])+")")
		}
		list = append(list, SharedKey{Schema: odd.schema, Line: odd.line, Col: odd.col,
			Problem: words.Problem{Code: catalog.CodeSharedKey, Pointer: odd.pointer,
				Message: key + " is asked for by schemas of " + strconv.Itoa(len(domains)) +
					" registrable domains, and goes to none before it is bound: " + words.List(texts),
				Fix: "write " + key + "@" + domains[0] +
					"=… into the env file if the key is that provider's, or else its own domain; in schemas of other " +
					"providers, rename the key",
			}})
	}
	return list
}

// shownSchemas is how many schemas of a domain a message names.
const shownSchemas = 3

func schemasText(asks []keyAsk) string {
	var ids []string
	for _, a := range asks[:min(shownSchemas, len(asks))] {
		ids = append(ids, a.schema.ID)
	}
	text := strings.Join(ids, ", ")
	if more := len(asks) - len(ids); more > 0 {
		text += " and " + strconv.Itoa(more) + " more"
	}
	return text
}
