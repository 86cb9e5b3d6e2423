package rules

import (
	"path"
	"strings"

	"github.com/flowmcp/fmcp/pkg/catalog"
	"github.com/flowmcp/fmcp/pkg/model"
	"github.com/flowmcp/fmcp/pkg/ordjson"
	"github.com/flowmcp/fmcp/pkg/record"
)

// The checks of promptRules (prm.go) that look at one prompt only.

// promptFields are those of chapter 12, "Prompt Fields".
var promptFields = []string{"name", "version", "namespace", "agent", "description", "testedWith", "dependsOn", "references", "contentFile", "content"}

const promptVersion = "flowmcp-prompt/1.0.0"

// prompt is a prompt that is an object.
type prompt struct {
	model.Prompt
	owner string // "namespace", "agent", or "" where it does not say (PRM003)
}

// prompts are those that the file defines.
func (p *Pass) prompts() []prompt {
	if p.load.Type != record.TypeSchema {
		n := prompt{Prompt: model.Prompt{Node: p.root}}
		switch namespace, agent := n.Get("namespace").Exists(), n.Get("agent").Exists(); {
		case namespace && !agent:
			n.owner = "namespace"
		case agent && !namespace:
			n.owner = "agent"
		}
		return []prompt{n}
	}
	var list []prompt
	for _, n := range p.schema.Prompts() {
		list = append(list, prompt{Prompt: n, owner: "namespace"})
	}
	return list
}

// checkPromptName also reports what is no prompt at all.
func checkPromptName(p *Pass) {
	switch {
	case p.load.Type == record.TypeSchema:
		p.promptObjects()
	case !p.root.Is(ordjson.Object):
		p.noExport("prompt", "write export const prompt = { name: '…', … }")
		return
	}
	for _, n := range p.prompts() {
		if name := n.Name(); !isKebab(name) {
			p.expect(n.Node, "name", promptFields, "lower-case letters, digits and hyphens, a letter first", write("name", toNamespace(name), "write name: 'price-comparison'"))
		}
	}
}

func (p *Pass) promptObjects() {
	const example = "write prompts: { about: { name: 'about', … } }"
	if v := p.root.Get("prompts"); v.Exists() && !v.Is(ordjson.Object) {
		p.report(p.root.At("prompts"), found(v)+", expected an object of prompts", example)
		return
	}
	for _, n := range p.root.At("prompts").Fields() {
		if !n.Is(ordjson.Object) {
			p.report(n, found(n.Value)+", expected an object", "write "+n.Key()+": { name: 'about', … }")
		}
	}
}

func checkPromptOwner(p *Pass) {
	for _, n := range p.prompts() {
		namespace, agent := n.Get("namespace"), n.Get("agent")
		switch {
		case namespace.Exists() && agent.Exists():
			fix := "remove namespace from an agent's prompt, agent from a provider's"
			if p.load.Type == record.TypeSchema {
				fix = "remove agent"
			}
			p.report(n.At("agent"), "found both namespace and agent, expected one of them", fix)
		case agent.Exists() && p.load.Type == record.TypeSchema:
			p.report(n.At("agent"), "found agent in main.prompts, expected namespace", "write namespace: '"+p.schema.Namespace()+"', or move the prompt into the agent's folder")
		case !namespace.Exists() && !agent.Exists():
			p.missingOwner(n)
		default:
			p.ownerName(n)
		}
	}
}

// missingOwner reports a prompt that belongs to nobody. The field calls the
// namespace provider.
func (p *Pass) missingOwner(n prompt) {
	proposal := "namespace: '…' for a provider's prompt, agent: '…' for an agent's"
	if p.load.Type == record.TypeSchema {
		proposal = "namespace: '" + p.schema.Namespace() + "'"
	}
	switch {
	case n.Get("provider").Exists():
		p.report(n.At("provider"), "found provider, expected namespace or agent", "rename provider to namespace")
	case p.load.Type == record.TypeSchema || misspelt(n.Value, "namespace", promptFields) != "":
		p.expect(n.Node, "namespace", promptFields, "the namespace of the schema", "write "+proposal)
	case misspelt(n.Value, "agent", promptFields) != "":
		p.expect(n.Node, "agent", promptFields, "the name of an agent", "")
	default:
		p.report(n.Node, "found neither namespace nor agent, expected one of them", "write "+proposal)
	}
}

func (p *Pass) ownerName(n prompt) {
	at := n.At("namespace")
	if n.owner == "agent" {
		at = n.At("agent")
	}
	own := p.schema.Namespace
	switch {
	case !catalog.IsNamespace(at.Str()):
		p.report(at, found(at.Value)+", expected lower-case letters, digits and hyphens, a letter first", write(at.Key(), toNamespace(at.Str()), "write "+at.Key()+": 'name'"))
	case p.load.Type == record.TypeSchema && catalog.IsNamespace(own()) && at.Str() != own():
		p.report(at, found(at.Value)+", expected the namespace of the schema, "+quote(own()), "write namespace: '"+own()+"'")
	}
}

func checkPromptTested(p *Pass) {
	for _, n := range p.prompts() {
		switch {
		case n.owner == "agent":
			p.expectText(n.Node, "testedWith", promptFields, "write testedWith: 'organization/model', the model that the prompt was tried with")
		case n.owner == "namespace" && n.Get("testedWith").Exists():
			p.report(n.At("testedWith"), "found testedWith, which a provider's prompt does not have", "remove it: a provider's prompt works with any model")
		}
	}
}

func checkPromptModel(p *Pass) {
	for _, n := range p.prompts() {
		model := n.Get("testedWith").Str()
		if n.owner == "namespace" || strings.TrimSpace(model) == "" {
			continue // PRM004
		}
		if org, name, ok := strings.Cut(model, "/"); !ok || org == "" || name == "" {
			p.report(n.At("testedWith"), "found "+quote(model)+", expected organization/model", "write the ID that OpenRouter has for the model, such as 'openai/gpt-4o'")
		}
	}
}

func checkPromptContent(p *Pass) {
	for _, n := range p.prompts() {
		switch {
		case n.owner == "namespace" && n.Get("content").Exists():
			p.report(n.At("content"), "found content, which a provider's prompt does not have; expected contentFile",
				"move the text into a file, export const content = `…`, and write contentFile: './prompts/"+promptFile(n)+"'")
		case n.owner == "agent" && (n.Get("content").Exists() || !n.Get("contentFile").Exists()):
			p.expectText(n.Node, "content", promptFields, "write the instructions into const content = `…` above the export, and content into the prompt")
		}
	}
}

func checkPromptContentFile(p *Pass) {
	for _, n := range p.prompts() {
		file := n.Get("contentFile")
		switch {
		case n.owner == "agent" && file.Exists():
			p.report(n.At("contentFile"), "found contentFile, which an agent's prompt does not have; expected content", "write the text into content")
		case n.owner != "namespace" || !file.Exists() && n.Get("content").Exists():
			// PRM003, PRM010
		case !isContentFile(file.Str()):
			p.expect(n.Node, "contentFile", promptFields, "a relative path that ends with .mjs", "write contentFile: './prompts/"+promptFile(n)+"'")
		}
	}
}

func isContentFile(name string) bool {
	return path.Ext(name) == ".mjs" && !path.IsAbs(name) && !strings.Contains(name, "://")
}

// promptFile is the name that the content file of a prompt has by convention
// (chapter 12, "File Organization Rules").
func promptFile(n prompt) string {
	if name := n.Name(); isKebab(name) {
		return name + ".mjs"
	}
	return "about.mjs"
}
