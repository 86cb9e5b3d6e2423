package trim

import (
	"path/filepath"
	"slices"
	"strings"
	"unicode"

	"github.com/flowmcp/fmcp/pkg/catalog"
	"github.com/flowmcp/fmcp/pkg/grade"
	"github.com/flowmcp/fmcp/pkg/model"
	"github.com/flowmcp/fmcp/pkg/ordjson"
	"github.com/flowmcp/fmcp/pkg/record"
)

// Reference is a name of something that is removed, in a file that stays.
type Reference struct {
	ID      string // of what names it
	Path    string
	Pointer string
	Line    int
	To      string // Spec-ID
	Taken   bool   // it is taken out too

	mention bool // in the middle of a text that is for its author to rewrite
}

// scope is what names without a namespace mean in a folder, by "type:name" (chapters 12
// and 14).
type scope map[string]string

func (s scope) add(id catalog.ID) {
	if key := id.Type + ":" + id.Name; s[key] == "" {
		s[key] = id.String()
	}
}

// addScopes fills in those of all folders: a namespace offers what it defines, a
// selection or an agent what its manifest lists.
func (p *Plan) addScopes() {
	for _, l := range p.loads {
		s := p.scopes[p.dir(l)]
		if s == nil {
			s = scope{}
			p.scopes[p.dir(l)] = s
		}
		for _, c := range catalog.ContentPrompts(l) {
			p.contents[filepath.Join(filepath.Dir(l.Src.File()), filepath.FromSlash(c.File))] = c.ID.String()
		}
		for _, prim := range catalog.PrimitiveIDs(l) {
			s.add(prim.ID)
		}
		if l.Type != record.TypeAgent && l.Type != record.TypeSelection {
			continue
		}
		for _, part := range model.SelectionFields {
			for _, m := range (model.Agent{Node: model.Root(l.Data)}).Members(part.Field) {
				if id, err := catalog.ParsePrimitiveID(m.Ref); err == nil {
					s.add(id)
				}
			}
		}
	}
}

// meant is the Spec-ID that a name of a type means in a file.
func (p *Plan) meant(l *record.Load, typ, name string) string {
	switch strings.Count(name, "/") {
	case 0:
		return p.scopes[p.dir(l)][typ+":"+name]
	case 1:
		return strings.Replace(name, "/", "/"+typ+"/", 1)
	}
	return name
}

// follow finds what names things that are removed, and with Cascade what names that in
// turn, until nothing more is found.
func (p *Plan) follow() {
	for before := -1; before < len(p.gone); {
		before = len(p.gone)
		p.Named = nil
		for _, l := range p.loads {
			if f := p.files[l.Src.File()]; f == nil || f.Left == "" {
				p.followOne(l)
			}
		}
	}
}

func (p *Plan) followOne(l *record.Load) {
	c := &collector{p: p, load: l}
	root := model.Root(l.Data)
	switch l.Type {
	case record.TypeSchema:
		c.visit(root.At("prompts"))
	case record.TypeAgent, record.TypeSelection:
		c.files(root)
		c.visit(root)
	case record.TypeSkill, record.TypePrompt, record.TypeContent, record.TypeSkillMD:
		c.visit(root)
	}
	for _, r := range c.found {
		if p.opts.Cascade && !r.mention {
			r.Taken = p.cascade(l, r)
		}
		if p.gone[r.ID] == "" { // of what is removed itself, nobody needs to know more
			p.Named = append(p.Named, r)
		}
	}
	if f := p.files[l.Src.File()]; f != nil && p.opts.Cascade {
		f.takeTests(root)
		p.leaveEmpty(l, f)
	}
}

// cascade takes out what names something that is removed, and reports whether it did:
// a skill or a prompt as a whole, since its text was written for what it names; of a
// selection and an agent the member, and what a test expects.
func (p *Plan) cascade(l *record.Load, r Reference) bool {
	f := p.file(l)
	if id, err := catalog.ParsePrimitiveID(r.ID); err == nil && (id.Type == string(record.TypeSkill) ||
		id.Type == string(record.TypePrompt)) {
		if p.gone[r.ID] != "" {
			return true
		}
		why := "it names " + r.To + ", which is removed"
		p.gone[r.ID] = why
		p.remove(l, Removed{ID: r.ID, Path: f.Path, Pointer: pointerOf(l, r.ID), Why: why, Of: r.To})
		return true
	}
	keys := strings.Split(r.Pointer, "/")
	switch {
	case len(keys) < 3:
		return false
	case keys[1] == "tests" && len(keys) > 4 && keys[3] == "expectedTools",
		len(keys) == 3 && slices.Contains(memberFields, keys[1]):
		f.take(r.Pointer)
		return true
	}
	return false
}

// memberFields are those of selections and agents that have members.
var memberFields = []string{"tools", "skills", "resources", "prompts", "selections"}

// pointerOf is where a file has a primitive, "" where it is all of the file.
func pointerOf(l *record.Load, id string) string {
	for _, prim := range catalog.PrimitiveIDs(l) {
		if prim.ID.String() == id {
			return prim.Pointer
		}
	}
	return ""
}

