package resolve

import (
	"bytes"
	"cmp"
	"encoding/base64"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"unique"

	"github.com/flowmcp/fmcp/pkg/catalog"
	"github.com/flowmcp/fmcp/pkg/record"
	"github.com/flowmcp/fmcp/pkg/spool"
	"github.com/flowmcp/fmcp/pkg/walk"
	"github.com/flowmcp/fmcp/pkg/words"
)

// merging is what a Resolver knows of parts beside their schemas.
type merging struct {
	options   catalog.PartOptions
	from      string                 // whose options they are
	inputs    map[string]bool        // that are parts
	failed    map[string][]string    // inputs with a finding of severity error, by the file that it is about
	lists     map[string]string      // files of lists that are taken out, by listKey
	libraries map[string]spool.Place // records of parts, by name
	documents map[string]spool.Place // likewise, by documentKey
}

// mismatch is the error of parts that do not make one catalog.
func mismatch(format string, args ...any) error {
	return fmt.Errorf(format+" ("+catalog.CodeParts+")", args...)
}

// AddPart takes a line of Parts, in place of the load records of schemas; name is that of
// the input. The error says what does not fit the parts before.
func (r *Resolver) AddPart(name string, line []byte) error {
	if r.parts == nil {
		return mismatch("%s: has parts of a catalog, which are not resolved again: fmcp-resolve merge FILE… makes a "+
			"catalog of them", name)
	}
	r.parts.inputs[name] = true
	id, typ, src := catalog.PartHead(line)
	switch typ {
	case record.TypeOptions:
		var o catalog.PartOptions
		catalog.DecodePart(line, &o)
		return r.agree(name, o)
	case record.TypeSchema:
		r.files = append(r.files, &held{at: r.put(line), file: file{typ, id,
			record.Source{Path: src.Path, Root: unique.Make(src.Root).Value()}}})
	case record.TypeLibrary:
		return r.same(r.parts.libraries, id, line, name+": the library "+words.Quote(id))
	case record.TypeDocument:
		return r.same(r.parts.documents, id, line, name+": the document "+words.Quote(id))
	}
	return r.err
}

// agree takes the options that a part was made with.
func (r *Resolver) agree(name string, o catalog.PartOptions) error {
	if o.Version != r.opts.Version {
		return mismatch("%s: was made by version %s of fmcp-resolve, and this is %s: make and merge all parts with "+
			"one version", name, o.Version, r.opts.Version)
	}
	if r.parts.from == "" {
		r.parts.from, r.parts.options = name, o
		r.opts.ToolNames, r.opts.MaxName, r.opts.NoExamples = ToolNames(o.ToolNames), o.MaxName, o.NoExamples
		r.opts.Community = o.Profile == record.ProfileCommunity
		return r.opts.check()
	}
	first := r.parts.options
	for _, both := range [][3]string{
		{"--tool-names", o.ToolNames, first.ToolNames}, {"--profile", o.Profile, first.Profile},
		{"--max-name", strconv.Itoa(o.MaxName), strconv.Itoa(first.MaxName)},
		{"--no-examples", strconv.FormatBool(o.NoExamples), strconv.FormatBool(first.NoExamples)},
	} {
		if both[1] != both[2] {
			return mismatch("%s: was made with %s %s, and %s with %s: make all parts with the same options", name,
				both[0], both[1], r.parts.from, both[2])
		}
	}
	return nil
}

// same keeps a record that several parts may have.
func (r *Resolver) same(known map[string]spool.Place, key string, line []byte, what string) error {
	at, twice := known[key]
	if !twice {
		known[key] = r.put(line)
	} else if !bytes.Equal(r.text(at, nil), line) {
		return mismatch("%s is not the one of an earlier part: make all parts from one state of the files", what)
	}
	return r.err
}

// checkParts says which file is in two parts where it must not be, or is not the same.
// What is the same, byte for byte, came once. The files are sorted.
func (r *Resolver) checkParts() error {
	for i, h := range r.files[:max(0, len(r.files)-1)] {
		next := r.files[i+1]
		switch {
		case h.src.Path != next.src.Path || h.src.Root != next.src.Root:
		case h.typ == record.TypeSchema && r.parts != nil:
			return mismatch("%s is in two parts: give each part once, and make them of shards of the same number",
				h.src.File())
		default:
			return mismatch("%s is not the same in all parts: make them from one state of the files", h.src.File())
		}
	}
	return nil
}

