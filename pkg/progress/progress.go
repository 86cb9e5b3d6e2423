// Package progress says from inside of a call how far it has come. Who wants to
// know says so in the context.
package progress

import "context"

// Func is told how much of total is done; total is negative where that is not
// known. It returns at once.
type Func func(done, total int64, what string)

type key struct{}

// With returns a context whose work is told to f, nil for nobody.
func With(ctx context.Context, f Func) context.Context { return context.WithValue(ctx, key{}, f) }

// Report tells how far the work of a context has come.
func Report(ctx context.Context, done, total int64, what string) {
	if f, _ := ctx.Value(key{}).(Func); f != nil {
		f(done, total, what)
	}
}
