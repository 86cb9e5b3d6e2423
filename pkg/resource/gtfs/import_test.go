package gtfs

import (
	"archive/zip"
	"bytes"
	"context"
	"errors"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/flowmcp/fmcp/pkg/ordjson"
	"github.com/flowmcp/fmcp/pkg/record"
	"github.com/flowmcp/fmcp/pkg/words"
	"github.com/flowmcp/fmcp/scripts/gtfs/feed"
)

func TestImportSeals(t *testing.T) {
	out := mustImport(t, ostermoor(t))
	rows, err := open(t, out).Query(t.Context(), "SELECT key, value FROM meta")
	if err != nil {
		t.Fatal(err)
	}
	got := map[string]string{}
	for _, r := range rows {
		got[r.Get("key").Str()] = r.Get("value").Str()
	}
	for key, want := range map[string]string{
		"qualitySeal":      `^sqlite-gtfs$`,
		"specRevision":     `^2026-04-27$`,
		"specUrl":          `^https://gtfs\.org/`,
		"converterVersion": `^test@1\.0\.0$`,
		"capabilities": `^\{"basicLookup":true,"routing":true,"departures":true,.*"shapesVisualization":true,` +
			`"flexService":true,.*"fares":false`,
		"validationReport": `^\{"errors":0,"warnings":0,"info":1,"codes":\{"GTF032":1\}\}$`,
		"buildDate":        `^2026-05-11T09:00:00Z$`,
		"rowCounts":        `"stops":11,.*"locations":1,"trips":14,"stop_times":44`,
		"sourceUrl":        `^file:feed\.zip$`,
		"sourceHash":       `^[0-9a-f]{64}$`,
	} {
		if !regexp.MustCompile(want).MatchString(got[key]) {
			t.Errorf("%s is %q, want %s", key, got[key], want)
		}
	}
	if len(got) != 10 {
		t.Errorf("%d keys: %v", len(got), got)
	}
	m, err := ReadMeta(t.Context(), open(t, out))
	if err != nil || len(m.Warnings) > 0 || !m.Capabilities[CapFlex] || m.Capabilities[CapFares] {
		t.Errorf("%+v, %v", m, err)
	}
}

// Equal feeds make equal bytes, and Ostermoor is packed to equal bytes.
func TestImportIsReproducible(t *testing.T) {
	var zips, dbs [2][]byte
	for i := range 2 {
		var b bytes.Buffer
		if err := feed.Pack(&b); err != nil {
			t.Fatal(err)
		}
		zips[i] = b.Bytes()
		out, _, err := importZip(t, zips[i])
		if err != nil {
			t.Fatal(err)
		}
		if dbs[i], err = os.ReadFile(out); err != nil {
			t.Fatal(err)
		}
	}
	if !bytes.Equal(zips[0], zips[1]) || !bytes.Equal(dbs[0], dbs[1]) {
		t.Errorf("equal archives: %v, equal databases: %v", bytes.Equal(zips[0], zips[1]), bytes.Equal(dbs[0], dbs[1]))
	}
}

