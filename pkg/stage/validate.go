package stage

import (
	"context"
	"slices"

	"github.com/flowmcp/fmcp/pkg/module"
	"github.com/flowmcp/fmcp/pkg/ordjson"
	"github.com/flowmcp/fmcp/pkg/record"
	"github.com/flowmcp/fmcp/pkg/rules"
)

// ValidateOptions say how files are judged.
type ValidateOptions struct {
	Profile   rules.Profile
	Spec      rules.Spec
	Libraries []string // that the user allows beside the profile's
	Pass      bool     // pass on the records whose file has no error
	Keep      bool     // pass on all records
}

// Validate is the step that holds load records against the rules. What it
// finds about a file comes before the record, so that a command behind it
// knows when the record arrives.
func Validate(opts ValidateOptions) Step {
	s := newSurveyor(opts.Profile, opts.Spec, opts.Libraries)
	failed := failures{}
	return Step{
		Observe: func(it *Item) {
			s.observe(it)
			failed.observe(it)
		},
		Do: func(_ context.Context, it *Item) Batch {
			switch rec := it.Rec.(type) {
			case *record.Load:
				return validate(it, rec, opts)
			case *record.Scan:
				if !opts.Pass && !opts.Keep {
					return nil
				}
			}
			return Batch{it}
		},
	}
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

func validate(it *Item, load *record.Load, opts ValidateOptions) Batch {
	var out Batch
	failed := it.failed
	if it.env != nil {
		diags := diagnostics(it, load, rules.Check(load, it.env.rules))
		for _, d := range diags {
			failed = failed || d.Severity == record.SeverityError
			out = append(out, New(d))
		}
	}
	if opts.Keep || opts.Pass && !failed {
		out = append(out, it)
	}
	return out
}

// diagnostics gives findings their lines and columns. The source is read
// again only now that there is something to say.
func diagnostics(it *Item, load *record.Load, findings []rules.Finding) []*record.Diagnostic {
	if len(findings) == 0 {
		return nil
	}
	pointers := make([]string, len(findings))
	for i, f := range findings {
		pointers[i] = f.Pointer
	}
	source := it.positions(load, pointers)
	list := make([]*record.Diagnostic, len(findings))
	for i, f := range findings {
		list[i] = f.Diagnostic(load)
		source.place(&list[i].Loc)
	}
	slices.SortStableFunc(list, (*record.Diagnostic).Compare)
	return list
}

// positions knows where the parts of an exported object stand in the source.
type positions struct {
	value ordjson.Value // Missing where nothing is known
	lines linesOf
}

// positions knows the places of pointers into the item's export. It reads the
// source, unless this process has it at hand, and only if it still is what the
// record was made of.
func (it *Item) positions(load *record.Load, pointers []string) *positions {
	name := exportOf[load.Type]
	if it.mod != nil {
		v, err := it.mod.Value(name)
		return positionsOf(it.source, v, err)
	}
	if !load.Static {
		return &positions{}
	}
	text, rerr := readModule(load.Src.File())
	if rerr != nil || Hash(text) != load.Src.FileHash {
		return &positions{}
	}
	v, err := module.Find(text, name, pointers)
	return positionsOf(text, v, err)
}

// positionsOf knows nothing where the export is not literal.
func positionsOf(text string, v ordjson.Value, err error) *positions {
	if err != nil {
		return &positions{}
	}
	return &positions{value: v, lines: linesOf{text: text}}
}

func (p *positions) place(loc *record.Loc) {
	if !p.value.Exists() {
		return
	}
	_, offset := ordjson.Lookup(p.value, loc.Pointer)
	if offset >= 0 {
		loc.Line, loc.Col = p.lines.position(offset)
	}
}
