package catalog

import (
	"strings"
	"unsafe"

	"github.com/tidwall/gjson"

	"github.com/flowmcp/fmcp/pkg/ordjson"
	"github.com/flowmcp/fmcp/pkg/record"
	"github.com/flowmcp/fmcp/pkg/words"
)

// Part is what a schema and the lists of its catalog make for sure: all but what
// depends on other schemas, such as the names of tools (docs/decisions.md, "Shards").
// The records of its tools, resources and handlers come with it, in this order.
type Part struct {
	Src       record.Source
	Hashes    record.Hashes
	None      bool // the file exports no object
	Tools     []PartOf
	Resources []PartOf
	Handlers  bool
	Prompts   []PartOf
	Lost      []string // Spec-IDs of what the file defines, and is none of these
	Lists     []string // names of those that it refers to
	Libraries []string // packages that the catalog has to carry
	Domain    string   // that keys go to
	Keys      []Ask
	Hashed    []ToolHash // of tools that agents refer to
	LeftOut   int        // tools, resources, or the schema as a whole
	Findings  []Found
}

// PartOf is a tool, a resource or a prompt of a schema.
type PartOf struct {
	Name    string
	Queries []string      // of a resource: names
	Handled bool          // it has handlers
	Data    ordjson.Value // of a prompt: as written
	At
}

// At is a place in a file. The line is 0 where nobody has looked.
type At struct {
	Pointer   string
	Line, Col int
}

// Ask is a server parameter that a schema asks for.
type Ask struct {
	Key      string
	Declared bool
	At
}

// ToolHash is the hash of a tool (chapter 06, "Per-Tool Hash").
type ToolHash struct{ Name, Hash string }

// Found is a finding about the file.
type Found struct {
	words.Problem
	Severity  record.Severity
	Subject   string
	List      string // that the catalog does not have, and another may
	Line, Col int
}

// PartOptions say how parts were made. Those that are merged have the same.
type PartOptions struct {
	Version, ToolNames, Profile string
	MaxName                     int
	NoExamples                  bool
}

// PartFile is a file that a catalog holds as it is, and that was read beside the records.
type PartFile struct {
	Dir, Name string
	Base64    string
	Missing   bool
}

// EncodePart is the line of a record of a part, and of the resolved records in it.
func EncodePart(id string, typ record.Type, data interface{ fields(*fields) }, resolved [][]byte) []byte {
	f := &fields{}
	data.fields(f)
	return record.AppendPart(nil, id, typ, ordjson.NewObject(f.list...), resolved)
}

// PartHead is what a record of a part is about, which need not be read whole for that:
// its ID and type, and the file of a schema.
func PartHead(line []byte) (id string, typ record.Type, src record.Source) {
	file := gjson.GetBytes(line, "data.src")
	return gjson.GetBytes(line, "id").Str, record.TypeIn(line),
		record.Source{Path: strings.Clone(file.Get("path").Str), Root: file.Get("root").Str}
}

// DecodePart reads the data of a record of a part, and says where the resolved records
// in its line are.
func DecodePart(line []byte, data interface{ fields(*fields) }) (resolved [][2]int) {
	whole := unsafe.String(unsafe.SliceData(line), len(line)) // of which only a copy is kept
	v, _ := ordjson.Parse(strings.Clone(gjson.Get(whole, "data").Raw))
	data.fields(&fields{decode: true, data: v})
	gjson.Get(whole, "resolved").ForEach(func(_, one gjson.Result) bool {
		resolved = append(resolved, [2]int{one.Index, len(one.Raw)})
		return true
	})
	return resolved
}

func (p *Part) fields(f *fields) {
	f.object("src", func(f *fields) {
		text(f, "path", &p.Src.Path)
		text(f, "root", &p.Src.Root)
		text(f, "fileHash", &p.Src.FileHash)
	})
	f.hashes(&p.Hashes)
	f.flag("none", &p.None)
	objects(f, "tools", &p.Tools, (*PartOf).fields)
	objects(f, "resources", &p.Resources, (*PartOf).fields)
	f.flag("handlers", &p.Handlers)
	objects(f, "prompts", &p.Prompts, (*PartOf).fields)
	f.some("lost", &p.Lost)
	f.some("lists", &p.Lists)
	f.some("libraries", &p.Libraries)
	optional(f, "domain", &p.Domain)
	objects(f, "keys", &p.Keys, func(k *Ask, f *fields) {
		text(f, "key", &k.Key)
		f.flag("declared", &k.Declared)
		k.At.fields(f)
	})
	objects(f, "hashed", &p.Hashed, func(t *ToolHash, f *fields) {
		text(f, "name", &t.Name)
		text(f, "hash", &t.Hash)
	})
	f.number("leftOut", &p.LeftOut)
	objects(f, "findings", &p.Findings, (*Found).fields)
}

func (p *PartOf) fields(f *fields) {
	text(f, "name", &p.Name)
	f.some("queries", &p.Queries)
	f.flag("handled", &p.Handled)
	f.value("data", &p.Data)
	p.At.fields(f)
}

func (a *At) fields(f *fields) {
	text(f, "pointer", &a.Pointer)
	f.number("line", &a.Line)
	f.number("col", &a.Col)
}

func (p *Found) fields(f *fields) {
	text(f, "code", &p.Code)
	severity := p.Severity.String()
	text(f, "severity", &severity)
	p.Severity, _ = record.ParseSeverity(severity)
	text(f, "message", &p.Message)
	optional(f, "fix", &p.Fix)
	text(f, "subject", &p.Subject)
	optional(f, "list", &p.List)
	text(f, "pointer", &p.Pointer)
	f.number("line", &p.Line)
	f.number("col", &p.Col)
}

func (o *PartOptions) fields(f *fields) {
	text(f, "version", &o.Version)
	text(f, "toolNames", &o.ToolNames)
	text(f, "profile", &o.Profile)
	f.number("maxName", &o.MaxName)
	f.flag("noExamples", &o.NoExamples)
}

func (p *PartFile) fields(f *fields) {
	text(f, "dir", &p.Dir)
	text(f, "name", &p.Name)
	f.flag("missing", &p.Missing)
	text(f, "base64", &p.Base64)
}
