package picture

import (
	"bytes"
	"flag"
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/flowmcp/fmcp/pkg/record"
)

var update = flag.Bool("update", false, "rewrite what is compared")

// The whole comment, word for word.
func TestMarkdown(t *testing.T) {
	var b bytes.Buffer
	p := New(Markdown, &b, "https://x.example/blob/1/{path}#L{line}")
	for _, old := range []*record.Grade{graded("tides/tides", "A", 4.1), graded("tides/port", "B", 3.5),
		graded("tides/gone", "D", 1.5), graded("tides/bad", "B", 3), graded("tides/other", "A", 4)} {
		if err := p.Record(old, old.AppendJSON(nil)); err != nil {
			t.Fatal(err)
		}
	}
	for _, r := range sea() {
		if err := p.Record(r, nil); err != nil {
			t.Fatal(err)
		}
	}
	if err := p.Close(); err != nil {
		t.Fatal(err)
	}
	const golden = "testdata/comment.md"
	if *update {
		if err := os.WriteFile(golden, b.Bytes(), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(golden)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(b.Bytes(), want) {
		t.Errorf("differs from %s (-update rewrites it):\n%s", golden, b.String())
	}
}

// A comment is never longer than GitHub takes, and says what it left out.
func TestMarkdownLimit(t *testing.T) {
	var records []record.Record
	for n := range 900 {
		records = append(records, failed(fmt.Sprintf("many/bad%04d", n), record.GradeFinding{Code: "VAL032",
			Message: strings.Repeat("long ", 30)}), graded(fmt.Sprintf("many/good%04d", n), "A", 4.5))
	}
	text := drawn(t, Markdown, "", records...)
	if len(text) > commentLimit || len(text) < commentLimit-2000 {
		t.Errorf("%d bytes, expected nearly %d", len(text), commentLimit)
	}
	rows := strings.Count(text, "| `many/bad")
	want := fmt.Sprintf("_Left out, because a comment has at most 65536 characters: %d of “Failing”, 900 of “A”.",
		900-rows)
	if rows == 0 || !strings.Contains(text, want) {
		t.Errorf("%d rows, and no %q at the end: %s", rows, want, text[len(text)-400:])
	}
	if strings.Count(text, "<details>") != strings.Count(text, "</details>") {
		t.Error("what is folded has no end")
	}
}

// What a schema says is text of its cell: no row, no code, no HTML, nobody notified.
func TestCell(t *testing.T) {
	for _, tt := range []struct{ text, cell, code string }{
		{"plain", "plain", "`plain`"},
		{"a|b", `a\|b`, "`a\\|b`"},
		{"a `b|c` d", "a `b\\|c` d", "`` a `b\\|c` d ``"},
		{"<img src=x>", `\<img src=x\>`, "`<img src=x>`"},
		{"to @everyone", "to @\u200beveryone", "`to @everyone`"},
		{"$x$", `\$x\$`, "`$x$`"},
		{"a\nb\r\n| c |", `a\\u000ab\\u000d\\u000a\| c \|`, "`a\\u000ab\\u000d\\u000a\\| c \\|`"},
		{"``", "``", "``` `` ```"},
		{"</details>", `\</details\>`, "`</details>`"},
	} {
		if got := cell(tt.text); got != tt.cell {
			t.Errorf("cell of %q: %q, want %q", tt.text, got, tt.cell)
		}
		if got := code(tt.text); got != tt.code {
			t.Errorf("code of %q: %q, want %q", tt.text, got, tt.code)
		}
	}
}
