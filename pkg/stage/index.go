package stage

import (
	"context"
	"fmt"
	"io"

	"github.com/flowmcp/fmcp/pkg/record"
	"github.com/flowmcp/fmcp/pkg/resolve"
)

// Index is a resolve.Index that is filled from a stream.
type Index struct{ resolve.Index }

// Read adds all that comes of the steps that load. What cannot be read is named on stderr;
// failed reports whether there was any.
func (x *Index) Read(ctx context.Context, jobs int, source Source, loading []Step, command string, stderr io.Writer) (failed bool, err error) {
	err = Run(ctx, Options{Jobs: jobs}, source, loading, func(it *Item) error {
		switch rec := it.Rec.(type) {
		case *record.Load:
			x.Add(rec)
		case *record.Error:
			failed = true
			fmt.Fprintf(stderr, "%s: %v\n", command, rec)
		}
		return nil
	}, func() error { return nil })
	return failed, err
}
