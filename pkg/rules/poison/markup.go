package poison

import (
	"slices"
	"strings"
)

// findSigns calls report for what is in a text beside the meaning of its words.
func findSigns(text string, described bool, report func(code string, at, end int, what string)) {
	small := strings.ToLower(text)
	chars := charsOf(small)
	for i, needs := range theNeeds() {
		s := &signs[i]
		if s.described && !described || !needs.anyIn(small, chars) {
			continue
		}
		if at := s.find().FindStringIndex(text); at != nil {
			report(s.code, at[0], at[1], s.what)
		}
	}
	if strings.Contains(text, "<!--") {
		findComments(text, described, report)
	}
}

var comment = re(`(?s)<!--(.*?)(?:-->|$)`)

// findComments reports the first comment that says something, as <!-- theme: info -->
// does not, or, where comments belong since the text is markdown, speaks to a model.
func findComments(text string, described bool, report func(code string, at, end int, what string)) {
	for _, at := range comment().FindAllStringSubmatchIndex(text, -1) {
		said := text[at[2]:at[3]]
		switch {
		case described && len(strings.Fields(said)) > 2:
			report("MCP043", at[0], at[1], remark)
			return
		case ordersModel(said):
			report("MCP043", at[0], at[1], remark+", with an order to the model")
			return
		}
	}
}

// ordersModel reports whether a text speaks to a model.
func ordersModel(text string) bool {
	v := theVocabulary()
	return slices.ContainsFunc(sentencesOf(text), func(s sentence) bool {
		return s.means.any(v.number["aiaddr"]) && s.means.any(v.number["act"]) ||
			slices.ContainsFunc(thePatterns(), func(p pattern) bool {
				_, _, ok := p.find(&s)
				return ok
			})
	})
}
