package resolve

import (
	"encoding/base64"
	"iter"

	"github.com/flowmcp/fmcp/pkg/catalog"
	"github.com/flowmcp/fmcp/pkg/record"
)

// Parts returns what is certain of the catalogs although other shards are not known, for
// AddPart: lines of records, and what was found about files that no part has (decision
// "Shards"). Where Err returns an error afterwards, they are not whole.
func (r *Resolver) Parts() (iter.Seq[[]byte], []*record.Diagnostic) {
	s := r.begin()
	for _, c := range s.catalogs {
		s.checkContent(c)
	}
	found := s.diags
	for _, c := range s.catalogs {
		s.addLists(c) // who has all shards says what is wrong with them
	}
	return func(yield func([]byte) bool) {
		more := yield(catalog.EncodePart(string(record.TypeOptions), record.TypeOptions, r.partOptions(), nil))
		for _, c := range s.catalogs {
			for _, h := range c.schemas {
				if more = more && r.err == nil && s.yieldPart(c, h, yield); !more {
					return
				}
			}
			more = more && s.yieldDocuments(c, yield)
		}
	}, found
}

func (r *Resolver) partOptions() *catalog.PartOptions {
	o := &catalog.PartOptions{Version: r.opts.Version, ToolNames: string(r.opts.ToolNames), Profile: profileSpec,
		MaxName: r.opts.MaxName, NoExamples: r.opts.NoExamples}
	if r.opts.Community {
		o.Profile = record.ProfileCommunity
	}
	return o
}

// yieldPart yields the part of a schema, and the libraries that it is the first to need.
func (s *session) yieldPart(c *draft, h *held, yield func([]byte) bool) bool {
	l := s.open(h)
	p := s.partOf(c, l)
	for _, name := range p.Libraries {
		if lib, _ := s.opts.Library(name); !s.carried[name] {
			s.carried[name] = true
			line := catalog.Encode(lib).AppendJSON(nil)
			if !yield(catalog.EncodePart(name, record.TypeLibrary, &catalog.Part{}, [][]byte{line})) {
				return false
			}
		}
	}
	p.complete(h, l)
	var lines [][]byte
	for _, at := range p.at {
		lines = append(lines, s.text(at, nil))
	}
	return yield(catalog.EncodePart(h.id, record.TypeSchema, &p.Part, lines))
}

// complete fills in what only who merges parts needs: it has no load record.
func (p *part) complete(h *held, l *record.Load) {
	places := l.Find()
	known := map[catalog.ID]bool{}
	for typ, list := range map[string][]catalog.PartOf{catalog.TypeTool: p.Tools, catalog.TypeResource: p.Resources,
		string(record.TypePrompt): p.Prompts} {
		for i := range list {
			one := &list[i]
			one.Line, one.Col = places.Value(one.Pointer)
			known[catalog.ID{Namespace: h.namespace(), Type: typ, Name: one.Name}] = true
		}
	}
	for _, id := range p.ids {
		if !known[id] {
			p.Lost = append(p.Lost, id.String())
		}
	}
	for i := range p.Findings {
		one := &p.Findings[i]
		d := l.Src.Diagnose(one.Severity, one.Subject, one.Problem)
		one.Line, one.Col = places.Value(d.Loc.Pointer)
	}
	for _, id := range p.ids {
		if t := p.hashed[id.Name]; t != nil && id.Type == catalog.TypeTool {
			p.Hashed = append(p.Hashed, catalog.ToolHash{Name: id.Name, Hash: t.Hash})
		}
	}
}

// yieldDocuments yields the documents of the SKILL.md files of a catalog.
func (s *session) yieldDocuments(c *draft, yield func([]byte) bool) bool {
	more, read := true, s.opts.Read
	s.opts.Read = func(dir, name string) []byte {
		text := read(dir, name)
		doc := &catalog.PartFile{Dir: dir, Name: name, Missing: text == nil,
			Base64: base64.StdEncoding.EncodeToString(text)}
		more = more && yield(catalog.EncodePart(documentKey(dir, name), record.TypeDocument, doc, nil))
		return text
	}
	for _, h := range c.textFiles {
		if h.typ == record.TypeSkillMD && s.failed[h.src.File()] == nil {
			s.addBundle(c, h.load)
		}
	}
	s.opts.Read = read
	return more
}

// documentKey is the key of a document that is named in a file of a folder.
func documentKey(dir, name string) string { return dir + "//" + name }
