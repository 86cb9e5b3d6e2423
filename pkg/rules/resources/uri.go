package resources

import (
	"net/url"
	"slices"
	"strings"

	"github.com/flowmcp/fmcp/pkg/model"
	"github.com/flowmcp/fmcp/pkg/ordjson"
	"github.com/flowmcp/fmcp/pkg/rules/engine"
	"github.com/flowmcp/fmcp/pkg/words"
)

// takenSchemes are those of addresses that stand for something else: of other
// resources, of skills, of what clients open themselves.
var takenSchemes = []string{"flowmcp", "resource", "skill", "http", "https", "file", "data"}

// checkURI checks the addresses that a schema states itself (decision "Addresses of
// resources").
func checkURI(p *engine.Pass) {
	for i := range p.Resources {
		r := &p.Resources[i]
		checkAddress(p, r.At("uri"), nil)
		for j := range r.Views {
			q := &r.Views[j]
			var keys []string
			for _, param := range q.Parameters(p.Declared) {
				keys = append(keys, param.Key)
			}
			checkAddress(p, q.At("uri"), keys)
		}
	}
}

// checkAddress checks one; keys are the parameters that it may name.
func checkAddress(p *engine.Pass, at *model.Node, keys []string) {
	if !at.Exists() {
		return
	}
	fix := "write an address such as 'weather://stations'"
	wrong := func(what string) { p.Report(at, engine.Found(at.Value)+", expected "+what, fix) }
	if !at.Is(ordjson.String) || at.Str() == "" {
		wrong("an address")
		return
	}
	named, plain, ok := model.AddressParameters(at.Str())
	u, err := url.Parse(plain)
	switch {
	case !ok:
		wrong("{name} for each parameter in it")
	case err != nil || u.Scheme == "" || u.Host+u.Path+u.Opaque == "":
		wrong("an absolute address, a scheme and what follows it")
	case slices.Contains(takenSchemes, strings.ToLower(u.Scheme)):
		if strings.HasPrefix(u.Scheme, "http") {
			fix += "; the address that an http resource is downloaded from is its url"
		}
		wrong("a scheme that is not reserved; " + u.Scheme + " stands for something else")
	case u.RawQuery != "" || u.Fragment != "" || strings.ContainsAny(plain, "?#"):
		wrong("no ? and no #: parameters that the address does not name come after ?")
	}
	for i, key := range named {
		switch {
		case slices.Index(named, key) != i:
			p.Report(at, words.Quote(key)+" is in the address twice", "name each parameter once")
		case !slices.Contains(keys, key):
			p.Report(at, words.Quote(key)+" is no parameter of a query"+words.DidYouMean(key, keys),
				"name a parameter, or leave the braces out")
		}
	}
}
