package rules

import (
	"strings"

	"github.com/flowmcp/fmcp/pkg/catalog"
	"github.com/flowmcp/fmcp/pkg/model"
	"github.com/flowmcp/fmcp/pkg/ordjson"
	"github.com/flowmcp/fmcp/pkg/record"
)

// The checks of skillRules (skl.go) about what a skill refers to.

// typeResource is the type in the ID of a resource (chapter 16).
const typeResource = "resource"

// checkRequires checks the entries of requires.tools or requires.resources,
// typ being what they must be.
func checkRequires(typ string) func(*Pass) {
	field := typ + "s"
	example := "write requires: { " + field + ": [ '" + typ + "Name' ] }"
	return func(p *Pass) {
		if !p.root.Get("requires").Exists() {
			return
		}
		at := p.root.At("requires")
		switch {
		case !at.Is(ordjson.Object):
			if typ == typeTool {
				p.report(at, found(at.Value)+", expected an object", "write requires: { tools: [ … ], resources: [ … ] }")
			}
			return
		case !at.Get(field).Exists():
			if misspelt(at.Value, field, requiresFields) != "" {
				p.expect(at, field, requiresFields, "an array of strings", "")
			}
			return
		}
		p.arrayOfStrings(at.At(field), example)
		s := p.scope()
		for _, n := range p.skill().Requires(field) {
			p.resolve(n, s, typ)
		}
	}
}

// resolve reports that n names no primitive of the type: by its name alone,
// which the scope has to offer, or by its Spec-ID.
func (p *Pass) resolve(n *model.Node, s *scope, typ string) {
	text := n.Str()
	if !strings.Contains(text, "/") {
		if s.known() && !s.has(typ, text) {
			p.report(n, "found "+quote(text)+", which is no "+typ+" of "+s.String(), p.didYouMean(text, p.ids().candidates(s.names(typ)), "use the name of a "+typ+", or its ID: namespace/"+typ+"/name"))
		}
		return
	}
	p.reference(n, text, typ)
}

// checkListed reports placeholders of the type whose name requires does not
// list. Names with a namespace are PH002's.
func checkListed(typ string) func(*Pass) {
	return func(p *Pass) {
		skill := p.skill()
		listed := &model.NameSet{}
		for _, n := range skill.Requires(typ + "s") {
			listed.Add(lastPart(n.Str()))
		}
		eachReference(skill.Content(), func(ref model.Reference, at string) {
			if ref.Type != typ || ref.Namespace != "" || ref.Name == "" || listed.Has(ref.Name) {
				return
			}
			p.report(skill.At("content"), "found "+at+", which requires."+typ+"s does not list",
				p.didYouMean(ref.Name, listed.List, "add '"+ref.Name+"' to requires."+typ+"s"))
		})
	}
}

// checkUsed reports entries of requires that the content never refers to. A
// tool that is called beforehand is referred to by its result (chapter 18).
func checkUsed(typ string) func(*Pass) {
	return func(p *Pass) {
		skill := p.skill()
		if skill.Content() == "" {
			return // SKL010
		}
		used := &mentions{}
		eachReference(skill.Content(), func(ref model.Reference, _ string) {
			if ref.Type == typ || ref.Type == model.RefPrefill && typ == typeTool {
				used.add(ref.Namespace, ref.Name)
			}
		})
		for _, n := range skill.Requires(typ + "s") {
			if !used.has(namesOf(n.Str())) {
				p.report(n, "found "+quote(n.Str())+", which content never refers to", "write {{"+typ+":"+reference(n.Str())+"}} where content speaks about it, or remove the entry")
			}
		}
	}
}

// mentions are what entries of requires, or placeholders, mean: a name, and a
// namespace where they give one.
type mentions struct{ set model.NameSet }

func (m *mentions) add(namespace, name string) {
	m.set.Add(name)
	m.set.Add(namespace + "\n" + name)
}

// has reports whether something was added that means the same: of one that
// gives no namespace, the name decides.
func (m *mentions) has(namespace, name string) bool {
	if namespace == "" {
		return m.set.Has(name)
	}
	return m.set.Has("\n"+name) || m.set.Has(namespace+"\n"+name)
}

// namesOf are the namespace of an entry of requires, "" where it gives none, and
// its name.
func namesOf(entry string) (namespace, name string) {
	if ns, _, full := strings.Cut(entry, "/"); full {
		namespace = ns
	}
	return namespace, lastPart(entry)
}

// reference is an ID, or a name, as a placeholder has it.
func reference(entry string) string {
	if id, err := catalog.ParsePrimitiveID(entry); err == nil {
		return id.Namespace + "/" + id.Name
	}
	return entry
}

func lastPart(id string) string { return id[strings.LastIndexByte(id, '/')+1:] }

// eachSkillReference calls f for each {{skill:name}} of the content.
func (p *Pass) eachSkillReference(s *scope, f func(name, at string, own bool)) {
	eachReference(p.skill().Content(), func(ref model.Reference, at string) {
		if ref.Type == string(record.TypeSkill) && ref.Name != "" {
			f(ref.Name, at, ref.Namespace == "" || ref.Namespace == s.name)
		}
	})
}

func checkSkillRegistered(p *Pass) {
	s := p.scope()
	if !s.known() {
		return
	}
	p.eachSkillReference(s, func(name, at string, own bool) {
		content := p.root.At("content")
		switch {
		case !own:
			p.report(content, "found "+at+", expected a skill of "+s.String()+", written without a namespace", "write the steps here, or put both skills into one scope")
		case !s.has(string(record.TypeSkill), name):
			fix := "add the skill to skills of " + s.String()
			if s.folder == "providers" {
				fix = "add " + s.dir + "/skills/" + name + ".mjs"
			}
			p.report(content, "found "+at+", which is no skill of "+s.String(), p.didYouMean(name, p.ids().candidates(s.names(string(record.TypeSkill))), fix))
		}
	})
}

func checkSkillDepth(p *Pass) {
	s := p.scope()
	if !s.known() {
		return
	}
	p.eachSkillReference(s, func(name, at string, own bool) {
		if !own || !s.has(string(record.TypeSkill), name) {
			return // SKL022
		}
		if next := s.nested(name); next != "" {
			p.report(p.root.At("content"), "found "+at+", a skill that refers to a skill itself, "+next+"; expected one level",
				"refer to the skill that holds the steps, or write them here")
		}
	})
}
