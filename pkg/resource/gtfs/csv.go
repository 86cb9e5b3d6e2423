package gtfs

import (
	"bufio"
	"bytes"
	"encoding/csv"
	"errors"
	"io"
	"slices"
	"strconv"
	"strings"

	"github.com/flowmcp/fmcp/pkg/words"
)

const (
	maxRow     = 1 << 20 // bytes of a row: a quote that is never closed must not read a whole file into memory
	maxBadRows = 100     // after so many a file is given up
)

// errRowTooLong is the error of a row above maxRow.
var errRowTooLong = errors.New("a row of more than 1 MiB: a quote that is not closed?")

// rowLimit reads on only as far as one row may reach.
type rowLimit struct {
	r    io.Reader
	read int64 // bytes given
	upTo int64 // bytes that may be given
	err  error // what the reader below failed with, other than its end
}

func (l *rowLimit) Read(p []byte) (int, error) {
	if l.read >= l.upTo {
		return 0, errRowTooLong
	}
	n, err := l.r.Read(p[:min(int64(len(p)), l.upTo-l.read)])
	if l.read += int64(n); err != nil && err != io.EOF {
		l.err = err
	}
	return n, err
}

// rows reads a file of a feed: a header and rows (Reference, "File
// Requirements").
type rows struct {
	table *table
	rep   *Report
	csv   *csv.Reader
	limit *rowLimit

	columns []int // for each field of the header its index in table.fields, or -1
	used    []int // the columns of the table that the header has, ascending
	line    int   // of the row
	cells   []string
	bad     int
}

// openRows reads the header. It returns nil where there is no usable one, which
// is reported.
func openRows(t *table, r io.Reader, rep *Report) (*rows, error) {
	text := bufio.NewReaderSize(r, 64<<10)
	switch bom, _ := text.Peek(3); {
	case bytes.Equal(bom, []byte("\xef\xbb\xbf")):
		_, _ = text.Discard(3)
	case bytes.HasPrefix(bom, []byte("\xff\xfe")) || bytes.HasPrefix(bom, []byte("\xfe\xff")):
		rep.add(Finding{Code: CodeNotUTF8, File: t.file(), Line: 1, Message: "the file is UTF-16",
			Fix: "write it as UTF-8"})
		return nil, nil
	}
	limit := &rowLimit{r: text, upTo: maxRow}
	in := &rows{table: t, rep: rep, limit: limit, csv: csv.NewReader(limit), line: 1}
	in.csv.ReuseRecord = true
	in.csv.FieldsPerRecord = -1
	header, err := in.csv.Read()
	switch {
	case errors.Is(err, io.EOF):
		rep.add(Finding{Code: CodeNoFile, File: t.file(), Message: "the file is empty",
			Fix: "write a header and rows, or leave the file out"})
		return nil, nil
	case err != nil:
		return nil, in.failed(err)
	case !in.header(header):
		return nil, nil
	}
	return in, nil
}

// header finds the columns.
func (in *rows) header(names []string) bool {
	good := true
	say := func(code, field, message, fix string) {
		in.rep.add(Finding{Code: code, File: in.table.file(), Line: 1, Field: printable(field), Message: message,
			Fix: fix})
		good = good && code == CodeLeftOut
	}
	if len(names) == 1 && strings.ContainsAny(names[0], ";\t|") {
		say(CodeBadRow, "", "found one column "+words.Quote(names[0])+", expected names with commas between them",
			"write the file as comma-separated text")
		return false
	}
	for _, name := range names {
		name = strings.Clone(strings.TrimSpace(name))
		at := in.table.at(name)
		switch {
		case at >= 0 && slices.Contains(in.columns, at):
			say(CodeNoColumn, name, "the column is there twice", "leave one out")
		case at < 0:
			say(CodeLeftOut, name, "the column is not in the GTFS Schedule Reference and was left out"+
				words.DidYouMean(name, in.table.fieldNames()), "")
		default:
			in.used = append(in.used, at)
		}
		in.columns = append(in.columns, at)
	}
	for i, f := range in.table.fields {
		if f.must && !slices.Contains(in.used, i) {
			say(CodeNoColumn, f.name, "the column is missing", "add it; names of columns are case-sensitive")
		}
	}
	if in.table.name == "stop_times" { // completeTimes
		for _, name := range [2]string{"arrival_time", "departure_time"} {
			if at := in.table.at(name); !slices.Contains(in.used, at) {
				in.used = append(in.used, at)
			}
		}
	}
	slices.Sort(in.used)
	in.cells = make([]string, len(in.table.fields))
	return good
}

// next reads a row into in.cells, by the table's fields and without the space
// around values. What cannot be read is reported and skipped. It returns io.EOF
// at the end.
func (in *rows) next() error {
	for {
		in.limit.upTo = in.csv.InputOffset() + maxRow
		record, err := in.csv.Read()
		if err == nil {
			if in.line, _ = in.csv.FieldPos(0); in.take(record) {
				return nil
			}
			continue
		}
		if errors.Is(err, io.EOF) && in.limit.err == nil {
			return io.EOF
		}
		if err := in.failed(err); err != nil {
			return err
		}
		if in.bad++; in.bad >= maxBadRows {
			in.rep.add(Finding{Code: CodeBadRow, File: in.table.file(),
				Message: "too many rows cannot be read: the rest of the file was not looked at",
				Fix:     "write the file as comma-separated text"})
			return io.EOF
		}
	}
}

// failed reports an error of a row and returns one that ends the conversion.
func (in *rows) failed(err error) error {
	var parse *csv.ParseError
	switch {
	case in.limit.err != nil:
		return damaged(in.table.file(), in.limit.err)
	case errors.As(err, &parse):
		in.rep.add(Finding{Code: CodeBadRow, File: in.table.file(), Line: parse.Line,
			Message: "the row cannot be read: " + parse.Err.Error(),
			Fix:     `put values with quotes or commas into quotes, and double the quotes in them`})
		return nil
	case errors.Is(err, errRowTooLong):
		return fail(CodeTooLarge, "close the quote", "%s, line %d or after: %v", in.table.file(), in.line+1, err)
	}
	return damaged(in.table.file(), err)
}

// take moves a record into the cells.
func (in *rows) take(record []string) bool {
	if len(record) != len(in.columns) {
		fix := "put values with commas into quotes"
		if len(record) < len(in.columns) {
			fix = "write a comma for each column, also after an empty value"
		}
		in.rep.add(Finding{Code: CodeBadRow, File: in.table.file(), Line: in.line,
			Message: "found " + strconv.Itoa(len(record)) + " values, expected " + strconv.Itoa(len(in.columns)) +
				" as in the header",
			Fix: fix})
		return false
	}
	for i, at := range in.columns {
		if at >= 0 {
			in.cells[at] = strings.TrimSpace(record[i])
		}
	}
	return true
}
