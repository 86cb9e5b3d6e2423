package prompts

import (
	"slices"
	"strings"

	"github.com/flowmcp/fmcp/pkg/catalog"
	"github.com/flowmcp/fmcp/pkg/model"
	"github.com/flowmcp/fmcp/pkg/ordjson"
	"github.com/flowmcp/fmcp/pkg/record"
	"github.com/flowmcp/fmcp/pkg/rules/engine"
	"github.com/flowmcp/fmcp/pkg/sharedlist"
	"github.com/flowmcp/fmcp/pkg/words"
)

// The checks of PH001–PH004 and PRM009.

// content is the text of a skill, a prompt or a content file.
func content(p *engine.Pass) *model.Node {
	if p.Root.Is(ordjson.Object) {
		return p.Root.At("content")
	}
	return p.Root
}

func checkPlaceholderEmpty(p *engine.Pass) {
	engine.EachReference(content(p), func(ref model.Reference, written string, at *model.Node) {
		if ref.Name == "" {
			p.Report(at, "found "+written+", expected a name after the colon",
				"write {{"+ref.Type+":name}}, or the text itself")
		}
	})
}

func checkPlaceholderInput(p *engine.Pass) {
	engine.EachReference(content(p), func(ref model.Reference, written string, at *model.Node) {
		inputName(p, at, ref, written)
	})
	if !p.Root.Is(ordjson.Object) {
		return
	}
	skill := model.Skill{Node: p.Root}
	keys := model.NamesOf(skill.InputKeys())
	for _, entry := range skill.At("prefill").Items() {
		for _, n := range entry.At("params").Fields() {
			engine.EachReference(n, func(ref model.Reference, written string, at *model.Node) {
				if ref.Type == model.RefInput && engine.IsInputName(ref.Name) && !keys.Has(ref.Name) {
					p.Report(at, "found "+written+", which input does not declare",
						p.DidYouMean(ref.Name, keys.List, "add an entry with key: '"+ref.Name+"' to input"))
				}
				inputName(p, at, ref, written)
			})
		}
	}
}

// inputName reports an {{input:key}} whose key is not a name; PH001 says so if
// there is none.
func inputName(p *engine.Pass, at *model.Node, ref model.Reference, written string) {
	if ref.Type != model.RefInput || ref.Name == "" || engine.IsInputName(ref.Name) {
		return
	}
	fix := "use letters and digits, a letter first"
	if name := engine.ToCamel(ref.Name); name != "" {
		fix = "write {{input:" + name + "}}"
	}
	p.Report(at, "found "+written+", expected a key of letters and digits, a letter first", fix)
}

// checkPlaceholderReference is PH002. Skills are SKL022's, inputs SKL008's.
func checkPlaceholderReference(p *engine.Pass) {
	s := p.Scope()
	var declared []string
	skill := model.Skill{Node: p.Root}
	for _, tool := range skill.Prefill() {
		declared = append(declared, tool.Str())
		if typ := engine.TypeOfPrefill(tool.Str()); strings.Contains(tool.Str(), "/") { // else SKL029
			p.Reference(tool, tool.Str(), typ)
		}
	}
	engine.EachPlaceholder(content(p), func(ph model.Placeholder, written string, at *model.Node) {
		ref, ok := ph.Reference()
		switch {
		case !ok:
			listValue(p, at, ph, written)
		// PH001, SKL008, SKL022
		case ref.Name == "" || ref.Type == model.RefInput || ref.Type == string(record.TypeSkill):
		case ref.Type == model.RefPrefill:
			called := func(id string) bool {
				return id == ref.ID() || ref.Namespace == "" && catalog.LastPart(id) == ref.Name
			}
			if !slices.ContainsFunc(declared, called) {
				p.Report(at, "found "+written+", which prefill does not declare",
					p.DidYouMean(ph.Name, declared, "add { tool: '"+ph.Name+"', params: { … } } to prefill"))
			}
		case !facet(p, at, ref, written):
		case ref.Namespace != "" || ref.Type == engine.TypePrompt || !requires(skill, ref):
			exists(p, at, s, ref, written)
		}
	})
}

