package rules

import (
	"slices"
	"strings"

	"github.com/flowmcp/fmcp/pkg/model"
	"github.com/flowmcp/fmcp/pkg/ordjson"
	"github.com/flowmcp/fmcp/pkg/record"
	"github.com/flowmcp/fmcp/pkg/rules/engine"
	"github.com/flowmcp/fmcp/pkg/sharedlist"
	"github.com/flowmcp/fmcp/pkg/sql"
	"github.com/flowmcp/fmcp/pkg/zod"
)

// blocks are the rules whose findings keep a schema, a tool, a resource, a query or
// a SKILL.md out of the catalog: without what they ask for no call can be made, and
// nothing can be published. The
// condition is about the place of a finding, since some rules speak of more. It
// does not depend on severities: what a profile lowers to a warning cannot be
// called either, unless the condition says so.
var blocks = []struct {
	code  string
	holds func(p *engine.Pass, at *model.Node) bool
}{
	// else it is not sent (decision "Body of GET")
	{"CMP008", func(p *engine.Pass, _ *model.Node) bool { return !p.Community() }},
	{"CMP022", always},
	{"CMP031", withoutHandler("preRequest", "executeRequest")},
	{"LOD033", always},
	{"PH004", inRequest},
	{"RES001", always},
	{"RES003", withoutOrigin},
	{"RES004", withoutOrigin},
	{"RES007", always},
	{"RES009", bindsValues},
	{"RES014", always},
	{"RES016", func(p *engine.Pass, at *model.Node) bool { return sourceOf(p, at.Parent()) == model.Server }},
	{"RES024", always},
	{"RES025", always},
	{"RES026", always},
	{"RES027", always},
	{"RES029", always},
	{"RES037", always},
	{"RES041", resourceLost},
	{"RES043", always},
	{"SKM001", always},
	{"SKM002", always},
	{"SKM004", func(_ *engine.Pass, at *model.Node) bool {
		return strings.TrimSpace(at.Parent().Get("description").Str()) == ""
	}},
	{"SKM006", always},
	{"SKM008", func(p *engine.Pass, _ *model.Node) bool { return !p.Community() }},
	{"SKM009", always},
	{"SKM010", always},
	{"SKM012", always},
	{"SKM013", always},
	{"SKM014", always},
	{"SKM017", always},
	{"SKM018", always},
	{"VAL001", always},
	{"VAL002", always},
	{"VAL015", func(p *engine.Pass, at *model.Node) bool {
		return at.Parent().Get("root").Str() == "" && p.UsesRoot()
	}},
	{"VAL016", func(_ *engine.Pass, at *model.Node) bool {
		return at.Key() != "skills" && at.Exists() && !at.Is(ordjson.Object)
	}},
	{"VAL017", always},
	{"VAL024", func(_ *engine.Pass, at *model.Node) bool { return at.Parent().Key() == "sharedLists" }},
	{"VAL032", always},
	{"VAL033", func(_ *engine.Pass, at *model.Node) bool { return !at.Parent().Get("path").Is(ordjson.String) }},
	{"VAL035", always},
	{"VAL040", parameterLost},
	{"VAL041", always},
	{"VAL042", func(_ *engine.Pass, at *model.Node) bool {
		_, ok := ordjson.ScalarText(at.Parent().Get("value"))
		return !ok
	}},
	{"VAL043", always},
	{"VAL044", func(p *engine.Pass, at *model.Node) bool { return refusesCallers(p, at.Parent().Parent()) }},
	{"VAL046", func(p *engine.Pass, at *model.Node) bool {
		return takesList(at) || refusesCallers(p, at.Parent().Parent())
	}},
	{"VAL047", func(p *engine.Pass, at *model.Node) bool {
		return takesList(at) || inRequest(p, at)
	}},
	{"VAL048", always},
	{"VAL049", func(_ *engine.Pass, at *model.Node) bool { return takesList(at) }},
	{"VAL050", withoutHandler(allStages...)},
	{"VAL070", unresolved},
	{"VAL071", unresolved},
	{"VAL072", unresolved},
	{"VAL073", func(p *engine.Pass, at *model.Node) bool {
		i := slices.IndexFunc(p.Refs, func(r model.ListRef) bool { return r.Node == at.Parent() })
		return !sharedlist.Compatible(p.Ctx.Lists.Lookup(p.Refs[i].Ref).Version, at.Str())
	}},
	{"VAL074", unresolved},
}

