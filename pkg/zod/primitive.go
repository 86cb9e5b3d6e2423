package zod

import (
	"slices"
	"strconv"
	"strings"

	"github.com/flowmcp/fmcp/pkg/model"
	"github.com/flowmcp/fmcp/pkg/words"
)

// call splits "name(argument)": the argument is everything between the first
// parenthesis and the final one, so that it may hold commas and parentheses.
func call(text string) (name, arg string, ok bool) {
	text = strings.TrimSpace(text)
	open := strings.IndexByte(text, '(')
	if open < 0 {
		return text, "", false
	}
	if text[len(text)-1] != ')' {
		return strings.TrimSpace(text[:open]), "", false
	}
	return strings.TrimSpace(text[:open]), text[open+1 : len(text)-1], true
}

// synonyms are names of other type systems, and what chapter 02 has for them.
var synonyms = map[string]string{
	"int": "number", "integer": "number", "float": "number", "bigint": "number", "bool": "boolean", "str": "string",
	"text": "string", "date": "string", "datetime": "string", "url": "string", "any": "string", "list": "array",
	"record": "object", "map": "object", "literal": "enum", "union": "enum", "nativeEnum": "enum",
}

func (p *parser) primitive(text string) {
	p.defAt = -1
	name, arg, ok := call(text)
	if !slices.Contains(typeNames, name) {
		p.unknownPrimitive(text, name)
		return
	}
	if !ok {
		fix := name + "()"
		if name == string(Enum) {
			fix = "enum(A,B)"
			if _, values, _ := strings.Cut(text, "("); values != "" {
				fix = "enum(" + values + ")"
			}
		} else {
			p.schema.typ = Type(name)
		}
		p.report(BadPrimitive, -1, "z.primitive "+words.Quote(text)+" has no closed parentheses",
			"write "+strconv.Quote(fix)).Primitive = fix
		return
	}
	p.schema.typ = Type(name)
	if p.schema.typ == Enum {
		if strings.TrimSpace(arg) == "" {
			p.isEmpty = true
			return
		}
		p.enumValues(-1, arg)
		return
	}
	switch {
	case len(listsIn(arg)) > 0:
		p.report(MisplacedList, -1, "z.primitive "+words.Quote(text)+" holds "+arg+
			", which is allowed inside enum() only",
			"write "+strconv.Quote("enum("+arg+")"))
	case strings.TrimSpace(arg) != "":
		fix := "write " + strconv.Quote(name+"()")
		if chained, ok := strings.CutPrefix(arg, ")."); ok {
			fix += ", and " + strconv.Quote(chained+")") + " into z.options"
		}
		problem := p.report(BadPrimitive, -1, "z.primitive "+words.Quote(text)+" has an argument; "+name+
			"() takes none", fix)
		if !strings.Contains(arg, ")") {
			problem.Primitive = name + "()"
		}
	}
}

func (p *parser) unknownPrimitive(text, name string) {
	if text == "" {
		p.report(BadPrimitive, -1, "z.primitive is empty; expected one of string(), number(), boolean(), enum(…), "+
			"array(), object()", `write "string()" for any text`)
		return
	}
	fix := "use one of string(), number(), boolean(), enum(…), array(), object()"
	near, ok := synonyms[name]
	if !ok {
		near, ok = words.Closest(name, typeNames)
	}
	primitive := ""
	if ok {
		primitive = near + "()"
		fix = "write " + strconv.Quote(primitive)
		if near == "enum" {
			primitive, fix = "", `write "enum(A,B)" with the allowed values`
		}
	}
	p.report(BadPrimitive, -1, "z.primitive "+words.Quote(text)+
		" is not one of string(), number(), boolean(), enum(…), array(), object()", fix).Primitive = primitive
}

// listsIn returns the {{list:field}} placeholders of text.
func listsIn(text string) []model.Placeholder {
	var lists []model.Placeholder
	for _, ph := range model.Placeholders(text) {
		if !ph.Bare() && ph.Type != "SERVER_PARAM" {
			lists = append(lists, ph)
		}
	}
	return lists
}

// enumValues reads the comma-separated values of enum(…) or values(…).
func (p *parser) enumValues(index int, arg string) {
	spaces, quoted, repeated := false, false, ""
	var written []string // the values and lists without any of that
	seen := map[string]bool{}
	if body := strings.TrimSpace(arg); len(body) > 1 && body[0] == '[' && body[len(body)-1] == ']' {
		arg, quoted = body[1:len(body)-1], true
	}
	for i, raw := range strings.Split(arg, ",") {
		value := strings.TrimSpace(raw)
		spaces = spaces || value != raw
		if lists := listsIn(value); len(lists) > 0 {
			p.schema.lists = append(p.schema.lists, lists...)
			written = append(written, value)
			continue
		}
		if inner, ok := unquote(value); ok {
			value, quoted = inner, true
		}
		switch {
		case value == "":
			if p.told[EmptyEnum] == maxProblems {
				continue // reported often enough: there may be millions
			}
			p.report(EmptyEnum, index, "value "+strconv.Itoa(i+1)+" of enum("+words.Brief(arg)+") is empty",
				"remove the extra comma")
		case seen[value]:
			if repeated == "" {
				repeated = value
			}
		default:
			seen[value] = true
			p.schema.values, written = append(p.schema.values, value), append(written, value)
		}
	}
	clean := "enum(" + strings.Join(written, ",") + ")"
	report := func(k Kind, msg, fix string) {
		if problem := p.report(k, index, msg, fix); index < 0 {
			problem.Primitive = clean
		}
	}
	if spaces {
		report(EnumSpaces, "enum values have spaces around the commas; they are read without",
			"write "+strconv.Quote(clean))
	}
	if quoted {
		report(Quoted, "enum values are written with quotes or brackets; they are read without",
			"write "+strconv.Quote(clean))
	}
	if repeated != "" {
		report(RepeatedValue, "enum value "+strconv.Quote(repeated)+" is listed more than once",
			"list every value once")
	}
}
