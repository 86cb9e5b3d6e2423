package trim

import (
	"fmt"
	"strings"

	"github.com/flowmcp/fmcp/pkg/grade"
	"github.com/flowmcp/fmcp/pkg/ordjson"
	"github.com/flowmcp/fmcp/pkg/words"
)

// Broken reports whether the copy is not whole: something in it names what is removed,
// or has too little left to be valid.
func (p *Plan) Broken() bool {
	for _, f := range p.Files {
		if f.Left == "" && f.Short != nil {
			return true
		}
	}
	for _, r := range p.Named {
		if !r.Taken {
			return true
		}
	}
	return false
}

// Text is the plan for people.
func (p *Plan) Text() string {
	var b strings.Builder
	section := func(title string, n int, line func(i int) string) {
		if n == 0 {
			return
		}
		fmt.Fprintf(&b, "%s:\n", title)
		for i := range n {
			b.WriteString("  " + line(i) + "\n")
		}
	}
	section("removed", len(p.Removed), func(i int) string {
		r := &p.Removed[i]
		return place(r.Path, r.Line) + ": " + r.ID + ": " + r.reason()
	})
	var left, edited []string
	unhashed := 0
	for _, f := range p.Files {
		switch notes := f.notes(); {
		case f.Left != "":
			left = append(left, f.Path+": "+f.Left)
		case len(notes) == 1 && notes[0] == noHash:
			unhashed++
		case len(notes) > 0:
			edited = append(edited, f.Path+": "+strings.Join(notes, "; "))
		}
	}
	section("left out", len(left), func(i int) string { return left[i] })
	section("also changed, or to be looked at", len(edited), func(i int) string { return edited[i] })
	taken, named := p.named(true), p.named(false)
	section("names of it that are removed too", len(taken), func(i int) string { return taken[i] })
	title := "still named"
	if !p.opts.Cascade {
		title += " (--cascade removes the names)"
	}
	section(title, len(named), func(i int) string { return named[i] })
	section("tested, but not in the catalog", len(p.Unknown), func(i int) string { return p.Unknown[i] })
	if len(p.Untested) > 0 {
		ids := make([]string, len(p.Untested))
		for i, u := range p.Untested {
			ids[i] = u.ID
		}
		fmt.Fprintf(&b, "not tested, so they stay:\n  %s\n", words.List(ids))
	}
	fmt.Fprintf(&b, "%s removed, %s changed, %d left out", words.Count(len(p.Removed), "primitive"),
		words.Count(len(p.Files)-len(left), "file"), len(left))
	if n := len(p.Untested); n > 0 {
		fmt.Fprintf(&b, ", %d not tested", n)
	}
	if unhashed > 0 {
		fmt.Fprintf(&b, "; of those that changed %d have no schemaHash", unhashed)
	}
	return b.String() + "\n"
}

// named are the names that are taken out, or those that are not: a line for each that
// names something, with all places.
func (p *Plan) named(taken bool) (lines []string) {
	last := Reference{}
	for _, r := range p.Named {
		switch {
		case r.Taken != taken:
			continue
		case r.Path == last.Path && r.ID == last.ID && r.To == last.To:
			lines[len(lines)-1] += fmt.Sprintf(", %d", r.Line)
		default:
			lines = append(lines, fmt.Sprintf("%s: %s names %s: line %d", r.Path, r.ID, r.To, r.Line))
		}
		last = r
	}
	return lines
}

func place(path string, line int) string {
	if line == 0 {
		return path
	}
	return fmt.Sprintf("%s:%d", path, line)
}

// notes are what else is said of a file that stays.
func (f *File) notes() []string {
	var list []string
	for _, d := range f.Dropped {
		list = append(list, "removed "+d+", which nothing else uses")
	}
	if f.Note != "" {
		list = append(list, f.Note)
	}
	return append(list, f.Short...)
}

// reason says why a primitive is removed.
func (r *Removed) reason() string {
	if r.Of != "" {
		return r.Why
	}
	why := words.Count(len(r.Failed), "test") + " failed"
	if r.Why != "" {
		why += ": " + r.Why
	}
	return why
}

// Lines are the plan as lines of JSON, each with what was done.
func (p *Plan) Lines() []ordjson.Value {
	var lines []ordjson.Value
	add := func(action string, members ...ordjson.Member) {
		lines = append(lines, ordjson.NewObject(append([]ordjson.Member{text("action", action)}, members...)...))
	}
	for i := range p.Removed {
		r := &p.Removed[i]
		members := []ordjson.Member{text("id", r.ID), text("path", r.Path)}
		if r.Line > 0 {
			members = append(members, ordjson.Field("line", ordjson.NewInt(r.Line)))
		}
		members = append(members, text("reason", r.reason()))
		if r.Of != "" {
			members = append(members, text("names", r.Of))
		}
		add("remove", append(members, ordjson.Field("issue", r.issue()))...)
	}
	for _, f := range p.Files {
		switch {
		case f.Left != "":
			add("leave-out", text("path", f.Path), text("reason", f.Left))
		default:
			add("change", text("path", f.Path), ordjson.Field("notes", ordjson.Strings(f.notes())))
		}
	}
	for _, r := range p.Named {
		add("named", text("id", r.ID), text("path", r.Path), ordjson.Field("line", ordjson.NewInt(r.Line)),
			text("pointer", r.Pointer), text("names", r.To), ordjson.Field("removed", ordjson.NewBool(r.Taken)))
	}
	for _, id := range p.Unknown {
		add("unknown", text("id", id), text("reason", "it was tested, but no file of the catalog defines it"))
	}
	for _, u := range p.Untested {
		add("untested", text("id", u.ID), text("path", u.Path), text("reason", u.Why))
	}
	return lines
}

func text(key, s string) ordjson.Member { return ordjson.Field(key, ordjson.NewString(s)) }

// issue is the sub-issue by which a removed primitive is not forgotten (chapter 21, "What
// Happens to Removed Primitives").
func (r *Removed) issue() ordjson.Value {
	var b strings.Builder
	fmt.Fprintf(&b, "`%s` was removed from %s before it was deployed: %s.\n\n", r.ID, r.Path, r.reason())
	for _, run := range r.Failed {
		fmt.Fprintf(&b, "- test %d, %s: %s\n", run.Index+1, words.Quote(run.Name), outcome(run))
	}
	if len(r.Failed) > 0 {
		b.WriteString("\n")
	}
	b.WriteString("When the cause is corrected, add it to the schema again; it then goes through stage:api-test, " +
		"stage:validation and stage:grade (chapter 21).\n")
	return ordjson.NewObject(text("title", "Repair "+r.ID), text("body", b.String()),
		ordjson.Field("labels", ordjson.Strings([]string{"stage:research"})))
}

func outcome(r grade.Run) string {
	if r.Outcome == grade.Mismatch {
		return "the answer is not what output.schema says: " + r.Why
	}
	return r.Why
}
