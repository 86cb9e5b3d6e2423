package resolve

import (
	"cmp"
	"errors"
	"strings"

	"github.com/flowmcp/fmcp/pkg/catalog"
	"github.com/flowmcp/fmcp/pkg/ordjson"
	"github.com/flowmcp/fmcp/pkg/words"
)

// IDCheck is what can be said of an ID: by its form alone (chapter 16, "ID
// Format"), or of what a catalog defines too.
type IDCheck struct {
	ID      string
	Problem *words.Problem // why it is invalid; nil where it is valid
	Warning *words.Problem // what community lets pass
	Asked   bool           // a catalog was asked
	Defined []Entry        // where the catalog defines it; more than one where files disagree
}

// CheckID checks an ID. x is nil where there is no catalog to ask; community lets
// underscores pass (decision "Underscores in IDs").
func (x *Index) CheckID(id string, community bool) IDCheck {
	c := IDCheck{ID: id, Asked: x != nil}
	parsed, err := catalog.ParseID(id)
	if err == nil && c.Asked {
		c.Defined, err = x.Find(id)
	}
	switch {
	case errors.As(err, &c.Problem):
	case community:
		c.Warning = parsed.Underscore()
	default:
		c.Problem = parsed.Underscore()
	}
	return c
}

// JSON is the answer of fmcp-validate id as one line of NDJSON.
func (c IDCheck) JSON() ordjson.Value {
	f := fields{}
	f.str("id", c.ID)
	f.value("valid", ordjson.NewBool(c.Problem == nil))
	if p := cmp.Or(c.Problem, c.Warning); p != nil {
		f.str("code", p.Code)
		f.str("message", p.Message)
		if p.Fix != "" {
			f.str("fix", p.Fix)
		}
	}
	if len(c.Defined) > 0 {
		var places []ordjson.Value
		for _, e := range c.Defined {
			places = append(places, ordjson.NewObject(e.place()...))
		}
		f.value("defined", ordjson.NewArray(places...))
	}
	return ordjson.NewObject(f...)
}

// Text is the same for a terminal.
func (c IDCheck) Text() string {
	var b strings.Builder
	switch {
	case c.Problem != nil:
		b.WriteString(words.Quote(c.ID) + " is invalid\n  " + c.Problem.Code + " error: " + c.Problem.Message + "\n")
		if c.Problem.Fix != "" {
			b.WriteString("  fix: " + c.Problem.Fix + "\n")
		}
	case !c.Asked:
		b.WriteString(c.ID + " is valid in its form; name a catalog to see whether it is defined there\n")
	default:
		b.WriteString(c.ID + " is valid\n")
	}
	if p := c.Warning; p != nil {
		b.WriteString("  " + p.Code + " warning: " + p.Message + "\n  fix: " + p.Fix + "\n")
	}
	for _, e := range c.Defined {
		b.WriteString(e.placeText())
	}
	return b.String()
}
