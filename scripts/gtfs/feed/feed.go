// Package feed has GTFS feeds to try the import with: a small one of an
// invented town, and generated ones of any size.
package feed

import (
	"archive/zip"
	"bufio"
	"embed"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"slices"
	"strings"
	"time"
)

//go:embed ostermoor
var files embed.FS

// Files are the files of Ostermoor by name.
func Files() (map[string]string, error) {
	entries, err := fs.ReadDir(files, "ostermoor")
	if err != nil {
		return nil, err
	}
	all := map[string]string{}
	for _, e := range entries {
		data, err := files.ReadFile("ostermoor/" + e.Name())
		if err != nil {
			return nil, err
		}
		all[e.Name()] = string(data)
	}
	return all, nil
}

// modified is in every member, so that an archive is the same at any time.
var modified = time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)

// Pack writes Ostermoor as an archive. changes are pairs of a text and what is
// written in its place, for feeds with mistakes.
func Pack(w io.Writer, changes ...string) error {
	all, err := Files()
	if err != nil {
		return err
	}
	z := zip.NewWriter(w)
	change := strings.NewReplacer(changes...)
	for _, name := range slices.Sorted(maps.Keys(all)) {
		if err := member(z, name, func(b *bufio.Writer) { _, _ = change.WriteString(b, all[name]) }); err != nil {
			return err
		}
	}
	return z.Close()
}

// member writes one file of an archive.
func member(z *zip.Writer, name string, write func(*bufio.Writer)) error {
	m, err := z.CreateHeader(&zip.FileHeader{Name: name, Method: zip.Deflate, Modified: modified})
	if err != nil {
		return err
	}
	b := bufio.NewWriterSize(m, 64<<10)
	write(b)
	return b.Flush()
}

// The measure of generated feeds: like those of a country.
const (
	stopsPerTrip  = 25
	tripsPerRoute = 200
)

// Generate writes a feed with about n stop times: one stop for 200 of them, one
// service for 500 trips.
func Generate(w io.Writer, n int) error {
	trips := max(1, n/stopsPerTrip)
	routes, stops, services := trips/tripsPerRoute+1, max(stopsPerTrip*2, n/200), trips/500+1
	z := zip.NewWriter(w)
	for _, f := range []struct {
		name  string
		write func(*bufio.Writer)
	}{
		{"agency.txt", func(b *bufio.Writer) {
			fmt.Fprint(b,
				"agency_id,agency_name,agency_url,agency_timezone\n"+
					"a,Generated,https://generated.example,Europe/Berlin\n")
		}},
		{"stops.txt", func(b *bufio.Writer) { writeStops(b, stops) }},
		{"routes.txt", func(b *bufio.Writer) {
			fmt.Fprintln(b, "route_id,agency_id,route_short_name,route_type")
			for i := range routes {
				fmt.Fprintf(b, "route-%d,a,%d,3\n", i, i)
			}
		}},
		{"calendar.txt", func(b *bufio.Writer) {
			fmt.Fprintln(b, "service_id,monday,tuesday,wednesday,thursday,friday,saturday,sunday,start_date,end_date")
			for i := range services {
				fmt.Fprintf(b, "service-%d,1,1,1,1,1,%d,%d,20260101,20261231\n", i, i%2, i%3/2)
			}
		}},
		{"trips.txt", func(b *bufio.Writer) {
			fmt.Fprintln(b, "route_id,service_id,trip_id,trip_headsign,direction_id")
			for i := range trips {
				fmt.Fprintf(b, "route-%d,service-%d,trip-%d,Terminus %d,%d\n", i/tripsPerRoute, i%services, i,
					i%90, i%2)
			}
		}},
		{"stop_times.txt", func(b *bufio.Writer) { writeStopTimes(b, trips, stops) }},
	} {
		if err := member(z, f.name, f.write); err != nil {
			return err
		}
	}
	return z.Close()
}

func writeStops(b *bufio.Writer, stops int) {
	fmt.Fprintln(b, "stop_id,stop_name,stop_lat,stop_lon")
	for i := range stops {
		fmt.Fprintf(b, "stop-%d,Straße %d Nr. %d,%.5f,%.5f\n", i, i/9, i%9, 47+float64(i%3000)*0.0025,
			6+float64(i/3000)*0.01)
	}
}

func writeStopTimes(b *bufio.Writer, trips, stops int) {
	fmt.Fprintln(b, "trip_id,arrival_time,departure_time,stop_id,stop_sequence,pickup_type,drop_off_type")
	for i := range trips {
		start := 4*3600 + i*97%(21*3600)
		for j := range stopsPerTrip {
			at := start + j*90
			clock := fmt.Sprintf("%02d:%02d:%02d", at/3600, at/60%60, at%60)
			fmt.Fprintf(b, "trip-%d,%s,%s,stop-%d,%d,0,0\n", i, clock, clock, (i/tripsPerRoute*17+j)%stops, j)
		}
	}
}
