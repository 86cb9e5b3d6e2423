package record

import "github.com/flowmcp/fmcp/pkg/ordjson"

// Delivered is the text of a prompt or a skill with its placeholders filled in
// (chapter 18).
type Delivered struct {
	Type       Type // prompt or skill
	Text       string
	Filled     []Filled
	References []TextReference // of a prompt: what comes beside the text
}

// Filled is what was put in the place of a placeholder, or why nothing was.
type Filled struct {
	Placeholder string // as written
	From        string // a Spec-ID, or "input"
	Error       string
}

// TextReference is a prompt that another refers to (chapter 12, "Composable
// Prompts").
type TextReference struct{ ID, Description, Text string }

func (d *Delivered) append(b []byte) []byte {
	text := func(key, s string) ordjson.Member { return ordjson.Field(key, ordjson.NewString(s)) }
	var filled, references []ordjson.Value
	for _, f := range d.Filled {
		members := []ordjson.Member{text("placeholder", f.Placeholder)}
		if f.From != "" {
			members = append(members, text("from", f.From))
		}
		if f.Error != "" {
			members = append(members, text("error", f.Error))
		}
		filled = append(filled, ordjson.NewObject(members...))
	}
	for _, r := range d.References {
		references = append(references,
			ordjson.NewObject(text("id", r.ID), text("description", r.Description), text("text", r.Text)))
	}
	members := []ordjson.Member{text("type", string(d.Type)), text("text", d.Text),
		ordjson.Field("filled", ordjson.NewArray(filled...))}
	if references != nil {
		members = append(members, ordjson.Field("references", ordjson.NewArray(references...)))
	}
	return ordjson.Append(b, ordjson.NewObject(members...))
}
