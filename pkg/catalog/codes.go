package catalog

import "github.com/flowmcp/fmcp/pkg/words"

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
	CodeNoMember    = "LOD041" // member of an agent that no catalog has
	CodeContentHash = "CMP026" // files of a catalog are not those that its registry was written for
	CodeUnjudged    = "LOD042" // references to what a file that cannot be read may define
	CodeNoContent   = "LOD050" // prompt or skill without content
	CodeParts       = "LOD055" // parts that do not make one catalog
	CodeUnknownID   = "LOD037" // well-formed ID that nothing in the input defines
)

// CodeNoReference is that of a member of a selection that nothing defines (chapter
// 17).
const CodeNoReference = "SEL003"

// NotFoundText says that a member of a selection is not found, in the words of
// chapter 17, "Runtime Behavior".
func NotFoundText(selection, ref string) string {
	return "Selection " + selection + ": Reference '" + ref + "' not found"
}

// ExportsText says what a file exports that lacks an export.
func ExportsText(names []string) string {
	if len(names) == 0 {
		return ", it has no exports"
	}
	return ", it exports " + words.List(names)
}
