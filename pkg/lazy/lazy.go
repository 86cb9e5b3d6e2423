// Package lazy has what most runs of a command do not need made when it is first
// used: the regular expressions of all packages took a tenth of the start of a
// command.
package lazy

import (
	"regexp"
	"sync"
)

// Regexp compiles an expression at the first call.
func Regexp(expr string) func() *regexp.Regexp {
	return sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(expr) })
}
