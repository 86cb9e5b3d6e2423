package module

import (
	"strings"
	"testing"
	"unicode/utf8"
)

// The marks of a long line change no column, wherever a character is cut.
func TestPositionInLongLine(t *testing.T) {
	for _, piece := range []string{"a", "ä", "€x", "😀", "\x80", "\xf0\x9f", "😀\x80\x80\x80\x80a"} {
		long := strings.Repeat(piece, 3*longLine/len(piece))
		src := "first\n" + long + "\r\n" + piece
		lines := NewLines(src)
		if lines.index(); lines.marks == nil {
			t.Fatal("no marks")
		}
		for offset := len("first\n"); offset <= len("first\n")+len(long); offset += 11 {
			want := utf8.RuneCountInString(src[len("first\n"):offset]) + 1
			if line, col := lines.look(offset); line != 2 || col != want {
				t.Fatalf("%q at %d: %d:%d, want 2:%d", piece, offset, line, col, want)
			}
		}
		if line, col := lines.Position(len("first\n") + len(long) + 2); line != 3 || col != 1 {
			t.Errorf("%q: the line after: %d:%d", piece, line, col)
		}
	}
}

// 30,000 columns of a line of three megabytes are found at once, not by
// counting through it each time, which takes a minute.
func TestPositionsOfOneLine(t *testing.T) {
	lines := NewLines(strings.Repeat("ä", 1_500_000))
	for i := range 30_000 {
		offset := 3_000_000 - 2*i
		if _, col := lines.Position(offset); col != offset/2+1 {
			t.Fatalf("column %d of offset %d", col, offset)
		}
	}
	if len(lines.marks) < 1000 {
		t.Error("the line has no marks")
	}
}

// Counting on says what looking up says, whichever way it goes.
func TestPositionCountsOn(t *testing.T) {
	src := "a\r\nä\rb\n\r\r\n€😀\n" + strings.Repeat("long ", maxStep) + "\nx\r"
	for _, step := range []int{1, 2, 7, 100, maxStep, 2 * maxStep, -1, -5} {
		lines := NewLines(src)
		for offset := max(0, -step*40); offset >= 0 && offset <= len(src); offset += step {
			if offset < len(src) && !utf8.RuneStart(src[offset]) {
				continue
			}
			line, col := lines.Position(offset)
			if wantLine, wantCol := lines.look(offset); line != wantLine || col != wantCol {
				t.Fatalf("by %d: %d is at %d:%d, want %d:%d", step, offset, line, col, wantLine, wantCol)
			}
		}
	}
	if line, col := NewLines("a\nbc").Position(99); line != 2 || col != 3 {
		t.Errorf("the end is at %d:%d", line, col)
	}
}
