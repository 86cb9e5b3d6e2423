package gtfs

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/flowmcp/fmcp/pkg/ordjson"
	"github.com/flowmcp/fmcp/pkg/record"
	"github.com/flowmcp/fmcp/pkg/rules"
)

// Finding is one thing that is wrong with a feed, or worth knowing.
type Finding struct {
	Code     string
	Severity record.Severity
	File     string // of the feed: stop_times.txt
	Line     int    // from 1; 0 where it is about the whole file
	Field    string // "" where it is about the whole row
	Message  string
	Fix      string
}

// Report says what became of a feed.
type Report struct {
	Feed      string         // name of the archive
	Target    string         // the database that was asked for
	Out       string         // the same where it was written, or else ""
	Findings  []Finding      // at most MaxFindings of each code, by file, line and code
	Counts    map[string]int // of all findings, by code
	Rows      []TableRows    // of the tables that have some, in the order in which they were read
	Caps      Capabilities
	Hash      string // SHA-256 of the feed, hex
	BuildDate string
	Bytes     int64 // size of the database
}

// TableRows is how many rows a table has.
type TableRows struct {
	Table string
	Rows  int64
}

// MaxFindings is how many findings of one code a report lists; Counts has all.
const MaxFindings = 20

// add counts a finding, and keeps it while there are not too many alike.
func (r *Report) add(f Finding) {
	if r.Counts == nil {
		r.Counts = map[string]int{}
	}
	if r.Counts[f.Code]++; r.Counts[f.Code] > MaxFindings {
		return
	}
	if rule, ok := rules.Lookup(f.Code); ok {
		f.Severity = rule.Spec
	}
	r.Findings = append(r.Findings, f)
}

func (r *Report) sort() {
	slices.SortStableFunc(r.Findings, func(a, b Finding) int {
		return cmp.Or(cmp.Compare(a.File, b.File), cmp.Compare(a.Line, b.Line), cmp.Compare(a.Code, b.Code))
	})
}

// Of counts the findings of a severity.
func (r *Report) Of(severity record.Severity) int {
	n := 0
	for code, count := range r.Counts {
		if rule, ok := rules.Lookup(code); ok && rule.Spec == severity {
			n += count
		}
	}
	return n
}

// Clean reports whether the feed may be sealed.
func (r *Report) Clean() bool { return r.Of(record.SeverityError) == 0 }

func (r *Report) codes() []string { return slices.Sorted(maps.Keys(r.Counts)) }

// summary is meta.validationReport.
func (r *Report) summary() ordjson.Value {
	codes := r.codes()
	members := make([]ordjson.Member, len(codes))
	for i, code := range codes {
		members[i] = ordjson.Field(code, ordjson.NewInt(r.Counts[code]))
	}
	return ordjson.NewObject(
		ordjson.Field("errors", ordjson.NewInt(r.Of(record.SeverityError))),
		ordjson.Field("warnings", ordjson.NewInt(r.Of(record.SeverityWarning))),
		ordjson.Field("info", ordjson.NewInt(r.Of(record.SeverityInfo))),
		ordjson.Field("codes", ordjson.NewObject(members...)),
	)
}

// Text is the report for people.
func (r *Report) Text() string {
	var b strings.Builder
	for i := range r.Findings {
		b.WriteString(r.Findings[i].text() + "\n")
	}
	for _, code := range r.codes() {
		if n := r.Counts[code] - MaxFindings; n > 0 {
			fmt.Fprintf(&b, "… and %d more of %s\n", n, code)
		}
	}
	if len(r.Findings) > 0 {
		b.WriteByte('\n')
	}
	if r.Out == "" {
		fmt.Fprintf(&b, "%s is not clean: errors %d, warnings %d, notes %d. No database was written.\n", r.Feed,
			r.Of(record.SeverityError), r.Of(record.SeverityWarning), r.Of(record.SeverityInfo))
		return b.String()
	}
	fmt.Fprintf(&b, "%s is sealed, %d bytes\n", r.Out, r.Bytes)
	rows := make([]string, len(r.Rows))
	for i, t := range r.Rows {
		rows[i] = fmt.Sprintf("%s %d", t.Table, t.Rows)
	}
	fmt.Fprintf(&b, "  rows: %s\n  capabilities: %s\n", strings.Join(rows, ", "), strings.Join(r.Caps.Names(), ", "))
	return b.String()
}

// Lines are the report as lines of JSON: the findings, and what became of it.
func (r *Report) Lines() []ordjson.Value {
	var lines []ordjson.Value
	for i := range r.Findings {
		lines = append(lines, r.Findings[i].json())
	}
	m := []ordjson.Member{
		ordjson.Field("database", ordjson.NewString(r.Target)), ordjson.Field("sealed", ordjson.NewBool(r.Out != "")),
		ordjson.Field("validationReport", r.summary()), ordjson.Field("sourceHash", ordjson.NewString(r.Hash)),
	}
	if r.Out != "" {
		m = append(m, ordjson.Field("bytes", number64(r.Bytes)),
			ordjson.Field("buildDate", ordjson.NewString(r.BuildDate)),
			ordjson.Field("rowCounts", r.rowCounts()), ordjson.Field("capabilities", ordjson.Strings(r.Caps.Names())))
	}
	return append(lines, ordjson.NewObject(m...))
}

// rowCounts is meta.rowCounts.
func (r *Report) rowCounts() ordjson.Value {
	m := make([]ordjson.Member, len(r.Rows))
	for i, t := range r.Rows {
		m[i] = ordjson.Field(t.Table, number64(t.Rows))
	}
	return ordjson.NewObject(m...)
}

func number64(n int64) ordjson.Value { return ordjson.NewNumberText(strconv.FormatInt(n, 10)) }

func (f *Finding) text() string {
	text := f.File
	if f.Line > 0 {
		text += ":" + strconv.Itoa(f.Line)
	}
	text += ": " + f.Severity.String() + " " + f.Code + " "
	if f.Field != "" {
		text += f.Field + ": "
	}
	text += f.Message
	if f.Fix != "" {
		text += "; " + f.Fix
	}
	return text
}

func (f *Finding) json() ordjson.Value {
	o := (&object{}).text("code", f.Code).text("severity", f.Severity.String()).text("file", f.File)
	if f.Line > 0 {
		o.value("line", ordjson.NewInt(f.Line))
	}
	return o.text("field", f.Field).text("message", f.Message).text("fix", f.Fix).done()
}
