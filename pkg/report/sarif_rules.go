package report

import (
	"strings"

	"github.com/flowmcp/fmcp/pkg/ordjson"
	"github.com/flowmcp/fmcp/pkg/rules"
)

// descriptors are the rules that results refer to by their place in the list.
type descriptors struct {
	list []ordjson.Value
	at   map[string]int
}

func newDescriptors() descriptors { return descriptors{at: map[string]int{}} }

// index is the place of a code's rule, which is described when it is first met.
func (d *descriptors) index(code string) int {
	i, ok := d.at[code]
	if !ok {
		i = len(d.list)
		d.at[code] = i
		d.list = append(d.list, descriptor(code))
	}
	return i
}

// descriptor describes a rule (section 3.49). Of a code that another program
// put into the stream no more is known than the code.
func descriptor(code string) ordjson.Value {
	r, ok := rules.Lookup(code)
	if !ok {
		return object(field("id", str(code)))
	}
	help, markdown := helpOf(r)
	return object(
		field("id", str(r.Code)),
		field("name", str(r.Name)),
		field("shortDescription", message(r.Summary)),
		field("fullDescription", message(r.Summary+" "+r.Why)),
		field("help", object(field("text", str(help)), field("markdown", str(markdown)))),
		field("helpUri", str(r.HelpURI())),
		field("defaultConfiguration", object(field("level", str(sarifLevels[r.Spec])))),
	)
}

// helpOf is what there is to say about a rule, as text and as markdown.
func helpOf(r *rules.Rule) (plain, markdown string) {
	parts := []struct{ title, text string }{{"", r.Summary}, {"Why", r.Why}, {"Fix", r.Fix}}
	var lines, marked []string
	for _, p := range parts {
		switch {
		case p.text == "":
		case p.title == "":
			lines, marked = append(lines, p.text), append(marked, rules.Markdown(p.text))
		default:
			lines, marked = append(lines, p.title+": "+p.text),
				append(marked, "**"+p.title+":** "+rules.Markdown(p.text))
		}
	}
	lines = append(lines, "Reference: "+r.Reference())
	marked = append(marked, "**Reference:** "+r.ReferenceLink())
	return strings.Join(lines, "\n"), strings.Join(marked, "\n\n")
}

func object(members ...ordjson.Member) ordjson.Value { return ordjson.NewObject(members...) }

func field(key string, v ordjson.Value) ordjson.Member { return ordjson.Field(key, v) }

func str(s string) ordjson.Value { return ordjson.NewString(s) }

// message is a message object (section 3.11). Its text has no links of its own:
// a schema must not put one before the reader of a finding.
func message(s string) ordjson.Value {
	if strings.Contains(s, "](") {
		s = sarifBrackets.Replace(s)
	}
	return object(field("text", str(s)))
}

var sarifBrackets = strings.NewReplacer(`\`, `\\`, "[", `\[`, "]", `\]`)
