package forbidden

import (
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/flowmcp/fmcp/pkg/module"
	"github.com/flowmcp/fmcp/pkg/ordjson"
)

// mainScan knows whether the token at hand is inside the export main, and
// whether anything there may be no data. Nearly no main has such a token, so
// that looking closely costs nobody anything.
type mainScan struct {
	start   int // of the export
	inside  bool
	suspect bool
}

func (m *mainScan) begin(start int) { m.start, m.inside = start, true }

// end ends the export where its last brace closes.
func (m *mainScan) end(braces int) { m.inside = m.inside && braces > 0 }

func (m *mainScan) suspects() { m.suspect = m.suspect || m.inside }

// unserializable returns the values of the export main at start that JSON does
// not have: SEC017, and inside of tests TST005, or RES023 where they are those of
// a query.
func unserializable(src string, start int) []Finding {
	d := dataScan{src: src[start:], base: start, lex: module.NewLexer(src[start:])}
	for {
		t, err := d.lex.Next()
		if err != nil || t.Kind == module.EOF {
			break
		}
		d.tokens = append(d.tokens, t)
		if text := d.lex.Text(t); d.lex.Depth() == 0 && (text == "}" || text == ";") {
			break
		}
	}
	if d.toValue() {
		d.value(nil)
	}
	return d.found
}

// toValue goes to the value of main. There is none to read in a function or
// class of that name, in a list of exports, and where main is taken out of a
// pattern.
func (d *dataScan) toValue() bool {
	for i, t := range d.tokens {
		if t.Kind == module.Ident && t.Name == "main" && d.text(i+1) == "=" {
			d.at = i + 2
			return d.at < len(d.tokens)
		}
	}
	return false
}

// dataScan reads the value of an export as far as it is written as data.
type dataScan struct {
	src    string // from the export on
	base   int    // where that is in the file
	lex    *module.Lexer
	tokens []module.Token
	at     int
	found  []Finding
}

func (d *dataScan) text(i int) string {
	if i < 0 || i >= len(d.tokens) {
		return ""
	}
	return d.src[d.tokens[i].Start:d.tokens[i].End]
}

func (d *dataScan) here() string { return d.text(d.at) }

// value reads one value. What is computed of other values is not looked into:
// what comes out of it, only running it tells.
func (d *dataScan) value(path []any) {
	begin, known := d.at, len(d.found)
	switch d.here() {
	case "{":
		d.at++
		d.members(path)
	case "[":
		d.at++
		d.elements(path)
	default:
		d.skip()
		if what := d.kind(begin, d.at); what != "" {
			d.report(path, begin, what)
		}
		return
	}
	if end := d.here(); end != "," && end != "}" && end != "]" && end != ";" && end != "" {
		d.found = d.found[:known]
		d.skip()
	}
}

// skip goes to the comma or bracket that ends an expression.
func (d *dataScan) skip() {
	for depth := 0; d.at < len(d.tokens); d.at++ {
		t := d.tokens[d.at]
		first, last := d.src[t.Start], d.src[t.End-1]
		opens := t.Kind == module.Punct && strings.IndexByte("([{", first) >= 0 || t.Kind == module.Template && last == '{' && first != '}'
		closes := t.Kind == module.Punct && strings.IndexByte(")]}", first) >= 0 || t.Kind == module.Template && first == '}' && last != '{'
		if depth == 0 && (closes || t.Kind == module.Punct && (first == ',' || first == ';')) {
			return
		}
		if opens {
			depth++
		}
		if closes {
			depth--
		}
	}
}

func (d *dataScan) elements(path []any) {
	for i := 0; d.at < len(d.tokens); i++ {
		switch d.here() {
		case "]":
			d.at++
			return
		case ",": // an empty place
		default:
			d.value(append(slices.Clip(path), i))
		}
		if d.here() == "," {
			d.at++
		} else if d.here() != "]" {
			return
		}
	}
}

func (d *dataScan) members(path []any) {
	for d.at < len(d.tokens) {
		if d.here() == "}" {
			d.at++
			return
		}
		begin := d.at
		key, ok := d.key()
		switch {
		case ok && d.here() == ":":
			d.at++
			d.value(append(slices.Clip(path), key))
		default:
			d.at = begin
			d.skip()
			end := d.at
			if name := d.method(begin, end); name >= 0 {
				d.at = name
				key, _ = d.key()
				d.at = end
				d.report(append(slices.Clip(path), key), begin, "a function")
			}
		}
		if d.here() == "," {
			d.at++
		} else if d.here() != "}" {
			return
		}
	}
}

