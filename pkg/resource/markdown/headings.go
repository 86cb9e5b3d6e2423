package markdown

import (
	"bytes"
	"strings"

	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/text"
	"github.com/yuin/goldmark/util"

	"github.com/flowmcp/fmcp/pkg/ordjson"
	"github.com/flowmcp/fmcp/pkg/words"
	"github.com/flowmcp/fmcp/pkg/yaml"
)

// heading is one of a document itself: those in quotes and lists divide nothing.
type heading struct {
	level int    // 1 to 6
	raw   string // its text as written, without # and underline, in one line
	line  int    // on which it begins, from 1
}

// String is the heading as it is asked for: "## Functions".
func (h heading) String() string { return strings.Repeat("#", h.level) + " " + h.raw }

// headings finds the headings of a document, in order. Text in code blocks and
// HTML is not a heading, nor is a frontmatter, whose second fence would be an
// underline. The error, a *words.Problem, is about a document that nests so deeply
// that reading it would take too long.
func headings(src []byte) (list []heading, err error) {
	top := bodyStart(src)
	defer func() {
		if r := recover(); r != nil {
			if r != errTooComplex {
				panic(r)
			}
			list, err = nil, fail(CodeDocument,
				"the document nests too deeply to find its sections: read it by lines or search")
		}
	}()
	reader := &frugal{Reader: text.NewReader(src[top:]), left: firstWork + workPerByte*len(src)}
	pc := parser.NewContext()
	pc.Set(frugalKey, reader)
	doc := blocks.Parse(reader, parser.WithContext(pc))
	line, at := 1+bytes.Count(src[:top], []byte("\n")), top
	for n := doc.FirstChild(); n != nil; n = n.NextSibling() {
		h, ok := n.(*ast.Heading)
		if !ok {
			continue
		}
		pos := top + h.Pos()
		line += bytes.Count(src[at:pos], []byte("\n"))
		at = pos
		list = append(list, heading{level: h.Level, raw: rawText(h, src[top:]), line: line})
	}
	return list, nil
}

// bodyStart is where a document begins after its frontmatter. Two thematic
// breaks with text in between only look like one.
func bodyStart(src []byte) int {
	if !bytes.HasPrefix(src, []byte(yaml.Fence)) {
		return 0
	}
	front, body, err := yaml.Frontmatter(string(src))
	if err != nil || !front.Is(ordjson.Object) {
		return 0
	}
	return body
}

func rawText(h *ast.Heading, src []byte) string {
	var b strings.Builder
	for i := range h.Lines().Len() {
		line := h.Lines().At(i)
		b.Write(line.Value(src))
		b.WriteByte(' ')
	}
	return words.OneLine(b.String())
}

// blocks reads the blocks of a document and leaves alone what is in them: the
// sections of a document do not depend on it.
var blocks = parser.NewParser(
	parser.WithBlockParsers(parser.DefaultBlockParsers()...),
	parser.WithParagraphTransformers(util.Prioritized(references{parser.LinkReferenceParagraphTransformer}, 100)),
)

// inlines reads a single heading.
var inlines = parser.NewParser(
	parser.WithBlockParsers(parser.DefaultBlockParsers()...),
	parser.WithInlineParsers(parser.DefaultInlineParsers()...),
)

// plain is the text of a heading as it is read, without marks of emphasis,
// code and links.
func plain(raw string) string {
	if !strings.ContainsAny(raw, "*_`[]<>&\\!") || len(raw) > maxPlain {
		return raw
	}
	src := []byte("# " + raw)
	var b strings.Builder
	_ = ast.Walk(inlines.Parse(text.NewReader(src)), func(n ast.Node, entering bool) (ast.WalkStatus, error) {
		if entering {
			switch n := n.(type) {
			case *ast.Text:
				b.Write(shownText(n, src))
				if n.SoftLineBreak() {
					b.WriteByte(' ')
				}
			case *ast.String:
				b.Write(n.Value)
			case *ast.AutoLink:
				b.Write(n.Label(src))
			}
		}
		return ast.WalkContinue, nil
	})
	return words.OneLine(b.String())
}

// shownText is a text as it is read: \_ is _, and &lt; is <, but not in code.
func shownText(n *ast.Text, src []byte) []byte {
	written := n.Segment.Value(src)
	if _, code := n.Parent().(*ast.CodeSpan); code {
		return written
	}
	return util.ResolveEntityNames(util.ResolveNumericReferences(util.UnescapePunctuations(written)))
}

// maxPlain is the length up to which marks in a heading are removed.
const maxPlain = 1000
