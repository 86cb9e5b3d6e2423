package prompts

import (
	"slices"
	"strings"

	"github.com/flowmcp/fmcp/pkg/catalog"
	"github.com/flowmcp/fmcp/pkg/model"
	"github.com/flowmcp/fmcp/pkg/ordjson"
	"github.com/flowmcp/fmcp/pkg/record"
	"github.com/flowmcp/fmcp/pkg/rules/engine"
)

// promptOf returns the prompt that an ID names, a nil Node where it cannot be
// read.
func promptOf(c *engine.Context, id catalog.ID) model.Prompt {
	l := c.LoadID(id)
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

func checkPromptTools(p *engine.Pass) {
	s := p.Scope()
	for _, n := range prompts(p) {
		for _, e := range n.DependsOn() {
			promptTool(p, n, e, s)
		}
	}
}

// promptTool checks one entry of dependsOn. An agent's prompt may depend on a
// resource too, as the sample of chapter 12 does.
func promptTool(p *engine.Pass, n prompt, e *model.Node, s *engine.Scope) {
	text := e.Str()
	if strings.Contains(text, "/") {
		id, err := catalog.ParsePrimitiveID(text)
		if err == nil && n.owner != "namespace" && id.Type == engine.TypeResource {
			p.Resolve(e, s, engine.TypeResource)
			return
		}
		if err == nil && n.foreign(id) {
			p.Report(e, "found "+engine.Quote(text)+
				", a tool of another namespace; a provider's prompt depends on its own",
				"write the name of a tool of "+n.Namespace().Str())
			return
		}
		p.Resolve(e, s, engine.TypeTool)
		return
	}
	if n.owner == "agent" {
		p.Report(e, "found "+engine.Quote(text)+", expected the ID of a tool: namespace/tool/name",
			"write '"+s.IDOf(engine.TypeTool, text)+"'")
		return
	}
	own := catalog.ID{Namespace: n.Namespace().Str(), Type: engine.TypeTool, Name: text}
	if p.Schema.Node != nil && p.Schema.At(p.Schema.ToolsKey()).Get(text).Exists() ||
		p.Ctx.Catalog != nil && p.IDs().Defines(own) {
		return
	}
	if _, name, ok := strings.Cut(text, "."); ok && s.Known() && s.Has(engine.TypeTool, name) {
		p.Report(e, "found "+engine.Quote(text)+", which is not a tool of "+s.String(), "write '"+name+"'").
			Fixed(true, engine.SetText(e, name))
		return
	}
	p.Resolve(e, s, engine.TypeTool)
}

func checkPromptReferences(p *engine.Pass) {
	for _, n := range prompts(p) {
		for _, e := range n.References() {
			if id, err := catalog.ParsePrimitiveID(e.Str()); err == nil && id.Type == engine.TypePrompt &&
				n.foreign(id) {
				p.Report(e, "found "+engine.Quote(e.Str())+
					", a prompt of another namespace; a provider's prompt refers to its own",
					"remove the entry, or move the prompt to an agent")
				continue
			}
			p.Reference(e, e.Str(), engine.TypePrompt)
		}
	}
}

// foreign reports whether an ID is of another namespace than the provider's
// whose prompt it is.
func (n prompt) foreign(id catalog.ID) bool {
	return n.owner == "namespace" && id.Namespace != n.Namespace().Str()
}

func checkPromptDepth(p *engine.Pass) {
	if p.Ctx.Catalog == nil {
		return
	}
	for _, n := range prompts(p) {
		for _, e := range n.References() {
			id, err := catalog.ParsePrimitiveID(e.Str())
			if err != nil || id.Type != engine.TypePrompt || n.foreign(id) {
				continue // PRM007
			}
			if target := promptOf(p.Ctx, id); target.Node != nil && target.Get("references").Len() > 0 {
				p.Report(e, "found "+engine.Quote(e.Str())+", which has references itself; expected one level",
					"refer to the prompts that are needed directly")
			}
		}
	}
}

// checkPromptContentExport looks at a content file, or at what contentFile
// names.
func checkPromptContentExport(p *engine.Pass) {
	if p.Load.Type == record.TypeContent {
		contentFile(p)
		return
	}
	if p.Ctx.Catalog == nil || p.Ctx.Files == nil || !p.Root.Is(ordjson.Object) {
		return
	}
	for _, n := range prompts(p) {
		name := n.Get("contentFile").Str()
		if n.owner != "namespace" || !isContentFile(name) || !p.Ctx.Files.Exists(p.Ctx.Catalog.Path(p.Load.Src)) {
			continue // PRM011
		}
		file := p.InCatalog(name)
		l := p.Ctx.Files.Load(file)
		switch {
		case !p.Ctx.Files.Exists(file):
			p.Report(n.At("contentFile"), "found "+engine.Quote(name)+", expected a file of the catalog",
				p.NearSibling(file))
		case l != nil && l.Type != record.TypeContent && !slices.Contains(l.Exports, "content"):
			p.Report(n.At("contentFile"), "found the exports "+strings.Join(l.Exports, ", ")+" in "+name+
				", expected content", "write export const content = `…` there")
		}
	}
}

func contentFile(p *engine.Pass) {
	switch {
	case !p.Exports("content"):
		p.NoExport("content", "write export const content = `…`")
	case strings.TrimSpace(p.Root.Str()) == "":
		p.Report(p.Root, engine.Found(p.Root.Value)+", expected a string that is not empty",
			"write export const content = `…`")
	}
}
