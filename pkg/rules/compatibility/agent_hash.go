package compatibility

import (
	"slices"
	"strconv"
	"strings"

	"github.com/flowmcp/fmcp/pkg/catalog"
	"github.com/flowmcp/fmcp/pkg/model"
	"github.com/flowmcp/fmcp/pkg/ordjson"
	"github.com/flowmcp/fmcp/pkg/record"
	"github.com/flowmcp/fmcp/pkg/rules/engine"
)

// The hashes of chapter 06, "Integrity Verification". Chapter 06 calls a
// difference a warning and has no code for it.

func checkAgentHash(p *engine.Pass) {
	hash := p.Root.Get("hash")
	if !hash.Exists() {
		return // optional: the runtime stores it when it first starts the agent
	}
	want, ok := agentHash(p)
	if !ok || hash.Str() == want {
		return
	}
	n := strconv.Itoa(len(hashedTools(p)))
	p.Report(p.Root.At("hash"), engine.Found(hash)+", but the hash of the agent's "+n+" tools is "+want,
		"review what changed in the tools, then write hash: '"+want+"'")
}

// hashedTools returns the IDs that the hash of an agent is made of, sorted as
// JavaScript sorts: the keys of tools whose value is null.
func hashedTools(p *engine.Pass) []string {
	var ids []string
	for _, m := range p.Root.Get("tools").Members() {
		if m.Value.Is(ordjson.Null) {
			ids = append(ids, m.Key)
		}
	}
	slices.SortFunc(ids, ordjson.CompareUTF16)
	return ids
}

// agentHash is the hash of the agent's tools, "sha256:" and 64 hex digits; not
// ok where one of them cannot be read.
func agentHash(p *engine.Pass) (string, bool) {
	if p.Ctx.Catalog == nil || p.Ctx.Files == nil {
		return "", false
	}
	var list []ordjson.Value
	for _, key := range hashedTools(p) {
		id, err := catalog.ParsePrimitiveID(key)
		if err != nil || id.Type != engine.TypeTool {
			return "", false // AGT007
		}
		schema := p.Ctx.LoadID(id)
		if schema == nil {
			return "", false
		}
		hash, ok := toolHash(schema, id.Name)
		if !ok {
			return "", false
		}
		list = append(list, ordjson.NewObject(ordjson.Field("id", ordjson.NewString(key)),
			ordjson.Field("hash", ordjson.NewString(hash))))
	}
	return sha256Of(ordjson.NewArray(list...)), true
}

// toolHash is the hash of a tool of a schema: of what makes its interface, and
// not of its handlers. The version is the schema's own (decision "Agent tool hashes").
func toolHash(l *record.Load, name string) (string, bool) {
	s := model.NewSchema(l.Data)
	tools := s.Tools()
	i := slices.IndexFunc(tools, func(t model.Tool) bool { return t.Name == name })
	if i < 0 || !tools[i].Is(ordjson.Object) {
		return "", false
	}
	t := tools[i]
	tool := []ordjson.Member{ordjson.Field("name", ordjson.NewString(name))}
	for _, field := range []string{"method", "path", "parameters", "output"} {
		if v := t.Get(field); v.Exists() {
			tool = append(tool, ordjson.Field(field, v))
		}
	}
	namespace, _, _ := strings.Cut(l.ID, "/")
	return sha256Of(ordjson.NewObject(
		ordjson.Field("namespace", ordjson.NewString(namespace)),
		ordjson.Field("version", ordjson.NewString(s.Get("version").Str())),
		ordjson.Field("tool", ordjson.NewObject(tool...)),
		ordjson.Field("sharedListRefs", ordjson.NewArray(usedLists(s, t)...)),
	)), true
}

// usedLists are the references to shared lists that the parameters of a tool
// use, in the order of main.sharedLists.
func usedLists(s model.Schema, t model.Tool) []ordjson.Value {
	used := map[string]bool{}
	for _, q := range engine.NewTool(t, s.RequiredServerParams()).Params {
		if q.Block != nil {
			for _, ph := range q.Block.Lists() {
				used[ph.Type] = true
			}
		}
	}
	var refs []ordjson.Value
	for _, r := range s.SharedLists() {
		if used[r.Ref] {
			refs = append(refs, ordjson.NewObject(ordjson.Field("ref", ordjson.NewString(r.Ref)),
				ordjson.Field("version", ordjson.NewString(r.Version))))
		}
	}
	return refs
}

// sha256Of is the hash of a value's text as JSON.stringify prints it.
func sha256Of(v ordjson.Value) string { return record.Hash(ordjson.Append(nil, v)) }
