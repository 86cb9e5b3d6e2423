// Package record defines the kinds of records that the commands stream to each
// other: one JSON object a line, documented in docs/records.md and described
// by the JSON Schemas under schema/.
package record

import (
	"crypto/sha256"
	"encoding/hex"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/flowmcp/fmcp/pkg/ordjson"
)

// Version is the major version that every record carries as "v". A record of
// a known kind with a newer one cannot be read.
const Version = 1

// Kind names what a record is.
type Kind string

// The kinds of records, in the order in which a pipeline makes them.
const (
	KindScan       Kind = "scan"
	KindLoad       Kind = "load"
	KindDiagnostic Kind = "diagnostic"
	KindResolved   Kind = "resolved"
	KindPart       Kind = "part"
	KindRequest    Kind = "request"
	KindEnvelope   Kind = "envelope"
	KindGrade      Kind = "grade"
	KindError      Kind = "error"
	KindRound      Kind = "round"
	KindEnd        Kind = "end"
)

// Type names what a scanned file or a resolved record is.
type Type string

// The types of scanned files; those from TypeTool on occur in resolved records
// only, the last two in those of a part.
const (
	TypeSchema    Type = "schema"
	TypeList      Type = "list"
	TypeAgent     Type = "agent"
	TypeSelection Type = "selection"
	TypeSkill     Type = "skill"
	TypePrompt    Type = "prompt"
	TypeContent   Type = "content"
	TypeRegistry  Type = "registry"
	TypeMarkdown  Type = "markdown"
	TypeSkillMD   Type = "skillmd"
	TypeDatabase  Type = "database"
	TypeTool      Type = "tool"
	TypeCatalog   Type = "catalog"
	TypeResource  Type = "resource"
	TypeHandlers  Type = "handlers"
	TypeLibrary   Type = "library"
	TypeOptions   Type = "options"
	TypeDocument  Type = "document"
)

// ProfileCommunity is the field profile of a record of handlers: what the public
// catalogs live by is let pass (docs/decisions.md).
const ProfileCommunity = "community"

// FileTypes are the types that a file can have.
var FileTypes = []Type{
	TypeSchema, TypeList, TypeAgent, TypeSelection, TypeSkill, TypePrompt, TypeContent,
	TypeRegistry, TypeMarkdown, TypeSkillMD, TypeDatabase,
}

// Record is one line of the stream.
type Record interface {
	// AppendJSON appends the record as one JSON object without a newline.
	AppendJSON(b []byte) []byte
}

// Scan is a file that fmcp-scan found and recognised.
type Scan struct {
	Path      string // slash-separated, relative to Root
	Root      string // the scanned root as the user gave it
	Type      Type
	Namespace string // from the folder, "" where the folder names none
	Bytes     int64
	FileHash  string // "sha256:…" of the file's bytes (decision "Three hashes")
}

// Source says which file a record was made of.
type Source struct {
	Path     string
	Root     string
	FileHash string
}

// Clone is the same with texts of its own, which keep no line or source alive.
func (s Source) Clone() Source {
	return Source{Path: strings.Clone(s.Path), Root: strings.Clone(s.Root), FileHash: strings.Clone(s.FileHash)}
}

// File is the path by which the file can be opened from the current folder.
func (s Source) File() string { return filepath.Join(s.Root, filepath.FromSlash(s.Path)) }

// Load is the exported object of a file.
type Load struct {
	Type     Type
	ID       string
	Src      Source
	Data     ordjson.Value // the exported object; null where the export is missing
	Exports  []string      // names of the file's exports, in source order
	Handlers []Handler     // nil where there is no handlers export
	Hashes   Hashes
	Static   bool // no code was run to read Data
	Ignores  []Ignore
	Reviews  []Review
	Places   Places // where the parts of the record stand in the source
	// ContentName is the name of the variable that the content of a skill is written
	// as, "" where it is written out (chapter 14, "Content Field").
	ContentName string
	// Fetches is whether executeRequest may call fetch (decision "Empty root").
	Fetches bool
	// Text is the file, where it has handlers or is of version 1, and this process has
	// read it.
	Text string
	// Made is what code makes of a file of version 1, and Lists are the arrays that it
	// imports, by module; both where this process has read it.
	Made  ordjson.Value
	Lists map[string]ordjson.Value
}

// Ignore is a fmcp-ignore comment of a source.
type Ignore struct {
	Line, Col int      // where it stands, from 1
	For       int      // the line whose findings it takes back
	Codes     []string // of the rules
	Reason    string   // why; without one it takes nothing back
}

