package rules

import (
	"slices"
	"strings"

	"github.com/flowmcp/fmcp/pkg/catalog"
	"github.com/flowmcp/fmcp/pkg/model"
	"github.com/flowmcp/fmcp/pkg/ordjson"
	"github.com/flowmcp/fmcp/pkg/record"
	"github.com/flowmcp/fmcp/pkg/words"
)

// The checks of placeholderRules (ph.go), and PRM009.

// content is the text of a skill, a prompt or a content file, and where it
// stands; nil where there is none.
func (p *Pass) content() (string, *model.Node) {
	n := p.root
	if n.Is(ordjson.Object) {
		n = n.At("content")
	}
	if !n.Is(ordjson.String) {
		return "", nil
	}
	return n.Str(), n
}

func checkPlaceholderEmpty(p *Pass) {
	text, n := p.content()
	eachReference(text, func(ref model.Reference, at string) {
		if ref.Name == "" {
			p.report(n, "found "+at+", expected a name behind the colon", "write {{"+ref.Type+":name}}, or the text itself")
		}
	})
}

func checkPlaceholderInput(p *Pass) {
	text, n := p.content()
	eachReference(text, func(ref model.Reference, at string) { p.inputName(n, ref, at) })
	if !p.root.Is(ordjson.Object) {
		return
	}
	skill := model.Skill{Node: p.root}
	keys := model.NamesOf(skill.InputKeys())
	for _, entry := range skill.At("prefill").Items() {
		for _, n := range entry.At("params").Fields() {
			eachReference(n.Str(), func(ref model.Reference, at string) {
				if ref.Type == model.RefInput && isInputName(ref.Name) && !keys.Has(ref.Name) {
					p.report(n, "found "+at+", which input does not declare", p.didYouMean(ref.Name, keys.List, "add an entry with key: '"+ref.Name+"' to input"))
				}
				p.inputName(n, ref, at)
			})
		}
	}
}

// inputName reports an {{input:key}} whose key is no name; PH001 says so where
// there is none.
func (p *Pass) inputName(n *model.Node, ref model.Reference, at string) {
	if ref.Type != model.RefInput || ref.Name == "" || isInputName(ref.Name) {
		return
	}
	fix := "use letters and digits, a letter first"
	if name := toCamel(ref.Name); name != "" {
		fix = "write {{input:" + name + "}}"
	}
	p.report(n, "found "+at+", expected a key of letters and digits, a letter first", fix)
}

// toolFacets are the parts of a tool that a placeholder can ask for (chapter
// 18, "Complete Placeholder Table").
var toolFacets = []string{"description", "parameters", "test", "meta", "call"}

// checkPlaceholderReference is PH002. Skills are SKL022's, inputs SKL008's.
func checkPlaceholderReference(p *Pass) {
	text, n := p.content()
	s := p.scope()
	var declared []string
	called := &mentions{}
	for _, tool := range (model.Skill{Node: p.root}).Prefill() {
		declared = append(declared, tool.Str())
		called.add(namesOf(tool.Str()))
		p.resolve(tool, s, typeTool)
	}
	eachPlaceholder(text, func(ph model.Placeholder, at string) {
		ref, ok := ph.Reference()
		switch {
		case !ok:
			p.listValue(n, ph, at)
		case ref.Name == "" || ref.Type == model.RefInput || ref.Type == string(record.TypeSkill): // PH001, SKL008, SKL022
		case ref.Type == model.RefPrefill:
			if !called.has(ref.Namespace, ref.Name) {
				p.report(n, "found "+at+", which prefill does not declare", p.didYouMean(ph.Name, declared, "add { tool: '"+ph.Name+"', params: { … } } to prefill"))
			}
		case !p.facet(n, ref, at):
		case ref.Namespace != "" || ref.Type == typePrompt:
			p.exists(n, s, ref, at)
		}
	})
}

func checkPromptPlaceholders(p *Pass) {
	text, n := p.content()
	if n == nil {
		return // PRM010, PRM012
	}
	s := p.scope()
	provider := s.folder == "providers"
	if p.load.Type == record.TypePrompt {
		provider = p.prompts()[0].owner == "namespace"
	}
	eachPlaceholder(text, func(ph model.Placeholder, at string) {
		ref, ok := ph.Reference()
		switch {
		case !ok:
			p.nearType(n, ph, at)
		case ref.Name == "" || ref.Type == model.RefInput || ref.Type == model.RefPrefill || !p.facet(n, ref, at):
		case provider && ref.Namespace != "" && ref.Namespace != p.root.Get("namespace").Str() && !s.owns(ref.Namespace):
			p.report(n, "found "+at+", a "+ref.Type+" of another namespace; a provider's prompt refers to its own", "refer to a "+ref.Type+" of "+s.String()+", or move the prompt to an agent")
		default:
			p.exists(n, s, ref, at)
		}
	})
}

