package listing

import (
	"fmt"
	"strings"

	"github.com/flowmcp/fmcp/pkg/words"
)

// maxInstructions is how many bytes of instructions clients show their model;
// some cut at 2,048.
const maxInstructions = 2000

// Instructions tell a model what the server is for, before it has looked at a
// tool: what the catalog says of itself, the namespaces that MCP names end in,
// how they are found where they are not listed, and the keys without which tools
// are hidden. They have at most 2,000 bytes.
func (l *Listing) Instructions(how string, shown, hidden []Tool, haveKey HaveKey) string {
	about := l.About.Description
	if about == "" {
		about = "Calls web APIs and reads data of the FlowMCP catalog " + l.About.Name
	}
	head := strings.TrimRight(words.Clip(strings.TrimSpace(about), 600), ".") + "."
	tail := how + " An answer has status, messages and data; messages say what is wrong or missing."
	if len(hidden) > 0 {
		tail += fmt.Sprintf(" %s hidden, since the user has not set their keys: %s.", words.Count(len(hidden), "tool"),
			missingKeys(hidden, haveKey, 500))
	}
	return head + Namespaces(shown, maxInstructions-len(head)-len(tail)) + tail
}

// Namespaces names those of the tools in at most room bytes, those with the most
// tools first.
func Namespaces(tools []Tool, room int) string {
	count := map[string]int{}
	for i := range tools {
		namespace, _, _ := strings.Cut(tools[i].ID, "/")
		count[namespace]++
	}
	if len(count) == 0 {
		return " It has no tools."
	}
	var b strings.Builder
	fmt.Fprintf(&b, " It has %s; the name of each ends in its namespace:", words.Count(len(tools), "tool"))
	for i, name := range mostFirst(count) {
		entry := fmt.Sprintf(" %s (%d),", name, count[name])
		more := fmt.Sprintf(" and %d more,", len(count)-i)
		if last := i == len(count)-1; b.Len()+len(entry) > room || !last && b.Len()+len(entry)+len(more) > room {
			b.WriteString(more)
			break
		}
		b.WriteString(entry)
	}
	return strings.TrimSuffix(b.String(), ",") + "."
}
