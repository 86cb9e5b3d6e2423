package code

import (
	"context"
	"fmt"
	"strings"

	"github.com/flowmcp/fmcp/pkg/dts"
	"github.com/flowmcp/fmcp/pkg/model"
	"github.com/flowmcp/fmcp/pkg/ordjson"
	"github.com/flowmcp/fmcp/pkg/record"
	"github.com/flowmcp/fmcp/pkg/serve"
	"github.com/flowmcp/fmcp/pkg/serve/listing"
	"github.com/flowmcp/fmcp/pkg/words"
)

const (
	// declared is how many tools a search declares, and named how many more it names.
	declared = 5
	named    = 10
	// maxOverview is how many bytes of the description name namespaces.
	maxOverview = 1000
)

// Catalog is what the tools of a Surface are looked up in.
type Catalog interface {
	// Search returns the Spec-IDs of the tools that fit a request best.
	Search(request string, limit int) []string
	// Output is what the schema of a tool declares as its output, or what its answers
	// have shown; Missing where neither is there.
	Output(id string) ordjson.Value
}

// Search is the tool that declares tools for execute.
func Search(c Catalog, tools []listing.Tool) serve.OwnTool {
	return serve.OwnTool{
		Name: "search",
		Description: "Finds tools for execute, in English or German, and declares the best of them in TypeScript: " +
			"how to call them, and what they return (unknown if nobody has declared it). To declare certain tools, " +
			"give their names, separated by spaces." + listing.Namespaces(tools, maxOverview),
		Input: serve.Arguments([]string{"query"},
			serve.Argument("query", "string", "What the tools are for, in keywords or a sentence; or names of tools.")),
		Reads: true, Less: "search for the names of fewer tools",
		Answer: func(_ context.Context, s *serve.Surface, args ordjson.Value) *record.Envelope {
			query := args.Get("query")
			if !query.Is(ordjson.String) || strings.TrimSpace(query.Str()) == "" {
				return serve.Refused(serve.CodeBadArguments,
					"search: expected query to be a text, found %s", query.Kind())
			}
			text := search(s, c, query.Str())
			return &record.Envelope{Status: true, Data: ordjson.NewString(text), ContentType: model.MIMEText}
		},
	}
}

// search is the text of what was found.
func search(s *serve.Surface, c Catalog, query string) string {
	if text := declaredByName(s, c, query); text != "" {
		return text
	}
	var b strings.Builder
	var found []*listing.Tool
	for _, id := range c.Search(query, declared+named) {
		if t, err := s.Find(id); err == nil {
			found = append(found, t)
		}
	}
	if len(found) == 0 {
		return "// No tool fits " + words.Quote(query) + ": use other words.\n"
	}
	for i, t := range found {
		if i < declared {
			b.WriteString(declare(c, t))
			continue
		}
		if i == declared {
			b.WriteString("// Others that may fit; search for a name to get its declaration:\n")
		}
		about := words.OneLine(t.Definition().Get("description").Str())
		fmt.Fprintf(&b, "// %s: %s\n", t.WireName, words.Clip(about, 150))
	}
	return b.String()
}

// declaredByName declares the tools that a query consists of, or says why one is not
// served; "" where the query has another word.
func declaredByName(s *serve.Surface, c Catalog, query string) string {
	var b strings.Builder
	names := strings.FieldsFunc(query, func(r rune) bool { return r == ' ' || r == ',' || r == '\n' })
	for _, name := range names[:min(len(names), declared+named)] {
		t, err := s.Find(strings.Trim(name, "`'\""))
		switch {
		case err == nil:
			b.WriteString(declare(c, t))
		case strings.HasPrefix(err.Error(), serve.CodeUnknownTool):
			return ""
		default:
			b.WriteString("// " + words.OneLine(err.Error()) + "\n")
		}
	}
	return b.String()
}

// declare declares a tool as it is listed.
func declare(c Catalog, t *listing.Tool) string {
	d := t.Definition()
	return dts.Declare(dts.Tool{Name: t.WireName, Description: d.Get("description").Str(), Input: d.Get("inputSchema"),
		Output: c.Output(t.ID), Writes: !t.Reads})
}