// Review is a fmcp-review comment of a source: nobody has looked yet at what is below
// it.
type Review struct {
	Line, Col int // where it stands, from 1
	Text      string
}

// UnknownHandlers is the Name that stands for handlers whose names cannot be
// read without running code: any tool may have one.
const UnknownHandlers = "*"

// Handler names the stages (preRequest, executeRequest, postRequest) that a
// schema's handlers export has for a tool, or, as "resource/query", for a
// query of a resource. Stages is empty where they cannot be read without
// running code.
type Handler struct {
	Name   string
	Stages []string
}

// Hashes are the three figures of decision "Three hashes".
type Hashes struct {
	Schema string // 8 hex digits, of the canonical JSON without schemaHash
	Main   string // "sha256:…" of JSON.stringify of the export; "" in a Load until HashMain
	File   string // "sha256:…" of the file's bytes
}

// HashMain computes the hash of the exported object where that has not been
// done: fmcp-validate reads it of no file.
func (l *Load) HashMain() {
	if l.Hashes.Main == "" {
		l.Hashes.Main = Hash(ordjson.Append(make([]byte, 0, 8<<10), l.Data))
	}
}

// Hash is the SHA-256 of bytes as records write it, "sha256:" and 64 hex digits.
func Hash(b []byte) string {
	sum := sha256.Sum256(b)
	return HashText(sum[:])
}

// HashText writes a SHA-256 as Hash does.
func HashText(sum []byte) string { return "sha256:" + hex.EncodeToString(sum) }

// SchemaHash is the schemaHash of decision "Three hashes": what main says of itself, which
// is not part of what it says.
func SchemaHash(main ordjson.Value) string {
	if main.Get("schemaHash").Exists() {
		main = main.Without("schemaHash")
	}
	sum := sha256.Sum256(ordjson.AppendCanonical(make([]byte, 0, 8<<10), main))
	return hex.EncodeToString(sum[:4])
}

// Loc is the place that a diagnostic or an error speaks of. Line and Col
// count from 1, Col in characters; 0 means unknown.
type Loc struct {
	Path    string
	Line    int
	Col     int
	Pointer string // JSON pointer into the exported object, "" for the file
	// Within is the line of the text that this is a place in, 0 for other places. It
	// is not written.
	Within int
	// FileHash is the hash of the file of which this is a place, where it is known. It
	// is written with edits, which are of that file only.
	FileHash string
}

// Error is a record or a file that a stage could not process.
type Error struct {
	Stage   string // the command, "fmcp-load"
	Input   string // path, or "stdin:LINE"
	Code    string
	Message string
	Fix     string // "" where the message says it
	Loc     *Loc
	Tag     ordjson.Value // of the request that could not be read, as far as it could
}

func (e *Error) Error() string { return e.Input + ": " + e.Message + " (" + e.Code + ")" }

// Finding is the error as a finding about the file that it names.
func (e *Error) Finding(subject string) *Diagnostic {
	d := &Diagnostic{Code: e.Code, Severity: SeverityError, Message: e.Message, Fix: e.Fix, Subject: subject,
		Loc: Loc{Path: e.Input}}
	if e.Loc != nil {
		d.Loc = *e.Loc
	}
	return d
}

// head starts a record of the given kind.
func head(b []byte, k Kind) []byte {
	b = append(b, `{"v":`...)
	b = strconv.AppendInt(b, Version, 10)
	b = append(b, `,"kind":"`...)
	b = append(b, k...)
	return append(b, '"')
}

func str(b []byte, key, val string) []byte {
	b = append(b, ',', '"')
	b = append(b, key...)
	b = append(b, '"', ':')
	return ordjson.AppendString(b, val)
}

// optional is str that leaves an empty value out.
func optional(b []byte, key, val string) []byte {
	if val == "" {
		return b
	}
	return str(b, key, val)
}

// AppendJSON implements Record.
func (s *Scan) AppendJSON(b []byte) []byte {
	b = head(b, KindScan)
	b = str(b, "path", s.Path)
	b = str(b, "root", s.Root)
	b = str(b, "type", string(s.Type))
	b = optional(b, "namespace", s.Namespace)
	b = append(b, `,"bytes":`...)
	b = strconv.AppendInt(b, s.Bytes, 10)
	b = str(b, "fileHash", s.FileHash)
	return append(b, '}')
}

