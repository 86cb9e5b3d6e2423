package catalog

import (
	"github.com/flowmcp/fmcp/pkg/model"
	"github.com/flowmcp/fmcp/pkg/ordjson"
	"github.com/flowmcp/fmcp/pkg/record"
)

// Encode makes the record of the stream.
func Encode(r Record) *record.Resolved {
	f := &fields{}
	r.fields(f)
	id, typ := r.Head()
	return &record.Resolved{ID: id, Type: typ, Data: ordjson.NewObject(f.list...)}
}

// Decode reads a record of the stream. A field of another kind than
// docs/records.md says is read as one that is not there: who calls or serves
// something checks what it needs. The record is nil for a type that no command
// makes yet.
func Decode(r *record.Resolved) Record {
	rec := newRecord(r)
	if rec != nil {
		rec.fields(&fields{decode: true, data: r.Data})
	}
	return rec
}

func newRecord(r *record.Resolved) Record {
	switch r.Type {
	case record.TypeCatalog:
		return &Catalog{Name: r.ID}
	case record.TypeList:
		return &List{ID: r.ID}
	case record.TypeLibrary:
		return &Library{Name: r.ID}
	case record.TypeHandlers:
		return &Handlers{Schema: r.ID}
	case record.TypeTool:
		return &Tool{Callable: Callable{ID: r.ID}}
	case record.TypeResource:
		return &Resource{ID: r.ID}
	case record.TypePrompt:
		return &Prompt{Text: Text{ID: r.ID}}
	case record.TypeSkill:
		return &Skill{Text: Text{ID: r.ID}}
	case record.TypeSkillMD:
		return &SkillMD{ID: r.ID}
	case record.TypeSelection, record.TypeAgent:
		return &Group{ID: r.ID, Type: r.Type}
	}
	return nil
}

func (c *Catalog) fields(f *fields) {
	text(f, "name", &c.Name)
	optional(f, "version", &c.Version)
	optional(f, "description", &c.Description)
	optional(f, "schemaSpec", &c.SchemaSpec)
	f.object("counts", func(f *fields) {
		f.number("schemas", &c.Counts.Schemas)
		f.number("tools", &c.Counts.Tools)
		f.number("resources", &c.Counts.Resources)
		f.number("lists", &c.Counts.Lists)
		f.number("leftOut", &c.Counts.LeftOut)
	})
	text(f, "toolNames", &c.ToolNames)
	optional(f, "profile", &c.Profile)
	if f.decode || len(c.Narrowed) > 0 {
		objects(f, "narrowed", &c.Narrowed, (*Narrowing).fields)
	}
}

func (n *Narrowing) fields(f *fields) {
	optional(f, "agent", &n.Agent)
	optional(f, "selection", &n.Selection)
	f.some("only", &n.Only)
	f.some("allow", &n.Allow)
	f.some("deny", &n.Deny)
	f.flag("readOnly", &n.ReadOnly)
}

func (l *List) fields(f *fields) {
	text(f, "name", &l.Name)
	text(f, "version", &l.Version)
	optional(f, "description", &l.Description)
	f.value("fields", &l.Fields)
	f.value("entries", &l.Entries)
	f.some("dependsOn", &l.DependsOn)
	f.made(&l.Src, &l.Hashes)
}

func (l *Library) fields(f *fields) {
	optional(f, "version", &l.Version)
	text(f, "hash", &l.Hash)
	text(f, "script", &l.Script)
}

// fields has src and hashes in front: a command that looks for the handlers of
// one file need not read the source.
func (h *Handlers) fields(f *fields) {
	f.made(&h.Src, &h.Hashes)
	text(f, "source", &h.Source)
	f.value("lists", &h.Lists)
	f.some("libraries", &h.Libraries)
	optional(f, "profile", &h.Profile)
}

