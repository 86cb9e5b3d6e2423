// Package compare says what changed between two catalogs, and for whom that breaks
// something.
package compare

import (
	"cmp"
	"slices"
	"strings"

	"github.com/flowmcp/fmcp/pkg/catalog"
	"github.com/flowmcp/fmcp/pkg/model"
	"github.com/flowmcp/fmcp/pkg/ordjson"
	"github.com/flowmcp/fmcp/pkg/record"
)

// TypeQuery is the type of a query of a resource, which has no record of its own.
const TypeQuery record.Type = "query"

// Change is a difference between two catalogs.
type Change struct {
	*Kind
	Type     record.Type // of what changed
	ID       string
	At       string        // which parameter, field or member; "" for none
	Old, New ordjson.Value // Missing where there is none
}

// Kind is a kind of changes.
type Kind struct {
	Name     string
	Breaking bool
	Says     string // what happened
	Why      string // it does or does not break something
}

// The kinds, in the order in which changes of one ID are listed. What breaks is
// what worked for somebody who took the old catalog and fails with the new one:
// a call, an agent that names what is gone, a client that knows a tool by its name.
var (
	gone       = &Kind{"gone", true, "gone", "calls of it fail, and agents and selections that name it do not start"}
	renamed    = &Kind{"renamed", true, "other MCP name", "clients call it by that name"}
	required   = &Kind{"required", true, "parameter that is required now", "calls without it are refused"}
	paramGone  = &Kind{"parameter-gone", true, "parameter gone", "calls with it are refused"}
	otherType  = &Kind{"type", true, "other type", "values of the old type are refused"}
	valueGone  = &Kind{"value-gone", true, "value no longer taken", "calls with it are refused"}
	tighter    = &Kind{"limit", true, "tighter limit", "values that were in it are refused"}
	host       = &Kind{"host", true, "other host", "keys and allowed hosts are bound to the one before"}
	keyNew     = &Kind{"key", true, "new key", "without it the tool is hidden, and calls fail"}
	writes     = &Kind{"writes", true, "no longer read-only", "--read-only and prefill leave it out"}
	mime       = &Kind{"mime-type", true, "other media type of answers", "who reads the answers expects the one before"}
	outputGone = &Kind{"output-gone", true, "field of answers gone", "who reads it finds nothing"}
	outputType = &Kind{"output-type", true, "other type of a field of answers", "who reads it expects the type before"}
	memberGone = &Kind{"member-gone", true, "member gone", "who uses the agent or the selection no longer has it"}

	added       = &Kind{"new", false, "new", "nobody knows it yet"}
	optional    = &Kind{"optional", false, "parameter no longer required", "calls with it are what they were"}
	paramNew    = &Kind{"parameter", false, "new optional parameter", "calls without it are what they were"}
	valueNew    = &Kind{"value", false, "new value", "the others are still taken"}
	wider       = &Kind{"wider", false, "wider limit", "values that were in it still are"}
	fallback    = &Kind{"default", false, "other default", "calls without it work, and ask for something else"}
	request     = &Kind{"request", false, "other request", "callers give what they gave"}
	keyGone     = &Kind{"key-gone", false, "key no longer needed", "calls work with it and without"}
	reads       = &Kind{"reads", false, "read-only now", "it can be called where it could be called before"}
	output      = &Kind{"output", false, "new field of answers", "the other fields are still there"}
	member      = &Kind{"member", false, "new member", "the others are still there"}
	list        = &Kind{"list", false, "other list", "tools have its values, and these are compared"}
	description = &Kind{"description", false, "other description", "calls are the same; models may choose others"}
	text        = &Kind{"text", false, "other text", "what is asked for stays the same"}
)

// Kinds are all kinds, those that break something first.
var Kinds = []*Kind{
	gone, renamed, required, paramGone, otherType, valueGone, tighter, host, keyNew, writes, mime, outputGone,
	outputType, memberGone,
	added, optional, paramNew, valueNew, wider, fallback, request, keyGone, reads, output, member, list, description,
	text,
}

