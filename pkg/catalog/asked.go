package catalog

import (
	"bytes"
	"cmp"
	"slices"
	"strings"

	"github.com/flowmcp/fmcp/pkg/domain"
	"github.com/flowmcp/fmcp/pkg/record"
)

// Asked is a server parameter that tools of a registrable domain ask for.
type Asked struct {
	Key, Domain string
	Tools       []string // Spec-IDs
}

// Asked are the server parameters that the tools ask for, in order of name and
// domain. A tool that cannot be read asks for none: a call of it says why.
func (x *Index) Asked() []Asked {
	byKey := map[[2]string]*Asked{}
	for _, id := range x.Of(record.TypeTool) {
		t, err := x.Tool(id)
		if err != nil {
			continue
		}
		for _, key := range t.ServerKeys() {
			at := [2]string{key, domain.OfRoot(t.Root)}
			if byKey[at] == nil { // copies: else they would hold the record in memory
				at = [2]string{strings.Clone(at[0]), strings.Clone(at[1])}
				byKey[at] = &Asked{Key: at[0], Domain: at[1]}
			}
			byKey[at].Tools = append(byKey[at].Tools, id)
		}
	}
	var list []Asked
	for _, a := range byKey {
		list = append(list, *a)
	}
	slices.SortFunc(list, func(a, b Asked) int {
		return cmp.Or(strings.Compare(a.Key, b.Key), strings.Compare(a.Domain, b.Domain))
	})
	return list
}

// manyKeys is for how many keys the lines are looked through, one key after the
// other, before the keys of all tools are read.
const manyKeys = 32

// Domains are the registrable domains of the tools that ask for a server
// parameter, in order. Only records that may name it are read, as long as few
// keys are asked about: an escape may hide a name in the text.
func (x *Index) Domains(key string) []string {
	x.mu.Lock()
	defer x.mu.Unlock()
	domains, ok := x.domains[key]
	switch {
	case ok || x.allKeys:
		return domains
	case len(x.domains) >= manyKeys:
		x.domains, x.allKeys = map[string][]string{}, true
		for _, a := range x.Asked() {
			x.domains[a.Key] = append(x.domains[a.Key], a.Domain)
		}
		return x.domains[key]
	}
	var text []byte
	for at, l := range x.lines {
		if l.typ != record.TypeTool {
			continue
		}
		var err error
		text, err = x.text(at, text)
		if named := bytes.Contains(text, []byte(key)) || bytes.Contains(text, []byte(`\u`)); err != nil || !named {
			continue
		}
		if t, err := x.Tool(l.id); err == nil && slices.Contains(t.ServerKeys(), key) {
			domains = append(domains, strings.Clone(domain.OfRoot(t.Root)))
		}
	}
	slices.Sort(domains)
	x.domains[strings.Clone(key)] = slices.Compact(domains)
	return x.domains[key]
}
