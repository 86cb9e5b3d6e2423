package main

import (
	"errors"
	"strings"
	"testing"
)

// fake answers like a shell that knows four commands.
func fake(command string) (string, error) {
	switch command {
	case "greet":
		return "hello\nworld\n", nil
	case "one \\\ntwo":
		return "continued\n", nil
	case "call":
		return `{"kind":"envelope","durationMs":7}` + "\n", nil
	case "silent", "install -D -m 644 /dev/stdin a/b.mjs <<'END-OF-FILE'\nx\n\ny\nEND-OF-FILE":
		return "", nil
	}
	return "", errors.New("exit status 127")
}

func TestRewrite(t *testing.T) {
	const ci = "#!/bin/bash\nstep make demo\nmake test\n"
	tests := []struct{ name, page, want, err string }{
		{"no examples", "# Title\n\ntext\n", "# Title\n\ntext\n", ""},
		{"stale output", "```console\n$ greet\nold\n```\n", "```console\n$ greet\nhello\nworld\n```\n", ""},
		{"two commands", "```console\n$ greet\n$ silent\nx\n```\n",
			"```console\n$ greet\nhello\nworld\n$ silent\n```\n", ""},
		{"a continued command", "```console\n$ one \\\n> two\n```\n",
			"```console\n$ one \\\n> two\ncontinued\n```\n", ""},
		{"what varies stays", "```console\n$ call\n{\"kind\":\"envelope\",\"durationMs\":12}\n```\n",
			"```console\n$ call\n{\"kind\":\"envelope\",\"durationMs\":12}\n```\n", ""},
		{"a sample of JSON", "<!-- run: call -->\n```json\n```\n",
			"<!-- run: call -->\n```json\n{\"kind\": \"envelope\", \"durationMs\": 7}\n```\n", ""},
		{"what varies stays in a sample",
			"<!-- run: call -->\n```json\n{\"kind\": \"envelope\", \"durationMs\": 12}\n```\n",
			"<!-- run: call -->\n```json\n{\"kind\": \"envelope\", \"durationMs\": 12}\n```\n", ""},
		{"other blocks stay", "```json\n{}\n```\n", "```json\n{}\n```\n", ""},
		{"commands of CI", "```sh\nmake demo\nmake test\n```\n", "```sh\nmake demo\nmake test\n```\n", ""},
		{"a command that CI does not run", "```sh\nmake tea\n```\n", "", `line 2: "make tea" is not in .ci/run`},
		{"a command that fails", "```console\n$ nothing\n```\n", "", "line 2: nothing: exit status 127"},
		{"a block without a command", "```console\ntext\n```\n", "", "starts with a command"},
		{"a block without an end", "```console\n$ greet\n", "", "has no end"},
		{"a file", "<!-- file: a/b.mjs -->\n```js\nx\n\ny\n```\n", "<!-- file: a/b.mjs -->\n```js\nx\n\ny\n```\n", ""},
		{"a file that cannot be written", "<!-- file: c -->\n```js\nx\n```\n", "", "exit status 127"},
		{"a file without a block", "<!-- file: c -->\ntext\n", "", "line 1: below a file comment comes a block"},
		{"a comment without a block", "<!-- run: greet -->\ntext\n", "", "fenced as json"},
		{"a table of fields", "<!-- fields: request -->\n\n| field |\n|---|\n| `v`? |\n| `kind`? |\n| `id` |\n" +
			"| `params`? |\n| `tag`? |\n| `attempt`? |\n",
			"<!-- fields: request -->\n\n| field |\n|---|\n| `v`? |\n| `kind`? |\n| `id` |\n| `params`? |\n" +
				"| `tag`? |\n| `attempt`? |\n", ""},
		{"a table that lacks fields", "<!-- fields: request -->\n| `v`? |\n", "", "v? kind? id params? tag?"},
		{"a table of nothing", "<!-- fields: tea -->\n", "", `no kind "tea"`},
		{"a sample that is not JSON", "<!-- run: greet -->\n```json\n```\n", "", "not JSON"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got, err := rewrite(tt.page, ci, fake)
			if err == nil {
				err = errors.New("")
			}
			if got != tt.want || (err.Error() == "") != (tt.err == "") || !strings.Contains(err.Error(), tt.err) {
				t.Errorf("%q, %v\nwant %q, %s", got, err, tt.want, tt.err)
			}
		})
	}
}
