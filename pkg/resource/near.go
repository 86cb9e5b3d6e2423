package resource

import (
	"context"
	"errors"
	"slices"
	"strings"

	"github.com/flowmcp/fmcp/pkg/ordjson"
	"github.com/flowmcp/fmcp/pkg/words"
)

// near adds to what SQLite says of a table or column that it does not know which
// one comes near.
func (c *conn) near(err error) error {
	var e *sqliteError
	if !errors.As(err, &e) {
		return err
	}
	name, find := "", ""
	if rest, ok := strings.CutPrefix(e.msg, "no such table: "); ok {
		name, find = strings.TrimPrefix(rest, "main."), "SELECT name FROM sqlite_master WHERE type IN ('table', 'view')"
	} else if rest, ok := strings.CutPrefix(e.msg, "no such column: "); ok {
		// t.nome, or "nome" followed by advice
		rest, _, _ = strings.Cut(rest, " - ")
		name, find = strings.Trim(rest[strings.LastIndexByte(rest, '.')+1:], `"`), "SELECT DISTINCT p.name FROM "+
			"sqlite_master m JOIN pragma_table_info(m.name) p WHERE m.type IN ('table', 'view')"
	} else {
		return err
	}
	rows, failed := c.rows(find)
	if failed != nil {
		return err
	}
	names := make([]string, len(rows))
	for i, row := range rows {
		names[i] = row.Get("name").Str()
	}
	return &sqliteError{rc: e.rc, msg: e.msg + words.DidYouMean(name, names)}
}

// Describe sends the statement of describeTables (chapter 13) to the database
// of a resource. A table that cannot be described, such as one of an extension
// that is missing, is left out and named; the others are described. The errors
// are *words.Problem.
func (s *Store) Describe(ctx context.Context, spec *Spec, text string, limits Limits) (Result, error) {
	limits = limits.orDefault()
	ctx, cancel := context.WithTimeout(ctx, limits.Time)
	defer cancel()
	whole, err := s.Query(ctx, spec, text, nil, limits)
	var e *words.Problem
	if !errors.As(err, &e) || !slices.Contains([]string{CodeStatement, CodeRefused}, e.Code) {
		return whole, err
	}
	tables, failed := s.Query(ctx, spec, "SELECT name FROM sqlite_master WHERE type = 'table'", nil, limits)
	if failed != nil {
		return Result{}, err
	}
	var rows []ordjson.Value
	for _, table := range tables.Rows.Elems() {
		name := table.Get("name").Str()
		one, err := s.Query(ctx, spec, text+" AND m.name = ?", []any{name}, limits)
		if errors.As(err, &e) && e.Code != CodeStatement && e.Code != CodeRefused {
			return Result{}, err
		}
		if err != nil {
			whole.Cut = append(whole.Cut, "the table "+name+" is left out: "+err.Error())
			continue
		}
		rows = append(rows, one.Rows.Elems()...)
	}
	whole.More = tables.More || len(rows) > limits.Rows
	whole.Rows = ordjson.NewArray(rows[:min(len(rows), limits.Rows)]...)
	return whole, nil
}
