package serve

import (
	"strings"

	"github.com/mark3labs/mcp-go/mcp"

	"github.com/flowmcp/fmcp/pkg/catalog"
	"github.com/flowmcp/fmcp/pkg/ordjson"
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
	return Resource{URI: strings.Clone(d.URI), ID: s.ID, Document: true, mime: strings.Clone(d.MIMEType),
		definition: appendJSON(nil, document{Resource: r, Annotations: documentHints{true, true}})}
}

// The methods of the skills extension (SEP-2640), which the library does not know.
const (
	methodSkillsList    mcp.MCPMethod = "skills/list"
	methodSkillsGet     mcp.MCPMethod = "skills/get"
	methodDirectoryRead mcp.MCPMethod = "resources/directory/read"
)

func (r *Request) listSkills() ([][]byte, *Error) {
	return r.page(r.surface.skillList(), mcp.PaginatedResult{CacheableResult: r.cacheable(listsTTL)})
}

func (r *Request) getSkill() ([][]byte, *Error) {
	uri := r.Params.Get("uri")
	entry := r.surface.skills.Entry(uri.Str())
	if entry == nil {
		return nil, nothingAt(mcp.INVALID_PARAMS, uri, "no skill is at %s; skills/list has the addresses of all",
			shown(uri))
	}
	b := reopened(appendJSON(appendStart(nil, r.ID), r.cacheable(listsTTL)))
	return [][]byte{ordjson.AppendKey(b, "skill"), entry, []byte("}}\n")}, nil
}

// readDirectory lists a folder of skills. Its result may not be kept: it has no
// such fields.
func (r *Request) readDirectory() ([][]byte, *Error) {
	uri := r.Params.Get("uri")
	children := r.surface.skills.Directory(uri.Str())
	if children == nil {
		return nil, nothingAt(mcp.INVALID_PARAMS, uri,
			"there is no folder %s; those of skills are the addresses of skills/list without /SKILL.md", shown(uri))
	}
	return r.page(newPages("resources", children, maxPage), mcp.PaginatedResult{
		CacheableResult: mcp.CacheableResult{Result: r.result()}})
}

// readSkill reads a file of a skill, which is byte for byte what its digest is of.
func (r *Request) readSkill(uri ordjson.Value) ([]byte, *Error) {
	if err := r.stopping(uri.Str()); err != nil {
		return nil, err
	}
	text, mime, ok := r.surface.skills.Read(uri.Str())
	if !ok {
		return nil, r.unknownResource(uri, uri.Str())
	}
	b := reopened(appendJSON(appendStart(nil, r.ID), r.cacheable(listsTTL)))
	b = appendText(append(b, `"contents":[`...), mcp.TextResourceContents{URI: uri.Str(), MIMEType: mime}, text)
	return r.fitting(append(b, "]}}\n"...))
}
