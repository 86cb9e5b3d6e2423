//go:build unix

package script

import (
	"os"
	"path/filepath"
	"strings"

	"github.com/rogpeppe/go-internal/testscript"
)

// fenceCommand is "fence LANGUAGE PAGE FILE": writes the first block of a
// language of a page of the repository into a file.
func fenceCommand(ts *testscript.TestScript, neg bool, args []string) {
	noNeg(ts, neg)
	if len(args) != 3 {
		ts.Fatalf("usage: fence LANGUAGE PAGE FILE")
	}
	page, err := os.ReadFile(filepath.Join(repo, args[1]))
	ts.Check(err)
	_, rest, _ := strings.Cut(string(page), "\n```"+args[0]+"\n")
	block, _, ok := strings.Cut(rest, "\n```\n")
	if !ok {
		ts.Fatalf("%s has no block of %s", args[1], args[0])
	}
	ts.Check(os.WriteFile(ts.MkAbs(args[2]), []byte(block+"\n"), 0o666))
}
