package exec

import (
	"strings"

	"github.com/flowmcp/fmcp/pkg/domain"
	"github.com/flowmcp/fmcp/pkg/exec/fetch"
	"github.com/flowmcp/fmcp/pkg/model"
	"github.com/flowmcp/fmcp/pkg/words"
)

const scheme = fetch.Scheme

// urlBuilder writes root and path, and knows at each byte in which part of the
// URL it is, so that a value is encoded for that part.
type urlBuilder struct {
	out    text
	at     place
	filled bool   // the current path segment has text
	empty  string // key of an insert parameter in it that gave no text
	left   bool   // … because the caller left it out
	hold   func(error) error
}

func (b *builder) buildURL() error {
	root := b.tool.Root
	u := urlBuilder{out: text{{lit: scheme}}, at: inHost, hold: b.hold}
	if len(root) <= len(scheme) || !strings.EqualFold(root[:len(scheme)], scheme) {
		if err := b.holdRoot(fail(CodeBadRequest, "root %s does not start with https:// and a host",
			words.Quote(root))); err != nil {
			return err
		}
	} else if err := b.holdRoot(b.addRoot(&u, root[len(scheme):])); err != nil {
		return err
	}
	b.keepRoot(&u)
	// Without this a path ".evil.com" would name another host.
	if p := b.tool.Path; u.at == inHost && p != "" && p[0] != '/' && p[0] != '?' {
		if err := b.hold(fail(CodeBadRequest, "path %s does not start with / (VAL033)", words.Quote(p))); err != nil {
			return err
		}
		u.at = inPath
	}
	if err := b.addPath(&u); err != nil {
		return err
	}
	if err := b.hold(u.endSegment(true, b.req.Method)); err != nil {
		return err
	}
	b.req.url, b.sep = u.out, "?"
	if u.at == inQuery {
		b.sep = "&"
	}
	return nil
}

func (b *builder) addRoot(u *urlBuilder, root string) error {
	if open := domain.OpenLabel(root); open != "" {
		return fail(CodeHostRefused, "root %s leaves open whose host is called: %s is a part of the registrable "+
			"domain %s, and only labels left of that may be open (CMP022)", words.Quote(b.tool.Root), open,
			domain.OfRoot(root))
	}
	at := 0
	for _, ph := range model.Placeholders(root) {
		if err := u.literal(root[at:ph.Start], b.req.Method); err != nil {
			return err
		}
		at = ph.End
		if key, ok := ph.ServerKey(b.tool.ServerParams); ok {
			u.hole(key)
			continue
		}
		err := error(unresolved(root[ph.Start:ph.End], "root"))
		if u.at != inHost {
			err = b.hold(err)
		}
		if err != nil {
			return err
		}
		u.out = u.out.addLit(root[ph.Start:ph.End])
	}
	return u.literal(root[at:], b.req.Method)
}

func (b *builder) addPath(u *urlBuilder) error {
	var inserts []string
	for _, p := range b.tool.Params {
		if p.Location == model.Insert {
			inserts = append(inserts, p.Key)
		}
	}
	used := map[string]bool{}
	for _, part := range model.PathParts(b.tool.Path, inserts) {
		var err error
		switch p := b.insert(part.Key); {
		case part.Key == "":
			err = u.literal(part.Text, b.req.Method)
		case p != nil:
			used[part.Key] = true
			err = b.addInsert(u, p)
		default:
			err = b.addServerPart(u, part)
		}
		if err := b.hold(err); err != nil {
			return err
		}
	}
	for _, key := range inserts {
		if !used[key] {
			used[key] = true
			b.warn("parameter " + key + " is an insert parameter, and the path " + b.tool.Path + " has no {{" + key +
				"}}: it was not sent")
		}
	}
	return nil
}

// insert returns the insert parameter of that key, or nil.
func (b *builder) insert(key string) *Param {
	for i := range b.tool.Params {
		if p := &b.tool.Params[i]; p.Location == model.Insert && p.Key == key {
			return p
		}
	}
	return nil
}

func (b *builder) addServerPart(u *urlBuilder, part model.PathPart) error {
	if list := model.Placeholders(part.Text); len(list) == 1 {
		if key, ok := list[0].ServerKey(b.tool.ServerParams); ok {
			u.hole(key)
			return nil
		}
	}
	u.out = u.out.addLit(part.Text) // as a handler finds it
	return fail(CodeBadRequest, "path %s has the placeholder %s, and no insert parameter has that key (VAL050)",
		b.tool.Path, part.Text)
}

func (b *builder) addInsert(u *urlBuilder, p *Param) error {
	v, t, ok, err := b.valueOf(p)
	if err != nil {
		return err
	}
	if v.Exists() {
		// The elements of an array stand side by side, as in /coins/a,b.
		for i, s := range elements(v) {
			if i > 0 {
				u.out = u.out.addLit(",")
			}
			u.value(text{{lit: s}}, p.Slashes)
		}
	} else {
		u.value(t, p.Slashes)
	}
	if !u.filled && u.at == inPath {
		u.empty, u.left = p.Key, !ok
	}
	return nil
}

// value adds encoded text and holes. A / is encoded too, unless slashes stay
// (docs/decisions.md, "Slashes in paths").
func (u *urlBuilder) value(t text, slashes bool) {
	at := u.at
	if slashes && at == inPath {
		at = inSegments
	}
	for _, p := range t {
		u.filled = u.filled || p.key != "" || p.lit != ""
	}
	u.out = appendIn(u.out, t, at)
}

func (u *urlBuilder) hole(key string) {
	u.out = u.out.addHole(key, u.at)
	u.filled = true
}

// literal adds text of the schema and follows where in the URL it leads.
func (u *urlBuilder) literal(s, method string) error {
	start := 0
	for i := 0; i < len(s); i++ {
		var next place
		switch c := s[i]; {
		case c == '#':
			return fail(CodeBadRequest, "root or path holds a #, and what follows one is never sent: write %%23")
		case c == '?' && u.at < inQuery:
			next = inQuery
		case c == '/' && u.at <= inPath:
			next = inPath
		case c == '@' && u.at == inHost:
			return fail(CodeBadRequest, "root holds a user name or password before @: send it in a header instead")
		default:
			u.filled = true
			continue
		}
		u.out = u.out.addLit(literal(s[start:i], u.at))
		if err := u.hold(u.endSegment(next != inPath, method)); err != nil {
			return err
		}
		u.out = u.out.addLit(s[i : i+1])
		u.at, start = next, i+1
	}
	u.out = u.out.addLit(literal(s[start:], u.at))
	return nil
}

// endSegment judges the path segment that ends here. An optional parameter that
// was left out takes its segment with it at the end of a GET's path; anywhere
// else a segment without text would make it a different path.
func (u *urlBuilder) endSegment(last bool, method string) error {
	defer func() { u.filled, u.empty = false, "" }()
	if u.at != inPath || u.empty == "" || u.filled {
		return nil
	}
	if last && u.left && method == "GET" {
		n := len(u.out) - 1
		u.out[n].lit = strings.TrimSuffix(u.out[n].lit, "/")
		return nil
	}
	return fail(CodeBadValue, "parameter %s is in the path and must not be empty: give a value",
		words.Quote(u.empty))
}
