package report

import (
	"bufio"
	"crypto/sha256"
	"encoding/hex"
	"io"
	"net/url"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/flowmcp/fmcp/pkg/ordjson"
	"github.com/flowmcp/fmcp/pkg/record"
	"github.com/flowmcp/fmcp/pkg/rules"
)

// sarif is the Static Analysis Results Interchange Format, version 2.1.0, of
// OASIS. Diagnostics are results, written as they come; error records are
// notifications of the one invocation. The rules that were met are described at
// the end, so memory grows with them and with the errors, not with the results.
//
// Messages stand as they are, though section 3.11.5 would have braces doubled:
// services show the text as it is, and {{USER_PARAM}} must read {{USER_PARAM}}.
type sarif struct {
	w             *bufio.Writer
	opts          Options
	begun         bool
	buf           []byte
	results       int
	rules         descriptors
	failures      descriptors
	notifications []ordjson.Value
}

func newSARIF(w io.Writer, opts Options) *sarif {
	return &sarif{w: bufio.NewWriter(w), opts: opts, rules: newDescriptors(), failures: newDescriptors()}
}

func (s *sarif) Flush() error { return s.w.Flush() }

func (s *sarif) Record(rec record.Record, _ []byte) error {
	f, ok := findingOf(rec)
	switch {
	case !ok:
		return nil
	case f.failed:
		s.notifications = append(s.notifications, s.notification(&f))
		return nil
	}
	s.begin()
	if s.results > 0 {
		s.raw(",")
	}
	s.results++
	s.raw("\n")
	s.value(s.result(&f))
	return nil
}

// begin writes what stands before the results.
func (s *sarif) begin() {
	if s.begun {
		return
	}
	s.begun = true
	s.raw(`{"$schema":"https://json.schemastore.org/sarif-2.1.0.json","version":"2.1.0",` +
		`"runs":[{"columnKind":"unicodeCodePoints","results":[`)
}

// Close writes what stands behind the results: the tool and how it went.
func (s *sarif) Close() error {
	s.begin()
	driver := object(
		field("name", str(s.opts.Tool)),
		field("version", str(s.opts.Version)),
		field("informationUri", str(rules.HomeURI)),
		field("rules", ordjson.NewArray(s.rules.list...)),
		field("notifications", ordjson.NewArray(s.failures.list...)),
	)
	s.raw("\n],\n\"tool\":")
	s.value(object(field("driver", driver)))
	s.raw(",\n\"invocations\":")
	s.value(ordjson.NewArray(object(
		field("executionSuccessful", ordjson.NewBool(len(s.notifications) == 0)),
		field("toolExecutionNotifications", ordjson.NewArray(s.notifications...)),
	)))
	s.raw("}]}\n")
	return s.w.Flush()
}

// raw and value write; an error stays in the writer, for Flush.
func (s *sarif) raw(text string) { _, _ = s.w.WriteString(text) }

func (s *sarif) value(v ordjson.Value) {
	s.buf = ordjson.Append(s.buf[:0], v)
	_, _ = s.w.Write(s.buf)
}

// result is a diagnostic as a result object (section 3.27).
func (s *sarif) result(f *finding) ordjson.Value {
	result := []ordjson.Member{
		field("ruleId", str(f.Code)),
		field("ruleIndex", ordjson.NewInt(s.rules.index(f.Code))),
		field("level", str(sarifLevels[f.Severity])),
		field("message", message(f.text())),
		field("locations", locations(f, s.opts.Dir)),
		field("partialFingerprints", object(field("fmcpFinding/v1", str(fingerprint(f))))),
	}
	hides := func(e record.Edit) bool { return strings.ContainsFunc(e.Text, hidden) }
	if len(f.Edits) > 0 && !slices.ContainsFunc(f.Edits, hides) { // what is cleaned is another edit
		result = append(result, field("fixes", ordjson.NewArray(fix(f, s.opts.Dir))))
	}
	return object(result...)
}

