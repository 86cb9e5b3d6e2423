package skills

import (
	"github.com/flowmcp/fmcp/pkg/catalog"
	"github.com/flowmcp/fmcp/pkg/edit"
	"github.com/flowmcp/fmcp/pkg/model"
	"github.com/flowmcp/fmcp/pkg/ordjson"
	"github.com/flowmcp/fmcp/pkg/record"
	"github.com/flowmcp/fmcp/pkg/rules/engine"
)

// checkRequires checks the entries of requires.tools or requires.resources,
// typ being what they must be.
func checkRequires(typ string) func(*engine.Pass) {
	return func(p *engine.Pass) {
		s := p.Scope()
		for _, n := range skill(p).Requires(typ + "s") {
			p.Resolve(n, s, typ)
		}
	}
}

// checkListed reports placeholders of the type whose name requires does not
// list. Names with a namespace, and those that the scope does not have, are
// PH002's.
func checkListed(typ string) func(*engine.Pass) {
	return func(p *engine.Pass) {
		skill, s := skill(p), p.Scope()
		listed := &model.NameSet{}
		for _, n := range skill.Requires(typ + "s") {
			listed.Add(catalog.LastPart(n.Str()))
		}
		engine.EachReference(skill.At("content"), func(ref model.Reference, written string, at *model.Node) {
			if ref.Type != typ || ref.Namespace != "" || ref.Name == "" || listed.Has(ref.Name) ||
				s.Known() && !s.Has(typ, ref.Name) {
				return
			}
			found := p.Report(at, "found "+written+", which requires."+typ+"s does not list",
				p.DidYouMean(ref.Name, listed.List, "add '"+ref.Name+"' to requires."+typ+"s"))
			if s.Known() && skill.Get("requires").Get(typ+"s").Is(ordjson.Array) {
				found.Fixed(true, edit.Append("/requires/"+typ+"s", ordjson.NewString(ref.Name)))
			}
		})
	}
}

// checkUsed reports entries of requires that the content never refers to. A
// tool that is called beforehand is referred to by its result (chapter 18).
func checkUsed(typ string) func(*engine.Pass) {
	return func(p *engine.Pass) {
		skill := skill(p)
		if skill.Content() == "" {
			return // SKL010
		}
		used := &engine.Mentions{}
		engine.EachReference(skill.At("content"), func(ref model.Reference, _ string, _ *model.Node) {
			if ref.IDType() == typ {
				used.Add(ref.Namespace, ref.Name)
			}
		})
		for _, n := range skill.Requires(typ + "s") {
			if !used.Has(engine.NamesOf(n.Str())) {
				p.Report(n, "found "+engine.Quote(n.Str())+", which content never refers to",
					"write {{"+typ+":"+reference(n.Str())+"}} where content speaks about it, or remove the entry")
			}
		}
	}
}

// reference is an ID, or a name, as a placeholder has it.
func reference(entry string) string {
	if id, err := catalog.ParsePrimitiveID(entry); err == nil {
		return id.Namespace + "/" + id.Name
	}
	return entry
}

// eachSkillReference calls f for each {{skill:name}} of the content.
func eachSkillReference(p *engine.Pass, s *engine.Scope, f func(name, written string, at *model.Node, own bool)) {
	engine.EachReference(skill(p).At("content"), func(ref model.Reference, written string, at *model.Node) {
		if ref.Type == string(record.TypeSkill) && ref.Name != "" {
			f(ref.Name, written, at, ref.Namespace == "" || ref.Namespace == s.Name)
		}
	})
}

func checkSkillRegistered(p *engine.Pass) {
	s := p.Scope()
	if !s.Known() {
		return
	}
	eachSkillReference(p, s, func(name, written string, at *model.Node, own bool) {
		switch {
		case !own:
			fix := "copy the skill to " + s.Dir + "/skills/" + name + ".mjs and write {{skill:" + name + "}}"
			if s.Has(string(record.TypeSkill), name) {
				fix = "write {{skill:" + name + "}}"
			}
			p.Report(at, "found "+written+", a skill of another namespace; a skill refers to those of "+s.String(), fix)
		case !s.Has(string(record.TypeSkill), name):
			fix := "write '" + name + "': { file: './skills/" + name + ".mjs' } into skills of " + s.String()
			if s.Folder == "providers" {
				fix = "add " + s.Dir + "/skills/" + name + ".mjs"
			}
			p.Report(at, "found "+written+", which is not a skill of "+s.String(),
				p.DidYouMean(name, s.Names(string(record.TypeSkill)), fix))
		}
	})
}

func checkSkillDepth(p *engine.Pass) {
	s := p.Scope()
	if !s.Known() {
		return
	}
	eachSkillReference(p, s, func(name, written string, at *model.Node, own bool) {
		if !own || !s.Has(string(record.TypeSkill), name) {
			return // SKL022
		}
		if next := s.Nested(name); next != "" {
			p.Report(at,
				"found "+written+", a skill that refers to a skill itself, "+next+"; expected one level",
				"refer to the skill that holds the steps, or write them here")
		}
	})
}
