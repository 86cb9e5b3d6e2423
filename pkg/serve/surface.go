package serve

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"sync"

	"github.com/mark3labs/mcp-go/mcp"

	"github.com/flowmcp/fmcp/pkg/ordjson"
	"github.com/flowmcp/fmcp/pkg/serve/elicit"
	"github.com/flowmcp/fmcp/pkg/serve/listing"
	"github.com/flowmcp/fmcp/pkg/serve/skills"
	"github.com/flowmcp/fmcp/pkg/words"
)

// Contents are what a Surface is made of, in the order in which it is listed.
type Contents struct {
	Name         string // what the server calls itself
	Version      string
	Instructions string // shown to the model by some clients
	Tools        []listing.Tool
	Resources    []listing.Resource
	Prompts      []listing.Prompt
	Skills       *skills.Set // as the extension publishes them; nil for none
	Caller       Caller
	Asking       *elicit.Policy // when the user is asked for inputs; nil for never
	// Hidden says why something is not served that the catalog has, by its MCP name,
	// its ID or its address; nil for what it does not have. Nil hides nothing.
	Hidden func(name string) *words.Problem
	// Mark is another text once something else would be read at a URI, and "" where
	// that is not known. Without Mark no client can subscribe.
	Mark func(uri string) string

	// Own are listed before Tools. Of these Folded lists those only that are Always;
	// the others can be called all the same.
	Own    []OwnTool
	Folded bool

	maxPage int // longest page of a list, in bytes; set by tests
}

// Surface is what a Server serves at a time. It does not change: another takes
// its place, and the requests that came before finish with theirs.
type Surface struct {
	name, version, instructions string

	caller  Caller
	mark    func(uri string) string          // see Contents
	hidden  func(name string) *words.Problem // likewise
	lists   map[mcp.MCPMethod]*pages
	tools   map[string]*listing.Tool     // by MCP name
	own     map[string]*OwnTool          // those of the server itself, likewise
	prompts map[string]*listing.Prompt   // by ID
	uris    map[string]*listing.Resource // by the address without parameters
	paths   []*listing.Resource          // whose addresses name parameters

	templates map[string]string // IDs of queries, by the template of their addresses
	asking    *elicit.Policy
	skills    *skills.Set
	skillList func() *pages // made when it is asked for
	folded    bool          // see Contents
}

// NewSurface encodes the lists of what is served. Two tools of one name are an
// error (MCP021).
func NewSurface(c Contents) (*Surface, error) {
	s := &Surface{
		name: c.Name, version: c.Version, instructions: c.Instructions, caller: c.Caller, mark: c.Mark,
		asking:  c.Asking,
		folded:  c.Folded,
		hidden:  c.Hidden,
		tools:   make(map[string]*listing.Tool, len(c.Tools)),
		own:     make(map[string]*OwnTool, len(c.Own)),
		prompts: make(map[string]*listing.Prompt, len(c.Prompts)),
		uris:    make(map[string]*listing.Resource, len(c.Resources)), templates: map[string]string{},
	}
	listing.NameSiblings(c.Tools)
	var listed []*listing.Tool
	take := func(t *listing.Tool) error {
		if first, ok := s.tools[t.WireName]; ok {
			return fmt.Errorf("%s: the MCP name %q stands for both %s and %s; make the catalog again with "+
				"fmcp-resolve, which keeps names apart",
				CodeNameTaken, t.WireName, first.ID, t.ID)
		}
		s.tools[t.WireName] = t
		if c.Folded && !t.Always {
			t.Hold(nil)
			t.Structured = false // only what is listed with an outputSchema (decision "Structured content")
		} else {
			listed = append(listed, t)
		}
		return nil
	}
	for i := range c.Own {
		s.own[c.Own[i].Name] = &c.Own[i]
		if err := take(c.Own[i].tool()); err != nil {
			return nil, err
		}
	}
	for i := range c.Tools {
		if err := take(&c.Tools[i]); err != nil {
			return nil, err
		}
	}
	s.read(c.Resources)
	prompts := make([][]byte, len(c.Prompts))
	for i := range c.Prompts {
		s.prompts[c.Prompts[i].ID] = &c.Prompts[i]
		prompts[i] = c.Prompts[i].Listed
	}
	limit, tool := cmp.Or(c.maxPage, maxPage), func(i int) definition { return listed[i] }
	s.lists = map[mcp.MCPMethod]*pages{
		mcp.MethodToolsList:              newPages("tools", len(listed), tool, limit),
		mcp.MethodResourcesList:          fixedPages("resources", definitions(c.Resources, false), limit),
		mcp.MethodResourcesTemplatesList: fixedPages("resourceTemplates", definitions(c.Resources, true), limit),
		mcp.MethodPromptsList:            fixedPages("prompts", prompts, limit),
	}
	s.skills = c.Skills
	s.skillList = sync.OnceValue(func() *pages { return fixedPages("skills", s.skills.Entries(), limit) })
	return s, nil
}

