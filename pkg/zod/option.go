package zod

import (
	"regexp"
	"strconv"
	"strings"

	"github.com/flowmcp/fmcp/pkg/lazy"
	"github.com/flowmcp/fmcp/pkg/ordjson"
	"github.com/flowmcp/fmcp/pkg/words"
)

var optionNames = []string{"min", "max", "length", "optional", "default"}

// joined matches two options in one string, "optional(), default(5)"; only
// options whose argument cannot hold a parenthesis may come first.
var joined = lazy.Regexp(`^\s*((?:min|max|length|optional)\([^()]*\))\s*,\s*(.+)$`)

func (p *parser) option(i int, text string) {
	if strings.Contains(text, ",") { // spares nearly all options the pattern
		if m := joined().FindStringSubmatch(text); m != nil {
			p.report(JoinedOptions, i, "option "+words.Quote(text)+" holds two options; they are read as two",
				"make them two strings of the array").Options = m[1:]
			n, pieces := len(p.problems), p.pieces
			p.pieces = true
			p.option(i, m[1])
			p.option(i, m[2])
			p.pieces = pieces
			for j := range p.problems[n:] { // there is one place for both
				p.problems[n+j].Primitive, p.problems[n+j].Options = "", nil
			}
			return
		}
	}
	name, arg, ok := call(text)
	if !ok {
		p.unknownOption(i, text, name)
		return
	}
	switch name {
	case "min", "max", "length":
		p.bound(i, name, arg)
	case "optional":
		if strings.TrimSpace(arg) != "" {
			p.report(BadOption, i, "option "+words.Quote(text)+" has an argument; optional() takes none",
				`write "optional()"`).Options = []string{"optional()"}
		}
		p.schema.optional = true
	case "default":
		p.schema.optional = true
		p.def, p.defAt, p.defWhole = arg, i, !p.pieces
	case "regex":
		p.regex(i, arg)
	case "values":
		p.valuesOption(i, arg)
	default:
		p.unknownOption(i, text, name)
	}
}

// optionSynonyms are names of Zod and JSON Schema, and what chapter 02 has for
// them.
var optionSynonyms = map[string]string{
	"minLength": "min", "minimum": "min", "gte": "min", "maxLength": "max", "maximum": "max", "lte": "max",
	"nullable": "optional", "nullish": "optional",
}

func (p *parser) unknownOption(i int, text, name string) {
	msg := "option " + words.Quote(text) + " is not one of min(n), max(n), length(n), optional(), default(value)"
	fix := "remove it, or use one of those"
	near, ok := optionSynonyms[name]
	if !ok {
		near, ok = words.Closest(name, optionNames)
	}
	var options []string
	if ok {
		_, arg, _ := call(text)
		if near == "optional" {
			arg = ""
		}
		if options = []string{near + "(" + arg + ")"}; arg == "" && near != "optional" {
			arg, options = "…", nil
		}
		fix = "write " + strconv.Quote(near+"("+arg+")")
	}
	p.report(BadOption, i, msg, fix).Options = options
}

// applies says to which types an option applies (chapter 02, "Option Rules").
var applies = map[string][2]Type{
	"min": {Number, Text}, "max": {Number, Text}, "length": {Text, Array}, "regex": {Text, Text},
}

// ignored reports an option that has no meaning for the type.
func (p *parser) ignored(i int, name string) bool {
	types, typ := applies[name], p.schema.typ
	if typ == types[0] || typ == types[1] || typ == Unknown {
		return false
	}
	fix := "remove it"
	if typ == Array && name != "regex" {
		fix = "write length(n) for an exact number of items, or remove it"
	}
	p.report(IgnoredOption, i, "option "+name+"(…) does not apply to "+string(typ)+"() and is ignored",
		fix).Options = []string{}
	return true
}

func (p *parser) bound(i int, name, arg string) {
	n, ok := number(strings.TrimSpace(arg))
	if !ok {
		p.report(BadOption, i, "option "+strconv.Quote(name+"("+arg+")")+" needs a number",
			"write "+strconv.Quote(name+"(1)")+" with the number you mean")
		return
	}
	if p.ignored(i, name) || p.schema.typ == Unknown {
		return
	}
	if name == "length" && (n < 0 || n != float64(int64(n))) {
		p.report(BadOption, i, "option "+strconv.Quote("length("+arg+")")+" needs a whole number of 0 or more",
			`write "length(42)" with the length you mean`)
		return
	}
	p.schema.checks = append(p.schema.checks, check{name: name, n: n, text: strings.TrimSpace(arg)})
}

// number reads a JSON number that a float64 holds.
func number(text string) (float64, bool) {
	v, err := ordjson.Parse(text)
	if err != nil || !v.Is(ordjson.Number) {
		return 0, false
	}
	n := v.Float()
	return n, n-n == 0
}

