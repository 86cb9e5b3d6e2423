package scaffold

import (
	"fmt"
	"strings"

	"github.com/flowmcp/fmcp/pkg/catalog"
	"github.com/flowmcp/fmcp/pkg/edit"
	"github.com/flowmcp/fmcp/pkg/ordjson"
	"github.com/flowmcp/fmcp/pkg/rules/engine"
	"github.com/flowmcp/fmcp/pkg/words"
)

// Prompt makes a prompt (chapter 12). One of an agent is tested with a model, and has
// tools of any provider; one of a provider has none, and is for every model.
func Prompt(id, description, model string, tools []catalog.ID) (*File, error) {
	owner, name, err := splitID(id, "weather/reading-forecasts", engine.IsKebab, engine.ToKebab)
	if err != nil {
		return nil, err
	}
	f := &File{ID: owner + "/prompt/" + name,
		Notes: []string{"write into its content what the model should do with what the tools answer"}}
	common := func(owns string) []ordjson.Member {
		return []ordjson.Member{text("name", name), text("version", "flowmcp-prompt/1.0.0"), text(owns, owner),
			text("description", description)}
	}
	depends := func(names []string) []ordjson.Member {
		return []ordjson.Member{ordjson.Field("dependsOn", ordjson.Strings(names)),
			ordjson.Field("references", ordjson.NewArray())}
	}
	if model != "" {
		var ids, names []string
		for _, t := range tools {
			ids, names = append(ids, t.String()), append(names, t.Namespace+"/"+t.Name)
		}
		fields := append(append(common("agent"), text("testedWith", model)), depends(ids)...)
		f.Path = "agents/" + owner + "/prompts/" + name + ".mjs"
		object := strings.TrimSuffix(edit.Literal(ordjson.NewObject(fields...)), "\n}")
		f.Text = "const content = " + content(description, names) + "\n\nexport const prompt = " + object +
			",\n    content\n}\n"
		f.Notes = append(f.Notes, fmt.Sprintf(
			"add to prompts of agents/%s/agent.mjs: '%s': { file: './prompts/%[2]s.mjs' }", owner, name))
		return f, checkModel(model)
	}
	names, err := namesIn(owner, tools, "give --model for a prompt of an agent")
	if err != nil {
		return nil, err
	}
	f.Path = "providers/" + owner + "/prompts/" + name + ".mjs"
	f.Text = "export const content = " + content(description, names) + "\n"
	var definition []string
	for _, m := range append(append(common("namespace"), depends(names)...),
		text("contentFile", "./prompts/"+name+".mjs")) {
		definition = append(definition, m.Key+": "+edit.Literal(m.Value))
	}
	f.Notes = append(f.Notes, fmt.Sprintf("add to main.prompts of a schema in providers/%s: %s: { %s }", owner,
		engine.ToCamel(name), strings.Join(definition, ", ")))
	return f, nil
}

// content is a text that calls tools one after the other, as source.
func content(description string, tools []string) string {
	lines := description + "." + calls(tools) + "\n"
	return "`\n" + strings.NewReplacer(`\`, `\\`, "`", "\\`", "${", "\\${").Replace(lines) + "`"
}

// calls are the steps of a text, a tool each.
func calls(tools []string) string {
	lines := "\n"
	for i, t := range tools {
		lines += fmt.Sprintf("\n%d. Call {{tool:%s}}.", i+1, t)
	}
	return lines
}

// namesIn are the names of tools that are all of a namespace; what has others is said
// in the error.
func namesIn(namespace string, tools []catalog.ID, otherwise string) ([]string, error) {
	var names []string
	for _, t := range tools {
		if t.Namespace != namespace {
			return nil, fmt.Errorf("%s is not of the namespace %s, and nothing of a namespace uses tools of others; %s",
				words.Quote(t.String()), words.Quote(namespace), otherwise)
		}
		names = append(names, t.Name)
	}
	return names, nil
}

// checkModel says what is wrong with the name of a model (AGT003, PRM005).
func checkModel(model string) error {
	if provider, name, ok := strings.Cut(model, "/"); !ok || provider == "" || name == "" {
		return fmt.Errorf("--model is %s, expected the model with its provider, such as anthropic/claude-sonnet-4-5",
			words.Quote(model))
	}
	return nil
}