// definitions are those of resources, or of templates.
func definitions(resources []listing.Resource, template bool) [][]byte {
	var list [][]byte
	for i := range resources {
		if (resources[i].Template != "") == template {
			list = append(list, resources[i].Listed)
		}
	}
	return list
}

// Listed are the tools that tools/list has, and the number of its pages.
func (s *Surface) Listed() (definitions []ordjson.Value, onPages int) {
	list := s.lists[mcp.MethodToolsList]
	for i := range list.first[len(list.cursor)] {
		d, _ := ordjson.Parse(string(list.at(i).Listed())) // it was made here, and is JSON
		definitions = append(definitions, d)
	}
	return definitions, len(list.cursor)
}

// read notes what can be read where.
func (s *Surface) read(resources []listing.Resource) {
	for i := range resources {
		r := &resources[i]
		s.uris[r.URI] = r
		if r.Path != nil {
			s.paths = append(s.paths, r)
		}
		if r.Template != "" {
			s.templates[r.Template] = r.ID
		}
	}
}

func (s *Surface) info() mcp.Implementation {
	return mcp.Implementation{Name: s.name, Version: s.version}
}

// capabilities are what a client is told that there is.
func (s *Server) capabilities(surface *Surface) (c mcp.ServerCapabilities) {
	reloads := s.opts.Reloads
	c.Tools = &struct {
		ListChanged bool `json:"listChanged,omitempty"`
	}{reloads}
	if completionFeature.in(surface) {
		c.Completions = &struct{}{}
	}
	if skillFeature.in(surface) {
		c.Extensions = map[string]any{skills.Extension: map[string]bool{"directoryRead": true}}
	}
	if resourceFeature.in(surface) {
		c.Resources = &struct {
			Subscribe   bool `json:"subscribe,omitempty"`
			ListChanged bool `json:"listChanged,omitempty"`
		}{surface.mark != nil, reloads}
	}
	if promptFeature.in(surface) {
		c.Prompts = &struct {
			ListChanged bool `json:"listChanged,omitempty"`
		}{reloads}
	}
	return c
}

// notServed is the error of asking for what the catalog has, and this server does
// not offer; nil for what is not there at all.
func (s *Surface) notServed(name string) *Error {
	if s.hidden == nil {
		return nil
	}
	p := s.hidden(name)
	if p == nil {
		return nil
	}
	return failure(mcp.INVALID_PARAMS, p.Code, "%s", p.Text())
}

// wireName is the MCP name of the tool that has a Spec-ID, "" for none.
func (s *Surface) wireName(id string) string {
	for wire, t := range s.tools {
		if t.ID == id {
			return wire
		}
	}
	return ""
}

// unknownTool is the error of a call of no tool. Users know tools by their
// Spec-ID and descriptions by the schema's own name, so that either leads to
// the MCP name.
func (s *Surface) unknownTool(name string) *Error {
	if err := s.notServed(name); err != nil {
		return err
	}
	hint := words.DidYouMean(name, slices.Sorted(maps.Keys(s.tools)))
	var wires []string
	for wire, t := range s.tools {
		if t.ID == name || t.Name == name {
			wires = append(wires, wire)
		}
	}
	if slices.Sort(wires); len(wires) > 0 {
		hint = " (did you mean " + words.QuoteList(wires) + "? tools are called by their MCP names)"
	}
	where := "tools/list has the names of all"
	if s.folded {
		where = searchFinds
	}
	return failure(mcp.INVALID_PARAMS, CodeUnknownTool, "there is no tool %s%s; %s",
		ordjson.Shown(ordjson.NewString(name)), hint, where)
}