// What feeds are allowed to look like.
func TestImportAccepts(t *testing.T) {
	for name, changes := range map[string][]string{
		"BOM and CRLF": {"agency.txt",
			"\xef\xbb\xbfagency_name,agency_url,agency_timezone\r\n\"A, \"\"B\"\"\n" +
				"C\",https://a.example,Europe/Berlin\r\n", "routes.txt", ",vbo, => ,,", "routes.txt", ",vbo, => ,,",
			"routes.txt", ",vbo, => ,,", "routes.txt", ",vbo, => ,,", "routes.txt", ",vbo, => ,,"},
		"spaces around": {"levels.txt", " level_id , level_index\n l0 , 0 \n"},
		"no calendar": {"calendar.txt", "-", "calendar_dates.txt",
			"service_id,date,exception_type\nworkday,20260511,1\nweekend,20260516,1\ndaily,20260511,1\n" +
				"festival,20260718,1\n"},
		"no calendar_dates": {"calendar_dates.txt", "-", "trips.txt", "t1,festival, => t1,daily,"},
		"no optional files": {"shapes.txt", "-", "frequencies.txt", "-", "transfers.txt", "-", "feed_info.txt",
			"-", "trips.txt", "0,t1-out,1 => 0,,1", "trips.txt", "1,t1-back,1 => 1,,1", "trips.txt",
			"0,t1-out,1 => 0,,1", "trips.txt", "0,t1-out,1 => 0,,1", "trips.txt", "0,t1-out,1 => 0,,1"},
		"column of somebody else": {"stops.txt", "stop_id,stop_code => stop_id,colour", "vendor.txt", "x\n1\n"},
		"empty optional file": {"pathways.txt",
			"pathway_id,from_stop_id,to_stop_id,pathway_mode,is_bidirectional\n"},
		"a last line without end": {"transfers.txt", "from_stop_id,to_stop_id,transfer_type\nhbf-1,hbf-2,0"},
		"blank lines":             {"transfers.txt", "from_stop_id,to_stop_id,transfer_type\n\nhbf-1,hbf-2,0\n\n"},
		"stop times in no order": {"stop_times.txt", "b7-0700,7:00:00,7:00:00,hbf-2,,,1,,,,,,,\n => ",
			"stop_times.txt", "b7-0700,7:20:00,7:20:00,deichweg,,,4,,,,,,,\n => b7-0700,7:20:00,7:20:00,deichweg,,,4," +
				",,,,,,\nb7-0700,7:00:00,7:00:00,hbf-2,,,1,,,,,,,\n"},
		"a departure only":         {"stop_times.txt", "b7-0700,7:06:00,7:07:00 => b7-0700,,7:07:00"},
		"a name with a line break": {"stops.txt", "Deichweg => \"Deich\nweg\""},
	} {
		t.Run(name, func(t *testing.T) { mustImport(t, ostermoor(t, changes...)) })
	}
}

// Values go into the tables as they are, and times in one form.
func TestImportValues(t *testing.T) {
	db := open(t, mustImport(t, ostermoor(t, "stop_times.txt", "b7-0700,7:06:00,7:07:00 => b7-0700,,7:07:00")))
	for _, row := range [][2]string{
		{"SELECT arrival_time, departure_time, pickup_type FROM stop_times WHERE trip_id = 'b7-0700' AND " +
			"stop_sequence = 2", `[{"arrival_time":"07:07:00","departure_time":"07:07:00","pickup_type":null}]`},
		{"SELECT departure_time, timepoint FROM stop_times WHERE trip_id = 't1-we-2' ORDER BY stop_sequence",
			`[{"departure_time":"14:00:00","timepoint":null},{"departure_time":"14:05:00","timepoint":0},` +
				`{"departure_time":"14:10:00","timepoint":0},{"departure_time":"14:15:00","timepoint":null}]`},
		{"SELECT stop_name, stop_lat FROM stops WHERE stop_id = 'muellerplatz'",
			`[{"stop_name":"Müllerplatz","stop_lat":53.8725}]`},
		{"SELECT rowid, stop_name FROM locations", `[{"rowid":1,"stop_name":"Ostermoorer Marsch"}]`},
		{"SELECT message FROM booking_rules", `[{"message":"Please call an hour ahead, and say how many you are."}]`},
		{"SELECT count(*) AS n FROM sqlite_master WHERE type = 'table' AND name IN ('pathways', 'levels', " +
			"'fare_attributes', 'stop_search_data')", `[{"n":4}]`},
	} {
		query, want := row[0], row[1]
		rows, err := db.Query(t.Context(), query)
		if err != nil {
			t.Fatal(err)
		}
		if got := ordjson.Text(ordjson.NewArray(rows...)); got != want {
			t.Errorf("%s\n got %s\nwant %s", query, got, want)
		}
	}
}

