// Package lazy puts work off until somebody needs its result. A package-level
// variable that is made at once is waited for by every start of every command.
package lazy

import (
	"regexp"
	"sync"
)

// Regexp is a pattern that is compiled when it is first used. One that is not
// valid panics then.
func Regexp(pattern string) func() *regexp.Regexp {
	return sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(pattern) })
}
