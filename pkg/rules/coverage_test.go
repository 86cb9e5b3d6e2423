package rules_test

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/flowmcp/fmcp/pkg/rules"
)

// specFamilies are the families of codes that the specification defines; all
// others are ours.
var specFamilies = []string{"VAL", "RES", "SKL", "DEP", "SEC", "LST", "AGT", "SEL", "PRM", "CAT", "ID", "PH", "TST"}

// codesFile lists the codes that occur in each chapter. It stands for the text
// if that is not at hand, and -update makes it again.
const codesFile = "testdata/codes.txt"

var (
	codePattern  = regexp.MustCompile(`\b(` + strings.Join(specFamilies, "|") + `)(\d{3})\b`)
	rangePattern = regexp.MustCompile(`\b([A-Z]{2,3})(\d{3})\x60?\s*(?:-|–|to)\s*\x60?([A-Z]{2,3})(\d{3})\b`)
)

// chapterCodes reads the codes of every chapter in dir: those that occur, and
// of a range written as AGT001-AGT018 all between its ends that some chapter
// names.
func chapterCodes(t *testing.T, dir string) map[string][]string {
	t.Helper()
	names, err := filepath.Glob(filepath.Join(dir, "[0-9][0-9]-*.md"))
	if err != nil || len(names) == 0 {
		t.Fatalf("no chapters in %s (%v)", dir, err)
	}
	texts, all := map[string]string{}, map[string]bool{}
	for _, name := range names {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		texts[filepath.Base(name)] = string(text)
		for _, code := range codePattern.FindAllString(string(text), -1) {
			all[code] = true
		}
	}
	chapters := map[string][]string{}
	for name, text := range texts {
		codes := codePattern.FindAllString(text, -1)
		for _, m := range rangePattern.FindAllStringSubmatch(text, -1) {
			for code := range all {
				if m[1] == m[3] && strings.HasPrefix(code, m[1]) && code >= m[1]+m[2] && code <= m[3]+m[4] {
					codes = append(codes, code)
				}
			}
		}
		slices.Sort(codes)
		if codes = slices.Compact(codes); len(codes) > 0 {
			chapters[name] = codes
		}
	}
	return chapters
}

// committedCodes reads codesFile: a line for each chapter, its codes after it.
func committedCodes(t *testing.T) map[string][]string {
	t.Helper()
	text, err := os.ReadFile(codesFile)
	if err != nil {
		t.Fatal(err)
	}
	chapters := map[string][]string{}
	for line := range strings.Lines(string(text)) {
		if fields := strings.Fields(line); len(fields) > 1 && fields[0] != "#" {
			chapters[strings.TrimSuffix(fields[0], ":")] = fields[1:]
		}
	}
	return chapters
}

func writeCodes(t *testing.T, chapters map[string][]string) {
	t.Helper()
	var names []string
	for name := range chapters {
		names = append(names, name)
	}
	slices.Sort(names)
	var b strings.Builder
	b.WriteString("# The codes that occur in the chapters of the specification. Written by go test ./pkg/rules -run " +
		"Coverage -update.\n")
	for _, name := range names {
		fmt.Fprintf(&b, "%s: %s\n", name, strings.Join(chapters[name], " "))
	}
	if err := os.WriteFile(codesFile, []byte(b.String()), 0o644); err != nil {
		t.Fatal(err)
	}
}

// The committed list is what the text says, where the text is at hand.
func TestCoverageListIsTheText(t *testing.T) {
	dir := os.Getenv("FMCP_SPEC")
	if dir == "" {
		if dir = filepath.Join("..", "..", "..", "shared", "spec"); !isDir(dir) {
			return // nothing to compare with: the committed list stands for the text
		}
	}
	text := chapterCodes(t, dir)
	if *update {
		writeCodes(t, text)
	}
	listed := committedCodes(t)
	for name, codes := range text {
		if !slices.Equal(codes, listed[name]) {
			t.Errorf("%s: the text has %s\n%s has %s (rewrite with -update)", name, codes, codesFile, listed[name])
		}
		delete(listed, name)
	}
	for name := range listed {
		t.Errorf("%s has the chapter %s, which the text does not have", codesFile, name)
	}
}

func isDir(name string) bool {
	info, err := os.Stat(name)
	return err == nil && info.IsDir()
}

// Every code in the text of the specification has a row or a tombstone, and
// every row of its families is in the text, but for those that are ours.
func TestCoverage(t *testing.T) {
	in := map[string]string{}
	for name, codes := range committedCodes(t) {
		for _, code := range codes {
			in[code] = name
		}
	}
	if len(in) < 245 {
		t.Errorf("%s has %d codes; the specification has at least 245", codesFile, len(in))
	}
	rows := map[string]bool{}
	for _, r := range rules.All() {
		family := strings.TrimRight(r.Code, "0123456789")
		if !slices.Contains(specFamilies, family) {
			continue
		}
		rows[r.Code] = true
		if in[r.Code] == "" && !strings.HasPrefix(r.Since, "fmcp") {
			t.Errorf("%s has a row, but no chapter has the code", r.Code)
		}
	}
	for code, chapter := range in {
		if !rows[code] {
			t.Errorf("%s of %s has no row and no tombstone", code, chapter)
		}
	}
}
