package main

import (
	"context"
	"strings"

	"github.com/flowmcp/fmcp/pkg/cli"
	"github.com/flowmcp/fmcp/pkg/ordjson"
	"github.com/flowmcp/fmcp/pkg/scaffold"
)

type newCommand struct {
	Schema     newSchema     `cmd:"" help:"Write a schema with one tool, from requests that are known to work."`
	List       newList       `cmd:"" help:"Write a shared list with one field."`
	Selection  newSelection  `cmd:"" help:"Write a selection of what the catalog has."`
	Selections newSelections `cmd:"" help:"Write a selection for each group of version 2."`
	Agent      newAgent      `cmd:"" help:"Write an agent that has tools of the catalog."`
	Skill      newSkill      `cmd:"" help:"Write a skill of a namespace that uses some of its tools."`
	Prompt     newPrompt     `cmd:"" help:"Write a prompt for an agent or a provider."`
}

// target says where a file is written.
type target struct {
	Catalog string `group:"File" default:"." placeholder:"DIR" help:"Folder of the catalog (default: the current folder)."`
}

// write writes a file and answers with its path.
func (t *target) write(app *cli.App, f *scaffold.File) (int, error) {
	path, err := f.Write(t.Catalog)
	if err != nil {
		return cli.ExitFailure, err
	}
	return outer(app).Answer(app, cli.ExitOK, f.Summary(path), []ordjson.Value{f.JSON(path)})
}

// writeAll writes files into a catalog that has none of them; what it returns says which.
// otherwise is what to do where it has.
func writeAll(catalog string, files []*scaffold.File, otherwise string) (string, []ordjson.Value, error) {
	paths, err := scaffold.WriteAll(catalog, files, otherwise)
	if err != nil {
		return "", nil, err
	}
	var summary strings.Builder
	var lines []ordjson.Value
	for i, f := range files {
		summary.WriteString(f.Summary(paths[i]))
		lines = append(lines, f.JSON(paths[i]))
	}
	return summary.String(), lines, nil
}

type newSchema struct {
	target
	URL  []string `name:"url" sep:"none" group:"Request" placeholder:"URL" help:"A GET request that works; each becomes a test. {id}, or {id=42} with a value, in its path is a parameter."`
	Curl []string `sep:"none" group:"Request" placeholder:"COMMAND" help:"A request that works, as a curl command with its headers and body. Keys become server parameters; their values are written nowhere."`
	ID   string   `arg:"" name:"NAMESPACE/TOOL" help:"Namespace and name of the tool, such as weather/getForecast."`
}

// Long is the paragraph of the help.
func (n *newSchema) Long() string {
	return "Writes providers/NAMESPACE/TOOL.mjs, which validates: parameters with their types, tests, meta, server " +
		"parameters and the hash. The output says what only you can add. A file that exists already is " +
		"left as it is."
}

// Examples are those of the help.
func (n *newSchema) Examples() []cli.Example {
	return []cli.Example{
		{Command: "fmcp-load new schema weather/getForecast --url 'https://api.example.com/forecast?lat=52.5&days=3'",
			What: "from a URL"},
		{Command: "fmcp-load new schema users/getUser --url 'https://api.example.com/users/{id=42}'",
			What: "with a parameter in the path"},
		{Command: `fmcp-load new schema notes/addNote --curl "curl https://api.example.com/notes --json '{\"a\":1}'"`,
			What: "from what a browser copies as cURL"},
	}
}

// Formats are those of -f and -o.
func (n *newSchema) Formats() []string { return cli.AnswerFormats }

// Run writes the schema.
func (n *newSchema) Run(_ context.Context, app *cli.App) (int, error) {
	var requests []scaffold.Request
	for _, url := range n.URL {
		requests = append(requests, scaffold.Request{Method: "GET", URL: url})
	}
	for _, command := range n.Curl {
		r, err := scaffold.Curl(command)
		if err != nil {
			return cli.ExitUsage, cli.Usagef("--curl: %v", err)
		}
		requests = append(requests, r)
	}
	if len(requests) == 0 {
		return cli.ExitUsage, cli.Usagef("no request: give --url 'https://…' or --curl 'curl …'")
	}
	f, err := scaffold.Schema(n.ID, requests)
	if err != nil {
		return cli.ExitUsage, cli.Usagef("%v", err)
	}
	return n.write(app, f)
}
