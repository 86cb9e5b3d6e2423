package gtfs

import (
	"context"
	"io"

	"github.com/flowmcp/fmcp/pkg/ordjson"
)

// maxGeoJSON bounds locations.geojson, which is read whole.
const maxGeoJSON = 64 << 20

// zones loads locations.geojson: the zones of flexible services, each with its
// geometry as JSON text (Reference, locations.geojson).
func (l *loader) zones(ctx context.Context) error {
	if err := l.exec(ctx, "CREATE TABLE locations (location_id TEXT PRIMARY KEY, stop_name TEXT, stop_desc TEXT, geometry TEXT)"); err != nil {
		return err
	}
	if l.feed.members[locationsFile] == nil {
		return nil
	}
	file, err := l.feed.open(locationsFile)
	if err != nil {
		return err
	}
	defer func() { _ = file.Close() }()
	data, err := io.ReadAll(io.LimitReader(file, maxGeoJSON+1))
	switch {
	case err != nil:
		return damaged(locationsFile, err)
	case len(data) > maxGeoJSON:
		return fail(CodeTooLarge, "", "%s has more than %d bytes", locationsFile, maxGeoJSON)
	}
	say := func(code, message string) {
		l.rep.add(Finding{Code: code, File: locationsFile, Message: message})
	}
	v, err := ordjson.Parse(string(data))
	if err != nil {
		say(CodeBadRow, "the file is not JSON: "+err.Error())
		return nil
	}
	if v.Get("type").Str() != "FeatureCollection" || !v.Get("features").Is(ordjson.Array) {
		say(CodeBadRow, "expected a FeatureCollection with features")
		return nil
	}
	for i, f := range v.Get("features").Elems() {
		id, geometry := f.Get("id").Str(), f.Get("geometry")
		kind := geometry.Get("type").Str()
		switch {
		case id == "":
			say(CodeNoValue, "a feature has no id")
			continue
		case kind != "Polygon" && kind != "MultiPolygon":
			say(CodeBadValue, "the geometry of "+quoted(id)+" is "+quoted(kind)+", expected Polygon or MultiPolygon")
			continue
		}
		if _, twin := l.keysOf(locations).add(id, i+1); twin != 0 {
			say(CodeTwice, "found "+quoted(id)+" again")
			continue
		}
		props := f.Get("properties")
		_, err := l.db.ExecContext(ctx, "INSERT INTO locations VALUES (?, ?, ?, ?)", id, orNull(props.Get("stop_name").Str()), orNull(props.Get("stop_desc").Str()), ordjson.Text(geometry))
		if err != nil {
			return notWritten(err)
		}
	}
	if n := len(l.keysOf(locations).lines); n > 0 {
		l.rep.Rows = append(l.rep.Rows, TableRows{locations, int64(n)})
	}
	return nil
}

// orNull is a text, or null for an empty one.
func orNull(s string) any {
	if s == "" {
		return nil
	}
	return s
}
