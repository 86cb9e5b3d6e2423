package rules_test

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/flowmcp/fmcp/pkg/record"
	"github.com/flowmcp/fmcp/pkg/rules"
	fixtures "github.com/flowmcp/fmcp/testdata/rules"
)

// specCodes are the codes of chapter 09's tables about a schema itself.
var specCodes = strings.Fields(`
	VAL001 VAL002 VAL003 VAL004 VAL005
	VAL010 VAL011 VAL012 VAL013 VAL014 VAL015 VAL016 VAL017 VAL018
	VAL020 VAL021 VAL022 VAL023 VAL024 VAL025 VAL026
	VAL030 VAL031 VAL032 VAL033 VAL034 VAL035 VAL036 VAL037
	VAL040 VAL041 VAL042 VAL043 VAL044 VAL045 VAL046 VAL047 VAL048 VAL049 VAL050
	VAL060 VAL061 VAL062 VAL063 VAL064 VAL065
	VAL070 VAL071 VAL072 VAL073 VAL074 VAL075
	VAL100 VAL101 VAL102 VAL103 VAL104 VAL105 VAL106 VAL107
	LST001 LST002 LST003 LST004 LST005 LST006 LST007 LST008 LST009 LST010 LST011
	PRE001 PRE002 PRE003 PRE004 PRE005 PRE006 DEP001 DEP002 DEP003 DEP004
	CAT001 CAT002 CAT003 CAT004 CAT005 CAT006 CAT007 ID001 ID002 ID003 ID004 ID005 ID006
	SKL001 SKL002 SKL003 SKL004 SKL005 SKL006 SKL007 SKL008 SKL009 SKL010 SKL011 SKL012 SKL013 SKL014 SKL015 SKL016 SKL017 SKL018
	SKL020 SKL021 SKL022 SKL023 SKL024 SKL025
	AGT001 AGT002 AGT003 AGT004 AGT005 AGT006 AGT007 AGT008 AGT009 AGT010 AGT011 AGT012 AGT013 AGT014 AGT015 AGT016 AGT017 AGT018 AGT019 AGT020
	AGT030 AGT031 SEL001 SEL002 SEL003 SEL004
	RES001 RES002 RES003 RES004 RES005 RES006 RES007 RES008 RES009 RES010 RES011 RES012 RES013 RES014
	RES015 RES016 RES017 RES018 RES019 RES020 RES021 RES022 RES023 RES024 RES025 RES026 RES027 RES028
	RES029 RES030 RES031 RES032 RES033 RES034 RES035 RES036 RES037 RES038 RES039 RES040 RES041 RES042
	PRM001 PRM002 PRM003 PRM004 PRM005 PRM006 PRM007 PRM008 PRM009 PRM010 PRM011 PRM012 PRM013
	PH001 PH002 PH003 PH004
	TST001 TST002 TST003 TST004 TST006 TST007 TST008 TST009 TST010 TST011 TST012 TST013 SEC018 SEC019
	VAL110`)

// specSeverities are those of chapter 09 that are not error, but for VAL005
// (decision "Names of handlers").
var specSeverities = map[string]record.Severity{
	"VAL018": record.SeverityWarning, "VAL036": record.SeverityWarning,
	"VAL037": record.SeverityInfo, "VAL063": record.SeverityWarning, "VAL075": record.SeverityWarning,
	"PRE004": record.SeverityWarning, "PRE005": record.SeverityInfo, "PRE006": record.SeverityWarning,
	"DEP003": record.SeverityWarning, "DEP004": record.SeverityWarning, "CAT006": record.SeverityWarning,
	"AGT012": record.SeverityWarning, "SEL004": record.SeverityInfo,
	"SKL020": record.SeverityWarning, "SKL021": record.SeverityWarning, "SKL024": record.SeverityWarning,
	"SKL025": record.SeverityWarning,
	"TST007": record.SeverityWarning, "TST008": record.SeverityInfo, "TST012": record.SeverityWarning,
	"TST013": record.SeverityInfo,
	"RES020": record.SeverityWarning, "RES034": record.SeverityWarning, "RES040": record.SeverityWarning,
	"RES042": record.SeverityInfo,
}

func TestSpecCodesHaveRows(t *testing.T) {
	for _, code := range specCodes {
		r, ok := rules.Lookup(code)
		if !ok {
			t.Errorf("%s has no row", code)
			continue
		}
		want := record.SeverityError
		if s, ok := specSeverities[code]; ok {
			want = s
		}
		if r.Spec != want {
			t.Errorf("%s is %s, chapter 09 says %s", code, r.Spec, want)
		}
		scanned := code == "RES023"
		if r.Check == nil && r.Replaced == "" && !scanned && !slices.Contains(noFixtures, code) {
			t.Errorf("%s has no check", code)
		}
	}
}

// unregistered are the families whose rows come with a later step.
var unregistered []string

