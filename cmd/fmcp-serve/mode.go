package main

import (
	"fmt"
	"iter"
	"strconv"
	"sync"

	"github.com/flowmcp/fmcp/pkg/cli"
	"github.com/flowmcp/fmcp/pkg/clients"
	"github.com/flowmcp/fmcp/pkg/exec"
	"github.com/flowmcp/fmcp/pkg/exec/captured"
	"github.com/flowmcp/fmcp/pkg/exec/derive"
	"github.com/flowmcp/fmcp/pkg/ordjson"
	"github.com/flowmcp/fmcp/pkg/record"
	"github.com/flowmcp/fmcp/pkg/search"
	"github.com/flowmcp/fmcp/pkg/serve"
	"github.com/flowmcp/fmcp/pkg/serve/code"
	"github.com/flowmcp/fmcp/pkg/serve/find"
	"github.com/flowmcp/fmcp/pkg/serve/listing"
	"github.com/flowmcp/fmcp/pkg/words"
)

// modeFlags say how the tools of a large catalog are offered (docs/serve.md, "Large
// catalogs").
type modeFlags struct {
	Mode     string `group:"Large catalogs" default:"all" enum:"all,search,code" placeholder:"MODE" help:"How tools are offered. all lists every tool; search lists four tools that find, describe and call the others; code lists search, which declares tools, and execute, which runs JavaScript that calls them (default: all)."`
	Captures string `group:"Large catalogs" placeholder:"DIR" help:"For --mode code: learn what tools return also from the answers that fmcp-exec test --capture has saved in DIR."`
}

// check refuses flags that do nothing together.
func (f *modeFlags) check() error {
	if f.Captures != "" && f.Mode != "code" {
		return cli.Usagef("--captures DIR is for --mode code: add that")
	}
	return nil
}

// how tells a model where the tools are.
func (f *modeFlags) how() string {
	switch f.Mode {
	case "all":
		return ""
	case "search":
		return find.How
	}
	return " They are not listed: search declares those that fit, and execute runs JavaScript that calls them."
}

// surface offers the tools as the mode says.
func (f *modeFlags) surface(app *cli.App, c serve.Contents, tools *exec.Catalog, calls *exec.Caller) (*serve.Surface,
	error) {
	if f.Mode == "all" {
		return serve.NewSurface(c)
	}
	s := &shelf{tools: tools, index: sync.OnceValue(func() *search.Index {
		defer settle(app)
		defer sparing(app)()
		return search.New(docsOf(tools, c.Tools))
	})}
	if f.Captures != "" {
		var err error
		if s.captured, err = outputsOf(f.Captures, s.declared); err != nil {
			return nil, fmt.Errorf("--captures: %w", err)
		}
	}
	c.Folded = true
	if f.Mode == "search" {
		c.Own = find.Tools(s, c.Tools)
	} else {
		c.Own = []serve.OwnTool{code.Search(s, c.Tools), code.Execute(calls.Sandbox, c.Tools)}
	}
	return serve.NewSurface(c)
}

// bytesPerToken is what definitions take, about, of which models see three quarters:
// tokenizers are too slow for the start.
const bytesPerToken = 5

// crowded says what the list of many tools costs in every conversation, and what to
// do; "" for a list that is short enough.
func (f *modeFlags) crowded(tools []listing.Tool) string {
	if f.Mode != "all" || len(tools) <= clients.Many {
		return ""
	}
	size := 0
	for i := range tools {
		size += tools[i].Size()
	}
	return fmt.Sprintf("%s: %s take about %s tokens in each conversation of a client that does not search them "+
		"itself; --mode search lists four that find the others; --selection, --agent and --only serve fewer",
		serve.CodeManyTools, words.Count(len(tools), "tool"), thousands(size/bytesPerToken))
}

// thousands is a large number, rounded to two digits: 210,000.
func thousands(n int) string {
	unit := 1
	for n/unit >= 100 {
		unit *= 10
	}
	text := strconv.Itoa((n + unit/2) / unit * unit)
	for i := len(text) - 3; i > 0; i -= 3 {
		text = text[:i] + "," + text[i:]
	}
	return text
}

// shelf implements code.Catalog and find.Index.
type shelf struct {
	tools    *exec.Catalog
	index    func() *search.Index     // made when it is asked first
	captured map[string]ordjson.Value // outputs by Spec-ID
}

// Search implements both.
func (s *shelf) Search(request string, limit int) []string { return s.index().Search(request, limit) }

// Output implements code.Catalog.
func (s *shelf) Output(id string) ordjson.Value {
	if output, ok := s.captured[id]; ok {
		return output
	}
	return s.declared(id)
}

func (s *shelf) declared(id string) ordjson.Value {
	t, err := s.tools.Target(id)
	if err != nil {
		return ordjson.Value{}
	}
	return t.Record().Output
}

// docsOf are those tools of a catalog that are served, which are in its order.
func docsOf(x *exec.Catalog, tools []listing.Tool) iter.Seq[search.Doc] {
	return func(yield func(search.Doc) bool) {
		left := tools
		for _, id := range x.Of(record.TypeTool, record.TypeResource) {
			rec, err := x.Record(id)
			if err != nil {
				continue // it is not served
			}
			for _, d := range search.Docs(rec) {
				if len(left) == 0 || left[0].ID != d.ID {
					continue
				}
				d.ID, left = left[0].ID, left[1:] // d.ID would hold the record in memory
				if !yield(d) {
					return
				}
			}
		}
	}
}

// outputsOf are the outputs that answers show which are kept in a folder, by
// Spec-ID. They go on from what is declared.
func outputsOf(dir string, declared func(id string) ordjson.Value) (map[string]ordjson.Value, error) {
	merged := map[string]*derive.Merger{}
	var bad error
	err := captured.Read(dir, func(a captured.Answer) {
		if !a.Status {
			return
		}
		if merged[a.ID] == nil {
			merged[a.ID] = derive.NewMerger(declared(a.ID))
		}
		merged[a.ID].Add(a.Data, a.ContentType)
	}, func(file string, err error) { bad = fmt.Errorf("%s %s: %w", captured.CodeBadCapture, file, err) })
	if err == nil {
		err = bad
	}
	outputs := map[string]ordjson.Value{}
	for id, m := range merged {
		if output, _ := m.Output(); output.Exists() {
			outputs[id] = output
		}
	}
	return outputs, err
}
