// Package lists holds the rules for shared lists, for references to them and for
// enums that are copies of them (chapters 03 and 09). What it takes to use a list,
// and how lists depend on each other, is pkg/sharedlist's to say, since
// fmcp-resolve must know it too; the rules report it in its words.
package lists

import (
	_ "embed"

	"github.com/flowmcp/fmcp/pkg/rules/engine"
)

//go:embed rules.txt
var text string

// Family are the rules of this package.
var Family = engine.Family{
	Text:    text,
	Objects: objects,
	Checks: map[string]func(*engine.Pass){
		"LST003": checkListProblems,
		"LST004": checkListProblems,
		"LST006": checkListProblems,
		"LST001": checkListExport,
		"LST002": checkListName,
		"LST007": checkListEntries,
		"LST008": checkListValues,
		"LST009": checkListDependsOn,
		"LST010": checkListDependencies,
		"LST011": checkListDependencies,
		"LST013": checkListUnknown,
		"LST014": checkListFieldKeys,
		"LST016": checkListFileName,
		"LST017": checkListPlace,
		"VAL072": checkListExists,
		"VAL073": checkListVersion,
		"VAL074": checkListFilter,
		"VAL075": checkListUnused,
		"VAL107": checkCopiedList,
	},
}
