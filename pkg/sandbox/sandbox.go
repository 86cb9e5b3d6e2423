// Package sandbox runs untrusted JavaScript in goja: exports that are not
// literal data (docs/architecture.md), and handlers (docs/handlers.md;
// chapter 01).
//
// Both run in worker processes, see Pool: what Go cannot stop in goja (memory,
// native functions that do not return) ends with the process, and everything
// else goes on.
package sandbox

import (
	"context"
	"errors"
	"strconv"
	"time"
)

const (
	// exportTime is how long an export may run on a processor. What ends takes
	// milliseconds.
	exportTime = time.Second
	// endlessTime is what all exports of a process that do not end may take
	// together, and leastTime what each gets when that is used up.
	endlessTime = 3 * exportTime
	leastTime   = 100 * time.Millisecond
)

// Error says why an export could not be evaluated. Line and Col count from 1,
// Col in characters; both are 0 where no place of the module is to blame.
type Error struct {
	Msg       string
	Line, Col int
}

func (e *Error) Error() string {
	if e.Line == 0 {
		return e.Msg
	}
	return e.Msg + " (line " + strconv.Itoa(e.Line) + ", column " + strconv.Itoa(e.Col) + ")"
}

// stopped is the error of an evaluation that its context ended.
func stopped(ctx context.Context) *Error {
	if errors.Is(ctx.Err(), context.Canceled) {
		return &Error{Msg: "evaluation was cancelled"}
	}
	return &Error{Msg: "evaluation did not end before its deadline"}
}
