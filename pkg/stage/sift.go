package stage

import (
	"slices"

	"github.com/flowmcp/fmcp/pkg/record"
	"github.com/flowmcp/fmcp/pkg/rules"
)

// filter is the finding as the user wants it reported, nil where not at all.
func (v *validator) filter(d *record.Diagnostic) *record.Diagnostic {
	if v.opts.Filter == nil {
		return d
	}
	return v.opts.Filter(d)
}

// sift filters a finding of a command before this one. One that is not to be
// reported gets the severity off, which no other finding has.
func (v *validator) sift(it *Item) {
	d, ok := it.Rec.(*record.Diagnostic)
	if !ok {
		return
	}
	switch kept := v.filter(d); kept {
	case d:
	case nil:
		it.Rec = &record.Diagnostic{}
	default:
		it.Rec, it.Line = kept, nil
	}
}

// ignore takes back the findings that comments of the source are about, and
// adds, when all rules have looked at the file, what is wrong with the
// comments.
func (v *validator) ignore(it *Item, load *record.Load, found []*record.Diagnostic, last bool) []*record.Diagnostic {
	if !v.opts.Ignores || load.Ignores == nil {
		return found
	}
	if it.ignores == nil {
		it.ignores = rules.NewIgnores(load.Ignores)
	}
	found = slices.DeleteFunc(found, it.ignores.Cover)
	if last {
		found = append(found, it.ignores.Findings(load, v.opts.Profile)...)
		slices.SortStableFunc(found, (*record.Diagnostic).Compare)
	}
	return found
}
