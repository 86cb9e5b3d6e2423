package forbidden

import (
	"slices"
	"strconv"
	"strings"

	"github.com/flowmcp/fmcp/pkg/lazy"
	"github.com/flowmcp/fmcp/pkg/module"
	"github.com/flowmcp/fmcp/pkg/ordjson"
)

// unserializable returns the values of an export, the statement with those
// tokens, that JSON does not have: SEC017, and inside of tests TST005, or
// RES023 where they are those of a query.
func unserializable(t *module.Tokens, export string, statement span) []Finding {
	d := dataScan{Tokens: &module.Tokens{Src: t.Src, List: t.List[:statement.end]}, export: export}
	// There is no value to read in a function or class of that name, in a list of
	// exports, and where it is taken out of a pattern.
	for i := statement.start; i < statement.end; i++ {
		if d.Name(i) == export && d.Is(i+1, "=") && i+2 < statement.end {
			d.at = i + 2
			d.value(nil)
			break
		}
	}
	return d.found
}

// dataScan reads the value of an export as far as it is written as data.
type dataScan struct {
	*module.Tokens
	export string
	at     int
	found  []Finding
}

func (d *dataScan) here() string { return d.Text(d.at) }

// value reads one value. What is computed of other values is not looked into:
// what comes out of it, only running it tells.
func (d *dataScan) value(path []any) {
	begin, known := d.at, len(d.found)
	switch {
	case d.Is(d.at, "{"):
		d.at++
		d.members(path)
	case d.Is(d.at, "["):
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
	for d.at < len(d.List) && !d.Closes(d.at) && !d.Is(d.at, ",") && !d.Is(d.at, ";") {
		d.at = d.past(d.at)
	}
}

// past is After where the tokens do not end with an EOF.
func (d *dataScan) past(i int) int {
	for d.Opens(i) {
		i = int(d.List[i].Match)
	}
	return i + 1
}

func (d *dataScan) elements(path []any) {
	for i := 0; d.at < len(d.List); i++ {
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
	for d.at < len(d.List) {
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
	i := d.at
	d.at++
	switch d.Kind(i) {
	case module.Ident:
		return d.Name(i), true
	case module.String:
		return d.StringValue(i)
	case module.Number:
		return d.Text(i), true
	}
	return "", false
}

// method returns the index of the name, if the tokens are a method or an
// accessor that has one, and -1 otherwise.
func (d *dataScan) method(begin, end int) int {
	for i := begin; i < end; i++ {
		switch d.Text(i) {
		case "...", "[":
			return -1
		case "(":
			if i > begin && d.Kind(i-1) != module.Punct && d.Is(end-1, "}") {
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
	text, alone := d.Text(begin), end-begin == 1
	switch {
	case begin == end:
		return ""
	case d.arrow(begin), text == "function" && d.Is(end-1, "}"), text == "async" && d.Text(begin+1) == "function":
		return "a function"
	case text == "class":
		return "a class"
	case text == "undefined" && alone, text == "void":
		return "undefined"
	case (text == "NaN" || text == "Infinity") && alone:
		return text
	case text == "-" && d.Text(begin+1) == "Infinity" && end-begin == 2:
		return "-Infinity"
	case text == "new" && (d.parentheses(begin+2, end) || end-begin == 2):
		return "an object of " + d.Text(begin+1)
	case (text == "Symbol" || text == "BigInt") && d.parentheses(begin+1, end):
		return "a " + text
	case d.Kind(begin) == module.Regex && alone:
		return "a regular expression"
	case d.Kind(begin) == module.Number && alone && strings.HasSuffix(text, "n"):
		return "a BigInt"
	}
	return ""
}

// parentheses reports whether the tokens are one pair of them.
func (d *dataScan) parentheses(begin, end int) bool {
	return d.Is(begin, "(") && int(d.List[begin].Match) == end-1
}

// arrow reports whether an arrow function begins at a token: a name or one pair
// of parentheses, and the arrow.
func (d *dataScan) arrow(begin int) bool {
	if d.Text(begin) == "async" && !d.Is(begin+1, "=>") {
		begin++
	}
	return (d.Kind(begin) == module.Ident || d.Is(begin, "(")) && d.Is(d.past(begin), "=>")
}

func (d *dataScan) report(path []any, begin int, what string) {
	code := "SEC017"
	switch {
	case len(path) > 3 && path[2] == "tests": // tools/NAME/tests/0
		code = "TST005"
	case len(path) > 5 && path[2] == "queries" && path[4] == "tests": // resources/NAME/queries/NAME/tests/0
		code = "RES023"
	}
	t := d.List[begin]
	d.found = append(d.found, Finding{
		Code: code, Start: int(t.Start), End: int(t.End), Pointer: ordjson.Pointer(path...),
		Msg: d.pathText(path) + ": found " + what + ", expected a value that JSON has",
	})
}

var plainKey = lazy.Regexp(`^[A-Za-z0-9][A-Za-z0-9_]*$`)

// pathText is a path into the export as an author writes it.
func (d *dataScan) pathText(path []any) string {
	var b strings.Builder
	b.WriteString(d.export)
	for _, key := range path {
		switch k := key.(type) {
		case int:
			b.WriteString("[" + strconv.Itoa(k) + "]")
		case string:
			if plainKey().MatchString(k) {
				b.WriteString("." + k)
			} else {
				b.WriteString("['" + k + "']")
			}
		}
	}
	return b.String()
}