// allStages are the handlers of a tool. Any of them may make the URL itself.
var allStages = []string{"preRequest", "executeRequest", "postRequest"}

// inRequest holds for a root and a header, and for the path of a tool that has no
// handler to make the URL.
func inRequest(p *engine.Pass, at *model.Node) bool {
	switch {
	case at.Key() == "path":
		return engine.ToolOf(at) != "" && withoutHandler(allStages...)(p, at)
	case at.Key() == "root":
		return at.Parent() == p.Schema.Node
	}
	return at.Parent().Key() == "headers"
}

func always(*engine.Pass, *model.Node) bool { return true }

// withoutHandler holds where no handler of the tool has one of the stages.
func withoutHandler(stages ...string) func(*engine.Pass, *model.Node) bool {
	return func(p *engine.Pass, at *model.Node) bool {
		tool := engine.ToolOf(at)
		return tool == "" || !p.Handles(tool, stages...)
	}
}

// withoutOrigin holds for a resource that says by a path alone where its data
// is: a path may lead to any file, so it is not opened.
func withoutOrigin(_ *engine.Pass, at *model.Node) bool {
	r := at.Parent()
	return r.Get("origin").Str() == "" || r.Get("name").Str() == ""
}

// bindsValues holds for a query whose statement has a placeholder.
func bindsValues(_ *engine.Pass, at *model.Node) bool {
	statements, _ := sql.Split(at.Parent().Get("sql").Str())
	return slices.ContainsFunc(statements, func(s sql.Statement) bool { return s.Slots > 0 })
}

// resourceLost holds for what is not an object and has to be one, and for the
// path of a resource that is found by nothing else.
func resourceLost(_ *engine.Pass, at *model.Node) bool {
	switch holder := at.Parent(); {
	case at.Key() == "resources" || holder.Key() == "resources" || holder.Key() == "queries":
		return !at.Is(ordjson.Object)
	default:
		return holder.Get("source").Str() == string(model.SQLiteGTFS) && holder.Get("path").Str() == ""
	}
}

// parameterLost holds for a parameter that is not an object or has no position,
// and for one without a z block whose value the caller gives.
func parameterLost(p *engine.Pass, at *model.Node) bool {
	q := at
	if at.Parent().Key() != "parameters" {
		q = at.Parent()
	}
	return !q.Get("position").Is(ordjson.Object) ||
		!q.Get("z").Is(ordjson.Object) && sourceOf(p, q.At("position")) == model.User
}

func sourceOf(p *engine.Pass, position *model.Node) model.Source {
	source, _ := model.SourceOf(position.Get("value").Str(), p.Declared)
	return source
}

// refusesCallers holds for a parameter whose z block takes no value at all that a
// caller could give.
func refusesCallers(p *engine.Pass, param *model.Node) bool {
	if sourceOf(p, param.At("position")) != model.User {
		return false
	}
	z := param.Get("z")
	block, _ := zod.Parse(z.Get("primitive").Str(), record.StringsOf(z.Get("options")))
	return block.Type() == zod.Unknown || block.Type() == zod.Enum && len(block.Values()) == 0
}

// unresolved holds for a reference to a list that cannot be used.
func unresolved(p *engine.Pass, at *model.Node) bool {
	for ; at != nil; at = at.Parent() {
		if i := slices.IndexFunc(p.Refs, func(r model.ListRef) bool { return r.Node == at }); i >= 0 {
			return !p.Ctx.Resolves(p.Refs[i])
		}
	}
	return false
}

// takesList holds for a primitive that takes values of a shared list.
func takesList(at *model.Node) bool {
	return at.Key() == "primitive" && len(model.Placeholders(at.Str())) > 0
}
