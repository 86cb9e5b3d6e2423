package catalog

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/flowmcp/fmcp/pkg/ordjson"
	"github.com/flowmcp/fmcp/pkg/record"
)

// Codes of findings that resolving makes and the specification has no code
// for. Their rows are in pkg/rules.
const (
	CodeChanged     = "LOD005" // the file is not the one that was loaded
	CodeWireName    = "LOD030" // two tools ask for one MCP tool name
	CodeDuplicateID = "LOD031" // two tools of a catalog have one Spec-ID
	CodeTwoCatalogs = "LOD032" // two catalogs have a tool of one Spec-ID
	CodeListValue   = "LOD033" // value of a list that cannot stand inside enum()
	CodeEnums       = "LOD034" // more values of lists in the enums of a schema than can be held
	CodeKeyTwice    = "LOD036" // two user parameters of one key and different types
	CodeNoGroup     = "LOD038" // file of a selection or an agent without its object
	CodeNotAllowed  = "SEC020" // library that is not on the allowlist
	CodeSharedKey   = "CMP023" // a key that schemas of several registrable domains ask for
	CodeNoMember    = "LOD041" // member of a selection or an agent that no catalog has
	CodeContentHash = "CMP026" // files of a catalog are not those that its registry was written for
	CodeUnjudged    = "LOD042" // references to what a file that cannot be read may define
	CodeUnknownID   = "LOD037" // well-formed ID that nothing in the input defines
)

// Problem is a finding that knows no file yet: what was found and expected,
// how to mend it, and the JSON pointer in the exported object that it is about.
// An empty pointer is the place that the caller asked about.
type Problem struct {
	Code    string
	Message string
	Fix     string
	Pointer string
}

// Error returns code, message and fix on one line.
func (p *Problem) Error() string {
	s := p.Code + ": " + p.Message
	if p.Fix != "" {
		s += "; " + p.Fix
	}
	return s
}

// Diagnostic makes a finding about a file of it.
func (p *Problem) Diagnostic(sev record.Severity, subject string, src record.Source) *record.Diagnostic {
	return &record.Diagnostic{
		Code: p.Code, Severity: sev, Message: p.Message, Fix: p.Fix, Subject: subject,
		Loc: record.Loc{Path: src.File(), Pointer: Holder(p.Pointer), FileHash: src.FileHash},
	}
}

// MaxQuoted is how many bytes of a stranger's text a message quotes.
const MaxQuoted = 1000

// quote is strconv.Quote, cut short where the text is megabytes long.
func Quote(s string) string {
	if len(s) > MaxQuoted {
		return strconv.Quote(strings.ToValidUTF8(s[:MaxQuoted], "")) + "…"
	}
	return strconv.Quote(s)
}

// maxPointer is how many bytes the pointer of a problem has.
const maxPointer = 2000

// holder is the pointer, or that of what holds the place where it is longer.
func Holder(pointer string) string {
	if len(pointer) <= maxPointer {
		return pointer
	}
	return strings.Clone(pointer[:max(0, strings.LastIndexByte(pointer[:maxPointer+1], '/'))])
}

// maxShown is how many bytes of a value a message shows.
const maxShown = 80

// Found describes what stands where something else was expected.
func Found(v ordjson.Value) string {
	switch v.Kind() {
	case ordjson.Missing, ordjson.Array, ordjson.Object:
		return v.Kind().String()
	}
	if len(v.Str()) <= maxShown { // a long one need not be written out
		if text := ordjson.Text(v); len(text) <= maxShown {
			return text
		}
	}
	return "a long " + v.Kind().String()
}

func ExportsText(names []string) string {
	if len(names) == 0 {
		return ", it has no exports"
	}
	return fmt.Sprintf(", it exports %q", names)
}
