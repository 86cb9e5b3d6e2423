package record

import (
	"strconv"

	"github.com/flowmcp/fmcp/pkg/ordjson"
)

// Edit puts a text in the place of some bytes of a source, which the place of the
// finding names by its hash. Those of one finding belong together.
type Edit struct {
	Start, End int // offsets in bytes; equal where the text is inserted
	Text       string
	Safe       bool // it changes no request, and nothing that a model sees but for the better
}

// appendEdits writes the edits of a finding.
func appendEdits(b []byte, list []Edit) []byte {
	if len(list) == 0 {
		return b
	}
	b = append(b, `,"edits":[`...)
	for i, e := range list {
		if i > 0 {
			b = append(b, ',')
		}
		b = strconv.AppendInt(append(b, `{"start":`...), int64(e.Start), 10)
		b = strconv.AppendInt(append(b, `,"end":`...), int64(e.End), 10)
		b = str(b, "text", e.Text)
		b = strconv.AppendBool(append(b, `,"safe":`...), e.Safe)
		b = append(b, '}')
	}
	return append(b, ']')
}

// editsOf reads them: none where one of them is no range.
func editsOf(v ordjson.Value) []Edit {
	var list []Edit
	for _, v := range v.Elems() {
		e := Edit{int(v.Get("start").Float()), int(v.Get("end").Float()), v.Get("text").Str(), v.Get("safe").True()}
		if e.Start < 0 || e.End < e.Start {
			return nil
		}
		list = append(list, e)
	}
	return list
}
