package lists

import (
	"slices"
	"strings"

	"github.com/flowmcp/fmcp/pkg/ordjson"
	"github.com/flowmcp/fmcp/pkg/record"
	"github.com/flowmcp/fmcp/pkg/rules/engine"
	"github.com/flowmcp/fmcp/pkg/sharedlist"
	"github.com/flowmcp/fmcp/pkg/words"
)

var listFieldTypes = map[string]ordjson.Kind{"string": ordjson.String, "number": ordjson.Number,
	"boolean": ordjson.Bool}

// reportProblem reports what another package says about the file.
func reportProblem(p *engine.Pass, problem words.Problem) {
	p.Add(engine.Finding{
		Rule: p.Rule, Severity: p.Severity(),
		Message: problem.Message, Fix: problem.Fix, Pointer: problem.Pointer,
	})
}

// sharedList is the shared list that the rules look at, and what is wrong with
// it.
type sharedList struct {
	*sharedlist.List
	problems []words.Problem
}

func list(p *engine.Pass) sharedList {
	return engine.Keep(&p.Kept, func() sharedList {
		list, problems := sharedlist.NewList(p.Load)
		return sharedList{list, problems}
	})
}

// checkListProblems reports what sharedlist.NewList says of the rule's code.
func checkListProblems(p *engine.Pass) {
	for _, problem := range list(p).problems {
		if problem.Code == p.Rule.Code {
			reportProblem(p, problem)
		}
	}
}

func checkListExport(p *engine.Pass) {
	if !p.Root.Is(ordjson.Object) {
		checkListProblems(p)
		return
	}
	others := slices.DeleteFunc(slices.Clone(p.Load.Exports), func(name string) bool { return name == p.Export })
	if len(others) > 0 {
		p.ReportFile("found the exports "+strings.Join(others, ", ")+" beside list, expected list alone",
			"remove them; write each list into a file of its own")
	}
}

func checkListName(p *engine.Pass) {
	own := list(p)
	if own.Name == "" {
		checkListProblems(p)
		return
	}
	first := p.Ctx.List(own.Name)
	if first == nil || sameFile(first.Src, own.Src) {
		first = p.Ctx.ListOnDisk(own.Name)
	}
	if first == nil || sameFile(first.Src, own.Src) {
		return
	}
	both := &sharedlist.Lists{}
	_ = both.Add(first)
	if problem := both.Add(own.List); problem != nil {
		reportProblem(p, *problem)
	}
}

// sameFile reports whether two sources are one file, which may have come by two
// ways: from the stream, and from the folder.
func sameFile(a, b record.Source) bool {
	base := func(s record.Source) string { return s.File()[strings.LastIndexByte(s.File(), '/')+1:] }
	return a.File() == b.File() || a.FileHash != "" && a.FileHash == b.FileHash && base(a) == base(b)
}

// listField is a field of a list that can be checked: LST005 reports others.
type listField struct {
	key, typ string
	kind     ordjson.Kind // Missing where the type is none
	optional bool
}

// listFields are the fields that the list declares, and their keys.
func listFields(p *engine.Pass) (fields []listField, keys []string) {
	for _, f := range p.Root.Get("meta").Get("fields").Elems() {
		if key := f.Get("key").Str(); key != "" {
			typ := f.Get("type").Str()
			fields = append(fields, listField{key, typ, listFieldTypes[typ], f.Get("optional").True()})
			keys = append(keys, key)
		}
	}
	return fields, keys
}

func checkListEntries(p *engine.Pass) {
	fields, keys := listFields(p)
	byKey := fieldsByKey(fields)
	required := 0 // keys that an entry must have
	for _, f := range byKey {
		if !f.optional {
			required++
		}
	}
	for _, e := range p.Root.At("entries").Items() {
		if p.Full() { // fields and entries multiply
			return
		}
		if !e.Is(ordjson.Object) {
			p.Report(e, engine.Found(e.Value)+", expected an object", "write { "+strings.Join(keys, ": …, ")+": … }")
			continue
		}
		if !lacksAny(e.Value, byKey, required) {
			continue
		}
		given := valuesOf(e.Value)
		for _, f := range fields {
			if f.optional || given[f.key] {
				continue
			}
			want := "a value, since the field is not optional"
			if f.kind != ordjson.Missing {
				want = "a " + f.typ + ", since the field is not optional"
			}
			p.Expect(e, f.key, keys, want, "add "+f.key+", or write optional: true where the list defines it")
		}
	}
}