// key reads the key of a member, and reports whether it is a plain one.
func (d *dataScan) key() (string, bool) {
	t := d.tokens[d.at]
	d.at++
	switch t.Kind {
	case module.Ident:
		return t.Name, true
	case module.String:
		return d.lex.StringValue(t)
	case module.Number:
		return d.src[t.Start:t.End], true
	}
	return "", false
}

// method returns the index of the name, if the tokens are a method or an
// accessor that has one, and -1 otherwise.
func (d *dataScan) method(begin, end int) int {
	for i := begin; i < end; i++ {
		switch d.text(i) {
		case "...", "[":
			return -1
		case "(":
			if i > begin && d.tokens[i-1].Kind != module.Punct && d.text(end-1) == "}" {
				return i - 1
			}
			return -1
		}
	}
	return -1
}

// kind names what the expression between the tokens is, if it is a value that
// JSON does not have, and "" otherwise.
func (d *dataScan) kind(begin, end int) string {
	first := d.tokens[begin:min(begin+1, end)]
	if len(first) == 0 {
		return ""
	}
	switch text := d.text(begin); {
	case d.arrow(begin, end), text == "function" && d.text(end-1) == "}", text == "async" && d.text(begin+1) == "function":
		return "a function"
	case text == "class":
		return "a class"
	case text == "undefined" && end-begin == 1, text == "void":
		return "undefined"
	case (text == "NaN" || text == "Infinity") && end-begin == 1:
		return text
	case text == "-" && d.text(begin+1) == "Infinity" && end-begin == 2:
		return "-Infinity"
	case text == "new" && d.text(end-1) == ")" && d.plainCall(begin+2, end), text == "new" && end-begin == 2:
		return "an object of " + d.text(begin+1)
	case (text == "Symbol" || text == "BigInt") && d.plainCall(begin+1, end):
		return "a " + text
	case first[0].Kind == module.Regex && end-begin == 1:
		return "a regular expression"
	case first[0].Kind == module.Number && end-begin == 1 && strings.HasSuffix(text, "n"):
		return "a BigInt"
	}
	return ""
}

// plainCall reports whether the tokens are one pair of parentheses.
func (d *dataScan) plainCall(begin, end int) bool {
	if d.text(begin) != "(" {
		return false
	}
	depth := 0
	for i := begin; i < end; i++ {
		switch d.text(i) {
		case "(":
			depth++
		case ")":
			if depth--; depth == 0 {
				return i == end-1
			}
		}
	}
	return false
}

// arrow reports whether the tokens are an arrow function: a name or one pair of
// parentheses, and the arrow.
func (d *dataScan) arrow(begin, end int) bool {
	if d.text(begin) == "async" && d.text(begin+1) != "=>" {
		begin++
	}
	for i := begin + 1; i < end; i++ {
		if d.text(i) == "=>" {
			return i == begin+1 || d.plainCall(begin, i)
		}
	}
	return false
}

func (d *dataScan) report(path []any, begin int, what string) {
	code := "SEC017"
	switch {
	case len(path) > 3 && path[2] == "tests": // tools/NAME/tests/0
		code = "TST005"
	case len(path) > 5 && path[2] == "queries" && path[4] == "tests": // resources/NAME/queries/NAME/tests/0
		code = "RES023"
	}
	t := d.tokens[begin]
	d.found = append(d.found, Finding{
		Code: code, Start: d.base + t.Start, End: d.base + t.End, Pointer: ordjson.Pointer(path...),
		Msg: pathText(path) + ": found " + what + ", expected a value that JSON has",
	})
}

var plainKey = regexp.MustCompile(`^[A-Za-z0-9][A-Za-z0-9_]*$`)

// pathText is a path into main as an author writes it.
func pathText(path []any) string {
	var b strings.Builder
	b.WriteString("main")
	for _, key := range path {
		switch k := key.(type) {
		case int:
			b.WriteString("[" + strconv.Itoa(k) + "]")
		case string:
			if plainKey.MatchString(k) {
				b.WriteString("." + k)
			} else {
				b.WriteString("['" + k + "']")
			}
		}
	}
	return b.String()
}
