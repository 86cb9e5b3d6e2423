package resource

import (
	"strconv"

	"github.com/flowmcp/fmcp/pkg/model"
)

// MaxLimit is the most rows that runSql returns (chapter 13, "Dynamic SQL").
const MaxLimit = 1000

// Dynamic makes the statement that a caller gave to runSql ready: one statement
// that the mode of the resource allows. A SELECT without a LIMIT of its own gets
// one. rows is how many rows may be returned. The errors are *Error.
func (s *Spec) Dynamic(text string, limit int) (ready string, rows int, err error) {
	statement, ready, err := single(text)
	if err != nil {
		return "", 0, err
	}
	if s.Mode != model.FileBased {
		if err := onlyReads(statement); err != nil {
			return "", 0, err
		}
	}
	if !statement.Reads() || statement.Limited {
		return ready, MaxLimit, nil
	}
	return ready + " LIMIT " + strconv.Itoa(limit), limit, nil
}