// owns reports whether a namespace is that of the scope's folder: the name of
// the folder, or what its schemas say.
func (s *scope) owns(namespace string) bool {
	return !s.known() || namespace == s.name || slices.ContainsFunc(s.ownIDs(), func(id string) bool { return strings.HasPrefix(id, namespace+"/") })
}

// facet reports a part of a primitive that cannot be asked for; false says
// that it did.
func (p *Pass) facet(n *model.Node, ref model.Reference, at string) bool {
	switch {
	case ref.Field == "" || ref.Type == typeTool && slices.Contains(toolFacets, ref.Field):
		return true
	case ref.Type == typeTool:
		p.report(n, "found "+at+", expected one of the parts "+strings.Join(toolFacets, ", "), p.didYouMean(ref.Field, toolFacets, "leave the part out for all of the tool"))
	default:
		p.report(n, "found "+at+"; a "+ref.Type+" has no parts to ask for", "leave out :"+ref.Field)
	}
	return false
}

// exists reports a reference to something that is not there.
func (p *Pass) exists(n *model.Node, s *scope, ref model.Reference, at string) {
	if ref.Namespace == "" {
		if s.known() && !s.has(ref.Type, ref.Name) {
			fix := "correct the name, or write {{" + ref.Type + ":namespace/name}}"
			if ref.Type == string(record.TypeSkill) {
				fix = "correct the name, or add the skill to " + s.String()
			}
			p.report(n, "found "+at+", which is no "+ref.Type+" of "+s.String(), p.didYouMean(ref.Name, p.ids().candidates(s.names(ref.Type)), fix))
		}
		return
	}
	id := catalog.ID{Namespace: ref.Namespace, Type: ref.Type, Name: ref.Name}
	if l := p.ids(); !l.known || l.defines(id) {
		return
	}
	if name, ok := strings.CutPrefix(ref.Name, ref.Type+"/"); ok {
		p.report(n, "found "+at+", an ID; expected namespace and name only", "write {{"+ref.Type+":"+ref.Namespace+"/"+name+"}}")
		return
	}
	p.report(n, "found "+at+", but the catalog does not define "+id.String(), p.didYouMean(id.String(), p.ids().candidates(p.ctx.idsOf(id.Namespace).List), "correct the name, or add the "+ref.Type+" to the catalog"))
}

// listValue warns about {{list:alias}} where the list does not exist (chapter
// 14, "Unresolved Placeholders"), and about {{tols:shop/getPrice}}, whose type
// is misspelt. Text that merely has a colon between braces is neither.
func (p *Pass) listValue(n *model.Node, ph model.Placeholder, at string) {
	if ph.Bare() || !isAlnumName(ph.Type) {
		return
	}
	candidates := slices.Clone(model.ReferenceTypes)
	if p.ctx.Lists != nil && isAlnumName(ph.Name) {
		if _, ok := p.ctx.Lists.List(ph.Type); ok {
			return
		}
		candidates = append(candidates, p.ctx.Lists.Names()...)
	} else if _, near := words.Closest(ph.Type, candidates); !near {
		return
	}
	p.reportAs(min(record.SeverityWarning, p.rule.Severity(p.ctx.profile())), n, "found "+at+"; "+quote(ph.Type)+" is neither a type of placeholder nor a shared list of the catalog",
		p.didYouMean(ph.Type, candidates, "write {{tool:name}}, {{input:key}}, or the text itself"))
}

// nearType reports a placeholder whose type is a misspelt one.
func (p *Pass) nearType(n *model.Node, ph model.Placeholder, at string) {
	if near, ok := words.Closest(ph.Type, model.ReferenceTypes); ok && isAlnumName(ph.Type) {
		p.report(n, "found "+at+", a placeholder of an unknown type", "did you mean {{"+near+":"+ph.Name+"}}?")
	}
}

func checkPlaceholderPlace(p *Pass) {
	for _, m := range p.load.Data.Members() {
		if m.Key != "skills" && holdsReference(m.Value) {
			p.misplaced(p.root.Field(m))
		}
	}
}

// holdsReference looks without making nodes, since almost no schema has one.
func holdsReference(v ordjson.Value) bool {
	switch v.Kind() {
	case ordjson.String:
		found := false
		if strings.Contains(v.Str(), "{{") {
			eachReference(v.Str(), func(model.Reference, string) { found = true })
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
func (p *Pass) misplaced(n *model.Node) {
	pointer := n.Pointer()
	if strings.HasPrefix(pointer, "/prompts/") && n.Key() == "content" {
		return
	}
	for _, f := range append(n.Fields(), n.Items()...) {
		p.misplaced(f)
	}
	eachReference(n.Str(), func(ref model.Reference, at string) {
		if !p.told(pointer) && !p.declares(ref.Type) {
			p.report(n, "found "+at+", which only the content of prompts and skills may have", "write {{USER_PARAM}} for what the user gives, {{SERVER_PARAM:KEY}} for a key, or the text itself")
		}
	})
}
