package config

import (
	"cmp"
	"io"
	"maps"
	"slices"
	"strings"
	"sync"

	"github.com/flowmcp/fmcp/pkg/ordjson"
	"github.com/flowmcp/fmcp/pkg/record"
	"github.com/flowmcp/fmcp/pkg/rules"
)

// Baseline is the findings that are known already: new ones are reported, those
// are not. It may be used by several goroutines.
//
// Its file has a JSON object a line, sorted: code, subject, pointer, and count
// where that many findings agree in all three.
type Baseline struct {
	mu      sync.Mutex
	write   bool          // take whatever comes
	known   map[known]int // findings of the file
	now     map[known]int // those that have come by since Round
	most    map[known]int // and in the round with the most
	strange bool          // the user has not named the file: see Distrust
}

// known is what a finding is recognised by. Message and line are not part of
// it: they change with the text around it.
type known struct{ code, subject, pointer string }

func (k known) compare(o known) int {
	return cmp.Or(cmp.Compare(k.subject, o.subject), cmp.Compare(k.code, o.code), cmp.Compare(k.pointer, o.pointer))
}

// NewBaseline returns a baseline that takes all findings, to be written.
func NewBaseline() *Baseline {
	return &Baseline{write: true, now: map[known]int{}, most: map[known]int{}}
}

// maxBaseline is the largest baseline that is read, in bytes.
const maxBaseline = 256 << 20

// ReadBaseline reads the file of a baseline. Errors are *Error.
func ReadBaseline(path string) (*Baseline, error) {
	text, err := readText(path, maxBaseline)
	if err != nil {
		return nil, err
	}
	return ParseBaseline(path, text)
}

// ParseBaseline reads the text of a baseline. Errors are *Error.
func ParseBaseline(path, text string) (*Baseline, error) {
	b := &Baseline{known: map[known]int{}, now: map[known]int{}, most: map[known]int{}}
	num := 0
	for line := range strings.Lines(text) {
		num++
		if strings.TrimSpace(line) == "" {
			continue
		}
		v, err := ordjson.Parse(strings.TrimSpace(line))
		if err != nil {
			return nil, &Error{path, num, 1, "is not a JSON object: " + err.Error()}
		}
		k := known{v.Get("code").Str(), v.Get("subject").Str(), v.Get("pointer").Str()}
		count := 1
		if n := v.Get("count"); n.Exists() {
			count = int(min(n.Float(), 1<<30))
		}
		if k.code == "" || count < 1 {
			return nil, &Error{path, num, 1,
				`is not a finding: expected an object such as {"code":"CMP005","subject":"demo/shop",` +
					`"pointer":"/schemaVersion"}`}
		}
		b.known[k] += count
	}
	return b, nil
}

// Distrust makes the baseline know no finding of chapter 05: the file is among
// those that are checked.
func (b *Baseline) Distrust() { b.strange = true }

// Round says that files may come again, since fmcp-scan watches them: what is
// known of them is known again.
func (b *Baseline) Round() {
	b.mu.Lock()
	defer b.mu.Unlock()
	clear(b.now)
}

// Take reports whether a finding is known. Each is known once in a round.
func (b *Baseline) Take(d *record.Diagnostic) bool {
	if b.strange && rules.Security(d.Code) {
		return false
	}
	k := known{d.Code, d.Subject, d.Loc.Pointer}
	b.mu.Lock()
	defer b.mu.Unlock()
	if !b.write && b.now[k] >= b.known[k] {
		return false
	}
	b.now[k]++
	b.most[k] = max(b.most[k], b.now[k])
	return true
}

// Counts returns how many findings were known, and how many of the baseline
// were not found again: they are fixed, or their files were not checked.
func (b *Baseline) Counts() (taken, stale int) {
	b.mu.Lock()
	defer b.mu.Unlock()
	for _, n := range b.most {
		taken += n
	}
	for k, n := range b.known {
		stale += n - b.most[k]
	}
	return taken, stale
}

// WriteTo writes what was taken as the file of a baseline.
func (b *Baseline) WriteTo(w io.Writer) (int64, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	var text []byte
	for _, k := range slices.SortedFunc(maps.Keys(b.most), known.compare) {
		fields := []ordjson.Member{
			ordjson.Field("code", ordjson.NewString(k.code)),
			ordjson.Field("subject", ordjson.NewString(k.subject)),
			ordjson.Field("pointer", ordjson.NewString(k.pointer)),
		}
		if n := b.most[k]; n > 1 {
			fields = append(fields, ordjson.Field("count", ordjson.NewInt(n)))
		}
		text = append(ordjson.Append(text, ordjson.NewObject(fields...)), '\n')
	}
	n, err := w.Write(text)
	return int64(n), err
}
