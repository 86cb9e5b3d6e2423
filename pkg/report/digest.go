package report

import (
	"cmp"
	"fmt"
	"io"
	"slices"

	"github.com/flowmcp/fmcp/pkg/record"
	"github.com/flowmcp/fmcp/pkg/words"
)

// digest is for findings that go beside a stream of other records: the first
// of them by code, the worst codes first, and the counts of all.
type digest struct {
	w     io.Writer
	opts  Options
	all   string // how to see all
	codes map[digestKey]*digestCode
	total int
}

type digestKey struct {
	failed   bool // of an error record
	severity record.Severity
	code     string
}

type digestCode struct {
	digestKey
	first []record.Record
	n     int
}

// digestShown is how many findings are shown.
const digestShown = 20

// NewDigest returns the digest that is written to w by Close; all says how all
// findings can be seen.
func NewDigest(w io.Writer, all string, opts Options) Reporter {
	return &digest{w: w, opts: opts, all: all, codes: map[digestKey]*digestCode{}}
}

func (d *digest) Record(rec record.Record, _ []byte) error {
	f, ok := findingOf(rec)
	if !ok {
		return nil
	}
	key := digestKey{f.failed, f.Severity, f.Code}
	code := d.codes[key]
	if code == nil {
		code = &digestCode{digestKey: key}
		d.codes[key] = code
	}
	if len(code.first) < digestShown {
		code.first = append(code.first, rec)
	}
	code.n++
	d.total++
	return nil
}

// Flush does nothing: a digest is of all findings.
func (d *digest) Flush() error { return nil }

func (d *digest) Close() error {
	if d.total == 0 {
		return nil
	}
	var codes []*digestCode
	for _, code := range d.codes {
		codes = append(codes, code)
	}
	slices.SortFunc(codes, func(a, b *digestCode) int {
		if a.failed != b.failed {
			return map[bool]int{true: -1, false: 1}[a.failed]
		}
		return cmp.Or(-cmp.Compare(a.severity, b.severity), cmp.Compare(a.code, b.code))
	})
	t, shown := newText(d.w, d.opts), 0
	for _, code := range codes {
		for _, rec := range code.first[:min(len(code.first), digestShown-shown)] {
			if err := t.Record(rec, nil); err != nil {
				return err
			}
			shown++
		}
	}
	if shown == d.total {
		return t.Close()
	}
	t.println(fmt.Sprintf("%s in all, of which %d are shown:", words.Count(d.total, "finding"), shown))
	for _, code := range codes {
		what := code.severity.String()
		if code.failed {
			what = "failure"
		}
		t.println(fmt.Sprintf("  %-7s %s", code.code, t.pal.Severity(code.severity, words.Count(code.n, what))))
	}
	t.println(d.all)
	return t.Flush()
}