// valuesOption reads values(a,b) of a field schema that writes the primitive
// enum() without values.
func (p *parser) valuesOption(i int, arg string) {
	if !p.isEmpty {
		p.unknownOption(i, "values("+arg+")", "values")
		return
	}
	p.enumValues(i, arg)
	primitive := "enum(" + strings.Join(p.schema.values, ",") + ")"
	problem := p.report(ValuesOption, i, "the enum's values are in the option values(…); they are read as if they "+
		"were in the primitive", "write the primitive "+strconv.Quote(primitive)+" and remove the option")
	problem.Primitive, problem.Options = primitive, []string{}
}

var (
	regexLiteral = lazy.Regexp(`^/(.*)/([a-z]*)$`)
	unicodeRef   = lazy.Regexp(`\\u([0-9a-fA-F]{4})`)
)

// maxPattern is the size in bytes of the largest pattern that is applied: one of
// megabytes takes a minute and gigabytes.
const maxPattern = 4096

// regex reads regex(…), written as a bare pattern or as /pattern/flags.
func (p *parser) regex(i int, arg string) {
	p.report(RegexOption, i, "option "+strconv.Quote("regex("+arg+")")+
		" is not in the specification; it is read and applied",
		"describe the form in the tool's description and use min(), max() or length()").Options = []string{}
	if p.ignored(i, "regex") || p.schema.typ == Unknown {
		return
	}
	pattern, flags := arg, ""
	if m := regexLiteral().FindStringSubmatch(arg); m != nil {
		pattern, flags = m[1], m[2]
	}
	prefix := ""
	for _, f := range []string{"i", "m", "s"} {
		if strings.Contains(flags, f) {
			prefix += f
		}
	}
	if prefix != "" {
		prefix = "(?" + prefix + ")"
	}
	if len(pattern) > maxPattern {
		p.report(BadRegex, i, "the pattern "+words.Quote(pattern)+" has "+strconv.Itoa(len(pattern))+" bytes; at most "+
			strconv.Itoa(maxPattern)+" are applied", "use a shorter pattern").Options = []string{}
		return
	}
	re, err := regexp.Compile(prefix + unicodeRef().ReplaceAllString(pattern, `\x{$1}`))
	if err != nil {
		p.report(BadRegex, i, "the pattern "+strconv.Quote(pattern)+" cannot be applied: "+
			strings.TrimPrefix(err.Error(), "error parsing regexp: "),
			"use a pattern without lookahead, lookbehind and back-references").Options = []string{}
		return
	}
	p.schema.checks = append(p.schema.checks, check{name: "regex", text: pattern, re: re, flags: prefix != ""})
}

// finish judges what only the whole block shows.
func (p *parser) finish() {
	s := p.schema
	if len(s.values) >= mapFrom {
		s.set = make(map[string]struct{}, len(s.values))
		for _, v := range s.values {
			s.set[v] = struct{}{}
		}
	}
	if s.typ == Enum && len(s.values) == 0 && len(s.lists) == 0 {
		p.report(EmptyEnum, -1, "enum() has no values; at least one is required",
			`write "enum(A,B)" with the allowed values`)
	}
	p.contradictions()
	if p.defAt >= 0 {
		p.defaultValue()
	}
}

func (p *parser) contradictions() {
	b := p.schema.bounds()
	switch {
	case b.min > b.max:
		p.report(Contradiction, -1, "no value can meet the options: at least "+plain(b.min)+" and at most "+
			plain(b.max), "correct min, max and length")
	case p.schema.typ == Text && b.max < 0:
		p.report(Contradiction, -1, "no text has a length of at most "+plain(b.max), "give max() a length of 0 or more")
	}
}

// defaultValue types the argument of default() and checks it against the block.
func (p *parser) defaultValue() {
	s, text := p.schema, p.def
	if s.typ == Text || s.typ == Enum {
		if inner, ok := unquote(text); ok {
			problem := p.report(QuotedDefault, p.defAt, "default("+text+
				") is written with quotes; the value is read without", "write "+strconv.Quote("default("+inner+")"))
			if p.defWhole {
				problem.Options = []string{"default(" + inner + ")"}
			}
			text = inner
		}
	}
	v, err := s.FromText(text)
	if err != nil {
		p.report(BadDefault, p.defAt, "default("+p.def+"): "+err.Error(), "give a default that the primitive accepts")
		return
	}
	if issues := s.Check(v); len(issues) > 0 {
		p.report(BadDefault, p.defAt, "default("+p.def+") is refused by its own block: "+issues[0].Msg,
			"give a default that meets primitive and options")
	}
	s.def = v
}

// unquote removes quotes around a whole text: a JSON string, or text in single
// quotes without others in it.
func unquote(text string) (string, bool) {
	if len(text) < 2 || text[0] != text[len(text)-1] {
		return text, false
	}
	switch text[0] {
	case '"':
		v, err := ordjson.Parse(text)
		return v.Str(), err == nil
	case '\'':
		inner := text[1 : len(text)-1]
		return inner, !strings.Contains(inner, "'")
	}
	return text, false
}
