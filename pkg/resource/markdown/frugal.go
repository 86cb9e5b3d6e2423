package markdown

import (
	"errors"

	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/text"
)

// The work that reading blocks may take, in bytes looked at. Documents of
// people look at a byte three to ten times; 200,000 quotes in each other at
// each byte 200,000 times, which would take minutes.
const (
	firstWork   = 64 << 20
	workPerByte = 100
)

// errTooComplex is thrown where the work is used up: the parser cannot be stopped
// in another way.
var errTooComplex = errors.New("too complex")

// frugal is a reader that counts what is looked at.
type frugal struct {
	text.Reader
	left int
}

// PeekLine implements text.Reader: the parser looks at a line by it whenever it
// tries something.
func (f *frugal) PeekLine() ([]byte, text.Segment) {
	line, segment := f.Reader.PeekLine()
	f.spend(len(line))
	return line, segment
}

func (f *frugal) spend(n int) {
	if f.left -= n; f.left < 0 {
		panic(errTooComplex)
	}
}

var frugalKey = parser.NewContextKey()

// references takes the link references out of a paragraph. They are not text:
// an underline after them makes no heading. That takes the square of their
// number.
type references struct{ parser.ParagraphTransformer }

// Transform implements parser.ParagraphTransformer.
func (r references) Transform(node *ast.Paragraph, reader text.Reader, pc parser.Context) {
	if n := node.Lines().Len(); n > 1 {
		if line := node.Lines().At(0); line.Len() > 0 && reader.Source()[line.Start] == '[' {
			pc.Get(frugalKey).(*frugal).spend(n * n / 2)
		}
	}
	r.ParagraphTransformer.Transform(node, reader, pc)
}