// Findings about a feed name file and line, and nothing is written.
func TestImportFindings(t *testing.T) {
	for _, row := range [][]string{
		{`stops.txt: error GTF010 the file is missing; a feed needs it`, "stops.txt", "-"},
		{`routes.txt: error GTF010 the file has no rows`, "routes.txt", "route_id,route_type\n"},
		{`trips.txt: error GTF010 the file is empty`, "trips.txt", ""},
		{`calendar.txt: error GTF010 found neither`, "calendar.txt", "-", "calendar_dates.txt", "-"},
		{`stops.txt:1: error GTF011 stop_id: the column is missing`, "stops.txt", "stop_id, => stop_ID,"},
		{`stops.txt:1: info GTF031 stop_ID: the column is not in the GTFS Schedule Reference and was left out (did ` +
			`you mean "stop_id"?)`, "stops.txt", "stop_id, => stop_ID,"},
		{`trips.txt:1: error GTF011 trip_id: the column is there twice`, "trips.txt", "trip_headsign => trip_id"},
		{`calendar.txt:3: error GTF012 found 11 values, expected 10 as in the header`, "calendar.txt",
			"weekend,0 => weekend,0,0"},
		{`calendar.txt:3: error GTF012 found 9 values, expected 10 as in the header; write a comma for each column, ` +
			`also after an empty value`, "calendar.txt", "weekend,0 => weekend"},
		{`stops.txt:4: error GTF012 the row cannot be read: bare "`, "stops.txt", "hbf-2,,Oster => hbf-2,,O\"ster"},
		{`stops.txt:11: error GTF013 stop_name: found bytes that are not UTF-8`, "stops.txt",
			"Deichweg => Deichw\xe4g"},
		{`stops.txt:1: error GTF013 the file is UTF-16`, "stops.txt", "\xff\xfes\x00"},
		{`trips.txt:8: error GTF020 service_id: the value is missing`, "trips.txt",
			"b7,workday,b7-1200 => b7,,b7-1200"},
		{`stops.txt:11: error GTF020 stop_lat: the value is missing, which stops`, "stops.txt",
			"Deichweg,53.8533 => Deichweg,"},
		{`routes.txt:2: error GTF020 route_short_name: a route needs`, "routes.txt", "1,Hauptbahnhof – Seebrücke => ,"},
		{`stops.txt:5: error GTF020 parent_station: the value is missing, which entrances`, "stops.txt",
			",2,hbf,,1 => ,2,,,1"},
		{`stop_times.txt:44: error GTF020 stop_id: the value is missing, and there is no`, "stop_times.txt",
			",southern, => ,,"},
		{`stop_times.txt:44: error GTF020 stop_id: the value is missing; only stops with`, "stop_times.txt",
			"rt-zone,,,,southern,,1,08:00:00,18:00:00 => rt-zone,8:00:00,,,southern,,1,,"},
		{`agency.txt:3: error GTF021 agency_timezone: found "Europe/Paris", expected "Europe/Be`, "agency.txt",
			"agency_id,agency_name,agency_url,agency_timezone\nvbo,A,https://a.example,Europe/Berlin\n" +
				"b,B,https://b.example,Europe/Paris\n"},
		{`agency.txt:2: error GTF021 agency_timezone: found "Mars/Ares"`, "agency.txt", "Europe/Berlin => Mars/Ares"},
		{`stop_times.txt:2: error GTF021 departure_time: found "6:60:00", expected a time`, "stop_times.txt",
			"6:00:00,6:00:00 => 6:00:00,6:60:00"},
		{`stop_times.txt:35: error GTF021 arrival_time: found "192:00:00"`, "stop_times.txt",
			"n9-2350,24:05:00 => n9-2350,192:00:00"},
		{`calendar.txt:2: error GTF021 start_date: found "20260231"`, "calendar.txt", "20260101 => 20260231"},
		{`calendar_dates.txt:2: error GTF021 exception_type: found "3", expected a whole number`, "calendar_dates.txt",
			"20261225,2 => 20261225,3"},
		{`calendar_dates.txt:2: error GTF021 exception_type: found "0", expected 1`, "calendar_dates.txt",
			"20261225,2 => 20261225,0"},
		{`frequencies.txt:2: error GTF021 headway_secs: found "0", expected 1 or more`, "frequencies.txt",
			"09:00:00,600 => 09:00:00,0"},
		{`stops.txt:2: error GTF021 stop_lat: found "91", expected a latitude`, "stops.txt", "53.8700 => 91"},
		{`stops.txt:2: error GTF021 stop_lon: found "NaN", expected a number`, "stops.txt", "9.4400 => NaN"},
		{`stops.txt:4: error GTF022 stop_id: found "hbf-1" again, which is in line 3`, "stops.txt",
			"hbf-2,, => hbf-1,,"},
		{`stop_times.txt:3: error GTF022 trip_id, stop_sequence: found "t1-out, 1" in 2 rows, the first in line 2`,
			"stop_times.txt", "muellerplatz,,,2 => muellerplatz,,,1"},
		{`stop_times.txt:2: error GTF023 trip_id: found "t9-out", which is not in trips.txt`, "stop_times.txt",
			"t1-out, => t9-out,"},
		{`stop_times.txt:2: error GTF023 stop_id: found "hbf-9", which is not in stops.txt`, "stop_times.txt",
			"hbf-1 => hbf-9"},
		{`trips.txt:2: error GTF023 service_id: found "sunday", which is not in calendar.txt or`, "trips.txt",
			"t1,workday => t1,sunday"},
		{`trips.txt:2: error GTF023 route_id: found "t9", which is not in routes.txt`, "trips.txt",
			"t1,workday => t9,workday"},
		{`stop_times.txt:45: error GTF023 location_id: found "sea", which is not in locations.g`, "stop_times.txt",
			",marsh, => ,sea,"},
		{`stops.txt:3: error GTF023 parent_station: found "bhf", which is not in stops.txt`, "stops.txt",
			"0,hbf,1,1 => 0,bhf,1,1"},
		{`stop_times.txt:21: error GTF024 arrival_time: the trip arrives at 07:06:00, ` +
			`before it left the stop before at 07:10:00`, "stop_times.txt", "7:00:00,7:00:00 => 7:00:00,7:10:00"},
		{`stop_times.txt:21: error GTF024 arrival_time: the trip departs at 07:01:00, before it`, "stop_times.txt",
			"7:06:00,7:07:00 => 7:06:00,7:01:00"},
		{`stop_times.txt:20: error GTF024 arrival_time: the first stop of a trip needs a time`, "stop_times.txt",
			"7:00:00,7:00:00 => ,"},
		{`trips.txt:7: error GTF024 trip_id: the last stop of trip "b7-0700" needs a time`, "stop_times.txt",
			"7:20:00,7:20:00 => ,"},
		{`stop_times.txt:44: error GTF024 arrival_time: found a time beside a pickup window`, "stop_times.txt",
			"rt-zone,,, => rt-zone,8:00:00,,"},
		{`frequencies.txt:2: error GTF024 end_time: found "06:00:00", which is not after`, "frequencies.txt",
			"06:00:00,09:00:00 => 06:00:00,06:00:00"},
		{`frequencies.txt:3: error GTF024 start_time: found "08:59:00", but line 2 has trip "t1-out" run until`,
			"frequencies.txt", "09:00:00,20:00:00 => 08:59:00,20:00:00"},
		{`calendar.txt:2: error GTF025 end_date: found "20251231", which is before start_date`, "calendar.txt",
			"20271231 => 20251231"},
		{`stops.txt:3: error GTF026 parent_station: found "muellerplatz", which has location_ty`, "stops.txt",
			"0,hbf,1,1 => 0,muellerplatz,1,1"},
		{`stops.txt:2: error GTF026 parent_station: found "hbf-1", expected none`, "stops.txt", "1,,,1 => 1,hbf-1,,1"},
		{`stop_times.txt:2: error GTF026 stop_id: found "hbf", which has location_type 1`, "stop_times.txt",
			",hbf-1, => ,hbf,"},
		{`stops.txt:1: error GTF012 found one column "stop_id;stop_name", expected names with commas`, "stops.txt",
			"stop_id;stop_name\na;A\n"},
		{`locations.geojson: error GTF012 the file is not JSON`, "locations.geojson", "{"},
		{`locations.geojson: error GTF012 expected a FeatureCollection`, "locations.geojson", "{}"},
		{`locations.geojson: error GTF021 the geometry of "marsh" is "Point"`, "locations.geojson",
			`"Polygon" => "Point"`},
	} {
		want, changes := row[0], row[1:]
		out, rep, err := importZip(t, pack(t, ostermoor(t, changes...)))
		if err != nil {
			t.Errorf("%s: %v", want, err)
			continue
		}
		if rep.Clean() && !strings.Contains(want, "info") || rep.Out != "" ||
			!strings.Contains("\n"+rep.Text(), "\n"+want) {
			t.Errorf("want %s, got:\n%s", want, rep.Text())
		}
		if _, err := os.Stat(out); !errors.Is(err, os.ErrNotExist) {
			t.Errorf("%s: a database was written", want)
		}
	}
}

