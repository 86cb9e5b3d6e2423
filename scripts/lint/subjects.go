package main

import (
	"fmt"
	"os/exec"
	"strings"
	"unicode/utf8"
)

const (
	maxSubject = 72

	// subjectsSince is the last commit whose subject may be longer.
	subjectsSince = "dcdb4fc"
)

// subjects finds commits whose first line is too long. Where the history is not
// there, in an archive of the source or a shallow clone, there is nothing to say.
func subjects(since string) []string {
	log, err := exec.Command("git", "log", "--no-merges", "--format=%h %s", since+"..HEAD").Output()
	if err != nil {
		return nil
	}
	var found []string
	for line := range strings.Lines(string(log)) {
		commit, subject, _ := strings.Cut(strings.TrimSuffix(line, "\n"), " ")
		if n := utf8.RuneCountInString(subject); n > maxSubject {
			found = append(found, fmt.Sprintf("commit %s: %d characters, at most %d are allowed: %s", commit, n,
				maxSubject, subject))
		}
	}
	return found
}
