// Package lazy compiles regular expressions when they are first used: most runs of a
// command need few of them, and to compile all took a tenth of its start.
package lazy

import (
	"regexp"
	"sync"
)

// Regexp compiles an expression at the first call.
func Regexp(expr string) func() *regexp.Regexp {
	return sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(expr) })
}