// hidden reports a character that a report does not show as it is.
func hidden(r rune) bool {
	return r == utf8.RuneError || !unicode.IsPrint(r) && !strings.ContainsRune("\n\r\t", r)
}

// fix are the edits of a diagnostic as a fix object (section 3.55). Its regions count
// bytes: a file that was edited in another encoding is another file.
func fix(f *finding, dir string) ordjson.Value {
	var replacements []ordjson.Value
	for _, e := range f.Edits {
		replacement := []ordjson.Member{field("deletedRegion", object(
			field("byteOffset", ordjson.NewInt(e.Start)), field("byteLength", ordjson.NewInt(e.End-e.Start)),
		))}
		if e.Text != "" {
			replacement = append(replacement, field("insertedContent", object(field("text", str(e.Text)))))
		}
		replacements = append(replacements, object(replacement...))
	}
	return object(
		field("description", message(f.fixedBy())),
		field("artifactChanges", ordjson.NewArray(object(
			field("artifactLocation", object(field("uri", str(uriOf(f.Loc.Path, dir))))),
			field("replacements", ordjson.NewArray(replacements...)),
		))),
	)
}

// notification is an error record as a notification object (section 3.58).
func (s *sarif) notification(f *finding) ordjson.Value {
	return object(
		field("descriptor", object(field("id", str(f.Code)), field("index", ordjson.NewInt(s.failures.index(f.Code))))),
		field("level", str(sarifLevels[f.Severity])),
		field("message", message(f.text())),
		field("locations", locations(f, s.opts.Dir)),
	)
}

var sarifLevels = map[record.Severity]string{
	record.SeverityError: "error", record.SeverityWarning: "warning", record.SeverityInfo: "note",
}

// fingerprint is the same when lines move: the code, the object and the place
// in it, as in a baseline. The path stands for an object without an id.
func fingerprint(f *finding) string {
	subject := f.Subject
	if subject == "" {
		subject = slashed(f.Loc.Path)
	}
	sum := sha256.Sum256([]byte(f.Code + "\x00" + subject + "\x00" + f.Loc.Pointer))
	return hex.EncodeToString(sum[:16])
}

// locations has the one location of a finding, in the file and in the object.
func locations(f *finding, dir string) ordjson.Value {
	var members []ordjson.Member
	if f.Loc.Path != "" {
		physical := []ordjson.Member{field("artifactLocation", object(field("uri", str(uriOf(f.Loc.Path, dir)))))}
		if f.Loc.Line > 0 {
			physical = append(physical, field("region", object(
				field("startLine", ordjson.NewInt(f.Loc.Line)),
				field("startColumn", ordjson.NewInt(max(f.Loc.Col, 1))),
			)))
		}
		members = append(members, field("physicalLocation", object(physical...)))
	}
	if logical := logicalLocations(f); len(logical) > 0 {
		members = append(members, field("logicalLocations", ordjson.NewArray(logical...)))
	}
	if len(members) == 0 {
		return ordjson.NewArray()
	}
	return ordjson.NewArray(object(members...))
}

// logicalLocations are the object and the place in it (section 3.33).
func logicalLocations(f *finding) []ordjson.Value {
	var list []ordjson.Value
	add := func(name, kind string) {
		list = append(list, object(
			field("name", str(path.Base(name))), field("fullyQualifiedName", str(name)), field("kind", str(kind)),
		))
	}
	if f.Subject != "" {
		add(f.Subject, "module")
	}
	if f.Loc.Pointer != "" {
		add(f.Subject+"#"+f.Loc.Pointer, "property")
	}
	return list
}

// uriOf is a path as a URI reference: a relative path stays relative, and one
// below dir becomes it.
func uriOf(file, dir string) string {
	if filepath.IsAbs(file) && dir != "" {
		if rel, err := filepath.Rel(dir, file); err == nil && filepath.IsLocal(rel) {
			file = rel
		}
	}
	u := url.URL{Path: filepath.ToSlash(file)}
	if filepath.IsAbs(file) {
		u.Scheme = "file"
		u.Path = "/" + strings.TrimLeft(u.Path, "/")
	}
	return u.String()
}
