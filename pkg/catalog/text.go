package catalog

import (
	"fmt"

	"github.com/flowmcp/fmcp/pkg/model"
	"github.com/flowmcp/fmcp/pkg/ordjson"
	"github.com/flowmcp/fmcp/pkg/record"
)

// Text is what prompts and skills have in common: content that is delivered
// (chapters 12 and 14).
type Text struct {
	ID                   string
	Namespace, Name      string
	Version, Description string
	Scope                Scope
	Names                []Name // what names without a namespace mean in Content
	Content              string // as written
	Src                  Src
	Hashes               record.Hashes
}

// Delivered is a *Prompt or a *Skill.
type Delivered interface {
	Record
	Body() *Text
	Asks() []Input
}

// Body implements Delivered.
func (t *Text) Body() *Text { return t }

// Asks implements Delivered.
func (s *Skill) Asks() []Input { return s.Inputs }

// Asks implements Delivered: a prompt declares no inputs, so it asks for each that
// its content names (decision "Inputs of prompts").
func (p *Prompt) Asks() []Input {
	var inputs []Input
	var keys model.NameSet
	for _, ph := range model.Placeholders(p.Content) {
		if ref, ok := ph.Reference(); ok && ref.Type == model.RefInput && ref.Name != "" && !keys.Has(ref.Name) {
			keys.Add(ref.Name)
			inputs = append(inputs, Input{Key: ref.Name, Type: model.InputString, Required: true})
		}
	}
	return inputs
}

// InputSchema is the JSON Schema of what a text asks for: a plain object whose
// properties are scalars.
func InputSchema(inputs []Input) ordjson.Value {
	var properties []ordjson.Member
	var required []string
	for _, in := range inputs {
		typ := in.Type
		if typ == model.InputEnum {
			typ = model.InputString
		}
		property := []ordjson.Member{ordjson.Field("type", ordjson.NewString(string(typ)))}
		if in.Type == model.InputEnum {
			property = append(property, ordjson.Field("enum", ordjson.Strings(in.Values)))
		}
		if in.Description != "" {
			property = append(property, ordjson.Field("description", ordjson.NewString(in.Description)))
		}
		properties = append(properties, ordjson.Field(in.Key, ordjson.NewObject(property...)))
		if in.Required {
			required = append(required, in.Key)
		}
	}
	members := []ordjson.Member{
		ordjson.Field("type", ordjson.NewString("object")),
		ordjson.Field("properties", ordjson.NewObject(properties...)),
	}
	if required != nil {
		members = append(members, ordjson.Field("required", ordjson.Strings(required)))
	}
	return ordjson.NewObject(members...)
}

// Meaning is the ID that a reference of the content stands for, "" where it
// stands for nothing.
func (t *Text) Meaning(ref model.Reference) string {
	if ref.Namespace != "" {
		return ref.ID()
	}
	for _, n := range t.Names {
		if n.Type == ref.IDType() && n.Name == ref.Name {
			return n.ID
		}
	}
	return ""
}

// Scope is whose a text is.
type Scope struct {
	Type ScopeType
	Of   []string // the namespaces, or the IDs of the selections or the agent
}

// ScopeType is that of chapter 14, "Three Registration Scopes".
type ScopeType string

// The scopes.
const (
	ScopeNamespace ScopeType = "namespace"
	ScopeSelection ScopeType = "selection"
	ScopeAgent     ScopeType = "agent"
)

// Name is a name without a namespace, and the ID that it means in the scope.
type Name struct{ Type, Name, ID string }

// Prompt explains tools (chapter 12).
type Prompt struct {
	Text
	TestedWith            string
	DependsOn, References []string // IDs
	ContentFile           string   // relative to the file of Src; "" where the content is in that
}

// Skill is a workflow (chapter 14).
type Skill struct {
	Text
	WhenToUse, Output string
	Tools, Resources  []string // that it requires: IDs
	External          []string
	Inputs            []Input
	Prefill           []Prefill
}

// Input is what the user of a skill gives.
type Input struct {
	Key         string
	Type        model.InputType
	Description string
	Required    bool
	Values      []string // of an enum
}

// Prefill is a call that is made before the skill is delivered (chapter 18).
type Prefill struct {
	Tool   string // ID of a tool, of a resource whose params name the query, or of a query
	Params ordjson.Value
}

// Head implements Record.
func (p *Prompt) Head() (string, record.Type) { return p.ID, record.TypePrompt }

// Head implements Record.
func (s *Skill) Head() (string, record.Type) { return s.ID, record.TypeSkill }

func (t *Text) head(f *fields) {
	text(f, "namespace", &t.Namespace)
	text(f, "name", &t.Name)
	optional(f, "version", &t.Version)
	text(f, "description", &t.Description)
	f.object("scope", func(f *fields) {
		text(f, "type", &t.Scope.Type)
		f.all("of", &t.Scope.Of)
	})
}

func (t *Text) tail(f *fields) {
	if f.decode || len(t.Names) > 0 {
		objects(f, "names", &t.Names, func(n *Name, f *fields) {
			text(f, "type", &n.Type)
			text(f, "name", &n.Name)
			text(f, "id", &n.ID)
		})
	}
	text(f, "content", &t.Content)
	f.made(&t.Src, &t.Hashes)
}

func (p *Prompt) fields(f *fields) {
	p.head(f)
	optional(f, "testedWith", &p.TestedWith)
	f.some("dependsOn", &p.DependsOn)
	f.some("references", &p.References)
	optional(f, "contentFile", &p.ContentFile)
	p.tail(f)
}

func (s *Skill) fields(f *fields) {
	s.head(f)
	optional(f, "whenToUse", &s.WhenToUse)
	optional(f, "output", &s.Output)
	f.object("requires", func(f *fields) {
		f.all("tools", &s.Tools)
		f.all("resources", &s.Resources)
		f.all("external", &s.External)
	})
	objects(f, "input", &s.Inputs, func(in *Input, f *fields) {
		text(f, "key", &in.Key)
		text(f, "type", &in.Type)
		text(f, "description", &in.Description)
		f.flag("required", &in.Required)
		f.some("values", &in.Values)
	})
	objects(f, "prefill", &s.Prefill, func(p *Prefill, f *fields) {
		text(f, "tool", &p.Tool)
		f.value("params", &p.Params)
	})
	s.tail(f)
}

// Prompt reads the prompt of a Spec-ID.
func (x *Index) Prompt(id string) (*Prompt, error) { return read[*Prompt](x, id) }

// Skill reads the skill of a Spec-ID.
func (x *Index) Skill(id string) (*Skill, error) { return read[*Skill](x, id) }

// Lists reads the shared lists of all catalogs of the stream.
func (x *Index) Lists() ([]*List, error) {
	var lists []*List
	for at, l := range x.lines {
		if l.typ == record.TypeList {
			list, err := decode[*List](x, at)
			if err != nil {
				return nil, err
			}
			lists = append(lists, list)
		}
	}
	return lists, nil
}

// List reads the shared list of a name that the catalog of an ID has, nil where it
// has none: catalogs of one stream may have different lists of one name.
func (x *Index) List(name, of string) (*List, error) {
	at, ok := x.place(of)
	if !ok {
		return nil, fmt.Errorf("the catalog has no record of %s", of)
	}
	id := ID{SharedNamespace, string(record.TypeList), name}.String()
	for ; at >= 0 && x.lines[at].typ != record.TypeCatalog; at-- {
		if x.lines[at].typ == record.TypeList && x.lines[at].id == id {
			return decode[*List](x, at)
		}
	}
	return nil, nil
}
