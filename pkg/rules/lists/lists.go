// Package lists holds the rules for shared lists and for references to them
// (chapter 03).
package lists

import (
	"github.com/flowmcp/fmcp/pkg/record"
	"github.com/flowmcp/fmcp/pkg/rules/engine"
)

// Families are the rules of this package.
var Families = [][]engine.Rule{listRules, sharedListRules}

// sharedListRules are LST001–LST011: the files of shared lists (chapters 03 and
// 09). What it takes to use a list, and how lists depend on each other, is
// pkg/catalog's to say, since fmcp-resolve must know it too; the rules report it
// in its words.
var sharedListRules = []engine.Rule{
	{
		Code: "LST001", Name: "shared-list-export", Spec: record.SeverityError, Community: record.SeverityError, Since: "2.0.0", Chapter: "03",
		Summary: "The file of a shared list exports list, an object, and nothing else.",
		Why:     "The file is read for that export; anything else in it would need code to run.",
		Fix:     "Write export const list = { meta: { … }, entries: [ … ] }, one list in each file.",
		On:      listFiles,
		Whole:   true,
		Check:   checkListExport,
	},
	{
		Code: "LST002", Name: "shared-list-name", Spec: record.SeverityError, Community: record.SeverityError, Since: "2.0.0", Chapter: "03",
		Summary: "list.meta.name is a string that no other list of the catalog has.",
		Why:     "Schemas refer to a list by its name; of two lists of one name only the first can be reached, whatever their versions.",
		Fix:     "Give each list a camelCase name of its own: evmChains.",
		On:      listFiles,
		Catalog: true,
		Check:   checkListName,
	},
	listProblem("LST003", "shared-list-version",
		"list.meta.version is a version of three numbers.",
		"Schemas pin the version that they were written for; without one nobody can tell whether the list still serves them.",
		"Write version: '1.0.0'."),
	listProblem("LST004", "shared-list-fields",
		"list.meta.fields is an array of at least one field.",
		"The fields say what the entries hold; filters and enums can use only what is declared.",
		"Write fields: [ { key: 'alias', type: 'string', description: 'Canonical alias' } ]."),
	{
		Code: "LST005", Name: "shared-list-field", Spec: record.SeverityError, Community: record.SeverityWarning, Since: "2.0.0", Chapter: "03",
		Summary: "Each field of list.meta.fields has a key, a type (string, number or boolean) and a description; optional, if it is there, is true or false.",
		Why:     "Key and type are what the entries are checked against; the description is all that an author who wants to use the field learns of it.",
		Fix:     "Write { key: 'alias', type: 'string', description: 'Canonical alias' }.",
		On:      listFiles,
		Check:   checkListFields,
	},
	listProblem("LST006", "shared-list-entries",
		"list.entries is an array of at least one entry.",
		"A list without entries makes enums without values.",
		"Write entries: [ { alias: 'ethereum' } ]."),
	{
		Code: "LST007", Name: "shared-list-entry", Spec: record.SeverityError, Community: record.SeverityError, Since: "2.0.0", Chapter: "03",
		Summary: "Each entry is an object with a value for every field that is not optional.",
		Why:     "Whoever uses the field gets one value too few, and nobody notices.",
		Fix:     "Add the value, or write optional: true in the field's definition.",
		On:      listFiles,
		Check:   checkListEntries,
	},
	{
		Code: "LST008", Name: "shared-list-value", Spec: record.SeverityError, Community: record.SeverityError, Since: "2.0.0", Chapter: "03",
		Summary: "The values of an entry are of the types that list.meta.fields declares.",
		Why:     "Filters compare as === does: the text '1' is not the number 1, and the entry is never selected.",
		Fix:     "Write the value in the declared type, or change the type.",
		On:      listFiles,
		Check:   checkListValues,
	},
	dependency("LST009", "shared-list-depends", checkListDependsOn,
		"Each entry of list.meta.dependsOn names a list of the catalog, its version, and, if it has a condition, one that an entry of that list meets.",
		"A list that depends on what is not there, or is not what it was, cannot be loaded.",
		"Correct ref, version or condition, or add the list."),
	dependency("LST010", "shared-list-cycle", checkListDependencies,
		"Lists do not depend on each other in a circle.",
		"None of them could be loaded first.",
		"Remove one of the dependencies."),
	dependency("LST011", "shared-list-depth", checkListDependencies,
		"A chain of dependencies holds at most 3 lists.",
		"Deeper chains are hard to resolve and to follow; the specification keeps them shallow.",
		"Depend on a list nearer to the root, or copy the fields that are needed."),
}

var listFiles = []record.Type{record.TypeList}

// listProblem is the row of what catalog.NewList looks for.
func listProblem(code, name, summary, why, fix string) engine.Rule {
	return engine.Rule{
		Code: code, Name: name, Spec: record.SeverityError, Community: record.SeverityError, Since: "2.0.0", Chapter: "03",
		Summary: summary, Why: why, Fix: fix, On: listFiles, Check: checkListProblems,
	}
}

// dependency is the row of a rule about meta.dependsOn.
func dependency(code, name string, check func(*engine.Pass), summary, why, fix string) engine.Rule {
	return engine.Rule{
		Code: code, Name: name, Spec: record.SeverityError, Community: record.SeverityError, Since: "2.0.0", Chapter: "03",
		Summary: summary, Why: why, Fix: fix, On: listFiles, Catalog: true, Check: check,
	}
}
