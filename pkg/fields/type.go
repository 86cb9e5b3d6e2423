package fields

import (
	"strconv"
	"strings"
)

// Kind says what a value is.
type Kind uint8

// The kinds of values. Whole is a whole number, Map an object whose keys are the
// author's, Ref an object of the table, and Either one of several types.
const (
	Any Kind = iota
	String
	Number
	Whole
	Bool
	Null
	Array
	Map
	Ref
	Either
)

// Type is what the value of a field must be.
type Type struct {
	Kind Kind
	Of   *Type  // the elements of an Array, the values of a Map
	Ref  string // the name of the object
	Any  []Type // the types of Either

	// Words are what a String may be; "…" in one of them stands for any text. Where it
	// is Open, they are what is usual, and any other text may be there too.
	Words []string
	Open  bool

	Like string // a regular expression that a String matches, or each key of a Map
	Says string // what Like means, in words
	Min  int    // characters that are not blank, elements or members; of a number its least
	Max  int    // characters, elements or members; 0 for any number

	Above0 bool // a Number is more than that
}

// The types that many fields have.
var (
	anything = Type{}
	str      = Type{Kind: String}
	text     = Type{Kind: String, Min: 1}
	boolean  = Type{Kind: Bool}
	null     = Type{Kind: Null}
	positive = Type{Kind: Whole, Min: 1}
	texts    = arrayOf(str)
	headers  = mapOf(str)

	kebab  = like(`^[a-z][a-z0-9-]*$`, "lower-case letters, digits and hyphens, a letter first")
	camel  = like(`^[a-z][a-zA-Z0-9]*$`, "camelCase: letters and digits, a lower-case letter first")
	semver = like(`^\d+\.\d+\.\d+$`, "three numbers with dots between them")
	id     = Type{Kind: String, Min: 1}
)

func arrayOf(t Type) Type { return Type{Kind: Array, Of: &t} }

func mapOf(t Type) Type { return Type{Kind: Map, Of: &t} }

func ref(name string) Type { return Type{Kind: Ref, Ref: name} }

func either(types ...Type) Type { return Type{Kind: Either, Any: types} }

func like(expr, says string) Type { return Type{Kind: String, Like: expr, Says: says} }

// words are the only texts that a field may have.
func words(list ...string) Type { return Type{Kind: String, Words: list} }

// usually are the texts that a field has, as a rule.
func usually(list ...string) Type { return Type{Kind: String, Words: list, Open: true} }

func (t Type) atLeast(n int) Type {
	t.Min = n
	return t
}

func (t Type) atMost(n int) Type {
	t.Max = n
	return t
}

// keyed is a Map whose keys are like a text.
func (t Type) keyed(key Type) Type {
	t.Like, t.Says = key.Like, key.Says
	return t
}

// String is the type as TypeScript writes it.
func (t Type) String() string {
	switch t.Kind {
	case String:
		return t.stringText()
	case Number, Whole:
		return "number"
	case Bool:
		return "boolean"
	case Null:
		return "null"
	case Array:
		if inner := t.Of.String(); strings.Contains(inner, " ") && !strings.HasPrefix(inner, "{") {
			return "(" + inner + ")[]"
		}
		return t.Of.String() + "[]"
	case Map:
		return "{ [name: string]: " + t.Of.String() + " }"
	case Ref:
		return t.Ref
	case Either:
		list := make([]string, len(t.Any))
		for i, one := range t.Any {
			list[i] = one.String()
		}
		return strings.Join(list, " | ")
	}
	return "unknown"
}

func (t Type) stringText() string {
	if t.Words == nil {
		return "string"
	}
	list := make([]string, 0, len(t.Words)+1)
	for _, w := range t.Words {
		if strings.Contains(w, "…") {
			w = "`" + strings.ReplaceAll(w, "…", "${string}") + "`"
		} else {
			w = "'" + w + "'"
		}
		list = append(list, w)
	}
	if t.Open {
		list = append(list, "(string & {})") // string alone would swallow the words
	}
	return strings.Join(list, " | ")
}

// Limits says in words what String does not: "at most 8, camelCase".
func (t Type) Limits() string {
	var list []string
	for _, one := range t.Any {
		if limits := one.Limits(); limits != "" {
			list = append(list, limits)
		}
	}
	plural := map[Kind]string{String: "characters", Array: "elements", Map: "entries"}[t.Kind]
	switch {
	case plural == "" && t.Min > 0:
		list = append(list, "at least "+strconv.Itoa(t.Min))
	case t.Min == 1:
		list = append(list, "not empty")
	case t.Min > 1:
		list = append(list, "at least "+strconv.Itoa(t.Min)+" "+plural)
	}
	if t.Max > 0 {
		list = append(list, "at most "+strconv.Itoa(t.Max)+" "+plural)
	}
	switch {
	case t.Says != "" && t.Kind == Map:
		list = append(list, "keys: "+t.Says)
	case t.Says != "":
		list = append(list, t.Says)
	}
	if t.Kind == Whole {
		list = append(list, "whole")
	}
	if t.Above0 {
		list = append(list, "more than 0")
	}
	return strings.Join(list, "; ")
}
