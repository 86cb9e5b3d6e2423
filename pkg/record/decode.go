package record

import (
	"fmt"
	"math"

	"github.com/flowmcp/fmcp/pkg/ordjson"
)

// Head is what every record starts with.
type Head struct {
	V    int
	Kind Kind
}

// Decode reads a line as the record it says it is. Kinds that no stage reads
// in typed form come back as nil with their head and value. Of an envelope comes
// back how the call came out, of a grade what a later grading asks for. The values
// share line's memory.
func Decode(line string) (Head, Record, ordjson.Value, error) { return decode(line, "") }

// DecodeRequest is Decode where requests are asked for: people write them by
// hand, so a line without v and kind is one.
func DecodeRequest(line string) (Head, Record, ordjson.Value, error) {
	return decode(line, KindRequest)
}

func decode(line string, usual Kind) (Head, Record, ordjson.Value, error) {
	v, err := ordjson.Parse(line)
	if err != nil {
		return Head{}, nil, v, fmt.Errorf("not a JSON record: %w", err)
	}
	h, err := headOf(v, usual)
	if err == nil {
		err = h.check(v)
	}
	if err != nil {
		return h, nil, v, err
	}
	switch h.Kind {
	case KindScan:
		return h, scanOf(v), v, nil
	case KindLoad:
		return h, loadOf(v), v, nil
	case KindDiagnostic:
		d, err := diagnosticOf(v)
		return h, d, v, err
	case KindEnvelope:
		return h, envelopeOf(v), v, nil
	case KindGrade:
		return h, gradeOf(v), v, nil
	case KindError:
		return h, errorOf(v), v, nil
	case KindRound:
		return h, roundOf(v), v, nil
	case KindEnd:
		return h, endOf(v), v, nil
	case KindResolved:
		return h, &Resolved{ID: v.Get("id").Str(), Type: Type(v.Get("type").Str()), Data: v.Get("data")}, v, nil
	case KindRequest:
		attempt, _ := attemptOf(v)
		return h, &Request{ID: v.Get("id").Str(), Params: v.Get("params"), Tag: v.Get("tag"), Attempt: attempt}, v, nil
	}
	return h, nil, v, nil
}

// needed are the texts without which a record says nothing: one that lacks them
// would be passed over as if there were nothing in it to judge.
var needed = map[Kind][]string{
	KindScan:       {"path", "type"},
	KindLoad:       {"id", "type"},
	KindDiagnostic: {"code", "message"},
	KindResolved:   {"id", "type"},
	KindPart:       {"id", "type"},
	KindRequest:    {"id"},
	KindEnvelope:   {"id"},
	KindGrade:      {"schemaId"},
}

func (h Head) check(v ordjson.Value) error {
	for _, name := range needed[h.Kind] {
		if f := v.Get(name); !f.Is(ordjson.String) {
			article := "a"
			if name == "id" {
				article = "an"
			}
			return fmt.Errorf("a %s record has %s %q of type string, found %s", h.Kind, article, name, f.Kind())
		}
	}
	if score := v.Get("probabilistic").Get("score"); h.Kind == KindGrade && score.Exists() && !IsScore(score) {
		return fmt.Errorf(`a grade record has a "probabilistic.score" from 1.0 to 5.0, found %s`, ordjson.Shown(score))
	}
	if _, ok := attemptOf(v); h.Kind == KindRequest && !ok {
		return fmt.Errorf(`a request record has an "attempt" that is a whole number from 1, found %s`,
			ordjson.Shown(v.Get("attempt")))
	}
	return nil
}

// headOf reads v and kind. What has no kind is of the usual one, which needs no v.
func headOf(v ordjson.Value, usual Kind) (Head, error) {
	if !v.Is(ordjson.Object) {
		return Head{}, fmt.Errorf("a record is a JSON object, found %s", v.Kind())
	}
	kind := v.Get("kind")
	if usual != "" && !kind.Exists() {
		kind = ordjson.NewString(string(usual))
	}
	if !kind.Is(ordjson.String) {
		return Head{}, fmt.Errorf(`a record has a "kind" of type string, found %s`, kind.Kind())
	}
	ver := v.Get("v")
	if usual == Kind(kind.Str()) && !ver.Exists() {
		ver = ordjson.NewInt(Version)
	}
	if !ver.Is(ordjson.Number) {
		return Head{}, fmt.Errorf(`a record has a "v" of type number, found %s`, ver.Kind())
	}
	h := Head{V: int(min(ver.Float(), math.MaxInt32)), Kind: Kind(kind.Str())}
	if h.V > Version && h.Kind.known() {
		return h, &NewerError{h}
	}
	return h, nil
}

// NewerError says that a record is of a version that this program cannot read.
type NewerError struct{ Head Head }

func (e *NewerError) Error() string {
	return fmt.Sprintf("record of kind %s has version %d; this command reads up to %d: use a newer fmcp", e.Head.Kind,
		e.Head.V, Version)
}

func (k Kind) known() bool {
	switch k {
	case KindScan, KindLoad, KindDiagnostic, KindResolved, KindPart, KindRequest, KindEnvelope, KindGrade, KindError,
		KindRound, KindEnd:
		return true
	}
	return false
}

func scanOf(v ordjson.Value) *Scan {
	return &Scan{
		Path:      v.Get("path").Str(),
		Root:      v.Get("root").Str(),
		Type:      Type(v.Get("type").Str()),
		Namespace: v.Get("namespace").Str(),
		Bytes:     int64(v.Get("bytes").Float()),
		FileHash:  v.Get("fileHash").Str(),
	}
}

