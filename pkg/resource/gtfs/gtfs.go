// Package gtfs makes sealed databases of GTFS feeds, checks their seal, and
// answers the standard questions about them: stops, routes, departures, shapes,
// booking rules (chapter 13, "SQLite-GTFS Resources"). It is the add-on to
// which the chapter leaves the definition of the standard tools.
//
// It does not open databases for reading: its caller passes a Queryer.
package gtfs

import (
	"context"
	"fmt"
	"sync"
	"time"
	_ "time/tzdata" // of machines that have none, such as small containers

	"github.com/flowmcp/fmcp/pkg/ordjson"
	"github.com/flowmcp/fmcp/pkg/words"
)

// Seal is meta.qualitySeal of a database that can be a sqlite-gtfs resource.
const Seal = "sqlite-gtfs"

// SpecRevision and SpecURL name the GTFS Schedule Reference that Import follows.
const (
	SpecRevision = "2026-04-27"
	SpecURL      = "https://gtfs.org/documentation/schedule/reference/"
)

// The codes of this package. Each is a rule row in pkg/rules.
const (
	CodeNotZip     = "GTF001" // the feed cannot be read as a zip archive
	CodeMember     = "GTF002" // a member that no feed should have: folder, twice, encrypted
	CodeTooLarge   = "GTF003" // more unpacked than is allowed
	CodeDamaged    = "GTF004" // a member cannot be unpacked
	CodeNoFile     = "GTF010" // a required file is missing or has no rows
	CodeNoColumn   = "GTF011" // a required column is missing, or one is there twice
	CodeBadRow     = "GTF012" // quotes, length of the row
	CodeNotUTF8    = "GTF013" // bytes that are not UTF-8
	CodeNoValue    = "GTF020" // a required value is empty
	CodeBadValue   = "GTF021" // a value that its type does not allow
	CodeTwice      = "GTF022" // a key that another row has
	CodeBroken     = "GTF023" // a reference to nothing
	CodeTripTimes  = "GTF024" // a trip that goes back in time, or has no start or end
	CodeCalendar   = "GTF025" // service that ends before it starts
	CodeStopPlace  = "GTF026" // a stop where none can be: parents, places
	CodeUnused     = "GTF030" // warning: trips that cannot be boarded
	CodeLeftOut    = "GTF031" // info: files and columns that are not in the reference
	CodeCompleted  = "GTF032" // info: times that were filled in
	CodeRouteType  = "GTF033" // warning: an unknown route type
	CodeExists     = "GTF040" // the database is there already
	CodeNotWritten = "GTF041" // the database cannot be written
	CodeNoRow      = "GTF050" // a call names a stop or route that is not there
	CodeBadCall    = "GTF051" // a call gives a date or time that is none
	CodeCannot     = "GTF052" // a tool that the database cannot answer

	CodeNoSeal   = "RES032" // the seal, or one of the ten keys, is missing
	CodeNotDB    = "RES033" // the database cannot be read
	CodeRevision = "RES034" // warning: made for another revision
)

// fail is a failure with its code; fix is what to do about it, "" where the
// message says it.
func fail(code, fix, format string, args ...any) *words.Problem {
	p := words.Problemf(code, format, args...)
	if fix != "" {
		p.Message += ": " + fix
	}
	return p
}

// Queryer is an open database that is only read. Query returns the rows of one
// SELECT as objects, whose keys are its columns. args are bound to its
// placeholders: nil, string, int or float64.
type Queryer interface {
	Query(ctx context.Context, query string, args ...any) ([]ordjson.Value, error)
}

var zones sync.Map // *time.Location by name

// loadZone is time.LoadLocation for names of the time zone database only.
func loadZone(name string) (*time.Location, error) {
	if z, ok := zones.Load(name); ok {
		return z.(*time.Location), nil
	}
	if name == "" || name == "Local" {
		return nil, fmt.Errorf("%s is not a time zone", words.Quote(name))
	}
	z, err := time.LoadLocation(name)
	if err == nil {
		zones.Store(name, z)
	}
	return z, err
}
