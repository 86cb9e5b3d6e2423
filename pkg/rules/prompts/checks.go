package prompts

import (
	"path"
	"strings"

	"github.com/flowmcp/fmcp/pkg/catalog"
	"github.com/flowmcp/fmcp/pkg/fields"
	"github.com/flowmcp/fmcp/pkg/model"
	"github.com/flowmcp/fmcp/pkg/ordjson"
	"github.com/flowmcp/fmcp/pkg/record"
	"github.com/flowmcp/fmcp/pkg/rules/engine"
)

// The checks that look at one prompt only.

const promptVersion = "flowmcp-prompt/1.0.0"

// prompt is a prompt that is an object.
type prompt struct {
	model.Prompt
	owner string // "namespace", "agent", or "" if it does not say (PRM003)
}

// prompts are those that the file defines.
func prompts(p *engine.Pass) []prompt {
	if p.Load.Type != record.TypeSchema {
		return []prompt{{model.Prompt{Node: p.Root}, ownerOf(p, p.Root)}}
	}
	var list []prompt
	for _, n := range p.Schema.Prompts() {
		list = append(list, prompt{n, "namespace"})
	}
	return list
}

// ownerOf says whose a prompt is: "namespace", "agent", or "" if it does not
// say (PRM003).
func ownerOf(p *engine.Pass, n *model.Node) string {
	namespace, agent := model.Prompt{Node: n}.Namespace().Exists(), n.Get("agent").Exists()
	switch {
	case p.Load.Type == record.TypeSchema || namespace && !agent:
		return "namespace"
	case agent && !namespace:
		return "agent"
	}
	return ""
}

// checkPromptName also reports what is not a prompt at all.
func checkPromptName(p *engine.Pass) {
	switch {
	case p.Load.Type == record.TypeSchema:
		promptObjects(p)
	case p.Root.Is(ordjson.Object):
	case p.Scope().Folder == "agents" && !p.Exports("prompt") && !misspeltPrompt(p):
		p.NoExport("content", "write export const content = `…`") // what an agent refers to (AGT017)
	default:
		p.NoExport("prompt", "write export const prompt = { name: '…', … }")
	}
}

func misspeltPrompt(p *engine.Pass) bool {
	_, near := p.Speller.Closest("prompt", p.Load.Exports)
	return near
}

func promptObjects(p *engine.Pass) {
	const example = "write prompts: { about: { name: 'about', … } }"
	if v := p.Root.Get("prompts"); v.Exists() && !v.Is(ordjson.Object) {
		p.Report(p.Root.At("prompts"), engine.Found(v)+", expected an object of prompts", example)
		return
	}
	for _, n := range p.Root.At("prompts").Fields() {
		if !n.Is(ordjson.Object) {
			p.Report(n, engine.Found(n.Value)+", expected an object", "write "+n.Key()+": { name: 'about', … }")
		}
	}
}

func checkPromptOwner(p *engine.Pass) {
	for _, n := range prompts(p) {
		namespace, agent := n.Namespace(), n.Get("agent")
		switch {
		case namespace.Exists() && agent.Exists():
			fix := "remove namespace from an agent's prompt, agent from a provider's"
			if p.Load.Type == record.TypeSchema {
				fix = "remove agent"
			}
			p.Report(n.At("agent"), "found both namespace and agent, expected one of them", fix)
		case agent.Exists() && p.Load.Type == record.TypeSchema:
			p.Report(n.At("agent"), "found agent in main.prompts, expected namespace",
				"write namespace: '"+p.Schema.Namespace()+"', or move the prompt into the agent's folder")
		case !namespace.Exists() && !agent.Exists():
			missingOwner(p, n)
		default:
			if namespace.Key() == "provider" {
				found := p.ReportAs(min(record.SeverityWarning, p.Severity()), namespace,
					"is read as the namespace; expected namespace or agent", "rename provider to namespace")
				// Otherwise what PRM004 and PRM010 say is an error then.
				if !n.Get("content").Exists() && !n.Get("testedWith").Exists() {
					found.Fixed(true, engine.RenameKey(namespace, "namespace"))
				}
			}
			ownerName(p, n)
		}
	}
}

