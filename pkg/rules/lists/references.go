package lists

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"github.com/flowmcp/fmcp/pkg/model"
	"github.com/flowmcp/fmcp/pkg/ordjson"
	"github.com/flowmcp/fmcp/pkg/rules/engine"
	"github.com/flowmcp/fmcp/pkg/sharedlist"
	"github.com/flowmcp/fmcp/pkg/words"
	"github.com/flowmcp/fmcp/pkg/zod"
)

// listObjects are the references that are objects; VAL024 reports the others.
func listObjects(p *engine.Pass) []model.ListRef {
	if !slices.ContainsFunc(p.Refs, func(r model.ListRef) bool { return !r.Is(ordjson.Object) }) {
		return p.Refs
	}
	return slices.DeleteFunc(slices.Clone(p.Refs), func(r model.ListRef) bool { return !r.Is(ordjson.Object) })
}

func checkListExists(p *engine.Pass) {
	if p.Ctx.Lists == nil {
		return
	}
	for _, r := range listObjects(p) {
		if r.Ref == "" {
			continue
		}
		if p.Ctx.Lists.Lookup(r.Ref) != nil {
			continue
		}
		if p.Ctx.UnjudgedLists != nil {
			p.Ctx.UnjudgedLists.Add(1)
			continue
		}
		names := p.Ctx.Lists.Names()
		fix := "add the list to the _lists folder of the catalog"
		if near, ok := p.Speller.Closest(r.Ref, names); ok {
			fix = "did you mean " + strconv.Quote(near) + "?"
		} else if len(names) > 0 {
			fix = "use one of " + words.List(names) + ", or add the list to the catalog"
		}
		p.Report(r.Named(), "found "+engine.Quote(r.Ref)+", which is not a list of the catalog", fix)
	}
}

func checkListVersion(p *engine.Pass) {
	if p.Ctx.Lists == nil {
		return
	}
	for _, r := range listObjects(p) {
		list := p.Ctx.Lists.Lookup(r.Ref)
		if list != nil && sharedlist.IsVersion(r.Version) && sharedlist.IsVersion(list.Version) &&
			!sharedlist.Compatible(list.Version, r.Version) {
			p.Report(r.At("version"), "found "+engine.Quote(r.Version)+", but the catalog has "+r.Ref+" "+list.Version,
				"check the schema against the list and write version: '"+list.Version+"'")
		}
	}
}

func checkListFilter(p *engine.Pass) {
	for _, r := range listObjects(p) {
		if !r.Filter.Exists() {
			continue
		}
		at := r.At("filter")
		if !r.Filter.Is(ordjson.Object) {
			p.Report(at, engine.Found(r.Filter)+", expected an object",
				"write filter: { key: 'fieldName', exists: true }")
			continue
		}
		key := r.Filter.Get("key")
		if !key.Exists() && r.Filter.Get("field").Is(ordjson.String) {
			key = r.Filter.Get("field") // CMP009
			filterField(p, r, at.At("field"), key.Str())
		} else if !key.Is(ordjson.String) || key.Str() == "" {
			p.Expect(at, "key", engine.FilterFields, "the key of a field of the list", "write key: 'fieldName'")
		} else {
			filterField(p, r, at.At("key"), key.Str())
		}
		filterTest(p, at)
	}
}

func filterField(p *engine.Pass, r model.ListRef, at *model.Node, field string) {
	if p.Ctx.Lists == nil {
		return
	}
	list := p.Ctx.Lists.Lookup(r.Ref)
	if list == nil || list.HasField(field) {
		return
	}
	fix := p.DidYouMean(field, list.FieldNames(), "use one of "+words.List(list.FieldNames()))
	p.Report(at, "found "+engine.Quote(field)+", which is not a field of the list "+r.Ref, fix)
}

