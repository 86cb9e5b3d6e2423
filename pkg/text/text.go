// Package text delivers prompts and skills: it fills in the placeholders of their
// content (chapters 12, 14 and 18).
package text

import (
	"context"
	"strings"

	"github.com/flowmcp/fmcp/pkg/catalog"
	"github.com/flowmcp/fmcp/pkg/model"
	"github.com/flowmcp/fmcp/pkg/ordjson"
	"github.com/flowmcp/fmcp/pkg/record"
	"github.com/flowmcp/fmcp/pkg/sharedlist"
	"github.com/flowmcp/fmcp/pkg/words"
)

// The codes of what a text lacks that is delivered all the same. Each is a row in
// pkg/rules.
const (
	CodeInput       = "EXE092" // an input is missing, unknown or of another type
	CodePlaceholder = "EXE093" // a placeholder stands for nothing
	CodePrefill     = "EXE094" // a call that is made beforehand failed
)

// Runner makes a call, of a tool or of a resource whose params name the query.
type Runner func(ctx context.Context, id string, params ordjson.Value) *record.Envelope

// Options say how a text is delivered.
type Options struct {
	Run  Runner                 // nil for a dry run, which makes no call
	Call func(id string) string // a call of a tool to copy; nil for its MCP name and parameters

	// Strict delivers nothing where inputs are missing or wrong (decision "Missing inputs").
	Strict bool
}

// Delivery is a text as it is delivered, whatever was wrong: then Problems say so
// too.
type Delivery struct {
	ID       string
	Problems []*words.Problem
	DryRun   bool
	record.Delivered

	refused  bool // of Options.Strict
	inserted int  // bytes, see maxText
}

// Envelope is the delivery as a record.
func (d *Delivery) Envelope() *record.Envelope {
	e := &record.Envelope{ID: d.ID, Status: len(d.Problems) == 0, Data: ordjson.NewNull(), DryRun: d.DryRun}
	if !d.refused {
		e.Delivered = &d.Delivered
	}
	for _, p := range d.Problems {
		e.Messages = append(e.Messages, p.Code+" "+d.ID+": "+p.Text())
	}
	return e
}

// Deliver fills in the content of a prompt or a skill of the catalog, in one pass:
// what is inserted is never read for placeholders (decision "One pass over text").
// The prompts that a prompt refers to come beside it (chapter 12, "Composable
// Prompts").
func Deliver(ctx context.Context, x *catalog.Index, t catalog.Delivered, given ordjson.Value, o Options) *Delivery {
	var beside []catalog.Delivered
	if prompt, ok := t.(*catalog.Prompt); ok {
		for _, id := range prompt.References {
			if r, err := x.Prompt(id); err == nil {
				beside = append(beside, r)
			}
		}
	}
	inputs, problems := CheckInputs(t, given, beside...)
	_, typ := t.Head()
	d := &Delivery{ID: t.Body().ID, Problems: problems, DryRun: o.Run == nil, Delivered: record.Delivered{Type: typ}}
	if d.refused = o.Strict && problems != nil; d.refused {
		return d
	}
	f := &filler{Options: o, index: x, text: t.Body(), inputs: inputs, delivery: d}
	if skill, ok := t.(*catalog.Skill); ok {
		f.prefill(ctx, skill)
	}
	d.Text = f.fill(t.Body().Content)
	if prompt, ok := t.(*catalog.Prompt); ok {
		for _, id := range prompt.References {
			f.refer(id)
		}
	}
	return d
}

// filler fills in one text.
type filler struct {
	Options
	index    *catalog.Index
	text     *catalog.Text
	inputs   Inputs
	results  map[string]result // of prefill, by the ID of the tool
	delivery *Delivery
	beside   bool // the text comes beside another, whose inputs need not be its own
}

// maxText is how many bytes are inserted into a text, and come beside it:
// placeholders and references are short, and what they stand for is not.
const maxText = 1 << 20

// room takes room for an insertion, or says that there is none.
func (f *filler) room(size int) *words.Problem {
	if f.delivery.inserted+size > maxText {
		return words.Problemf(CodePlaceholder, "more than %d bytes would be inserted", maxText)
	}
	f.delivery.inserted += size
	return nil
}

// fill is the one pass over a text of the author. What is written alike is filled
// in alike.
func (f *filler) fill(content string) string {
	type place struct {
		written string
		alone   bool
	}
	var b strings.Builder
	at, known, noted := 0, map[place]filling{}, map[string]bool{}
	for _, ph := range model.Placeholders(content) {
		p := place{content[ph.Start:ph.End], alone(content, ph)}
		filled, seen := known[p]
		if !seen {
			filled = f.placeholder(ph, p.alone)
			known[p] = filled
		}
		if filled.stays {
			continue
		}
		if full := f.room(len(filled.text)); full != nil {
			p.written, filled = "content", failed(full.Code, "%s", full.Message)
		}
		b.WriteString(content[at:ph.Start])
		b.WriteString(filled.text)
		at = ph.End
		if !noted[p.written] {
			noted[p.written] = true
			f.note(p.written, filled)
		}
	}
	b.WriteString(content[at:])
	return b.String()
}

