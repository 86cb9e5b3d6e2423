package rules

import (
	"path"
	"slices"
	"strconv"
	"strings"

	"github.com/flowmcp/fmcp/pkg/lazy"
	"github.com/flowmcp/fmcp/pkg/model"
	"github.com/flowmcp/fmcp/pkg/ordjson"
	"github.com/flowmcp/fmcp/pkg/record"
	"github.com/flowmcp/fmcp/pkg/words"
)

// The checks of resourceRules (res.go) that look at resources; those that look
// at queries are in res_query.go.

// expectWord is expect where r.field must be one of allowed.
func (p *Pass) expectWord(r *resource, field string, allowed []string, fix string) {
	v := r.Get(field)
	if slices.Contains(allowed, v.Str()) && v.Is(ordjson.String) {
		return
	}
	if near, ok := words.Closest(strings.TrimSpace(v.Str()), allowed); ok {
		fix = "did you mean " + strconv.Quote(near) + "? write " + field + ": '" + near + "'"
	}
	expected := allowed[len(allowed)-1]
	if len(allowed) > 1 {
		expected = strings.Join(allowed[:len(allowed)-1], ", ") + " or " + expected
	}
	p.expect(r.Node, field, r.fields(), expected, fix)
}

var resourceSources = []string{string(model.SQLite), string(model.SQLiteGTFS), string(model.Markdown), string(model.HTTP)}

func checkResourceSource(p *Pass) {
	for i := range p.resources {
		p.expectWord(&p.resources[i], "source", resourceSources, "write source: 'sqlite' for a database, source: 'markdown' for a text")
	}
}

func checkResourceDescription(p *Pass) {
	for i := range p.resources {
		r := &p.resources[i]
		if r.is(model.SQLiteGTFS) && !r.Get("description").Exists() {
			continue // the table of its required fields has none
		}
		p.expectText(r.Node, "description", r.fields(), "say in a sentence what the resource holds")
	}
}

// checkDatabase reports the field that was before there were origins: as
// deprecated, or as wrong (decision "Database files").
func checkDatabase(p *Pass) {
	p.eachResource(func(r *resource) {
		v := r.Get("database")
		if !v.Exists() {
			return
		}
		at, text := r.At("database"), r.Database
		fix := "write origin: '" + originOf(text) + "' and name: '" + databaseName(p, text) + "' in its place"
		switch {
		case text == "":
			p.report(at, found(v)+", expected a relative path that ends with .db", fix)
		case strings.ContainsAny(text[:1], `/\~`) || len(text) > 1 && text[1] == ':':
			p.report(at, found(v)+", expected a relative path", fix)
		case !strings.HasSuffix(text, ".db"):
			p.report(at, found(v)+", expected a path that ends with .db", fix)
		case !hasParent(text):
			p.reportAs(record.SeverityWarning, at, "database is deprecated, expected origin and name", fix)
		}
	}, model.SQLite)
}

// originOf is the origin that comes nearest to an old path.
func originOf(database string) string {
	if strings.HasPrefix(database, "~") || strings.HasPrefix(database, "/") {
		return model.Global
	}
	return model.Project
}

