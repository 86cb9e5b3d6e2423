package resource

import (
	"database/sql"
	"path/filepath"
	"testing"
	"time"

	_ "modernc.org/sqlite" // the baseline

	"github.com/flowmcp/fmcp/pkg/model"
	"github.com/flowmcp/fmcp/pkg/resource/origin"
)

const (
	million = 1_000_000
	lookup  = "SELECT id, symbol, name, price FROM tokens WHERE symbol = ?"
)

// bigTable writes a table of a million rows with an index, once for all
// benchmarks of a run.
func bigTable(b *testing.B) (*Store, string) {
	b.Helper()
	dir := b.TempDir()
	s := &Store{Places: origin.Places{Project: dir}}
	b.Cleanup(s.Close)
	place, err := s.Places.File(model.Project, "tide-log.db", ".db", "")
	if err != nil {
		b.Fatal(err)
	}
	path, err := place.Make()
	if err != nil {
		b.Fatal(err)
	}
	writeDB(b, path,
		"CREATE TABLE tokens (id INTEGER PRIMARY KEY, symbol TEXT, name TEXT, price REAL)",
		"INSERT INTO tokens SELECT x, printf('T%07d', x * 7919 % 1000003), 'Token number ' || x, x / 7.0 FROM (WITH "+
			"RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n LIMIT 1000000) SELECT x FROM n)",
		"CREATE INDEX tokens_symbol ON tokens (symbol)",
	)
	return s, path
}

// symbol is that of row i.
func symbol(i int) string {
	n := (i%million + 1) * 7919 % 1000003
	digits := []byte("T0000000")
	for at := len(digits) - 1; n > 0; at-- {
		digits[at] = byte('0' + n%10)
		n /= 10
	}
	return string(digits)
}

// BenchmarkPointLookup compares a query of a resource with the driver of
// database/sql that keeps its statement, on the same file: one row of a million
// by an index, its four columns read. rate-x-driver is how many look-ups a second
// we make for one of the driver.
func BenchmarkPointLookup(b *testing.B) {
	s, path := bigTable(b)
	spec := specOf(model.InMemory)
	ours := func(b *testing.B, i int) {
		res, err := s.Query(b.Context(), spec, lookup, []any{symbol(i * 31)}, Limits{})
		if err != nil || res.Rows.Len() != 1 {
			b.Fatalf("%d rows, %v", res.Rows.Len(), err)
		}
	}
	db, err := sql.Open("sqlite", "file:"+filepath.ToSlash(path)+"?mode=ro")
	if err != nil {
		b.Fatal(err)
	}
	defer db.Close()
	statement, err := db.Prepare(lookup)
	if err != nil {
		b.Fatal(err)
	}
	driver := func(b *testing.B, i int) {
		var id int64
		var symbolOf, name string
		var price float64
		if err := statement.QueryRowContext(b.Context(), symbol(i*31)).Scan(&id, &symbolOf, &name, &price); err != nil {
			b.Fatal(err)
		}
	}
	b.Run("alone", func(b *testing.B) {
		var mine, theirs time.Duration
		for i := range b.N {
			start := time.Now()
			ours(b, i)
			half := time.Now()
			driver(b, i)
			mine, theirs = mine+half.Sub(start), theirs+time.Since(half)
		}
		b.ReportMetric(float64(mine.Nanoseconds())/float64(b.N), "resource-ns")
		b.ReportMetric(float64(theirs.Nanoseconds())/float64(b.N), "driver-ns")
		b.ReportMetric(theirs.Seconds()/mine.Seconds(), "rate-x-driver")
	})
	for name, look := range map[string]func(*testing.B, int){"resource": ours, "driver": driver} {
		b.Run(name+"-parallel", func(b *testing.B) {
			b.RunParallel(func(pb *testing.PB) {
				for i := 0; pb.Next(); i++ {
					look(b, i)
				}
			})
		})
	}
}
