package main

import (
	"runtime/debug"
	"testing"

	"github.com/flowmcp/fmcp/pkg/cli"
)

// A search may make its index while another catalog is read: GOGC is the usual one after both.
func TestSparing(t *testing.T) {
	defer debug.SetGCPercent(debug.SetGCPercent(usualGC))
	app := &cli.App{IO: cli.IO{Getenv: func(string) string { return "" }}}
	one, two := sparing(app), sparing(app)
	one()
	two()
	if got := debug.SetGCPercent(usualGC); got != usualGC {
		t.Errorf("GOGC is %d", got)
	}
}
