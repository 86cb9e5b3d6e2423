package record

import (
	"math"
	"strconv"

	"github.com/flowmcp/fmcp/pkg/ordjson"
)

// Resolved is a self-contained part of a catalog: all that is needed to serve
// or call it, with no look at a source file. docs/records.md lists the fields
// of Data for each type.
type Resolved struct {
	ID   string
	Type Type
	Data ordjson.Value
}

// AppendJSON implements Record.
func (r *Resolved) AppendJSON(b []byte) []byte {
	b = head(b, KindResolved)
	b = str(b, "id", r.ID)
	b = str(b, "type", string(r.Type))
	b = append(b, `,"data":`...)
	b = ordjson.Append(b, r.Data)
	return append(b, '}')
}

// AppendPart appends a record of a part of a catalog, which fmcp-resolve merge makes a
// whole one of, and the lines of the resolved records that it has ready.
// docs/records.md lists the fields of data for each type.
func AppendPart(b []byte, id string, typ Type, data ordjson.Value, resolved [][]byte) []byte {
	b = head(b, KindPart)
	b = str(b, "id", id)
	b = str(b, "type", string(typ))
	b = append(b, `,"data":`...)
	b = ordjson.Append(b, data)
	b = append(b, `,"resolved":[`...)
	for i, line := range resolved {
		if i > 0 {
			b = append(b, ',')
		}
		b = append(b, line...)
	}
	return append(b, "]}"...)
}

// Request asks for one call.
type Request struct {
	ID      string        // Spec-ID of the tool
	Params  ordjson.Value // object; Missing is read as {}
	Tag     ordjson.Value // echoed in the envelope; Missing where not given
	Attempt int           // which one it is, from 1; 0 where that is not said
}

// AppendJSON implements Record.
func (r *Request) AppendJSON(b []byte) []byte {
	b = head(b, KindRequest)
	b = str(b, "id", r.ID)
	if r.Params.Exists() {
		b = append(b, `,"params":`...)
		b = ordjson.Append(b, r.Params)
	}
	if r.Tag.Exists() {
		b = append(b, `,"tag":`...)
		b = ordjson.Append(b, r.Tag)
	}
	if r.Attempt > 0 {
		b = strconv.AppendInt(append(b, `,"attempt":`...), int64(r.Attempt), 10)
	}
	return append(b, '}')
}

// attemptOf is the attempt of a request, 0 where it has none. ok is false where it is
// no whole number from 1.
func attemptOf(v ordjson.Value) (n int, ok bool) {
	at := v.Get("attempt")
	if !at.Exists() {
		return 0, true
	}
	f := at.Float()
	return int(f), at.Is(ordjson.Number) && f >= 1 && f <= math.MaxInt32 && f == math.Trunc(f)
}
