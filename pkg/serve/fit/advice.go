package fit

import (
	"strings"

	"github.com/flowmcp/fmcp/pkg/ordjson"
	"github.com/flowmcp/fmcp/pkg/words"
)

// ways are the parameters by which APIs give less, under the names that they have
// without case, signs and digits. Those in numeric mean something else where they
// are no numbers: a start is a day, a size that of a shirt.
var ways = []struct {
	use, names, numeric string
}{
	{"%s for the rest", " page pagenumber pageno pagenum pageindex offset pageoffset startindex cursor pagetoken " +
		"nexttoken nextpagetoken continuationtoken nextcursor aftercursor startingafter resultoffset scrollid ",
		" skip start after from p "},
	{"%s for less at once", " limit pagesize perpage pagelength pagelimit maxresults maxrecords maxfeatures " +
		"resultsperpage itemsperpage recordlimit resultrecordcount recordsperpage ",
		" count size rows top first take num max results length n "},
	{"%s for fewer fields", " fields select columns outfields returnfields attributes fieldlist exclude ", ""},
}

// Advice says how to ask a tool for less, in the parameters of its input schema.
func Advice(input ordjson.Value) string {
	properties := input.Get("properties")
	if properties.Get("section").Exists() && properties.Get("lines").Exists() { // a document (chapter 13)
		return `call the tool again with "lines" for the rest, such as "200-400", or "section" or "search" for a part`
	}
	var texts []string
	for _, w := range ways {
		var keys []string
		for _, m := range properties.Members() {
			name := " " + words.Letters(m.Key) + " "
			kind := m.Value.Get("type").Str()
			if strings.Contains(w.names, name) || kind != "string" && strings.Contains(w.numeric, name) {
				keys = append(keys, m.Key)
			}
		}
		if keys != nil {
			texts = append(texts, strings.Replace(w.use, "%s", words.QuoteList(keys), 1))
		}
	}
	if texts == nil {
		return "ask for less, such as one thing, a shorter period or a stricter filter"
	}
	return "call the tool again with " + strings.Join(texts, ", ")
}
