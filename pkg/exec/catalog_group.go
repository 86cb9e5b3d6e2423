package exec

import (
	"slices"

	"github.com/tidwall/gjson"

	"github.com/flowmcp/fmcp/pkg/record"
)

// addGroup notes a selection or an agent; of two of one ID the first counts.
func (c *Catalog) addGroup(line []byte) {
	id := gjson.GetBytes(line, "id").Str
	if _, ok := c.groups[id]; ok {
		return
	}
	if c.groups == nil {
		c.groups = map[string][]byte{}
	}
	c.groups[id] = line
	c.listed = append(c.listed, line)
	c.groupIDs = append(c.groupIDs, id)
	c.size += int64(len(line))
}

// Groups are the Spec-IDs of the selections and agents, in stream order.
func (c *Catalog) Groups() []string { return slices.Clone(c.groupIDs) }

// Group returns the record of a selection or an agent, nil where there is none.
func (c *Catalog) Group(id string) *record.Resolved {
	line, ok := c.groups[id]
	if !ok {
		return nil
	}
	_, rec, _, _ := record.Decode(string(line)) // what cannot be read is no record
	resolved, _ := rec.(*record.Resolved)
	return resolved
}
