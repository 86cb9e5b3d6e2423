package catalog

import (
	"strconv"
	"strings"

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
	CodeNotCallable = "LOD034" // tool without what a request needs
	CodeBodyMethod  = "LOD035" // body parameter of a GET or DELETE tool
	CodeKeyTwice    = "LOD036" // two user parameters of one key and different types
	CodeNoGroup     = "LOD038" // file of a selection or an agent without its object
	CodeNotAllowed  = "SEC020" // library that is not on the allowlist
	CodeOpenDomain  = "CMP022" // a root that leaves its registrable domain open
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
		Loc: record.Loc{Path: src.File(), Pointer: holder(p.Pointer)},
	}
}

// maxQuoted is how many bytes of a stranger's text a message quotes.
const maxQuoted = 1000

// quote is strconv.Quote, cut short where the text is megabytes long.
func quote(s string) string {
	if len(s) > maxQuoted {
		return strconv.Quote(strings.ToValidUTF8(s[:maxQuoted], "")) + "…"
	}
	return strconv.Quote(s)
}

// maxPointer is how many bytes the pointer of a problem has.
const maxPointer = 2000

// holder is the pointer, or that of what holds the place where it is longer.
func holder(pointer string) string {
	if len(pointer) <= maxPointer {
		return pointer
	}
	return strings.Clone(pointer[:max(0, strings.LastIndexByte(pointer[:maxPointer+1], '/'))])
}

// maxChain is how many names of a chain a message shows.
const maxChain = 8

// chainText prints list names as "a -> b -> c", cut short where hostile input
// made it long.
func chainText(names []string) string {
	if len(names) > maxChain {
		names = append(names[:maxChain-1:maxChain-1], "...", names[len(names)-1])
	}
	return strings.Join(names, " -> ")
}
