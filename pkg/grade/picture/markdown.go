package picture

import (
	"cmp"
	"fmt"
	"strconv"
	"strings"

	"github.com/flowmcp/fmcp/pkg/record"
	"github.com/flowmcp/fmcp/pkg/report"
	"github.com/flowmcp/fmcp/pkg/rules"
	"github.com/flowmcp/fmcp/pkg/words"
)

// commentLimit is how many characters GitHub takes in a comment. Bytes are counted, of
// which there are never fewer.
const commentLimit = 65536

// tailRoom is kept for what says how much was left out.
const tailRoom = 1000

// section is a table of the comment.
type section struct {
	title  string
	folded int      // how many schemas it is about, which stands where it is unfolded; 0 for always open
	head   []string // of the columns
	rows   []string
}

// markdown is a comment on a pull request: what changed and what fails first, the rest
// folded.
func (g *grades) markdown() []byte {
	var b strings.Builder
	fmt.Fprintf(&b, "### Grades\n\n%s\n", g.headline())
	if counts := g.counts(); len(counts) > 1 {
		b.WriteString("\n| grade | schemas | |\n|---|--:|---|\n")
		for _, c := range counts {
			fmt.Fprintf(&b, "| %s | %d | %s |\n", named(c.letter), c.n, bar(c.n, len(g.schemas)))
		}
	}
	var left []string
	for _, s := range g.sections() {
		if n := s.write(&b); n > 0 {
			left = append(left, fmt.Sprintf("%d of “%s”", n, s.title))
		}
	}
	if len(left) > 0 {
		fmt.Fprintf(&b, "\n_Left out, because a comment has at most %d characters: %s. `fmcp-grade -f html` "+
			"shows all._\n", commentLimit, strings.Join(left, ", "))
	}
	return []byte(b.String())
}

// headline is what a reader needs who reads nothing else.
func (g *grades) headline() string {
	text := fmt.Sprintf("**%s** of %s", g.summary(), words.Count(len(g.schemas), "schema"))
	if n := g.stale(); n > 0 {
		text += fmt.Sprintf("; %d stale", n)
	}
	if by := g.scored(); by != "" {
		text += "; " + cell(by)
	}
	if g.before != nil && len(g.changed()) == 0 {
		text += "; no grade changed"
	}
	return text + "."
}

// bar is a part of a whole, 20 characters long.
func bar(n, of int) string { return strings.Repeat("█", max(1, (n*20+of/2)/of)) }

// sections are the tables, the most important first.
func (g *grades) sections() []section {
	changed := section{title: "Changed", head: []string{"schema", "was", "is", "why"}, rows: g.changed()}
	failing := section{title: "Failing", head: []string{"schema", "errors", "why"}}
	if g.before != nil { // those that did not fail before are in the table above
		failing.title = "Still failing"
	}
	tests := section{title: "Tests that fail", head: []string{"schema", "what", "why"}}
	stale := section{title: "Stale", head: []string{"schema", "is", "what is stale"}}
	missing := section{title: "No grade", head: []string{"missing", "schemas", "which"}}
	var passing []section
	reasons, ids := []string{}, map[string][]string{}
	for _, s := range g.schemas {
		for _, f := range s.failing {
			tests.rows = append(tests.rows, row(g.name(s), code(f.ID), cell(f.Why)))
		}
		if len(s.stale) > 0 {
			stale.rows = append(stale.rows, row(g.name(s), named(s.grade), cell(strings.Join(s.stale, ", "))))
		}
		switch s.grade {
		case notRead, record.GradeRejected, "F":
			if g.before != nil && g.was(s) != s.grade {
				continue
			}
			failing.rows = append(failing.rows, row(g.name(s), strconv.Itoa(len(s.errors)), g.why(s)))
		case ungraded:
			missing.folded++
			reason := strings.Join(s.missing, "; ")
			if ids[reason] == nil {
				reasons = append(reasons, reason)
			}
			ids[reason] = append(ids[reason], s.id)
		default:
			if n := len(passing); n == 0 || passing[n-1].title != s.grade {
				passing = append(passing, section{title: s.grade,
					head: []string{"schema", "score", "warnings", "stage", "needs next"}})
			}
			last := &passing[len(passing)-1]
			last.folded++
			last.rows = append(last.rows,
				row(g.name(s), s.score.NumberText(), strconv.Itoa(len(s.warnings)), cell(s.stage), needs(s)))
		}
	}
	for _, reason := range reasons {
		list := ids[reason]
		missing.rows = append(missing.rows, row(cell(reason), strconv.Itoa(len(list)), some(list, 5)))
	}
	return append(append([]section{changed, failing, tests, stale}, passing...), missing)
}

