package openapi

import (
	"math"
	"strconv"

	"github.com/pb33f/go-yaml"

	"github.com/flowmcp/fmcp/pkg/ordjson"
)

// yamlNode is a value of the document as the library has it.
type yamlNode = yaml.Node

// maxNodes is how many values an example, a default or an enum may have: no test shows
// more, and aliases can stand for any number of them.
const maxNodes = 500

// valueOf is a value of the document, Missing where there is none or it is too large.
func valueOf(n *yamlNode) ordjson.Value {
	left := maxNodes
	v := convert(n, &left)
	if left < 0 {
		return ordjson.Value{}
	}
	return v
}

func convert(n *yaml.Node, left *int) ordjson.Value {
	if *left--; n == nil || *left < 0 {
		return ordjson.Value{}
	}
	switch n.Kind {
	case yaml.AliasNode:
		return convert(n.Alias, left)
	case yaml.SequenceNode:
		list := []ordjson.Value{}
		for _, c := range n.Content {
			list = append(list, convert(c, left))
		}
		return ordjson.NewArray(list...)
	case yaml.MappingNode:
		var members []ordjson.Member
		for i := 0; i+1 < len(n.Content); i += 2 {
			members = append(members, ordjson.Field(n.Content[i].Value, convert(n.Content[i+1], left)))
		}
		return ordjson.NewObject(members...)
	case yaml.ScalarNode:
		return scalar(n)
	}
	return ordjson.Value{}
}

// scalar reads a value as YAML 1.2 does; a date is text.
func scalar(n *yaml.Node) ordjson.Value {
	switch n.ShortTag() {
	case "!!null":
		return ordjson.NewNull()
	case "!!bool":
		if b, err := strconv.ParseBool(n.Value); err == nil {
			return ordjson.NewBool(b)
		}
	case "!!int", "!!float":
		if v, err := ordjson.Parse(n.Value); err == nil {
			return v
		}
		if f, err := strconv.ParseFloat(n.Value, 64); err == nil && !math.IsInf(f, 0) && !math.IsNaN(f) {
			return ordjson.NewNumber(f)
		}
	}
	return ordjson.NewString(n.Value)
}
