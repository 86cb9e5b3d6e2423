package yaml

import (
	"math"
	"strconv"
	"strings"
	"unicode/utf8"

	yaml "go.yaml.in/yaml/v4"

	"github.com/flowmcp/fmcp/pkg/ordjson"
)

// scalar is the value of a node by its tag, which the library has resolved.
func scalar(n *yaml.Node) ordjson.Value {
	switch n.ShortTag() {
	case "!!null":
		return ordjson.NewNull()
	case "!!bool":
		return ordjson.NewBool(strings.EqualFold(n.Value, "true"))
	case "!!int", "!!float":
		if v, ok := number(strings.ReplaceAll(n.Value, "_", "")); ok {
			return v
		}
	}
	return ordjson.NewString(n.Value)
}

// number reads 12, 0x1F, 0o17, 017, 0b1 and 1.5e3.
func number(text string) (ordjson.Value, bool) {
	if i, err := strconv.ParseInt(text, 0, 64); err == nil {
		return ordjson.NewNumberText(strconv.FormatInt(i, 10)), true
	}
	f, err := strconv.ParseFloat(text, 64)
	if err != nil || math.IsInf(f, 0) || math.IsNaN(f) {
		return ordjson.Value{}, false
	}
	return ordjson.NewNumber(f), true
}

// places turns the library's lines and columns, which count characters, into
// byte offsets. Its lines end where YAML 1.1 says, not only at \n.
type places struct {
	text      string
	start     int   // where the first line starts
	lines     []int // starts of all lines
	line, col int   // where offset was asked for last
	last      int   // and its answer
}

func newPlaces(text string, start int) places {
	p := places{text: text, start: start, lines: []int{start}, line: 1, col: 1, last: start}
	for i := start; i < len(text); {
		c, n := utf8.DecodeRuneInString(text[i:])
		if c == '\r' && strings.HasPrefix(text[i+n:], "\n") {
			n++
		}
		i += n
		switch c {
		case '\n', '\r', '\u0085', '\u2028', '\u2029':
			p.lines = append(p.lines, i)
		}
	}
	return p
}

// offset is quick where questions come in the order of the text, also where
// that is one long line.
func (p *places) offset(line, col int) int {
	if line < 1 || line > len(p.lines) {
		return len(p.text)
	}
	if line != p.line || col < p.col {
		p.line, p.col, p.last = line, 1, p.lines[line-1]
	}
	for ; p.col < col && p.last < len(p.text); p.col++ {
		_, n := utf8.DecodeRuneInString(p.text[p.last:])
		p.last += n
	}
	return p.last
}
