package main

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/flowmcp/fmcp/pkg/cli"
	"github.com/flowmcp/fmcp/pkg/openapi"
	"github.com/flowmcp/fmcp/pkg/ordjson"
	"github.com/flowmcp/fmcp/pkg/record"
	"github.com/flowmcp/fmcp/pkg/report"
	"github.com/flowmcp/fmcp/pkg/words"
)

type importCommand struct {
	Operation []string `sep:"none" group:"Document" placeholder:"NAME" help:"A tag, an operationId, or a method and a path such as 'GET /users' (default: all operations); may be repeated."`
	Namespace string   `group:"File" placeholder:"NAME" help:"Namespace of the schemas (default: from the domain of the API)."`
	Root      string   `group:"Document" placeholder:"URL" help:"URL of the API, in place of the servers that the document names."`
	Out       string   `group:"File" default:"." placeholder:"DIR" help:"Folder of the catalog (default: the current folder)."`
	File      string   `arg:"" name:"FILE" help:"An OpenAPI document, 3.0 or 3.1, in YAML or JSON."`
}

// Long is the paragraph of the help.
func (c *importCommand) Long() string {
	return "Writes a schema for every eight operations of a tag, as providers/NAMESPACE/TAG.mjs. All of them pass " +
		"fmcp-validate. What a schema cannot express is reported with its place in the document. If one of the " +
		"files exists already, nothing is written."
}

// Examples are those of the help.
func (c *importCommand) Examples() []cli.Example {
	return []cli.Example{
		{Command: "fmcp-load import openapi.yaml --out catalog/", What: "all operations"},
		{Command: "fmcp-load import openapi.yaml --operation pets --operation 'GET /stores'", What: "some of them"},
		{Command: `fmcp-load import openapi.yaml | jq 'select(.kind == "diagnostic")'`, What: "what was not imported"},
	}
}

// Formats are those of -f and -o.
func (c *importCommand) Formats() []string { return cli.AnswerFormats }

// Run writes the schemas.
func (c *importCommand) Run(_ context.Context, app *cli.App) (int, error) {
	doc, err := openapi.Open(c.File)
	if err != nil {
		return cli.ExitFailure, err
	}
	made, err := doc.Import(openapi.Options{Operations: c.Operation, Namespace: c.Namespace,
		Root: strings.TrimRight(c.Root, "/")})
	if unknown := (*openapi.UsageError)(nil); errors.As(err, &unknown) {
		return cli.ExitUsage, cli.Usagef("%v", err)
	} else if err != nil {
		return cli.ExitFailure, err
	}
	summary, lines, err := writeAll(c.Out, made.Files, "give another --out or --namespace, or choose operations")
	if err != nil {
		return cli.ExitFailure, err
	}
	for _, d := range made.Findings {
		line, err := ordjson.Parse(string(d.AppendJSON(nil)))
		if err != nil {
			return cli.ExitFailure, err
		}
		lines = append(lines, line)
	}
	rest, err := restOf(made)
	if err != nil {
		return cli.ExitFailure, err
	}
	return outer(app).Answer(app, cli.ExitOK, summary+rest, lines)
}

// restOf says what was not imported, and how much was.
func restOf(made *openapi.Result) (string, error) {
	var b strings.Builder
	r, err := report.New(cli.FormatText, &b, report.Options{})
	if err != nil {
		return "", err
	}
	changed := 0
	for _, d := range made.Findings {
		if d.Severity == record.SeverityInfo {
			changed++
		} else if err := r.Record(d, nil); err != nil {
			return "", err
		}
	}
	if err := r.Flush(); err != nil {
		return "", err
	}
	fmt.Fprintf(&b, "%s from %s, in %s; left out: %s; changed: %s (-f ndjson names them)\n",
		words.Count(made.Tools, "tool"), words.Count(made.Operations, "operation"),
		words.Count(len(made.Files), "schema"), words.Count(len(made.Findings)-changed, "thing"),
		words.Count(changed, "thing"))
	return b.String(), nil
}
