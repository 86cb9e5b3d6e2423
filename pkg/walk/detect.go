package walk

import (
	"path"
	"slices"
	"strings"

	"github.com/flowmcp/fmcp/pkg/record"
)

// exportTypes are the exports that make a module what it is, the telling ones
// first: a schema exports main (and handlers), a prompt may keep its content
// in an export of its own. schema is the export of versions 1.2 and 2.0, which
// is recognised so that it can be reported and migrated (decision "Schema exports").
var exportTypes = []struct {
	name string
	typ  record.Type
}{
	{"main", record.TypeSchema},
	{"list", record.TypeList},
	{"agent", record.TypeAgent},
	{"selection", record.TypeSelection},
	{"skill", record.TypeSkill},
	{"prompt", record.TypePrompt},
	{"content", record.TypeContent},
	{"schema", record.TypeSchema},
}

// Detect says what the file at place (see File.Place) is, given the names that
// it exports; "" is a file that is not part of a catalog.
//
// A place that has one meaning only decides first: _lists/ holds shared lists,
// agents/NAME/agent.mjs is an agent manifest and selections/NAME/selection.mjs
// a selection, whatever they export (the field has agents that export main).
// Then the exports decide, and for a module that exports nothing of ours, the
// folder: a schema under providers/ that lost its export must be reported, not
// forgotten. Helpers, modules under _shared/ or outside the folders of a
// catalog, are not part of it.
func Detect(place string, exports []string) record.Type {
	base := path.Base(place)
	if path.Ext(base) != ".mjs" {
		return detectName(base)
	}
	folders := foldersOf(place)
	if t := fixedPlace(folders, base); t != "" {
		return t
	}
	for _, e := range exportTypes {
		if slices.Contains(exports, e.name) {
			return e.typ
		}
	}
	return folderType(folders)
}

// Detect is the package's Detect for the place of f. A file that the user
// named and that nothing tells about is taken for a schema, so that what it
// lacks is reported.
func (f File) Detect(exports []string) record.Type {
	t := Detect(f.Place(), exports)
	if t == "" && f.Named {
		t = record.TypeSchema
	}
	return t
}

// Namespace is the package's Namespace for the place of f.
func (f File) Namespace() string { return Namespace(f.Place()) }

// skillFile is the name of a file that describes an Agent Skill.
const skillFile = "SKILL.md"

// detectName says what a file is that is not a module.
func detectName(base string) record.Type {
	switch {
	case base == "registry.json":
		return record.TypeRegistry
	case base == skillFile:
		return record.TypeSkillMD
	}
	switch path.Ext(base) {
	case ".md":
		return record.TypeMarkdown
	case ".db", ".sqlite":
		return record.TypeDatabase
	}
	return ""
}

// oldManifest is the name of an agent of version 2, in the folder that agent.mjs
// is in since (chapter 08, step 6).
const oldManifest = "manifest.json"

// OldAgent reports whether f is an agent of version 2.
func (f File) OldAgent() bool {
	folders := foldersOf(f.Place())
	n := len(folders)
	return path.Base(f.Path) == oldManifest && n > 1 && folders[n-2] == "agents"
}

func foldersOf(place string) []string {
	dir := path.Dir(place)
	if dir == "." || dir == "/" {
		return nil
	}
	return strings.Split(strings.TrimPrefix(dir, "/"), "/")
}

// fixedPlace is the type of a file whose place has one meaning only.
func fixedPlace(folders []string, base string) record.Type {
	n := len(folders)
	if n > 0 && folders[n-1] == "_lists" {
		return record.TypeList
	}
	if n < 2 {
		return ""
	}
	switch {
	case folders[n-2] == "agents" && base == "agent.mjs":
		return record.TypeAgent
	case folders[n-2] == "selections" && base == "selection.mjs":
		return record.TypeSelection
	}
	return ""
}

// folderType is the type that the innermost telling folder gives a module.
func folderType(folders []string) record.Type {
	for i := len(folders) - 1; i >= 0; i-- {
		switch folders[i] {
		case "_shared", "resources", "references":
			return ""
		case "_lists":
			return record.TypeList
		case "skills":
			return record.TypeSkill
		case "prompts":
			if slices.Contains(folders[:i], "agents") {
				return record.TypePrompt
			}
			return record.TypeContent
		case "selections":
			return record.TypeSelection
		case "providers":
			return record.TypeSchema
		case "agents":
			return "" // a helper beside the manifest
		}
	}
	return ""
}

// Namespace returns the name of the folder that a file at place belongs to
// (chapters 15 and 16): NAME of providers/NAME/…, agents/NAME/… and
// selections/NAME/…; otherwise the folder that the file, or its skills or
// prompts folder, is in. A registry and a shared list belong to none.
func Namespace(place string) string {
	folders := foldersOf(place)
	n := len(folders)
	if path.Base(place) == "registry.json" || slices.Contains(folders, "_lists") {
		return ""
	}
	for i := n - 2; i >= 0; i-- {
		if scopeFolder(folders[i]) && !partFolder(folders[i+1]) {
			return folders[i+1]
		}
	}
	for n > 0 && partFolder(folders[n-1]) {
		n--
	}
	if n == 0 || scopeFolder(folders[n-1]) {
		return ""
	}
	return folders[n-1]
}

// Provider is the namespace of a file of an old catalog, whose folders may have others
// inside: the outermost that can be one. Folders such as v1.1.1 cannot.
func Provider(place string) string {
	folders := foldersOf(place)
	if slices.ContainsFunc(folders, scopeFolder) {
		return Namespace(place)
	}
	for _, name := range folders {
		if !strings.ContainsAny(name, "._") {
			return name
		}
	}
	return ""
}

// scopeFolder reports whether the folders in the folder name are namespaces.
func scopeFolder(name string) bool {
	return name == "providers" || name == "agents" || name == "selections"
}

// partFolder reports whether the folder name holds parts of its namespace.
func partFolder(name string) bool {
	switch name {
	case "prompts", "skills", "resources", "references", "_shared":
		return true
	}
	return false
}

// candidate reports whether a file of that name may be part of a catalog.
// Markdown and databases are resources (chapter 13) and are in a resources
// folder, or beside a SKILL.md in references; elsewhere they are a README.
func candidate(name string, resources bool) bool {
	switch path.Ext(name) {
	case ".mjs":
		return true
	case ".md":
		return resources || name == skillFile
	case ".db", ".sqlite":
		return resources
	}
	return name == "registry.json" || name == oldManifest
}

// holdsResources reports whether the folder dir, or one that it is in, is one
// for resources.
func holdsResources(dir string) bool {
	for f := range strings.SplitSeq(dir, "/") {
		if f == "resources" || f == "references" {
			return true
		}
	}
	return false
}
