package engine

import (
	"slices"
	"strings"

	"github.com/flowmcp/fmcp/pkg/record"
)

// Family is the rules of some codes: the text says of each what it is about, and
// Objects and Checks what finds it. A code in neither is reported by another
// stage.
//
// The text is a paragraph for each rule, its code, name and attributes in the
// first line, and then what must hold, why, and how to fix it. The attributes
// of a line "all:" are those of all rules below it:
//
//	all: error, since 3.0.0, chapter 14, from 3.0, on skill
//
//	SKL020 skill-tool-unlisted: warning
//	A tool that the content refers to by name is listed in requires.tools.
//	Why: What is not listed is not checked.
//	Fix: Add the tool to requires.tools.
type Family struct {
	Text    string
	Objects []Objects              // the table of fields
	Checks  map[string]func(*Pass) // by code; what no table says
}

// rules reads the family's text. What is wrong with it is a defect of ours, which
// the tests find.
func (f Family) rules() []*Rule {
	var list []*Rule
	var all Rule
	fields := f.fieldChecks()
	for paragraph := range strings.SplitSeq(strings.TrimSpace(f.Text), "\n\n") {
		head, body, _ := strings.Cut(paragraph, "\n")
		if attributes, ok := strings.CutPrefix(head, "all: "); ok {
			all = Rule{}
			all.set(attributes)
			continue
		}
		r := all
		title, attributes, _ := strings.Cut(head, ": ")
		r.Code, r.Name, _ = strings.Cut(title, " ")
		r.set(attributes)
		r.Summary, body, _ = strings.Cut(body, "\nWhy: ")
		r.Why, r.Fix, _ = strings.Cut(body, "\nFix: ")
		for _, text := range []*string{&r.Summary, &r.Why, &r.Fix} {
			*text = strings.ReplaceAll(*text, "\n", " ")
		}
		r.Check = inTurn(append(fields[r.Code], f.Checks[r.Code]))
		list = append(list, &r)
	}
	return list
}

// inTurn makes one check of several, nil of none.
func inTurn(checks []func(*Pass)) func(*Pass) {
	checks = slices.DeleteFunc(checks, func(check func(*Pass)) bool { return check == nil })
	if len(checks) < 2 {
		return append(checks, nil)[0]
	}
	return func(p *Pass) {
		for _, check := range checks {
			check(p)
		}
	}
}

// set sets what a rule's attributes say: "warning, chapter 14, catalog".
func (r *Rule) set(attributes string) {
	for attribute := range strings.SplitSeq(attributes, ", ") {
		switch word, rest, _ := strings.Cut(attribute, " "); word {
		case "": // none
		case "lowered": // by the community profile
			r.Community = record.SeverityWarning
		case "since":
			r.Since = rest
		case "chapter", "decision":
			r.Chapter = rest
		case "from":
			r.From = Spec(rest)
		case "on":
			r.On = nil
			for typ := range strings.FieldsSeq(rest) {
				r.On = append(r.On, record.Type(typ))
			}
		case "whole":
			r.Whole = true
		case "late":
			r.Late = true
		case "catalog":
			r.Catalog = true
		case "folder":
			r.Catalog, r.Folder = true, true
		case "step":
			r.Step = true
		case "replaced":
			r.Replaced = rest
		case "own", "skill-md-frontmatter":
			r.Chapter = attribute
		default:
			r.Spec = severity(word)
			r.Community = r.Spec
		}
	}
}

func severity(name string) record.Severity {
	s, err := record.ParseSeverity(name)
	if err != nil {
		panic(err)
	}
	return s
}
