package gtfs

import (
	"context"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/flowmcp/fmcp/pkg/ordjson"
	"github.com/flowmcp/fmcp/pkg/resource/gtfs/tools"
	"github.com/flowmcp/fmcp/pkg/words"
)

// DB answers the standard tools of a sealed database. It may be used by many
// goroutines where its Queryer may.
type DB struct {
	Meta *Meta
	Now  func() time.Time // the clock; time.Now by default

	q      Queryer
	tables map[string][]string // columns by table
	from   map[string]string   // what to write for a table of the reference after FROM
	zone   *time.Location      // of the agencies, and so of all times

	// Unindexed says that stop_times has no index by which a trip, or a stop, is
	// found: the databases of gtfs-sqlite-toolkit have none.
	Unindexed bool
}

// Open verifies the seal of a database and finds out what it has. Other add-ons
// seal too, so no table or column is taken for granted that a feed may lack.
// The error is a *words.Problem.
func Open(ctx context.Context, q Queryer) (*DB, error) {
	meta, err := ReadMeta(ctx, q)
	if err != nil {
		return nil, err
	}
	d := &DB{Meta: meta, Now: time.Now, q: q, tables: map[string][]string{}, from: map[string]string{}}
	rows, err := q.Query(ctx, "SELECT m.name AS t, p.name AS c FROM sqlite_master m JOIN pragma_table_info(m.name) p "+
		"WHERE m.type = 'table'")
	if err != nil {
		return nil, fail(CodeNotDB, "convert the feed again", "the tables cannot be listed (%v)", err)
	}
	for _, r := range rows {
		d.tables[r.Get("t").Str()] = append(d.tables[r.Get("t").Str()], r.Get("c").Str())
	}
	for _, t := range tables {
		d.from[t.name] = completed(t.name, t.fieldNames(), d.tables[t.name])
	}
	d.from[locations] = completed(locations, []string{"location_id", "stop_name", "stop_desc", "geometry"},
		d.tables[locations])
	rows, err = q.Query(ctx, "SELECT agency_timezone AS zone FROM "+d.from["agency"]+" LIMIT 1")
	if err != nil || len(rows) == 0 {
		return nil, fail(CodeNotDB, "convert the feed again", "the table agency cannot be read (%v)", err)
	}
	if d.zone, err = loadZone(rows[0].Get("zone").Str()); err != nil {
		return nil, fail(CodeNotDB, "convert the feed again", "agency_timezone is %s, which is not a time zone",
			words.Quote(rows[0].Get("zone").Str()))
	}
	rows, err = q.Query(ctx, `SELECT DISTINCT i.name AS c FROM pragma_index_list('stop_times') l JOIN `+
		`pragma_index_info(l.name) i WHERE i.seqno = 0 AND i.name IN ('trip_id', 'stop_id')`)
	if err != nil {
		return nil, fail(CodeNotDB, "convert the feed again", "the indexes cannot be listed (%v)", err)
	}
	d.Unindexed = len(rows) < 2
	return d, nil
}

// With is the same database, asked by another Queryer, such as one with other
// limits.
func (d *DB) With(q Queryer) *DB {
	other := *d
	other.q = q
	return &other
}

// answers are the standard tools.
var answers = map[string]func(*call) ([]ordjson.Value, error){
	tools.SearchStops: (*call).searchStops, tools.GetStop: (*call).getStop, tools.NearbyStops: (*call).nearbyStops,
	tools.SearchRoutes: (*call).searchRoutes, tools.GetRoute: (*call).getRoute, tools.GetTrips: (*call).getTrips,
	tools.GetDepartures: (*call).getDepartures, tools.GetShapeForRoute: (*call).getShapeForRoute,
	tools.GetFlexBookingRules: (*call).getFlexBookingRules,
}

// Can reports whether the database can answer a tool: by the capabilities that
// it claims.
func (d *DB) Can(tool string) bool {
	t, ok := tools.Find(tool)
	if !ok {
		return false
	}
	can, said := d.Meta.Capabilities[t.Capability]
	if t.Capability == tools.Departures && !said {
		can = d.Meta.Capabilities[tools.Routing] // of an add-on that has no such key
	}
	return can
}

