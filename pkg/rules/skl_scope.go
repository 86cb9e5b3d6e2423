package rules

import (
	"path"
	"slices"
	"strings"

	"github.com/flowmcp/fmcp/pkg/catalog"
	"github.com/flowmcp/fmcp/pkg/model"
	"github.com/flowmcp/fmcp/pkg/ordjson"
	"github.com/flowmcp/fmcp/pkg/record"
)

// scope is what a name without a namespace refers to: the namespace, selection
// or agent in whose folder the file is (chapters 12 and 14). What a selection
// or an agent offers is what its manifest lists.
type scope struct {
	ctx       *Context
	folder    string         // "providers", "selections" or "agents"; "" is unknown
	name      string         // of the folder below it
	dir       string         // folder/name
	manifests []*record.Load // of a selection or an agent

	offered map[string]*model.NameSet // see names
}

// scope is that of the file, and of a skill inside it.
func (p *Pass) scope() *scope {
	if p.around == nil {
		p.around = p.newScope()
	}
	return p.around
}

func (p *Pass) newScope() *scope {
	s := &scope{ctx: p.ctx}
	if p.ctx.Catalog == nil || p.ctx.Files == nil {
		return s
	}
	parts := strings.Split(p.ctx.Catalog.Path(p.load.Src), "/")
	if len(parts) < 3 || !slices.Contains(scopeFolders, parts[0]) {
		return s
	}
	s.folder, s.name, s.dir = parts[0], parts[1], path.Join(parts[0], parts[1])
	switch {
	case s.folder == "providers":
	case p.load.Type == record.TypeAgent || p.load.Type == record.TypeSelection:
		s.manifests = []*record.Load{p.load}
	default:
		s.manifests = s.readManifests()
	}
	return s
}

// readManifests reads agents/NAME/agent.mjs, or the selections in the folder
// (chapter 14 has one, chapter 17 any number).
func (s *scope) readManifests() []*record.Load {
	var list []*record.Load
	for _, file := range s.ctx.Files.List(s.dir) {
		if path.Dir(file) != s.dir {
			continue
		}
		l := s.ctx.Files.Load(file)
		if l != nil && l.Data.Is(ordjson.Object) && (l.Type == record.TypeAgent || l.Type == record.TypeSelection) {
			list = append(list, l)
		}
	}
	return list
}

// known reports whether it can be said what the scope offers.
func (s *scope) known() bool { return s.folder == "providers" || len(s.manifests) > 0 }

// String names the scope in messages.
func (s *scope) String() string {
	switch s.folder {
	case "selections":
		return "the selection " + s.name
	case "agents":
		return "the agent " + s.name
	}
	return "the namespace " + s.name
}

// ownIDs are the IDs that the files of the folder define. Folders of the field
// are not always called as the namespace of their schemas is.
func (s *scope) ownIDs() []string {
	return remembered(&s.ctx.ids.own, s.dir, func() []string { return s.ctx.idsOfFiles(s.ctx.Files.List(s.dir)) }).List
}

// names are the names without namespace that the scope offers of a type of
// primitive.
func (s *scope) names(typ string) []string { return s.offers(typ).List }

func (s *scope) offers(typ string) *model.NameSet {
	set := s.offered[typ]
	if set == nil {
		if set = model.NamesOf(s.namesOf(typ)); s.offered == nil {
			s.offered = map[string]*model.NameSet{}
		}
		s.offered[typ] = set
	}
	return set
}

func (s *scope) namesOf(typ string) []string {
	var names []string
	if s.folder == "providers" {
		for _, text := range s.ownIDs() {
			if id, err := catalog.ParsePrimitiveID(text); err == nil && id.Type == typ {
				names = append(names, id.Name)
			}
		}
	}
	for _, m := range s.manifests {
		members := m.Data.Get(typ + "s")
		for _, f := range members.Members() {
			names = append(names, path.Base(f.Key))
		}
		for _, e := range members.Elems() {
			names = append(names, path.Base(e.Str()), e.Get("name").Str())
		}
	}
	return slices.DeleteFunc(names, func(name string) bool { return name == "" || name == "." })
}

// has reports whether the scope offers a primitive of that type and name.
func (s *scope) has(typ, name string) bool {
	if s.folder == "providers" && s.ctx.Catalog.Has(catalog.ID{Namespace: s.name, Type: typ, Name: name}.String()) {
		return true
	}
	return s.offers(typ).Has(name) || s.folder == "providers" && s.ctx.Catalog.MayDefine(s.name)
}

// skill returns the skill that {{skill:name}} means, or nil where it cannot be
// read.
func (s *scope) skill(name string) *model.Node {
	for _, m := range s.manifests {
		skills := model.Root(m.Data).At("skills")
		if n := skills.At(name); n.Get("file").Is(ordjson.String) {
			return skillIn(s.ctx.Files.Load(path.Join(path.Dir(s.ctx.Catalog.Path(m.Src)), n.Get("file").Str())))
		}
		for _, n := range skills.Items() {
			if n.Get("name").Str() == name {
				return n
			}
			if id, err := catalog.ParsePrimitiveID(n.Str()); err == nil && id.Name == name {
				return skillIn(s.ctx.loadID(id))
			}
		}
	}
	if s.folder != "providers" {
		return nil
	}
	return skillIn(s.ctx.loadID(catalog.ID{Namespace: s.name, Type: string(record.TypeSkill), Name: name}))
}

// nested is the first placeholder by which the skill of a name refers to a skill
// itself, "" where it does not. All skills of a folder may ask for each.
func (s *scope) nested(name string) string {
	known, key := &s.ctx.ids.nested, s.dir+"\n"+name
	next, ok := (*known)[key]
	if ok {
		return next
	}
	if target := s.skill(name); target != nil {
		eachReference(target.Get("content").Str(), func(ref model.Reference, at string) {
			if ref.Type == string(record.TypeSkill) && next == "" {
				next = at
			}
		})
	}
	if *known == nil {
		*known = map[string]string{}
	}
	(*known)[key] = next
	return next
}

func skillIn(l *record.Load) *model.Node {
	if l == nil || l.Type != record.TypeSkill {
		return nil
	}
	return model.Root(l.Data)
}
