package fix

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/flowmcp/fmcp/pkg/record"
	"github.com/flowmcp/fmcp/pkg/stage"
	"github.com/flowmcp/fmcp/pkg/walk"
)

// Pass is a look at all files.
type Pass struct {
	Files  []*File // that change, or of which an edit is dropped; in input order
	Unsafe int     // findings whose edits need a look, and are not asked for
	Failed []*record.Error
}

// Run validates files, and fixes them as they come by. It writes nothing.
func (x *Fixer) Run(ctx context.Context, jobs int, source stage.Source, opts stage.ValidateOptions) (*Pass, error) {
	opts.Keep = true
	p := &Pass{}
	found := map[string][]*record.Diagnostic{} // about files whose record has not come, by path
	err := stage.Run(ctx, stage.Options{Jobs: jobs}, source,
		append(stage.Loading("fmcp-validate"), stage.Validate(opts)...), func(it *stage.Item) error {
			switch rec := it.Rec.(type) {
			case *record.Error:
				p.Failed = append(p.Failed, rec)
			case *record.Diagnostic:
				switch {
				case rec.Code == oldAgent && x.Wants(rec):
					if !x.All {
						p.Unsafe++
						break
					}
					p.Files = append(p.Files, newAgent(rec))
				case x.offered(rec):
					found[rec.Loc.Path] = append(found[rec.Loc.Path], rec)
				case len(rec.Edits) > 0 && x.Wants(rec):
					p.Unsafe++
				}
			case *record.Load:
				list := found[rec.Src.File()]
				delete(found, rec.Src.File())
				return p.fix(ctx, x, rec, list)
			}
			return nil
		}, func() error { return nil })
	return p, err
}

func (p *Pass) fix(ctx context.Context, x *Fixer, load *record.Load, found []*record.Diagnostic) error {
	if len(found) == 0 {
		return nil
	}
	if _, err := place(load.Src); err != nil {
		p.Files = append(p.Files, &File{Src: load.Src, Dropped: []Dropped{{found[0], err}}})
		return nil
	}
	text, err := walk.ReadFile(load.Src.File(), stage.MaxFile)
	if err != nil {
		return err
	}
	if record.Hash(text) != load.Src.FileHash {
		return fmt.Errorf("%s: %w", load.Src.File(), errChanged)
	}
	f, err := x.Fix(ctx, load, string(text), found)
	if err != nil {
		return fmt.Errorf("%s: %w", load.Src.File(), err)
	}
	if f.After != f.Before {
		f.addFiles(load, x.All)
	}
	if f.After != f.Before || f.Dropped != nil {
		p.Files = append(p.Files, f)
	}
	return nil
}

var errChanged = errors.New("it has changed since it was read: run the command again")

// Fixed are the findings that were corrected.
func (p *Pass) Fixed() []*record.Diagnostic {
	var list []*record.Diagnostic
	for _, f := range p.Files {
		list = append(list, f.Fixed...)
	}
	return list
}

// Changed are the files that are not what they were.
func (p *Pass) Changed() []*File {
	return slices.DeleteFunc(slices.Clone(p.Files), func(f *File) bool { return f.After == f.Before })
}