// missingOwner reports a prompt without an owner.
func missingOwner(p *engine.Pass, n prompt) {
	proposal := "namespace: '…' for a provider's prompt, agent: '…' for an agent's"
	if p.Load.Type == record.TypeSchema {
		proposal = "namespace: '" + p.Schema.Namespace() + "'"
	}
	switch {
	case p.Load.Type == record.TypeSchema || engine.Misspelt(n.Value, "namespace", fields.Prompt.Known()) != "":
		p.Expect(n.Node, "namespace", fields.Prompt.Known(), "the namespace of the schema", "write "+proposal)
	case engine.Misspelt(n.Value, "agent", fields.Prompt.Known()) != "":
		p.Expect(n.Node, "agent", fields.Prompt.Known(), "the name of an agent", "")
	default:
		p.Report(n.Node, "found neither namespace nor agent, expected one of them", "write "+proposal)
	}
}

func ownerName(p *engine.Pass, n prompt) {
	at := n.Namespace()
	if n.owner == "agent" {
		at = n.At("agent")
	}
	own := p.Schema.Namespace
	switch {
	case !catalog.IsNamespace(at.Str()):
		p.Report(at, engine.Found(at.Value)+", expected lower-case letters, digits and hyphens, a letter first",
			engine.Write(at.Key(), engine.ToNamespace(at.Str()), "write "+at.Key()+": 'name'"))
	case p.Load.Type == record.TypeSchema && catalog.IsNamespace(own()) && at.Str() != own():
		p.Report(at, engine.Found(at.Value)+", expected the namespace of the schema, "+engine.Quote(own()),
			"write namespace: '"+own()+"'")
	}
}

// checkPromptAgent compares the agent of a prompt with the folder that it is in.
func checkPromptAgent(p *engine.Pass) {
	s := p.Scope()
	for _, n := range prompts(p) {
		if name := n.Get("agent").Str(); s.Folder == "agents" && n.owner == "agent" && catalog.IsNamespace(name) &&
			name != s.Name {
			p.Report(n.At("agent"), "found "+engine.Quote(name)+", expected "+engine.Quote(s.Name)+
				", the agent in whose folder the prompt is", "write agent: '"+s.Name+"', or move the file")
		}
	}
}

func checkPromptDescription(p *engine.Pass) {
	for _, n := range prompts(p) {
		p.TooLong(n.At("description"), "move the details into the content")
	}
}

func checkPromptTested(p *engine.Pass) {
	for _, n := range prompts(p) {
		if n.owner == "namespace" && n.Get("testedWith").Exists() {
			p.ReportAs(severityOf(p, n), n.At("testedWith"),
				"found testedWith, which a provider's prompt does not have",
				"remove it: a provider's prompt works with any model")
		}
	}
}

// severityOf is how bad it is that a provider's prompt has what belongs in an
// agent's: those with provider in place of namespace all have it.
func severityOf(p *engine.Pass, n prompt) record.Severity {
	if n.Namespace().Key() == "provider" {
		return p.Lenient()
	}
	return p.Severity()
}

func checkPromptModel(p *engine.Pass) {
	for _, n := range prompts(p) {
		model := n.Get("testedWith").Str()
		if n.owner == "namespace" || strings.TrimSpace(model) == "" {
			continue // PRM004
		}
		if org, name, ok := strings.Cut(model, "/"); !ok || org == "" || name == "" {
			p.Report(n.At("testedWith"), "found "+engine.Quote(model)+", expected organization/model",
				"write the ID that OpenRouter has for the model, such as 'openai/gpt-4o'")
		}
	}
}

func checkPromptContent(p *engine.Pass) {
	for _, n := range prompts(p) {
		if n.owner == "namespace" && n.Get("content").Exists() {
			p.ReportAs(severityOf(p, n), n.At("content"),
				"found content, which a provider's prompt does not have; expected contentFile",
				"move the text into a file, export const content = `…`, and write contentFile: './prompts/"+
					promptFile(n.Prompt)+"'")
		}
	}
}

func checkPromptContentFile(p *engine.Pass) {
	for _, n := range prompts(p) {
		if n.owner == "agent" && n.Get("contentFile").Exists() {
			p.Report(n.At("contentFile"), "found contentFile, which an agent's prompt does not have; expected content",
				"write the text into content")
		}
	}
}

func isContentFile(name string) bool {
	return path.Ext(name) == ".mjs" && !path.IsAbs(name) && !strings.Contains(name, "://")
}

// promptFile is the name that the content file of a prompt has by convention
// (chapter 12, "File Organization Rules").
func promptFile(n model.Prompt) string {
	if name := n.Name(); engine.IsKebab(name) {
		return name + ".mjs"
	}
	return "about.mjs"
}
