// Package zod reads the z-block of a parameter (chapter 02, "Z Block"): its
// primitive and options. It is the one reading of that syntax: validation asks
// it for problems, resolution for a JSON Schema, execution for checks, defaults
// and the typed value of a command-line text.
package zod

import (
	"slices"

	"github.com/flowmcp/fmcp/pkg/model"
	"github.com/flowmcp/fmcp/pkg/ordjson"
)

// Type is the base type that a primitive names.
type Type string

// The types of chapter 02. Unknown is that of a primitive that cannot be read:
// it accepts every value, since what it should refuse is not known.
const (
	Unknown Type = ""
	Text    Type = "string"
	Number  Type = "number"
	Boolean Type = "boolean"
	Enum    Type = "enum"
	Array   Type = "array"
	Object  Type = "object"
)

var typeNames = []string{"string", "number", "boolean", "enum", "array", "object"}

// Schema is a z-block that was read. It does not change and may be shared.
type Schema struct {
	typ      Type
	values   []string            // of an enum, in order, without repeats
	set      map[string]struct{} // values, where they are many
	lists    []model.Placeholder // {{list:field}} not replaced yet
	checks   []check             // in the order of the options
	optional bool
	def      ordjson.Value // Missing if there is none
}

// Type is the base type.
func (s *Schema) Type() Type { return s.typ }

// Values are the values of an enum, in order.
func (s *Schema) Values() []string { return s.values }

// Lists are the {{list:field}} placeholders of an enum that have not been
// replaced by values yet (chapter 02, "Shared List Interpolation"). While there
// are any, Check accepts every string and JSONSchema names no values.
func (s *Schema) Lists() []model.Placeholder { return s.lists }

// Optional reports whether the parameter may be left out: optional(), or
// default() which implies it (chapter 02, "Option Rules" 1).
func (s *Schema) Optional() bool { return s.optional }

// Default returns the value of default(), typed by the primitive, and whether
// there is one.
func (s *Schema) Default() (ordjson.Value, bool) { return s.def, s.def.Exists() }

// Kind says what a Problem is about, so that a rule can give it its code.
type Kind uint8

// The kinds of problems.
const (
	BadPrimitive  Kind = iota // not a primitive of chapter 02 (VAL044)
	BadOption                 // unknown, not a string, or an argument that cannot be read (VAL045)
	EmptyEnum                 // enum() without values, or with an empty one (VAL046)
	MisplacedList             // {{list:field}} outside enum() (VAL047)
	// regex(): read and applied, but not in the specification (CMP004, decision "Regex option")
	RegexOption
	BadRegex      // regex() that cannot be applied: RE2 cannot express it
	ValuesOption  // enum() with values(…) among the options: read and applied
	EnumSpaces    // white space around enum values: trimmed (decision "Spaces in enum")
	Quoted        // quotes or brackets around values: read as if they were not there
	QuotedDefault // quotes around the value of default(): read as if they were not there
	JoinedOptions // two options in one string: read as two
	BadDefault    // default() that the block itself refuses
	IgnoredOption // option that does not apply to the primitive (chapter 02, "Option Rules" 2, 3)
	Contradiction // options that no value can meet
	RepeatedValue // enum value that is there twice
)

var kindNames = [...]string{
	"bad-primitive", "bad-option", "empty-enum", "misplaced-list", "regex-option", "bad-regex", "values-option",
	"enum-spaces", "quoted", "quoted-default",
	"joined-options", "bad-default", "ignored-option", "contradiction", "repeated-value",
}

// String returns the name of the kind: "bad-primitive".
func (k Kind) String() string { return kindNames[k] }

// Problem is something to say about a z-block as written. None of them stops
// the block from being read.
type Problem struct {
	Kind  Kind
	Index int    // index of the option, -1 for the primitive
	Msg   string // what was found and what was expected
	Fix   string // what to do about it

	// Primitive is what to write as the primitive, "" to leave it; Options what to write
	// in the place of the option, nil to leave it and none to take it out.
	Primitive string
	Options   []string
}

// Parse reads a z-block. The schema is never nil: what cannot be read is a
// problem and left out of it.
func Parse(primitive string, options []string) (*Schema, []Problem) {
	p := parser{schema: &Schema{}}
	p.primitive(primitive)
	for i, o := range options {
		p.option(i, o)
	}
	p.finish()
	return p.schema, p.problems
}

// maxProblems is how many problems of a kind are reported about one block,
// which may have any number of options and values.
const maxProblems = 20

// parser collects what one Parse finds.
type parser struct {
	schema   *Schema
	problems []Problem
	told     [len(kindNames)]uint8 // problems of each kind
	isEmpty  bool                  // enum() was written without values
	def      string                // argument of the last default()
	defAt    int                   // index of the last default(), -1 without one
	defWhole bool                  // it is an option of its own
	pieces   bool                  // the option at hand is one of several in a string
}

func (p *parser) report(k Kind, index int, msg, fix string) *Problem {
	if p.told[k] == maxProblems {
		return &Problem{}
	}
	p.told[k]++
	p.problems = append(p.problems, Problem{Kind: k, Index: index, Msg: msg, Fix: fix})
	return &p.problems[len(p.problems)-1]
}

// Same reports whether two blocks take the same values, and callers are told the same
// of them.
func Same(a, b *Schema) bool {
	return a.optional == b.optional && slices.Equal(a.values, b.values) && slices.Equal(a.lists, b.lists) &&
		slices.EqualFunc(a.checks, b.checks, func(a, b check) bool {
			return a.name == b.name && a.text == b.text && a.flags == b.flags
		}) && ordjson.Equal(a.JSONSchema(), b.JSONSchema())
}