func (t *Tool) fields(f *fields) {
	text(f, "schema", &t.Schema)
	text(f, "namespace", &t.Namespace)
	text(f, "name", &t.Name)
	text(f, "wireName", &t.WireName)
	text(f, "description", &t.Description)
	text(f, "method", &t.Method)
	text(f, "root", &t.Root)
	text(f, "path", &t.Path)
	f.headers("headers", &t.Headers)
	objects(f, "parameters", &t.Parameters, (*Parameter).fields)
	f.some("serverParams", &t.ServerParams)
	f.value("inputSchema", &t.InputSchema)
	f.value("output", &t.Output)
	f.value("meta", &t.Meta)
	f.value("preload", &t.Preload)
	f.value("tests", &t.Tests)
	f.some("handlers", &t.Handlers)
	f.some("tags", &t.Tags)
	f.some("sharedLists", &t.SharedLists)
	f.made(&t.Src, &t.Hashes)
}

func (p *Parameter) fields(f *fields) {
	text(f, "key", &p.Key)
	optional(f, "location", &p.Location)
	source := p.Source.String()
	text(f, "source", &source)
	p.Source = model.SourceNamed(source)
	f.value("value", &p.Value)
	text(f, "primitive", &p.Primitive)
	f.all("options", &p.Options)
	f.flag("slashes", &p.Slashes)
}

func (r *Resource) fields(f *fields) {
	text(f, "schema", &r.Schema)
	text(f, "namespace", &r.Namespace)
	text(f, "name", &r.Name)
	text(f, "description", &r.Description)
	text(f, "source", &r.Source)
	optional(f, "mode", &r.Mode)
	optional(f, "origin", &r.Origin)
	optional(f, "path", &r.Path)
	optional(f, "url", &r.URL)
	f.value("cacheTtl", &r.CacheTTL)
	optional(f, "addon", &r.Addon)
	optional(f, "addonVersion", &r.AddonVersion)
	optional(f, "addonSource", &r.AddonSource)
	optional(f, "file", &r.File)
	text(f, "uri", &r.URI)
	objects(f, "queries", &r.Queries, func(q **Query, f *fields) {
		if f.decode {
			*q = &Query{Resource: r}
		}
		(*q).fields(f)
	})
	f.some("tags", &r.Tags)
	f.some("sharedLists", &r.SharedLists)
	f.made(&r.Src, &r.Hashes)
	for _, q := range r.Queries {
		q.ID, q.Schema, q.Src, q.Hashes = r.ID+"/"+q.Name, r.Schema, r.Src, r.Hashes
	}
}

func (q *Query) fields(f *fields) {
	text(f, "name", &q.Name)
	text(f, "wireName", &q.WireName)
	text(f, "description", &q.Description)
	optional(f, "sql", &q.SQL)
	optional(f, "uri", &q.URI)
	objects(f, "parameters", &q.Parameters, (*Parameter).fields)
	f.value("inputSchema", &q.InputSchema)
	optional(f, "capability", &q.Capability)
	f.value("output", &q.Output)
	f.value("tests", &q.Tests)
	f.some("handlers", &q.Handlers)
	f.flag("added", &q.Added)
}

func (g *Group) fields(f *fields) {
	text(f, "namespace", &g.Namespace)
	text(f, "name", &g.Name)
	optional(f, "version", &g.Version)
	text(f, "description", &g.Description)
	optional(f, "whenToUse", &g.WhenToUse)
	optional(f, "model", &g.Model)
	optional(f, "systemPrompt", &g.SystemPrompt)
	if g.Type == record.TypeAgent {
		f.number("maxRounds", &g.MaxRounds)
		f.number("maxTokens", &g.MaxTokens)
		f.value("elicitation", &g.Elicitation)
	}
	for i, part := range model.SelectionFields {
		f.all(part.Field, &g.Members[i])
	}
	f.some("own", &g.Own)
	f.some("selections", &g.Selections)
	f.some("sharedLists", &g.SharedLists)
	f.value("tests", &g.Tests)
	optional(f, "hash", &g.Hash)
	optional(f, "toolsHash", &g.ToolsHash)
	f.made(&g.Src, &g.Hashes)
}