// databaseName proposes the name of a database: that of an old path, with the
// namespace before it (chapter 13, "Name Field").
func databaseName(p *Pass, database string) string {
	base := path.Base(strings.ReplaceAll(database, `\`, "/"))
	name := toNamespace(strings.TrimSuffix(base, path.Ext(base)))
	if name == "" {
		name = "data"
	}
	if ns := p.schema.Namespace(); ns != "" && !strings.HasPrefix(name, ns) {
		name = ns + "-" + name
	}
	return name + ".db"
}

// hasParent reports whether a path has .. segments.
func hasParent(text string) bool {
	return slices.Contains(strings.Split(strings.ReplaceAll(text, `\`, "/"), "/"), "..")
}

func checkDatabaseParent(p *Pass) {
	p.eachResource(func(r *resource) {
		if hasParent(r.Database) {
			p.report(r.At("database"), found(r.Get("database"))+", expected no .. in it",
				"write origin: '"+originOf(r.Database)+"' and name: '"+databaseName(p, r.Database)+"' in its place")
		}
	}, model.SQLite)
}

func checkResourceCount(p *Pass) {
	const most = 2
	if n := p.schema.Get("resources").Len(); n > most && p.schema.Get("resources").Is(ordjson.Object) {
		p.report(p.schema.At("resources"), "found "+strconv.Itoa(n)+" resources, expected at most "+strconv.Itoa(most),
			"split the schema into "+strconv.Itoa((n+most-1)/most)+" files of the same namespace")
	}
}

func checkResourceName(p *Pass) {
	for i := range p.resources {
		p.camelKey(p.resources[i].Node, "resource", "tokenLookup")
	}
}

func checkHTTPURL(p *Pass) {
	p.eachResource(func(r *resource) {
		url := r.Get("url")
		host, secure := strings.CutPrefix(url.Str(), "https://")
		if secure && host != "" && host[0] != '/' {
			p.checkWholeURL(r, host)
			return
		}
		fix := "write url: 'https://data.example.com/stations.db'"
		if rest, ok := strings.CutPrefix(url.Str(), "http://"); ok {
			fix = "write url: 'https://" + rest + "'"
		}
		p.expect(r.Node, "url", r.fields(), "a URL that starts with https://", fix)
	}, model.HTTP)
}

// checkWholeURL reports what of a url is refused when the file is fetched.
func (p *Pass) checkWholeURL(r *resource, rest string) {
	host, _, _ := strings.Cut(rest, "/")
	switch {
	case strings.Contains(rest, "{{"):
		p.report(r.At("url"), found(r.Get("url"))+", expected no placeholder in it: a resource has no parameters for its url", "write the whole URL")
	case strings.Contains(host, "@"):
		p.report(r.At("url"), "found a user name in the URL, expected none: whoever has the schema would have it", "write url: 'https://"+rest[strings.LastIndexByte(host, '@')+1:]+"', of a file that anybody may fetch")
	}
}

func checkSQLiteMode(p *Pass) {
	p.eachResource(func(r *resource) {
		p.expectWord(r, "mode", []string{model.InMemory, model.FileBased}, "write mode: 'in-memory', or 'file-based' for a database that is written to")
	}, model.SQLite)
}

func checkOrigin(p *Pass) {
	p.eachResource(func(r *resource) {
		if r.Get("database").Exists() && !r.Get("origin").Exists() {
			return // RES003
		}
		fix := "write origin: 'global'"
		switch {
		case r.is(model.Markdown):
			fix = "write origin: 'inline'"
		case r.Mode == model.FileBased:
			fix = "write origin: 'project'"
		}
		p.expectWord(r, "origin", []string{model.Global, model.Project, model.Inline}, fix)
	}, model.SQLite, model.Markdown)
}

// extension is that of the resource's file.
func (r *resource) extension() string {
	if r.is(model.Markdown) {
		return ".md"
	}
	return ".db"
}

func checkFileName(p *Pass) {
	p.eachResource(func(r *resource) {
		if r.Get("database").Exists() && !r.Get("name").Exists() || r.hasFileName() {
			return // RES003
		}
		base := path.Base(strings.ReplaceAll(r.File, `\`, "/"))
		base = strings.Trim(strings.TrimSuffix(base, path.Ext(base)), "./ ")
		if base == "" {
			base = p.schema.Namespace() + "-data"
		}
		p.expect(r.Node, "name", r.fields(), "the name of a file that ends with "+r.extension(), "write name: '"+strings.TrimPrefix(base, "-")+r.extension()+"'")
	}, model.SQLite, model.Markdown)
}

// hasFileName reports whether name is that of a file, with nothing that could
// lead into another folder.
func (r *resource) hasFileName() bool {
	return strings.HasSuffix(r.File, r.extension()) && len(r.File) > len(r.extension()) && !strings.ContainsAny(r.File, "/\\\x00")
}

// resourcePlaces are the folders of the origins, as messages name them
// (chapter 13, "Path Resolution").
var resourcePlaces = map[string]string{
	model.Inline: "resources/ beside the schema", model.Project: ".flowmcp/resources/", model.Global: "~/.flowmcp/resources/",
}

func checkResourceFile(p *Pass) {
	p.eachResource(func(r *resource) {
		if p.missing(r) && !r.made() {
			p.report(r.At("name"), "found no file "+quote(r.File)+" in "+resourcePlaces[r.Origin], "put the file there, or correct origin and name")
		}
	}, model.SQLite, model.Markdown)
}

// made reports whether the file is made on the first run.
func (r *resource) made() bool {
	return r.Mode == model.FileBased && r.Get("queries").Get("getSchema").Exists()
}

// missing reports whether the file of a resource is not where its origin says.
// What cannot be known is not missing.
func (p *Pass) missing(r *resource) bool {
	if !r.hasFileName() || resourcePlaces[r.Origin] == "" {
		return false
	}
	if r.Origin != model.Inline {
		return p.ctx.Stored != nil && !p.ctx.Stored(r.Origin, r.File)
	}
	if p.ctx.Files == nil || p.ctx.Catalog == nil {
		return false
	}
	return p.ctx.Files.Exists(p.ctx.Catalog.Path(p.load.Src)) && !p.ctx.Files.Exists(p.inCatalog("resources/"+r.File))
}

func checkGTFSMode(p *Pass) {
	p.eachResource(func(r *resource) {
		p.expectWord(r, "mode", []string{model.FileBased}, "write mode: 'file-based'")
	}, model.SQLiteGTFS)
}

func checkAddon(p *Pass) {
	p.eachResource(func(r *resource) {
		p.expectText(r.Node, "addon", r.fields(), "name the add-on that made the database: addon: 'gtfs-sqlite-toolkit'")
		if v := r.Get("addonSource"); v.Exists() && !strings.HasPrefix(v.Str(), "github:") {
			p.report(r.At("addonSource"), found(v)+", expected github: and a repository", "write addonSource: 'github:FlowMCP/gtfs-sqlite-toolkit'")
		}
		if v := r.Get("addonVersion"); v.Exists() && strings.TrimSpace(v.Str()) == "" {
			p.report(r.At("addonVersion"), found(v)+", expected a range of versions", "write addonVersion: '>=0.1.0', or leave it out")
		}
	}, model.SQLiteGTFS)
}

// variable is one in a path, or one that is begun.
var variable = lazy.Regexp(`\$\{[^}/]*\}?|\$[A-Za-z_]\w*`)

// checkPathVariable reports variables that no machine resolves (chapter 13,
// "Path Variable Support").
func checkPathVariable(p *Pass) {
	const known = "${FLOWMCP_RESOURCES}"
	p.eachResource(func(r *resource) {
		rest := strings.TrimPrefix(r.Get("path").Str(), known+"/")
		v := variable().FindString(rest)
		if v == "" {
			return
		}
		if v == known {
			p.report(r.At("path"), "found "+quote(v)+" inside the path, expected it at the start", "write path: '"+known+"/"+path.Base(rest)+"'")
			return
		}
		fix := "write path: '" + known + "/" + path.Base(strings.ReplaceAll(rest, v, "x")) + "'"
		if _, ok := words.Closest(v, []string{known}); ok {
			fix = "did you mean " + known + "?"
		}
		p.report(r.At("path"), "found "+quote(v)+", a variable that has no value; expected none but "+known, fix)
	}, model.SQLiteGTFS, model.HTTP)
}

func checkHTTPPath(p *Pass) {
	p.eachResource(func(r *resource) {
		const fix = "write path: 'stations.db', the file that the download is kept in"
		if text := r.Get("path").Str(); hasParent(text) {
			p.report(r.At("path"), found(r.Get("path"))+", which leads out of the project's resource folder", fix)
			return
		} else if text != "" && !strings.HasSuffix(text, ".db") {
			p.report(r.At("path"), found(r.Get("path"))+", expected the name of a file that ends with .db", "write path: '"+strings.TrimSuffix(text, path.Ext(text))+".db'")
			return
		}
		p.expectText(r.Node, "path", r.fields(), fix)
	}, model.HTTP)
}

func checkFileBasedOrigin(p *Pass) {
	p.eachResource(func(r *resource) {
		if r.Mode == model.FileBased && (r.Origin == model.Global || r.Origin == model.Inline) {
			p.report(r.At("origin"), found(r.Get("origin"))+", expected \"project\" for mode file-based", "write origin: 'project', or mode: 'in-memory' if no query writes")
		}
	}, model.SQLite)
}

func checkMarkdownMode(p *Pass) {
	p.eachResource(func(r *resource) {
		if v := r.Get("mode"); v.Exists() {
			p.report(r.At("mode"), found(v)+", expected no mode for source markdown", "remove it")
		}
	}, model.Markdown)
}

func checkMarkdownQueries(p *Pass) {
	p.eachResource(func(r *resource) {
		if v := r.Get("queries"); v.Exists() {
			p.report(r.At("queries"), found(v)+", expected no queries for source markdown", "remove it; section, lines and search are there without it")
		}
	}, model.Markdown)
}

func checkSQLiteInline(p *Pass) {
	p.eachResource(func(r *resource) {
		if r.Origin == model.Inline && r.Mode != model.FileBased { // else RES037
			p.report(r.At("origin"), "found \"inline\", by which everybody who has the catalog has the database", "write origin: 'global', or 'project'")
		}
	}, model.SQLite)
}

// checkResourceFields reports what is missing of the fields that no other rule
// is about.
func checkResourceFields(p *Pass) {
	const shape = "{ source, mode, origin, name, description, queries }"
	all := p.schema.Get("resources")
	if all.Exists() && !all.Is(ordjson.Object) {
		fix := "write resources: { tokenLookup: " + shape + " }"
		if first := all.Index(0); first.Get("source").Str() == string(model.SQLiteGTFS) { // as an example of chapter 13 has it
			fix = "give the resource the name that it is called by: resources: { timetable: { source: 'sqlite-gtfs', … } }"
		}
		p.report(p.schema.At("resources"), found(all)+", expected an object whose keys are the resources' names", fix)
	}
	for _, r := range p.schema.Resources() {
		if !r.Is(ordjson.Object) {
			p.report(r.Node, found(r.Value)+", expected an object", "write "+r.Name+": "+shape)
		}
	}
	p.eachResource(func(r *resource) {
		queries := r.Get("queries")
		if !queries.Is(ordjson.Object) && (queries.Exists() || !r.is(model.SQLiteGTFS)) {
			p.expect(r.Node, "queries", r.fields(), "an object of queries", "write queries: { bySymbol: { sql, description, parameters, output, tests } }")
		}
		for _, q := range r.Queries() {
			if !q.Is(ordjson.Object) {
				p.report(q.Node, found(q.Value)+", expected an object", "write "+q.Name+": { sql, description, parameters, output, tests }")
			}
		}
	}, model.SQLite, model.SQLiteGTFS, model.HTTP)
	p.eachResource(func(r *resource) {
		if ttl := r.Get("cacheTtl"); !ttl.Is(ordjson.Number) || ttl.Float() <= 0 {
			p.expect(r.Node, "cacheTtl", r.fields(), "a number of seconds", "write cacheTtl: 86400 for a day")
		}
	}, model.HTTP)
	p.eachResource(func(r *resource) {
		text := r.Get("path").Str()
		if hasParent(text) {
			p.report(r.At("path"), found(r.Get("path"))+", which leads out of its folder by ..", "write path: '${FLOWMCP_RESOURCES}/"+path.Base(text)+"'")
		} else if !strings.HasPrefix(text, "/") && !strings.HasPrefix(text, "${") && (len(text) < 2 || text[1] != ':') {
			p.expect(r.Node, "path", r.fields(), "an absolute path, or one that begins with ${FLOWMCP_RESOURCES}", "write path: '${FLOWMCP_RESOURCES}/gtfs-de.db'")
		}
	}, model.SQLiteGTFS)
}

func checkGetSchema(p *Pass) {
	p.eachResource(func(r *resource) {
		if r.Mode == model.FileBased && r.Get("queries").Is(ordjson.Object) && !r.made() && !p.missing(r) { // else RES020
			p.report(r.At("queries"), "found no query getSchema, from which the database could be made on the first run",
				"add getSchema with sql: \"SELECT 'results' AS name, 'CREATE TABLE results (domain TEXT, score INTEGER)' AS sql\", or say in the description how the database is made")
		}
	}, model.SQLite)
}
