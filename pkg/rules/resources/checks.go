package resources

import (
	"path"
	"slices"
	"strconv"
	"strings"

	"github.com/flowmcp/fmcp/pkg/lazy"
	"github.com/flowmcp/fmcp/pkg/model"
	"github.com/flowmcp/fmcp/pkg/ordjson"
	"github.com/flowmcp/fmcp/pkg/record"
	"github.com/flowmcp/fmcp/pkg/rules/engine"
	"github.com/flowmcp/fmcp/pkg/words"
)

// The checks that look at resources; those that look
// at queries are in queries.go.

// checkDatabase reports the field that was before there were origins: as
// deprecated, or as wrong (decision "Database files").
func checkDatabase(p *engine.Pass) {
	p.EachResource(func(r *engine.Resource) {
		v := r.Get("database")
		if !v.Exists() {
			return
		}
		at, text := r.At("database"), r.Database
		fix := "write origin: '" + originOf(text) + "' and name: '" + databaseName(p, text) + "' in its place"
		switch {
		case text == "":
			p.Report(at, engine.Found(v)+", expected a relative path that ends with .db", fix)
		case strings.ContainsAny(text[:1], `/\~`) || len(text) > 1 && text[1] == ':':
			p.Report(at, engine.Found(v)+", expected a relative path", fix)
		case !strings.HasSuffix(text, ".db"):
			p.Report(at, engine.Found(v)+", expected a path that ends with .db", fix)
		case !hasParent(text):
			p.ReportAs(record.SeverityWarning, at, "database is deprecated, expected origin and name", fix)
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
func databaseName(p *engine.Pass, database string) string {
	base := path.Base(strings.ReplaceAll(database, `\`, "/"))
	name := engine.ToNamespace(strings.TrimSuffix(base, path.Ext(base)))
	if name == "" {
		name = "data"
	}
	if ns := p.Schema.Namespace(); ns != "" && !strings.HasPrefix(name, ns) {
		name = ns + "-" + name
	}
	return name + ".db"
}

// hasParent reports whether a path has .. segments.
func hasParent(text string) bool {
	return slices.Contains(strings.Split(strings.ReplaceAll(text, `\`, "/"), "/"), "..")
}

func checkDatabaseParent(p *engine.Pass) {
	p.EachResource(func(r *engine.Resource) {
		if hasParent(r.Database) {
			p.Report(r.At("database"), engine.Found(r.Get("database"))+", expected no .. in it",
				"write origin: '"+originOf(r.Database)+"' and name: '"+databaseName(p, r.Database)+"' in its place")
		}
	}, model.SQLite)
}

func checkResourceCount(p *engine.Pass) {
	const most = 2
	if n := p.Schema.Get("resources").Len(); n > most && p.Schema.Get("resources").Is(ordjson.Object) {
		p.Report(p.Schema.At("resources"), "found "+strconv.Itoa(n)+" resources, expected at most "+strconv.Itoa(most),
			"split the schema into "+strconv.Itoa((n+most-1)/most)+" files of the same namespace")
	}
}

func checkResourceName(p *engine.Pass) {
	for i := range p.Resources {
		p.CamelKey(p.Resources[i].Node, "resource", "tokenLookup")
	}
}

func checkHTTPURL(p *engine.Pass) {
	p.EachResource(func(r *engine.Resource) {
		url := r.Get("url")
		host, secure := strings.CutPrefix(url.Str(), "https://")
		if secure && host != "" && host[0] != '/' {
			checkWholeURL(p, r, host)
			return
		}
		fix := "write url: 'https://data.example.com/stations.db'"
		if rest, ok := strings.CutPrefix(url.Str(), "http://"); ok {
			fix = "write url: 'https://" + rest + "'"
		}
		p.Expect(r.Node, "url", r.Fields(), "a URL that starts with https://", fix)
	}, model.HTTP)
}

// checkWholeURL reports what of a url is refused when the file is fetched.
func checkWholeURL(p *engine.Pass, r *engine.Resource, rest string) {
	host, _, _ := strings.Cut(rest, "/")
	switch {
	case strings.Contains(rest, "{{"):
		p.Report(r.At("url"), engine.Found(r.Get("url"))+
			", expected no placeholder in it: a resource has no parameters for its url", "write the whole URL")
	case strings.Contains(host, "@"):
		p.Report(r.At("url"), "found a user name in the URL, expected none: whoever has the schema would have it",
			"write url: 'https://"+rest[strings.LastIndexByte(host, '@')+1:]+"', of a file that anybody may fetch")
	}
}

// extension is that of the resource's file.
func extension(r *engine.Resource) string {
	if r.Is(model.Markdown) {
		return ".md"
	}
	return ".db"
}

func checkFileName(p *engine.Pass) {
	p.EachResource(func(r *engine.Resource) {
		if r.Is(model.SQLite) && r.Get("database").Exists() && !r.Get("name").Exists() || hasFileName(r) {
			return // RES003
		}
		base := path.Base(strings.ReplaceAll(r.File, `\`, "/"))
		base = strings.Trim(strings.TrimSuffix(base, path.Ext(base)), "./ ")
		if base == "" {
			base = p.Schema.Namespace() + "-data"
		}
		p.Expect(r.Node, "name", r.Fields(), "the name of a file that ends with "+extension(r),
			"write name: '"+strings.TrimPrefix(base, "-")+extension(r)+"'")
	}, model.SQLite, model.Markdown)
}

// hasFileName reports whether name is that of a file, with nothing that could
// lead into another folder.
func hasFileName(r *engine.Resource) bool {
	return strings.HasSuffix(r.File, extension(r)) && len(r.File) > len(extension(r)) &&
		!strings.ContainsAny(r.File, "/\\\x00")
}

// resourcePlaces are the folders of the origins, as messages name them
// (chapter 13, "Path Resolution").
var resourcePlaces = map[string]string{
	model.Inline: "resources/ beside the schema", model.Project: ".flowmcp/resources/",
	model.Global: "~/.flowmcp/resources/",
}

func checkResourceFile(p *engine.Pass) {
	p.EachResource(func(r *engine.Resource) {
		if missing(p, r) && !made(r) {
			p.Report(r.At("name"), "found no file "+engine.Quote(r.File)+" in "+resourcePlaces[r.Origin],
				"put the file there, or correct origin and name")
		}
	}, model.SQLite, model.Markdown)
}

// made reports whether the file is made on the first run.
func made(r *engine.Resource) bool {
	return r.Mode == model.FileBased && r.Get("queries").Get("getSchema").Exists()
}

// missing reports whether the file of a resource is not where its origin says.
// What cannot be known is not missing.
func missing(p *engine.Pass, r *engine.Resource) bool {
	if !hasFileName(r) || resourcePlaces[r.Origin] == "" {
		return false
	}
	if r.Origin != model.Inline {
		return p.Ctx.Stored != nil && !p.Ctx.Stored(r.Origin, r.File)
	}
	if p.Ctx.Files == nil || p.Ctx.Catalog == nil {
		return false
	}
	return p.Ctx.Files.Exists(p.Ctx.Catalog.Path(p.Load.Src)) && !p.Ctx.Files.Exists(p.InCatalog("resources/"+r.File))
}

// variable is one in a path, or one that is begun.
var variable = lazy.Regexp(`\$\{[^}/]*\}?|\$[A-Za-z_]\w*`)

// checkPathVariable reports variables that no machine resolves (chapter 13,
// "Path Variable Support").
func checkPathVariable(p *engine.Pass) {
	const known = "${FLOWMCP_RESOURCES}"
	p.EachResource(func(r *engine.Resource) {
		rest := strings.TrimPrefix(r.Get("path").Str(), known+"/")
		v := variable().FindString(rest)
		if v == "" {
			return
		}
		if v == known {
			p.Report(r.At("path"), "found "+engine.Quote(v)+" inside the path, expected it at the start",
				"write path: '"+known+"/"+path.Base(rest)+"'")
			return
		}
		fix := "write path: '" + known + "/" + path.Base(strings.ReplaceAll(rest, v, "x")) + "'"
		if _, ok := words.Closest(v, []string{known}); ok {
			fix = "did you mean " + known + "?"
		}
		p.Report(r.At("path"), "found "+engine.Quote(v)+", a variable that has no value; expected none but "+known, fix)
	}, model.SQLiteGTFS, model.HTTP)
}

func checkHTTPPath(p *engine.Pass) {
	p.EachResource(func(r *engine.Resource) {
		const fix = "write path: 'stations.db', the file that the download is kept in"
		if text := r.Get("path").Str(); hasParent(text) {
			p.Report(r.At("path"), engine.Found(r.Get("path"))+
				", which leads out of the project's resource folder", fix)
			return
		} else if text != "" && !strings.HasSuffix(text, ".db") {
			p.Report(r.At("path"), engine.Found(r.Get("path"))+", expected the name of a file that ends with .db",
				"write path: '"+strings.TrimSuffix(text, path.Ext(text))+".db'")
			return
		}
		p.ExpectText(r.Node, "path", r.Fields(), fix)
	}, model.HTTP)
}

func checkFileBasedOrigin(p *engine.Pass) {
	p.EachResource(func(r *engine.Resource) {
		if r.Mode == model.FileBased && (r.Origin == model.Global || r.Origin == model.Inline) {
			p.Report(r.At("origin"), engine.Found(r.Get("origin"))+", expected \"project\" for mode file-based",
				"write origin: 'project', or mode: 'in-memory' if no query writes")
		}
	}, model.SQLite)
}

func checkSQLiteInline(p *engine.Pass) {
	p.EachResource(func(r *engine.Resource) {
		if r.Origin == model.Inline && r.Mode != model.FileBased { // else RES037
			p.Report(r.At("origin"), "found \"inline\", by which everybody who has the catalog has the database",
				"write origin: 'global', or 'project'")
		}
	}, model.SQLite)
}

// checkResourceFields reports what is missing of the fields that no other rule
// is about.
func checkResourceFields(p *engine.Pass) {
	const shape = "{ source, mode, origin, name, description, queries }"
	all := p.Schema.Get("resources")
	if all.Exists() && !all.Is(ordjson.Object) {
		fix := "write resources: { tokenLookup: " + shape + " }"
		// as an example of chapter 13 has it
		if first := all.Index(0); first.Get("source").Str() == string(model.SQLiteGTFS) {
			fix = "give the resource the name that it is called by: resources: { timetable: { source: 'sqlite-gtfs'," +
				" … } }"
		}
		p.Report(p.Schema.At("resources"),
			engine.Found(all)+", expected an object whose keys are the resources' names", fix)
	}
	for _, r := range p.Schema.Resources() {
		if !r.Is(ordjson.Object) {
			p.Report(r.Node, engine.Found(r.Value)+", expected an object", "write "+r.Name+": "+shape)
		}
	}
	p.EachResource(func(r *engine.Resource) {
		queries := r.Get("queries")
		if !queries.Is(ordjson.Object) && (queries.Exists() || !r.Is(model.SQLiteGTFS)) {
			p.Expect(r.Node, "queries", r.Fields(), "an object of queries",
				"write queries: { bySymbol: { sql, description, parameters, output, tests } }")
		}
		for _, q := range r.Queries() {
			if !q.Is(ordjson.Object) {
				p.Report(q.Node, engine.Found(q.Value)+", expected an object",
					"write "+q.Name+": { sql, description, parameters, output, tests }")
			}
		}
	}, model.SQLite, model.SQLiteGTFS, model.HTTP)
	p.EachResource(func(r *engine.Resource) {
		text := r.Get("path").Str()
		if hasParent(text) {
			p.Report(r.At("path"), engine.Found(r.Get("path"))+", which leads out of its folder by ..",
				"write path: '${FLOWMCP_RESOURCES}/"+path.Base(text)+"'")
		} else if !strings.HasPrefix(text, "/") && !strings.HasPrefix(text, "${") && (len(text) < 2 || text[1] != ':') {
			p.Expect(r.Node, "path", r.Fields(), "an absolute path, or one that begins with ${FLOWMCP_RESOURCES}",
				"write path: '${FLOWMCP_RESOURCES}/gtfs-de.db'")
		}
	}, model.SQLiteGTFS)
}

func checkGetSchema(p *engine.Pass) {
	p.EachResource(func(r *engine.Resource) {
		// else RES020
		if r.Mode == model.FileBased && r.Get("queries").Is(ordjson.Object) && !made(r) && !missing(p, r) {
			p.Report(r.At("queries"), "found no query getSchema, from which the database could be made on the "+
				"first run",
				"add getSchema with sql: \"SELECT 'results' AS name, 'CREATE TABLE results (domain TEXT, score "+
					"INTEGER)' AS sql\", or say in the description how the database is made")
		}
	}, model.SQLite)
}
