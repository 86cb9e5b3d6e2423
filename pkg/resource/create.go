package resource

import (
	"cmp"
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"zombiezen.com/go/sqlite"

	"github.com/flowmcp/fmcp/pkg/atomicfile"
	"github.com/flowmcp/fmcp/pkg/ordjson"
	"github.com/flowmcp/fmcp/pkg/resource/origin"
	"github.com/flowmcp/fmcp/pkg/sql"
	"github.com/flowmcp/fmcp/pkg/words"
)

// Place is where the database of a resource is or would be, as messages name
// it. The error, a *words.Problem, says why it is none that Create makes.
func (s *Store) Place(spec *Spec) (string, error) {
	place, err := s.newPlace(spec)
	if err != nil {
		return "", err
	}
	return place.String(), nil
}

// newPlace is Place as what a file is made at.
func (s *Store) newPlace(spec *Spec) (origin.Place, error) {
	if !spec.writes() {
		return origin.Place{}, fail(CodeNotMade,
			"%s is not a resource that is written to: only those with source sqlite, mode file-based and origin "+
				"project "+
				"are made (chapter 13)", spec.ID)
	}
	place, err := spec.place(s.Places)
	if err == nil && !place.Missing() {
		err = exists(place)
	}
	return place, err
}

func exists(place origin.Place) error {
	return fail(CodeNotMade, "%s is there already, and is not overwritten: move it away first", place)
}

// Create makes the database of a file-based resource from its query getSchema
// (chapter 13, "CLI: Database Creation"). The statement is run in an empty
// database: the tables that it creates are made, and so are those that its rows
// describe, by a column sql that begins with CREATE, or by table, column and
// type as describeTables has them. It returns the names of the tables. It never
// overwrites an existing file. The errors are *words.Problem.
func (s *Store) Create(ctx context.Context, spec *Spec, getSchema string) ([]string, error) {
	place, err := s.newPlace(spec)
	if err != nil {
		return nil, err
	}
	path, err := place.Make()
	if err != nil {
		return nil, err
	}
	if left := origin.Leftover(path); left != "" {
		return nil, fail(CodeNotMade, "%s is left of a database that was there, and would be played back into the "+
			"new one: put that database back to have its last changes, or remove the file", filepath.Base(left))
	}
	f, err := atomicfile.Create(path, 0o644)
	if err != nil {
		return nil, fail(CodeNotStored, "%s cannot be made: %v; check the permissions of its folder", place,
			words.Cause(err))
	}
	defer f.Abort()
	tables, err := fill(ctx, f.Temp(), getSchema)
	if err != nil {
		return nil, explain(ctx, err, spec.File, DefaultTime)
	}
	// Unlike a move, a link does not take the place of a file that came meanwhile.
	if err := os.Link(f.Temp(), path); errors.Is(err, fs.ErrExist) {
		return nil, exists(place)
	} else if err != nil {
		return nil, fail(CodeNotStored, "%s cannot be made: %v", place, words.Cause(err))
	}
	return tables, nil
}

// fill makes tables in a new database and returns their names.
func fill(ctx context.Context, path, getSchema string) ([]string, error) {
	ctx, cancel := context.WithTimeout(ctx, DefaultTime)
	defer cancel()
	c, err := openConn(ctx, path, sqlite.OpenReadWrite, false)
	if err != nil {
		return nil, err
	}
	defer c.close()
	c.allowed = writingAllowed
	if _, getSchema, err = single(getSchema); err != nil {
		return nil, err
	}
	rows, err := c.rows(getSchema)
	if err != nil {
		return nil, err
	}
	have, err := c.tables()
	if err != nil {
		return nil, err
	}
	if err := c.exec(creations(rows, have)...); err != nil {
		return nil, err
	}
	if err := c.own("PRAGMA journal_mode = WAL"); err != nil {
		return nil, err
	}
	return c.tables()
}

// rows runs a statement and returns all its rows.
func (c *conn) rows(text string) ([]ordjson.Value, error) {
	s, err := c.prepare(text)
	if err != nil {
		return nil, err
	}
	defer s.finalize()
	if err := s.bind(nil); err != nil {
		return nil, err
	}
	res, err := s.collect(Limits{}.orDefault())
	return res.Rows.Elems(), err
}

func (c *conn) tables() ([]string, error) {
	rows, err := c.rows("SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite\\_%' ESCAPE " +
		"'\\' ORDER BY rowid")
	names := make([]string, len(rows))
	for i, row := range rows {
		names[i] = row.Get("name").Str()
	}
	return names, err
}

// creations are the statements that make what rows describe and the database
// does not have.
func creations(rows []ordjson.Value, have []string) []string {
	var list, tables []string
	columns := map[string][]string{}
	first := func(row ordjson.Value, keys ...string) string {
		for _, key := range keys {
			if text := row.Get(key).Str(); text != "" {
				return text
			}
		}
		return ""
	}
	for _, row := range rows {
		text, table, column := row.Get("sql").Str(), first(row, "table_name", "table", "tbl_name", "name"), first(row,
			"column", "column_name")
		switch {
		case slices.Contains(have, table):
		case createsOne(text):
			list = append(list, text)
		case table != "" && column != "":
			if columns[table] == nil {
				tables = append(tables, table)
			}
			columns[table] = append(columns[table], quoteName(column)+" "+row.Get("type").Str())
		}
	}
	for _, table := range tables {
		list = append(list, "CREATE TABLE "+quoteName(table)+" ("+strings.Join(columns[table], ", ")+")")
	}
	// UNION sorts rows by name, and an index wants its table first.
	slices.SortStableFunc(list, func(a, b string) int { return cmp.Compare(wantsTable(a), wantsTable(b)) })
	return list
}

// wantsTable is 1 for a CREATE of an index or trigger, 0 for others.
func wantsTable(create string) int {
	if words := strings.Fields(create); len(words) > 1 &&
		slices.Contains([]string{"UNIQUE", "INDEX", "TRIGGER"}, strings.ToUpper(words[1])) {
		return 1
	}
	return 0
}

// createsOne reports whether a text is one CREATE statement.
func createsOne(text string) bool {
	list, err := sql.Split(text)
	return err == nil && len(list) == 1 && list[0].Verb == "CREATE"
}

func quoteName(name string) string { return `"` + strings.ReplaceAll(name, `"`, `""`) + `"` }
