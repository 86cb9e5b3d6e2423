package model

import (
	"slices"
	"strings"
)

// Misspelt returns the forms of a text that look like placeholders and are
// none, so that they would be sent as they stand: {lat}, {{lat, ${x}, {KEY},
// {{SERVER_PARAM:}} (docs/decisions.md, "Text around placeholders"). JSON and
// GraphQL have braces of their own: what is inside of others is meant to be a
// placeholder only where it is written ${…} or names one.
func Misspelt(text string) []string {
	if !strings.Contains(text, "{") {
		return nil
	}
	var found []string
	list, depth, query := Placeholders(text), 0, isGraphQL(text)
	last := strings.LastIndexByte(text, '}')
	for i := 0; i < len(text); i++ {
		switch {
		case len(list) > 0 && i == list[0].Start:
			if ph := list[0]; ph.Name == "" && (ph.Type == "" || wordEnd(ph.Type) == len(ph.Type)) {
				found = append(found, text[ph.Start:ph.End])
			}
			i, list = list[0].End-1, list[1:]
		case text[i] == '}':
			depth--
		case text[i] == '{':
			if form, sure := misspeltAt(text, i, last); sure || form != "" && depth <= 0 && !query {
				found = append(found, form)
				i += len(form) - 1
				if form[0] == '$' {
					i--
				}
			} else {
				depth++
			}
		}
	}
	return found
}

// isGraphQL reports whether a text begins as a document of GraphQL does.
func isGraphQL(text string) bool {
	text = strings.TrimSpace(text)
	word := text[:wordEnd(text)]
	return slices.Contains([]string{"query", "mutation", "subscription", "fragment"}, word)
}

// misspeltAt reads what may be meant as a placeholder at the brace text[i]; sure
// says that nothing else can be. The last closing brace of text is at last.
func misspeltAt(text string, i, last int) (form string, sure bool) {
	rest, double := strings.CutPrefix(text[i+1:], "{")
	if double {
		rest = strings.TrimLeft(rest, " ")
	}
	name := rest[:wordEnd(rest)]
	if strings.HasPrefix(rest, "SERVER_PARAM:") {
		name += rest[len(name) : len(name)+1+wordEnd(rest[len(name)+1:])]
	}
	rest = rest[len(name):]
	closing := rest[:len(rest)-len(strings.TrimLeft(rest, "}"))]
	closing = closing[:min(2, len(closing))]
	switch {
	case name == "", !double && strings.HasPrefix(name, "__"), // {__typename} of GraphQL
		!double && closing == "" && last > i:
		return "", false
	}
	form = text[i : len(text)-len(rest)+len(closing)]
	if i > 0 && text[i-1] == '$' {
		return "$" + form, true
	}
	return form, double || name == userName || strings.HasPrefix(name, "SERVER_PARAM")
}

const userName = "USER_PARAM"

// wordEnd is the length of the word that a text begins with: a letter or _, and
// then digits and hyphens too.
func wordEnd(s string) int {
	for i := range len(s) {
		if c := s[i]; !isKeyByte(c) && (c != '-' || i == 0) || i == 0 && c >= '0' && c <= '9' {
			return i
		}
	}
	return len(s)
}
