package main

import (
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/flowmcp/fmcp/pkg/module"
	"github.com/flowmcp/fmcp/pkg/record"
	"github.com/flowmcp/fmcp/pkg/report"
	"github.com/flowmcp/fmcp/pkg/rules"
)

// titles say what the rules of a family are about.
var titles = map[string]string{
	"AGT": "agents", "CAT": "catalogs", "CMP": "compatibility with the field",
	"DEP": "dependencies of skills and prompts",
	"EXE": "calls", "GRD": "grades", "GTF": "GTFS feeds",
	"ID": "IDs", "LOD": "reading files and records", "LST": "shared lists",
	"MCP": "serving", "MIG": "migration from older versions", "PH": "placeholders in text",
	"PRE": "preloading", "PRM": "prompts", "RES": "resources", "SEC": "forbidden code", "SEL": "selections",
	"SKL": "skills",
	"SKM": "SKILL.md files", "TST": "tests of tools", "VAL": "schemas: main, tools, parameters, output",
}

// rulePages makes the pages of the rules, by file name.
func rulePages(fsys fs.FS) (map[string]string, error) {
	pages := map[string]string{"index.md": ruleIndex()}
	for _, family := range rules.Families() {
		var b strings.Builder
		fmt.Fprintf(&b, "# %s\n\n%s\n\n[All rules](index.md)\n", heading(family), generated)
		for _, r := range rules.All() {
			if r.Family() != family {
				continue
			}
			if err := ruleSection(&b, r, fsys); err != nil {
				return nil, fmt.Errorf("%s: %w", r.Code, err)
			}
		}
		pages[strings.ToLower(family)+".md"] = b.String()
	}
	return pages, nil
}

const generated = "<!-- Written by make docs, from pkg/rules and the examples in testdata/rules. -->"

func heading(family string) string {
	if title := titles[family]; title != "" {
		return family + ": " + title
	}
	return family
}

// ruleIndex is the table of all codes.
func ruleIndex() string {
	var b strings.Builder
	fmt.Fprintf(&b, "# Rules\n\n%s\n\n", generated)
	b.WriteString("Every code that a command reports, with its severity under `--profile spec` and `--profile " +
		"community`, and the\n" +
		"chapter of the specification, or the decision of fmcp ([decisions.md](../decisions.md)), that it " +
		"follows; an\n" +
		"own code is about how fmcp works. `fmcp-validate --explain CODE` says the same as the pages.\n\n")
	for _, family := range rules.Families() {
		fmt.Fprintf(&b, "- [%s](%s.md)\n", heading(family), strings.ToLower(family))
	}
	b.WriteString("\n| code | name | spec | community | follows | what must hold |\n|---|---|---|---|---|---|\n")
	for _, r := range rules.All() {
		spec, community, summary := r.Spec.String(), r.Community.String(), rules.Markdown(r.Summary)
		if r.Replaced != "" {
			spec, community, summary = "retired", "retired", "Replaced by "+codeLink(r.Replaced)+"."
		}
		fmt.Fprintf(&b, "| %s | %s | %s | %s | %s | %s |\n", codeLink(r.Code), r.Name, spec, community,
			r.ReferenceLink(), summary)
	}
	return b.String()
}

// codeLink links a code to its rule.
func codeLink(code string) string {
	if r, ok := rules.Lookup(code); ok {
		return "[" + code + "](" + r.Page() + ")"
	}
	return code
}

// ruleSection writes all there is to know about a rule.
func ruleSection(b *strings.Builder, r *rules.Rule, fsys fs.FS) error {
	fmt.Fprintf(b, "\n## %s\n\n", r.Code)
	if r.Replaced != "" {
		fmt.Fprintf(b, "`%s` · retired · %s\n\nReplaced by %s.\n\n%s\n", r.Name, r.ReferenceLink(),
			codeLink(r.Replaced), rules.Markdown(r.Summary))
		return nil
	}
	severity := r.Spec.String()
	if r.Community != r.Spec {
		severity += ", " + r.Community.String() + " under `--profile community`"
	}
	fmt.Fprintf(b, "`%s` · %s · since %s · %s\n\n**%s**\n\n%s\n\n", r.Name, severity, r.Since, r.ReferenceLink(),
		rules.Markdown(r.Summary), rules.Markdown(r.Why))
	list, err := rules.Fixtures(fsys, r.Code)
	if err != nil {
		return err
	}
	bad, good := rules.Examples(list)
	for i, f := range bad {
		out, err := printed(f)
		if err != nil {
			return err
		}
		writeExample(b, "Bad:", rules.Excerpt(r, f.Files, good.Files))
		writeExample(b, "Output:", out)
		if i == 0 && good.Name != "" {
			writeExample(b, "Good:", rules.Excerpt(r, good.Files, f.Files))
		}
	}
	fmt.Fprintf(b, "Fix: %s\n", rules.Markdown(r.Fix))
	if by := rules.FixedBy(r, list); by != "" {
		fmt.Fprintf(b, "\nFixed by: %s ([fix.md](../fix.md))\n", by)
	}
	return nil
}

// writeExample writes a fenced block. The fence is longer than any in it.
func writeExample(b *strings.Builder, title, text string) {
	fence := "```"
	for strings.Contains(text, fence) {
		fence += "`"
	}
	fmt.Fprintf(b, "%s\n\n%stext\n%s\n%s\n\n", title, fence, strings.TrimRight(text, "\n"), fence)
}

// printed is what fmcp-validate -f text prints about an example.
func printed(f rules.Fixture) (string, error) {
	var out strings.Builder
	r, err := report.New("text", &out, report.Options{Source: func(l *record.Loc) (report.Lines, bool) {
		i := slices.IndexFunc(f.Files, func(file rules.FixtureFile) bool { return file.Path == l.Path })
		if i < 0 {
			return nil, false
		}
		return module.NewLines(f.Files[i].Source), true
	}})
	if err != nil {
		return "", err
	}
	found := slices.Clone(f.Found)
	slices.SortStableFunc(found, (*record.Diagnostic).Compare)
	for _, d := range found {
		if err := r.Record(d, nil); err != nil {
			return "", err
		}
	}
	err = r.Close()
	return out.String(), err
}

// updateMade writes files into dir, or says where those that are there differ; it
// returns how many do. Of the files that match names, one that is made no longer differs
// too, as the page of a family that is gone.
func updateMade(dir, names string, pages map[string]string, write bool) (stale int, err error) {
	if write {
		if err := os.MkdirAll(dir, 0o755); err != nil {
			return 0, err
		}
	}
	old, err := filepath.Glob(filepath.Join(dir, names))
	if err != nil {
		return 0, err
	}
	all := map[string]bool{}
	for _, path := range old {
		all[filepath.Base(path)] = true
	}
	for name := range pages {
		all[name] = true
	}
	for _, name := range slices.Sorted(maps.Keys(all)) {
		path := filepath.Join(dir, name)
		before, err := os.ReadFile(path)
		after, wanted := pages[name]
		switch {
		case err == nil && wanted && string(before) == after:
			continue
		case !write:
			reportDifference(path, string(before), after)
		case wanted:
			err = os.WriteFile(path, []byte(after), 0o644)
		default:
			err = os.Remove(path)
		}
		if write && err != nil {
			return stale, err
		}
		stale++
	}
	return stale, nil
}