// fields goes through the members of an object in the order of docs/records.md,
// to write them or to read them: so each type names its members once.
type fields struct {
	decode bool
	data   ordjson.Value    // what is read
	list   []ordjson.Member // what is written
}

func (f *fields) put(key string, v ordjson.Value) { f.list = append(f.list, ordjson.Field(key, v)) }

// text is there even where it is empty.
func text[S ~string](f *fields, key string, s *S) {
	if f.decode {
		*s = S(f.data.Get(key).Str())
		return
	}
	f.put(key, ordjson.NewString(string(*s)))
}

// optional is a text that is left out where it is empty.
func optional[S ~string](f *fields, key string, s *S) {
	if f.decode || *s != "" {
		text(f, key, s)
	}
}

// value is left out where it is Missing.
func (f *fields) value(key string, v *ordjson.Value) {
	if f.decode {
		*v = f.data.Get(key)
	} else if v.Exists() {
		f.put(key, *v)
	}
}

// all is a list that is there even where it is empty.
func (f *fields) all(key string, list *[]string) {
	if f.decode {
		*list = record.StringsOf(f.data.Get(key))
		return
	}
	f.put(key, ordjson.Strings(*list))
}

// some is a list that is left out where it is empty.
func (f *fields) some(key string, list *[]string) {
	if f.decode || len(*list) > 0 {
		f.all(key, list)
	}
}

// flag is left out where it is false.
func (f *fields) flag(key string, b *bool) {
	if f.decode {
		*b = f.data.Get(key).True()
	} else if *b {
		f.put(key, ordjson.NewBool(true))
	}
}

func (f *fields) number(key string, n *int) {
	if f.decode {
		*n = int(f.data.Get(key).Float())
		return
	}
	f.put(key, ordjson.NewInt(*n))
}

func (f *fields) object(key string, each func(*fields)) {
	if f.decode {
		each(&fields{decode: true, data: f.data.Get(key)})
		return
	}
	inner := &fields{}
	each(inner)
	f.put(key, ordjson.NewObject(inner.list...))
}

// objects is there even where it is empty.
func objects[T any](f *fields, key string, list *[]T, each func(*T, *fields)) {
	if f.decode {
		elems := f.data.Get(key).Elems()
		*list = make([]T, len(elems))
		for i, v := range elems {
			each(&(*list)[i], &fields{decode: true, data: v})
		}
		return
	}
	values := make([]ordjson.Value, len(*list))
	for i := range *list {
		inner := &fields{}
		each(&(*list)[i], inner)
		values[i] = ordjson.NewObject(inner.list...)
	}
	f.put(key, ordjson.NewArray(values...))
}

// headers is left out where there are none.
func (f *fields) headers(key string, list *[]record.Header) {
	if f.decode {
		for _, m := range f.data.Get(key).Members() {
			// Another than a string has been written by hand.
			*list = append(*list, record.Header{Name: m.Key, Value: ordjson.Unquoted(m.Value)})
		}
		return
	}
	var members []ordjson.Member
	for _, h := range *list {
		members = append(members, ordjson.Field(h.Name, ordjson.NewString(h.Value)))
	}
	if members != nil {
		f.put(key, ordjson.NewObject(members...))
	}
}

// made is where something comes from.
func (f *fields) made(src *Src, hashes *record.Hashes) {
	f.object("src", func(f *fields) {
		text(f, "path", &src.Path)
		text(f, "pointer", &src.Pointer)
	})
	f.hashes(hashes)
}

func (f *fields) hashes(hashes *record.Hashes) {
	f.object("hashes", func(f *fields) {
		text(f, "schemaHash", &hashes.Schema)
		text(f, "mainHash", &hashes.Main)
		text(f, "fileHash", &hashes.File)
	})
}
