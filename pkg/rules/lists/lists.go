// Package lists holds the rules for shared lists, for references to them and for
// enums that are copies of them (chapters 03 and 09). What it takes to use a list,
// and how lists depend on each other, is pkg/sharedlist's to say, since
// fmcp-resolve must know it too; the rules report it in its words.
package lists

import (
	_ "embed"
	"strings"

	"github.com/flowmcp/fmcp/pkg/rules/engine"
	"github.com/flowmcp/fmcp/pkg/sharedlist"
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
		"VAL070": func(p *engine.Pass) {
			for _, r := range listObjects(p) {
				if strings.TrimSpace(r.Ref) == "" {
					p.ExpectText(r.Node, "ref", engine.RefFields, "name the list: ref: 'evmChains'")
				}
			}
		},
		"VAL071": func(p *engine.Pass) {
			for _, r := range listObjects(p) {
				if !sharedlist.IsVersion(r.Version) {
					p.Expect(r.Node, "version", engine.RefFields, "a version such as '1.0.0'", "write version: '"+p.ListVersion(r.Ref)+"'")
				}
			}
		},
		"VAL072": checkListExists,
		"VAL073": checkListVersion,
		"VAL074": checkListFilter,
		"VAL075": checkListUnused,
		"VAL107": checkCopiedList,
	},
}
