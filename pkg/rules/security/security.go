// Package security holds the codes of chapter 05: what the source of a schema may
// not contain, and, stricter, that of a shared list. fmcp-scan reports them, since
// they must be known before anything of the file is evaluated. SEC100–SEC104 show
// when handlers run, and execution reports them. The last code of each range says
// nothing: chapter 05 names it to give the range its end.
package security

import (
	_ "embed"

	"github.com/flowmcp/fmcp/pkg/rules/engine"
)

//go:embed rules.txt
var text string

// Family are the rules of this package.
var Family = engine.Family{Text: text}
