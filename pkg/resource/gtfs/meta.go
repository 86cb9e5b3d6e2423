package gtfs

import (
	"context"

	"zombiezen.com/go/sqlite"

	"github.com/flowmcp/fmcp/pkg/ordjson"
	"github.com/flowmcp/fmcp/pkg/resource/gtfs/tools"
	"github.com/flowmcp/fmcp/pkg/words"
)

// metaKeys are the ten keys of a sealed database (chapter 13, "Required Meta
// Keys").
var metaKeys = []string{
	"qualitySeal", "specRevision", "specUrl", "converterVersion", "capabilities", "validationReport", "buildDate",
	"rowCounts",
	"sourceUrl", "sourceHash",
}

// seal writes the meta table, which is the last thing that is written.
func (l *loader) seal(ctx context.Context, o Options) error {
	var err error
	if l.rep.Caps, err = l.capabilities(ctx); err != nil {
		return err
	}
	values := []string{
		Seal, SpecRevision, SpecURL, o.Converter, ordjson.Text(l.rep.Caps.json()), ordjson.Text(l.rep.summary()),
		l.rep.BuildDate,
		ordjson.Text(l.rep.rowCounts()), o.SourceURL, l.rep.Hash,
	}
	if err := l.exec(ctx, "CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT)"); err != nil {
		return err
	}
	for i, key := range metaKeys {
		if err := l.with(ctx, "INSERT INTO meta VALUES (?, ?)", key, values[i]); err != nil {
			return err
		}
	}
	return nil
}

// Meta is what a sealed database says of itself, as far as it decides what can be
// asked.
type Meta struct {
	Capabilities Capabilities
	Warnings     []string // RES034
}

// ReadMeta verifies the seal and the ten keys (RES032 to RES034). The error is
// a *words.Problem.
func ReadMeta(ctx context.Context, db Queryer) (*Meta, error) {
	rows, err := db.Query(ctx, "SELECT count(*) AS n FROM sqlite_master WHERE type = 'table' AND name = 'meta'")
	if err != nil {
		return nil, fail(CodeNotDB, "put the database at path, or convert the feed again",
			"the database cannot be read (%v)", err)
	}
	const fix = "convert the feed by fmcp-exec resource import-gtfs"
	if len(rows) != 1 || rows[0].Get("n").Float() == 0 {
		return nil, fail(CodeNoSeal, fix, "the database has no table meta, expected one with qualitySeal %q", Seal)
	}
	rows, err = db.Query(ctx, "SELECT key, value FROM meta LIMIT 1000")
	if err != nil {
		return nil, fail(CodeNoSeal, fix, "the table meta cannot be read as key and value (%v)", err)
	}
	values := map[string]string{}
	var keys []string
	for _, r := range rows {
		values[r.Get("key").Str()] = r.Get("value").Str()
		keys = append(keys, r.Get("key").Str())
	}
	if got := values["qualitySeal"]; got != Seal {
		return nil, fail(CodeNoSeal, fix, "meta.qualitySeal is %s, expected %q", words.Quote(got), Seal)
	}
	for _, key := range metaKeys {
		if _, ok := values[key]; !ok {
			return nil, fail(CodeNoSeal, fix, "the table meta has no %s, one of the ten keys of a sealed database%s",
				key, words.DidYouMean(key, keys))
		}
	}
	return newMeta(values)
}

func newMeta(values map[string]string) (*Meta, error) {
	m := &Meta{Capabilities: Capabilities{}}
	caps, err := ordjson.Parse(values["capabilities"])
	if err != nil || !caps.Is(ordjson.Object) {
		return nil, fail(CodeNoSeal, "convert the feed again",
			"meta.capabilities is %s, expected a JSON object of booleans", words.Quote(values["capabilities"]))
	}
	for _, c := range caps.Members() {
		m.Capabilities[c.Key] = c.Value.True()
	}
	if revision := values["specRevision"]; revision != SpecRevision {
		m.Warnings = append(m.Warnings,
			CodeRevision+" meta.specRevision is "+words.Quote(revision)+", this release knows "+SpecRevision+
				": tables may mean something else; convert the feed again where answers look wrong")
	}
	return m, nil
}

// Capabilities say what a database can answer (chapter 13, meta key
// capabilities).
type Capabilities map[string]bool

// The names of capabilities.
const (
	CapLookup        = tools.Lookup     // stops and routes
	CapRouting       = tools.Routing    // trips with stop times
	CapShapes        = tools.Shapes     // trips with shapes
	CapFlex          = tools.Flex       // booking rules, groups, zones or windows
	CapDepartures    = tools.Departures // routing and calendars
	CapExceptions    = "serviceExceptions"
	CapFrequencies   = "frequencies"
	CapStations      = "stations"
	CapTransfers     = "transfers"
	CapPathways      = "pathways"
	CapFares         = "fares"
	CapAccessibility = "accessibility"
)

// capNames are the capabilities in the order in which they are written.
var capNames = []string{
	CapLookup, CapRouting, CapDepartures, CapExceptions, CapFrequencies, CapStations, CapShapes, CapFlex, CapTransfers,
	CapPathways,
	CapFares, CapAccessibility,
}

func (c Capabilities) json() ordjson.Value {
	m := make([]ordjson.Member, len(capNames))
	for i, name := range capNames {
		m[i] = ordjson.Field(name, ordjson.NewBool(c[name]))
	}
	return ordjson.NewObject(m...)
}

// Names are the capabilities that are there, in order.
func (c Capabilities) Names() []string {
	var names []string
	for _, name := range capNames {
		if c[name] {
			names = append(names, name)
		}
	}
	return names
}

// capabilities finds out what the tables can answer.
func (l *loader) capabilities(ctx context.Context) (Capabilities, error) {
	has := l.loaded
	c := Capabilities{
		CapLookup: has("stops") && has("routes"), CapRouting: has("trips") && has("stop_times"),
		CapDepartures: has("stop_times"),
		CapExceptions: has("calendar_dates"), CapFrequencies: has("frequencies"), CapTransfers: has("transfers"),
		CapPathways: has("pathways"),
		CapFlex:     l.flexible || has("booking_rules") || has("location_groups") || has(locations),
		CapFares:    has("fare_attributes") || has("fare_products"),
	}
	for name, condition := range map[string]string{
		CapShapes:        "trips WHERE shape_id IS NOT NULL",
		CapStations:      "stops WHERE location_type = 1",
		CapAccessibility: "stops WHERE wheelchair_boarding IN (1, 2)",
	} {
		err := l.each(ctx, "SELECT EXISTS (SELECT 1 FROM "+condition+")", func(row *sqlite.Stmt) error {
			c[name] = row.ColumnBool(0)
			return nil
		})
		if err != nil {
			return nil, err
		}
	}
	return c, nil
}
