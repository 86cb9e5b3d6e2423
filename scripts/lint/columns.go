package main

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"regexp"
	"strings"
	"unicode/utf8"
)

const (
	maxColumns = 120
	tabWidth   = 4
)

// unbroken is what cannot be broken: the tag of a field, and a directive.
var unbroken = regexp.MustCompile("^\\s*[A-Z]\\w* +[\\w.\\[\\]]+ +`\\w+:\".*\"`$|^//go:")

// columns finds lines that are too long.
func columns(path string, text []byte) []problem {
	data := rawLines(path, text)
	var found []problem
	line := 0
	for l := range strings.Lines(string(text)) {
		line++
		if data[line] {
			continue
		}
		l = strings.TrimSuffix(l, "\n")
		n := utf8.RuneCountInString(strings.ReplaceAll(l, "\t", strings.Repeat(" ", tabWidth)))
		if n > maxColumns && !unbroken.MatchString(l) {
			found = append(found, problem{line, fmt.Sprintf("%d columns, at most %d are allowed", n, maxColumns)})
		}
	}
	return found
}

// rawLines are the lines of raw strings of several lines in tests: files and output that are
// compared byte by byte.
func rawLines(path string, text []byte) map[int]bool {
	lines := map[int]bool{}
	if !strings.HasSuffix(path, "_test.go") {
		return lines
	}
	fset := token.NewFileSet()
	file, err := parser.ParseFile(fset, path, text, parser.SkipObjectResolution)
	if err != nil {
		return lines // lengths has said so
	}
	ast.Inspect(file, func(n ast.Node) bool {
		if lit, ok := n.(*ast.BasicLit); ok && lit.Kind == token.STRING && lit.Value[0] == '`' {
			first, last := fset.Position(lit.Pos()).Line, fset.Position(lit.End()).Line
			for l := first; l <= last && first < last; l++ {
				lines[l] = true
			}
		}
		return true
	})
	return lines
}
