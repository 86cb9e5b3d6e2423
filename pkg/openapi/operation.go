package openapi

import (
	"cmp"
	"slices"
	"strings"

	"github.com/pb33f/go-yaml"
	high "github.com/pb33f/libopenapi/datamodel/high/v3"
	"github.com/pb33f/libopenapi/index"

	"github.com/flowmcp/fmcp/pkg/ordjson"
	"github.com/flowmcp/fmcp/pkg/words"
)

// operation is one of the document.
type operation struct {
	*high.Operation
	item         *high.PathItem
	method, path string
	line         int // in the document, of the path where it is in another file
}

// name is how people speak of it.
func (o *operation) name() string { return o.method + " " + o.path }

// tag is what the operation is filed under: its first tag, or the first part of its path
// that is no version.
func (o *operation) tag() string {
	if len(o.Tags) > 0 && o.Tags[0] != "" {
		return o.Tags[0]
	}
	for part := range strings.SplitSeq(o.path, "/") {
		if part != "" && part != "api" && part[0] != '{' && !isVersion(part) {
			return part
		}
	}
	return "tools"
}

// isVersion reports whether a part of a path is v1, v2.1 or 2024-01.
func isVersion(s string) bool {
	return strings.Trim(strings.TrimPrefix(s, "v"), "0123456789.-") == ""
}

// pointer is a place in the operation.
func (o *operation) pointer(keys ...any) string {
	return ordjson.Pointer(append([]any{"paths", o.path, strings.ToLower(o.method)}, keys...)...)
}

// operations are those of the document, in its order.
func (d *Document) operations() []*operation {
	lines := map[string]int{}
	for key := range d.model.Paths.GoLow().PathItems.KeysFromOldest() {
		lines[key.Value] = key.KeyNode.Line
	}
	var list []*operation
	for path, item := range d.model.Paths.PathItems.FromOldest() {
		if item == nil {
			continue
		}
		for method, op := range item.GetOperations().FromOldest() {
			if op == nil {
				continue
			}
			o := &operation{Operation: op, item: item, method: strings.ToUpper(method), path: path, line: lines[path]}
			if low := op.GoLow(); d.holds(low.GetIndex()) && low.GetKeyNode() != nil {
				o.line = low.GetKeyNode().Line
			}
			list = append(list, o)
		}
	}
	return list
}

// holds reports whether what an index is of is in the document itself.
func (d *Document) holds(i *index.SpecIndex) bool {
	return i == nil || i.GetSpecAbsolutePath() == "" || i.GetSpecAbsolutePath() == d.file
}

// unread is what of the operation the library did not read, "" for nothing: it gives up
// where a reference leads nowhere.
func (d *Document) unread(o *operation) string {
	count := func(n *yamlNode, key string, is int) bool {
		for i := 0; n != nil && i+1 < len(n.Content); i += 2 {
			if n.Content[i].Value == key {
				n = n.Content[i+1]
				return n.Kind == yaml.SequenceNode && is < len(n.Content) || n.Kind == yaml.MappingNode && is == 0
			}
		}
		return false
	}
	own := o.GoLow().GetRootNode()
	if !count(own, "parameters", len(o.Parameters)) && (o.RequestBody != nil || !count(own, "requestBody", 0)) &&
		(o.Responses != nil || !count(own, "responses", 0)) &&
		!count(o.item.GoLow().GetRootNode(), "parameters", len(o.item.Parameters)) {
		return ""
	}
	item := o.item.GoLow().GetRootNode()
	isLost := func(ref string) bool { return d.lost[ref] }
	return cmp.Or(refIn(own, isLost), refIn(item, isLost), refIn(own, isOutside), refIn(item, isOutside),
		"something else")
}

// isOutside reports whether a reference leads out of the document.
func isOutside(ref string) bool { return !strings.HasPrefix(ref, "#") }

// refIn is the first reference of some kind in a part of the document.
func refIn(n *yamlNode, is func(string) bool) string {
	if n == nil {
		return ""
	}
	for i, c := range n.Content {
		if i > 0 && n.Content[i-1].Value == "$ref" && is(c.Value) {
			return c.Value
		}
		if name := refIn(c, is); name != "" {
			return name
		}
	}
	return ""
}

// chosen are the operations that have one of the tags or are one of the operations that
// are named, by operationId or as "GET /path".
func (d *Document) chosen(names []string) ([]*operation, error) {
	all := d.operations()
	if len(names) == 0 {
		return all, nil
	}
	var known []string
	for _, o := range all {
		known = append(append(known, o.OperationId, o.name(), o.tag()), o.Tags...)
	}
	for _, name := range names {
		if !slices.ContainsFunc(known, func(k string) bool { return strings.EqualFold(k, name) }) {
			return nil, &UsageError{Message: words.Quote(name) + " is neither a tag nor an operation of " + d.Path +
				words.DidYouMean(name, known) + ": expected a tag, an operationId, or a method and a path such as " +
				words.Quote(all[0].name())}
		}
	}
	return slices.DeleteFunc(all, func(o *operation) bool {
		is := func(k string) bool {
			return slices.ContainsFunc(names, func(n string) bool { return strings.EqualFold(n, k) })
		}
		return !is(o.OperationId) && !is(o.name()) && !is(o.tag()) && !slices.ContainsFunc(o.Tags, is)
	}), nil
}

// UsageError is the error of options that do not fit the document.
type UsageError struct{ Message string }

func (e *UsageError) Error() string { return e.Message }
