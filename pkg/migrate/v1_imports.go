package migrate

import (
	"path"
	"slices"
	"strings"

	"github.com/flowmcp/fmcp/pkg/edit"
	"github.com/flowmcp/fmcp/pkg/ordjson"
	"github.com/flowmcp/fmcp/pkg/record"
	"github.com/flowmcp/fmcp/pkg/words"
)

// imported is an import of a file of version 1.
type imported struct {
	span
	from  string // the module
	whole string // its name for the default export, or for all of the module
	list  []nameAs
	used  bool   // by anything but the import
	ref   string // the shared list that it is, "" for none
}

// nameAs is a name of the module, and that in the file.
type nameAs struct{ name, as string }

// names are those that the import declares.
func (im *imported) names() []string {
	var list []string
	if im.whole != "" {
		list = []string{im.whole}
	}
	for _, n := range im.list {
		list = append(list, n.as)
	}
	return list
}

// binding is the statement by which the factory has what was imported, "" where it gets
// no such thing.
func (im *imported) binding() string {
	if im.ref != "" {
		return "const " + im.names()[0] + " = " + member("sharedLists", im.ref)
	}
	if im.relative() {
		return ""
	}
	library := member("libraries", im.from)
	if im.whole != "" {
		return "const " + im.whole + " = " + library
	}
	var parts []string
	for _, n := range im.list {
		if n.name == n.as {
			parts = append(parts, n.name)
		} else {
			parts = append(parts, n.name+": "+n.as)
		}
	}
	return "const { " + strings.Join(parts, ", ") + " } = " + library
}

func (im *imported) relative() bool { return strings.HasPrefix(im.from, ".") }

// imports are those of the file.
func (s *Source) imports() []*imported {
	var list []*imported
	for _, sp := range s.statements() {
		if s.Keyword(sp.first, "import") && !s.Is(sp.first+1, "(") {
			list = append(list, s.imported(sp))
		}
	}
	return list
}

func (s *Source) imported(sp span) *imported {
	im := &imported{span: sp}
	braces := false
	for i := sp.first + 1; i < sp.end; i++ {
		text, isText := s.StringValue(i)
		switch {
		case isText:
			im.from = text
		case s.Is(i, "{"), s.Is(i, "}"):
			braces = s.Is(i, "{")
		case s.Name(i) == "" || s.Name(i) == "from" && !braces:
		case !braces:
			if im.whole = s.Name(i); im.whole == "as" {
				i++
				im.whole = s.Name(i)
			}
		case s.Name(i) == "as":
			i++
			im.list[len(im.list)-1].as = s.Name(i)
		default:
			im.list = append(im.list, nameAs{s.Name(i), s.Name(i)})
		}
	}
	im.used = s.names(span{0, sp.first}, im.names()...) || s.names(span{sp.end, len(s.List)}, im.names()...)
	if im.relative() && im.whole == "" && len(im.list) == 1 && s.Lists[im.from].Exists() {
		im.ref = ListName(im.from)
	}
	return im
}

// ListName is the name of the shared list that a module becomes: evmChains of
// ../_shared/evm-chains.mjs.
func ListName(module string) string {
	name := strings.TrimSuffix(path.Base(module), path.Ext(module))
	parts := strings.FieldsFunc(name, func(r rune) bool { return r == '-' || r == '_' || r == '.' })
	for i, w := range parts {
		if i > 0 {
			parts[i] = strings.ToUpper(w[:1]) + w[1:]
		}
	}
	return strings.Join(parts, "")
}

// Imports finds imports, which schemas of version 2 do not have: a list is one of main's
// sharedLists, a package one of its requiredLibraries.
func Imports(s *Source) []Step {
	if !s.version1() {
		return nil
	}
	var steps []Step
	var lists, libraries []ordjson.Value
	var edits []record.Edit
	list := s.imports()
	for _, im := range list {
		edits = append(edits, s.without(im))
		switch {
		case !im.used:
		case im.ref != "":
			lists = append(lists, ordjson.NewObject(ordjson.Field("ref", ordjson.NewString(im.ref)),
				ordjson.Field("version", ordjson.NewString(listVersion))))
		case !im.relative():
			libraries = append(libraries, ordjson.NewString(im.from))
		}
	}
	if list == nil {
		return nil
	}
	step := Step{At: int(s.List[list[0].first].Start), Message: "found " + words.Count(len(list), "import") +
		"; since version 2 a schema imports nothing",
		Fix: "name lists in sharedLists and packages in requiredLibraries: handlers gets them"}
	if s.outside(list) {
		step.Edits = s.named(edits, lists, libraries)
	}
	return append(steps, step)
}

// outside reports whether the factory of handlers alone names what is imported, by the
// names that it gives it itself.
func (s *Source) outside(list []*imported) bool {
	var names []string
	for _, im := range list {
		if im.binding() != "" {
			names = append(names, im.names()...)
		}
	}
	return !slices.ContainsFunc(s.statements(), func(sp span) bool {
		return !s.Keyword(sp.first, "import") && s.declared(sp) != fieldHandlers && s.names(sp, names...)
	})
}

// named adds what the schema needs to the edits that take the imports out.
func (s *Source) named(edits []record.Edit, lists, libraries []ordjson.Value) []record.Edit {
	var changes []edit.Change
	if libraries != nil && !s.Root.Get("requiredLibraries").Exists() {
		changes = append(changes, edit.Add("", "requiredLibraries", ordjson.NewArray(libraries...),
			"requiredServerParams", "root"))
	}
	if lists != nil && !s.Root.Get("sharedLists").Exists() {
		changes = append(changes, edit.Add("", "sharedLists", ordjson.NewArray(lists...), "headers", "tags", "name"))
	}
	if changes == nil {
		return edits
	}
	made := s.edits(false, changes...)
	if made == nil {
		return nil
	}
	return append(edits, made...)
}

// todo begins the comment that chapter 08 leaves for an import.
const todo = "TO" + "DO"

// without is the edit that takes an import out. Of one that is nothing that a schema can
// have a comment stays.
func (s *Source) without(im *imported) record.Edit {
	e := record.Edit{Start: int(s.List[im.first].Start), End: s.past(s.lineEnd(im.end))}
	if im.used && im.binding() == "" {
		e.End = s.lineEnd(im.end)
		e.Text = s.lines("// " + todo + ": Convert import to shared list reference\n// Original: " + s.slice(im.span) +
			"\n// Suggested: main.sharedLists: [{ ref: '" +
			ListName(im.from) + "', version: '1.0.0' }]")
	}
	return e
}
