package lists

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"github.com/flowmcp/fmcp/pkg/edit"
	"github.com/flowmcp/fmcp/pkg/model"
	"github.com/flowmcp/fmcp/pkg/ordjson"
	"github.com/flowmcp/fmcp/pkg/rules/engine"
	"github.com/flowmcp/fmcp/pkg/sharedlist"
	"github.com/flowmcp/fmcp/pkg/words"
	"github.com/flowmcp/fmcp/pkg/zod"
)

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
		if selectedCopy(p, q, values) {
			return
		}
		columns := columnsOf(p.Ctx).copied(values)
		if len(columns) == 0 {
			return
		}
		col := slices.MinFunc(columns, func(a, b copyOf) int { return rankColumns(p, a, b, len(values)) })
		placeholder := "{{" + col.list + ":" + col.field + "}}"
		share := "all " + strconv.Itoa(col.hits)
		if col.hits < col.size {
			share = strconv.Itoa(col.hits) + " of the " + strconv.Itoa(col.size)
		}
		p.Report(q.At("z").At("primitive"),
			"repeats "+share+" values of the field "+col.field+" of the shared list "+col.list+", expected "+
				placeholder, copyFix(p, col, placeholder, values)).Fixed(false, copyChanges(p, q, col, values)...)
	})
}

// selectedCopy reports an enum of just the values that a filter of the schema
// leaves of a list.
func selectedCopy(p *engine.Pass, q *engine.Param, values []string) bool {
	for _, r := range p.Refs {
		list, filter, ok := p.Ctx.Lists.Resolve(r)
		if !ok || filter.Key == "" || len(values) < minWholeList {
			continue
		}
		entries := filter.Select(list.Entries)
		for _, field := range list.FieldNames() {
			column := slices.Sorted(slices.Values(sharedlist.Values(entries, field)))
			if countValues(entries, field) != len(values) || !slices.Equal(column, values) {
				continue
			}
			placeholder := "{{" + r.Ref + ":" + field + "}}"
			at := q.At("z").At("primitive")
			p.Report(at, "repeats all "+strconv.Itoa(len(values))+" values of the field "+
				field+" that the reference to the shared list "+r.Ref+" selects, expected "+placeholder,
				"write primitive: 'enum("+placeholder+")'").Fixed(false, engine.SetText(at, "enum("+placeholder+")"))
			return true
		}
	}
	return false
}

func copyFix(p *engine.Pass, col copyOf, placeholder string, values []string) string {
	fix := "write primitive: 'enum(" + placeholder + ")'"
	if !p.Declares(col.list) {
		fix += " and add { ref: '" + col.list + "', version: '" + col.version + "' } to main.sharedLists"
	}
	if col.hits < col.size {
		fix += ", with a filter for the values that the API knows"
	}
	if col.hits < len(values) {
		own := columnsOf(p.Ctx).missing(col, values)
		fix += "; the list has no " + words.Quote(own) + ": write 'enum(" + placeholder + "," + own +
			")', or add it there"
	}
	return fix
}

// copyChanges put the placeholder in the place of the values, where it gives the same ones:
// all of the list, or those that a filter of a new reference selects.
func copyChanges(p *engine.Pass, q *engine.Param, col copyOf, values []string) []edit.Change {
	refers := slices.IndexFunc(p.Refs, func(r model.ListRef) bool { return r.Ref == col.list })
	if col.hits < len(values) || refers >= 0 && (col.hits < col.size || p.Refs[refers].Filter.Exists()) {
		return nil
	}
	changes := []edit.Change{engine.SetText(q.At("z").At("primitive"), "enum({{"+col.list+":"+col.field+"}})")}
	switch {
	case refers >= 0:
	case col.hits == col.size:
		changes = append(changes, p.DeclareList(col.list, ordjson.Value{}))
	default:
		changes = append(changes, p.DeclareList(col.list, selecting(p.Ctx.Lists.Lookup(col.list), col.field, values)))
	}
	return changes
}

// selecting is a filter that leaves the entries of a list which have one of some values.
func selecting(list *sharedlist.List, field string, values []string) ordjson.Value {
	var in []ordjson.Value
	for _, e := range list.Entries {
		v := e.Get(field)
		text, ok := ordjson.ScalarText(v)
		same := func(have ordjson.Value) bool { return ordjson.Equal(have, v) }
		if ok && slices.Contains(values, text) && !slices.ContainsFunc(in, same) {
			in = append(in, v)
		}
	}
	return ordjson.NewObject(ordjson.Field("key", ordjson.NewString(field)),
		ordjson.Field("in", ordjson.NewArray(in...)))
}

// rankColumns puts the columns of lists that the schema declares first, then
// those that have all values, then those that have no other values, then those
// that have the name of the provider (etherscanAlias), then those that tell
// entries apart, and then those that every entry has. Of columns alike it takes
// the smaller one.
func rankColumns(p *engine.Pass, a, b copyOf, values int) int {
	namespace := strings.ToLower(p.Schema.Namespace())
	for _, better := range []func(copyOf) bool{
		func(c copyOf) bool { return p.Declares(c.list) },
		func(c copyOf) bool { return c.hits == values },
		func(c copyOf) bool { return c.hits == values && c.size == values },
		func(c copyOf) bool { return namespace != "" && strings.HasPrefix(strings.ToLower(c.field), namespace) },
		func(c copyOf) bool { return c.key },
		func(c copyOf) bool { return c.required },
	} {
		if x, y := better(a), better(b); x != y {
			if x {
				return -1
			}
			return 1
		}
	}
	return cmp.Or(cmp.Compare(a.size, b.size), cmp.Compare(a.place, b.place))
}
