// Lint holds the house rules that the Go tools do not know: files of at most
// 400 lines, functions of at most 60 (tables of data do not count) and lines of at
// most 120 columns, no notes to ourselves in place of work, no paths of somebody's
// machine, no regular expressions in commands that are compiled before they are used,
// subjects of commits of at most 72 characters.
//
// It looks at every file that git knows or would add, below the current folder.
package main

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"slices"
	"strings"
)

func main() {
	found, err := lint()
	if err != nil {
		fmt.Fprintf(os.Stderr, "lint: %v\n", err)
		os.Exit(3)
	}
	if found > 0 {
		os.Exit(1)
	}
}

// lint prints every problem and returns how many there are.
func lint() (int, error) {
	list, err := exec.Command("git", "ls-files", "-z", "--cached", "--others", "--exclude-standard",
		"--deduplicate").Output()
	if err != nil {
		return 0, fmt.Errorf("git ls-files: %w", err)
	}
	found := 0
	for path := range strings.SplitSeq(strings.TrimSuffix(string(list), "\x00"), "\x00") {
		text, err := os.ReadFile(path)
		if errors.Is(err, fs.ErrNotExist) {
			continue // deleted, not committed yet; or a broken link of a test
		}
		if err != nil {
			return 0, err
		}
		problems, err := check(path, text)
		if err != nil {
			return 0, err
		}
		for _, p := range problems {
			fmt.Printf("%s:%d: %s\n", path, p.line, p.text)
		}
		found += len(problems)
	}
	for _, s := range subjects(subjectsSince) {
		fmt.Println(s)
		found++
	}
	return found, nil
}

type problem struct {
	line int
	text string
}

// check finds what is wrong with one file.
func check(path string, text []byte) ([]problem, error) {
	problems := words(text)
	if !strings.HasSuffix(path, ".go") {
		return problems, nil
	}
	long, err := lengths(path, text)
	if err != nil {
		return nil, err
	}
	compiled, err := eager(path, text)
	return slices.Concat(problems, long, columns(path, text), compiled), err
}

// forbidden are words that have no place in a finished file. They are put
// together here so that this file may be looked at too.
var forbidden = []struct{ word, why string }{
	{"TO" + "DO", "do it, or open an issue"},
	{"FIX" + "ME", "fix it, or open an issue"},
	{"XX" + "X:", "do it, or open an issue"},
	{"/ro" + "ot/", "a path of one machine"},
	{"/wo" + "rk/", "a path of one machine"},
}

// words finds forbidden words in files of text.
func words(text []byte) []problem {
	if bytes.IndexByte(text, 0) >= 0 {
		return nil
	}
	var found []problem
	line := 0
	for l := range bytes.Lines(text) {
		line++
		for _, f := range forbidden {
			if bytes.Contains(l, []byte(f.word)) {
				found = append(found, problem{line, f.word + ": " + f.why})
			}
		}
	}
	return found
}
