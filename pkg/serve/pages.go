package serve

import (
	"encoding/base64"
	"encoding/binary"
	"strconv"
	"sync"

	"github.com/mark3labs/mcp-go/mcp"

	"github.com/flowmcp/fmcp/pkg/ordjson"
	"github.com/flowmcp/fmcp/pkg/serve/listing"
)

// maxPage is how many bytes of definitions go on one page of a list.
// Several clients read the first page only, and others give up on a line of
// more than 10 MiB: so one page as long as that can be.
const maxPage = 8_000_000

// pages is a list of tools, resources or prompts. Its first page is made once, as
// most lists have no other. Others are made when they are asked for, and the last of
// them is kept: a catalog of 20,000 schemas has 50 MB of definitions.
type pages struct {
	name   string // of the member of the result that it is
	first  []int  // index of each page's first entry, and the number of all
	cursor []string
	at     func(i int) definition
	mark   uint64 // differs where the list does
	start  []byte // the first page

	mu   sync.Mutex
	last int    // number of another page that is kept
	kept []byte // its definitions
}

// definition is an entry of a list.
type definition interface {
	Listed() []byte
	Size() int     // of Listed, about
	Mark() uint64  // differs where the definition does
	Hold(b []byte) // replaces Listed by an equal part of a page, so that it is in memory once
}

// fixed is a definition that does not change.
type fixed []byte

func (f fixed) Listed() []byte { return f }
func (f fixed) Size() int      { return len(f) }
func (f fixed) Mark() uint64   { return listing.Mark(f) }
func (f fixed) Hold([]byte)    {}

// fixedPages makes a list of encoded definitions.
func fixedPages(name string, definitions [][]byte, limit int) *pages {
	return newPages(name, len(definitions), func(i int) definition { return fixed(definitions[i]) }, limit)
}

// newPages makes a list of n definitions.
func newPages(name string, n int, at func(i int) definition, limit int) *pages {
	p := &pages{name: name, first: []int{0}, cursor: []string{cursorOf(0)}, at: at}
	size, marks := 0, make([]byte, 0, 8*n)
	for i := range n {
		d := at(i)
		if size > 0 && size+d.Size() > limit {
			p.first, p.cursor, size = append(p.first, i), append(p.cursor, cursorOf(i)), 0
		}
		size += d.Size() + 1
		marks = binary.LittleEndian.AppendUint64(marks, d.Mark())
	}
	p.first, p.mark = append(p.first, n), listing.Mark(marks)
	p.start = p.made(0, definition.Hold)
	return p
}

// made makes the definitions of a page, with commas between them.
func (p *pages) made(page int, each func(definition, []byte)) []byte {
	size := 0
	for i := p.first[page]; i < p.first[page+1]; i++ {
		size += p.at(i).Size() + 1
	}
	text := make([]byte, 0, size)
	for i := p.first[page]; i < p.first[page+1]; i++ {
		if len(text) > 0 {
			text = append(text, ',')
		}
		start := len(text)
		text = append(text, p.at(i).Listed()...)
		each(p.at(i), text[start:len(text):len(text)])
	}
	return text
}

// text is the definitions of a page.
func (p *pages) text(page int) []byte {
	if page == 0 {
		return p.start
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.last != page {
		p.last, p.kept = page, p.made(page, func(definition, []byte) {})
	}
	return p.kept
}

// cursorOf is the cursor of the page that starts at entry i. It is an index:
// equal names cannot make tools vanish between pages.
func cursorOf(i int) string {
	return base64.RawURLEncoding.EncodeToString([]byte("tools:" + strconv.Itoa(i)))
}

// page returns the definitions of a page and the cursor of the one after it,
// "" at the end.
func (p *pages) page(cursor ordjson.Value) (text []byte, next mcp.Cursor, err *Error) {
	i := 0
	if cursor.Exists() && !(cursor.Is(ordjson.String) && cursor.Str() == "") {
		for i < len(p.cursor) && p.cursor[i] != cursor.Str() {
			i++
		}
		if i == len(p.cursor) {
			return nil, "", failure(mcp.INVALID_PARAMS, CodeBadParams,
				"params.cursor %s is not one that this server gave; take nextCursor of the page before, or none for "+
					"the first page", ordjson.Shown(cursor))
		}
	}
	if i+1 < len(p.cursor) {
		next = mcp.Cursor(p.cursor[i+1])
	}
	return p.text(i), next, nil
}
