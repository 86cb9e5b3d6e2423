package report

import (
	"encoding/xml"
	"fmt"
	"strings"
	"testing"

	gojunit "github.com/joshdk/go-junit"
)

// junitDoc is JUnit's format as services know it; what is not in it is an
// attribute or element that some of them refuse.
type junitDoc struct {
	XMLName xml.Name `xml:"testsuites"`
	Name    string   `xml:"name,attr"`
	Other   []any    `xml:",any,attr"`
	Suites  []struct {
		Name     string `xml:"name,attr"`
		Tests    int    `xml:"tests,attr"`
		Failures int    `xml:"failures,attr"`
		Errors   int    `xml:"errors,attr"`
		Cases    []struct {
			Name      string   `xml:"name,attr"`
			Class     string   `xml:"classname,attr"`
			File      string   `xml:"file,attr"`
			Line      int      `xml:"line,attr"`
			Failure   []detail `xml:"failure"`
			Error     []detail `xml:"error"`
			SystemOut []string `xml:"system-out"`
			Unknown   []detail `xml:",any"`
		} `xml:"testcase"`
		Unknown []detail `xml:",any"`
	} `xml:"testsuite"`
	Unknown []detail `xml:",any"`
}

type detail struct {
	XMLName xml.Name
	Type    string `xml:"type,attr"`
	Message string `xml:"message,attr"`
	Text    string `xml:",chardata"`
}

func parseJUnit(t *testing.T, out string) junitDoc {
	t.Helper()
	var doc junitDoc
	if err := xml.Unmarshal([]byte(out), &doc); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	return doc
}

func TestJUnitIsValid(t *testing.T) {
	everyCase(t, "junit", func(t *testing.T, _, out string) {
		doc := parseJUnit(t, out)
		total := 0
		for _, s := range doc.Suites {
			failures, errors := 0, 0
			seen := map[string]bool{}
			for _, c := range s.Cases {
				failures += len(c.Failure)
				errors += len(c.Error)
				if c.Name == "" || c.Class != s.Name || seen[c.Name] || len(c.Unknown) > 0 {
					t.Errorf("suite %q: case %+v", s.Name, c)
				}
				seen[c.Name] = true
			}
			if len(s.Cases) == 0 || s.Tests != len(s.Cases) || s.Failures != failures || s.Errors != errors ||
				len(s.Unknown) > 0 {
				t.Errorf("suite %+v", s)
			}
			total += s.Tests
		}
		if total == 0 || len(doc.Unknown) > 0 {
			t.Errorf("no tests: services take that for a mistake\n%s", out)
		}
		suites, err := gojunit.Ingest([]byte(out))
		read := 0
		for _, s := range suites {
			read += s.Totals.Tests
		}
		if err != nil || read != total {
			t.Errorf("go-junit reads %d of %d tests, %v", read, total, err)
		}
	})
}

// outline is what a person sees of a report: per suite its counts, per case its
// name and state.
func outline(t *testing.T, out string) string {
	var b strings.Builder
	for _, s := range parseJUnit(t, out).Suites {
		fmt.Fprintf(&b, "%s %d/%d/%d\n", s.Name, s.Tests, s.Failures, s.Errors)
		for _, c := range s.Cases {
			state := "passed"
			switch {
			case len(c.Error) > 0:
				state = "error " + c.Error[0].Message
			case len(c.Failure) > 0:
				state = "failed " + c.Failure[0].Message
			case len(c.SystemOut) > 0:
				state = "passed: " + c.SystemOut[0]
			}
			fmt.Fprintf(&b, "  %s:%d %s\n", c.Name, c.Line, state)
		}
	}
	return b.String()
}

func TestJUnit(t *testing.T) {
	tests := []struct {
		name, of string
		opts     Options
		want     string
	}{
		{"nothing", "empty", options, "fmcp-validate 1/0/0\n  no findings:0 passed\n"},
		{"other kinds", "other kinds", options, "fmcp-validate 1/0/0\n  no findings:0 passed\n"},
		{"severities", "all severities", options, `dir/a.mjs 2/1/0
  VAL032 tool-method /tools/paint/method:13 failed found {{x}}
  CMP006 schema-hash /schemaHash:20 passed: dir/a.mjs:20:21: warning CMP006: main.schemaHash: missing
fix: write it
dir/b.mjs 1/0/0
  CMP010 schema-names /name:0 passed: dir/b.mjs#/name: info CMP010: m
`},
		{"--fail-on warning", "one", strict,
			"a.mjs 1/1/0\n  CMP006 schema-hash /schemaHash:2 failed main.schemaHash: missing\n"},
		{"files that come by", "files", options, `c/clean.mjs 1/0/0
  no findings:0 passed
c/dirty.mjs 1/0/0
  CMP006 schema-hash /schemaHash:1 passed: c/dirty.mjs:1:21: warning CMP006: main.schemaHash: missing
fix: write it
`},
		{"one name twice", "twins", strict, `a.mjs 2/2/0
  CMP006 schema-hash /schemaHash:1 failed main.schemaHash: missing
  CMP006 schema-hash /schemaHash (2):9 failed main.schemaHash: missing
b.mjs 1/1/0
  CMP006 schema-hash /schemaHash:1 failed main.schemaHash: missing
a.mjs 1/1/0
  CMP006 schema-hash /schemaHash:12 failed main.schemaHash: missing
`},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := outline(t, write(t, "junit", tt.opts, cases[tt.of]...)); got != tt.want {
				t.Errorf("%s\nwant\n%s", got, tt.want)
			}
		})
	}
	if doc := parseJUnit(t, write(t, "junit", options, cases["errors"]...)); len(doc.Suites) != 4 ||
		doc.Suites[0].Errors != 1 || doc.Suites[0].Failures != 0 {
		t.Errorf("errors: %+v", doc)
	}
}
