package stage

import (
	"context"
	"errors"
	"fmt"
	"io"

	"github.com/tidwall/gjson"

	"github.com/flowmcp/fmcp/pkg/catalog"
	"github.com/flowmcp/fmcp/pkg/record"
)

// Index is a catalog.Index that is filled from a stream.
type Index struct{ catalog.Index }

// ErrResolved says that the input holds resolved records and nothing that an
// index is made of.
var ErrResolved = errors.New("the input is a catalog that fmcp-resolve made, and that does not say where things are defined: name the folder that it was made of, or pipe in load records")

// Read adds all that the source loads. What cannot be read is named on stderr;
// failed reports whether there was any.
func (x *Index) Read(ctx context.Context, jobs int, source Source, command string, stderr io.Writer) (failed bool, err error) {
	loads, resolved := 0, 0
	err = Run(ctx, Options{Jobs: jobs}, source, Loading(command), func(it *Item) error {
		switch rec := it.Rec.(type) {
		case *record.Load:
			x.Add(rec)
			loads++
		case nil:
			if gjson.GetBytes(it.Line, "kind").Str == string(record.KindResolved) {
				resolved++
			}
		case *record.Error:
			failed = true
			fmt.Fprintf(stderr, "%s: %v\n", command, rec)
		}
		return nil
	}, func() error { return nil })
	if err == nil && loads == 0 && resolved > 0 {
		err = ErrResolved
	}
	return failed, err
}