// Catalogs returns what changed between two catalogs: what breaks something first,
// then in the order of IDs. The error is that of a record that cannot be read.
func Catalogs(before, after *catalog.Index) ([]Change, error) {
	d := &differ{}
	for _, id := range IDs(before) {
		old, err := before.Record(id)
		if err != nil {
			return nil, err
		}
		d.on(after.Type(id), id)
		if after.Type(id) != before.Type(id) {
			d.on(before.Type(id), id)
			d.add(gone, "", ordjson.Value{}, ordjson.Value{})
			continue
		}
		now, err := after.Record(id)
		if err != nil {
			return nil, err
		}
		d.records(old, now)
	}
	for _, id := range IDs(after) {
		if before.Type(id) != after.Type(id) {
			d.on(after.Type(id), id)
			d.add(added, "", ordjson.Value{}, ordjson.Value{})
		}
	}
	if err := d.lists(before, after); err != nil {
		return nil, err
	}
	slices.SortStableFunc(d.changes, func(a, b Change) int {
		if a.Breaking != b.Breaking {
			if a.Breaking {
				return -1
			}
			return 1
		}
		return cmp.Or(strings.Compare(a.ID, b.ID), slices.Index(Kinds, a.Kind)-slices.Index(Kinds, b.Kind),
			strings.Compare(a.At, b.At))
	})
	return d.changes, nil
}

// IDs are those of what a catalog offers, in stream order.
func IDs(x *catalog.Index) []string {
	return x.Of(record.TypeTool, record.TypeResource, record.TypePrompt, record.TypeSkill, record.TypeSkillMD,
		record.TypeSelection, record.TypeAgent)
}

// differ collects changes.
type differ struct {
	changes []Change
	typ     record.Type // of what is compared
	id      string
}

func (d *differ) on(typ record.Type, id string) { d.typ, d.id = typ, id }

func (d *differ) add(k *Kind, at string, before, after ordjson.Value) {
	d.changes = append(d.changes, Change{Kind: k, Type: d.typ, ID: d.id, At: at, Old: before, New: after})
}

// texts compares one text.
func (d *differ) texts(k *Kind, at, before, after string) {
	if before != after {
		d.add(k, at, ordjson.NewString(before), ordjson.NewString(after))
	}
}

// sets compares names.
func (d *differ) sets(lost, won *Kind, before, after []string) {
	for _, name := range before {
		if !slices.Contains(after, name) {
			d.add(lost, name, ordjson.Value{}, ordjson.Value{})
		}
	}
	for _, name := range after {
		if !slices.Contains(before, name) {
			d.add(won, name, ordjson.Value{}, ordjson.Value{})
		}
	}
}

// records compares two records of one ID.
func (d *differ) records(before, after catalog.Record) {
	switch old := before.(type) {
	case *catalog.Tool:
		d.tool(old, after.(*catalog.Tool))
	case *catalog.Resource:
		d.resource(old, after.(*catalog.Resource))
	case *catalog.Prompt:
		d.delivered(old, after.(*catalog.Prompt))
	case *catalog.Skill:
		d.delivered(old, after.(*catalog.Skill))
	case *catalog.SkillMD:
		d.bundle(old, after.(*catalog.SkillMD))
	case *catalog.Group:
		d.group(old, after.(*catalog.Group))
	}
}

func (d *differ) tool(old, now *catalog.Tool) {
	d.callable(&old.Callable, &now.Callable, old.ReadsOnly(), now.ReadsOnly())
	oldHost, oldPath := split(old.Root)
	newHost, newPath := split(now.Root)
	d.texts(host, "", oldHost, newHost)
	d.texts(request, "", old.Method+" "+oldPath+old.Path, now.Method+" "+newPath+now.Path)
	d.sets(keyGone, keyNew, old.ServerKeys(), now.ServerKeys())
}

// split is the scheme and the host of a root, and its path.
func split(root string) (host, path string) {
	start := strings.Index(root, "://")
	if start < 0 {
		return root, ""
	}
	start += len("://")
	if end := strings.IndexByte(root[start:], '/'); end >= 0 {
		return root[:start+end], root[start+end:]
	}
	return root, ""
}

// callable compares what tools and queries have in common.
func (d *differ) callable(old, now *catalog.Callable, oldReads, newReads bool) {
	d.texts(renamed, "", old.WireName, now.WireName)
	d.texts(description, "", old.Description, now.Description)
	if oldReads != newReads {
		kind := writes
		if newReads {
			kind = reads
		}
		d.add(kind, "", ordjson.Value{}, ordjson.Value{})
	}
	d.input("", old.InputSchema, now.InputSchema)
	d.texts(mime, "", old.MIMEType(), now.MIMEType())
	d.output("", old.OutputSchema(), now.OutputSchema())
}