// requires reports whether a skill lists what a reference names: SKL005 and SKL006
// look at the entries.
func requires(skill model.Skill, ref model.Reference) bool {
	return slices.ContainsFunc(skill.Requires(ref.Type+"s"),
		func(n *model.Node) bool { return catalog.LastPart(n.Str()) == ref.Name })
}

func checkPromptPlaceholders(p *engine.Pass) {
	s := p.Scope()
	provider := s.Folder == "providers"
	if p.Load.Type == record.TypePrompt {
		provider = prompts(p)[0].owner == "namespace"
	}
	engine.EachPlaceholder(content(p), func(ph model.Placeholder, written string, at *model.Node) {
		ref, ok := ph.Reference()
		switch {
		case !ok:
			nearType(p, at, ph, written)
		case ref.Name == "" || ref.Type == model.RefInput || ref.Type == model.RefPrefill ||
			!facet(p, at, ref, written):
		case provider && ref.Namespace != "" && ref.Namespace != model.Prompt{Node: p.Root}.Namespace().Str() &&
			!owns(s, ref.Namespace):
			p.Report(at,
				"found "+written+", a "+ref.Type+" of another namespace; a provider's prompt refers to its own",
				"refer to a "+ref.Type+" of "+s.String()+", or move the prompt to an agent")
		default:
			exists(p, at, s, ref, written)
		}
	})
}

// owns reports whether a namespace is that of the scope's folder: the name of
// the folder, or what its schemas say.
func owns(s *engine.Scope, namespace string) bool {
	return !s.Known() || namespace == s.Name ||
		slices.ContainsFunc(s.OwnIDs(), func(id string) bool { return strings.HasPrefix(id, namespace+"/") })
}

// facet reports a part of a primitive that cannot be asked for; false says
// that it did.
func facet(p *engine.Pass, at *model.Node, ref model.Reference, written string) bool {
	switch {
	case ref.Field == "" || ref.Type == engine.TypeTool && slices.Contains(model.ToolParts, ref.Field):
		return true
	case ref.Type == engine.TypeTool:
		p.Report(at, "found "+written+", expected one of the parts "+strings.Join(model.ToolParts, ", "),
			p.DidYouMean(ref.Field, model.ToolParts, "leave the part out for all of the tool"))
	default:
		p.Report(at, "found "+written+"; a "+ref.Type+" has no parts to ask for", "leave out :"+ref.Field)
	}
	return false
}

// exists reports a reference to something that is not there.
func exists(p *engine.Pass, at *model.Node, s *engine.Scope, ref model.Reference, written string) {
	if ref.Namespace == "" {
		if s.Known() && !s.Has(ref.Type, ref.Name) {
			fix := "correct the name, or write {{" + ref.Type + ":namespace/name}}"
			if ref.Type == string(record.TypeSkill) {
				fix = "correct the name, or add the skill to " + s.String()
			}
			p.Report(at, "found "+written+", which is not a "+ref.Type+" of "+s.String(),
				p.DidYouMean(ref.Name, s.Names(ref.Type), fix))
		}
		return
	}
	id := catalog.ID{Namespace: ref.Namespace, Type: ref.Type, Name: ref.Name}
	if l := p.IDs(); !l.Known || l.Defines(id) {
		return
	}
	if name, ok := strings.CutPrefix(ref.Name, ref.Type+"/"); ok {
		p.Report(at, "found "+written+", an ID; expected namespace and name only",
			"write {{"+ref.Type+":"+ref.Namespace+"/"+name+"}}")
		return
	}
	p.Report(at, "found "+written+", but the catalog does not define "+id.String(),
		p.DidYouMean(id.String(), p.Ctx.IDsOf(id.Namespace).List,
			"correct the name, or add the "+ref.Type+" to the catalog"))
}