// filterTest judges what a filter asks of its field (chapter 03, "Filter
// Types").
func filterTest(p *engine.Pass, at *model.Node) {
	exists, value, in := at.Get("exists"), at.Get("value"), at.Get("in")
	tests := 0
	for _, v := range []ordjson.Value{exists, value, in} {
		if v.Exists() {
			tests++
		}
	}
	switch {
	case tests == 0:
		for _, field := range []string{"exists", "value", "in"} {
			if engine.Misspelt(at.Value, field, engine.FilterFields) != "" {
				p.Expect(at, field, engine.FilterFields, "what to filter by", "")
				return
			}
		}
		p.Report(at, "found no exists, value or in, expected one of them",
			"write filter: { key: 'fieldName', exists: true }")
	case tests > 1:
		p.Report(at, "found more than one of exists, value and in, expected one", "keep one of them")
	case exists.Exists() && !exists.True():
		p.Report(at.At("exists"), engine.Found(exists)+", expected true", "write exists: true")
	case in.Exists() && !in.Is(ordjson.Array):
		p.Report(at.At("in"), engine.Found(in)+", expected an array", "write in: [ … ]")
	}
}

func checkListUnused(p *engine.Pass) {
	if len(p.Refs) == 0 || p.Exports("handlers") {
		return
	}
	used := map[string]bool{}
	p.EachParam(func(_ *engine.Tool, q *engine.Param) {
		if q.Block != nil {
			for _, ph := range q.Block.Lists() {
				used[ph.Type] = true
			}
		}
		for _, v := range q.BrokenLists() {
			name, _ := engine.ListAsMeant(v)
			used[name] = true
		}
	})
	for _, r := range listObjects(p) {
		if r.Ref != "" && !used[r.Ref] {
			p.Report(r.Named(), "no parameter uses the list "+engine.Quote(r.Ref)+", and there are no handlers",
				"remove the reference, or write primitive: 'enum({{"+r.Ref+":fieldName}})'")
		}
	}
}

// checkCopiedList is VAL107. Of several columns that an enum is a copy of, it
// names the one that its author most likely has in mind.
func checkCopiedList(p *engine.Pass) {
	if p.Ctx.Lists == nil {
		return
	}
	p.EachParam(func(_ *engine.Tool, q *engine.Param) {
		if q.Block == nil || q.Block.Type() != zod.Enum || len(q.Block.Lists()) > 0 {
			return
		}
		values := slices.Compact(slices.Sorted(slices.Values(q.Block.Values())))
		columns := columnsOf(p.Ctx).copied(values)
		if len(columns) == 0 {
			return
		}
		col := slices.MinFunc(columns, func(a, b column) int { return rankColumns(p, a, b, len(values)) })
		placeholder := "{{" + col.list + ":" + col.field + "}}"
		fix := "write primitive: 'enum(" + placeholder + ")'"
		if !p.Declares(col.list) {
			fix += " and add { ref: '" + col.list + "', version: '" + col.version + "' } to main.sharedLists"
		}
		share := "all " + strconv.Itoa(len(values))
		if len(values) < col.size {
			share = strconv.Itoa(len(values)) + " of the " + strconv.Itoa(col.size)
			fix += ", with a filter for the values that the API knows"
		}
		p.Report(q.At("z").At("primitive"),
			"repeats "+share+" values of the field "+col.field+" of the shared list "+col.list+", expected "+
				placeholder, fix)
	})
}

// rankColumns puts the columns of lists that the schema declares first, then
// those that have no other values, then those that have the name of the
// provider (etherscanAlias), then those that tell entries apart, and then those
// that every entry has.
func rankColumns(p *engine.Pass, a, b column, values int) int {
	namespace := strings.ToLower(p.Schema.Namespace())
	for _, better := range []func(column) bool{
		func(c column) bool { return p.Declares(c.list) },
		func(c column) bool { return c.size == values },
		func(c column) bool { return namespace != "" && strings.HasPrefix(strings.ToLower(c.field), namespace) },
		func(c column) bool { return c.key },
		func(c column) bool { return c.required },
	} {
		if x, y := better(a), better(b); x != y {
			if x {
				return -1
			}
			return 1
		}
	}
	return cmp.Compare(a.place, b.place)
}