// Call answers a tool by an array of rows. args is an object of values that
// have passed the z-blocks of the tool, defaults applied. cut says what is missing
// of the rows, but for what args leave out. The error is a *words.Problem of this package,
// or one of the Queryer.
func (d *DB) Call(ctx context.Context, tool string, args ordjson.Value) (rows ordjson.Value, cut []string, err error) {
	answer, ok := answers[tool]
	if !ok {
		return ordjson.Value{}, nil, fail(CodeCannot, "resolve the catalog again", "there is no standard tool %s",
			words.Quote(tool))
	}
	if t, _ := tools.Find(tool); !d.Can(tool) {
		if len(d.Meta.Capabilities.Names()) == 0 {
			return ordjson.Value{}, nil, fail(CodeCannot, "convert the feed again, and look at what is reported",
				"this timetable has no %s, and no other capability", t.Capability)
		}
		return ordjson.Value{}, nil, fail(CodeCannot, "ask what these allow",
			"this timetable has no %s, its capabilities are %s", t.Capability,
			strings.Join(d.Meta.Capabilities.Names(), ", "))
	}
	c := &call{DB: d, ctx: ctx, args: args, routes: map[string]route{}}
	list, err := answer(c)
	if err != nil {
		return ordjson.Value{}, nil, err
	}
	return ordjson.NewArray(list...), c.cut, nil
}

// call is one call of a tool.
type call struct {
	*DB
	ctx    context.Context
	args   ordjson.Value
	routes map[string]route // that were looked for, by ID
	cut    []string         // what is missing of the answer
}

// part is query for at most that many rows. Where there are more, the answer says
// so; what is left out is the plural of them.
func (c *call) part(most int, what, text string, args ...any) ([]ordjson.Value, error) {
	rows, err := c.query(text+" LIMIT "+strconv.Itoa(most+1), args...)
	if len(rows) > most {
		rows = rows[:most]
		c.cut = append(c.cut, "there are more than "+strconv.Itoa(most)+" "+what+", the rest is left out")
	}
	return rows, err
}

func (c *call) text(key string) string { return c.args.Get(key).Str() }

// number is a whole number that the caller gave, or usual.
func (c *call) number(key string, usual int) int {
	if v := c.args.Get(key); v.Is(ordjson.Number) {
		return int(v.Float())
	}
	return usual
}

// query runs a SELECT, in which {table} stands for a table that may lack, or
// lack columns.
func (c *call) query(text string, args ...any) ([]ordjson.Value, error) {
	var b strings.Builder
	for {
		before, after, ok := strings.Cut(text, "{")
		b.WriteString(before)
		if !ok {
			return c.q.Query(c.ctx, b.String(), args...)
		}
		name, rest, _ := strings.Cut(after, "}")
		b.WriteString(c.from[name])
		text = rest
	}
}

// completed is a table that has columns, with those of the reference that it
// lacks as null. SQLite looks through such a subquery, so indexes are used all
// the same.
func completed(name string, fields, have []string) string {
	var lacking []string
	for _, f := range fields {
		if !slices.Contains(have, f) {
			lacking = append(lacking, "NULL AS "+f)
		}
	}
	switch {
	case have == nil:
		return "(SELECT " + strings.Join(lacking, ", ") + " WHERE 0)"
	case lacking != nil:
		return "(SELECT *, " + strings.Join(lacking, ", ") + " FROM " + name + ")"
	}
	return name
}

// textOf is a value as text: IDs may be numbers in the tables of other add-ons.
func textOf(v ordjson.Value) string {
	if v.Is(ordjson.Number) {
		return v.NumberText()
	}
	return v.Str()
}

// numberOf is a number; a text in a column of numbers is read as one.
func numberOf(v ordjson.Value) float64 {
	if v.Is(ordjson.String) {
		if n, err := ordjson.Parse(v.Str()); err == nil {
			return n.Float()
		}
	}
	return v.Float()
}

// list is a JSON array of texts, for json_each.
func list(texts []string) string { return ordjson.Text(ordjson.Strings(texts)) }

// object builds a row; what is empty is left out.
type object struct{ members []ordjson.Member }

func (o *object) text(key, s string) *object {
	if s != "" {
		o.members = append(o.members, ordjson.Field(key, ordjson.NewString(s)))
	}
	return o
}

// value adds a value; null is left out.
func (o *object) value(key string, v ordjson.Value) *object {
	if v.Exists() && !v.Is(ordjson.Null) {
		o.members = append(o.members, ordjson.Field(key, v))
	}
	return o
}

func (o *object) done() ordjson.Value { return ordjson.NewObject(o.members...) }

// yesNo is a value of an accessibility column: 1 is yes, 2 no.
func yesNo(v ordjson.Value) string {
	switch numberOf(v) {
	case 1:
		return "yes"
	case 2:
		return "no"
	}
	return ""
}
