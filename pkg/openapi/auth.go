package openapi

import (
	"fmt"
	"slices"
	"strings"

	"github.com/pb33f/libopenapi/datamodel/high/base"
	high "github.com/pb33f/libopenapi/datamodel/high/v3"

	"github.com/flowmcp/fmcp/pkg/model"
	"github.com/flowmcp/fmcp/pkg/scaffold"
	"github.com/flowmcp/fmcp/pkg/words"
)

// env is the environment variable of a key.
func (i *importer) env(name string) string { return scaffold.Variable(i.Namespace, name) }

// authorize adds the keys of the first way of authorization that there is a place for.
func (t *tool) authorize() bool {
	ways := t.ways()
	if len(ways) == 0 {
		return true
	}
	if slices.ContainsFunc(ways, func(w *base.SecurityRequirement) bool { return len(names(w)) == 0 }) {
		if len(ways) > 1 {
			t.changed(t.pointer("security"), t.name()+" is called without a key: its authorization is optional", "")
		}
		return true
	}
	why := ""
	for _, way := range ways {
		why = ""
		for _, name := range names(way) {
			if reason := unusable(t.imp.schemes[name]); reason != "" {
				why = "its authorization " + words.Quote(name) + " " + reason
			}
		}
		if why == "" {
			for _, name := range names(way) {
				t.addScheme(name, t.imp.schemes[name])
			}
			return true
		}
	}
	return t.refused(t.pointer("security"), why, "write a handler, or call it by other means")
}

// ways are those of authorization: the operation's own, or those of the document.
func (t *tool) ways() []*base.SecurityRequirement {
	if t.Security == nil && t.GoLow().Security.IsEmpty() {
		return t.imp.doc.model.Security
	}
	return t.Security
}

func names(way *base.SecurityRequirement) []string {
	if way == nil || way.Requirements == nil {
		return nil
	}
	return slices.Collect(way.Requirements.KeysFromOldest())
}

// unusable says why a scheme has no place in a request, "" where it has one.
func unusable(s *high.SecurityScheme) string {
	switch {
	case s == nil:
		return "is not in components.securitySchemes"
	case s.Type == "apiKey" && (s.In == "query" || s.In == "header" && model.IsHeaderName(s.Name)),
		s.Type == "oauth2", s.Type == "openIdConnect",
		s.Type == "http" && (strings.EqualFold(s.Scheme, "bearer") || strings.EqualFold(s.Scheme, "basic")):
		return ""
	case s.Type == "apiKey":
		return "is a key in a " + words.Quote(s.In) + ", where tools cannot send one"
	}
	return "is of the type " + words.Quote(strings.TrimSpace(s.Type+" "+s.Scheme)) + ", which cannot be sent"
}

// addScheme puts a key where the scheme has it.
func (t *tool) addScheme(name string, s *high.SecurityScheme) {
	value := t.addKey(t.imp.envs[name])
	switch {
	case s.Type == "apiKey" && s.In == "query":
		t.inputs = append(t.inputs, scaffold.Input{Name: s.Name,
			Param: scaffold.Param{Key: s.Name, Value: value, Location: model.Query}})
	case s.Type == "apiKey":
		t.addHeader(s.Name, value)
	case strings.EqualFold(s.Scheme, "basic"):
		t.addHeader("Authorization", "Basic "+value)
	default:
		t.addHeader("Authorization", "Bearer "+value)
	}
}

// nameKeys gives each scheme that can be used its environment variable.
func (i *importer) nameKeys() {
	c := i.doc.model.Components
	i.schemes, i.envs = map[string]*high.SecurityScheme{}, map[string]string{}
	if c == nil || c.SecuritySchemes == nil {
		return
	}
	taken := map[string]string{} // what a variable is sent as
	for name, s := range c.SecuritySchemes.FromOldest() {
		if i.schemes[name] = s; s == nil {
			continue
		}
		short, as := "token", "bearer"
		switch {
		case s.Type == "apiKey":
			short, as = strings.TrimPrefix(strings.ToLower(s.Name), "x-"), s.In+" "+s.Name
		case strings.EqualFold(s.Scheme, "basic"):
			short, as = "basic", "basic"
		}
		env := i.env(short)
		for n := 2; taken[env] != "" && taken[env] != as; n++ {
			env = fmt.Sprint(i.env(name), "_", n)
		}
		taken[env], i.envs[name] = as, env
	}
}

// keyNotes say what the user has to put into the environment.
func (i *importer) keyNotes(keys []string) []string {
	var notes []string
	for name, env := range i.envs {
		s := i.schemes[name]
		switch {
		case !slices.Contains(keys, env):
		case strings.EqualFold(s.Scheme, "basic"):
			notes = append(notes, env+" is the base64 of user:password")
		case s.Type == "oauth2" || s.Type == "openIdConnect":
			notes = append(notes, env+" is an access token, which you get elsewhere: fmcp does not run OAuth 2.0 flows")
		}
	}
	slices.Sort(notes)
	return slices.Compact(notes)
}
