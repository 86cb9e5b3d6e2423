package lists

import (
	"slices"
	"strconv"

	"github.com/flowmcp/fmcp/pkg/edit"
	"github.com/flowmcp/fmcp/pkg/fields"
	"github.com/flowmcp/fmcp/pkg/model"
	"github.com/flowmcp/fmcp/pkg/ordjson"
	"github.com/flowmcp/fmcp/pkg/record"
	"github.com/flowmcp/fmcp/pkg/rules/engine"
	"github.com/flowmcp/fmcp/pkg/sharedlist"
	"github.com/flowmcp/fmcp/pkg/words"
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
		if r.Ref == "" || p.Told(r.Named().Pointer()) || !p.Ctx.LacksList(r.Ref) { // VAL070
			continue
		}
		names := p.Ctx.Lists.Names()
		fix, changes := "add the list to the _lists folder of the catalog", []edit.Change(nil)
		if near, ok := p.Speller.Closest(r.Ref, names); ok {
			fix = "did you mean " + strconv.Quote(near) + "?"
			changes = append(changes, engine.SetText(r.Named(), near))
		} else if len(names) > 0 {
			fix = "use one of " + words.List(names) + ", or add the list to the catalog"
		}
		p.Report(r.Named(), "found "+engine.Quote(r.Ref)+", which is not a list of the catalog", fix).
			Fixed(false, changes...)
	}
}

// checkListVersion is VAL073 (decision "List versions").
func checkListVersion(p *engine.Pass) {
	if p.Ctx.Lists == nil {
		return
	}
	for _, r := range listObjects(p) {
		list := p.Ctx.Lists.Lookup(r.Ref)
		if list == nil || !sharedlist.IsVersion(r.Version) || !sharedlist.IsVersion(list.Version) {
			continue
		}
		severity := p.Severity()
		if sharedlist.Compatible(list.Version, r.Version) {
			if !sharedlist.NewMinor(list.Version, r.Version) {
				continue
			}
			severity = record.SeverityWarning
		}
		p.ReportAs(severity, r.At("version"), "found "+engine.Quote(r.Version)+", but the catalog has "+r.Ref+" "+
			list.Version, "check the schema against the list and write version: '"+list.Version+"'").
			Fixed(sharedlist.Compatible(list.Version, r.Version), engine.SetText(r.At("version"), list.Version))
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
			filterField(p, r, at.At("field"), at) // CMP009
		} else if !key.Is(ordjson.String) || key.Str() == "" {
			p.Expect(at, "key", fields.ListFilter.Known(), "the key of a field of the list", "write key: 'fieldName'")
		} else {
			filterField(p, r, at.At("key"), at)
		}
		filterTest(p, at)
	}
}

// filterField checks the field that at names, and the values that the filter asks
// it for.
func filterField(p *engine.Pass, r model.ListRef, at, filter *model.Node) {
	if p.Ctx.Lists == nil {
		return
	}
	field, list := at.Str(), p.Ctx.Lists.Lookup(r.Ref)
	if list == nil {
		return
	}
	if list.HasField(field) {
		filterTypes(p, list, field, filter)
		return
	}
	fix, changes := "use one of "+words.List(list.FieldNames()), []edit.Change(nil)
	if near, ok := p.Speller.Closest(field, list.FieldNames()); ok {
		fix = "did you mean " + strconv.Quote(near) + "?"
		changes = append(changes, engine.SetText(at, near))
	}
	p.Report(at, "found "+engine.Quote(field)+", which is not a field of the list "+r.Ref, fix).Fixed(false, changes...)
}

// filterTypes reports values of a type that the entries do not have: none of them
// equals an entry's.
func filterTypes(p *engine.Pass, list *sharedlist.List, field string, filter *model.Node) {
	kinds := list.Kinds(field)
	values := filter.At("in").Items()
	if filter.Get("value").Exists() {
		values = append(values, filter.At("value"))
	}
	for _, v := range values {
		if len(kinds) == 0 || slices.Contains(kinds, v.Kind()) {
			continue
		}
		fix, meant := valueFix(v.Value, kinds[0])
		found := p.Report(v, engine.Found(v.Value)+", expected a "+kinds[0].String()+" as the entries of "+list.Name+
			" have in "+field, fix)
		if meant.Exists() {
			found.Fixed(false, engine.SetValue(v, meant))
		}
	}
}

// valueFix says how to write a value in the type of the entries, and returns it if it
// can be.
func valueFix(v ordjson.Value, kind ordjson.Kind) (fix string, meant ordjson.Value) {
	text, ok := ordjson.ScalarText(v)
	parsed, err := ordjson.Parse(text)
	switch {
	case ok && kind == ordjson.String:
		return "write '" + text + "', in quotes", ordjson.NewString(text)
	case err == nil && parsed.Is(kind):
		return "write " + text + ", without quotes", parsed
	}
	return "write a " + kind.String() + " that an entry has", ordjson.Value{}
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
			if engine.Misspelt(at.Value, field, fields.ListFilter.Known()) != "" {
				p.Expect(at, field, fields.ListFilter.Known(), "what to filter by", "")
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