// AppendJSON implements Record.
func (l *Load) AppendJSON(b []byte) []byte {
	b = head(b, KindLoad)
	b = str(b, "id", l.ID)
	b = str(b, "type", string(l.Type))
	b = append(b, `,"src":{`...)
	b = append(b, str(nil, "path", l.Src.Path)[1:]...)
	b = str(b, "root", l.Src.Root)
	b = str(b, "fileHash", l.Src.FileHash)
	b = append(b, `},"static":`...)
	b = strconv.AppendBool(b, l.Static)
	text := ordjson.Append(make([]byte, 0, 8<<10), l.Data)
	b = slices.Grow(b, len(text)+len(l.Places)+512)
	b = append(b, `,"exports":`...)
	b = ordjson.Append(b, ordjson.Strings(l.Exports))
	b = append(b, `,"handlers":`...)
	b = appendHandlers(b, l.Handlers)
	b = append(b, `,"hashes":{`...)
	b = append(b, str(nil, "schemaHash", l.Hashes.Schema)[1:]...)
	main := l.Hashes.Main
	if main == "" {
		main = Hash(text)
	}
	b = str(b, "mainHash", main)
	b = str(b, "fileHash", l.Hashes.File)
	b = append(b, '}')
	b = appendIgnores(b, l.Ignores)
	b = appendReviews(b, l.Reviews)
	b = optional(b, "contentName", l.ContentName)
	if l.Fetches {
		b = append(b, `,"fetches":true`...)
	}
	b = optional(b, "places", string(l.Places))
	b = append(b, `,"data":`...)
	b = append(b, text...)
	return append(b, '}')
}

func appendIgnores(b []byte, list []Ignore) []byte {
	if list == nil {
		return b
	}
	b = append(b, `,"ignores":[`...)
	for i, ig := range list {
		if i > 0 {
			b = append(b, ',')
		}
		b = append(b, `{"line":`...)
		b = strconv.AppendInt(b, int64(ig.Line), 10)
		b = append(b, `,"col":`...)
		b = strconv.AppendInt(b, int64(ig.Col), 10)
		b = append(b, `,"for":`...)
		b = strconv.AppendInt(b, int64(ig.For), 10)
		b = append(b, `,"codes":`...)
		b = ordjson.Append(b, ordjson.Strings(ig.Codes))
		b = append(str(b, "reason", ig.Reason), '}')
	}
	return append(b, ']')
}

func appendReviews(b []byte, list []Review) []byte {
	if list == nil {
		return b
	}
	b = append(b, `,"reviews":[`...)
	for i, r := range list {
		if i > 0 {
			b = append(b, ',')
		}
		b = strconv.AppendInt(append(b, `{"line":`...), int64(r.Line), 10)
		b = strconv.AppendInt(append(b, `,"col":`...), int64(r.Col), 10)
		b = append(str(b, "text", r.Text), '}')
	}
	return append(b, ']')
}

func appendHandlers(b []byte, list []Handler) []byte {
	if list == nil {
		return append(b, "null"...)
	}
	b = append(b, '{')
	for i, h := range list {
		if i > 0 {
			b = append(b, ',')
		}
		b = ordjson.AppendKey(b, h.Name)
		b = ordjson.Append(b, ordjson.Strings(h.Stages))
	}
	return append(b, '}')
}

func appendLoc(b []byte, l *Loc) []byte {
	b = append(b, `,"loc":{`...)
	b = append(b, str(nil, "path", l.Path)[1:]...)
	if l.Line > 0 {
		b = append(b, `,"line":`...)
		b = strconv.AppendInt(b, int64(l.Line), 10)
		b = append(b, `,"col":`...)
		b = strconv.AppendInt(b, int64(l.Col), 10)
	}
	b = str(b, "pointer", l.Pointer)
	b = optional(b, "fileHash", l.FileHash)
	return append(b, '}')
}

// AppendJSON implements Record.
func (e *Error) AppendJSON(b []byte) []byte {
	b = head(b, KindError)
	b = str(b, "input", e.Input)
	b = str(b, "stage", e.Stage)
	b = str(b, "code", e.Code)
	b = str(b, "message", e.Message)
	b = optional(b, "fix", e.Fix)
	if e.Loc != nil {
		b = appendLoc(b, e.Loc)
	}
	if e.Tag.Exists() {
		b = ordjson.Append(append(b, `,"tag":`...), e.Tag)
	}
	return append(b, '}')
}
