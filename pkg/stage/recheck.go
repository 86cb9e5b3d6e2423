package stage

import (
	"context"

	"github.com/flowmcp/fmcp/pkg/record"
	"github.com/flowmcp/fmcp/pkg/walk"
)

// Checker says what the rules that look at one file find in it, if it had another
// text. It is for one goroutine. Shared lists are those of the catalog's folder.
type Checker struct {
	lists *listsInStream
	check Step
}

// NewChecker returns a Checker by whose options files are judged; it does not filter.
func NewChecker(opts ValidateOptions) *Checker {
	opts.Filter = nil
	return &Checker{&listsInStream{opts: opts, catalogs: map[string]*catalogLists{}}, checkFiles(opts)}
}

// Check is what is found in the file of a record with a text. The error says why
// nothing can be loaded from that.
func (c *Checker) Check(ctx context.Context, load *record.Load, text string) ([]*record.Diagnostic, error) {
	it := New(&record.Scan{Path: load.Src.Path, Root: load.Src.Root, Type: load.Type, Bytes: int64(len(text)),
		Namespace: walk.Namespace(load.Src.Path), FileHash: record.Hash([]byte(text))})
	it.source, it.read = text, true
	var found []*record.Diagnostic
	for _, it := range Load().Do(ctx, it) {
		switch rec := it.Rec.(type) {
		case *record.Error:
			return nil, rec
		case *record.Diagnostic:
			found = append(found, rec)
			continue
		}
		if _, err := c.lists.inOrder(it); err != nil {
			return nil, err
		}
		for _, it := range c.check.Do(ctx, it) {
			if d, ok := it.Rec.(*record.Diagnostic); ok {
				found = append(found, d)
			}
		}
	}
	return found, nil
}
