package forbidden

import (
	"strconv"
	"strings"
)

// scanRaw looks for the texts of chapter 05 in src, whatever they mean there.
func scanRaw(src string, list bool) (found []Finding) {
	for _, w := range wordTable {
		code := w.code
		switch {
		case w.raw == "" || code >= "SEC200" && !list:
			continue
		case code < "SEC200" && list:
			code = "SEC204"
		}
		for from := 0; ; {
			i := strings.Index(src[from:], w.raw)
			if i < 0 {
				break
			}
			start := from + i
			from = start + len(w.raw)
			found = append(found, Finding{
				Code: code, Start: start, End: from,
				Msg: "forbidden pattern " + strconv.Quote(w.raw) + " in the text of the file",
			})
		}
	}
	return found
}
