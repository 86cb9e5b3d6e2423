package main

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"
)

const (
	maxColumns = 120
	tabWidth   = 4
)

// narrow are the folders whose lines are broken; the others follow.
var narrow = []string{
	"internal/", "scripts/", "testdata/", "pkg/atomicfile/", "pkg/catalog/", "pkg/config/", "pkg/domain/", "pkg/grade/",
	"pkg/lazy/", "pkg/library/", "pkg/model/", "pkg/ndjson/", "pkg/ordjson/", "pkg/resource/", "pkg/sql/",
	"pkg/watch/", "pkg/yaml/", "pkg/zod/",
}

// unbroken is what cannot be broken: the tag of a field, and a directive.
var unbroken = regexp.MustCompile("^\\s*[A-Z]\\w* +[\\w.\\[\\]]+ +`\\w+:\".*\"`$|^//go:")

// columns finds lines that are too long.
func columns(path string, text []byte) []problem {
	if !slices.ContainsFunc(narrow, func(dir string) bool { return strings.HasPrefix(path, dir) }) {
		return nil
	}
	var found []problem
	line := 0
	for l := range strings.Lines(string(text)) {
		line++
		l = strings.TrimSuffix(l, "\n")
		n := utf8.RuneCountInString(strings.ReplaceAll(l, "\t", strings.Repeat(" ", tabWidth)))
		if n > maxColumns && !unbroken.MatchString(l) {
			found = append(found, problem{line, fmt.Sprintf("%d columns, at most %d are allowed", n, maxColumns)})
		}
	}
	return found
}
