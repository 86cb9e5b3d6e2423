package rules

import (
	"path"
	"slices"
	"strings"

	"github.com/flowmcp/fmcp/pkg/catalog"
	"github.com/flowmcp/fmcp/pkg/model"
	"github.com/flowmcp/fmcp/pkg/ordjson"
	"github.com/flowmcp/fmcp/pkg/record"
)

// The checks of promptRules (prm.go) about other files of the catalog.

// typePrompt is the type in the ID of a prompt (chapter 16).
const typePrompt = string(record.TypePrompt)

// prompt returns the prompt that an ID names, a nil Node where it cannot be
// read.
func (c *Context) prompt(id catalog.ID) model.Prompt {
	l := c.loadID(id)
	switch {
	case l == nil:
	case l.Type == record.TypePrompt:
		return model.Prompt{Node: model.Root(l.Data)}
	case l.Type == record.TypeSchema:
		for _, n := range model.NewSchema(l.Data).Prompts() {
			if n.Name() == id.Name {
				return n
			}
		}
	}
	return model.Prompt{}
}

func checkPromptTools(p *Pass) {
	const example = "write dependsOn: [ 'toolName' ], or dependsOn: [] for none"
	for _, n := range p.prompts() {
		if !n.Get("dependsOn").Is(ordjson.Array) {
			p.expect(n.Node, "dependsOn", promptFields, "an array of tools", example)
			continue
		}
		p.arrayOfStrings(n.At("dependsOn"), example)
		s := p.scope()
		for _, e := range n.DependsOn() {
			p.promptTool(n, e, s)
		}
	}
}

// promptTool checks one entry of dependsOn. An agent's prompt may depend on a
// resource too, as the sample of chapter 12 does.
func (p *Pass) promptTool(n prompt, e *model.Node, s *scope) {
	text := e.Str()
	if strings.Contains(text, "/") {
		id, err := catalog.ParsePrimitiveID(text)
		if err == nil && n.owner != "namespace" && id.Type == typeResource {
			p.resolve(e, s, typeResource)
			return
		}
		if err == nil && n.foreign(id) {
			p.report(e, "found "+quote(text)+", a tool of another namespace; a provider's prompt depends on its own", "write the name of a tool of "+n.Get("namespace").Str())
			return
		}
		p.resolve(e, s, typeTool)
		return
	}
	if n.owner == "agent" {
		p.report(e, "found "+quote(text)+", expected the ID of a tool: namespace/tool/name", s.proposeID(text))
		return
	}
	own := catalog.ID{Namespace: n.Get("namespace").Str(), Type: typeTool, Name: text}
	if p.schema.Node != nil && p.schema.At(p.schema.ToolsKey()).Get(text).Exists() || p.ctx.Catalog != nil && p.ids().defines(own) {
		return
	}
	if _, name, ok := strings.Cut(text, "."); ok && s.known() && s.has(typeTool, name) {
		p.report(e, "found "+quote(text)+", which is no tool of "+s.String(), "write '"+name+"'")
		return
	}
	p.resolve(e, s, typeTool)
}

// proposeID is a fix for a name where an ID is expected.
func (s *scope) proposeID(name string) string {
	for _, m := range s.manifests {
		for _, f := range m.Data.Get("tools").Members() {
			if path.Base(f.Key) == name {
				return "write '" + f.Key + "'"
			}
		}
	}
	return "write 'namespace/tool/" + name + "' with the namespace of the tool"
}

func checkPromptReferences(p *Pass) {
	for _, n := range p.prompts() {
		for _, e := range n.References() {
			if id, err := catalog.ParsePrimitiveID(e.Str()); err == nil && id.Type == typePrompt && n.foreign(id) {
				p.report(e, "found "+quote(e.Str())+", a prompt of another namespace; a provider's prompt refers to its own", "remove the entry, or move the prompt to an agent")
				continue
			}
			p.reference(e, e.Str(), typePrompt)
		}
	}
}

// foreign reports whether an ID is of another namespace than the provider's
// whose prompt it is.
func (n prompt) foreign(id catalog.ID) bool {
	return n.owner == "namespace" && id.Namespace != n.Get("namespace").Str()
}

func checkPromptDepth(p *Pass) {
	if p.ctx.Catalog == nil {
		return
	}
	for _, n := range p.prompts() {
		for _, e := range n.References() {
			id, err := catalog.ParsePrimitiveID(e.Str())
			if err != nil || id.Type != typePrompt || n.foreign(id) {
				continue // PRM007
			}
			if target := p.ctx.prompt(id); target.Node != nil && target.Get("references").Len() > 0 {
				p.report(e, "found "+quote(e.Str())+", which has references itself; expected one level", "refer to the prompts that are needed directly")
			}
		}
	}
}

// checkPromptContentExport looks at a content file, or at what contentFile
// names.
func checkPromptContentExport(p *Pass) {
	if p.load.Type == record.TypeContent {
		p.contentFile()
		return
	}
	if p.ctx.Catalog == nil || p.ctx.Files == nil || !p.root.Is(ordjson.Object) {
		return
	}
	for _, n := range p.prompts() {
		name := n.Get("contentFile").Str()
		if n.owner != "namespace" || !isContentFile(name) || !p.ctx.Files.Exists(p.ctx.Catalog.Path(p.load.Src)) {
			continue // PRM011
		}
		file := p.inCatalog(name)
		l := p.ctx.Files.Load(file)
		switch {
		case !p.ctx.Files.Exists(file):
			p.report(n.At("contentFile"), "found "+quote(name)+", expected a file of the catalog", p.nearSibling(file))
		case l != nil && l.Type != record.TypeContent && !slices.Contains(l.Exports, "content"):
			p.report(n.At("contentFile"), "found the exports "+strings.Join(l.Exports, ", ")+" in "+name+", expected content", "write export const content = `…` there")
		}
	}
}

func (p *Pass) contentFile() {
	switch {
	case !p.exports("content"):
		p.noExport("content", "write export const content = `…`")
	case strings.TrimSpace(p.root.Str()) == "":
		p.report(p.root, found(p.root.Value)+", expected a string that is not empty", "write export const content = `…`")
	}
}