// takeTests takes out the tests of an agent that expect no tool any more.
func (f *File) takeTests(agent *model.Node) {
	for _, t := range agent.At("tests").Items() {
		expected := t.At("expectedTools").Items()
		stays := func(e *model.Node) bool { return !f.takes(e.Pointer()) }
		if len(expected) > 0 && !slices.ContainsFunc(expected, stays) {
			f.take(t.Pointer())
		}
	}
}

// leaveEmpty leaves out an agent without tools, which could do nothing, and a selection
// without members, with the texts of its folder if that has no other.
func (p *Plan) leaveEmpty(l *record.Load, f *File) {
	fields, what := memberFields[:4], "member"
	switch l.Type {
	case record.TypeAgent:
		fields, what = append([]string{"selections"}, "tools"), "tool"
	case record.TypeSelection:
	default:
		return
	}
	had, left := 0, 0
	for _, field := range fields {
		for _, m := range (model.Agent{Node: model.Root(l.Data)}).Members(field) {
			if had++; !f.takes(m.Pointer()) {
				left++
			}
		}
	}
	if had == 0 || left > 0 || f.Left != "" {
		return
	}
	p.leave(f, "no "+what+" of it is left")
	for _, other := range p.loads {
		group := other.Type == record.TypeAgent || other.Type == record.TypeSelection
		if p.dir(other) == p.dir(l) && group && (p.files[other.Src.File()] == nil || p.file(other).Left == "") {
			return
		}
	}
	for _, other := range p.loads {
		if p.dir(other) == p.dir(l) {
			p.leave(p.file(other), l.ID+" is left out")
		}
	}
}

// collector finds the references of one file.
type collector struct {
	p     *Plan
	load  *record.Load
	found []Reference
}

// add notes that something names what is removed.
func (c *collector) add(n *model.Node, to string) {
	if c.p.gone[to] == "" {
		to = grade.PrimitiveOf(to) // a query goes with its resource
	}
	if c.p.gone[to] == "" {
		return
	}
	r := Reference{ID: c.owner(n.Pointer()), Path: c.load.Src.File(), Pointer: n.Pointer(), To: to}
	if r.ID != to && !slices.ContainsFunc(c.found, func(o Reference) bool {
		return o.Pointer == r.Pointer && o.To == to
	}) {
		r.Line, _ = c.load.Find().Value(r.Pointer)
		c.found = append(c.found, r)
	}
}

// owner is the Spec-ID of what a place in the file is a part of.
func (c *collector) owner(pointer string) string {
	for _, prim := range catalog.PrimitiveIDs(c.load) {
		if prim.Pointer != "" && strings.HasPrefix(pointer+"/", prim.Pointer+"/") {
			return prim.ID.String()
		}
	}
	if id := c.p.contents[c.load.Src.File()]; id != "" {
		return id
	}
	return c.load.ID
}

// files finds members of a manifest whose file is left out.
func (c *collector) files(root *model.Node) {
	for _, field := range []string{"skills", "prompts"} {
		for _, m := range (model.Agent{Node: root}).Members(field) {
			f := c.p.files[filepath.Join(filepath.Dir(c.load.Src.File()), filepath.FromSlash(m.File()))]
			if m.File() != "" && f != nil && f.Left != "" {
				for _, prim := range catalog.PrimitiveIDs(f.load) {
					c.add(m.Node, prim.ID.String())
				}
				c.add(m.Node, c.p.contents[f.Path])
			}
		}
	}
}

// visit goes through all keys and texts, which may be IDs, or have placeholders.
func (c *collector) visit(n *model.Node) {
	for _, f := range n.Fields() {
		c.add(f, f.Key())
		c.visit(f)
	}
	for _, e := range n.Items() {
		c.visit(e)
	}
	if n.Is(ordjson.String) {
		c.text(n)
		return
	}
	skill, prompt := model.Skill{Node: n}, model.Prompt{Node: n}
	c.names(catalog.TypeTool, skill.Requires("tools"), prompt.DependsOn(), skill.Prefill())
	c.names(catalog.TypeResource, skill.Requires("resources"))
	c.names(string(record.TypePrompt), prompt.References())
}

// names finds names without a namespace.
func (c *collector) names(typ string, lists ...[]*model.Node) {
	for _, n := range slices.Concat(lists...) {
		if !strings.Contains(n.Str(), "/") {
			c.add(n, c.p.meant(c.load, typ, n.Str()))
		}
	}
}

func (c *collector) text(n *model.Node) {
	c.add(n, n.Str())
	for _, ph := range model.Placeholders(n.Str()) {
		if ref, ok := ph.Reference(); ok && ref.Type != model.RefInput {
			name := ref.Name
			if ref.Namespace != "" {
				name = ref.ID()
			}
			c.add(n, c.p.meant(c.load, ref.IDType(), name))
		}
	}
	found := len(c.found)
	for _, word := range strings.FieldsFunc(n.Str(), betweenIDs) {
		c.add(n, strings.TrimRight(word, ".")) // it may end a sentence
	}
	for i := range c.found[found:] {
		c.found[found+i].mention = true
	}
}

// betweenIDs reports whether a character can be in no ID, URL or path.
func betweenIDs(r rune) bool {
	return !unicode.IsLetter(r) && !unicode.IsDigit(r) && !strings.ContainsRune("/-_.", r)
}
