// Database makes the SQLite database of the demo catalog. The same version of
// SQLite makes the same bytes.
package main

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"zombiezen.com/go/sqlite"
	"zombiezen.com/go/sqlite/sqlitex"
)

// path is relative to the root of the repository.
const path = "testdata/catalog/providers/tidewatch/resources/tidewatch-harbours.db"

func main() {
	if len(os.Args) > 1 {
		fmt.Fprintln(os.Stderr, "usage: go run ./scripts/demo/database")
		os.Exit(2)
	}
	if err := build(filepath.FromSlash(path)); err != nil {
		fmt.Fprintln(os.Stderr, "database:", err)
		os.Exit(1)
	}
}

// build makes the database anew.
func build(path string) error {
	if err := os.Remove(path); err != nil && !errors.Is(err, os.ErrNotExist) {
		return err
	}
	db, err := sqlite.OpenConn(path, sqlite.OpenReadWrite, sqlite.OpenCreate)
	if err != nil {
		return err
	}
	return errors.Join(sqlitex.ExecuteScript(db, strings.Join(statements, ";"), nil), db.Close())
}

// statements make up a coast: names and figures are invented.
var statements = []string{
	"CREATE TABLE harbours (id INTEGER PRIMARY KEY, name TEXT NOT NULL, area TEXT NOT NULL, depth_m REAL NOT NULL, " +
		"berths INTEGER NOT NULL, opened DATE)",
	"CREATE INDEX harbours_area ON harbours (area)",
	`INSERT INTO harbours (id, name, area, depth_m, berths, opened) VALUES
		(1, 'Aldersiel', 'german-bight', 4.2, 120, '1931-05-01'),
		(2, 'Brandung Outer Harbour', 'german-bight', 9.5, 14, '1967-09-12'),
		(3, 'Cold Anchor Basin', 'humber', 11.0, 22, '1902-03-30'),
		(4, 'Dunmere Old Harbour', 'humber', 3.1, 64, '1788-01-01'),
		(5, 'Eider Lock', 'german-bight', 3.8, 36, '1973-03-20'),
		(6, 'Fulmar Point', 'dogger', 18.4, 3, '1999-07-07'),
		(7, 'Grenen Haven', 'skagerrak', 6.6, 210, '1907-11-02'),
		(8, 'Hellsund New Harbour', 'skagerrak', 7.9, 95, '2004-06-15'),
		(9, 'Ivory Sands Marina', 'humber', 2.4, 340, '2011-04-09'),
		(10, 'Jetty Nine', 'dogger', 21.0, 2, NULL)`,
	"CREATE VIRTUAL TABLE harbours_fts USING fts5(name, notes)",
	`INSERT INTO harbours_fts (rowid, name, notes) VALUES
		(1, 'Aldersiel', 'dries out at low tide, shelter from all winds'),
		(2, 'Brandung Outer Harbour', 'open to the west, swell in storms'),
		(3, 'Cold Anchor Basin', 'deep water, pilots on call'),
		(4, 'Dunmere Old Harbour', 'dries out at low tide, stone quay'),
		(5, 'Eider Lock', 'lock opens two hours around high tide'),
		(6, 'Fulmar Point', 'platform supply only'),
		(7, 'Grenen Haven', 'fishing fleet, fuel and ice'),
		(8, 'Hellsund New Harbour', 'ferries, fuel, shelter from the west'),
		(9, 'Ivory Sands Marina', 'sill keeps the water in at low tide'),
		(10, 'Jetty Nine', 'platform supply only')`,
}