// What refers to a file that is not there, or cannot be read, is broken for that
// reason alone, and is not said of each row.
func TestImportSaysOnce(t *testing.T) {
	for want, changes := range map[string][]string{
		"stops.txt: error GTF010 the file is missing": {"stops.txt", "-"},
		"stops.txt:1: error GTF012 found one column":  {"stops.txt", "stop_id;stop_name\na;A\n"},
		"calendar.txt: error GTF010 found neither":    {"calendar.txt", "-", "calendar_dates.txt", "-"},
		"calendar_dates.txt:1: error GTF013 the file is UTF-16": {
			"calendar.txt", "-", "calendar_dates.txt", "\xff\xfes\x00",
		},
		"shapes.txt:1: error GTF011 shape_id": {"shapes.txt", "shape_id => shape"},
	} {
		_, rep, err := importZip(t, pack(t, ostermoor(t, changes...)))
		if err != nil {
			t.Fatal(err)
		}
		if text := rep.Text(); !strings.Contains(text, want) || strings.Contains(text, "GTF023") {
			t.Errorf("want %s and no broken reference, got:\n%s", want, text)
		}
	}
	// An optional file that is not there is what is wrong with its references.
	_, rep, err := importZip(t, pack(t, ostermoor(t, "shapes.txt", "-")))
	if err != nil || !strings.Contains(rep.Text(), "GTF023 shape_id") {
		t.Errorf("%v:\n%s", err, rep.Text())
	}
}

