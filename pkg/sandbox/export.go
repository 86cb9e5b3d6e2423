package sandbox

import (
	"context"
	"errors"
	goruntime "runtime"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"time"
)

// Exporting is the stage of a Request for the value of an export.
const Exporting = "Exporting"

// exports are the workers that evaluate exports. A worker takes the next one
// too: what an evaluation leaves in it is garbage.
var exports = sync.OnceValue(func() *Pool {
	return NewPool(Limits{Workers: goruntime.GOMAXPROCS(0), Time: exportTime})
})

var (
	// keys counts what runs once: no worker knows it already.
	keys atomic.Int64
	// endless is the time that those took which did not end.
	endless atomic.Int64
)

// Export runs the ES module src as a strict script and returns JSON.stringify
// of its export name; a default export is named "default". The script reaches
// nothing but the language: no host objects, no other module, no eval. The
// error is an *Error.
//
// One thing differs from a module: this at the top level is the global object.
func Export(ctx context.Context, src, name string) (json string, err error) {
	if ctx.Err() != nil {
		return "", stopped(ctx)
	}
	limit := exportTime
	share := func() time.Duration {
		limit = max(min(exportTime, endlessTime-time.Duration(endless.Load())), leastTime)
		return limit
	}
	out, err := exports().Call(ctx, Script{Key: newKey(), Source: src}, Call{Name: name, Stage: Exporting, Time: share})
	var failure *HandlerError
	switch {
	case err == nil:
		return string(out), nil
	case !errors.As(err, &failure):
		return "", stopped(ctx)
	case failure.Code == CodeTime:
		endless.Add(int64(limit))
		return "", &Error{Msg: "evaluation did not end within " + limit.String() + " of processor time" + usedUp(limit)}
	}
	return "", &Error{Msg: strings.Replace(failure.Msg, "the handler ", "evaluation ", 1), Line: failure.Line,
		Col: failure.Col}
}

// newKey is the key of a script that no worker knows.
func newKey() string { return "once " + strconv.FormatInt(keys.Add(1), 10) }

// usedUp says why an evaluation got less time than others.
func usedUp(limit time.Duration) string {
	if limit == exportTime {
		return ""
	}
	return ", as other exports that do not end used up the " + endlessTime.String() + " that they have together"
}
