package stage

import (
	"context"
	"path"
	"slices"

	"github.com/flowmcp/fmcp/pkg/edit"
	"github.com/flowmcp/fmcp/pkg/record"
	"github.com/flowmcp/fmcp/pkg/rules"
	"github.com/flowmcp/fmcp/pkg/rules/engine"
)

// ValidateOptions say how files are judged.
type ValidateOptions struct {
	Profile   rules.Profile
	Spec      rules.Spec
	Libraries []string // that the user allows beside the profile's
	Pass      bool     // pass on the records whose file has no error
	Keep      bool     // pass on all records
	// Filter returns a finding as it is to be reported, nil if it is not; a nil
	// Filter changes nothing. Findings of the commands before it pass it too.
	Filter func(*record.Diagnostic) *record.Diagnostic
	// Round, if it is not nil, is called before files come a second time.
	Round func()
	// File, if it is not nil, is called for each file that is checked.
	File func()
	// Ignores makes fmcp-ignore comments count, and reports what is wrong with
	// them.
	Ignores      bool
	Buffers      Buffers
	CatalogRules rules.CatalogRules
}

// Validate are the steps that check load records by the rules: each file on its
// own, then those that need the whole catalog. What is found about a file comes
// before its record, so that the next command knows when the record arrives.
func Validate(opts ValidateOptions) []Step {
	return []Step{checkFiles(opts), checkCatalogs(opts)}
}

// checkedFile is the record of a file between the two steps of Validate.
type checkedFile struct {
	*record.Load
	lists   *catalogLists
	ignores *rules.Ignores // the fmcp-ignore comments of its source, nil for none
	code    *codeFound     // by the scan
}

// checkedRound is a round between the two steps of Validate.
type checkedRound struct {
	*record.Round
	lists map[string]*catalogLists // at its end, by the folder of the catalog
}

// checkFiles is the step that checks each file on its own. In stream order it
// only looks for the shared lists that the file may use.
func checkFiles(opts ValidateOptions) Step {
	return checkFilesWith(&listsInStream{opts: opts, catalogs: map[string]*catalogLists{}})
}

// checkFilesWith is checkFiles with lists that others see too.
func checkFilesWith(s *listsInStream) Step {
	opts := s.opts
	return Step{
		InOrder: s.inOrder,
		Do: func(ctx context.Context, it *Item) Batch {
			file, ok := it.Rec.(*checkedFile)
			if !ok {
				return Batch{it}
			}
			var out Batch
			readAgain(ctx, file.Load)
			if opts.CatalogRules == rules.OnlyCatalogRules {
				if file.lists.rules.UnjudgedLists != nil {
					rules.Check(file.Load, file.lists.rules) // counts the references
				}
				return Batch{it}
			}
			made, last := rules.Check(file.Load, file.lists.rules), !rules.NeedsCatalog(file.Load)
			if opts.CatalogRules == rules.NoCatalogRules && !last {
				made, last = append(made, rules.CheckCatalog(file.Load, file.lists.rules)...), true
			}
			found := opts.diagnostics(file, made, it.edited, last)
			if file.Reviews != nil {
				found = append(found, rules.Reviews(file.Load, opts.Profile)...)
				slices.SortStableFunc(found, (*record.Diagnostic).Compare)
			}
			for _, d := range found {
				out = append(out, New(d))
			}
			it.edited = nil
			return append(out, it)
		},
	}
}

// diagnostics are the findings about a file without those that its comments take
// back; last adds what is wrong with the comments, since no more rules will look
// at the file. src is nil where the file has to be read for edits.
func (o *ValidateOptions) diagnostics(file *checkedFile, found []rules.Finding, src *edit.Source,
	last bool) []*record.Diagnostic {
	source := func() *edit.Source {
		if src == nil {
			return o.readSource(file.Load)
		}
		return src
	}
	list := slices.DeleteFunc(engine.Diagnostics(file.Load, found, source), file.code.explains)
	if o.Ignores && file.Ignores != nil {
		if file.ignores == nil {
			file.ignores = rules.NewIgnores(file.Ignores)
			file.ignores.CatalogRules = o.CatalogRules
		}
		list = slices.DeleteFunc(list, file.ignores.Cover)
		if last {
			list = append(list, file.ignores.Findings(file.Load, o.Profile, source)...)
		}
	}
	slices.SortStableFunc(list, (*record.Diagnostic).Compare)
	return list
}

// readSource reads the file of a record for edits of it; nil where it is not what it was,
// or cannot be edited.
func (o *ValidateOptions) readSource(load *record.Load) *edit.Source {
	if !load.Static || path.Ext(load.Src.Path) != ".mjs" {
		return nil
	}
	text, hash, err := o.Buffers.module(load.Src.File())
	if err != nil || hash != load.Src.FileHash {
		return nil
	}
	src, _ := edit.ReadSource(text, engine.ExportName(load.Type, load.Exports))
	return src
}

// filter is the finding as the user wants it reported, nil where not at all.
func (o *ValidateOptions) filter(d *record.Diagnostic) *record.Diagnostic {
	if o.Filter == nil {
		return d
	}
	return o.Filter(d)
}