// A time that is missing is told once, and one that is none is not missing; the
// first row of a trip in the file need not be its first stop.
func TestImportTellsOfATimeOnce(t *testing.T) {
	const head = "trip_id,arrival_time,departure_time,stop_id,stop_sequence\n"
	const three = "GTF024 in 2, GTF024 in 3, GTF024 in 4"
	for rows, want := range map[string]string{
		"t,,,a,1\nt,7:10:00,7:10:00,b,2\nt,7:20:00,7:20:00,a,3\n":                        "GTF024 in 2",
		"t,,,a,1\nt,7:10:00,7:05:00,b,2\nt,,,a,3\n":                                      three,
		"t,7:60:00,7:60:00,a,1\nt,7:10:00,7:10:00,b,2\n":                                 "GTF021 in 2, GTF021 in 2",
		"t,,,b,2\nt,7:00:00,7:00:00,a,1\nt,7:20:00,7:20:00,a,3\n":                        "",
		"t,,,b,2\nt,,,a,1\nt,7:20:00,7:20:00,a,3\n":                                      "GTF024 in 3",
		"t,7:00:00,7:00:00,a,1\nt,6:00:00,6:00:00,b,2\nt,,,a,3\nt,8:00:00,8:00:00,b,4\n": "GTF024 in 3",
	} {
		_, rep, err := importZip(t, pack(t, map[string]string{
			"agency.txt":         "agency_name,agency_url,agency_timezone\nA,https://a.example,Europe/Berlin\n",
			"stops.txt":          "stop_id,stop_name,stop_lat,stop_lon\na,A,53,9\nb,B,53,9\n",
			"routes.txt":         "route_id,route_short_name,route_type\nr,1,3\n",
			"trips.txt":          "route_id,service_id,trip_id\nr,s,t\n",
			"calendar_dates.txt": "service_id,date,exception_type\ns,20261025,1\n",
			"stop_times.txt":     head + rows,
		}))
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, f := range rep.Findings {
			if f.Severity == record.SeverityError {
				got = append(got, f.Code+" in "+strconv.Itoa(f.Line))
			}
		}
		if got := strings.Join(got, ", "); got != want {
			t.Errorf("%q: %s, want %s", rows, got, want)
		}
	}
}

