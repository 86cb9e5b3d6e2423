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

// keyAsk is that a schema asks for a key.
type keyAsk struct {
	catalog.Ask
	schema *Asker
	domain string
}

// Asker is a schema that asks for keys.
type Asker struct {
	ID  string
	Src record.Source
}

// Asks are the server parameters that a schema asks for.
type Asks struct {
	Domain string // that they would go to, "" for none
	Keys   []catalog.Ask
}

// AsksOf are those of a schema. One without a root has nowhere to send a key. The
// texts are their own: those of the record are pieces of its line.
func AsksOf(l *record.Load) Asks {
	schema := model.NewSchema(l.Data)
	asks := Asks{Domain: strings.Clone(domain.OfRoot(schema.Get("root").Str()))}
	if asks.Domain == "" {
		return asks
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
			ask := catalog.Ask{Key: key, Declared: declared, At: catalog.At{Pointer: pointer}}
			ask.Line, ask.Col = places.Value(pointer)
			asks.Keys = append(asks.Keys, ask)
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
	return asks
}

// Add takes a schema.
func (k *KeyAsks) Add(l *record.Load) {
	k.AddAsks(Asker{ID: strings.Clone(l.ID), Src: l.Src.Clone()}, AsksOf(l))
}

// AddAsks takes what a schema asks for.
func (k *KeyAsks) AddAsks(schema Asker, asks Asks) {
	if k.byKey == nil {
		k.byKey = map[string][]keyAsk{}
	}
	for _, ask := range asks.Keys {
		k.byKey[ask.Key] = append(k.byKey[ask.Key], keyAsk{ask, &schema, asks.Domain})
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
	Schema    *Asker
	Line, Col int // of Pointer
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
			declared = declared || a.Declared
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
		list = append(list, SharedKey{Schema: odd.schema, Line: odd.Line, Col: odd.Col,
			Problem: words.Problem{Code: catalog.CodeSharedKey, Pointer: odd.Pointer,
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
