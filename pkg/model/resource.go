package model

import (
	"regexp"
	"strings"

	"github.com/flowmcp/fmcp/pkg/lazy"
)

// ResourceSource says what a resource is made of.
type ResourceSource string

// The sources of chapter 13; sqlite-gtfs is one of them by decision "GTFS resources".
const (
	SQLite     ResourceSource = "sqlite"
	SQLiteGTFS ResourceSource = "sqlite-gtfs" // a database with a seal, made by an add-on
	Markdown   ResourceSource = "markdown"
	HTTP       ResourceSource = "http" // a database that is downloaded
)

// The modes of a database (chapter 13, "Mode Comparison").
const (
	InMemory  = "in-memory"  // opened read-only
	FileBased = "file-based" // written to
)

// The origins of a resource's file (chapter 13, "Origin System").
const (
	Inline  = "inline"  // in the folder resources beside the schema
	Project = "project" // in .flowmcp/resources of the workspace
	Global  = "global"  // in ~/.flowmcp/resources
)

// URIScheme is how the addresses of resources begin for MCP clients; the Spec-ID
// follows.
const URIScheme = "flowmcp://"

// addressParameter is a parameter in an address.
var addressParameter = lazy.Regexp(`\{([A-Za-z0-9_]+)\}`)

// AddressParameters are the parameters that an address names in braces, in order,
// and the address with an x in the place of each. It is not ok where other braces
// are left.
func AddressParameters(uri string) (names []string, plain string, ok bool) {
	for _, m := range addressParameter().FindAllStringSubmatch(uri, -1) {
		names = append(names, m[1])
	}
	plain = addressParameter().ReplaceAllString(uri, "x")
	return names, plain, !strings.ContainsAny(plain, "{}")
}

// AddressPattern is what addresses look like that name the parameters of uri. Each
// is a part of a path.
func AddressPattern(uri string) *regexp.Regexp {
	var b strings.Builder
	at := 0
	for _, m := range addressParameter().FindAllStringIndex(uri, -1) {
		b.WriteString(regexp.QuoteMeta(uri[at:m[0]]) + "([^/?#]+)")
		at = m[1]
	}
	return regexp.MustCompile("^" + b.String() + regexp.QuoteMeta(uri[at:]) + "$")
}

// Resource is one entry of main.resources (chapter 13). Its fields are "" if
// they are missing or no strings.
type Resource struct {
	*Node
	Name     string // its key
	Source   ResourceSource
	Mode     string
	Origin   string
	File     string // the field name: a file name
	Database string // where the file was before there were origins: a path (decision "Database files")
}

// ResourceQuery is one entry of a resource's queries.
type ResourceQuery struct {
	*Node
	Name string
	SQL  string
}

// Resources returns the entries of main.resources in order.
func (s Schema) Resources() []Resource {
	fields := s.At("resources").Fields()
	list := make([]Resource, len(fields))
	for i, n := range fields {
		list[i] = Resource{
			Node: n, Name: n.Key(), Source: ResourceSource(n.Get("source").Str()), Mode: n.Get("mode").Str(),
			Origin: n.Get("origin").Str(), File: n.Get("name").Str(), Database: n.Get("database").Str(),
		}
	}
	return list
}

// Queries returns the entries of queries in order.
func (r Resource) Queries() []ResourceQuery {
	fields := r.At("queries").Fields()
	list := make([]ResourceQuery, len(fields))
	for i, n := range fields {
		list[i] = ResourceQuery{Node: n, Name: n.Key(), SQL: n.Get("sql").Str()}
	}
	return list
}

// Tool views the query as a tool: parameters, output and tests are the same
// (chapter 13, "Query Definition"), but for the location that parameters of
// queries do not have.
func (q ResourceQuery) Tool() Tool { return Tool{Node: q.Node, Name: q.Name} }

// The queries that the runtime adds to each database (chapter 13, "Standard Queries").
const (
	RunSQL         = "runSql"
	DescribeTables = "describeTables"
)

// DynamicSQL is the statement of a query that Dynamic is true of.
const DynamicSQL = "{{DYNAMIC_SQL}}"

// Dynamic reports whether the caller gives the statement, in a parameter sql
// (chapter 13, "Dynamic SQL").
func (q ResourceQuery) Dynamic() bool { return IsDynamic(q.SQL) }

// IsDynamic is Dynamic of a query's sql.
func IsDynamic(sql string) bool {
	if !strings.Contains(sql, "{{") {
		return false
	}
	for _, ph := range Placeholders(sql) {
		if ph.Bare() && ph.Name == "DYNAMIC_SQL" {
			return true
		}
	}
	return false
}
