package lsp

import (
	"maps"
	"slices"
	"strings"

	"github.com/flowmcp/fmcp/pkg/catalog"
	"github.com/flowmcp/fmcp/pkg/fields"
	"github.com/flowmcp/fmcp/pkg/model"
	"github.com/flowmcp/fmcp/pkg/ordjson"
	"github.com/flowmcp/fmcp/pkg/record"
)

// The kinds of completions, as the protocol numbers them.
const (
	kindField     = 5
	kindValue     = 12
	kindReference = 18
)

// maxItems is how many completions are sent: to see others, one types on.
const maxItems = 200

// completer gathers the completions of a place.
type completer struct {
	*server
	path   string
	load   *record.Load // of the last text that could be read, nil for none
	at     spot
	names  []string // on the way to the spot, and its own
	typed  string   // up to the cursor
	target span     // what a completion takes the place of
	list   completionList
}

// completion proposes what may stand at a place.
func (s *server) completion(path string, p *documentParams) (any, error) {
	t := s.text(path)
	offset := t.offset(p.Position)
	at, ok := spotAt(t.src, offset)
	c := &completer{server: s, path: path, load: s.docs[path].loaded(), at: at,
		list: completionList{Items: []completionItem{}}}
	c.replace(t, at.start, offset, max(at.end, offset))
	if open := strings.LastIndex(c.typed, "{{"); at.quoted && open >= 0 && !strings.Contains(c.typed[open:], "}}") {
		c.replace(t, at.start+open+2, offset, offset)
		c.inBraces(strings.HasPrefix(t.src[offset:], "}}"))
		return c.list, nil
	}
	if o := at.object(path, c.load); ok && o != nil {
		for _, key := range append(slices.Clone(at.path), at.key) {
			if !isIndex(key) {
				c.names = append(c.names, key)
			}
		}
		if at.value {
			c.values(o)
		} else {
			c.keysOf(o)
		}
	}
	return c.list, nil
}

// replace says what a completion takes the place of; typed is its part before the cursor.
func (c *completer) replace(t *text, start, cursor, end int) {
	if line := strings.IndexAny(t.src[cursor:end], "\r\n"); line >= 0 {
		end = cursor + line
	}
	c.typed, c.target = t.src[start:cursor], t.span(start, end)
}

// add adds a completion, unless what is typed is no part of it.
func (c *completer) add(label, text, detail, about string, kind int) {
	if !strings.Contains(strings.ToLower(label), strings.ToLower(c.typed)) {
		return
	}
	if len(c.list.Items) == maxItems {
		c.list.IsIncomplete = true
		return
	}
	item := completionItem{Label: label, Kind: kind, Detail: detail, TextEdit: textEdit{c.target, text}}
	if about != "" {
		item.Documentation = &markup{"markdown", about}
	}
	c.list.Items = append(c.list.Items, item)
}

// quoted is a text as it is written at the spot.
func (c *completer) quoted(text string) string {
	switch {
	case c.at.quoted:
		return text
	case c.at.export == "":
		return `"` + text + `"`
	}
	return "'" + text + "'"
}

// key adds a key, with its colon where there is none.
func (c *completer) key(name, detail, about string) {
	if slices.Contains(c.at.keys, name) {
		return
	}
	text := name
	if c.at.export == "" || !model.IsIdent(name) {
		text = c.quoted(name)
	}
	if !c.at.colon && !c.at.quoted {
		text += ": "
	}
	c.add(name, text, detail, about, kindField)
}

// keysOf adds what keys an object may have.
func (c *completer) keysOf(o *fields.Object) {
	for _, holder := range c.at.holders(o) {
		for i := range holder.Fields {
			f := &holder.Fields[i]
			if f.Instead == "" && f.Until == "" && f.For == "" {
				c.key(f.Name, f.Type.String(), describe(holder, f))
			}
		}
		if holder == fields.Test {
			c.parameters()
		}
	}
	names := c.names[:len(c.names)-1]
	if len(names) == 1 && c.at.export == "agent" {
		for _, id := range c.ids(memberTypes[names[0]]) {
			c.key(id, "", "")
		}
	}
}

// parameters adds the parameters of the tool that a test is of.
func (c *completer) parameters() {
	if len(c.at.path) < 2 {
		return
	}
	tool := c.valueAt(c.at.path[:len(c.at.path)-2])
	for _, p := range tool.Get("parameters").Elems() {
		if pos := p.Get("position"); pos.Get("value").Str() == "{{USER_PARAM}}" {
			c.key(pos.Get("key").Str(), p.Get("z").Get("primitive").Str(), "")
		}
	}
}

// memberTypes are the types of what the members of agents and selections are.
var memberTypes = map[string]string{"tools": catalog.TypeTool, "resources": catalog.TypeResource,
	"prompts": string(record.TypePrompt), "skills": string(record.TypeSkill)}

