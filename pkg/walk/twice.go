package walk

import (
	"slices"

	"github.com/flowmcp/fmcp/pkg/catalog"
	"github.com/flowmcp/fmcp/pkg/record"
	"github.com/flowmcp/fmcp/pkg/words"
)

// Twice returns the pairs of files that define one ID, the first file of an ID, in the
// order of a walk, before each of the others.
func (f *Facts) Twice() [][2]string {
	var pairs [][2]string
	for _, files := range f.ids {
		if len(files) < 2 {
			continue
		}
		paths := slices.Compact(slices.SortedFunc(f.present(files), ComparePaths))
		for i := 1; i < len(paths); i++ {
			pairs = append(pairs, [2]string{paths[0], paths[i]})
		}
	}
	slices.SortFunc(pairs, func(a, b [2]string) int { return slices.Compare(a[:], b[:]) })
	return slices.Compact(pairs)
}

// alone are the types of what one file of a catalog defines; a prompt or a skill
// may have a file for its content beside the one that names it. Of lists LST002
// speaks.
var alone = []record.Type{record.TypeTool, record.TypeResource, record.TypeSelection, record.TypeAgent}

// DefinedAlone reports whether only one file of a catalog may define what has the ID.
func DefinedAlone(id catalog.ID) bool { return slices.Contains(alone, record.Type(id.Type)) }

// DefinedTwice are the problems of the second of two files that define one ID.
func DefinedTwice(first, second *record.Load) []words.Problem {
	defined := catalog.PrimitiveIDs(first)
	var problems []words.Problem
	for _, p := range catalog.PrimitiveIDs(second) {
		same := func(q catalog.PrimitiveID) bool { return q.ID == p.ID }
		if DefinedAlone(p.ID) && slices.ContainsFunc(defined, same) {
			problems = append(problems, Duplicate(p.ID.Type, p.ID.String(), first.Src, second.Src, p.Pointer))
		}
	}
	return problems
}

// Duplicate is the problem of an ID that two files define.
func Duplicate(what, id string, first, second record.Source, pointer string) words.Problem {
	return words.Problem{Code: catalog.CodeDuplicateID, Pointer: pointer,
		Message: what + " " + id + " is in " + second.File() + " and in " + first.File() + ", which is used",
		Fix:     "rename one of the two " + what + "s, or give one of the files another namespace"}
}