// alone reports whether a placeholder is a line of its own.
func alone(content string, ph model.Placeholder) bool {
	before, after := strings.TrimRight(content[:ph.Start], " \t"), strings.TrimLeft(content[ph.End:], " \t\r")
	return (before == "" || strings.HasSuffix(before, "\n")) && (after == "" || after[0] == '\n')
}

// filling is what stands in the place of a placeholder.
type filling struct {
	text, from string
	problem    *words.Problem
	stays      bool // it only looks like one
}

// note says what was put in the place of a placeholder; of a text that comes beside,
// only what is wrong.
func (f *filler) note(written string, filled filling) {
	d := f.delivery
	entry := record.Filled{Placeholder: written, From: filled.from}
	if p := filled.problem; p != nil {
		entry.Error = p.Message
		where := written
		if f.beside {
			where = "references: " + f.text.ID + ": " + written
		}
		if p.Code == CodePlaceholder { // of the others there is a problem already
			d.Problems = append(d.Problems, &words.Problem{Code: p.Code, Message: where + ": " + p.Message})
		}
	}
	if !f.beside {
		d.Filled = append(d.Filled, entry)
	}
}

// failed is the text of chapter 18, "Error Handling".
func failed(code, format string, args ...any) filling {
	p := words.Problemf(code, format, args...)
	return filling{text: "[ERROR: " + p.Message + "]", problem: p}
}

// placeholder is what a placeholder stands for.
func (f *filler) placeholder(ph model.Placeholder, alone bool) filling {
	ref, ok := ph.Reference()
	switch {
	case !ok:
		return f.listValue(ph)
	case ref.Type == model.RefInput:
		return f.input(ref.Name)
	case ref.Type == model.RefPrefill:
		return f.prefilled(ref, ph.Name)
	}
	return f.reference(ref, strings.TrimSuffix(ph.Name, ":"+ref.Field), alone)
}

func (f *filler) input(key string) filling {
	v, err := f.inputs.Get(key)
	switch text, _ := ordjson.ScalarText(v); {
	case err == nil:
		return filling{text: text, from: model.RefInput}
	case f.beside:
		return filling{stays: true}
	default:
		return failed(err.Code, "%s", err.Message)
	}
}

// reference is a tool, or a part of it, or where another primitive is (decision
// "References in text").
func (f *filler) reference(ref model.Reference, written string, alone bool) filling {
	noun := strings.ToUpper(ref.Type[:1]) + ref.Type[1:]
	id := f.text.Meaning(ref)
	rec, err := f.index.Record(id)
	if err != nil {
		if f.index.Type(id) != "" {
			return failed(CodePlaceholder, "%s '%s' cannot be read", noun, written)
		}
		return failed(CodePlaceholder, "%s '%s' not found", noun, written)
	}
	switch r := rec.(type) {
	case *catalog.Tool:
		return f.tool(r, ref.Field, written, alone)
	case *catalog.Resource:
		return filling{text: address(r.Name, r.URI, r.Description), from: id}
	case catalog.Delivered:
		return filling{text: address(r.Body().Name, id, r.Body().Description), from: id}
	}
	return failed(CodePlaceholder, "%s '%s' not found", noun, written)
}

// address is the name, the address and the description of something.
func address(name, at, description string) string {
	text := name + " (" + at + ")"
	if description != "" {
		text += ": " + description
	}
	return text
}

// listValue is {{list:field}} or {{list:alias}} (decision "Lists in text"), where
// the catalog has that list.
func (f *filler) listValue(ph model.Placeholder) filling {
	if ph.Bare() {
		return filling{stays: true}
	}
	list, err := f.index.List(ph.Type, f.text.ID)
	if list == nil || err != nil {
		return filling{stays: true}
	}
	for _, field := range list.Fields.Elems() {
		if field.Get("key").Str() == ph.Name {
			values := sharedlist.Values(list.Entries.Elems(), ph.Name)
			return filling{text: strings.Join(values, ", "), from: list.ID}
		}
	}
	for _, entry := range list.Entries.Elems() {
		if alias := entry.Get("alias"); alias.Is(ordjson.String) && alias.Str() == ph.Name {
			return filling{text: ordjson.Text(entry), from: list.ID}
		}
	}
	return failed(CodePlaceholder, "List value '%s:%s' not found", ph.Type, ph.Name)
}

// refer adds a prompt that comes beside. Its own inputs stay as they are written
// where they are not given: it is read, not followed.
func (f *filler) refer(id string) {
	d := f.delivery
	prompt, err := f.index.Prompt(id)
	if err != nil {
		d.Problems = append(d.Problems, words.Problemf(CodePlaceholder, "references: Prompt '%s' not found", id))
		return
	}
	if full := f.room(len(prompt.Content)); full != nil {
		d.Problems = append(d.Problems, words.Problemf(full.Code, "references: %s: %s", id, full.Message))
		return
	}
	inputs, _ := CheckInputs(prompt, f.inputs.given)
	beside := *f
	beside.text, beside.inputs, beside.beside = prompt.Body(), inputs, true
	d.References = append(d.References, record.TextReference{ID: id, Description: prompt.Description,
		Text: beside.fill(prompt.Content)})
}
