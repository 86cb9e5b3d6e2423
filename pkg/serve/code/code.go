// Package code is mode code of fmcp-serve: a model finds tools as TypeScript
// declarations and writes JavaScript that calls them, so that only what matters of
// their answers reaches it (docs/serve.md, "Large catalogs").
package code

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"

	"github.com/flowmcp/fmcp/pkg/ordjson"
	"github.com/flowmcp/fmcp/pkg/record"
	"github.com/flowmcp/fmcp/pkg/sandbox"
	"github.com/flowmcp/fmcp/pkg/serve"
	"github.com/flowmcp/fmcp/pkg/serve/listing"
	"github.com/flowmcp/fmcp/pkg/words"
)

// CodeFailed is the code of a piece of code that gives no result; pkg/rules has its
// row.
const CodeFailed = "MCP014"

const (
	// maxLogs is how many bytes of what the code logs are returned.
	maxLogs = 16 << 10
	// maxNotes is how many messages of its calls are.
	maxNotes = 20
)

var executeDescription = fmt.Sprintf("Runs JavaScript that calls tools: use it to make several calls at once, or to "+
	"return only what matters of long answers. `code` is the body of an async function; end it by returning JSON. "+
	"`await call(id, params)` calls a tool by the name that search gives, and returns its data. A call that fails "+
	"throws an Error that says why; catch it to go on. Calls that do not need each other run side by side with "+
	"Promise.all. What console.log writes is returned beside the result. There is no network, no import "+
	"and no TypeScript, and nothing is kept from one execution to the next. At most %d calls. Example:\n"+
	"const cities = ['Kiel', 'Bonn']\n"+
	"const all = await Promise.all(cities.map((city) => call('NAME', { city })))\n"+
	"return all.map((weather, i) => [cities[i], weather.temperature])", sandbox.MaxFetches)

// Execute is the tool that runs code, which can reach the given tools.
func Execute(pool *sandbox.Pool, tools []listing.Tool) serve.OwnTool {
	return serve.OwnTool{
		Name: "execute", Description: executeDescription,
		Input: serve.Arguments([]string{"code"},
			serve.Argument("code", "string", "Body of an async JavaScript function.")),
		Reads:    !slices.ContainsFunc(tools, func(t listing.Tool) bool { return !t.Reads }),
		Less:     "let the code return less: the fields and items that matter, or counts and sums of the others",
		Destroys: slices.ContainsFunc(tools, func(t listing.Tool) bool { return t.Destroys }),
		Answer: func(ctx context.Context, s *serve.Surface, args ordjson.Value) *record.Envelope {
			source := args.Get("code")
			if !source.Is(ordjson.String) {
				return serve.Refused(serve.CodeBadArguments,
					"execute: expected code, the body of a function as a string, found %s", source.Kind())
			}
			return (&execution{surface: s}).run(ctx, pool, source.Str())
		},
	}
}

// execution is a piece of code that runs.
type execution struct {
	surface *serve.Surface

	mu     sync.Mutex
	logs   []string
	logged int      // bytes of logs
	notes  []string // what calls that succeeded have to say
	begun  []string // tools that were called
	open   []string // those whose calls have not ended
	fault  any      // a panic of a call, which the request that runs the code is to tell
}

// run runs the code. What it gives is its result and what it logged.
func (x *execution) run(ctx context.Context, pool *sandbox.Pool, source string) *record.Envelope {
	out, err := pool.Run(ctx, source, sandbox.Call{Tool: x.call, Log: x.log, Warn: x.note})
	x.mu.Lock()
	defer x.mu.Unlock()
	if x.fault != nil {
		panic(x.fault)
	}
	e := &record.Envelope{Status: err == nil}
	var data []ordjson.Member
	if err != nil {
		e.Messages = slices.Concat([]string{CodeFailed + " execute: " + reason(ctx, err)}, x.notes, x.done())
	} else {
		if out == nil {
			x.noteOnce("the code returned nothing: end it with return, and give the body of a function, not a function")
			out = []byte("null")
		}
		result, wrong := ordjson.Parse(string(out))
		if wrong != nil {
			return serve.Refused(CodeFailed, "execute: the result is not JSON: %v", wrong)
		}
		e.Messages, data = x.notes, append(data, ordjson.Field("result", result))
	}
	if x.logs != nil {
		data = append(data, ordjson.Field("logs", ordjson.Strings(x.logs)))
	}
	e.Data = ordjson.NewNull()
	if data != nil {
		e.Data = ordjson.NewObject(data...)
	}
	return e
}