// dropFailed takes out files in which an error was found after the parts were made, as
// fmcp-validate --pass would have.
func (r *Resolver) dropFailed() {
	gone := func(name string) bool {
		return slices.ContainsFunc(r.parts.failed[name], func(input string) bool { return !r.parts.inputs[input] })
	}
	before := &session{Resolver: r}
	before.group()
	for _, c := range before.catalogs {
		before.addLists(c)
		for _, l := range c.lists.All() {
			if gone(l.Src.File()) {
				r.parts.lists[listKey(c, l.Name)] = l.Src.File()
			}
		}
	}
	r.files = slices.DeleteFunc(r.files, func(h *held) bool { return gone(h.src.File()) })
	maps.DeleteFunc(r.contents, func(_ string, l *record.Load) bool { return gone(l.Src.File()) })
}

func listKey(c *draft, name string) string { return c.dir + "//" + name }

// checkUsed says that a part was made with a list that is taken out.
func (s *session) checkUsed(c *draft, h *held, p *part) {
	for _, name := range p.Lists {
		if file := s.parts.lists[listKey(c, name)]; file != "" && s.failed[h.src.File()] == nil {
			d := s.failed[file]
			s.err = cmp.Or(s.err, mismatch("%s: its part was made with the list %s, which has an error (%s: %s): "+
				"correct that, and make the parts again", h.src.File(), file, d.Code, d.Message))
		}
	}
}

// document is Options.Read of what parts have.
func (r *Resolver) document(dir, name string) []byte {
	at, ok := r.parts.documents[documentKey(dir, name)]
	if !ok {
		return nil
	}
	var doc catalog.PartFile
	catalog.DecodePart(r.text(at, nil), &doc)
	text, err := base64.StdEncoding.DecodeString(doc.Base64)
	if err != nil || doc.Missing {
		return nil
	}
	return text
}

// part is what a schema has made for sure: here, or where it was.
func (s *session) part(c *draft, h *held) *part {
	if s.parts == nil {
		return s.partOf(c, s.open(h))
	}
	p := s.partAt(h)
	s.checkUsed(c, h, p)
	return p
}

// idsOf are the IDs of what a schema defines.
func (r *Resolver) idsOf(h *held) []catalog.ID {
	if r.parts == nil {
		return definedIDs(r.open(h))
	}
	return r.partAt(h).ids
}

// partAt reads a part.
func (r *Resolver) partAt(h *held) *part {
	r.buffer = r.text(h.at, r.buffer)
	p := &part{hashed: map[string]*walk.HashedTool{}}
	var found []record.Type
	for _, at := range catalog.DecodePart(r.buffer, &p.Part) {
		p.at = append(p.at, h.at.Part(at[0], at[1]))
		found = append(found, record.TypeIn(r.buffer[at[0]:at[0]+at[1]]))
	}
	want := slices.Concat(slices.Repeat([]record.Type{record.TypeTool}, len(p.Tools)),
		slices.Repeat([]record.Type{record.TypeResource}, len(p.Resources)))
	if p.Handlers {
		want = append(want, record.TypeHandlers)
	}
	if !slices.Equal(found, want) {
		r.err = cmp.Or(r.err, mismatch("the part record of %s lacks records of its tools, resources and handlers: "+
			"make the part again", h.src.File()))
		return &part{}
	}
	for i := range p.Keys { // which are kept: they are pieces of the line
		k := &p.Keys[i]
		k.Key, k.Pointer = unique.Make(k.Key).Value(), unique.Make(k.Pointer).Value()
	}
	p.Domain = strings.Clone(p.Domain)
	for typ, list := range map[string][]catalog.PartOf{catalog.TypeTool: p.Tools, catalog.TypeResource: p.Resources,
		string(record.TypePrompt): p.Prompts} {
		for _, one := range list {
			p.ids = append(p.ids, catalog.ID{Namespace: h.namespace(), Type: typ, Name: one.Name})
		}
	}
	for _, id := range p.Lost {
		namespace, typ, name := parts(id)
		p.ids = append(p.ids, catalog.ID{Namespace: namespace, Type: typ, Name: name})
	}
	for _, t := range p.Hashed {
		p.hashed[t.Name] = &walk.HashedTool{Hash: t.Hash}
	}
	return p
}

// Find finds places in a file of which there is a record by their pointers; nil where
// there is none.
func (r *Resolver) Find(name string) func(pointer string) (line, col int) {
	h := r.held(name)
	if h == nil {
		return nil
	}
	if h.typ != record.TypeSchema || r.parts == nil {
		return r.open(h).Find().Value
	}
	p := r.partAt(h)
	all := slices.Concat(p.Tools, p.Resources, p.Prompts)
	return func(pointer string) (line, col int) {
		for _, one := range all {
			if one.Pointer == pointer {
				return one.Line, one.Col
			}
		}
		return 0, 0
	}
}
