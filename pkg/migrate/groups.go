package migrate

import (
	"errors"
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/flowmcp/fmcp/pkg/catalog"
	"github.com/flowmcp/fmcp/pkg/model"
	"github.com/flowmcp/fmcp/pkg/ordjson"
	"github.com/flowmcp/fmcp/pkg/record"
	"github.com/flowmcp/fmcp/pkg/words"
)

// Group is a group of version 2: what a project had activated together.
type Group struct {
	Name, Description string
	Members           []string // by their files: "etherscan/contracts.mjs::getContractAbi"
	Prompts           []string // Markdown files of the project, by name
}

// Groups reads the groups of a groups.json, of a config.json, or of one group that was
// exported.
func Groups(text string) ([]Group, error) {
	v, err := ordjson.Parse(text)
	if err != nil {
		return nil, fmt.Errorf("is not JSON: %w", err)
	}
	members := v.Get("groups").Members()
	if one := v.Get("group"); one.Exists() {
		members = []ordjson.Member{ordjson.Field(one.Get("name").Str(), one)}
	}
	if len(members) == 0 {
		return nil, errors.New(`has no groups: expected { "groups": { "NAME": { "tools": [ … ] } } }`)
	}
	var groups []Group
	for _, m := range members {
		g := Group{Name: m.Key, Description: m.Value.Get("description").Str()}
		key := "tools"
		if !m.Value.Get(key).Exists() {
			key = "schemas" // groups of the command line before version 2
		}
		if list := m.Value.Get(key); !list.Is(ordjson.Array) {
			return nil, fmt.Errorf("has no list of tools in the group %s: expected "+
				`"tools": [ "etherscan/contracts.mjs::getContractAbi" ]`, words.Quote(m.Key))
		}
		for i, e := range m.Value.Get(key).Elems() {
			if !e.Is(ordjson.String) {
				return nil, fmt.Errorf("has %s as %s[%d] of the group %s: expected a text such as "+
					`"etherscan/contracts.mjs::getContractAbi"`, e.Kind(), key, i, words.Quote(m.Key))
			}
			g.Members = append(g.Members, e.Str())
		}
		for _, p := range m.Value.Get("prompts").Members() {
			g.Prompts = append(g.Prompts, p.Key)
		}
		groups = append(groups, g)
	}
	return groups, nil
}

// Schemas are what groups name: the schemas of a catalog.
type Schemas []groupSchema

type groupSchema struct {
	folder, file, namespace string
	tools                   []string
	resources               map[string]string // names of resources, by theirs and those of their queries
}

// Add takes a record of the catalog.
func (s *Schemas) Add(l *record.Load) {
	if l.Type != record.TypeSchema {
		return
	}
	schema := model.NewSchema(l.Data)
	f := groupSchema{folder: path.Base(path.Dir(l.Src.Path)), file: strings.TrimSuffix(path.Base(l.Src.Path), ".mjs"),
		namespace: catalog.NamespaceOf(l), resources: map[string]string{}}
	for _, t := range schema.Tools() {
		f.tools = append(f.tools, t.Name)
	}
	for _, r := range schema.Resources() {
		f.resources[r.Name] = r.Name
		for _, q := range r.Queries() {
			f.resources[q.Name] = r.Name
		}
	}
	*s = append(*s, f)
}

// IDs are those of what a member of a group means (chapter 16, "Relationship to Existing
// Identifiers"), by the namespace of its file; that of a file without a tool means all of
// its tools. Whether the catalog has them is not asked. There are none where it names
// nothing.
func (s Schemas) IDs(member string) []catalog.ID {
	if id, err := catalog.ParsePrimitiveID(member); err == nil {
		return []catalog.ID{id}
	}
	parts := strings.Split(member, "::")
	typ, name := catalog.TypeTool, ""
	switch {
	case len(parts) == 4 && parts[0] == "": // ::resource::namespace/file::query
		typ, name, parts = parts[1], parts[3], parts[2:]
	case len(parts) > 2: // namespace/file::resource::name, or …::name::query
		typ, name = parts[1], parts[2]
	case len(parts) == 2:
		name = parts[1]
	}
	dir, file := path.Split(strings.TrimSuffix(parts[0], ".mjs"))
	folder := path.Base(dir)
	found := s.of(folder, file)
	if name == "" {
		var ids []catalog.ID
		for _, f := range found {
			for _, t := range f.tools {
				ids = append(ids, catalog.ID{Namespace: f.namespace, Type: typ, Name: t})
			}
		}
		return ids
	}
	id := catalog.ID{Namespace: folder, Type: typ, Name: name}
	for _, f := range found {
		id.Namespace = f.namespace
		if of := f.resources[name]; of != "" && typ == catalog.TypeResource {
			id.Name = of
		}
	}
	if id.Check() != nil {
		return nil
	}
	return []catalog.ID{id}
}

// of are the schemas of a file: more than one where migration has split it.
func (s Schemas) of(folder, file string) []groupSchema {
	return slices.DeleteFunc(slices.Clone(s), func(f groupSchema) bool {
		return f.folder != folder && f.namespace != folder ||
			f.file != file && !strings.HasPrefix(f.file, file+"-part")
	})
}