// fieldsByKey are the fields by their keys. Of two with one key a field that is
// not optional counts.
func fieldsByKey(fields []listField) map[string]listField {
	byKey := make(map[string]listField, len(fields))
	for _, f := range fields {
		if known, ok := byKey[f.key]; !ok || known.optional {
			byKey[f.key] = f
		}
	}
	return byKey
}

// lacksAny reports whether an entry lacks one of the required fields. It looks
// at what the entry has: fields and entries multiply.
func lacksAny(e ordjson.Value, byKey map[string]listField, required int) bool {
	for _, m := range e.Members() {
		if f, ok := byKey[m.Key]; ok && !f.optional && !m.Value.Is(ordjson.Null) {
			required--
		}
	}
	return required > 0
}

// valuesOf are the keys for which an entry has a value.
func valuesOf(e ordjson.Value) map[string]bool {
	given := make(map[string]bool, e.Len())
	for _, m := range e.Members() {
		given[m.Key] = !m.Value.Is(ordjson.Null)
	}
	return given
}

func checkListValues(p *engine.Pass) {
	fields, _ := listFields(p)
	places := make(map[string][]int, len(fields)) // a key may have two fields
	for i, f := range fields {
		places[f.key] = append(places[f.key], i)
	}
	for _, e := range p.Root.At("entries").Items() {
		var wrong []int // places of fields
		for _, m := range e.Members() {
			if m.Value.Is(ordjson.Null) {
				continue
			}
			for _, i := range places[m.Key] {
				if f := fields[i]; f.kind != ordjson.Missing && !m.Value.Is(f.kind) {
					wrong = append(wrong, i)
				}
			}
		}
		slices.Sort(wrong)
		for _, i := range wrong {
			at := e.At(fields[i].key)
			p.Report(at, engine.Found(at.Value)+", expected a "+fields[i].typ, typeFix(at.Value, fields[i]))
		}
	}
}

// typeFix says how to write a value in the type of its field.
func typeFix(v ordjson.Value, f listField) string {
	text := ordjson.Text(v)
	switch {
	case f.kind == ordjson.String && v.Is(ordjson.Number):
		return "write " + f.key + ": '" + text + "', or type: 'number' where the list defines it"
	case v.Is(ordjson.String):
		if parsed, err := ordjson.Parse(v.Str()); err == nil && parsed.Is(f.kind) {
			return "write " + f.key + ": " + v.Str() + ", without quotes"
		}
	case v.Is(ordjson.Array) || v.Is(ordjson.Object):
		return "a list is flat: give each part a field of its own"
	}
	return "write a " + f.typ + ", or another type where the list defines " + f.key
}

// checkListDependsOn looks at what dependsOn names, where its form is right.
func checkListDependsOn(p *engine.Pass) {
	if slices.ContainsFunc(p.Findings, func(f engine.Finding) bool { return f.Rule == p.Rule }) {
		return
	}
	checkListDependencies(p)
	for _, dep := range p.Root.At("meta").At("dependsOn").Items() {
		name, version := dep.Get("ref").Str(), dep.Get("version")
		if l := p.Ctx.List(name); l != nil && sharedlist.Compatible(l.Version, version.Str()) &&
			sharedlist.NewMinor(l.Version, version.Str()) {
			p.ReportAs(min(record.SeverityWarning, p.Severity()), dep.At("version"),
				engine.Found(version)+", but the catalog has "+name+" "+l.Version,
				"check this list against it and write version: '"+l.Version+"'")
		}
	}
}

// checkListDependencies reports what sharedlist.Dependencies says of the rule's
// code.
func checkListDependencies(p *engine.Pass) {
	own := list(p)
	if len(own.DependsOn) == 0 {
		return
	}
	for _, problem := range p.Ctx.Dependencies().Of(own.List) {
		if problem.Code == p.Rule.Code {
			reportProblem(p, problem)
		}
	}
}
