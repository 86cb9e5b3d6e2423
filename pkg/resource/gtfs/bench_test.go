package gtfs

import (
	"archive/zip"
	"database/sql"
	"encoding/csv"
	"errors"
	"flag"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/flowmcp/fmcp/scripts/gtfs/feed"
)

// go test ./pkg/resource/gtfs -run '^$' -bench Import -stop-times 10000000 -benchtime 1x
var stopTimes = flag.Int("stop-times", 100_000, "size of the feed that benchmarks import")

// generated writes a feed of that size.
func generated(b *testing.B) string {
	b.Helper()
	name := filepath.Join(b.TempDir(), "feed.zip")
	file, err := os.Create(name)
	if err != nil {
		b.Fatal(err)
	}
	if err := errors.Join(feed.Generate(file, *stopTimes), file.Close()); err != nil {
		b.Fatal(err)
	}
	return name
}

// report adds rows a second, and the peak memory of the process so far: run one
// benchmark at a time to attribute it.
func report(b *testing.B) {
	b.ReportMetric(float64(*stopTimes)*float64(b.N)/b.Elapsed().Seconds(), "rows/s")
	status, _ := os.ReadFile("/proc/self/status")
	if m := regexp.MustCompile(`VmHWM:\s+(\d+) kB`).FindSubmatch(status); m != nil {
		kb, _ := strconv.Atoi(string(m[1]))
		b.ReportMetric(float64(kb)/1024, "peak-MB")
	}
}

func BenchmarkImport(b *testing.B) {
	name := generated(b)
	for b.Loop() {
		rep, err := Import(b.Context(),
			Options{Feed: name, Out: filepath.Join(b.TempDir(), "out.db"), Converter: "bench@1", Now: buildTime})
		if err != nil || rep.Out == "" {
			b.Fatal(err, rep.Text())
		}
	}
	report(b)
}

// BenchmarkImportBare is the baseline: stop_times.txt alone goes into a table as
// text, without any check, and gets the same two indexes.
func BenchmarkImportBare(b *testing.B) {
	name := generated(b)
	for b.Loop() {
		if err := bare(name, filepath.Join(b.TempDir(), "out.db")); err != nil {
			b.Fatal(err)
		}
	}
	report(b)
}

func bare(name, out string) error {
	z, err := zip.OpenReader(name)
	if err != nil {
		return err
	}
	defer z.Close()
	file, err := z.Open("stop_times.txt")
	if err != nil {
		return err
	}
	in := csv.NewReader(file)
	in.ReuseRecord = true
	header, err := in.Read()
	if err != nil {
		return err
	}
	db, err := sql.Open("sqlite", fileURI(out))
	if err != nil {
		return err
	}
	defer db.Close()
	db.SetMaxOpenConns(1)
	columns := strings.Join(header, ", ")
	for _, s := range append(pragmas[:len(pragmas):len(pragmas)], "CREATE TABLE stop_times ("+columns+")") {
		if _, err := db.Exec(s); err != nil {
			return err
		}
	}
	insert, err := db.Prepare("INSERT INTO stop_times VALUES (?" + strings.Repeat(", ?", len(header)-1) + ")")
	if err != nil {
		return err
	}
	args := make([]any, len(header))
	for {
		record, err := in.Read()
		if errors.Is(err, io.EOF) {
			break
		} else if err != nil {
			return err
		}
		for i := range args {
			args[i] = record[i]
		}
		if _, err := insert.Exec(args...); err != nil {
			return err
		}
	}
	for _, s := range []string{"CREATE UNIQUE INDEX a ON stop_times (trip_id, stop_sequence)",
		"CREATE INDEX b ON stop_times (stop_id, departure_time)", "COMMIT"} {
		if _, err := db.Exec(s); err != nil {
			return err
		}
	}
	return nil
}
