package resource

import (
	"strconv"

	"github.com/flowmcp/fmcp/pkg/model"
)

// The rows that a caller's statement returns unless it says otherwise, and at most
// (chapter 13, "Dynamic SQL").
const (
	usualLimit = 100
	MaxLimit   = 1000
)

// Dynamic makes the statement that a caller gave to runSql ready: one statement
// that the mode of the resource allows. A SELECT without a LIMIT of its own gets
// one, where SQL has a place for it; 0 is the usual one, since a schema's own query
// of this kind need not have a parameter limit. rows is how many rows may be returned.
// The errors are *words.Problem.
func (s *Spec) Dynamic(text string, limit int) (ready string, rows int, err error) {
	if limit = min(limit, MaxLimit); limit <= 0 {
		limit = usualLimit
	}
	statement, ready, err := single(text)
	if err != nil {
		return "", 0, err
	}
	if s.Mode != model.FileBased {
		if err := onlyReads(statement); err != nil {
			return "", 0, err
		}
	}
	if statement.Slots > 0 {
		p := statement.Params[0]
		return "", 0, fail(CodeStatement,
			"found the placeholder %s, and a caller's statement gets no values: write the value itself, a text in "+
				"single quotes", text[p.Start:p.End])
	}
	if !statement.Reads() || statement.Limited {
		return ready, MaxLimit, nil
	}
	if statement.Values {
		return ready, limit, nil // the rows are counted where they are read
	}
	return ready + " LIMIT " + strconv.Itoa(limit), limit, nil
}
