package gtfs

import (
	"database/sql"
	"errors"
	"flag"
	"fmt"
	"os"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/flowmcp/fmcp/pkg/ordjson"
	"github.com/flowmcp/fmcp/pkg/resource/gtfs/tools"
	"github.com/flowmcp/fmcp/pkg/words"
	"github.com/flowmcp/fmcp/pkg/zod"
)

var update = flag.Bool("update", false, "write testdata/answers.txt again")

// sealed opens a sealed database; its clock is at a Monday noon in Ostermoor.
func sealed(t testing.TB, name string) *DB {
	t.Helper()
	d, err := Open(t.Context(), open(t, name))
	if err != nil {
		t.Fatal(err)
	}
	d.Now = func() time.Time { return time.Date(2026, 5, 11, 10, 0, 30, 0, time.UTC) }
	return d
}

// ask calls a tool as it is called from outside: its parameters are checked and
// completed by their z-blocks.
func ask(t testing.TB, d *DB, tool, params string) (ordjson.Value, error) {
	t.Helper()
	given, err := ordjson.Parse(params)
	if err != nil {
		t.Fatalf("%s: %v", params, err)
	}
	def, ok := tools.Find(tool)
	if !ok {
		t.Fatalf("no tool %s", tool)
	}
	var fields []zod.Field
	for _, p := range def.Params {
		z, problems := zod.Parse(p.Primitive, p.Options)
		if len(problems) > 0 {
			t.Fatalf("%s.%s: %+v", tool, p.Key, problems)
		}
		fields = append(fields, zod.Field{Key: p.Key, Source: p.Source, Z: z})
	}
	values, issues := zod.CheckInput(fields, given)
	if len(issues) > 0 {
		t.Fatalf("%s %s: %+v", tool, params, issues)
	}
	var m []ordjson.Member
	for k, v := range values {
		m = append(m, ordjson.Field(k, v))
	}
	rows, cut, err := d.Call(t.Context(), tool, ordjson.NewObject(m...))
	if len(cut) > 0 {
		t.Errorf("%s: %q", tool, cut)
	}
	return rows, err
}

const answersFile = "testdata/answers.txt"

// Every line "tool {params}" of the golden file is asked of Ostermoor; below it
// stands the answer.
func TestAnswers(t *testing.T) {
	golden, err := os.ReadFile(answersFile)
	if err != nil {
		t.Fatal(err)
	}
	out := mustImport(t, ostermoor(t))
	got := answered(t, sealed(t, out), string(golden))
	if *update {
		if err := os.WriteFile(answersFile, []byte(got), 0o666); err != nil {
			t.Fatal(err)
		}
	} else if got != string(golden) {
		t.Errorf("the answers differ from %s (rewrite with -update and look at the difference):\n%s", answersFile, got)
	}

	// A database as another add-on may make it, without our index for searches,
	// columns that no row has a value in, and leading zeros, answers the same.
	change(t, out,
		"DROP TABLE stop_search", "DROP INDEX stop_times_by_stop", "DROP INDEX stops_by_place",
		"DROP INDEX stops_by_parent",
		"DROP TABLE pathways", "DROP TABLE fare_attributes", "ALTER TABLE stops DROP COLUMN stop_timezone",
		"ALTER TABLE stops DROP COLUMN stop_desc",
		"ALTER TABLE stop_times DROP COLUMN stop_headsign", "ALTER TABLE routes DROP COLUMN route_sort_order",
		"UPDATE stop_times SET departure_time = ltrim(departure_time, '0'), arrival_time = ltrim(arrival_time, '0')",
		`UPDATE meta SET value = '{"basicLookup":true,"routing":true,"shapesVisualization":true,"flexService":true}' `+
			`WHERE key = 'capabilities'`)
	if got := answered(t, sealed(t, out), string(golden)); got != string(golden) {
		t.Errorf("the database of another add-on answers otherwise:\n%s", got)
	}
}

// change writes to a sealed database.
func change(t *testing.T, name string, statements ...string) {
	t.Helper()
	db, err := sql.Open("sqlite", fileURI(name))
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = db.Close() }()
	for _, s := range statements {
		if _, err := db.Exec(s); err != nil {
			t.Fatalf("%s: %v", s, err)
		}
	}
}

// answered asks the questions of the golden file.
func answered(t *testing.T, d *DB, golden string) string {
	t.Helper()
	var b strings.Builder
	asked := map[string]bool{}
	for line := range strings.Lines(golden) {
		if strings.HasPrefix(line, "#") || line == "\n" {
			b.WriteString(line)
		}
		tool, params, ok := strings.Cut(strings.TrimSuffix(line, "\n"), " {")
		if _, is := tools.Find(tool); !ok || !is {
			continue
		}
		asked[tool] = true
		b.WriteString(line)
		rows, err := ask(t, d, tool, "{"+params)
		if err != nil {
			b.WriteString("    " + err.Error() + "\n")
		}
		if err == nil && rows.Len() == 0 {
			b.WriteString("    nothing\n")
		}
		for _, r := range rows.Elems() {
			b.WriteString("    " + ordjson.Text(r) + "\n")
		}
	}
	for _, tool := range tools.All {
		if !asked[tool.Name] {
			t.Errorf("%s does not ask %s", answersFile, tool.Name)
		}
	}
	return b.String()
}

