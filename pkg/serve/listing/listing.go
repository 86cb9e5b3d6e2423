// Package listing is what clients see of a catalog: the definitions of its tools,
// resources, prompts and skills, and what the instructions say of them. Answering
// requests is the affair of pkg/serve.
package listing

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"

	"github.com/flowmcp/fmcp/pkg/catalog"
	"github.com/flowmcp/fmcp/pkg/model"
	"github.com/flowmcp/fmcp/pkg/record"
	"github.com/flowmcp/fmcp/pkg/words"
)

// The codes of what is not listed.
const (
	CodeNotServable = "MCP020" // a record that cannot be served
	CodeHidden      = "MCP022" // tools hidden for want of server parameters
)

// Listing is what of a catalog is shown to clients.
type Listing struct {
	About     catalog.Catalog
	Tools     []Tool // in the order of the catalog; of a resource one for each query
	Resources []Resource
	Prompts   []Prompt // and skills

	size int // bytes of the definitions of Tools
}

// Style says what tools are listed with.
type Style struct {
	OutputSchemas bool // an outputSchema, where they declare an output
	MaxResult     int  // that of Options
}

// Of makes the definitions of a catalog's tools, resources and prompts. What
// cannot be served is passed to wrong and left out.
func Of(x *catalog.Index, style Style, wrong func(*record.Error)) (*Listing, error) {
	about, err := x.Catalog()
	if err != nil {
		return nil, err
	}
	l, from := &Listing{About: *about}, &source{index: x, style: style}
	ids := x.Of(record.TypeTool, record.TypeResource, record.TypeSkillMD, record.TypePrompt, record.TypeSkill)
	l.Tools = make([]Tool, 0, len(ids))
	for _, id := range ids {
		rec, err := x.Record(id)
		if err == nil {
			err = l.add(from, rec)
		}
		if err != nil {
			code := CodeNotServable
			if newer := (*record.NewerError)(nil); errors.As(err, &newer) {
				code = catalog.CodeNewer
			}
			wrong(&record.Error{Input: x.Place(id), Code: code, Message: err.Error()})
		}
	}
	return l, nil
}

func (l *Listing) add(from *source, rec catalog.Record) error {
	switch r := rec.(type) {
	case *catalog.Tool:
		t, err := newTool(r, from.style)
		if err != nil {
			return err
		}
		l.tools(from, t)
	case *catalog.Resource:
		tools, resources, err := newQueries(r, from.style)
		if err != nil {
			return err
		}
		l.tools(from, tools...)
		for _, one := range resources {
			if taken := l.stated(one); taken != "" {
				return fmt.Errorf("%s is not read at %s, which is the address of %s; state another uri", one.ID,
					one.URI, taken)
			}
			l.Resources = append(l.Resources, one)
		}
	case catalog.Delivered:
		l.Prompts = append(l.Prompts, newPrompt(from.index, r))
	case *catalog.SkillMD:
		for i := range r.Documents {
			if !slices.ContainsFunc(l.Resources, func(o Resource) bool { return o.URI == r.Documents[i].URI }) {
				l.Resources = append(l.Resources, newDocument(r, &r.Documents[i]))
			}
		}
	}
	return nil
}

// stated is the Spec-ID of what has the address that a schema states for r, "" for
// nothing.
func (l *Listing) stated(r Resource) string {
	if strings.HasPrefix(r.URI, model.URIScheme) {
		return ""
	}
	for i := range l.Resources {
		if l.Resources[i].URI == r.URI && l.Resources[i].ID != r.ID {
			return l.Resources[i].ID
		}
	}
	return ""
}

// Domains are the registrable domains of the tools that ask for a server
// parameter, by its name. All tools are at hand here: catalog.Index.Domains would
// read their records once more.
func (l *Listing) Domains() map[string][]string {
	domains := map[string][]string{}
	for _, t := range l.Tools {
		for _, key := range t.ServerParams {
			if !slices.Contains(domains[key], t.Domain) {
				domains[key] = append(domains[key], t.Domain)
			}
		}
	}
	return domains
}

// Visible splits tools into those whose server parameters are all there and
// those that could only fail, which are all tools of a schema that asks for a
// key (chapter 02). Order is kept. The first take the place of all: tools cannot be
// used any more.
func Visible(tools []Tool, haveKey HaveKey) (shown, hidden []Tool) {
	shown = slices.DeleteFunc(tools, func(t Tool) bool {
		lacks := missing(&t, haveKey) != nil
		if lacks {
			hidden = append(hidden, t)
		}
		return lacks
	})
	return shown, hidden
}

// HaveKey says whether there is a value of a key that may go to a domain.
type HaveKey func(domain, key string) bool

func missing(t *Tool, haveKey HaveKey) (keys []string) {
	for _, key := range t.ServerParams {
		if !haveKey(t.Domain, key) {
			keys = append(keys, key)
		}
	}
	return keys
}

// notedKeys is how many missing keys a note names.
const notedKeys = 20

// HiddenNote says in one line which keys hide how many tools of whom, the key
// that hides most first. It is "" where none is hidden.
func HiddenNote(hidden []Tool, haveKey HaveKey) string {
	if len(hidden) == 0 {
		return ""
	}
	return fmt.Sprintf("%s: %s hidden, server parameters are missing: %s; fmcp-exec keys says where to set them",
		CodeHidden, words.Count(len(hidden), "tool"), missingKeys(hidden, haveKey, math.MaxInt))
}

// missingKeys names the keys that hide tools in at most room bytes, and how many
// each hides.
func missingKeys(hidden []Tool, haveKey HaveKey, room int) string {
	count, of := map[string]int{}, map[string][]string{}
	for i := range hidden {
		namespace, _, _ := strings.Cut(hidden[i].ID, "/")
		for _, key := range missing(&hidden[i], haveKey) {
			count[key]++
			if !slices.Contains(of[key], namespace) {
				of[key] = append(of[key], namespace)
			}
		}
	}
	var b strings.Builder
	for i, key := range mostFirst(count) {
		entry := fmt.Sprintf(", %s (%s of %s)", key, words.Count(count[key], "tool"), words.List(of[key]))
		if i == notedKeys || b.Len()+len(entry) > room {
			fmt.Fprintf(&b, " and %d more", len(count)-i)
			break
		}
		b.WriteString(entry)
	}
	return strings.TrimPrefix(b.String(), ", ")
}

// mostFirst are the names that are counted, those with the most first.
func mostFirst(count map[string]int) []string {
	return slices.SortedFunc(maps.Keys(count), func(a, b string) int {
		return cmp.Or(cmp.Compare(count[b], count[a]), cmp.Compare(a, b))
	})
}
