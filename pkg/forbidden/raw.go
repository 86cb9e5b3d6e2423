package forbidden

import (
	"cmp"
	"slices"
	"strconv"
	"strings"
)

// rawPattern is a forbidden text and its code.
type rawPattern struct{ text, code string }

// rawPatterns are "Forbidden Patterns (Entire File)" of chapter 05.
var rawPatterns = []rawPattern{
	{"import ", "SEC001"},
	{"require(", "SEC002"},
	{"eval(", "SEC003"},
	{"Function(", "SEC004"},
	{"new Function", "SEC005"},
	{"process.", "SEC006"},
	{"child_process", "SEC007"},
	{"fs.", "SEC008"},
	{"node:fs", "SEC009"},
	{"fs/promises", "SEC010"},
	{"globalThis.", "SEC011"},
	{"global.", "SEC012"},
	{"__dirname", "SEC013"},
	{"__filename", "SEC014"},
	{"setTimeout", "SEC015"},
	{"setInterval", "SEC016"},
}

// rawListPatterns are those of "Forbidden Patterns in Shared List Files".
var rawListPatterns = []rawPattern{
	{"function", "SEC200"},
	{"=>", "SEC201"},
	{"async", "SEC202"},
	{"await", "SEC202"},
	{"${", "SEC203"},
}

// scanRaw matches the text of src, whatever it means there.
func scanRaw(src string, list bool) []Finding {
	var found []Finding
	for _, p := range rawPatterns {
		code := p.code
		if list {
			code = "SEC204"
		}
		found = appendRaw(found, src, p.text, code)
	}
	if list {
		for _, p := range rawListPatterns {
			found = appendRaw(found, src, p.text, p.code)
		}
	}
	slices.SortStableFunc(found, func(a, b Finding) int {
		return cmp.Or(cmp.Compare(a.Start, b.Start), cmp.Compare(a.Code, b.Code))
	})
	return found
}

func appendRaw(found []Finding, src, text, code string) []Finding {
	for from := 0; ; {
		i := strings.Index(src[from:], text)
		if i < 0 {
			return found
		}
		start := from + i
		from = start + len(text)
		found = append(found, Finding{
			Code: code, Start: start, End: from,
			Msg: "forbidden pattern " + strconv.Quote(text) + " in the text of the file",
		})
	}
}
