package clients

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/pelletier/go-toml/v2"
	"github.com/pelletier/go-toml/v2/unstable"

	"github.com/flowmcp/fmcp/pkg/lazy"
	"github.com/flowmcp/fmcp/pkg/ordjson"
)

// editTOML puts a server into a file of TOML, as tables of its own.
func (c *Client) editTOML(text string, s *Server, force bool) (string, error) {
	was, err := readTOML(text, c.servers, s.Name)
	if err != nil {
		return "", fmt.Errorf("it is not TOML: %w", err)
	}
	now := c.merged(was, c.entry(s))
	if was.Exists() && ordjson.Equal(was, now) {
		return text, nil
	}
	if was.Exists() && !force {
		return "", taken(s.Name)
	}
	before, after := tablesOf(text, c.servers, s.Name)
	if before != "" {
		before = strings.TrimRight(before, "\r\n \t") + "\n\n"
	}
	if after != "" {
		after = "\n" + after
	}
	edited := before + tomlTables(c.servers, s.Name, now) + after
	if strings.Contains(text, "\r\n") {
		edited = strings.ReplaceAll(strings.ReplaceAll(edited, "\r\n", "\n"), "\n", "\r\n")
	}
	if is, err := readTOML(edited, c.servers, s.Name); err != nil || !ordjson.Equal(is, now) {
		return "", fmt.Errorf("its %s are not written as tables, [%s.%s]: add the server by hand", c.servers, c.servers,
			tomlKey(s.Name))
	}
	return edited, nil
}

// readTOML is the entry of a server in a file, missing where there is none.
func readTOML(text, servers, name string) (ordjson.Value, error) {
	var file map[string]any
	if err := toml.Unmarshal([]byte(text), &file); err != nil {
		var at *toml.DecodeError
		if errors.As(err, &at) {
			line, column := at.Position()
			return ordjson.Value{}, fmt.Errorf("line %d, column %d: %s", line, column,
				strings.TrimPrefix(at.Error(), "toml: "))
		}
		return ordjson.Value{}, err
	}
	all, _ := file[servers].(map[string]any)
	entry, ok := all[name]
	if !ok {
		return ordjson.Value{}, nil
	}
	b, err := json.Marshal(entry)
	if err != nil {
		return ordjson.Value{}, err
	}
	return ordjson.Parse(string(b))
}

// tablesOf cuts the tables of a server out of a text; they follow each other. What
// stands between them and the next one is about that. Where there are none, before
// is all of the text.
func tablesOf(text, servers, name string) (before, after string) {
	p := unstable.Parser{KeepComments: true}
	p.Reset([]byte(text))
	start, end, comment := -1, len(text), -1
	for end == len(text) && p.NextExpression() {
		switch e := p.Expression(); e.Kind {
		case unstable.Comment:
			if at := int(e.Raw.Offset); comment < 0 && strings.TrimSpace(lineOf(text, at)) == "" {
				comment = at
			}
		case unstable.Table, unstable.ArrayTable:
			keys, at := header(text, e)
			own := len(keys) > 1 && slices.Equal(keys[:2], []string{servers, name})
			switch {
			case own && start < 0:
				start = at
			case !own && start >= 0:
				end = at
			}
			if own {
				comment = -1
			}
		default:
			comment = -1
		}
	}
	if start < 0 {
		return text, ""
	}
	if comment >= 0 {
		end = comment
	}
	return text[:start], strings.TrimLeft(text[end:], "\r\n")
}

// header is the name of a table, and where the line of it begins.
func header(text string, table *unstable.Node) (keys []string, at int) {
	for it := table.Key(); it.Next(); {
		if keys = append(keys, string(it.Node().Data)); len(keys) == 1 {
			offset := int(it.Node().Raw.Offset)
			at = offset - len(lineOf(text, offset))
		}
	}
	return keys, at
}

// tomlTables is the entry of a server as a table, and one for each object in it.
func tomlTables(servers, name string, entry ordjson.Value) string {
	path := tomlKey(servers) + "." + tomlKey(name)
	var b, below strings.Builder
	fmt.Fprintf(&b, "[%s]\n", path)
	for _, m := range entry.Members() {
		if !m.Value.Is(ordjson.Object) {
			fmt.Fprintf(&b, "%s = %s\n", tomlKey(m.Key), tomlValue(m.Value))
			continue
		}
		fmt.Fprintf(&below, "\n[%s.%s]\n", path, tomlKey(m.Key))
		for _, v := range m.Value.Members() {
			fmt.Fprintf(&below, "%s = %s\n", tomlKey(v.Key), tomlValue(v.Value))
		}
	}
	return b.String() + below.String()
}

// bareKey is what needs no quotes.
var bareKey = lazy.Regexp(`^[A-Za-z0-9_-]+$`)

func tomlKey(key string) string {
	if bareKey().MatchString(key) {
		return key
	}
	return tomlValue(ordjson.NewString(key))
}

// tomlValue is a value in one line. Texts are written as in JSON, whose escapes TOML
// has too.
func tomlValue(v ordjson.Value) string {
	switch v.Kind() {
	case ordjson.Array:
		var parts []string
		for _, e := range v.Elems() {
			parts = append(parts, tomlValue(e))
		}
		return "[" + strings.Join(parts, ", ") + "]"
	case ordjson.Object:
		var parts []string
		for _, m := range v.Members() {
			parts = append(parts, tomlKey(m.Key)+" = "+tomlValue(m.Value))
		}
		return "{" + strings.Join(parts, ", ") + "}"
	}
	return ordjson.Text(v)
}
