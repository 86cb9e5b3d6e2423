package survey

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/flowmcp/fmcp/pkg/catalog"
	"github.com/flowmcp/fmcp/pkg/ordjson"
	"github.com/flowmcp/fmcp/pkg/record"
	"github.com/flowmcp/fmcp/pkg/report"
	"github.com/flowmcp/fmcp/pkg/rules"
	"github.com/flowmcp/fmcp/pkg/words"
)

// table is a part of the answer.
type table struct {
	head []string
	rows [][]string
}

// counted are the types that are counted, in order.
var counted = []record.Type{typeSchema, record.TypeTool, record.TypeResource, record.TypePrompt, record.TypeSkill,
	record.TypeSelection, record.TypeAgent, record.TypeList, record.TypeLibrary,
	record.TypeHandlers, record.TypeSkillMD}

// tables are all parts that have rows.
func (s *Stats) tables() []table {
	return slices.DeleteFunc([]table{s.catalogs(), s.kinds(), s.calls(), s.methods(), s.keys(), s.namespaces(),
		s.leftOut()}, func(t table) bool { return len(t.rows) == 0 })
}

func (s *Stats) catalogs() table {
	t := table{head: []string{"catalog", "version", "profile", "narrowed by"}}
	for _, c := range s.Catalogs {
		var by []string
		for _, n := range c.Narrowed {
			by = append(by, n.Flags())
		}
		t.rows = append(t.rows, []string{c.Name, c.Version, c.Profile, strings.Join(by, "; ")})
	}
	return t
}

func (s *Stats) kinds() table {
	t := table{head: []string{"what", "number"}}
	for _, typ := range counted {
		if n := s.Counts[typ]; n > 0 {
			t.rows = append(t.rows, []string{string(typ), strconv.Itoa(n)})
		}
	}
	return t
}

// part is a number of a whole, as a percentage too.
func part(n, of int) string {
	if of == 0 {
		return "0"
	}
	return fmt.Sprintf("%d (%d%%)", n, n*100/of)
}

func (s *Stats) calls() table {
	t := table{head: []string{"of", "tools", "queries"}}
	row := func(name string, show func(Calls) string) {
		t.rows = append(t.rows, []string{name, show(s.Tools), show(s.Queries)})
	}
	row("number", func(c Calls) string { return strconv.Itoa(c.Number) })
	row("read-only", func(c Calls) string { return part(c.ReadOnly, c.Number) })
	row("with handlers", func(c Calls) string { return part(c.Handled, c.Number) })
	row("with an output schema", func(c Calls) string { return part(c.WithOutput, c.Number) })
	row("parameters of callers", func(c Calls) string { return strconv.Itoa(c.Parameters) })
	row("described parameters", func(c Calls) string { return part(c.Described, c.Parameters) })
	row("tests", func(c Calls) string { return strconv.Itoa(c.Tests) })
	row("without a test", func(c Calls) string { return part(c.Untested, c.Number) })
	row("with 1 or 2 tests", func(c Calls) string { return part(c.Few, c.Number) })
	return t
}

func (s *Stats) methods() table {
	t := table{head: []string{"method", "tools"}}
	for _, m := range slices.Sorted(maps.Keys(s.Methods)) {
		t.rows = append(t.rows, []string{m, strconv.Itoa(s.Methods[m])})
	}
	return t
}

func (s *Stats) keys() table {
	t := table{head: []string{"key", "domain", "tools"}}
	for _, k := range s.Keys {
		t.rows = append(t.rows, []string{k.Key, k.Domain, strconv.Itoa(len(k.Tools))})
	}
	return t
}

func (s *Stats) namespaces() table {
	t := table{head: []string{"namespace"}}
	types := slices.DeleteFunc(slices.Clone(counted), func(typ record.Type) bool {
		return !slices.ContainsFunc(slices.Collect(maps.Values(s.Namespaces)),
			func(n map[record.Type]int) bool { return n[typ] > 0 })
	})
	for _, typ := range types {
		t.head = append(t.head, string(typ))
	}
	for _, name := range slices.Sorted(maps.Keys(s.Namespaces)) {
		row := []string{name}
		for _, typ := range types {
			row = append(row, strconv.Itoa(s.Namespaces[name][typ]))
		}
		t.rows = append(t.rows, row)
	}
	return t
}

// reason is a code that leaves something out, and where it does.
type reason struct {
	code, name string
	files      []string
}

// reasons are the codes of what is left out, the most frequent first.
func (s *Stats) reasons() []*reason {
	byCode := map[string]*reason{}
	var list []*reason
	for _, l := range s.LeftOut {
		if byCode[l.Code] == nil {
			byCode[l.Code] = &reason{code: l.Code}
			if rule, ok := rules.Lookup(l.Code); ok {
				byCode[l.Code].name = rule.Name
			}
			list = append(list, byCode[l.Code])
		}
		byCode[l.Code].files = append(byCode[l.Code].files, l.File)
	}
	slices.SortFunc(list, func(a, b *reason) int {
		return cmp.Or(len(b.files)-len(a.files), strings.Compare(a.code, b.code))
	})
	return list
}

