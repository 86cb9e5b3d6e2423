package listing

import (
	"strings"

	"github.com/mark3labs/mcp-go/mcp"

	"github.com/flowmcp/fmcp/pkg/catalog"
)

// documentHints are the annotations of documents. The protocol's have other fields.
type documentHints struct {
	ReadOnly   bool `json:"readOnlyHint"`
	Idempotent bool `json:"idempotentHint"`
}

// document is the definition of a document of a bundle.
type document struct {
	mcp.Resource
	Annotations documentHints `json:"annotations"`
}

// newDocument describes a document (skill-md-frontmatter, "Frontmatter To FastMCP
// Mapping Contract"). What the protocol has no field for is in _meta.
func newDocument(s *catalog.SkillMD, d *catalog.Document) Resource {
	r := mcp.Resource{URI: d.URI, Name: s.Name, Title: d.Title, Description: s.Description, MIMEType: d.MIMEType,
		Size: new(int64(len(d.Content)))}
	meta := map[string]any{"skill_id": s.Name, "path": d.Path, "hash": d.Hash}
	if s.Version != "" {
		meta["version"] = s.Version
	}
	if s.Tags != nil {
		meta["tags"] = s.Tags
	}
	if d.Ref != "" {
		r.Name, r.Description, meta["ref_id"] = s.Name+"."+d.Ref, "", d.Ref
	} else {
		if s.Capabilities != nil {
			meta["capabilities"] = s.Capabilities
		}
		if s.DependsOn != nil {
			meta["depends_on"] = s.DependsOn
		}
	}
	r.Meta = mcp.NewMetaFromMap(meta)
	return Resource{URI: strings.Clone(d.URI), ID: s.ID, Document: true, MIME: strings.Clone(d.MIMEType),
		Listed: AppendJSON(nil, document{Resource: r, Annotations: documentHints{true, true}})}
}