// What is not a sealed database is refused, and says why (RES032 to RES034).
func TestSeal(t *testing.T) {
	for _, row := range [][2]string{
		{`RES032 the database has no table meta`, "DROP TABLE meta"},
		{`RES032 meta.qualitySeal is "", expected "sqlite-gtfs"`,
			"UPDATE meta SET value = NULL WHERE key = 'qualitySeal'"},
		{`RES032 meta.qualitySeal is "sqlite-netex"`,
			"UPDATE meta SET value = 'sqlite-netex' WHERE key = 'qualitySeal'"},
		{`RES032 the table meta has no buildDate, one of the ten keys of a sealed datab`,
			"DELETE FROM meta WHERE key = 'buildDate'"},
		{`RES032 the table meta has no rowCounts, one of the ten keys of a sealed database (did you mean "rowCount"?)`,
			"UPDATE meta SET key = 'rowCount' WHERE key = 'rowCounts'"},
		{`RES032 the table meta cannot be read as key and value`, "ALTER TABLE meta RENAME COLUMN value TO val"},
		{`RES032 meta.capabilities is "all", expected a JSON object`,
			"UPDATE meta SET value = 'all' WHERE key = 'capabilities'"},
		{`RES033 the table agency cannot be read`, "DROP TABLE agency"},
		{`RES033 agency_timezone is "Mars/Ares"`, "UPDATE agency SET agency_timezone = 'Mars/Ares'"},
	} {
		want, statement := row[0], row[1]
		out := mustImport(t, ostermoor(t))
		change(t, out, statement)
		_, err := Open(t.Context(), open(t, out))
		var e *words.Problem
		if !errors.As(err, &e) || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("%s: %v, want %s", statement, err, want)
		}
	}
	out := mustImport(t, ostermoor(t))
	change(t, out, "UPDATE meta SET value = '2099-01-01' WHERE key = 'specRevision'")
	if d := sealed(t, out); len(d.Meta.Warnings) != 1 ||
		!strings.HasPrefix(d.Meta.Warnings[0], "RES034 meta.specRevision is \"2099-01-01\"") {
		t.Errorf("%q", d.Meta.Warnings)
	}
}

// Where the clock is put back an hour is there twice: now is now, and not an
// hour ago, and a day lasts to its end.
func TestDeparturesWhereTheClockIsPutBack(t *testing.T) {
	d := sealed(t, mustImport(t, map[string]string{
		"agency.txt":         "agency_name,agency_url,agency_timezone\nA,https://a.example,Europe/Berlin\n",
		"stops.txt":          "stop_id,stop_name,stop_lat,stop_lon\na,A,53,9\nb,B,53,9\n",
		"routes.txt":         "route_id,route_short_name,route_type\nr,1,3\n",
		"trips.txt":          "route_id,service_id,trip_id\nr,s,t\n",
		"calendar_dates.txt": "service_id,date,exception_type\ns,20261025,1\n",
		"stop_times.txt": "trip_id,arrival_time,departure_time,stop_id,stop_sequence\nt,1:10:00,1:10:00,a,0\n" +
			"t,2:10:00,2:10:00,a,1\nt,23:30:00,23:30:00,b,2\nt,24:30:00,24:30:00,a,3\n",
	}))
	// 02:05 twice; the timetable's 1:10 and 2:10 are 02:10 of the first hour and of the second
	for now, want := range map[string]string{
		"2026-10-25T00:05:00Z": "2026-10-25T02:10:00+02:00", "2026-10-25T01:05:00Z": "2026-10-25T02:10:00+01:00",
	} {
		d.Now = func() time.Time { at, _ := time.Parse(time.RFC3339, now); return at }
		rows, err := ask(t, d, "getDepartures", `{"stop":"a","minutes":30}`)
		if err != nil || rows.Len() != 1 || rows.Index(0).Get("departure").Str() != want {
			t.Errorf("at %s: %s, %v; want %s", now, ordjson.Text(rows), err, want)
		}
	}
	for params, want := range map[string]int{
		`{"stop":"a","date":"2026-10-25","time":"02:05","minutes":10}`: 2, // 02:10 and, an hour on, 02:10
		`{"stop":"a","date":"2026-10-25","time":"02:11","minutes":10}`: 0,
		`{"stop":"a","date":"2026-10-25","time":"02:05","minutes":90}`: 2, // each once
		`{"stop":"a","date":"2026-10-25","time":"01:59","minutes":30}`: 1,
		`{"stop":"a","date":"2026-10-25","time":"03:00","minutes":30}`: 0,
		`{"stop":"b","date":"2026-10-25"}`:                             1, `{"stop":"b","date":"2026-10-24"}`: 0,
		`{"stop":"b","date":"2026-10-25","minutes":1440}`: 0,
	} {
		rows, err := ask(t, d, "getDepartures", params)
		if err != nil || rows.Len() != want {
			t.Errorf("%s: %s, %v; want %d", params, ordjson.Text(rows), err, want)
		}
	}
}

