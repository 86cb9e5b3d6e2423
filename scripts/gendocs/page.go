package main

import (
	"fmt"
	"os"
	"regexp"
	"slices"
	"strings"

	"github.com/flowmcp/fmcp/pkg/ordjson"
)

// runner runs a command and returns its output.
type runner func(command string) (string, error)

// rewriter goes through a page line by line.
type rewriter struct {
	lines []string // of the page, without newlines
	next  int
	out   strings.Builder
	ci    string
	run   runner
}

// rewrite returns the page with the output of its examples renewed.
func rewrite(page, ci string, run runner) (string, error) {
	r := &rewriter{lines: strings.Split(strings.TrimSuffix(page, "\n"), "\n"), ci: ci, run: run}
	for r.next < len(r.lines) {
		if err := r.step(); err != nil {
			return "", err
		}
	}
	return r.out.String(), nil
}

// runComment says which command prints the block below it.
var runComment = regexp.MustCompile(`^<!-- run: (.*) -->$`)

// fileComment says which file the block below it is.
var fileComment = regexp.MustCompile(`^<!-- file: (\S+) -->$`)

func (r *rewriter) step() error {
	line := r.take()
	r.write(line)
	if m := runComment.FindStringSubmatch(line); m != nil {
		return r.jsonBlock(m[1])
	}
	if m := fileComment.FindStringSubmatch(line); m != nil {
		return r.file(m[1])
	}
	if m := fieldsComment.FindStringSubmatch(line); m != nil {
		return r.fieldTable(m[1], m[2])
	}
	language, fence := strings.CutPrefix(line, "```")
	if !fence {
		return nil
	}
	at := r.next
	body, err := r.block()
	if err != nil {
		return err
	}
	switch language {
	case "console":
		err = r.console(at, body)
	case "sh":
		err = r.inCI(at, body)
		r.write(body...)
	default:
		r.write(body...)
	}
	r.write("```")
	return err
}

func (r *rewriter) take() string {
	r.next++
	return r.lines[r.next-1]
}

func (r *rewriter) write(lines ...string) {
	for _, l := range lines {
		r.out.WriteString(l)
		r.out.WriteByte('\n')
	}
}

// block takes the lines up to the closing fence, and that.
func (r *rewriter) block() ([]string, error) {
	start := r.next
	for r.next < len(r.lines) {
		if r.take() == "```" {
			return r.lines[start : r.next-1], nil
		}
	}
	return nil, fmt.Errorf("line %d: the block has no end", start)
}

// file writes the block below a comment into a file, for the commands after it.
func (r *rewriter) file(name string) error {
	at := r.next
	if at >= len(r.lines) || !strings.HasPrefix(r.lines[at], "```") {
		return fmt.Errorf("line %d: below a file comment comes a block", at)
	}
	r.write(r.take())
	body, err := r.block()
	if err != nil {
		return err
	}
	r.write(append(body, "```")...)
	_, err = r.run("install -D -m 644 /dev/stdin " + name + " <<'END-OF-FILE'\n" + strings.Join(body, "\n") +
		"\nEND-OF-FILE")
	return err
}

// console runs the commands of a block; at is the number of its fence's line.
func (r *rewriter) console(at int, body []string) error {
	if len(body) == 0 || !strings.HasPrefix(body[0], "$ ") {
		return fmt.Errorf("line %d: a console block starts with a command: $ …", at)
	}
	for i := 0; i < len(body); {
		r.write(body[i])
		command := strings.TrimPrefix(body[i], "$ ")
		first := at + i + 1
		for i++; i < len(body) && strings.HasPrefix(body[i], "> "); i++ {
			r.write(body[i])
			command += "\n" + strings.TrimPrefix(body[i], "> ")
		}
		start := i
		for i < len(body) && !strings.HasPrefix(body[i], "$ ") {
			i++
		}
		out, err := r.run(command)
		if err != nil {
			return fmt.Errorf("line %d: %s: %w", first, command, err)
		}
		r.writeOutput(out, body[start:i])
	}
	return nil
}

// varying is what is not the same every time: durations, and the version of Go.
var varying = regexp.MustCompile(`"durationMs": ?\d+| \d+m?s$|go1\.\d+(\.\d+)?`)

// writeOutput writes what a command printed. Where only what varies differs
// from what the page says, the page stays.
func (r *rewriter) writeOutput(out string, old []string) {
	lines := strings.Split(strings.TrimSuffix(out, "\n"), "\n")
	if out == "" {
		lines = nil
	}
	for i, l := range lines {
		if i < len(old) && varying.ReplaceAllString(l, "") == varying.ReplaceAllString(old[i], "") {
			lines[i] = old[i]
		}
	}
	r.write(lines...)
}

// jsonBlock writes the block that a command prints: each line of it JSON.
func (r *rewriter) jsonBlock(command string) error {
	at := r.next
	if at+1 >= len(r.lines) || r.take() != "```json" {
		return fmt.Errorf("line %d: below a run comment comes a block fenced as json", at)
	}
	r.write("```json")
	old, err := r.block()
	if err != nil {
		return err
	}
	out, err := r.run(command)
	if err != nil {
		return fmt.Errorf("line %d: %s: %w", at, command, err)
	}
	var text []byte
	for line := range strings.Lines(out) {
		v, err := ordjson.Parse(line)
		if err != nil {
			return fmt.Errorf("line %d: %s: not JSON: %w", at, command, err)
		}
		text = append(appendPretty(text, v, ""), '\n')
	}
	r.writeOutput(string(text), old)
	r.write("```")
	return nil
}

// inCI fails where a line is not among the commands that CI runs.
func (r *rewriter) inCI(at int, body []string) error {
	for i, l := range body {
		ran := func(line string) bool { return line == l || strings.HasSuffix(line, " "+l) }
		if !slices.ContainsFunc(strings.Split(r.ci, "\n"), ran) {
			return fmt.Errorf("line %d: %q is not in .ci/run: a reader would be the first to run it", at+i+1, l)
		}
	}
	return nil
}

// reportDifference says where a page first differs.
func reportDifference(page, before, after string) {
	old, renewed := strings.Split(before, "\n"), strings.Split(after, "\n")
	for i := range max(len(old), len(renewed)) {
		a, b := lineAt(old, i), lineAt(renewed, i)
		if a != b {
			fmt.Fprintf(os.Stderr, "%s:%d: the page says\n  %s\nbut the command prints\n  %s\n", page, i+1, a, b)
			return
		}
	}
}

func lineAt(lines []string, i int) string {
	if i < len(lines) {
		return lines[i]
	}
	return "(the end)"
}
