package catalog

import (
	"github.com/flowmcp/fmcp/pkg/ordjson"
	"github.com/flowmcp/fmcp/pkg/record"
)

// SkillMD is a bundle of Agent Skills: a SKILL.md and the documents that it refers
// to (decision "Addresses of Agent Skills").
type SkillMD struct {
	ID                                    string
	Namespace, Name, Version, Description string
	Tags, Capabilities                    []string
	DependsOn                             []string      // IDs; names of what the catalog does not have
	Frontmatter                           ordjson.Value // as written
	Documents                             []Document    // the SKILL.md first
	Src                                   Src
	Hashes                                record.Hashes
}

// Document is a file of a bundle, as its bytes are.
type Document struct {
	URI           string
	Ref           string // under which the SKILL.md refers to it; "" of the SKILL.md
	Title         string // "" where there is none
	MIMEType      string
	Path          string // relative to the SKILL.md
	Hash, Content string
}

// Head implements Record.
func (s *SkillMD) Head() (string, record.Type) { return s.ID, record.TypeSkillMD }

func (s *SkillMD) fields(f *fields) {
	text(f, "namespace", &s.Namespace)
	text(f, "name", &s.Name)
	optional(f, "version", &s.Version)
	text(f, "description", &s.Description)
	f.some("tags", &s.Tags)
	f.some("capabilities", &s.Capabilities)
	f.some("dependsOn", &s.DependsOn)
	f.value("frontmatter", &s.Frontmatter)
	objects(f, "documents", &s.Documents, func(d *Document, f *fields) {
		text(f, "uri", &d.URI)
		optional(f, "ref", &d.Ref)
		optional(f, "title", &d.Title)
		text(f, "mimeType", &d.MIMEType)
		text(f, "path", &d.Path)
		text(f, "hash", &d.Hash)
		text(f, "content", &d.Content)
	})
	f.made(&s.Src, &s.Hashes)
}

// SkillMD reads the bundle of a Spec-ID.
func (x *Index) SkillMD(id string) (*SkillMD, error) { return read[*SkillMD](x, id) }

// Document reads the document of a bundle at a URI, nil where there is none.
func (x *Index) Document(uri string) (*Document, error) {
	id, ok := x.documents[uri]
	if !ok {
		return nil, nil
	}
	s, err := x.SkillMD(id)
	if err != nil {
		return nil, err
	}
	for i := range s.Documents {
		if s.Documents[i].URI == uri {
			return &s.Documents[i], nil
		}
	}
	return nil, nil
}
