package exec

import (
	"github.com/flowmcp/fmcp/pkg/ordjson"
	"github.com/flowmcp/fmcp/pkg/record"
	"github.com/flowmcp/fmcp/pkg/words"
)

// ReadDocument reads a document of a SKILL.md bundle by its URI, or the SKILL.md by
// the Spec-ID of the bundle; nil where name is neither.
func (c *Catalog) ReadDocument(name string) *record.Envelope {
	uri := name
	if c.Type(name) == record.TypeSkillMD {
		s, err := c.SkillMD(name)
		if err != nil {
			return Failure(name, ordjson.Value{}, fail(CodeBadRecord, "%v", err))
		}
		if len(s.Documents) == 0 {
			return Failure(name, ordjson.Value{}, fail(CodeBadRecord, "it has no documents: resolve the catalog again"))
		}
		uri = s.Documents[0].URI
	}
	d, err := c.Document(uri)
	switch {
	case err != nil:
		return Failure(name, ordjson.Value{}, fail(CodeBadRecord, "%v", err))
	case d == nil:
		return nil
	case record.Hash([]byte(d.Content)) != d.Hash:
		return Failure(name, ordjson.Value{}, fail(CodeBadRecord, "%s is not what its hash is of: resolve the "+
			"catalog again", words.Quote(d.Path)))
	}
	return &record.Envelope{ID: name, Status: true, Data: ordjson.NewString(d.Content)}
}