// Warnings and notes do not stop a conversion; many alike are counted.
func TestImportNotes(t *testing.T) {
	trips := strings.Repeat("b7,workday,unused-%,Deichweg,0,,1\n", MaxFindings+5)
	for i := range MaxFindings + 5 {
		trips = strings.Replace(trips, "%", string(rune('a'+i)), 1)
	}
	_, rep, err := importZip(t, pack(t,
		ostermoor(t, "trips.txt", "b7,workday,b7-0700 => "+trips+"b7,workday,b7-0700", "notes\x1b[31m.txt", "x\n",
			"routes.txt", "Hauptbahnhof – Seebrücke,0 => Hauptbahnhof – Seebrücke,9")))
	if err != nil || rep.Out == "" {
		t.Fatalf("%v, %s", err, rep.Text())
	}
	for _, want := range []string{
		`"notes\x1b[31m.txt": info GTF031 the file is not in`,
		`trips.txt:7: warning GTF030 trip_id: trip "unused-a" has 0 stops`,
		`routes.txt:2: warning GTF033 route_type: found 9, expected 0 to 7, 11 or 12`,
		"… and 5 more of GTF030", "out.db is sealed, ",
	} {
		if !strings.Contains(rep.Text(), want) {
			t.Errorf("no %q in:\n%s", want, rep.Text())
		}
	}
}

// Archives that were cut, made to deceive, or are none.
func TestImportArchives(t *testing.T) {
	good := pack(t, ostermoor(t))
	with := func(header zip.FileHeader, content string) []byte {
		var b bytes.Buffer
		z := zip.NewWriter(&b)
		for range 1 + strings.Count(header.Comment, "twice") {
			h := header
			w, err := z.CreateHeader(&h)
			if err != nil {
				t.Fatal(err)
			}
			if _, err := w.Write([]byte(content)); err != nil {
				t.Fatal(err)
			}
		}
		if err := z.Close(); err != nil {
			t.Fatal(err)
		}
		return b.Bytes()
	}
	link := zip.FileHeader{Name: "stops.txt"}
	link.SetMode(os.ModeSymlink | 0o777)
	stored := with(zip.FileHeader{Name: "agency.txt", Method: zip.Store},
		"agency_name,agency_url,agency_timezone\nA,https://a.example,Europe/Berlin\n")
	for name, tt := range map[string]struct {
		archive []byte
		want    string
	}{
		"no archive": {[]byte("<html>404</html>"), "GTF001 .* is not a zip archive"},
		"empty":      {nil, "GTF001 "},
		"cut":        {good[:len(good)/2], "GTF001 "},
		"leads out": {with(zip.FileHeader{Name: "../stops.txt"}, "x"),
			`GTF002 the archive has the name "../stops.txt", which leads out`},
		"absolute":  {with(zip.FileHeader{Name: "/etc/passwd"}, "x"), "GTF002 .*leads out"},
		"backslash": {with(zip.FileHeader{Name: `..\stops.txt`}, "x"), "GTF002 .*leads out"},
		"in a folder": {with(zip.FileHeader{Name: "feed/stops.txt"}, "x"),
			`GTF002 stops.txt is in the folder "feed"`},
		"twice": {with(zip.FileHeader{Name: "stops.txt", Comment: "twice"}, "x"),
			"GTF002 stops.txt is in the archive twice"},
		"encrypted": {with(zip.FileHeader{Name: "stops.txt", Flags: 1}, "x"), "GTF002 stops.txt is encrypted"},
		"a link":    {with(link, "/etc/passwd"), "GTF002 stops.txt is not a regular file"},
		"changed bytes": {bytes.Replace(stored, []byte("Berlin"), []byte("Madrid"), 1),
			"GTF004 agency.txt cannot be unpacked"},
		"open quote": {
			pack(t, ostermoor(t, "agency.txt",
				"agency_name,agency_url,agency_timezone\n\""+strings.Repeat("x\n", 1<<20))),
			"GTF003 agency.txt, line 2 or after",
		},
	} {
		_, rep, err := importZip(t, tt.archive)
		var e *words.Problem
		if !errors.As(err, &e) || !regexp.MustCompile(tt.want).MatchString(err.Error()) {
			t.Errorf("%s: %v, %s; want %s", name, err, rep.Text(), tt.want)
		}
	}
}

// A feed that is larger unpacked than allowed is refused before it is read.
func TestImportTooLarge(t *testing.T) {
	dir := t.TempDir()
	name := filepath.Join(dir, "feed.zip")
	if err := os.WriteFile(name, pack(t, ostermoor(t, "notes.txt", strings.Repeat("0", 1<<20))), 0o666); err != nil {
		t.Fatal(err)
	}
	_, err := Import(t.Context(), Options{Feed: name, Out: filepath.Join(dir, "out.db"), MaxUnpacked: 1 << 20})
	if err == nil || !strings.Contains(err.Error(), "GTF003") {
		t.Errorf("%v", err)
	}
}