// A tool that the capabilities do not allow is refused.
func TestCapabilities(t *testing.T) {
	files := ostermoor(t, "shapes.txt", "-", "booking_rules.txt", "-", "location_groups.txt", "-",
		"location_group_stops.txt", "-", "locations.geojson", "-")
	files["trips.txt"] = "route_id,service_id,trip_id\nb7,workday,b7-0700\n"
	files["stop_times.txt"] = "trip_id,arrival_time,departure_time,stop_id,stop_sequence\n" +
		"b7-0700,7:00:00,7:00:00,hbf-2,1\nb7-0700,7:20:00,7:20:00,deichweg,2\n"
	delete(files, "frequencies.txt")
	d := sealed(t, mustImport(t, files))
	for _, tool := range tools.All {
		want := tool.Name != tools.GetShapeForRoute && tool.Name != tools.GetFlexBookingRules
		if d.Can(tool.Name) != want {
			t.Errorf("%s: %v", tool.Name, !want)
		}
	}
	if _, err := ask(t, d, tools.GetShapeForRoute, `{"route":"b7"}`); err == nil ||
		!strings.HasPrefix(err.Error(),
			"GTF052 this timetable has no shapesVisualization, its capabilities are basicLookup, routing, departures") {
		t.Errorf("%v", err)
	}
	d.Meta.Capabilities = nil
	if _, err := ask(t, d, tools.GetShapeForRoute, `{"route":"b7"}`); err == nil || !strings.HasPrefix(err.Error(),
		"GTF052 this timetable has no shapesVisualization, and no other capability: convert the feed again") {
		t.Errorf("%v", err)
	}
	if _, _, err := d.Call(t.Context(), "getWeather", ordjson.NewObject()); err == nil || d.Can("getWeather") {
		t.Error("a tool that is not there answers")
	}
}

// Every row is what its tool's output schema describes.
func TestOutputs(t *testing.T) {
	golden, err := os.ReadFile(answersFile)
	if err != nil {
		t.Fatal(err)
	}
	var properties ordjson.Value
	for line := range strings.Lines(string(golden)) {
		name, _, _ := strings.Cut(line, " ")
		if tool, ok := tools.Find(name); ok {
			properties = tool.Output().Get("schema").Get("items").Get("properties")
		}
		if row, err := ordjson.Parse(strings.TrimSpace(line)); err == nil {
			for _, m := range row.Members() {
				if want := properties.Get(m.Key).Get("type").Str(); m.Value.Kind().String() != want && want != "array" {
					t.Errorf("%s is %s, described as %q: %s", m.Key, m.Value.Kind(), want, line)
				}
			}
		}
	}
}

// docs/gtfs.md has a row for each tool, with its parameters and what it needs.
func TestDocs(t *testing.T) {
	page, err := os.ReadFile("../../../docs/gtfs.md")
	if err != nil {
		t.Fatal(err)
	}
	notes := regexp.MustCompile(` \([^)]*\)`)
	for _, tool := range tools.All {
		var keys []string
		for _, p := range tool.Params {
			keys = append(keys, "`"+p.Key+"`")
		}
		row := "| `" + tool.Name + "` | " + strings.Join(keys, ", ") + " | `" + tool.Capability + "` |"
		if !strings.Contains(notes.ReplaceAllString(string(page), ""), row) {
			t.Errorf("docs/gtfs.md has no row %s", row)
		}
	}
}

// What is left out of the lists inside a row is said.
func TestCutInside(t *testing.T) {
	files := ostermoor(t)
	for i := range 51 {
		files["trips.txt"] += fmt.Sprintf("t1,workday,cut-%d,Terminus %d,0,t1-out,1\n", i, i)
	}
	d := sealed(t, mustImport(t, files))
	for route, want := range map[string]string{
		"t1": "there are more than 50 directions and headsigns of the route, the rest is left out", "n9": "",
	} {
		rows, cut, err := d.Call(t.Context(), tools.GetRoute,
			ordjson.NewObject(ordjson.Field("route", ordjson.NewString(route))))
		if n := rows.Index(0).Get("directions").Len(); err != nil || strings.Join(cut, "|") != want || n > 50 {
			t.Errorf("%s: %d directions, %q, %v; want %q", route, n, cut, err, want)
		}
	}
}
