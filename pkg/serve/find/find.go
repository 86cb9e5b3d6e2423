// Package find is mode search of fmcp-serve: a model finds tools by what they are
// for, and calls those that it has found by their names (docs/serve.md, "Large
// catalogs").
package find

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/flowmcp/fmcp/pkg/ordjson"
	"github.com/flowmcp/fmcp/pkg/record"
	"github.com/flowmcp/fmcp/pkg/serve"
	"github.com/flowmcp/fmcp/pkg/serve/listing"
	"github.com/flowmcp/fmcp/pkg/words"
)

// CodeWrites is the code of a call that would change something where that is not
// what the client has allowed; pkg/rules has its row.
const CodeWrites = "MCP016"

const (
	found    = 10   // tools that search names, where it is not told how many
	maxFound = 50   // and where it is
	declared = 3    // of these, whose input it has
	maxNames = 20   // tools that describe describes
	maxLine  = 200  // bytes of what is said of a tool in one line
	maxText  = 1900 // bytes of a description: Claude Code shows 2 KB
)

// How is what the instructions of a server say of its tools.
const How = " They are not listed: find them with search, and call them with call_read or call_write."

// Index finds tools.
type Index interface {
	// Search returns the Spec-IDs of the tools that fit a request best.
	Search(request string, limit int) []string
}

// Tools are the tools of the mode, for those of a catalog.
func Tools(index Index, tools []listing.Tool) []serve.OwnTool {
	own := []serve.OwnTool{searching(index, tools), describing}
	if slices.ContainsFunc(tools, func(t listing.Tool) bool { return t.Reads }) {
		own = append(own, reading)
	}
	if slices.ContainsFunc(tools, func(t listing.Tool) bool { return !t.Reads }) {
		call := writing
		call.Destroys = slices.ContainsFunc(tools, func(t listing.Tool) bool { return t.Destroys })
		own = append(own, call)
	}
	return own
}

// searching is the tool that finds tools.
func searching(index Index, tools []listing.Tool) serve.OwnTool {
	about := fmt.Sprintf("Finds tools by what they are for: give keywords or a whole sentence, in English or German. "+
		"Returns the tools that fit, the best first: the name of each, what it does and which tool calls it, and the "+
		"input schema of the first %d.", declared)
	return serve.OwnTool{
		Name: "search", Description: about + listing.Namespaces(tools, maxText-len(about)), Reads: true,
		Less: "ask for fewer tools with \"limit\"",
		Input: serve.Arguments([]string{"query"}, serve.Argument("query", "string", "What the tool is for."),
			serve.Argument("limit", "integer", fmt.Sprintf("How many tools, %d by default.", found),
				ordjson.Field("minimum", ordjson.NewInt(1)), ordjson.Field("maximum", ordjson.NewInt(maxFound)))),
		Answer: func(_ context.Context, s *serve.Surface, args ordjson.Value) *record.Envelope {
			query, limit := args.Get("query"), found
			if !query.Is(ordjson.String) || strings.TrimSpace(query.Str()) == "" {
				return serve.Refused(serve.CodeBadArguments, "search: expected query to be a text, found %s",
					ordjson.Shown(query))
			}
			if n := args.Get("limit"); n.Exists() {
				limit = int(n.Float())
				if !n.Is(ordjson.Number) || limit < 1 || limit > maxFound {
					return serve.Refused(serve.CodeBadArguments,
						"search: expected limit to be a number from 1 to %d, found %s", maxFound, ordjson.Shown(n))
				}
			}
			return result(s, query.Str(), index.Search(query.Str(), limit))
		},
	}
}

// result is what search has to say.
func result(s *serve.Surface, query string, ids []string) *record.Envelope {
	var list []ordjson.Value
	for _, id := range ids {
		t, err := s.Find(id)
		if err != nil {
			continue // the index has more than what is served now
		}
		d := t.Definition()
		about := words.Clip(words.OneLine(d.Get("description").Str()), maxLine)
		entry := []ordjson.Member{
			ordjson.Field("name", ordjson.NewString(t.WireName)),
			ordjson.Field("description", ordjson.NewString(about)),
			ordjson.Field("call", ordjson.NewString(caller(t))),
		}
		if len(list) < declared {
			entry = append(entry, ordjson.Field("inputSchema", d.Get("inputSchema")))
		}
		list = append(list, ordjson.NewObject(entry...))
	}
	e := &record.Envelope{Status: true, Data: ordjson.NewArray(list...)}
	switch {
	case len(list) == 0:
		e.Messages = []string{"no tool fits " + words.Quote(words.Brief(query)) + ": use other words"}
	case len(list) > declared:
		e.Messages = []string{fmt.Sprintf("describe returns the input schemas of those after the first %d", declared)}
	}
	return e
}

// caller is the tool that calls one.
func caller(t *listing.Tool) string {
	if t.Reads {
		return reading.Name
	}
	return writing.Name
}

// describing is the tool that describes tools.
var describing = serve.OwnTool{
	Name: "describe", Reads: true, Less: "name fewer tools",
	Description: fmt.Sprintf("Describes tools in full, at most %d at once: what they do, and their input schema.",
		maxNames),
	Input: serve.Arguments([]string{"names"}, serve.Argument("names", "array", "Names of tools that search returned.",
		ordjson.Field("items", ordjson.NewObject(ordjson.Field("type", ordjson.NewString("string")))),
		ordjson.Field("minItems", ordjson.NewInt(1)), ordjson.Field("maxItems", ordjson.NewInt(maxNames)))),
	Answer: func(_ context.Context, s *serve.Surface, args ordjson.Value) *record.Envelope {
		names := args.Get("names").Elems()
		if len(names) == 0 || len(names) > maxNames {
			return serve.Refused(serve.CodeBadArguments,
				"describe: expected names, an array of 1 to %d names of tools, found %s", maxNames,
				ordjson.Shown(args.Get("names")))
		}
		var list []ordjson.Value
		e := &record.Envelope{}
		for _, name := range names {
			t, err := find(s, name)
			if err != nil {
				e.Messages = append(e.Messages, err.Error())
				continue
			}
			list = append(list, t.Definition().With("call", ordjson.NewString(caller(t))))
		}
		e.Status, e.Data = list != nil, ordjson.NewArray(list...)
		return e
	},
}

// find is the tool that has a name.
func find(s *serve.Surface, name ordjson.Value) (*listing.Tool, error) {
	if !name.Is(ordjson.String) {
		return nil, words.Problemf(serve.CodeBadArguments, "expected the name of a tool, found %s",
			ordjson.Shown(name))
	}
	return s.Find(name.Str())
}

// reading and writing are the tools that call others.
var (
	reading = calling("call_read", "Calls a tool that only reads, and returns its answer.", true)
	writing = calling("call_write", "Calls a tool that changes something, or one that reads, and returns its answer.",
		false)
)

func calling(name, about string, reads bool) serve.OwnTool {
	return serve.OwnTool{
		Name: name, Description: about + " Use search to find tools and their input.", Reads: reads,
		Input: serve.Arguments([]string{"name", "arguments"}, serve.Argument("name", "string", "The name of the tool."),
			serve.Argument("arguments", "object", "Arguments by the input schema of the tool, {} for none.")),
		Target: func(s *serve.Surface, args ordjson.Value) (*listing.Tool, ordjson.Value, error) {
			t, err := find(s, args.Get("name"))
			if err == nil && reads && !t.Reads {
				err = words.Problemf(CodeWrites, "%s may change something, which call_read does not do: call it "+
					"with call_write, with the same name and arguments", t.WireName)
			}
			return t, args.Get("arguments"), err
		},
	}
}