// Every code that the product can print has a row that explains it.
func TestCodesInSourceHaveRows(t *testing.T) {
	literal := regexp.MustCompile(`"([A-Z]{3}\d{3})"`)
	seen := 0
	err := filepath.WalkDir("..", func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || !strings.HasSuffix(name, ".go") || strings.HasSuffix(name, "_test.go") {
			return err
		}
		text, err := os.ReadFile(name)
		if err != nil {
			return err
		}
		for _, m := range literal.FindAllSubmatch(text, -1) {
			seen++
			code := string(m[1])
			if _, ok := rules.Lookup(code); !ok && !slices.Contains(unregistered, code[:3]) {
				t.Errorf("%s: code %s has no row", name, code)
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if seen < len(specCodes) {
		t.Fatalf("found %d codes in the source; the pattern or the folder is wrong", seen)
	}
}

func TestRowsAreComplete(t *testing.T) {
	names := map[string]string{}
	for i, r := range rules.All() {
		if i > 0 && rules.All()[i-1].Code == r.Code {
			t.Errorf("%s has two rows", r.Code)
		}
		if other := names[r.Name]; other != "" && r.Replaced == "" {
			t.Errorf("%s and %s are both called %s", other, r.Code, r.Name)
		}
		names[r.Name] = r.Code
		for field, text := range map[string]string{"Name": r.Name, "Since": r.Since, "Chapter": r.Chapter,
			"Summary": r.Summary, "Why": r.Why, "Fix": r.Fix} {
			if text == "" && r.Replaced == "" {
				t.Errorf("%s has no %s", r.Code, field)
			}
		}
		if r.Community > r.Spec {
			t.Errorf("%s is stricter under community (%s) than under spec (%s)", r.Code, r.Community, r.Spec)
		}
		if r.Replaced != "" {
			if _, ok := rules.Lookup(r.Replaced); !ok {
				t.Errorf("%s names %s, which has no row", r.Code, r.Replaced)
			}
		}
	}
	if _, ok := rules.Lookup("VAL999"); ok {
		t.Error("found a row for VAL999")
	}
}

func TestExplainEveryRule(t *testing.T) {
	for _, r := range rules.All() {
		var b strings.Builder
		if err := rules.Explain(&b, r, fixtures.FS); err != nil {
			t.Errorf("%s: %v", r.Code, err)
		}
		for _, part := range []string{r.Code, r.Summary, r.Why, r.Fix} {
			if !strings.Contains(b.String(), part) {
				t.Errorf("%s: explanation lacks %q", r.Code, part)
			}
		}
	}
}

func TestExplain(t *testing.T) {
	r, _ := rules.Lookup("VAL030")
	var b strings.Builder
	if err := rules.Explain(&b, r, fixtures.FS); err != nil {
		t.Fatal(err)
	}
	const want = `VAL030 tool-name
error (warning under --profile community), since 2.0.0, chapter 09

The name of a tool matches ^[a-z][a-zA-Z0-9]*$.

Why: The name is part of the tool's ID and of the name that MCP clients call it by.

Fix: Use camelCase: getContractAbi.

Fixed by: fmcp-validate --fix=all, which marks it as needing a look

Wrong:
   16          get_price: {

  line 16: main.tools.get_price: found the name "get_price", expected letters and digits, a lower-case letter first
  fix: rename the tool to getPrice

Right:
   16          getPrice: {
`
	if b.String() != want {
		t.Errorf("got:\n%s\nwant:\n%s", b.String(), want)
	}
}

func TestExplainNamesCommunitySeverity(t *testing.T) {
	r, _ := rules.Lookup("VAL100")
	var b strings.Builder
	if err := rules.Explain(&b, r, fixtures.FS); err != nil {
		t.Fatal(err)
	}
	if want := "error (warning under --profile community), since 4.0.0, chapter 19"; !strings.Contains(b.String(),
		want) {
		t.Errorf("explanation lacks %q:\n%s", want, b.String())
	}
}

// The codes and severities that docs/decisions.md decides.
func TestDecidedSeverities(t *testing.T) {
	const e, w, i = record.SeverityError, record.SeverityWarning, record.SeverityInfo
	for _, c := range []struct {
		code            string
		spec, community record.Severity
	}{
		{"VAL003", e, w}, {"VAL030", e, w}, {"VAL100", e, w}, {"CMP001", w, w}, {"CMP002", e, w}, {"CMP003", e, w},
		{"CMP004", e, w},
		{"CMP005", w, w}, {"CMP006", w, w}, {"CMP007", i, i}, {"CMP008", e, w}, {"CMP009", w, w}, {"CMP010", i, i},
		{"TST001", e, w},
		{"LST005", e, w}, {"ID005", e, e},
	} {
		r, ok := rules.Lookup(c.code)
		if !ok {
			t.Fatalf("%s has no row", c.code)
		}
		if r.Severity(rules.ProfileSpec) != c.spec || r.Severity(rules.ProfileCommunity) != c.community {
			t.Errorf("%s: %s, %s; want %s, %s", c.code, r.Spec, r.Community, c.spec, c.community)
		}
	}
}
