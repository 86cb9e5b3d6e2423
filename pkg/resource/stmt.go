package resource

import (
	"encoding/base64"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"zombiezen.com/go/sqlite"

	"github.com/flowmcp/fmcp/pkg/ordjson"
	"github.com/flowmcp/fmcp/pkg/words"
)

// stmt is a prepared statement of a connection.
type stmt struct {
	c       *conn
	s       *sqlite.Stmt
	text    string   // that it is kept under
	columns []string // names, each once
	bound   bool
	tidies  bool // a PRAGMA that changes the database
}

// prepare makes a statement of the first one of a text.
func (c *conn) prepare(text string) (*stmt, error) {
	c.denied, c.tidies = "", false
	s, _, err := c.db.PrepareTransient(text)
	if err != nil {
		return nil, c.failure(err)
	}
	return &stmt{c: c, s: s, tidies: c.tidies, columns: c.names(s, text)}, nil
}

// keptMost is how many prepared statements a connection keeps: those of a few
// resources, which have at most nine queries each.
const keptMost = 32

// cached returns the statement that was kept under a text, or nil.
func (c *conn) cached(text string) *stmt {
	last := len(c.kept) - 1
	for i := last; i >= 0; i-- {
		if s := c.kept[i]; s.text == text {
			copy(c.kept[i:], c.kept[i+1:])
			c.kept[last] = s
			return s
		}
	}
	return nil
}

// keep keeps a statement under a text that may come again. It must not be
// finalized by the caller.
func (c *conn) keep(s *stmt, text string) {
	if len(c.kept) == keptMost {
		c.kept[0].finalize()
		c.kept = append(c.kept[:0], c.kept[1:]...)
	}
	s.text = text
	c.kept = append(c.kept, s)
}

// names are the names of the columns. JSON has each key once, so of two equal
// ones the second is called id:1, as SQLite calls it in a subquery.
func (c *conn) names(s *sqlite.Stmt, text string) []string {
	list := c.plainNames(s, text)
	taken := make(map[string]bool, len(list))
	for i, plain := range list {
		for n := 1; taken[list[i]]; n++ {
			list[i] = plain + ":" + strconv.Itoa(n)
		}
		taken[list[i]] = true
	}
	return list
}

// plainNames are the names as SQLite has them. The library gives one that two
// columns have for the last of them only, and "" for the others; which name each
// has is seen in a subquery, where it is id, id:1, id:2 and then a random number.
func (c *conn) plainNames(s *sqlite.Stmt, text string) []string {
	list := namesOf(s)
	if !slices.Contains(list, "") {
		return list
	}
	sub, _, err := c.db.PrepareTransient("SELECT * FROM (" + text + ")")
	if err != nil {
		return list // RETURNING id, id
	}
	defer func() { _ = sub.Finalize() }()
	for i, name := range namesOf(sub) {
		if list[i] != "" {
			continue
		}
		if at := strings.LastIndexByte(name, ':'); at >= 0 && !slices.Contains(list, name) {
			name = name[:at]
		}
		list[i] = name
	}
	return list
}

func namesOf(s *sqlite.Stmt) []string {
	list := make([]string, s.ColumnCount())
	for i := range list {
		list[i] = strings.ToValidUTF8(s.ColumnName(i), "\ufffd")
	}
	return list
}

// bind gives the values of the placeholders in the order of their slots: nil,
// bool, int, int64, float64, string, or []byte. One that is too large fails the
// first step.
func (s *stmt) bind(args []any) error {
	if want := s.s.BindParamCount(); want != len(args) {
		return fail(CodeStatement, "the statement has %s, and there are %s; give one for each ?",
			words.Count(want, "placeholder"), words.Count(len(args), "value"))
	}
	s.bound = len(args) > 0
	for i, arg := range args {
		switch v := arg.(type) {
		case nil:
			s.s.BindNull(i + 1)
		case bool:
			s.s.BindBool(i+1, v)
		case int:
			s.s.BindInt64(i+1, int64(v))
		case int64:
			s.s.BindInt64(i+1, v)
		case float64:
			s.s.BindFloat(i+1, v)
		case string:
			s.s.BindText(i+1, v)
		case []byte:
			s.s.BindBytes(i+1, v)
		default:
			panic(fmt.Sprintf("a value of type %T is bound", arg))
		}
	}
	return nil
}

// step goes to the next row; false is the end.
func (s *stmt) step() (bool, error) {
	row, err := s.s.Step()
	if err != nil {
		return false, s.c.failure(err)
	}
	return row, nil
}

// reset makes the statement ready to run again and lets its values go. Its
// error repeats that of the last step.
func (s *stmt) reset() {
	_ = s.s.Reset()
	if s.bound {
		_ = s.s.ClearBindings()
		s.bound = false
	}
}

func (s *stmt) finalize() { _ = s.s.Finalize() }

// value is a column of the current row, and about how many bytes it takes as
// JSON. Integers keep all their digits, a blob is base64, what JSON has no
// number for is null, as in JSON.stringify.
func (s *stmt) value(column int) (ordjson.Value, int) {
	switch s.s.ColumnType(column) {
	case sqlite.TypeInteger:
		text := strconv.FormatInt(s.s.ColumnInt64(column), 10)
		return ordjson.NewNumberText(text), len(text)
	case sqlite.TypeFloat:
		f := s.s.ColumnFloat(column)
		if math.IsInf(f, 0) {
			return ordjson.NewNull(), len("null")
		}
		v := ordjson.NewNumber(f)
		return v, len(v.NumberText())
	case sqlite.TypeText:
		text := s.s.ColumnText(column)
		if !utf8.ValidString(text) {
			text = strings.ToValidUTF8(text, "\ufffd")
		}
		return ordjson.NewString(text), len(text) + 2
	case sqlite.TypeBlob:
		data := make([]byte, s.s.ColumnLen(column))
		s.s.ColumnBytes(column, data)
		text := base64.StdEncoding.EncodeToString(data)
		return ordjson.NewPlain(text), len(text) + 2
	}
	return ordjson.NewNull(), len("null")
}

// row is the current row as an object, and about how many bytes it takes.
func (s *stmt) row() (ordjson.Value, int) {
	members := make([]ordjson.Member, len(s.columns))
	size := 2
	for i, name := range s.columns {
		v, n := s.value(i)
		members[i] = ordjson.Field(name, v)
		size += n + len(name) + 4
	}
	return ordjson.NewObject(members...), size
}
