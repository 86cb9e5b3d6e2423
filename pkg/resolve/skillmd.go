package resolve

import (
	"path"
	"path/filepath"
	"unicode/utf8"

	"github.com/flowmcp/fmcp/pkg/catalog"
	"github.com/flowmcp/fmcp/pkg/model"
	"github.com/flowmcp/fmcp/pkg/record"
	"github.com/flowmcp/fmcp/pkg/rules"
	"github.com/flowmcp/fmcp/pkg/words"
)

// bundle is a SKILL.md with its documents.
type bundle struct {
	*catalog.SkillMD
	load *record.Load
}

// addBundle adds a SKILL.md with the documents that it refers to, or leaves it out:
// a part of a bundle is not what its author wrote. The documents are read here,
// since a catalog stands without the files that it was made of.
func (s *session) addBundle(c *draft, l *record.Load) {
	var problems []words.Problem
	for _, f := range rules.Blocking(l, &c.rules) {
		problems = append(problems, f.Problem())
	}
	if problems == nil {
		b := newBundle(l)
		if problems = s.readDocuments(b); problems == nil {
			problems = c.takeAddress(b)
		}
		if problems == nil {
			c.bundles = append(c.bundles, b)
			return
		}
	}
	f := fileOf(l)
	s.reportAll(&f, problems)
	c.leftOut++
}

// newBundle maps a frontmatter (skill-md-frontmatter, "Frontmatter To FastMCP Mapping
// Contract"). Without x-personal-mcp, which the field does not have, it is the
// SKILL.md alone.
func newBundle(l *record.Load) *bundle {
	m := model.NewBundle(l.Data)
	b := &bundle{load: l, SkillMD: &catalog.SkillMD{
		ID: l.ID, Namespace: catalog.NamespaceOf(l), Name: m.Name(), Version: m.Extension().Get("version").Str(),
		Description: m.Front().Get("description").Str(),
		Tags:        record.StringsOf(m.Extension().Get("tags")),
		DependsOn:   record.StringsOf(m.Extension().Get("depends_on")), Frontmatter: m.Front().Value,
		Capabilities: record.StringsOf(m.Extension().Get("capabilities")),
		Src:          catalog.Src{Path: l.Src.Path}, Hashes: l.Hashes,
	}}
	b.Documents = []catalog.Document{{URI: model.SkillURI(m.Name()), Title: m.Name(), MIMEType: model.MIMEMarkdown,
		Path: path.Base(l.Src.Path)}}
	for _, r := range m.References() {
		b.Documents = append(b.Documents, catalog.Document{URI: model.ReferenceURI(m.Name(), r.ID), Ref: r.ID,
			Title: r.Title, MIMEType: r.MIMEType, Path: path.Clean(r.Path)})
	}
	return b
}

// readDocuments fills in what the documents have, and says which cannot be read.
func (s *session) readDocuments(b *bundle) (problems []words.Problem) {
	dir := filepath.Dir(b.load.Src.File())
	for i := range b.Documents {
		d := &b.Documents[i]
		text := s.opts.Read(dir, d.Path)
		d.Hash, d.Content = record.Hash(text), string(text)
		switch at := "/frontmatter/x-personal-mcp/references/" + d.Ref; {
		case d.Ref == "" && d.Hash != b.load.Src.FileHash:
			problems = append(problems, words.Problem{Code: catalog.CodeChanged,
				Message: "the file changed or vanished after it was loaded, so that it cannot be kept",
				Fix:     "scan again when nothing writes to the tree"})
		case text == nil:
			problems = append(problems, words.Problem{Code: "SKM019", Pointer: at,
				Message: words.Quote(d.Path) + " does not exist, or cannot be read",
				Fix:     "add the file, or remove the reference"})
		case !utf8.Valid(text):
			problems = append(problems, words.Problem{Code: "SKM019", Pointer: at,
				Message: words.Quote(d.Path) + " is not UTF-8", Fix: "save it as UTF-8"})
		}
	}
	return problems
}

// takeAddress takes the URI of a bundle, which has no namespace: of two of one name
// the first is kept.
func (c *draft) takeAddress(b *bundle) []words.Problem {
	for _, first := range c.bundles {
		if first.Name == b.Name {
			return []words.Problem{{Code: catalog.CodeDuplicateID, Pointer: "/frontmatter/name",
				Message: b.Documents[0].URI + " is the address of " + b.load.Src.File() + " and of " +
					first.load.Src.File() + ", which is used",
				Fix: "rename one of the two skills and its folder"}}
		}
	}
	return nil
}

// resolveBundles replaces the names of skills that others depend on, which are beside
// them, by their IDs.
func (c *draft) resolveBundles() {
	ids := map[string]string{}
	for _, b := range c.bundles {
		ids[filepath.Dir(b.load.Src.File())] = b.ID
	}
	for _, b := range c.bundles {
		for i, name := range b.DependsOn {
			beside := filepath.Join(filepath.Dir(b.load.Src.File()), "..", name)
			if id := ids[beside]; id != "" {
				b.DependsOn[i] = id
			}
		}
	}
}
