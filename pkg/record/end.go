package record

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/tidwall/gjson"

	"github.com/flowmcp/fmcp/pkg/ordjson"
	"github.com/flowmcp/fmcp/pkg/words"
)

// End closes a stream: all records before it, up to an End before, are counted,
// so that who reads them knows that none is missing.
type End struct {
	Stage   string // the command
	Counts  map[Kind]int
	Partial bool // what Stage itself read was cut or filtered
}

// AppendJSON implements Record.
func (e *End) AppendJSON(b []byte) []byte {
	b = head(b, KindEnd)
	b = str(b, "stage", e.Stage)
	b = append(b, `,"counts":{`...)
	for i, kind := range slices.Sorted(maps.Keys(e.Counts)) {
		if i > 0 {
			b = append(b, ',')
		}
		b = ordjson.AppendKey(b, string(kind))
		b = strconv.AppendInt(b, int64(e.Counts[kind]), 10)
	}
	b = append(b, '}')
	if e.Partial {
		b = append(b, `,"partial":true`...)
	}
	return append(b, '}')
}

func endOf(v ordjson.Value) *End {
	e := &End{Stage: v.Get("stage").Str(), Counts: map[Kind]int{}, Partial: v.Get("partial").True()}
	for _, m := range v.Get("counts").Members() {
		e.Counts[Kind(m.Key)] = int(m.Value.Float())
	}
	return e
}

// CodeNotWhole is the code of a stream without a true End.
const CodeNotWhole = "LOD040"

// Arrival counts the records of one input and holds them against its End. An
// input that several were joined to has as many.
type Arrival struct {
	Name   string       // of the input, in messages
	Kinds  map[Kind]int // all that came
	since  map[Kind]int // … since the last End
	ended  bool
	reason string // why it is not whole, of the first End that is not true
}

// Take counts a line; kind is what stands in it. It returns false for a true or
// untrue End, which goes no further.
func (a *Arrival) Take(kind Kind, line []byte) bool {
	if kind == KindEnd {
		_, rec, _, err := Decode(string(line))
		if e, ok := rec.(*End); ok && err == nil {
			a.end(e)
			return false
		}
	}
	if a.Kinds == nil {
		a.Kinds, a.since = map[Kind]int{}, map[Kind]int{}
	}
	a.Kinds[kind]++
	a.since[kind]++
	return true
}

func (a *Arrival) end(e *End) {
	a.ended = true
	if a.reason == "" {
		a.reason = e.untrue(a.since)
	}
	clear(a.since)
}

// untrue says what is wrong with an End behind such records, "" for nothing.
func (e *End) untrue(came map[Kind]int) string {
	if e.Partial {
		return e.Stage + " says in its end record that what it read was cut or filtered"
	}
	kinds := slices.Sorted(maps.Keys(e.Counts))
	for kind := range came {
		if e.Counts[kind] == 0 {
			kinds = append(kinds, kind)
		}
	}
	for _, kind := range kinds {
		if e.Counts[kind] != came[kind] {
			return fmt.Sprintf("its end record counts %s, and %d came",
				words.Count(e.Counts[kind], "record of kind "+string(kind)), came[kind])
		}
	}
	return ""
}

// Text says what came, by kind: "2 records of kind load", "nothing".
func (a *Arrival) Text() string {
	var parts []string
	for _, kind := range slices.Sorted(maps.Keys(a.Kinds)) {
		parts = append(parts, words.Count(a.Kinds[kind], "record of kind "+string(kind)))
	}
	return cmp.Or(strings.Join(parts, ", "), "nothing")
}

// NotWhole is nil where the input ends in a true End, and otherwise says why it
// is not known to be whole.
func (a *Arrival) NotWhole() error {
	reason := a.reason
	if reason == "" && (!a.ended || len(a.since) > 0) {
		reason = "it does not close with an end record"
	}
	if reason == "" {
		return nil
	}
	return fmt.Errorf("%s is not known to be whole: %s (%s)", a.Name, reason, CodeNotWhole)
}

// KindIn is the kind that stands in a line, which need not be read whole for
// that; "" for none.
func KindIn(line []byte) Kind { return Kind(gjson.GetBytes(line, "kind").Str) }

// TypeIn is the type that stands in a line, as KindIn is its kind.
func TypeIn(line []byte) Type { return Type(gjson.GetBytes(line, "type").Str) }

// KindOf is the kind of a record, "" for what is no record of the stream.
func KindOf(r Record) Kind {
	switch r.(type) {
	case *Scan:
		return KindScan
	case *Load:
		return KindLoad
	case *Diagnostic:
		return KindDiagnostic
	case *Resolved:
		return KindResolved
	case *Request:
		return KindRequest
	case *Envelope:
		return KindEnvelope
	case *Grade:
		return KindGrade
	case *Error:
		return KindError
	case *Round:
		return KindRound
	case *End:
		return KindEnd
	}
	return ""
}