// listValue reports {{list:alias}} where the list has no such entry (decision
// "Lists in text"). It warns where the list does not exist (chapter 14,
// "Unresolved Placeholders"), and about {{tols:shop/getPrice}}, whose type is
// misspelt. Text that merely has a colon between braces is neither.
func listValue(p *engine.Pass, at *model.Node, ph model.Placeholder, written string) {
	if ph.Bare() || !engine.IsAlnumName(ph.Type) {
		return
	}
	candidates := slices.Clone(model.ReferenceTypes)
	if p.Ctx.Lists != nil && engine.IsAlnumName(ph.Name) {
		if l := p.Ctx.Lists.Lookup(ph.Type); l != nil {
			listEntry(p, at, l, ph.Name, written)
			return
		}
		candidates = append(candidates, p.Ctx.Lists.Names()...)
		if _, near := words.Closest(ph.Type, candidates); !near && !p.Ctx.LacksList(ph.Type) {
			return
		}
	} else if _, near := words.Closest(ph.Type, candidates); !near {
		return
	}
	p.ReportAs(min(record.SeverityWarning, p.Severity()), at,
		"found "+written+"; "+engine.Quote(ph.Type)+
			" is neither a type of placeholder nor a shared list of the catalog",
		p.DidYouMean(ph.Type, candidates, "write {{tool:name}}, {{input:key}}, or the text itself"))
}

func listEntry(p *engine.Pass, at *model.Node, l *sharedlist.List, name, written string) {
	aliases := sharedlist.Values(l.Entries, "alias")
	if l.Broken != nil || l.HasField(name) || slices.Contains(aliases, name) {
		return
	}
	p.Report(at, "found "+written+", but the list "+l.Name+" has neither a field "+engine.Quote(name)+
		" nor an entry with that alias", p.DidYouMean(name, slices.Concat(l.FieldNames(), aliases),
		"use one of the fields "+words.List(l.FieldNames())+", or the alias of an entry"))
}

// nearType reports a placeholder whose type is a misspelt one, and warns about
// any other that is neither a type nor a list.
func nearType(p *engine.Pass, at *model.Node, ph model.Placeholder, written string) {
	if near, ok := words.Closest(ph.Type, model.ReferenceTypes); ok && engine.IsAlnumName(ph.Type) {
		p.Report(at, "found "+written+", a placeholder of an unknown type", "did you mean {{"+near+":"+ph.Name+"}}?")
		return
	}
	listValue(p, at, ph, written)
}

func checkPlaceholderPlace(p *engine.Pass) {
	for _, m := range p.Load.Data.Members() {
		if m.Key != "skills" && holdsReference(m.Value) {
			misplaced(p, p.Root.Field(m))
		}
	}
}

// holdsReference looks without making nodes, since almost no schema has one.
func holdsReference(v ordjson.Value) bool {
	switch v.Kind() {
	case ordjson.String:
		found := false
		if strings.Contains(v.Str(), "{{") {
			engine.EachReference(model.Root(v), func(model.Reference, string, *model.Node) { found = true })
		}
		return found
	case ordjson.Array:
		for _, e := range v.Elems() {
			if holdsReference(e) {
				return true
			}
		}
	case ordjson.Object:
		members := v.Members()
		for i := range members {
			if holdsReference(members[i].Value) {
				return true
			}
		}
	}
	return false
}

// misplaced reports the references in n, but for the content of prompts, which
// PRM010 speaks about, lists that are called like a type, and what another
// rule has reported already.
func misplaced(p *engine.Pass, n *model.Node) {
	pointer := n.Pointer()
	if strings.HasPrefix(pointer, "/prompts/") && n.Key() == "content" {
		return
	}
	for _, f := range append(n.Fields(), n.Items()...) {
		misplaced(p, f)
	}
	engine.EachReference(n, func(ref model.Reference, written string, at *model.Node) {
		if !p.Told(pointer) && !p.Declares(ref.Type) {
			fix := "write {{USER_PARAM}} for what the user gives, {{SERVER_PARAM:KEY}} for a key, or the text itself"
			if n.Key() == "path" && engine.ToolOf(n) != "" && ref.Name != "" {
				fix = "write {{" + ref.Name + "}}, and give the tool a parameter with key: '" + ref.Name +
					"' and location: 'insert', or write the text itself"
			}
			p.Report(at, "found "+written+", which only the content of prompts and skills may have", fix)
		}
	})
}