// reason says why there is no result, with the place in the code.
func reason(ctx context.Context, err error) string {
	failure, ok := err.(*sandbox.HandlerError)
	if !ok {
		return "the code was cut off: " + context.Cause(ctx).Error()
	}
	return (&sandbox.Error{Msg: failure.Msg, Line: failure.Line, Col: failure.Col}).Error()
}

// done says which calls code that failed had made: those that write are not to be
// made again without a look.
func (x *execution) done() (list []string) {
	if len(x.begun) > 0 {
		made := words.Count(len(x.begun), "call")
		list = append(list, made+" had been made by then: "+counted(x.begun))
	}
	if len(x.open) > 0 {
		list = append(list, "cut off, though they may have had an effect: "+counted(x.open))
	}
	return list
}

// counted lists names, each once.
func counted(names []string) string {
	count := map[string]int{}
	var order, texts []string
	for _, name := range names {
		if count[name]++; count[name] == 1 {
			order = append(order, name)
		}
	}
	for _, name := range order {
		text := name
		if count[name] > 1 {
			text += fmt.Sprintf(" ×%d", count[name])
		}
		texts = append(texts, text)
	}
	return strings.Join(texts, ", ")
}

// call makes a call of a tool for the code.
func (x *execution) call(ctx context.Context, c sandbox.ToolCall) (answer sandbox.ToolAnswer) {
	defer func() {
		if p := recover(); p != nil {
			x.mu.Lock()
			defer x.mu.Unlock()
			x.fault, answer.Error = p, "a fault in the server"
		}
	}()
	params := ordjson.NewObject()
	if c.Params != nil {
		var err error
		if params, err = ordjson.Parse(string(c.Params)); err != nil || !params.Is(ordjson.Object) {
			return sandbox.ToolAnswer{Error: fmt.Sprintf("%s %s: expected params to be an object, found %s",
				serve.CodeBadArguments, words.Brief(c.ID), params.Kind())}
		}
	}
	tool, err := x.surface.Find(c.ID)
	if err != nil {
		return sandbox.ToolAnswer{Error: err.Error()}
	}
	name := tool.WireName
	x.mu.Lock()
	x.begun, x.open = append(x.begun, name), append(x.open, name)
	x.mu.Unlock()
	// What the answer takes of the server's memory is given back with the context.
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	e := x.surface.Call(ctx, tool, params)
	if ctx.Err() != nil {
		return sandbox.ToolAnswer{Error: "cut off"} // nobody sees it
	}
	data := ordjson.Append(nil, e.Data)
	x.mu.Lock()
	defer x.mu.Unlock()
	i := slices.Index(x.open, name)
	x.open = slices.Delete(x.open, i, i+1)
	if !e.Status {
		return sandbox.ToolAnswer{Error: strings.Join(e.Messages, "; ")}
	}
	for _, text := range serve.Messages(e) {
		x.noteOnce(name + ": " + text)
	}
	return sandbox.ToolAnswer{Data: data}
}

// note keeps what is to be said of a result.
func (x *execution) note(text string) {
	x.mu.Lock()
	defer x.mu.Unlock()
	x.noteOnce(text)
}

// noteOnce is note where x.mu is held.
func (x *execution) noteOnce(text string) {
	if len(x.notes) < maxNotes && !slices.Contains(x.notes, text) {
		x.notes = append(x.notes, text)
	}
}

// log keeps a line of console.
func (x *execution) log(level, text string) {
	x.mu.Lock()
	defer x.mu.Unlock()
	if level != "log" {
		text = level + ": " + text
	}
	switch room := maxLogs - x.logged; {
	case room <= 0:
		return
	case len(text) > room:
		text = words.Clip(text, room) + " (more was logged: the rest is not shown)"
	}
	x.logged += len(text)
	x.logs = append(x.logs, text)
}
