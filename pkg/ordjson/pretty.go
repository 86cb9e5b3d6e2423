package ordjson

import "strings"

// Pretty prints a value as a file, in the way of another text: its indentation, the
// four spaces of the specification's samples where it has none, its line ends, and
// its end. A text that says the same is returned as it is.
func Pretty(v Value, like string) string {
	if was, err := Parse(strings.TrimPrefix(like, "\uFEFF")); err == nil && Equal(was, v) {
		return like
	}
	indent := "    "
	if _, rest, ok := strings.Cut(like, "\n"); ok {
		if n := len(rest) - len(strings.TrimLeft(rest, " \t")); n > 0 {
			indent = rest[:n]
		}
	}
	lines := strings.Split(string(AppendIndent(nil, v, "")), "\n")
	for i, line := range lines {
		depth := (len(line) - len(strings.TrimLeft(line, " "))) / 2
		lines[i] = strings.Repeat(indent, depth) + line[2*depth:]
	}
	end := "\n"
	if strings.Contains(like, "\r\n") {
		end = "\r\n"
	}
	text := strings.Join(lines, end)
	if like == "" || strings.HasSuffix(like, "\n") {
		text += end
	}
	return text
}