func (d *differ) resource(old, now *catalog.Resource) {
	d.texts(description, "", old.Description, now.Description)
	oldHost, oldPath := split(old.URL)
	newHost, newPath := split(now.URL)
	d.texts(host, "", oldHost, newHost)
	where := func(r *catalog.Resource, path string) string {
		return strings.TrimSpace(string(r.Source) + " " + r.Mode + " " + r.Origin + " " + r.Path + r.File + " " + path)
	}
	d.texts(request, "", where(old, oldPath), where(now, newPath))
	byName := func(r *catalog.Resource, name string) *catalog.Query {
		i := slices.IndexFunc(r.Queries, func(q *catalog.Query) bool { return q.Name == name })
		if i < 0 {
			return nil
		}
		return r.Queries[i]
	}
	for _, q := range old.Queries {
		d.on(TypeQuery, q.ID)
		if twin := byName(now, q.Name); twin != nil {
			d.callable(&q.Callable, &twin.Callable, q.ReadsOnly(), twin.ReadsOnly())
			d.texts(request, "", q.SQL, twin.SQL)
		} else {
			d.add(gone, "", ordjson.Value{}, ordjson.Value{})
		}
	}
	for _, q := range now.Queries {
		if byName(old, q.Name) == nil {
			d.on(TypeQuery, q.ID)
			d.add(added, "", ordjson.Value{}, ordjson.Value{})
		}
	}
}

// delivered compares prompts or skills by what they ask for and say.
func (d *differ) delivered(old, now catalog.Delivered) {
	d.texts(description, "", old.Body().Description, now.Body().Description)
	d.input("", catalog.InputSchema(old.Asks()), catalog.InputSchema(now.Asks()))
	d.texts(text, "content", old.Body().Content, now.Body().Content)
}

// bundle compares a SKILL.md and its documents.
func (d *differ) bundle(old, now *catalog.SkillMD) {
	d.texts(description, "", old.Description, now.Description)
	hashes := func(s *catalog.SkillMD) (uris []string, of map[string]string) {
		of = map[string]string{}
		for _, doc := range s.Documents {
			uris, of[doc.URI] = append(uris, doc.URI), doc.Hash
		}
		return uris, of
	}
	before, was := hashes(old)
	after, is := hashes(now)
	d.sets(memberGone, member, before, after)
	for _, uri := range before {
		if is[uri] != "" {
			d.texts(text, uri, was[uri], is[uri])
		}
	}
}

func (d *differ) group(old, now *catalog.Group) {
	d.texts(description, "", old.Description, now.Description)
	d.texts(text, "whenToUse", old.WhenToUse, now.WhenToUse)
	d.texts(text, "model", old.Model, now.Model)
	d.texts(text, "systemPrompt", old.SystemPrompt, now.SystemPrompt)
	for i := range model.SelectionFields {
		d.sets(memberGone, member, old.Members[i], now.Members[i])
	}
	d.sets(memberGone, member, old.Own, now.Own)
	d.sets(memberGone, member, old.Selections, now.Selections)
}

// lists compares the shared lists, those of all catalogs of a stream together.
func (d *differ) lists(before, after *catalog.Index) error {
	old, err := before.Lists()
	if err != nil {
		return err
	}
	now, err := after.Lists()
	if err != nil {
		return err
	}
	find := func(all []*catalog.List, id string) *catalog.List {
		i := slices.IndexFunc(all, func(l *catalog.List) bool { return l.ID == id })
		if i < 0 {
			return nil
		}
		return all[i]
	}
	for _, l := range old {
		d.on(record.TypeList, l.ID)
		switch twin := find(now, l.ID); {
		case twin == nil:
			d.add(list, "gone", ordjson.Value{}, ordjson.Value{})
		case !ordjson.Equal(l.Entries, twin.Entries):
			d.add(list, "entries", ordjson.NewInt(l.Entries.Len()), ordjson.NewInt(twin.Entries.Len()))
		}
	}
	for _, l := range now {
		if find(old, l.ID) == nil {
			d.on(record.TypeList, l.ID)
			d.add(list, "new", ordjson.Value{}, ordjson.Value{})
		}
	}
	return nil
}
