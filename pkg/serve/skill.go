package serve

import (
	"github.com/mark3labs/mcp-go/mcp"

	"github.com/flowmcp/fmcp/pkg/ordjson"
	"github.com/flowmcp/fmcp/pkg/serve/listing"
)

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
		if err := r.withheld(mcp.INVALID_PARAMS, uri, uri.Str()); err != nil {
			return nil, err
		}
		return nil, nothingAt(mcp.INVALID_PARAMS, uri, "no skill is at %s; skills/list has the addresses of all",
			ordjson.Shown(uri))
	}
	b := listing.Reopened(listing.AppendJSON(appendStart(nil, r.ID), r.cacheable(listsTTL)))
	return [][]byte{ordjson.AppendKey(b, "skill"), entry, []byte("}}\n")}, nil
}

// readDirectory lists a folder of skills. Its result may not be kept: it has no
// such fields.
func (r *Request) readDirectory() ([][]byte, *Error) {
	uri := r.Params.Get("uri")
	children := r.surface.skills.Directory(uri.Str())
	if children == nil {
		return nil, nothingAt(mcp.INVALID_PARAMS, uri,
			"there is no folder %s; those of skills are the addresses of skills/list without /SKILL.md",
			ordjson.Shown(uri))
	}
	return r.page(fixedPages("resources", children, maxPage), mcp.PaginatedResult{
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
	b := listing.Reopened(listing.AppendJSON(appendStart(nil, r.ID), r.cacheable(listsTTL)))
	b = appendText(append(b, `"contents":[`...), mcp.TextResourceContents{URI: uri.Str(), MIMEType: mime}, text)
	return r.fitting(append(b, "]}}\n"...))
}
