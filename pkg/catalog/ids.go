// Package catalog knows what a catalog is called by: Spec-IDs (chapter 16), and
// the problems that are about them.
package catalog

import (
	"strconv"
	"strings"

	"github.com/flowmcp/fmcp/pkg/model"
	"github.com/flowmcp/fmcp/pkg/ordjson"
	"github.com/flowmcp/fmcp/pkg/record"
	"github.com/flowmcp/fmcp/pkg/words"
)

// ID is a Spec-ID (chapter 16): "namespace/type/name", or, with an empty Type,
// the Schema-File-ID "namespace/schema-name".
type ID struct {
	Namespace string
	Type      string
	Name      string
}

// The types of primitives that chapter 16 gives IDs to and no scanned file is.
const (
	TypeTool     = "tool"
	TypeResource = "resource"
)

// idTypes are the types of chapter 16, "Components" (decision "ID types").
var idTypes = []string{"tool", "resource", "prompt", "list", "skill", "selection", "agent"}

// SharedNamespace is reserved for lists (chapter 16, "Reserved Namespaces").
const SharedNamespace = "shared"

// String is the ID as it is written.
func (id ID) String() string {
	if id.Type == "" {
		return id.Namespace + "/" + id.Name
	}
	return id.Namespace + "/" + id.Type + "/" + id.Name
}

// IsFile reports whether the ID is that of a schema file.
func (id ID) IsFile() bool { return id.Type == "" }

// ParseID reads a Spec-ID or a Schema-File-ID. The error is a *words.Problem with
// one of the codes ID001 to ID006.
func ParseID(s string) (ID, error) {
	parts := strings.Split(s, "/")
	id := ID{Namespace: parts[0], Name: parts[len(parts)-1]}
	switch len(parts) {
	case 1:
		return ID{}, &words.Problem{Code: "ID001", Message: "ID " + words.Quote(s) + ` holds no "/"`,
			Fix: "write namespace/type/name, such as coingecko/tool/simplePrice"}
	case 2:
	case 3:
		id.Type = parts[1]
	default:
		return ID{}, &words.Problem{Code: "ID001", Message: "ID " + words.Quote(s) + " has " +
			strconv.Itoa(len(parts)) + " segments, expected 3",
			Fix: "write namespace/type/name, such as coingecko/tool/simplePrice"}
	}
	if p := id.check(s, len(parts)); p != nil {
		return ID{}, p
	}
	return id, nil
}

// ParsePrimitiveID is ParseID where a schema file will not do: the short form
// namespace/name is refused (chapter 16, "No Short Form").
func ParsePrimitiveID(s string) (ID, error) {
	id, err := ParseID(s)
	if err == nil && id.IsFile() {
		return ID{}, ShortForm(id, "write namespace/type/name, such as "+id.Namespace+"/tool/"+id.Name)
	}
	return id, err
}

func ShortForm(id ID, fix string) *words.Problem {
	return &words.Problem{Code: "ID005", Message: "ID " + words.Quote(id.String()) +
		" is a short form or names a schema file; the full form is required", Fix: fix}
}

// Check says what chapter 16 does not allow about the ID of a primitive, nil
// where all is well.
func (id ID) Check() *words.Problem { return id.check(id.String(), 3) }

func (id ID) check(s string, segments int) *words.Problem {
	switch {
	case id.Namespace == "" || segments == 3 && id.Type == "":
		return &words.Problem{Code: "ID006", Message: "ID " + words.Quote(s) +
			" leaves a segment out; nothing is inferred from context",
			Fix: "write all of namespace/type/name"}
	case !IsNamespace(id.Namespace):
		return &words.Problem{Code: "ID002", Message: "namespace " + words.Quote(id.Namespace) + " of ID " +
			words.Quote(s) + " must match ^[a-z][a-z0-9-]*$",
			Fix: "use lower-case letters, digits and hyphens, a letter first"}
	case segments == 3:
		if p := id.checkType(s); p != nil {
			return p
		}
	}
	if id.Name == "" {
		return &words.Problem{Code: "ID004", Message: "ID " + words.Quote(s) + " has an empty name",
			Fix: "write namespace/type/name"}
	}
	if !isName(id.Name, id.IsFile()) {
		return id.badName(s)
	}
	return nil
}

func (id ID) badName(s string) *words.Problem {
	return &words.Problem{Code: "ID004", Message: "name " + words.Quote(id.Name) + " of ID " + words.Quote(s) +
		" must match ^[a-zA-Z][a-zA-Z0-9-]*$",
		Fix: "use letters, digits and hyphens, a letter first"}
}

// Underscore says that the name in the ID of a primitive has underscores, nil
// where it has none (decision "Underscores in IDs").
func (id ID) Underscore() *words.Problem {
	if id.IsFile() || !strings.Contains(id.Name, "_") {
		return nil
	}
	return id.badName(id.String())
}

func (id ID) checkType(s string) *words.Problem {
	for _, t := range idTypes {
		if id.Type != t {
			continue
		}
		if id.Namespace == SharedNamespace && t != string(record.TypeList) {
			return &words.Problem{Code: "ID003", Message: "type " + words.Quote(t) + " of ID " + words.Quote(s) +
				` is not allowed: the namespace "shared" is reserved for lists`,
				Fix: "write shared/list/" + id.Name + ", or the namespace of the provider"}
		}
		return nil
	}
	return &words.Problem{Code: "ID003", Message: "type " + words.Quote(id.Type) + " of ID " + words.Quote(s) +
		" is not one of " + strings.Join(idTypes, ", ") + words.DidYouMean(id.Type, idTypes),
		Fix: "write namespace/type/name with one of these types"}
}

