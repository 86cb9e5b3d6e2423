package engine

import (
	"path"
	"slices"
	"strings"

	"github.com/flowmcp/fmcp/pkg/catalog"
	"github.com/flowmcp/fmcp/pkg/model"
	"github.com/flowmcp/fmcp/pkg/ordjson"
	"github.com/flowmcp/fmcp/pkg/record"
)

// Scope is what a name without a namespace refers to: the namespace, selection
// or agent in whose folder the file is (chapters 12 and 14). What a selection
// or an agent offers is what its manifest lists.
type Scope struct {
	ctx       *Context
	Folder    string         // "providers", "selections" or "agents"; "" is unknown
	Name      string         // of the folder below it
	Dir       string         // folder/name
	Manifests []*record.Load // of a selection or an agent, then of its selections

	offered map[string]*model.NameSet // see names
}

// Scope is that of the file, and of a skill inside it.
func (p *Pass) Scope() *Scope {
	if p.around == nil {
		p.around = p.newScope()
	}
	return p.around
}

func (p *Pass) newScope() *Scope {
	s := &Scope{ctx: p.Ctx}
	if p.Ctx.Catalog == nil || p.Ctx.Files == nil {
		return s
	}
	parts := strings.Split(p.Ctx.Catalog.Path(p.Load.Src), "/")
	if len(parts) < 3 || !slices.Contains(scopeFolders, parts[0]) {
		return s
	}
	s.Folder, s.Name, s.Dir = parts[0], parts[1], path.Join(parts[0], parts[1])
	switch {
	case s.Folder == "providers":
	case p.Load.Type == record.TypeAgent || p.Load.Type == record.TypeSelection:
		s.Manifests = []*record.Load{p.Load}
	default:
		s.Manifests = s.readManifests()
	}
	s.addSelections()
	return s
}

// addSelections adds the selections of an agent: their members are its own, after
// those of its manifest (decision "Names in an agent's texts").
func (s *Scope) addSelections() {
	for _, m := range s.Manifests {
		if m.Type != record.TypeAgent {
			continue
		}
		for _, text := range record.StringsOf(m.Data.Get("selections")) {
			id, err := catalog.ParsePrimitiveID(text)
			if err != nil {
				continue // AGT030
			}
			if l := s.ctx.LoadID(id); l != nil && l.Type == record.TypeSelection {
				s.Manifests = append(s.Manifests, l)
			}
		}
	}
}

// readManifests reads agents/NAME/agent.mjs, or the selections in the folder
// (chapter 14 has one, chapter 17 any number).
func (s *Scope) readManifests() []*record.Load {
	var list []*record.Load
	for _, file := range s.ctx.Files.List(s.Dir) {
		if path.Dir(file) != s.Dir {
			continue
		}
		l := s.ctx.Files.Load(file)
		if l != nil && l.Data.Is(ordjson.Object) && (l.Type == record.TypeAgent || l.Type == record.TypeSelection) {
			list = append(list, l)
		}
	}
	return list
}

// Known reports whether it can be said what the scope offers.
func (s *Scope) Known() bool { return s.Folder == "providers" || len(s.Manifests) > 0 }

// String names the scope in messages.
func (s *Scope) String() string {
	switch s.Folder {
	case "selections":
		return "the selection " + s.Name
	case "agents":
		return "the agent " + s.Name
	}
	return "the namespace " + s.Name
}

// OwnIDs are the IDs that the files of the folder define. Folders of the field
// are not always called as the namespace of their schemas is.
func (s *Scope) OwnIDs() []string {
	return remembered(&s.ctx.ids.own, s.Dir, func() []string { return s.ctx.idsOfFiles(s.ctx.Files.List(s.Dir)) }).List
}

// Names are the names without namespace that the scope offers of a type of
// primitive.
func (s *Scope) Names(typ string) []string { return s.offers(typ).List }

func (s *Scope) offers(typ string) *model.NameSet {
	set := s.offered[typ]
	if set == nil {
		if set = model.NamesOf(s.namesOf(typ)); s.offered == nil {
			s.offered = map[string]*model.NameSet{}
		}
		s.offered[typ] = set
	}
	return set
}

func (s *Scope) namesOf(typ string) []string {
	var names []string
	if s.Folder == "providers" {
		for _, text := range s.OwnIDs() {
			if id, err := catalog.ParsePrimitiveID(text); err == nil && id.Type == typ {
				names = append(names, id.Name)
			}
		}
	}
	for _, m := range s.Manifests {
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

// IDOf is the ID of what the scope offers by a name, or else the form of one.
func (s *Scope) IDOf(typ, name string) string {
	var ids []string
	if s.Folder == "providers" {
		ids = s.OwnIDs()
	}
	for _, m := range s.Manifests {
		members := m.Data.Get(typ + "s")
		for _, f := range members.Members() {
			ids = append(ids, f.Key)
		}
		for _, e := range members.Elems() {
			ids = append(ids, e.Str())
		}
		for _, own := range catalog.PrimitiveIDs(m) {
			ids = append(ids, own.ID.String())
		}
	}
	end := "/" + typ + "/" + name
	if i := slices.IndexFunc(ids, func(id string) bool { return strings.HasSuffix(id, end) }); i >= 0 {
		return ids[i]
	}
	return "namespace" + end
}

// Has reports whether the scope offers a primitive of that type and name.
func (s *Scope) Has(typ, name string) bool {
	if s.Folder == "providers" && s.ctx.Catalog.Has(catalog.ID{Namespace: s.Name, Type: typ, Name: name}.String()) {
		return true
	}
	return s.offers(typ).Has(name) || s.Folder == "providers" && s.ctx.Catalog.MayDefine(s.Name)
}

// skill returns the skill that {{skill:name}} means, or nil where it cannot be
// read.
func (s *Scope) skill(name string) *model.Node {
	for _, m := range s.Manifests {
		skills := model.Root(m.Data).At("skills")
		if n := skills.At(name); n.Get("file").Is(ordjson.String) {
			return SkillIn(s.ctx.Files.Load(path.Join(path.Dir(s.ctx.Catalog.Path(m.Src)), n.Get("file").Str())))
		}
		for _, n := range skills.Items() {
			if n.Get("name").Str() == name {
				return n
			}
			if id, err := catalog.ParsePrimitiveID(n.Str()); err == nil && id.Name == name {
				return SkillIn(s.ctx.LoadID(id))
			}
		}
	}
	if s.Folder != "providers" {
		return nil
	}
	return SkillIn(s.ctx.LoadID(catalog.ID{Namespace: s.Name, Type: string(record.TypeSkill), Name: name}))
}

// Nested is the first placeholder by which the skill of a name refers to a
// skill itself, "" if it does not. All skills of a folder may ask for each.
func (s *Scope) Nested(name string) string {
	known, key := &s.ctx.ids.nested, s.Dir+"\n"+name
	next, ok := (*known)[key]
	if ok {
		return next
	}
	if target := s.skill(name); target != nil {
		EachReference(target.At("content"), func(ref model.Reference, written string, _ *model.Node) {
			if ref.Type == string(record.TypeSkill) && next == "" {
				next = written
			}
		})
	}
	if *known == nil {
		*known = map[string]string{}
	}
	(*known)[key] = next
	return next
}

func SkillIn(l *record.Load) *model.Node {
	if l == nil || l.Type != record.TypeSkill {
		return nil
	}
	return model.Root(l.Data)
}