// write writes as many rows as there is room for, and says how many it left out.
func (s *section) write(b *strings.Builder) int {
	if len(s.rows) == 0 {
		return 0
	}
	start := "\n#### " + s.title + "\n\n"
	end := ""
	if s.folded > 0 {
		start = fmt.Sprintf("\n<details>\n<summary>%s: %d</summary>\n\n", s.title, s.folded)
		end = "\n</details>\n"
	}
	start += row(s.head...) + "|" + strings.Repeat("---|", len(s.head)) + "\n"
	room := commentLimit - tailRoom - b.Len() - len(start) - len(end)
	n := 0
	for n < len(s.rows) && len(s.rows[n]) <= room {
		room -= len(s.rows[n])
		n++
	}
	if n > 0 {
		b.WriteString(start + strings.Join(s.rows[:n], "") + end)
	}
	return len(s.rows) - n
}

// was is the grade that a schema had, "" of one that is new.
func (g *grades) was(s *schema) string {
	if old := g.before[s.id]; old != nil {
		return old.grade
	}
	return ""
}

// changed are the rows of schemas that had another grade before, or were not there, or
// are no longer there.
func (g *grades) changed() []string {
	if g.before == nil {
		return nil
	}
	var rows []string
	now := map[string]bool{}
	for _, s := range g.schemas {
		now[s.id] = true
		was := g.was(s)
		if was == s.grade {
			continue
		}
		why := g.why(s)
		if old := g.before[s.id]; why == "" && old != nil && old.score.Exists() && s.score.Exists() {
			why = "score " + s.score.NumberText() + ", was " + old.score.NumberText()
		}
		rows = append(rows, row(g.name(s), cmp.Or(named(was), "new"), "**"+named(s.grade)+"**", why))
	}
	for _, old := range g.gone(now) {
		rows = append(rows, row(code(old.id), named(old.grade), "gone", ""))
	}
	return rows
}

// name is the ID of a schema, with a link to its file where there is one.
func (g *grades) name(s *schema) string {
	if to := g.link.to(s.path, 1); to != "" {
		return "[" + code(s.id) + "](<" + to + ">)"
	}
	return code(s.id)
}

// reasonsShown is how many codes of a schema the comment has.
const reasonsShown = 3

// why is what was said of the grade of a schema, and of its errors the first of each code.
func (g *grades) why(s *schema) string {
	var list []string
	for _, n := range s.notes {
		list = append(list, cell(n))
	}
	groups := grouped(s.errors)
	for _, e := range groups[:min(len(groups), reasonsShown)] {
		f := e.list[0]
		text := code(strings.TrimSpace(e.code+" "+ruleName(e.code))) + " " + cell(f.Message)
		place := "line " + strconv.Itoa(f.Line)
		if to := g.link.to(s.path, f.Line); to != "" {
			place = "[" + place + "](<" + to + ">)"
		}
		if f.Line > 0 {
			text += " (" + place + ")"
		}
		if n := len(e.list); n > 1 {
			text += fmt.Sprintf(" and %d more", n-1)
		}
		list = append(list, text)
	}
	if n := len(groups) - reasonsShown; n > 0 {
		list = append(list, "and "+words.Count(n, "other code"))
	}
	return strings.Join(list, "<br>")
}

// needs is what a schema needs for its next stage; the page has the commands too.
func needs(s *schema) string {
	var list []string
	for _, n := range s.next {
		list = append(list, cell(n.Needs))
	}
	return strings.Join(list, "<br>")
}

// some are the first IDs of a list, and how many there are beside.
func some(ids []string, n int) string {
	var list []string
	for _, id := range ids[:min(n, len(ids))] {
		list = append(list, code(id))
	}
	if more := len(ids) - n; more > 0 {
		list = append(list, fmt.Sprintf("and %d more", more))
	}
	return strings.Join(list, ", ")
}

func row(cells ...string) string { return "| " + strings.Join(cells, " | ") + " |\n" }

// longest is how many bytes of a message a cell has.
const longest = 400

// cell is a message in a table. GitHub would notify whom an @ names, and take what is
// between two $ for mathematics.
func cell(s string) string {
	s = rules.Markdown(words.Clip(words.OneLine(report.Visible(s)), longest))
	return strings.NewReplacer(`\|`, `\|`, `|`, `\|`, `$`, `\$`, `@`, "@\u200b").Replace(s)
}

// code is a name in a table, as it is.
func code(s string) string {
	s = words.Clip(report.Visible(s), longest)
	fence, pad := "`", ""
	for strings.Contains(s, fence) {
		fence, pad = fence+"`", " "
	}
	return fence + pad + strings.ReplaceAll(s, "|", `\|`) + pad + fence
}
