package clients

import (
	"fmt"
	"slices"
	"strings"

	"github.com/tailscale/hujson"

	"github.com/flowmcp/fmcp/pkg/ordjson"
)

// editJSON puts a server into a file of JSON with comments.
func (c *Client) editJSON(text string, s *Server, force bool) (string, error) {
	text, hasBOM := strings.CutPrefix(text, bom)
	parsed, err := hujson.Parse([]byte(text))
	if err != nil {
		return "", fmt.Errorf("it is not JSON: %s", strings.TrimPrefix(err.Error(), "hujson: "))
	}
	f := &jsonFile{text: text}
	edited, err := f.put(&parsed, c, s, force)
	if err != nil {
		return "", err
	}
	if hasBOM {
		edited = bom + edited
	}
	return edited, nil
}

// jsonFile is a text with the offsets of its values.
type jsonFile struct{ text string }

func (f *jsonFile) put(root *hujson.Value, c *Client, s *Server, force bool) (string, error) {
	servers, name, entry := c.servers, s.Name, c.entry(s)
	object, ok := root.Value.(*hujson.Object)
	if !ok {
		return "", fmt.Errorf("it is %s, expected an object", kindOf(root))
	}
	all := member(object, servers)
	if all == nil {
		return f.insert(root, object, servers, ordjson.NewObject(ordjson.Field(name, entry))), nil
	}
	list, ok := all.Value.(*hujson.Object)
	if !ok {
		return "", fmt.Errorf("its %s is %s, expected an object", servers, kindOf(all))
	}
	own := member(list, name)
	if own == nil {
		return f.insert(all, list, name, entry), nil
	}
	was, err := plain(own)
	if err != nil {
		return "", fmt.Errorf("its server %q cannot be read: %w", name, err)
	}
	now := c.merged(was, entry)
	switch {
	case ordjson.Equal(was, now):
		return f.text, nil
	case !force:
		return "", taken(name)
	}
	return f.text[:own.StartOffset] + f.print(now, f.indentAt(own.StartOffset)) + f.text[own.EndOffset:], nil
}

// member is a member of an object, the last of that name: it is the one that counts.
func member(o *hujson.Object, name string) *hujson.Value {
	for i := range slices.Backward(o.Members) {
		if key, ok := o.Members[i].Name.Value.(hujson.Literal); ok && key.String() == name {
			return &o.Members[i].Value
		}
	}
	return nil
}

// insert puts a member at the end of an object, in the way of those before it.
// Comments stay with what they are about.
func (f *jsonFile) insert(at *hujson.Value, o *hujson.Object, name string, v ordjson.Value) string {
	closing := at.EndOffset - 1
	from, indent, comma, last := at.StartOffset+1, f.indentAt(at.StartOffset)+f.unit(), "", ""
	if n := len(o.Members); n > 0 {
		from, comma = o.Members[n-1].Value.EndOffset, ","
		if first := o.Members[0].Name.StartOffset; strings.TrimSpace(lineOf(f.text, first)) == "" {
			indent = lineOf(f.text, first)
		}
		if extra := o.Members[n-1].Value.AfterExtra; extra != nil { // a comma ends the list
			from, comma, last = from+len(extra)+1, "", ","
		}
	}
	rest := strings.TrimRight(f.text[from:closing], " \t\r\n")
	end := f.text[from+len(rest) : closing]
	if !strings.Contains(end, "\n") {
		end = f.newline() + f.indentAt(at.StartOffset)
	}
	key := string(ordjson.AppendString(nil, name))
	return f.text[:from] + comma + rest + f.newline() + indent + key + ": " + f.print(v, indent) + last + end +
		f.text[closing:]
}

// print prints a value as it stands in a line with an indentation.
func (f *jsonFile) print(v ordjson.Value, indent string) string {
	lines := strings.Split(string(ordjson.AppendIndent(nil, v, "")), "\n")
	for i, line := range lines[1:] {
		depth := (len(line) - len(strings.TrimLeft(line, " "))) / 2
		lines[i+1] = indent + strings.Repeat(f.unit(), depth) + line[2*depth:]
	}
	return strings.Join(lines, f.newline())
}

// indentAt is the indentation of the line of an offset.
func (f *jsonFile) indentAt(offset int) string {
	line := lineOf(f.text, offset)
	return line[:len(line)-len(strings.TrimLeft(line, " \t"))]
}

// unit is one level of indentation, as the first line that has any shows it.
func (f *jsonFile) unit() string {
	for line := range strings.Lines(f.text) {
		if n := len(line) - len(strings.TrimLeft(line, " \t")); n > 0 && strings.TrimSpace(line) != "" {
			return line[:n]
		}
	}
	return "  "
}

func (f *jsonFile) newline() string {
	if strings.Contains(f.text, "\r\n") {
		return "\r\n"
	}
	return "\n"
}

// plain is a value without its comments.
func plain(v *hujson.Value) (ordjson.Value, error) {
	standard := v.Clone()
	standard.BeforeExtra, standard.AfterExtra = nil, nil
	standard.Standardize()
	return ordjson.Parse(string(standard.Pack()))
}

func kindOf(v *hujson.Value) string {
	switch v.Value.Kind() {
	case '[':
		return "an array"
	case '"':
		return "a text"
	case '0':
		return "a number"
	}
	return "a literal"
}