func loadOf(v ordjson.Value) *Load {
	src, hashes := v.Get("src"), v.Get("hashes")
	return &Load{
		Type:     Type(v.Get("type").Str()),
		ID:       v.Get("id").Str(),
		Src:      Source{Path: src.Get("path").Str(), Root: src.Get("root").Str(), FileHash: src.Get("fileHash").Str()},
		Data:     v.Get("data"),
		Exports:  StringsOf(v.Get("exports")),
		Handlers: handlersOf(v.Get("handlers")),
		Hashes: Hashes{
			Schema: hashes.Get("schemaHash").Str(),
			Main:   hashes.Get("mainHash").Str(),
			File:   hashes.Get("fileHash").Str(),
		},
		Static:      v.Get("static").True(),
		Ignores:     ignoresOf(v.Get("ignores")),
		Reviews:     reviewsOf(v.Get("reviews")),
		ContentName: v.Get("contentName").Str(),
		Fetches:     v.Get("fetches").True(),
		Places:      Places(v.Get("places").Str()),
	}
}

func ignoresOf(v ordjson.Value) []Ignore {
	var list []Ignore
	for _, e := range v.Elems() {
		list = append(list, Ignore{
			Line:   int(e.Get("line").Float()),
			Col:    int(e.Get("col").Float()),
			For:    int(e.Get("for").Float()),
			Codes:  StringsOf(e.Get("codes")),
			Reason: e.Get("reason").Str(),
		})
	}
	return list
}

func reviewsOf(v ordjson.Value) []Review {
	var list []Review
	for _, e := range v.Elems() {
		list = append(list, Review{int(e.Get("line").Float()), int(e.Get("col").Float()), e.Get("text").Str()})
	}
	return list
}

func handlersOf(v ordjson.Value) []Handler {
	if !v.Is(ordjson.Object) {
		return nil
	}
	list := make([]Handler, 0, v.Len())
	for _, m := range v.Members() {
		list = append(list, Handler{Name: m.Key, Stages: StringsOf(m.Value)})
	}
	return list
}

// StringsOf returns the strings among the elements of an array.
func StringsOf(v ordjson.Value) []string {
	var list []string
	for _, e := range v.Elems() {
		if e.Is(ordjson.String) {
			list = append(list, e.Str())
		}
	}
	return list
}

func diagnosticOf(v ordjson.Value) (*Diagnostic, error) {
	sev, err := ParseSeverity(v.Get("severity").Str())
	if err != nil {
		return nil, err
	}
	return &Diagnostic{
		Code:     v.Get("code").Str(),
		Severity: sev,
		Message:  v.Get("message").Str(),
		Fix:      v.Get("fix").Str(),
		Subject:  v.Get("subject").Str(),
		Loc:      locOf(v.Get("loc")),
		Edits:    editsOf(v.Get("edits")),
	}, nil
}

func locOf(v ordjson.Value) Loc {
	return Loc{
		Path:     v.Get("path").Str(),
		Line:     int(v.Get("line").Float()),
		Col:      int(v.Get("col").Float()),
		Pointer:  v.Get("pointer").Str(),
		FileHash: v.Get("fileHash").Str(),
	}
}

func errorOf(v ordjson.Value) *Error {
	e := &Error{
		Stage:   v.Get("stage").Str(),
		Input:   v.Get("input").Str(),
		Code:    v.Get("code").Str(),
		Message: v.Get("message").Str(),
		Fix:     v.Get("fix").Str(),
		Tag:     v.Get("tag"),
	}
	if l := v.Get("loc"); l.Exists() {
		loc := locOf(l)
		e.Loc = &loc
	}
	return e
}

// envelopeOf reads of an envelope what says how the call came out: not its data,
// nor what was sent.
func envelopeOf(v ordjson.Value) *Envelope {
	return &Envelope{
		ID:       v.Get("id").Str(),
		Status:   v.Get("status").True(),
		Messages: StringsOf(v.Get("messages")),
		Warnings: StringsOf(v.Get("warnings")),
		Test:     testOf(v.Get("test")),
	}
}

func gradeOf(v ordjson.Value) *Grade {
	g := &Grade{SchemaID: v.Get("schemaId").Str(), FileHash: v.Get("fileHash").Str(), Grade: v.Get("grade").Str(),
		Timestamp: v.Get("timestamp").Str()}
	if score := v.Get("probabilistic").Get("score"); score.Is(ordjson.Number) {
		f := score.Float()
		g.Score, g.Harness = &f, v.Get("probabilistic").Get("harness").Str()
	}
	g.Dimensions = DimensionsOf(v.Get("dimensions"))
	return g
}

func testOf(v ordjson.Value) *Test {
	if !v.Is(ordjson.Object) {
		return nil
	}
	t := &Test{
		Index:       -1,
		Description: v.Get("description").Str(),
		Mode:        TestMode(v.Get("mode").Str()),
		Outcome:     TestOutcome(v.Get("outcome").Str()),
		Missing:     StringsOf(v.Get("missing")),
		Mismatches:  StringsOf(v.Get("mismatches")),
	}
	if n := v.Get("index"); n.Is(ordjson.Number) {
		t.Index = int(n.Float())
	}
	return t
}
