package resource

import (
	"encoding/base64"
	"fmt"
	"math"
	"strconv"
	"strings"
	"unicode/utf8"

	"modernc.org/libc"
	lib "modernc.org/sqlite/lib"

	"github.com/flowmcp/fmcp/pkg/ordjson"
	"github.com/flowmcp/fmcp/pkg/plural"
)

// stmt is a prepared statement of a connection.
type stmt struct {
	c       *conn
	text    string // that it is kept under
	p       uintptr
	columns []string  // names, each once
	bound   []uintptr // C memory of texts and blobs
}

// prepare makes a statement of the first one of a text.
func (c *conn) prepare(text string) (*stmt, error) {
	c.denied = ""
	sql, err := libc.CString(text)
	if err != nil {
		return nil, err
	}
	defer libc.Xfree(c.tls, sql)
	out := libc.Xcalloc(c.tls, 1, vaSlots)
	defer libc.Xfree(c.tls, out)
	if rc := lib.Xsqlite3_prepare_v3(c.tls, c.db, sql, int32(len(text)+1), lib.SQLITE_PREPARE_PERSISTENT, out, 0); rc != lib.SQLITE_OK {
		return nil, c.failure(rc)
	}
	s := &stmt{c: c, p: pointerAt(out)}
	if s.p == 0 {
		return nil, fail(CodeStatement, "the statement is empty")
	}
	s.columns = s.names()
	return s, nil
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
// ones the second is called name:1, as SQLite calls it in a subquery.
func (s *stmt) names() []string {
	list := make([]string, lib.Xsqlite3_column_count(s.c.tls, s.p))
	taken := make(map[string]bool, len(list))
	for i := range list {
		plain := strings.ToValidUTF8(libc.GoString(lib.Xsqlite3_column_name(s.c.tls, s.p, int32(i))), "\ufffd")
		name := plain
		for n := 1; taken[name]; n++ {
			name = plain + ":" + strconv.Itoa(n)
		}
		taken[name] = true
		list[i] = name
	}
	return list
}

// readOnly reports whether SQLite sees that the statement changes no database.
func (s *stmt) readOnly() bool { return lib.Xsqlite3_stmt_readonly(s.c.tls, s.p) != 0 }

// bind gives the values of the placeholders in the order of their slots: nil,
// bool, int, int64, float64, string, or []byte.
func (s *stmt) bind(args []any) error {
	if want := int(lib.Xsqlite3_bind_parameter_count(s.c.tls, s.p)); want != len(args) {
		return fail(CodeStatement, "the statement has %s, and there are %s; give one for each ?", plural.Of(want, "placeholder"), plural.Of(len(args), "value"))
	}
	for i, arg := range args {
		if rc := s.bindOne(int32(i+1), arg); rc != lib.SQLITE_OK {
			return s.c.failure(rc)
		}
	}
	return nil
}

func (s *stmt) bindOne(slot int32, arg any) int32 {
	tls := s.c.tls
	switch v := arg.(type) {
	case nil:
		return lib.Xsqlite3_bind_null(tls, s.p, slot)
	case bool:
		if v {
			return lib.Xsqlite3_bind_int64(tls, s.p, slot, 1)
		}
		return lib.Xsqlite3_bind_int64(tls, s.p, slot, 0)
	case int:
		return lib.Xsqlite3_bind_int64(tls, s.p, slot, int64(v))
	case int64:
		return lib.Xsqlite3_bind_int64(tls, s.p, slot, v)
	case float64:
		return lib.Xsqlite3_bind_double(tls, s.p, slot, v)
	case string:
		p, err := libc.CString(v)
		if err != nil {
			return lib.SQLITE_NOMEM
		}
		s.bound = append(s.bound, p)
		return lib.Xsqlite3_bind_text(tls, s.p, slot, p, int32(len(v)), 0)
	case []byte:
		p, err := libc.CString(string(v))
		if err != nil {
			return lib.SQLITE_NOMEM
		}
		s.bound = append(s.bound, p)
		return lib.Xsqlite3_bind_blob(tls, s.p, slot, p, int32(len(v)), 0)
	}
	panic(fmt.Sprintf("a value of type %T is bound", arg))
}

// step goes on to the next row; false says that there is none.
func (s *stmt) step() (bool, error) {
	switch rc := lib.Xsqlite3_step(s.c.tls, s.p); rc {
	case lib.SQLITE_ROW:
		return true, nil
	case lib.SQLITE_DONE:
		return false, nil
	default:
		return false, s.c.failure(rc)
	}
}

// reset makes the statement ready to run again and lets its values go. Its
// result code repeats that of the last step.
func (s *stmt) reset() {
	lib.Xsqlite3_reset(s.c.tls, s.p)
	if len(s.bound) > 0 {
		lib.Xsqlite3_clear_bindings(s.c.tls, s.p)
		for _, p := range s.bound {
			libc.Xfree(s.c.tls, p)
		}
		s.bound = s.bound[:0]
	}
}

func (s *stmt) finalize() {
	s.reset()
	lib.Xsqlite3_finalize(s.c.tls, s.p)
}

// value is a column of the current row, and about how many bytes it takes as
// JSON. Integers keep all their digits, a blob is base64, what JSON has no
// number for is null, as in JSON.stringify.
func (s *stmt) value(column int) (ordjson.Value, int) {
	tls, i := s.c.tls, int32(column)
	switch lib.Xsqlite3_column_type(tls, s.p, i) {
	case lib.SQLITE_INTEGER:
		text := strconv.FormatInt(lib.Xsqlite3_column_int64(tls, s.p, i), 10)
		return ordjson.NewNumberText(text), len(text)
	case lib.SQLITE_FLOAT:
		f := lib.Xsqlite3_column_double(tls, s.p, i)
		if math.IsInf(f, 0) {
			return ordjson.NewNull(), len("null")
		}
		v := ordjson.NewNumber(f)
		return v, len(v.NumberText())
	case lib.SQLITE_TEXT:
		// The text first: it may be converted, which its length follows.
		p := lib.Xsqlite3_column_text(tls, s.p, i)
		text := string(view(p, lib.Xsqlite3_column_bytes(tls, s.p, i)))
		if !utf8.ValidString(text) {
			text = strings.ToValidUTF8(text, "\ufffd")
		}
		return ordjson.NewString(text), len(text) + 2
	case lib.SQLITE_BLOB:
		p := lib.Xsqlite3_column_blob(tls, s.p, i)
		text := base64.StdEncoding.EncodeToString(view(p, lib.Xsqlite3_column_bytes(tls, s.p, i)))
		return ordjson.NewPlain(text), len(text) + 2
	}
	return ordjson.NewNull(), len("null")
}

// view is memory of the library, which is valid until the next step.
func view(p uintptr, n int32) []byte {
	if p == 0 || n <= 0 {
		return nil
	}
	return libc.GoBytes(p, int(n))
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
