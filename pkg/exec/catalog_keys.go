package exec

import (
	"bytes"
	"cmp"
	"slices"
	"strings"
)

// Domains are the registrable domains of the tools that ask for a server
// parameter, in order. Only records that may name it are parsed, as long as few
// keys are asked about: an escape may hide a name from whoever looks at the text.
func (c *Catalog) Domains(key string) []string {
	c.mu.Lock()
	domains, ok := c.domains[key]
	many, all := len(c.domains) >= manyKeys, c.allKeys
	c.mu.Unlock()
	if ok || all {
		return domains
	}
	if many {
		return c.indexKeys()[key]
	}
	for id, line := range c.lines {
		if c.isRes[id] || !bytes.Contains(line, []byte(key)) && !bytes.Contains(line, []byte(`\u`)) {
			continue
		}
		if t, err := c.Tool(id); err == nil && slices.Contains(t.ServerParams, key) {
			domains = append(domains, t.Domain)
		}
	}
	slices.Sort(domains)
	domains = slices.Compact(domains)
	c.mu.Lock()
	defer c.mu.Unlock()
	c.domains[key] = domains
	return domains
}

// Asked are the server parameters that the tools ask for, in order of name and
// domain.
func (c *Catalog) Asked() []AskedKey {
	byKey := map[[2]string]*AskedKey{}
	for _, id := range c.ids {
		t, err := c.Tool(id)
		if err != nil {
			continue // a call of it says why
		}
		for _, key := range t.ServerParams {
			at := [2]string{key, t.Domain}
			if byKey[at] == nil {
				byKey[at] = &AskedKey{Key: key, Domain: t.Domain}
			}
			byKey[at].Tools = append(byKey[at].Tools, t.ID)
		}
	}
	var list []AskedKey
	for _, a := range byKey {
		list = append(list, *a)
	}
	slices.SortFunc(list, func(a, b AskedKey) int {
		return cmp.Or(strings.Compare(a.Key, b.Key), strings.Compare(a.Domain, b.Domain))
	})
	return list
}

// AskedKey is a server parameter that tools of a registrable domain ask for.
type AskedKey struct {
	Key, Domain string
	Tools       []string // Spec-IDs
}

// manyKeys is for how many keys the lines are looked through, one after the other.
const manyKeys = 32

// indexKeys finds the domains of all keys at once.
func (c *Catalog) indexKeys() map[string][]string {
	index := map[string][]string{}
	for _, a := range c.Asked() {
		index[a.Key] = append(index[a.Key], a.Domain)
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.domains, c.allKeys = index, true
	return index
}
