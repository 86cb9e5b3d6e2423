// Package lazy defers work until its result is needed. A package-level variable
// that is computed at once delays every start of every command.
package lazy

import (
	"regexp"
	"sync"
)

// Regexp is a pattern that is compiled when it is first used. An invalid one
// panics then.
func Regexp(pattern string) func() *regexp.Regexp {
	return sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(pattern) })
}