// IsNamespace matches ^[a-z][a-z0-9-]*$ (chapter 16, "Components").
func IsNamespace(s string) bool {
	for i := 0; i < len(s); i++ {
		c := s[i]
		if (c < 'a' || c > 'z') && (i == 0 || c != '-' && (c < '0' || c > '9')) {
			return false
		}
	}
	return s != ""
}

// isName is the pattern of chapter 16. It also takes underscores (decision
// "Underscores in IDs"), and, in the name of a file, dots and a digit first.
func isName(s string, file bool) bool {
	for i := 0; i < len(s); i++ {
		c := s[i]
		switch {
		case c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z':
		case c >= '0' && c <= '9':
			if i == 0 && !file {
				return false
			}
		case c == '-' || c == '_' || c == '.' && file:
			if i == 0 {
				return false
			}
		default:
			return false
		}
	}
	return s != ""
}

// PrimitiveID is the ID of something that a file defines, and where.
type PrimitiveID struct {
	ID      ID
	KeyPath string // "main.tools.simplePrice" (chapter 16, "Resolution Steps")
	Pointer string // JSON pointer of the same into the exported object
}

// PrimitiveIDs returns the IDs of what a file defines, in the order of the
// source: of a schema its tools, resources and prompts, of any other file the
// one thing that it is, and what is written out in a selection or an agent.
func PrimitiveIDs(l *record.Load) []PrimitiveID {
	var ids []PrimitiveID
	root := string(l.Type)
	if l.Type == record.TypeSchema {
		root = "main"
	}
	EachID(l, func(id ID, n *model.Node) {
		if n == nil {
			ids = append(ids, PrimitiveID{ID: id, KeyPath: root})
			return
		}
		ids = append(ids, PrimitiveID{ID: id, KeyPath: n.Path(root), Pointer: n.Pointer()})
	})
	return ids
}

// EachID calls f for each of PrimitiveIDs, and the node of what is a part of its
// file.
func EachID(l *record.Load, f func(id ID, n *model.Node)) {
	if l.Type != record.TypeSchema {
		if id, err := ParsePrimitiveID(l.ID); err == nil {
			f(id, nil)
		}
		eachOwn(l, func(id ID, m model.Member) {
			if m.File() == "" {
				f(id, m.Node)
			}
		})
		return
	}
	s, ns := model.NewSchema(l.Data), NamespaceOf(l)
	for _, n := range s.At(s.ToolsKey()).Fields() {
		f(ID{ns, TypeTool, n.Key()}, n)
	}
	for _, n := range s.At("resources").Fields() {
		f(ID{ns, TypeResource, n.Key()}, n)
	}
	for _, n := range s.At("prompts").Fields() {
		// The key is in camelCase; the name is what refers to a prompt (chapter
		// 12, "name").
		name := n.Get("name").Str()
		if !isName(name, false) {
			name = n.Key()
		}
		f(ID{ns, string(record.TypePrompt), name}, n)
	}
}

// eachOwn calls f for what a selection or an agent defines itself (decisions
// "Selection members" and "Tools of an agent's own").
func eachOwn(l *record.Load, f func(id ID, m model.Member)) {
	if l.Type != record.TypeSelection && l.Type != record.TypeAgent {
		return
	}
	agent, ns := model.Agent{Node: model.Root(l.Data)}, NamespaceOf(l)
	for _, part := range model.SelectionFields {
		call := part.Type == TypeTool || part.Type == TypeResource
		for _, m := range agent.MembersAndAbout(part.Field) {
			switch {
			case m.Ref != "" || !m.Is(ordjson.Object): // refers to something, or defines nothing
			case call && l.Type == record.TypeAgent && m.Inline(),
				!call && (m.File() != "" || m.Get("content").Exists()):
				f(ID{ns, part.Type, m.Name()}, m)
			}
		}
	}
}

// ContentPrompt is a prompt of an agent whose content is in a file that the
// manifest names.
type ContentPrompt struct {
	ID   ID
	File string // path from the folder of the manifest
}

// ContentPrompts are those of an agent. Where a file exports a prompt and no
// content, it is that prompt instead (decision "Prompt files").
func ContentPrompts(l *record.Load) []ContentPrompt {
	var list []ContentPrompt
	eachOwn(l, func(id ID, m model.Member) {
		if m.File() != "" && id.Type == string(record.TypePrompt) {
			list = append(list, ContentPrompt{id, m.File()})
		}
	})
	return list
}

// NamespaceOf is the namespace of all that a file defines: that in its own ID,
// which falls back to the folder where the file names none.
func NamespaceOf(l *record.Load) string {
	ns, _, _ := strings.Cut(l.ID, "/")
	return ns
}

// IsAgent reports whether a word means the agent of an ID: it is the ID, or the name
// in it, as the agent's folder has it.
func IsAgent(id, word string) bool { return id == word || LastPart(id) == word }

// LastPart is the name in an ID, or all of what has no slash.
func LastPart(id string) string { return id[strings.LastIndexByte(id, '/')+1:] }