// values adds what may stand as a value.
func (c *completer) values(o *fields.Object) {
	for _, t := range c.at.types(o) {
		c.words(t)
	}
	last := c.names[len(c.names)-1]
	typ := typeAt(c.names)
	if c.at.export == "selection" && len(c.names) == 1 {
		typ = memberTypes[last]
	}
	switch {
	case typ == string(record.TypeList):
		for _, id := range c.ids(typ) {
			c.add(catalog.LastPart(id), c.quoted(catalog.LastPart(id)), "", "", kindReference)
		}
	case last == "requiredServerParams":
		for _, key := range c.serverKeys() {
			c.add(key, c.quoted(key), "", "", kindValue)
		}
	case last == "version" && c.names[0] == "sharedLists":
		c.listVersion()
	case typ != "":
		own := c.namespace() + "/" + typ + "/"
		for _, id := range c.ids(typ) {
			if name, ok := strings.CutPrefix(id, own); ok && last != "expectedTools" && last != "tool" {
				c.add(name, c.quoted(name), id, "", kindReference)
			}
			c.add(id, c.quoted(id), "", "", kindReference)
		}
	}
}

// words adds the words that a type knows.
func (c *completer) words(t *fields.Type) {
	for i := range t.Any {
		c.words(&t.Any[i])
	}
	for _, w := range t.Words {
		if !strings.Contains(w, "…") {
			c.add(w, c.quoted(w), "", "", kindValue)
		}
	}
	if t.Kind == fields.Bool && !c.at.quoted {
		c.add("true", "true", "", "", kindValue)
		c.add("false", "false", "", "", kindValue)
	}
}

// listVersion adds the version of the list that stands beside it.
func (c *completer) listVersion() {
	ref := c.valueAt(c.at.path).Get("ref").Str()
	if ref == "" {
		return
	}
	if list := c.live.Lists(c.load.Src).Lookup(ref); list != nil {
		c.add(list.Version, c.quoted(list.Version), list.Name, "", kindValue)
	}
}

// valueAt is the value that a path led to in the last text that could be read.
func (c *completer) valueAt(path []string) ordjson.Value {
	if c.load == nil {
		return ordjson.Value{}
	}
	v, _ := ordjson.Lookup(c.load.Data, ordjson.PointerOf(path))
	return v
}

// inBraces adds the contents of placeholders.
func (c *completer) inBraces(closed bool) {
	add := func(content string) {
		text := content
		if !closed {
			text += "}}"
		}
		c.add(content, text, "", "", kindReference)
	}
	if c.at.export == "main" {
		add("USER_PARAM")
		keys := c.facts[c.path].keys
		if len(keys) == 0 {
			keys = c.serverKeys()
		}
		for _, key := range keys {
			add("SERVER_PARAM:" + key)
		}
		c.listFields(add)
		return
	}
	if c.load != nil {
		for _, input := range c.load.Data.Get("input").Elems() {
			add(model.RefInput + ":" + input.Get("key").Str())
		}
	}
	for _, typ := range memberTypesInOrder {
		for _, id := range c.ids(typ) {
			namespace, name, _ := strings.Cut(id, "/"+typ+"/")
			add(typ + ":" + namespace + "/" + name)
			if namespace == c.namespace() {
				add(typ + ":" + name)
			}
		}
	}
}

var memberTypesInOrder = slices.Sorted(maps.Values(memberTypes))

// listFields adds the fields of the lists that a schema uses.
func (c *completer) listFields(add func(string)) {
	if c.load == nil {
		return
	}
	lists := c.live.Lists(c.load.Src)
	for _, name := range model.NewSchema(c.load.Data).ListNames() {
		if list := lists.Lookup(name); list != nil {
			for _, field := range list.FieldNames() {
				add(name + ":" + field)
			}
		}
	}
}

// ids are the IDs of a type that the catalog defines, sorted.
func (w *workspace) ids(typ string) []string {
	seen := map[string]bool{}
	for _, f := range w.facts {
		for _, s := range f.symbols {
			if s.defines && typ != "" && strings.Contains(s.id, "/"+typ+"/") {
				seen[s.id] = true
			}
		}
	}
	return slices.Sorted(maps.Keys(seen))
}

// serverKeys are the server parameters of all schemas, sorted.
func (w *workspace) serverKeys() []string {
	seen := map[string]bool{}
	for _, f := range w.facts {
		for _, key := range f.keys {
			seen[key] = true
		}
	}
	return slices.Sorted(maps.Keys(seen))
}

// namespace is that of the file.
func (c *completer) namespace() string {
	if c.load == nil {
		return ""
	}
	return catalog.NamespaceOf(c.load)
}
