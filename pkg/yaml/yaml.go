// Package yaml reads YAML as ordered JSON values with positions: the
// configuration file, and the frontmatter of SKILL.md. It is the only importer
// of the YAML library, and stricter than it, since the text is untrusted.
package yaml

import (
	"errors"
	"fmt"
	"io"
	"strings"
	"unicode/utf8"

	yaml "go.yaml.in/yaml/v4"
	"go.yaml.in/yaml/v4/plugin/loaderlimits"

	"github.com/flowmcp/fmcp/pkg/ordjson"
	"github.com/flowmcp/fmcp/pkg/words"
)

// Limits of what is read. A configuration or a frontmatter is far below them;
// what is above wants to cost us time or memory.
const (
	MaxSize   = 256 << 10 // bytes of text
	MaxDepth  = 100       // lists and mappings inside each other
	MaxValues = 20_000    // values, those that aliases repeat counted each time
)

// Parse reads a text that is one YAML document; an empty one is null. Values
// and keys know their byte offsets, an alias's value that of the alias.
// Mappings keep their order, and no key may stand twice. Merge keys (<<) are
// refused. A date is a string, and so are .inf and .nan, which JSON lacks.
// Errors are *words.SyntaxError.
func Parse(text string) (ordjson.Value, error) {
	start := 0
	if strings.HasPrefix(text, bom) {
		start = len(bom)
	}
	return parse(text, start, len(text))
}

const bom = "\uFEFF"

// parse reads text[start:end]; offsets count from the start of text.
func parse(text string, start, end int) (ordjson.Value, error) {
	if end-start > MaxSize {
		return ordjson.Value{}, &words.SyntaxError{Offset: start,
			Message: fmt.Sprintf("%d bytes of YAML, expected at most %d", end-start, MaxSize)}
	}
	if err := checkText(text[start:end], start); err != nil {
		return ordjson.Value{}, err
	}
	r := reader{places: newPlaces(text[:end], start), offsets: map[*yaml.Node]int{}}
	node, err := r.load(text[start:end])
	if err != nil {
		return ordjson.Value{}, err
	}
	if node == nil {
		return ordjson.NewNull().At(start), nil
	}
	return r.value(node, 0)
}

// checkText refuses what is not text, which the library does without a place.
func checkText(text string, start int) error {
	for i, c := range text {
		switch {
		case c == utf8.RuneError && !strings.HasPrefix(text[i:], string(utf8.RuneError)):
			return &words.SyntaxError{Offset: start + i, Message: "is not UTF-8: save the file as UTF-8"}
		case c < ' ' && c != '\t' && c != '\n' && c != '\r', c >= 0x7f && c < 0xa0 && c != 0x85, c == 0xfffe,
			c == 0xffff:
			return &words.SyntaxError{Offset: start + i, Message: fmt.Sprintf("found the control character %U, "+
				"expected text", c)}
		}
	}
	return nil
}

// reader makes values of one document.
type reader struct {
	places  places
	offsets map[*yaml.Node]int // of the nodes seen: aliases come back to them
	values  int
}

// load returns the root of the one document in text, or nil if there is none.
func (r *reader) load(text string) (*yaml.Node, error) {
	loader, err := yaml.NewLoader(strings.NewReader(text),
		yaml.WithPlugin(loaderlimits.New(loaderlimits.DepthValue(MaxDepth))))
	if err != nil {
		return nil, &words.SyntaxError{Message: err.Error()}
	}
	var doc, second yaml.Node
	switch err := loader.Load(&doc); {
	case errors.Is(err, io.EOF):
		return nil, nil
	case err != nil:
		return nil, r.syntax(err)
	}
	switch err := loader.Load(&second); {
	case err == nil:
		return nil, r.fail(&second, "found a second document, expected one")
	case !errors.Is(err, io.EOF):
		return nil, r.syntax(err)
	}
	return doc.Content[0], nil
}

// syntax gives an error of the library its place.
func (r *reader) syntax(err error) error {
	var at *yaml.LoadError
	if !errors.As(err, &at) {
		return &words.SyntaxError{Offset: r.places.start, Message: err.Error()}
	}
	e := &words.SyntaxError{Offset: r.places.offset(at.Mark.Line, at.Mark.Column), Message: at.Message}
	switch rest := r.places.text[e.Offset:]; {
	case strings.HasPrefix(rest, "\t"):
		e.Message = "found a tab, expected spaces: YAML is not indented with tabs"
	case strings.HasPrefix(rest, "@"), strings.HasPrefix(rest, "`"), strings.HasPrefix(rest, "%"):
		e.Message = fmt.Sprintf("found %s, which starts no value: put the value in quotes", words.Quote(rest[:1]))
	case strings.HasPrefix(at.Message, "mapping values are not allowed"):
		e.Message = `found ": " inside a value, or a key that is indented wrongly: put the value in quotes`
	}
	return e
}

func (r *reader) fail(n *yaml.Node, format string, args ...any) error {
	return &words.SyntaxError{Offset: r.at(n), Message: fmt.Sprintf(format, args...)}
}

func (r *reader) at(n *yaml.Node) int {
	at, known := r.offsets[n]
	if !known {
		at = r.places.offset(n.Line, n.Column)
		r.offsets[n] = at
	}
	return at
}

func (r *reader) value(n *yaml.Node, depth int) (ordjson.Value, error) {
	if r.values++; r.values > MaxValues {
		return ordjson.Value{}, r.fail(n, "more than %d values, those that aliases repeat included", MaxValues)
	}
	if depth > MaxDepth { // an alias of what it is in
		return ordjson.Value{}, r.fail(n, "nested more than %d deep, aliases included", MaxDepth)
	}
	at := r.at(n) // before those inside, since places are looked for in order
	var v ordjson.Value
	var err error
	switch n.Kind {
	case yaml.MappingNode:
		v, err = r.mapping(n, depth)
	case yaml.SequenceNode:
		v, err = r.sequence(n, depth)
	case yaml.AliasNode:
		v, err = r.value(n.Alias, depth+1)
	default:
		v = scalar(n)
	}
	if err != nil {
		return ordjson.Value{}, err
	}
	return v.At(at), nil
}

func (r *reader) sequence(n *yaml.Node, depth int) (ordjson.Value, error) {
	elems := make([]ordjson.Value, len(n.Content))
	for i, c := range n.Content {
		var err error
		if elems[i], err = r.value(c, depth+1); err != nil {
			return ordjson.Value{}, err
		}
	}
	return ordjson.NewArray(elems...), nil
}

func (r *reader) mapping(n *yaml.Node, depth int) (ordjson.Value, error) {
	members := make([]ordjson.Member, 0, len(n.Content)/2)
	seen := make(map[string]bool, len(n.Content)/2)
	for i := 0; i+1 < len(n.Content); i += 2 {
		k := n.Content[i]
		switch {
		case k.Kind != yaml.ScalarNode || k.ShortTag() == "!!null":
			return ordjson.Value{}, r.fail(k, "found a key that is not text, expected a word")
		case k.ShortTag() == "!!merge":
			return ordjson.Value{}, r.fail(k, "found a merge key, which is not read here: write the keys out")
		case seen[k.Value]:
			return ordjson.Value{}, r.fail(k, "found the key %s a second time, expected each key once",
				words.Quote(k.Value))
		}
		seen[k.Value] = true
		pos := r.at(k)
		v, err := r.value(n.Content[i+1], depth+1)
		if err != nil {
			return ordjson.Value{}, err
		}
		members = append(members, ordjson.Member{Key: k.Value, Value: v, KeyPos: int32(pos)})
	}
	return ordjson.NewObject(members...), nil
}
