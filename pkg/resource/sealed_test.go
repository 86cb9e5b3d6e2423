package resource

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/flowmcp/fmcp/pkg/catalog"
	"github.com/flowmcp/fmcp/pkg/model"
	"github.com/flowmcp/fmcp/pkg/ordjson"
	"github.com/flowmcp/fmcp/pkg/resource/gtfs"
	"github.com/flowmcp/fmcp/pkg/resource/origin"
	"github.com/flowmcp/fmcp/scripts/gtfs/feed"
)

// timetable is a store with the sealed database of Ostermoor, its resource, and
// the path of the database.
func timetable(t *testing.T) (*Store, *Spec, string) {
	t.Helper()
	dir := t.TempDir()
	var zipped bytes.Buffer
	if err := feed.Pack(&zipped); err != nil {
		t.Fatal(err)
	}
	name, path := filepath.Join(dir, "feed.zip"), filepath.Join(dir, ".flowmcp", "resources", "gtfs-ostermoor.db")
	if err := os.WriteFile(name, zipped.Bytes(), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if rep, err := gtfs.Import(t.Context(),
		gtfs.Options{Feed: name, Out: path, Converter: "test@1", Now: time.Unix(0, 0)}); err != nil || rep.Out == "" {
		t.Fatal(err, rep.Text())
	}
	s := &Store{Places: origin.Places{Project: dir}}
	t.Cleanup(s.Close)
	r := &catalog.Resource{ID: "ostermoor/resource/timetable", Source: model.SQLiteGTFS, Mode: model.FileBased,
		Path: "gtfs-ostermoor.db"}
	return s, &Spec{Resource: r}, path
}

func standard(t *testing.T, s *Store, spec *Spec, tool, params string) string {
	t.Helper()
	given, err := ordjson.Parse(params)
	if err != nil {
		t.Fatal(err)
	}
	res, err := s.Standard(t.Context(), spec, tool, given, 0)
	if err != nil {
		return err.Error()
	}
	return strings.Join(append([]string{ordjson.Text(res.Rows)}, res.Warnings...), "\n")
}

// All that the standard tools ask passes the guards of databases that are only
// read, also from many callers at once.
func TestStandard(t *testing.T) {
	s, spec, path := timetable(t)
	before, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	var wait sync.WaitGroup
	for tool, params := range map[string]string{
		"searchStops": `{"text":"muller"}`, "getStop": `{"stop":"hbf"}`,
		"nearbyStops": `{"lat":53.87,"lon":9.44,"radius":900}`, "searchRoutes": `{}`,
		"getRoute": `{"route":"t1"}`, "getTrips": `{"route":"t1","date":"2026-05-11"}`,
		"getDepartures":    `{"stop":"hbf","date":"2026-05-11"}`,
		"getShapeForRoute": `{"route":"t1"}`, "getFlexBookingRules": `{}`,
	} {
		for range 4 {
			wait.Go(func() {
				if got := standard(t, s, spec, tool, params); !strings.HasPrefix(got, `[{"`) {
					t.Errorf("%s: %s", tool, got)
				}
			})
		}
		if can, err := s.Can(spec, tool); err != nil || !can {
			t.Errorf("%s: %v, %v", tool, can, err)
		}
	}
	wait.Wait()
	for statement, want := range map[string]string{
		"SELECT count(*) AS n FROM trips": `[{"n":14}]`,
		"DELETE FROM meta":                "EXE072",
		"UPDATE stops SET stop_lat = 0":   "EXE072",
	} {
		if got := send(s, spec, statement); !strings.HasPrefix(got, want) {
			t.Errorf("%s: %s, want %s", statement, got, want)
		}
	}
	if got := standard(t, s, spec, "getStop", `{"stop":"x"}`); !strings.HasPrefix(got, "GTF050 there is no stop") {
		t.Error(got)
	}
	if after, err := os.ReadFile(path); err != nil || !bytes.Equal(before, after) {
		t.Errorf("the database has changed: %v", err)
	}
}

// What is not a sealed database answers nothing, by its own code; a new feed is
// served as soon as it is there.
func TestSealIsVerified(t *testing.T) {
	s, spec, path := timetable(t)
	ask := func(want string) {
		t.Helper()
		for _, got := range []string{standard(t, s, spec, "searchRoutes", `{"text":"nachtbus"}`),
			send(s, spec, "SELECT count(*) AS n FROM trips")} {
			if !strings.HasPrefix(got, want) {
				t.Errorf("%s, want %s", got, want)
			}
		}
		if _, err := s.Can(spec, "searchRoutes"); (err == nil) != (want == "[{") {
			t.Errorf("Can: %v, want %s", err, want)
		}
	}
	replace := func(statements ...string) {
		t.Helper()
		good, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path+".new", good, 0o600); err != nil {
			t.Fatal(err)
		}
		for _, text := range statements {
			writeDB(t, path+".new", text)
		}
		if err := os.Rename(path+".new", path); err != nil {
			t.Fatal(err)
		}
	}
	ask("[{")
	replace("UPDATE meta SET value = 'none' WHERE key = 'qualitySeal'")
	ask("RES032 meta.qualitySeal is \"none\", expected \"sqlite-gtfs\"")
	replace("UPDATE meta SET value = 'sqlite-gtfs' WHERE key = 'qualitySeal'")
	ask("[{")
	replace("UPDATE meta SET value = '2031-01-01' WHERE key = 'specRevision'")
	if got := standard(t, s, spec, "searchRoutes", `{"text":"nachtbus"}`); !strings.Contains(got,
		"\nRES034 meta.specRevision is \"2031-01-01\"") {
		t.Error(got)
	}
	if err := os.WriteFile(path, []byte("no database, but long enough to be looked at as if it were one"),
		0o600); err != nil {
		t.Fatal(err)
	}
	ask("RES033 ")
	if err := os.Remove(path); err != nil {
		t.Fatal(err)
	}
	ask("RES033 there is no file")
	if got := standard(t, s, specOf("in-memory"), "searchRoutes", "{}"); !strings.HasPrefix(got,
		"EXE072 tide/resource/log has source sqlite") {
		t.Error(got)
	}
}

// The databases of gtfs-sqlite-toolkit have no indexes: where one is too slow for
// that, it is said which it lacks.
func TestSlowForWantOfAnIndex(t *testing.T) {
	for _, drop := range []bool{false, true} {
		s, spec, path := timetable(t)
		if drop {
			writeDB(t, path, "DROP INDEX stop_times_by_stop")
		}
		db, err := s.sealed(t.Context(), spec, time.Minute)
		if err != nil {
			t.Fatal(err)
		}
		if err := db.slow(stopped(t.Context(), time.Second)); codeOf(err) != CodeSlow ||
			strings.Contains(err.Error(), "CREATE INDEX stop_times_by_stop") != drop {
			t.Errorf("without the index %v: %v", drop, err)
		}
		if err := db.slow(fail(CodeBusy, "busy")); err.Error() != CodeBusy+" busy" {
			t.Error(err)
		}
	}
}
