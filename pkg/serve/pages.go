package serve

import (
	"encoding/base64"
	"strconv"

	"github.com/mark3labs/mcp-go/mcp"

	"github.com/flowmcp/fmcp/pkg/ordjson"
)

// maxPage is how many bytes of definitions go on one page of a list.
// Several clients read the first page only, and others give up on a line of
// more than 10 MiB: so one page as long as that can be.
const maxPage = 8_000_000

// pages is an encoded list of tools, resources or prompts, made once.
type pages struct {
	name   string // of the member of the result that it is
	text   []byte // the definitions, with commas between them
	cuts   []int  // where each page starts in text, and the end
	first  []int  // index of each page's first entry
	cursor []string
}

// newPages makes a list of definitions, which become parts of its text: else they
// would be in memory twice.
func newPages(name string, definitions [][]byte, limit int) *pages {
	size := 0
	for _, def := range definitions {
		size += len(def) + 1
	}
	p := &pages{name: name, text: make([]byte, 0, size)}
	for i, def := range definitions {
		if n := len(p.cuts); n == 0 || len(p.text)+len(def)-p.cuts[n-1] > limit {
			p.cuts = append(p.cuts, len(p.text))
			p.first = append(p.first, i)
			p.cursor = append(p.cursor, cursorOf(i))
		}
		at := len(p.text)
		p.text = append(p.text, def...)
		definitions[i] = p.text[at:len(p.text):len(p.text)]
		p.text = append(p.text, ',')
	}
	if len(p.cuts) == 0 {
		return &pages{name: name, cuts: []int{0, 0}, first: []int{0}, cursor: []string{cursorOf(0)}}
	}
	p.cuts = append(p.cuts, len(p.text))
	return p
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
	text = p.text[p.cuts[i]:p.cuts[i+1]]
	if len(text) > 0 {
		text = text[:len(text)-1]
	}
	if i+1 < len(p.cursor) {
		next = mcp.Cursor(p.cursor[i+1])
	}
	return text, next, nil
}
