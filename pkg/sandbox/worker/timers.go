package worker

import (
	"cmp"
	"slices"
	"strconv"
	"time"

	"github.com/dop251/goja"
)

// maxTimers is how many timers of libraries may wait at a time.
const maxTimers = 1000

// timers are those of the libraries of a runtime; handlers have none (decision "Timers").
type timers struct {
	last    int64
	waiting []timer // the next one first
}

// timer is a setTimeout.
type timer struct {
	id int64
	at time.Time
	fn goja.Callable
}

// setTimer is (milliseconds, function); it returns the timer's number.
func (r *runtime) setTimer(call goja.FunctionCall) goja.Value {
	fn, _ := goja.AssertFunction(call.Argument(1))
	if len(r.timers.waiting) >= maxTimers {
		panic(r.vm.NewTypeError("more than " + strconv.Itoa(maxTimers) + " timers"))
	}
	r.timers.last++
	wait := time.Duration(min(max(call.Argument(0).ToInteger(), 0), 1<<31-1)) * time.Millisecond
	t := timer{r.timers.last, time.Now().Add(wait), fn}
	at, _ := slices.BinarySearchFunc(r.timers.waiting, t, func(a, b timer) int {
		return cmp.Or(a.at.Compare(b.at), cmp.Compare(a.id, b.id))
	})
	r.timers.waiting = slices.Insert(r.timers.waiting, at, t)
	return r.vm.ToValue(t.id)
}

func (r *runtime) clearTimer(call goja.FunctionCall) goja.Value {
	id := call.Argument(0).ToInteger()
	r.timers.waiting = slices.DeleteFunc(r.timers.waiting, func(t timer) bool { return t.id == id })
	return goja.Undefined()
}

// fire waits for the next timer and runs it; false if there is none.
func (t *timers) fire() (bool, error) {
	if len(t.waiting) == 0 {
		return false, nil
	}
	next := t.waiting[0]
	time.Sleep(time.Until(next.at))
	t.waiting = t.waiting[1:]
	_, err := next.fn(goja.Undefined())
	return true, err
}
