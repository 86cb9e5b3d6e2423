package model

import (
	"slices"
	"strings"
)

// Placeholder is one {{…}} in a text. It is the one reading of the syntax for
// every chapter that uses it: parameters (02), shared lists (03), prompts and
// skills (12, 14).
type Placeholder struct {
	Start, End int    // byte offsets in the text, braces included
	Type       string // before the first colon: "SERVER_PARAM", "tool", a list; "" without one
	Name       string // after the colon, or the whole content
}

// Placeholders returns the placeholders of text in order. An unclosed {{ is
// plain text.
func Placeholders(text string) []Placeholder {
	var list []Placeholder
	for at := 0; ; {
		open := strings.Index(text[at:], "{{")
		if open < 0 {
			return list
		}
		open += at
		end := strings.Index(text[open:], "}}")
		if end < 0 {
			return list
		}
		end += open + 2
		// The innermost pair counts: "{{ {{x}}" has one placeholder.
		open = strings.LastIndex(text[:end-2], "{{")
		list = append(list, newPlaceholder(text[open+2:end-2], open, end))
		at = end
	}
}

func newPlaceholder(content string, start, end int) Placeholder {
	p := Placeholder{Start: start, End: end, Name: strings.TrimSpace(content)}
	if typ, name, ok := strings.Cut(p.Name, ":"); ok {
		p.Type, p.Name = strings.TrimSpace(typ), strings.TrimSpace(name)
	}
	return p
}

// ServerKey returns the server parameter that the placeholder stands for:
// {{SERVER_PARAM:KEY}}, or a bare {{KEY}} that is declared or is written like
// an environment variable (decision "Bare server parameters"). USER_PARAM is none.
func (p Placeholder) ServerKey(declared []string) (string, bool) {
	switch {
	case p.Type == "SERVER_PARAM":
		return p.Name, p.Name != ""
	case p.Type != "" || p.Name == "USER_PARAM":
		return "", false
	}
	return p.Name, isEnvName(p.Name) || slices.Contains(declared, p.Name)
}

// Bare reports whether the placeholder has no type: {{key}}.
func (p Placeholder) Bare() bool { return p.Type == "" }

// isEnvName reports whether s is written as environment variables are.
func isEnvName(s string) bool {
	for i, c := range s {
		if (c < 'A' || c > 'Z') && c != '_' && (i == 0 || c < '0' || c > '9') {
			return false
		}
	}
	return s != ""
}

// Reference is what a placeholder in the content of a prompt or a skill stands
// for (chapters 12, 14 and 18).
type Reference struct {
	Type      string // one of ReferenceTypes
	Namespace string // as written before a slash; "" is the file's own
	Name      string // "" where nothing is named
	Field     string // the part that is asked for, as in {{tool:ns/name:parameters}}; "" is all
	Resource  bool   // of a prefill: it is a resource, or a query of one
}

// IDType is the type in the ID of what the reference stands for (chapter 16).
func (r Reference) IDType() string {
	switch {
	case r.Type != RefPrefill:
		return r.Type
	case r.Resource:
		return "resource"
	}
	return "tool"
}

// ID is the ID that a reference with a namespace stands for.
func (r Reference) ID() string { return r.Namespace + "/" + r.IDType() + "/" + r.Name }

// ToolParts are the parts of a tool that a placeholder can ask for (chapter 18,
// "Complete Placeholder Table").
var ToolParts = []string{PartDescription, PartParameters, PartTest, PartMeta, PartCall}

// The parts of a tool.
const (
	PartDescription = "description"
	PartParameters  = "parameters"
	PartTest        = "test"
	PartMeta        = "meta"
	PartCall        = "call"
)

// RefInput and RefPrefill are the types of references that name no primitive
// of the catalog: what the user gives, and what a tool answered beforehand.
const (
	RefInput   = "input"
	RefPrefill = "prefill"
)

// ReferenceTypes are the types of placeholders that belong in content. Any
// other type is the name of a shared list, or text that only looks like a
// placeholder.
var ReferenceTypes = []string{"tool", "resource", "skill", "prompt", RefInput, RefPrefill}

// Reference reads the placeholder as one of content; false is a placeholder of
// another kind. What is not a valid reference is returned as far as it could be
// read: judging it is the rules' and delivery's.
func (p Placeholder) Reference() (Reference, bool) {
	if !slices.Contains(ReferenceTypes, p.Type) {
		return Reference{}, false
	}
	ref := Reference{Type: p.Type, Name: p.Name}
	if p.Type == RefInput {
		return ref, true
	}
	if name, field, ok := strings.Cut(p.Name, ":"); ok {
		ref.Name, ref.Field = strings.TrimSpace(name), strings.TrimSpace(field)
	}
	if ns, name, ok := strings.Cut(ref.Name, "/"); ok {
		ref.Namespace, ref.Name = ns, name
	}
	if p.Type == RefPrefill {
		// {{prefill:ns/tool/name}} is written like the ID of the tool.
		ref.Name, ref.Resource = strings.CutPrefix(ref.Name, "resource/")
		ref.Name = strings.TrimPrefix(ref.Name, "tool/")
	}
	return ref, true
}
