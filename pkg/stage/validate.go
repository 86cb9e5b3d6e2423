package stage

import (
	"context"
	"slices"

	"github.com/flowmcp/fmcp/pkg/record"
	"github.com/flowmcp/fmcp/pkg/rules"
	"github.com/flowmcp/fmcp/pkg/rules/engine"
	"github.com/flowmcp/fmcp/pkg/walk"
)

// ValidateOptions say how files are judged.
type ValidateOptions struct {
	Profile   rules.Profile
	Spec      rules.Spec
	Libraries []string // that the user allows beside the profile's
	Pass      bool     // pass on the records whose file has no error
	Keep      bool     // pass on all records
	// Filter returns a finding as it is to be reported, nil where it is not; a
	// nil Filter changes nothing. Findings of the commands before it pass it too.
	Filter func(*record.Diagnostic) *record.Diagnostic
	// Round, where it is not nil, is told that files may come a second time.
	Round func()
	// File, where it is not nil, is told of each file that is checked.
	File func()
	// Ignores makes fmcp-ignore comments count, and reports what is wrong with
	// them.
	Ignores bool
}

// Validate is the step that holds load records against the rules. What it
// finds about a file comes before the record, so that a command behind it
// knows when the record arrives.
//
// Rules that need the whole catalog have their say when the last record has
// come by, or, where fmcp-scan watches, when a round is complete: then come
// their findings, and with Pass or Keep the records that had to wait for them,
// in the order of the input.
func Validate(opts ValidateOptions) Step {
	v := &validator{opts: opts, surveyor: newSurveyor(opts.Profile, opts.Spec, opts.Libraries), failures: failures{}}
	return Step{
		Observe: v.observe,
		Do:      v.do,
		Finish: func(_ context.Context, emit func(Batch) bool) error {
			emit(v.judge(false))
			return nil
		},
	}
}

// validator is a Validate at work.
type validator struct {
	opts     ValidateOptions
	surveyor *surveyor
	failures failures
	waiting  []*Item         // for the whole catalog, in input order
	twice    map[string]bool // messages about what is defined twice
	settled  []*Item         // where fmcp-scan watches: those of earlier rounds
	keys     keyAsks
}

// observe notes what an item tells about its catalog. The few that wait for
// all of it are checked here, one at a time, so that nothing is under way with
// them when the last one has come.
func (v *validator) observe(it *Item) error {
	v.surveyor.observe(it)
	v.sift(it)
	v.failures.observe(it)
	v.keys.observe(it, v.surveyor.again)
	if round, ok := it.Rec.(*record.Round); ok {
		if v.opts.Round != nil {
			v.opts.Round()
		}
		it.found = v.round(round)
	}
	load, ok := it.Rec.(*record.Load)
	if ok && v.opts.File != nil {
		v.opts.File()
	}
	if ok && rules.NeedsCatalog(load) {
		it.waits = true
		it.found = v.check(it, load, rules.Check, false)
		v.waiting = append(v.waiting, it)
		if len(v.waiting) > maxWaiting && !v.opts.Pass && !v.opts.Keep {
			it.shelve(load)
		}
	}
	return nil
}

func (v *validator) do(_ context.Context, it *Item) Batch {
	switch rec := it.Rec.(type) {
	case *record.Load:
		if it.waits {
			found := it.found
			it.found = nil // the item stays, what was said of it need not
			return found
		}
		return v.passOn(v.check(it, rec, rules.Check, true), it)
	case *record.Round:
		return append(it.found, it)
	case *record.Diagnostic:
		if rec.Severity == record.SeverityOff { // see sift
			return nil
		}
	case *record.Scan:
		if !v.opts.Pass && !v.opts.Keep {
			return nil
		}
	}
	return Batch{it}
}

// judge has the last word on the items that waited for the whole catalog; again
// says that there may be another one.
func (v *validator) judge(again bool) Batch {
	var out Batch
	if !again { // a round has done it, for the files of earlier ones too
		v.surveyor.tellUnread()
	}
	for _, it := range v.waiting {
		found := v.whole(it)
		if again {
			it.said = textOfBatch(found)
		}
		out = append(out, v.passOn(found, it)...)
	}
	v.waiting = nil
	for _, d := range v.surveyor.unjudged() {
		if d = v.filter(d); d != nil {
			out = append(out, New(d))
		}
	}
	out = append(out, v.definedTwice()...)
	return append(out, v.sharedKeys()...)
}

// whole checks an item by the rules that need the whole catalog, as it is now:
// lists may have come behind the item.
func (v *validator) whole(it *Item) Batch {
	load := it.Rec.(*record.Load)
	it.env = v.surveyor.of(walk.Root(load.Src))
	if it.shelved {
		file := load.Src.File()
		if load = it.env.reload(load); load == nil {
			return Batch{New(&record.Error{Stage: "fmcp-validate", Input: file, Code: "LOD005",
				Message: "changed after it was scanned: scan again"})}
		}
	}
	return v.check(it, load, rules.CheckCatalog, true)
}

// round has the last word for now, where fmcp-scan watches. Files of earlier
// rounds are looked at again, since what they refer to may have come or gone;
// there is something to say of one only if it is not what was said before.
func (v *validator) round(r *record.Round) Batch {
	v.surveyor.lookAgain()
	v.surveyor.tellUnread()
	gone := map[string]bool{}
	for _, path := range r.Removed {
		src := record.Source{Root: r.Root, Path: path}
		v.surveyor.remove(src)
		gone[src.File()] = true
		v.keys.Remove(src.File())
	}
	for _, it := range v.waiting { // in the place of what they were before
		gone[fileOf(it)] = true
	}
	v.settled = slices.DeleteFunc(v.settled, func(it *Item) bool { return gone[fileOf(it)] })
	var out Batch
	for _, it := range v.settled {
		found := v.whole(it)
		if text := textOfBatch(found); text != it.said {
			it.said = text
			out = append(out, found...)
		}
	}
	waited := v.waiting
	out = append(out, v.judge(true)...)
	v.settled = append(v.settled, waited...)
	v.surveyor.again = true
	return out
}

func fileOf(it *Item) string { return it.Rec.(*record.Load).Src.File() }

func textOfBatch(b Batch) string {
	var text []byte
	for _, it := range b {
		text = append(it.AppendJSON(text), '\n')
	}
	return string(text)
}

// check makes the records of what rules find about a file; last says that no
// more rules will look at it.
func (v *validator) check(it *Item, load *record.Load, run func(*record.Load, *rules.Context) []rules.Finding,
	last bool) Batch {
	var out Batch
	found := engine.Diagnostics(load, run(load, it.env.rules))
	slices.SortStableFunc(found, (*record.Diagnostic).Compare)
	for _, d := range v.ignore(it, load, found, last) {
		if d = v.filter(d); d == nil {
			continue
		}
		it.failed = it.failed || d.Severity == record.SeverityError && d.Loc.Path == load.Src.File()
		out = append(out, New(d))
	}
	return out
}

// passOn adds the item to what was found about it, if it is to go on.
func (v *validator) passOn(found Batch, it *Item) Batch {
	if v.opts.Keep || v.opts.Pass && !it.failed {
		return append(found, it)
	}
	return found
}

// failures remembers the files that have an error-level finding until their
// record comes by, and marks it.
type failures map[string]bool

func (f failures) observe(it *Item) {
	switch rec := it.Rec.(type) {
	case *record.Diagnostic:
		if rec.Severity == record.SeverityError {
			f[rec.Loc.Path] = true
		}
	case *record.Load:
		it.failed = f[rec.Src.File()]
		delete(f, rec.Src.File())
	}
}