// lacks is how many files, tools and resources the catalogs lack.
func (s *Stats) lacks() int {
	n := 0
	for _, c := range s.Catalogs {
		n += c.Counts.LeftOut
	}
	return n
}

// leftOut says what is left out, and why, as far as that is known.
func (s *Stats) leftOut() table {
	t := table{head: []string{"left out by", "", "errors", "files"}}
	for _, r := range s.reasons() {
		files := slices.Compact(slices.Sorted(slices.Values(r.files)))
		t.rows = append(t.rows, []string{r.code, r.name, strconv.Itoa(len(r.files)), words.List(files)})
	}
	if n := s.lacks(); len(t.rows) == 0 && n > 0 {
		t = table{head: []string{"left out", ""},
			rows: [][]string{{strconv.Itoa(n), "fmcp-resolve said why when it made the file; name the folder"}}}
	}
	return t
}

// Text is the numbers in columns.
func (s *Stats) Text() string {
	var b strings.Builder
	for i, t := range s.tables() {
		if i > 0 {
			b.WriteString("\n")
		}
		widths := make([]int, len(t.head))
		all := append([][]string{t.head}, t.rows...)
		for _, row := range all {
			for j, cell := range row {
				widths[j] = max(widths[j], utf8.RuneCountInString(report.Visible(cell)))
			}
		}
		for _, row := range all {
			line := ""
			for j, cell := range row {
				line += fmt.Sprintf("%-*s  ", widths[j], report.Visible(cell))
			}
			b.WriteString(strings.TrimRight(line, " ") + "\n")
		}
	}
	return b.String()
}

// Markdown is the numbers in tables.
func (s *Stats) Markdown() string {
	var b strings.Builder
	for i, t := range s.tables() {
		if i > 0 {
			b.WriteString("\n")
		}
		b.WriteString("| " + strings.Join(t.head, " | ") + " |\n" + strings.Repeat("|---", len(t.head)) + "|\n")
		for _, row := range t.rows {
			for j, cell := range row {
				row[j] = rules.Markdown(report.Visible(cell))
			}
			b.WriteString("| " + strings.Join(row, " | ") + " |\n")
		}
	}
	return b.String()
}

// JSON is the numbers in one object.
func (s *Stats) JSON() ordjson.Value {
	var catalogs, keys, namespaces, leftOut []ordjson.Value
	for _, c := range s.Catalogs {
		catalogs = append(catalogs, catalog.Encode(c).Data)
	}
	for _, k := range s.Keys {
		keys = append(keys, ordjson.NewObject(ordjson.Field("key", ordjson.NewString(k.Key)),
			ordjson.Field("domain", ordjson.NewString(k.Domain)), number("tools", len(k.Tools))))
	}
	for _, name := range slices.Sorted(maps.Keys(s.Namespaces)) {
		namespaces = append(namespaces, ordjson.NewObject(ordjson.Field("namespace", ordjson.NewString(name)),
			ordjson.Field("counts", counts(s.Namespaces[name]))))
	}
	for _, l := range s.LeftOut {
		leftOut = append(leftOut, ordjson.NewObject(ordjson.Field("code", ordjson.NewString(l.Code)),
			ordjson.Field("file", ordjson.NewString(l.File)), ordjson.Field("message", ordjson.NewString(l.Message))))
	}
	var methods []ordjson.Member
	for _, m := range slices.Sorted(maps.Keys(s.Methods)) {
		methods = append(methods, number(m, s.Methods[m]))
	}
	return ordjson.NewObject(
		ordjson.Field("catalogs", ordjson.NewArray(catalogs...)), ordjson.Field("counts", counts(s.Counts)),
		ordjson.Field("tools", s.Tools.json()), ordjson.Field("queries", s.Queries.json()),
		ordjson.Field("methods", ordjson.NewObject(methods...)), ordjson.Field("keys", ordjson.NewArray(keys...)),
		ordjson.Field("namespaces", ordjson.NewArray(namespaces...)),
		number("leftOut", s.lacks()), ordjson.Field("reasons", ordjson.NewArray(leftOut...)),
	)
}

func number(key string, n int) ordjson.Member { return ordjson.Field(key, ordjson.NewInt(n)) }

func counts(of map[record.Type]int) ordjson.Value {
	var members []ordjson.Member
	for _, typ := range counted {
		if of[typ] > 0 {
			members = append(members, number(string(typ), of[typ]))
		}
	}
	return ordjson.NewObject(members...)
}

func (c *Calls) json() ordjson.Value {
	return ordjson.NewObject(number("number", c.Number), number("readOnly", c.ReadOnly),
		number("withHandlers", c.Handled), number("withOutput", c.WithOutput), number("parameters", c.Parameters),
		number("described", c.Described), number("tests", c.Tests), number("untested", c.Untested),
		number("fewTests", c.Few))
}
