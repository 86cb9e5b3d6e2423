package walk

import (
	"slices"

	"github.com/flowmcp/fmcp/pkg/catalog"
	"github.com/flowmcp/fmcp/pkg/model"
	"github.com/flowmcp/fmcp/pkg/ordjson"
	"github.com/flowmcp/fmcp/pkg/record"
	"github.com/flowmcp/fmcp/pkg/zod"
)

// HashedTool is a tool that enters the hash of an agent.
type HashedTool struct {
	ID     string
	Hash   string        // "sha256:…"; "" where the catalog has no such tool
	Hashed ordjson.Value // what the hash is of
}

// AgentHash is the hash of the tools that an agent refers to (chapter 06, "Agent
// Hash"), in the order of their IDs as JavaScript sorts them. It is "" where one
// of them is not there. find returns the schema that defines an ID, nil for none.
func AgentHash(agent ordjson.Value, find func(catalog.ID) *record.Load) (hash string, tools []HashedTool) {
	return AgentHashOf(agent, func(id catalog.ID) HashedTool {
		if schema := find(id); schema != nil {
			return HashTool(schema, id.Name)
		}
		return HashedTool{}
	})
}

// AgentHashOf is AgentHash for who knows the hashes of the tools.
func AgentHashOf(agent ordjson.Value, known func(catalog.ID) HashedTool) (hash string, tools []HashedTool) {
	for _, m := range agent.Get("tools").Members() {
		if m.Value.Is(ordjson.Null) {
			tools = append(tools, HashedTool{ID: m.Key})
		}
	}
	slices.SortFunc(tools, func(a, b HashedTool) int { return ordjson.CompareUTF16(a.ID, b.ID) })
	list, whole := make([]ordjson.Value, len(tools)), true
	for i := range tools {
		t := &tools[i]
		if id, err := catalog.ParsePrimitiveID(t.ID); err == nil && id.Type == catalog.TypeTool {
			made := known(id)
			t.Hash, t.Hashed = made.Hash, made.Hashed
		}
		whole = whole && t.Hash != ""
		list[i] = ordjson.NewObject(ordjson.Field("id", ordjson.NewString(t.ID)),
			ordjson.Field("hash", ordjson.NewString(t.Hash)))
	}
	if !whole {
		return "", tools
	}
	return hashOf(ordjson.NewArray(list...)), tools
}

// HashTool hashes a tool of a schema. There is no hash where the schema has none of
// the name.
func HashTool(schema *record.Load, name string) HashedTool {
	t := HashedTool{Hashed: hashedTool(schema, name)}
	if t.Hashed.Exists() {
		t.Hash = hashOf(t.Hashed)
	}
	return t
}

// hashOf is the hash of a value's text as JSON.stringify prints it.
func hashOf(v ordjson.Value) string { return record.Hash(ordjson.Append(nil, v)) }

// hashedTool is what the hash of a tool is of: what makes its interface, and not
// its handlers (chapter 06, "Per-Tool Hash"); Missing where the schema has no such
// tool. A field that is not there has no place in it, as JSON.stringify leaves
// out what is undefined. The version is the schema's own (decision "Agent tool hashes").
func hashedTool(l *record.Load, name string) ordjson.Value {
	s := model.NewSchema(l.Data)
	tools := s.Tools()
	i := slices.IndexFunc(tools, func(t model.Tool) bool { return t.Name == name })
	if i < 0 || !tools[i].Is(ordjson.Object) {
		return ordjson.Value{}
	}
	tool := []ordjson.Member{ordjson.Field("name", ordjson.NewString(name))}
	for _, field := range []string{"method", "path", "parameters", "output"} {
		tool = appendField(tool, field, tools[i].Get(field))
	}
	of := []ordjson.Member{ordjson.Field("namespace", ordjson.NewString(catalog.NamespaceOf(l)))}
	of = appendField(of, "version", s.Get("version"))
	return ordjson.NewObject(append(of, ordjson.Field("tool", ordjson.NewObject(tool...)),
		ordjson.Field("sharedListRefs", ordjson.NewArray(usedLists(s, tools[i])...)))...)
}

func appendField(list []ordjson.Member, key string, v ordjson.Value) []ordjson.Member {
	if v.Exists() {
		list = append(list, ordjson.Field(key, v))
	}
	return list
}

// usedLists are the references to shared lists that the parameters of a tool
// use, in the order of main.sharedLists.
func usedLists(s model.Schema, t model.Tool) []ordjson.Value {
	var used model.NameSet
	for _, p := range t.Parameters(nil) {
		block, _ := zod.Parse(p.Primitive, p.Options)
		for _, ph := range block.Lists() {
			used.Add(ph.Type)
		}
	}
	var refs []ordjson.Value
	for _, r := range s.SharedLists() {
		if used.Has(r.Ref) {
			refs = append(refs, ordjson.NewObject(appendField([]ordjson.Member{
				ordjson.Field("ref", ordjson.NewString(r.Ref))}, "version", r.Get("version"))...))
		}
	}
	return refs
}
