package resolve

import (
	"path/filepath"
	"strings"

	"github.com/flowmcp/fmcp/pkg/catalog"
	"github.com/flowmcp/fmcp/pkg/model"
	"github.com/flowmcp/fmcp/pkg/ordjson"
	"github.com/flowmcp/fmcp/pkg/record"
	"github.com/flowmcp/fmcp/pkg/words"
)

// text is a prompt or a skill of a catalog.
type text struct {
	catalog.Record
	*catalog.Text
	id      catalog.ID
	of      *file
	pointer string
	node    *model.Node // of its object
	content string      // the file that the content is in, where that is another one
}

// addFileText adds what the file of a skill or a prompt defines, or a SKILL.md.
func (s *session) addFileText(c *draft, h *held) {
	if s.failed[h.src.File()] != nil {
		c.leftOut++
		return
	}
	t := &text{id: catalog.ID{Namespace: h.namespace(), Type: string(h.typ), Name: catalog.LastPart(h.id)},
		of: &h.file, node: model.Root(h.load.Data)}
	switch h.typ {
	case record.TypeSkillMD:
		s.addBundle(c, h.load)
	case record.TypeSkill:
		s.addSkill(c, t, h.load.Hashes)
	default:
		s.addPrompt(c, t, h.load.Hashes)
	}
}

// addPrompt adds a prompt whose content is beside its other fields, in a file of
// its own (contentFile), or all that there is.
func (s *session) addPrompt(c *draft, t *text, hashes record.Hashes) {
	n := t.node
	p := &catalog.Prompt{ContentFile: n.Get("contentFile").Str(), TestedWith: n.Get("testedWith").Str()}
	p.Hashes = hashes
	t.Record, t.Text = p, &p.Text
	p.Content = n.Get("content").Str()
	if n.Is(ordjson.String) {
		p.Content = n.Str()
	}
	if p.Content != "" {
		p.ContentFile = ""
	} else if p.ContentFile != "" {
		t.content = filepath.Join(filepath.Dir(t.of.src.File()), p.ContentFile)
		if s.failed[t.content] != nil {
			c.leftOut++
			return
		}
		p.Content = s.contentOf(t.content)
	}
	s.addText(c, t)
}

// contentOf is the content that a file exports, as such or in a prompt
// (decision "Prompt files").
func (s *session) contentOf(file string) string {
	l := s.contents[file]
	switch {
	case l == nil:
		return ""
	case l.Type == record.TypePrompt:
		return l.Data.Get("content").Str()
	}
	return l.Data.Str()
}

// addSkill adds a skill. Its node is the whole of its file, or an entry of the
// selection or the agent that has it written out.
func (s *session) addSkill(c *draft, t *text, hashes record.Hashes) {
	n := t.node
	skill := &catalog.Skill{WhenToUse: n.Get("whenToUse").Str(), Output: n.Get("output").Str(),
		External: record.StringsOf(n.At("requires").Get("external"))}
	skill.Content = n.Get("content").Str()
	for _, in := range (model.Skill{Node: n}).Inputs() {
		skill.Inputs = append(skill.Inputs, catalog.Input{
			Key: in.Get("key").Str(), Type: model.InputType(in.Get("type").Str()),
			Description: in.Get("description").Str(), Required: in.Get("required").True(),
			Values: record.StringsOf(in.Get("values")),
		})
	}
	skill.Hashes = hashes
	t.Record, t.Text = skill, &skill.Text
	s.addText(c, t)
}

// addText adds a text that has content, the first of an ID.
func (s *session) addText(c *draft, t *text) {
	if strings.TrimSpace(t.Content) == "" {
		c.leftOut++
		where := "the " + t.id.Type + " has no content"
		if t.content != "" {
			where = "its contentFile " + words.Quote(t.node.Get("contentFile").Str()) +
				" is not in the input, or exports no content"
		}
		s.report(record.SeverityError, t.id.String(), t.of.src, words.Problem{Code: catalog.CodeNoContent,
			Pointer: t.pointer, Message: where,
			Fix: "write content: `…`, or for a prompt of a provider a file with export const content = `…`"})
		return
	}
	if first := c.textByID[t.id]; first != nil && first.content == t.of.src.File() {
		return // the file is the content of the first
	}
	if !s.first(c, t.id.Type, t.id.String(), t.of, t.pointer) {
		c.leftOut++
		return
	}
	t.ID, t.Namespace, t.Name = t.id.String(), t.id.Namespace, t.id.Name
	t.Version, t.Description = t.node.Get("version").Str(), t.node.Get("description").Str()
	t.Src = catalog.Src{Path: t.of.src.Path, Pointer: t.pointer}
	c.texts, c.textByID[t.id] = append(c.texts, t), t
}

// resolve replaces the names of a text by what they mean in its scope.
func (t *text) resolve(scope *scope) {
	t.Scope = scope.Scope
	ids := func(n *model.Node, typ string) []string {
		var list []string
		for _, name := range record.StringsOf(n.Value) {
			list = append(list, scope.id(typ, name))
		}
		return list
	}
	switch r := t.Record.(type) {
	case *catalog.Prompt:
		r.DependsOn = ids(t.node.At("dependsOn"), catalog.TypeTool)
		r.References = ids(t.node.At("references"), string(record.TypePrompt))
	case *catalog.Skill:
		requires := t.node.At("requires")
		r.Tools = ids(requires.At("tools"), catalog.TypeTool)
		r.Resources = ids(requires.At("resources"), catalog.TypeResource)
		for _, tool := range (model.Skill{Node: t.node}).Prefill() {
			call := catalog.Prefill{Tool: scope.id(catalog.TypeTool, tool.Str())}
			if params := tool.Parent().Get("params"); params.Is(ordjson.Object) {
				call.Params = params
			}
			r.Prefill = append(r.Prefill, call)
		}
	}
	known := map[catalog.Name]bool{}
	for _, ph := range model.Placeholders(t.Content) {
		ref, ok := ph.Reference()
		if !ok || ref.Namespace != "" || ref.Type == model.RefInput {
			continue
		}
		if name := (catalog.Name{Type: ref.IDType(), Name: ref.Name}); !known[name] {
			known[name] = true
			if name.ID = scope.ids[name.Type+":"+name.Name]; name.ID != "" {
				t.Names = append(t.Names, name)
			}
		}
	}
}
