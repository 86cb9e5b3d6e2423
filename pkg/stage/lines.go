package stage

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"slices"

	"github.com/tidwall/gjson"

	"github.com/flowmcp/fmcp/pkg/ndjson"
	"github.com/flowmcp/fmcp/pkg/ordjson"
	"github.com/flowmcp/fmcp/pkg/record"
)

// Several records make a batch where they are there at the same time: handing
// each from one goroutine to the next would cost as much as the work on it.
const (
	batchItems = 16
	batchBytes = 256 << 10
)

// Lines is the source that reads records from r; name is what errors call it.
// Where alone is set, each line is a batch of its own, so that slow work on one
// does not hold up the next, and each has an answer of its own. The end record of the stage before is for tally,
// and goes no further.
func Lines(r io.Reader, name, command string, maxLine int, alone bool, tally *Tally) Source {
	return func(_ context.Context, send func(Batch) bool) error {
		reader := ndjson.NewReader(r, maxLine)
		arrival := tally.arrival(name)
		var b Batch
		size := 0
		begun, told := alone, false // the first record has come; what is before it is reported
		for {
			line, err := reader.Next()
			begun = begun || err != nil || line.TooLong || looksRecord(line.Bytes)
			switch {
			case errors.Is(err, io.EOF):
				if len(b) > 0 {
					send(b)
				}
				return nil
			case err != nil:
				send(append(b, New(&record.Error{Stage: command, Input: name, Code: "LOD001",
					Message: "cannot be read: " + err.Error()})))
				return nil
			}
			switch {
			case !begun && told: // one file that is not a stream is one mistake
			case !begun:
				told = true
				b = append(b, New(&record.Error{Stage: command, Input: fmt.Sprintf("%s:%d", name, line.Num),
					Code:    "LOD020",
					Message: "not a JSON record: expected one a line; a schema is not piped in but named by its path"}))
			case line.TooLong || arrival.Take(record.KindIn(line.Bytes), line.Bytes):
				b = append(b, lineItem(line, name, command, maxLine))
			}
			size += len(line.Bytes)
			if !alone && len(b) < batchItems && size < batchBytes && reader.Ready() {
				continue
			}
			if len(b) > 0 && !send(b) {
				return nil
			}
			b, size = nil, 0
		}
	}
}

// looksRecord reports whether a line is meant as JSON: what comes before the
// first such line is reported once, as a whole.
func looksRecord(line []byte) bool {
	return bytes.HasPrefix(line, []byte(`{"`)) || gjson.ValidBytes(line)
}

func lineItem(line ndjson.Line, name, command string, maxLine int) *Item {
	if line.TooLong {
		return New(&record.Error{
			Stage: command, Input: fmt.Sprintf("%s:%d", name, line.Num), Code: "LOD021",
			Message: fmt.Sprintf("line of %d bytes is longer than --max-line %d: it was left out", line.Size, maxLine),
			Tag:     tagOf(line),
		})
	}
	return &Item{Line: line.Bytes, input: name, num: line.Num}
}

// tagIn is the tag of a request in a line that may be cut off or no JSON; Missing
// where it cannot be read. What stands at the very end may be half of a number.
func tagIn(line []byte) ordjson.Value {
	at := gjson.Get(string(line), "tag")
	if at.Index+len(at.Raw) == len(line) {
		return ordjson.Value{}
	}
	tag, _ := ordjson.Parse(at.Raw)
	return tag
}

// tagOf is the tag in a line that is too long: in its start, or the last member.
func tagOf(line ndjson.Line) ordjson.Value {
	tag := tagIn(line.Start)
	if i := bytes.LastIndex(line.End, []byte(`"tag":`)); i >= 0 && !tag.Exists() {
		last, _ := ordjson.Parse("{" + string(line.End[i:])) // which is JSON where tag is none of an inner object
		tag = last.Get("tag")
	}
	return tag
}

// Decode is the step that reads lines as records: those of the given kinds
// whole, the others just enough to be sure that they are records.
func Decode(command string, kinds ...record.Kind) Step {
	return Step{Do: func(_ context.Context, it *Item) Batch {
		if it.Line == nil || it.Rec != nil {
			return Batch{it}
		}
		if err := it.decode(kinds); err != nil {
			return Batch{New(&record.Error{Stage: command, Input: fmt.Sprintf("%s:%d", it.input, it.num),
				Code: codeOf(err), Message: err.Error(), Tag: tagIn(it.Line)})}
		}
		return Batch{it}
	}}
}

func codeOf(err error) string {
	var newer *record.NewerError
	if errors.As(err, &newer) {
		return "LOD022"
	}
	return "LOD020"
}

func (it *Item) decode(kinds []record.Kind) error {
	kind := record.KindIn(it.Line)
	whole := kind == record.KindDiagnostic || kind == record.KindError || kind == record.KindRound ||
		slices.Contains(kinds, kind)
	if !whole && gjson.ValidBytes(it.Line) && gjson.GetBytes(it.Line, "v").Num == record.Version && kind != "" {
		return nil
	}
	decode := record.Decode
	if (kind == "" || kind == record.KindRequest) && slices.Contains(kinds, record.KindRequest) {
		decode, whole = record.DecodeRequest, true
	}
	_, rec, _, err := decode(string(it.Line))
	if whole {
		it.Rec = rec
	}
	return err
}
