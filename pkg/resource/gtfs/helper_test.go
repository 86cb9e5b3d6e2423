package gtfs

import (
	"archive/zip"
	"bytes"
	"context"
	"database/sql"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	_ "modernc.org/sqlite" // asks and changes databases as another program would

	"github.com/flowmcp/fmcp/pkg/ordjson"
	"github.com/flowmcp/fmcp/scripts/gtfs/feed"
)

var buildTime = time.Date(2026, 5, 11, 9, 0, 0, 0, time.UTC)

// ostermoor are the files of scripts/gtfs, changed: "file.txt": content.
// Content "-" takes a file away, and "old => new" replaces a text in it.
func ostermoor(t testing.TB, changes ...string) map[string]string {
	t.Helper()
	files, err := feed.Files()
	if err != nil {
		t.Fatal(err)
	}
	for i := 0; i+1 < len(changes); i += 2 {
		name, content := changes[i], changes[i+1]
		old, with, replace := strings.Cut(content, " => ")
		switch {
		case content == "-":
			delete(files, name)
		case replace:
			if !strings.Contains(files[name], old) {
				t.Fatalf("%s has no %q", name, old)
			}
			files[name] = strings.Replace(files[name], old, with, 1)
		default:
			files[name] = content
		}
	}
	return files
}

// pack writes files as a zip archive.
func pack(t testing.TB, files map[string]string) []byte {
	t.Helper()
	var names []string
	for name := range files {
		names = append(names, name)
	}
	slices.Sort(names)
	var b bytes.Buffer
	z := zip.NewWriter(&b)
	for _, name := range names {
		w, err := z.Create(name)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := w.Write([]byte(files[name])); err != nil {
			t.Fatal(err)
		}
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// importZip imports an archive into out.db of a new folder.
func importZip(t testing.TB, archive []byte) (out string, rep *Report, err error) {
	t.Helper()
	dir := t.TempDir()
	name := filepath.Join(dir, "feed.zip")
	if err := os.WriteFile(name, archive, 0o666); err != nil {
		t.Fatal(err)
	}
	out = filepath.Join(dir, "out.db")
	rep, err = Import(t.Context(), Options{Feed: name, Out: out, Converter: "test@1.0.0", Now: buildTime})
	if entries, _ := os.ReadDir(dir); len(entries) > 2 || len(entries) == 2 && rep.Out == "" {
		t.Errorf("left behind: %v", entries)
	}
	return out, rep, err
}

// mustImport imports files that are a clean feed.
func mustImport(t testing.TB, files map[string]string) string {
	t.Helper()
	out, rep, err := importZip(t, pack(t, files))
	if err != nil {
		t.Fatal(err)
	}
	if rep.Out == "" {
		t.Fatalf("not clean:\n%s", rep.Text())
	}
	return out
}

// fileURI is the name of a file as the driver wants it.
func fileURI(name string) string {
	return "file:" + (&url.URL{Path: filepath.ToSlash(name)}).EscapedPath()
}

// database is a Queryer over the driver of database/sql.
type database struct{ db *sql.DB }

func open(t testing.TB, name string) database {
	t.Helper()
	db, err := sql.Open("sqlite", fileURI(name)+"?mode=ro")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = db.Close() })
	return database{db}
}

func (d database) Query(ctx context.Context, query string, args ...any) ([]ordjson.Value, error) {
	rows, err := d.db.QueryContext(ctx, query, args...)
	if err != nil {
		return nil, err
	}
	defer func() { _ = rows.Close() }()
	columns, err := rows.Columns()
	if err != nil {
		return nil, err
	}
	var list []ordjson.Value
	for rows.Next() {
		cells := make([]any, len(columns))
		for i := range cells {
			cells[i] = new(any)
		}
		if err := rows.Scan(cells...); err != nil {
			return nil, err
		}
		m := make([]ordjson.Member, len(columns))
		for i, c := range cells {
			m[i] = ordjson.Field(columns[i], valueOf(*c.(*any)))
		}
		list = append(list, ordjson.NewObject(m...))
	}
	return list, rows.Err()
}

func valueOf(v any) ordjson.Value {
	switch v := v.(type) {
	case nil:
		return ordjson.NewNull()
	case int64:
		return number64(v)
	case float64:
		return ordjson.NewNumber(v)
	}
	return ordjson.NewString(fmt.Sprint(v))
}
