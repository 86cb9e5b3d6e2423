package usage

import (
	"cmp"
	"os"
	"slices"
	"strings"
	"unicode"

	"github.com/flowmcp/fmcp/pkg/catalog"
	"github.com/flowmcp/fmcp/pkg/ordjson"
	"github.com/flowmcp/fmcp/pkg/record"
)

// What the values of flags and arguments are, by their names in help.
var (
	files = []string{"FILE", "PATH", "CATALOG", "FEED", "DATABASE", "OUT.MCPB", "OLD", "NEW", "TARGET"}
	dirs  = []string{"DIR", "FOLDER", "DEST", "URL|DIR"}
	ids   = []string{"SPEC-ID", "ID", "TARGET", "GLOB|WORD", "GLOB"}
)

// values are what a flag or an argument may be that begins with what is typed of
// it. lead is what stands before it in the word.
func (l *line) values(v Value, lead, typed string) answer {
	var a answer
	name, isList := strings.CutSuffix(v.Name, ",...")
	if i := strings.LastIndexByte(typed, ','); isList && i >= 0 {
		lead, typed = lead+typed[:i+1], typed[i+1:]
	}
	add := func(list []candidate) {
		for _, c := range list {
			// What would drive the terminal, or end the line, is no word to type.
			if strings.HasPrefix(c.word, typed) && !strings.ContainsFunc(c.word, unicode.IsControl) {
				a.list = append(a.list, candidate{lead + c.word, c.help})
			}
		}
	}
	switch {
	case v.Words != nil:
		add(plain(v.Words()))
		if i := strings.IndexByte(typed, '='); i >= 0 { // FORMAT=FILE
			return answer{else_: "files", column: len(lead) + i + 1}
		}
	case name == "KEY=VALUE":
		add(l.parameters(typed))
	case v.Naming != "" || slices.Contains(ids, name):
		add(l.named(v.Naming, typed))
	case name == "SCHEMA":
		add(l.schemas())
	case name == "LIST":
		add(l.lists())
	}
	switch {
	case slices.Contains(files, name):
		a.else_, a.column = "files", len(lead)
	case slices.Contains(dirs, name):
		a.else_, a.column = "dirs", len(lead)
	}
	return a
}

func plain(words []string) []candidate {
	list := make([]candidate, len(words))
	for i, w := range words {
		list[i].word = w
	}
	return list
}

// catalog is the catalog at hand: that of -c, else the first argument or the
// variable of the environment that names a file which fmcp-resolve wrote. A folder
// would have to be resolved first, which takes longer than somebody who types waits.
func (l *line) catalog() *catalog.Index {
	for _, path := range slices.Concat(l.flags["catalog"], l.args, []string{l.Getenv("FMCP_CATALOG")}) {
		file, err := os.Open(l.unquote(path))
		if err != nil {
			continue
		}
		if info, err := file.Stat(); err == nil && info.Mode().IsRegular() && !strings.HasSuffix(path, ".mjs") {
			index, err := catalog.Read(file, catalog.ReadOptions{Name: path,
				Wrong: func(*record.Error) error { return nil }})
			if err == nil && index.Arrival.Kinds[record.KindResolved] > 0 {
				return index
			}
		}
		file.Close()
	}
	return nil
}

// named are the IDs in the catalog, of some types or of all. As with folders, those
// of a namespace are shown when it is typed.
func (l *line) named(types, typed string) []candidate {
	x := l.catalog()
	if x == nil {
		return nil
	}
	wanted := []record.Type{record.TypeTool, record.TypeResource, record.TypePrompt, record.TypeSkill,
		record.TypeSelection, record.TypeAgent, record.TypeList}
	if types != "" {
		wanted = nil
		for t := range strings.SplitSeq(types, " ") {
			wanted = append(wanted, record.Type(t))
		}
	}
	var list []string
	for _, id := range x.Of(wanted...) {
		if namespace, _, ok := strings.Cut(id, "/"); ok && !strings.Contains(typed, "/") {
			id = namespace + "/"
		}
		list = append(list, id)
	}
	slices.Sort(list)
	return plain(slices.Compact(list))
}

func (l *line) schemas() []candidate {
	if x := l.catalog(); x != nil {
		return plain(x.HandlerSchemas())
	}
	return nil
}

func (l *line) lists() (list []candidate) {
	x := l.catalog()
	if x == nil {
		return nil
	}
	for _, id := range x.Of(record.TypeList) {
		list = append(list, candidate{id[strings.LastIndexByte(id, '/')+1:], ""})
	}
	return list
}

// parameters are KEY= of what the first argument names, or KEY=VALUE where the
// key is typed and takes one of a few values.
func (l *line) parameters(typed string) (list []candidate) {
	x := l.catalog()
	if x == nil || len(l.args) == 0 {
		return nil
	}
	id := l.args[0]
	if x.Type(id) == "" {
		id = x.Named(id)
	}
	rec, err := x.Record(id)
	if err != nil {
		return nil
	}
	schema := ordjson.Value{}
	switch r := rec.(type) {
	case *catalog.Tool:
		schema = r.InputSchema
	case *catalog.Resource:
		for _, q := range r.Queries {
			list = append(list, candidate{"query=" + q.Name, q.Description})
			if slices.Contains(l.args, "query="+q.Name) {
				schema = q.InputSchema
			}
		}
	case catalog.Delivered:
		schema = catalog.InputSchema(r.Asks())
	}
	if schema.Exists() {
		list = nil
	}
	for _, p := range schema.Get("properties").Members() {
		given := func(arg string) bool { return strings.HasPrefix(arg, p.Key+"=") }
		if !slices.ContainsFunc(l.args, given) {
			list = append(list, parameter(p, strings.HasPrefix(typed, p.Key+"="))...)
		}
	}
	return list
}

// parameter is KEY= of a parameter, or what it can be set to: values of its enum,
// or those of its tests.
func parameter(p ordjson.Member, keyTyped bool) []candidate {
	typ := p.Value.Get("type").Str()
	switch {
	case !keyTyped:
		return []candidate{{p.Key + "=", cmp.Or(p.Value.Get("description").Str(), typ)}}
	case typ == "boolean":
		return []candidate{{p.Key + "=true", ""}, {p.Key + "=false", ""}}
	}
	values := p.Value.Get("enum")
	if !values.Exists() {
		values = p.Value.Get("examples")
	}
	var list []candidate
	for _, v := range values.Elems() {
		list = append(list, candidate{p.Key + "=" + ordjson.Unquoted(v), ""})
	}
	return list
}