// The name of a database may hold what means something in a URI.
func TestImportNames(t *testing.T) {
	dir := t.TempDir()
	feed := filepath.Join(dir, "feed.zip")
	if err := os.WriteFile(feed, pack(t, ostermoor(t)), 0o666); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"what?mode=memory.db", "a #1 %41.db", "Straße.db"} {
		out := filepath.Join(dir, name)
		rep, err := Import(t.Context(), Options{Feed: feed, Out: out, Converter: "test@1.0.0", Now: buildTime})
		if err != nil || rep.Out != out {
			t.Errorf("%s: %v", name, err)
			continue
		}
		sealed(t, out)
	}
	if entries, _ := os.ReadDir(dir); len(entries) != 4 {
		t.Errorf("left behind: %v", entries)
	}
}

// A database that is there stays until a whole one takes its place.
func TestImportReplaces(t *testing.T) {
	dir := t.TempDir()
	out, name := filepath.Join(dir, "out.db"), filepath.Join(dir, "feed.zip")
	write := func(name string, data []byte) {
		if err := os.WriteFile(name, data, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	write(out, []byte("before"))
	write(name, pack(t, ostermoor(t)))
	run := func(ctx context.Context, force bool) error {
		_, err := Import(ctx, Options{Feed: name, Out: out, Force: force, Converter: "test@1.0.0", Now: buildTime})
		return err
	}
	stays := func(what string) {
		if b, err := os.ReadFile(out); err != nil || string(b) != "before" {
			t.Errorf("%s: the database has changed: %d bytes, %v", what, len(b), err)
		}
		if entries, _ := os.ReadDir(dir); len(entries) != 2 {
			t.Errorf("%s: left behind %v", what, entries)
		}
	}
	if err := run(t.Context(), false); err == nil || !strings.Contains(err.Error(), CodeExists) {
		t.Errorf("%v", err)
	}
	stays("without --force")
	stopped, cancel := context.WithCancelCause(t.Context())
	cancel(errors.New("stopped"))
	if err := run(stopped, true); err == nil {
		t.Error("a cancelled import succeeded")
	}
	stays("cancelled")
	write(name, pack(t, ostermoor(t, "stops.txt", "53.8700 => 91")))
	if err := run(t.Context(), true); err != nil {
		t.Error(err)
	}
	stays("not clean")
	write(name, pack(t, ostermoor(t)))
	// What SQLite would play back into the new database is another's.
	for _, suffix := range []string{"-wal", "-journal"} {
		write(out+suffix, []byte("x"))
		if err := run(t.Context(), true); err == nil || !strings.Contains(err.Error(), CodeExists) ||
			!strings.Contains(err.Error(), "out.db"+suffix+" is left of another database") {
			t.Errorf("%v", err)
		}
		if err := os.Remove(out + suffix); err != nil {
			t.Fatal(err)
		}
		stays(suffix)
	}
	if err := run(t.Context(), true); err != nil {
		t.Error(err)
	}
	if _, err := ReadMeta(t.Context(), open(t, out)); err != nil {
		t.Error(err)
	}
}

// A database never takes the place of its feed, whatever its name; and a name
// that no file can have is not one that is there.
func TestImportNamesOut(t *testing.T) {
	dir := t.TempDir()
	name := filepath.Join(dir, "feed.zip")
	if err := os.WriteFile(name, pack(t, ostermoor(t)), 0o600); err != nil {
		t.Fatal(err)
	}
	feed, _ := os.ReadFile(name)
	_, err := Import(t.Context(), Options{Feed: name, Out: dir + "/./feed.zip", Force: true, Converter: "test@1.0.0",
		Now: buildTime})
	if again, _ := os.ReadFile(name); err == nil || !strings.Contains(err.Error(), "is the feed itself") ||
		string(again) != string(feed) {
		t.Errorf("the feed was written over: %v", err)
	}
	_, err = Import(t.Context(), Options{Feed: name, Out: filepath.Join(dir, strings.Repeat("a", 300)+".db"),
		Converter: "test@1.0.0", Now: buildTime})
	if err == nil || !strings.Contains(err.Error(), CodeNotWritten) {
		t.Errorf("a name that is too long: %v", err)
	}
}
