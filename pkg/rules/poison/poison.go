// Package poison holds the rules about text that is meant to steer the model that
// reads it, and not to tell people something: hidden characters, orders in
// descriptions, pretended speakers, encoded orders (decision "Poisoned text"). What
// people write of an attack differs each time, so that most of it is looked for by
// meaning: vocabulary.txt says what words mean, in many languages, and patterns.txt
// which meanings make an order. What no pattern fits is weighed (evidence.go).
package poison

import (
	"bytes"
	_ "embed"
	"path"
	"slices"
	"strconv"

	"github.com/flowmcp/fmcp/pkg/model"
	"github.com/flowmcp/fmcp/pkg/ordjson"
	"github.com/flowmcp/fmcp/pkg/record"
	"github.com/flowmcp/fmcp/pkg/rules/engine"
)

//go:embed rules.txt
var text string

// Family are the rules of this package.
var Family = engine.Family{Text: text, Checks: checks()}

func checks() map[string]func(*engine.Pass) {
	list := map[string]func(*engine.Pass){}
	for code, fix := range fixes {
		list[code] = func(p *engine.Pass) {
			for _, f := range engine.Keep(&p.Kept, func() []found { return findAll(p) }) {
				if f.Code == code {
					p.Report(f.at, f.Message, fix)
				}
			}
		}
	}
	return list
}

const describe = "say what it is and does, and leave out what the model should do"

// fixes are what to do, by code.
var fixes = map[string]string{
	"MCP040": "remove them",
	"MCP041": "write the word in one alphabet",
	"MCP042": "remove it",
	"MCP043": "remove it, or write it where people see it",
	"MCP044": describe,
	"MCP045": "write it as plain text, or remove it",
	"MCP046": describe,
	"MCP047": describe,
	"MCP048": describe,
	"MCP049": describe,
	"MCP050": "remove it; what has to be installed belongs in the documentation for people",
}

// found is a hit and the node that it is in.
type found struct {
	at *model.Node
	Hit
}

// findAll looks through all texts of a file, and those of the documents that it
// publishes.
func findAll(p *engine.Pass) []found {
	t := texts{hits: map[scanned][]Hit{}}
	t.add(p.Root, p.Load.Type == record.TypeContent)
	eachDocument(p, func(at *model.Node, file string) {
		text := string(p.Ctx.Files.Read(p.InCatalog(file)))
		for _, h := range Scan(text, false) {
			line := 1 + bytes.Count([]byte(text[:h.Offset]), []byte{'\n'})
			h.Message = file + ", line " + strconv.Itoa(line) + ": " + h.Message
			t.found = append(t.found, found{at, h})
		}
	})
	return t.found
}

// texts are those of a file, and what is found in them. Most are there several times.
type texts struct {
	hits  map[scanned][]Hit
	found []found
}

// scanned is what Scan is given.
type scanned struct {
	text      string
	described bool
}

func (t *texts) scan(at *model.Node, text string, described bool) {
	key := scanned{text, described}
	hits, ok := t.hits[key]
	if !ok {
		hits = Scan(text, described)
		t.hits[key] = hits
	}
	for _, h := range hits {
		t.found = append(t.found, found{at, h})
	}
}

// add scans the texts of a value. content says that orders to a model belong there.
func (t *texts) add(n *model.Node, content bool) {
	switch n.Kind() {
	case ordjson.String:
		t.scan(n, n.Str(), !content)
	case ordjson.Array:
		for _, e := range n.Items() {
			t.add(e, content)
		}
	case ordjson.Object:
		for _, f := range n.Fields() {
			if !ascii(f.Key()) {
				t.scan(f, f.Key(), true)
			}
			t.add(f, content || IsContent(f.Key()))
		}
	}
}

// contents are the fields whose texts say what a model is to do.
var contents = []string{"content", "body", "systemPrompt", "prompt", "instructions"}

// IsContent reports whether a field holds such a text.
func IsContent(field string) bool { return slices.Contains(contents, field) }

// eachDocument calls f for the documents that the file publishes: those of markdown
// resources that are in the catalog (chapter 13), and those that a SKILL.md refers
// to.
func eachDocument(p *engine.Pass, f func(at *model.Node, file string)) {
	if p.Ctx.Files == nil || p.Ctx.Catalog == nil {
		return
	}
	p.EachResource(func(r *engine.Resource) {
		if r.Origin == model.Inline {
			f(r.At("name"), path.Join("resources", r.File))
		}
	}, model.Markdown)
	if p.Load.Type == record.TypeSkillMD {
		bundle := model.NewBundle(p.Load.Data)
		for _, r := range bundle.References() {
			f(bundle.Extension().At("references").At(r.ID).At("path"), r.Path)
		}
	}
}
