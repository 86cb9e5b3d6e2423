package resource

import (
	"context"
	"errors"
	"time"

	"github.com/flowmcp/fmcp/pkg/ordjson"
	"github.com/flowmcp/fmcp/pkg/resource/gtfs"
	"github.com/flowmcp/fmcp/pkg/words"
)

// sealedDB is a database of source sqlite-gtfs: its seal was verified when it was
// opened, and it is only read, since a change would break what the seal says
// (chapter 13, "Seal Requirement").
type sealedDB struct {
	*DB
	standard *gtfs.DB
}

// openSealed opens a database and verifies its seal (RES032 to RES034). beside
// is as in openReadOnly.
func openSealed(path string, beside bool) (*sealedDB, error) {
	db, err := openReadOnly(path, beside)
	if err != nil {
		return nil, err
	}
	standard, err := gtfs.Open(context.Background(), asker{db, DefaultTime})
	if err != nil {
		db.Close()
		return nil, err
	}
	return &sealedDB{db, standard}, nil
}

// asker queries a database for package gtfs, with our own statements. They look
// at more rows than a caller gets.
type asker struct {
	db   *DB
	time time.Duration
}

// Query implements gtfs.Queryer.
func (a asker) Query(ctx context.Context, query string, args ...any) ([]ordjson.Value, error) {
	res, err := a.db.Query(ctx, query, args, Limits{Rows: 500_000, Bytes: 128 << 20, Time: a.time})
	if res.More {
		return nil, fail(CodeTooLarge, "the answer is made of more than %d rows; ask for less", res.Rows.Len())
	}
	return res.Rows.Elems(), err
}

// Standard answers a standard tool of a sealed database; params have passed its
// z-blocks. The warnings are about the database (RES034). The errors are *words.Problem.
func (s *Store) Standard(ctx context.Context, spec *Spec, tool string, params ordjson.Value,
	limit time.Duration) (Result, error) {
	db, err := s.sealed(ctx, spec, limit)
	if err != nil {
		return Result{}, err
	}
	limit = Limits{Time: limit}.orDefault().Time
	ctx, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	rows, cut, err := db.standard.With(asker{db.DB, limit}).Call(ctx, tool, params)
	return Result{Rows: rows, Cut: cut, Warnings: db.standard.Meta.Warnings}, unusable(db.slow(err))
}

// slow says of a query that was too slow that the database lacks indexes, where
// it does: those of gtfs-sqlite-toolkit have none.
func (db *sealedDB) slow(err error) error {
	var e *words.Problem
	if !errors.As(err, &e) || e.Code != CodeSlow || !db.standard.Unindexed {
		return err
	}
	return fail(CodeSlow, "%s. The database has no index on its stop times: convert the feed by fmcp-exec resource "+
		"import-gtfs, or add what it lacks: "+
		"CREATE INDEX stop_times_by_trip ON stop_times (trip_id, stop_sequence); CREATE INDEX stop_times_by_stop ON "+
		"stop_times (stop_id, departure_time); CREATE INDEX trips_by_id ON trips (trip_id)", e.Message)
}

// Can reports whether a sealed database can answer a standard tool. The errors
// are *words.Problem.
func (s *Store) Can(spec *Spec, tool string) (bool, error) {
	db, err := s.sealed(context.Background(), spec, 0)
	if err != nil {
		return false, err
	}
	return db.standard.Can(tool), nil
}

func (s *Store) sealed(ctx context.Context, spec *Spec, limit time.Duration) (*sealedDB, error) {
	if !spec.sealed() {
		return nil, fail(CodeRefused, "%s has source %s, and only a sqlite-gtfs resource has standard tools", spec.ID,
			spec.Source)
	}
	db, err := s.database(ctx, spec, "", Limits{Time: limit}.orDefault().Time)
	if err != nil {
		return nil, unusable(err)
	}
	return db.(*sealedDB), nil
}

// unusable gives a sealed database that is missing or damaged the code that
// chapter 13 has for it.
func unusable(err error) error {
	var e *words.Problem
	if errors.As(err, &e) && (e.Code == CodeMissing || e.Code == CodeCorrupt) {
		return fail(gtfs.CodeNotDB, "%s; fmcp-exec resource import-gtfs makes one of a feed", e.Message)
	}
	return err
}
