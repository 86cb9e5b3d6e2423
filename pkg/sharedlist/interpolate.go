package sharedlist

import (
	"slices"
	"strings"

	"github.com/flowmcp/fmcp/pkg/catalog"
	"github.com/flowmcp/fmcp/pkg/model"
	"github.com/flowmcp/fmcp/pkg/words"
	"github.com/flowmcp/fmcp/pkg/zod"
)

// Interpolate replaces every {{list:field}} in an enum() primitive by the
// values of that field, after the filter of the schema's reference (chapter 02,
// "Shared List Interpolation"). Entries without the field are skipped, repeated
// values removed; order is kept. A primitive without placeholders comes back as
// it is. It is not ok where the list is not declared or has no such field, which
// rules VAL048 and VAL049 report, or where a reference cannot be resolved; and
// for the problems VAL046 (no value is left), VAL047 (not in enum()) and LOD033
// (value that cannot stand in enum()).
func Interpolate(primitive string, refs []model.ListRef, lists *Lists) (text string, problems []words.Problem,
	ok bool) {
	phs := model.Placeholders(primitive)
	if len(phs) == 0 {
		return primitive, nil, true
	}
	inner, isEnum := strings.CutPrefix(strings.TrimSpace(primitive), "enum(")
	if inner, isEnum = cutEnd(inner, isEnum); !isEnum {
		return "", []words.Problem{{Code: "VAL047", Message: primitive[phs[0].Start:phs[0].End] +
			" stands in the primitive " + words.Quote(primitive) + "; lists are allowed inside enum() only",
			Fix: "write enum(" + primitive[phs[0].Start:phs[0].End] + ")"}}, false
	}
	in := interpolation{refs: refs, lists: lists, seen: map[string]bool{}, items: map[string]bool{}}
	for _, item := range strings.Split(inner, ",") {
		in.item(strings.TrimSpace(item))
	}
	if in.failed || len(in.problems) > 0 {
		return "", in.problems, false
	}
	if len(in.values) == 0 {
		return "", []words.Problem{in.empty(primitive)}, false
	}
	out := "enum(" + strings.Join(in.values, ",") + ")"
	if p := in.readBack(out); p != nil {
		return "", []words.Problem{*p}, false
	}
	return out, nil, true
}

func cutEnd(inner string, ok bool) (string, bool) {
	if !ok {
		return inner, false
	}
	return strings.CutSuffix(inner, ")")
}

type interpolation struct {
	refs     []model.ListRef
	lists    *Lists
	seen     map[string]bool
	values   []string
	from     *List // the last list that a value was looked for in
	filter   Filter
	listed   []string // those of values that came from a list
	items    map[string]bool
	problems []words.Problem
	failed   bool // for what rules report
}

func (in *interpolation) add(v string) bool {
	if in.seen[v] {
		return false
	}
	in.seen[v] = true
	in.values = append(in.values, v)
	return true
}

// item takes one piece between the commas.
func (in *interpolation) item(item string) {
	if in.items[item] {
		return // it would add nothing
	}
	in.items[item] = true
	phs := model.Placeholders(item)
	switch {
	case len(phs) == 0:
		in.add(item)
		return
	case len(phs) > 1 || phs[0].Start > 0 || phs[0].End < len(item):
		in.problems = append(in.problems, words.Problem{Code: "VAL047", Message: "in enum(), " +
			item[phs[0].Start:phs[0].End] + " must stand alone between commas, found " + words.Quote(item),
			Fix: "separate values and lists by commas: enum(custom,{{list:field}})"})
		return
	}
	list, filter, ok := in.list(phs[0])
	if !ok {
		in.failed = true
		return
	}
	in.from, in.filter = list, filter
	for _, v := range Values(filter.Select(list.Entries), phs[0].Name) {
		if in.add(v) {
			in.listed = append(in.listed, v)
		}
	}
}

// empty is the problem that no value is left, and why as far as a filter tells.
func (in *interpolation) empty(primitive string) words.Problem {
	p := words.Problem{Code: "VAL046", Message: "no value is left for " + words.Quote(primitive) + ": "}
	asked, have := in.filter.absent(in.from)
	if asked == "" {
		p.Message += "no entry that the filter selects has the field"
		p.Fix = "widen the filter in sharedLists, or add the field to the entries"
		return p
	}
	p.Message += "no entry of " + in.from.Name + " has " + words.Quote(asked) + " in " + in.filter.Key
	p.Fix = "use one of " + words.List(have) + " in the filter in sharedLists"
	if near, ok := words.Closest(asked, have); ok {
		p.Fix = "write '" + near + "' in the filter in sharedLists"
	}
	return p
}

// list finds what a placeholder names.
func (in *interpolation) list(ph model.Placeholder) (*List, Filter, bool) {
	i := slices.IndexFunc(in.refs, func(ref model.ListRef) bool { return ref.Ref == ph.Type })
	if ph.Type == "" || i < 0 {
		return nil, Filter{}, false
	}
	list, filter, ok := in.lists.Resolve(in.refs[i])
	return list, filter, ok && list.HasField(ph.Name)
}

// readBack makes sure that the text means the values that it was made of: a
// comma in a list's value would silently become two values.
func (in *interpolation) readBack(primitive string) *words.Problem {
	schema, _ := zod.Parse(primitive, nil)
	got := make(map[string]bool, len(in.values))
	for _, v := range schema.Values() {
		got[v] = true
	}
	for _, v := range in.listed {
		if !got[v] {
			return &words.Problem{Code: catalog.CodeListValue, Message: "the list value " + words.Quote(v) +
				" cannot stand inside enum(): commas, quotes and spaces at its ends would change it",
				Fix: "use a field whose values are plain words, such as alias"}
		}
	}
	return nil
}
