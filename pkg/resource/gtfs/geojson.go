package gtfs

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"io"

	"github.com/flowmcp/fmcp/pkg/ordjson"
	"github.com/flowmcp/fmcp/pkg/words"
)

// maxFeature bounds what of locations.geojson is held at a time. A few kilobytes
// of an archive may be megabytes of JSON, and a gigabyte of values.
const maxFeature = 4 << 20

var (
	errLong       = errors.New("too long")
	errCollection = errors.New("expected a FeatureCollection with features")
)

// zones loads locations.geojson: the zones of flexible services, each with its
// geometry as JSON text (Reference, locations.geojson).
func (l *loader) zones(ctx context.Context) error {
	if err := l.exec(ctx, "CREATE TABLE locations (location_id TEXT PRIMARY KEY, stop_name TEXT, stop_desc TEXT, "+
		"geometry TEXT)"); err != nil {
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
	in, count := &metered{r: file}, 0
	err = features(in, func(f ordjson.Value) error {
		count++
		return l.addZone(ctx, count, f)
	})
	var own *words.Problem
	switch {
	case errors.As(err, &own):
		return err
	case errors.Is(err, errLong):
		return fail(CodeTooLarge, "", "%s has a feature, or a value beside the features, of more than %d bytes",
			locationsFile, maxFeature)
	case in.err != nil:
		return damaged(locationsFile, in.err)
	case errors.Is(err, errCollection):
		l.badZone(CodeBadRow, err.Error())
	case err != nil:
		l.badZone(CodeBadRow, "the file is not JSON: "+err.Error())
	}
	if n := len(l.keysOf(locations).lines); n > 0 {
		l.rep.Rows = append(l.rep.Rows, TableRows{locations, int64(n)})
	}
	return nil
}

func (l *loader) badZone(code, message string) {
	l.rep.add(Finding{Code: code, File: locationsFile, Message: message})
}

// addZone loads one feature.
func (l *loader) addZone(ctx context.Context, num int, f ordjson.Value) error {
	id, geometry := f.Get("id").Str(), f.Get("geometry")
	kind := geometry.Get("type").Str()
	switch {
	case id == "":
		l.badZone(CodeNoValue, "a feature has no id")
		return nil
	case kind != "Polygon" && kind != "MultiPolygon":
		l.badZone(CodeBadValue, "the geometry of "+words.Quote(id)+" is "+words.Quote(kind)+
			", expected Polygon or MultiPolygon")
		return nil
	}
	if _, twin := l.keysOf(locations).add(id, num); twin != 0 {
		l.badZone(CodeTwice, "found "+words.Quote(id)+" again")
		return nil
	}
	props := f.Get("properties")
	return l.with(ctx, "INSERT INTO locations VALUES (?, ?, ?, ?)",
		id, orNull(props.Get("stop_name").Str()), orNull(props.Get("stop_desc").Str()), ordjson.Text(geometry))
}

// features goes through the features of a FeatureCollection one by one. The error
// is that of each or of the reader, errCollection, or one of the JSON.
func features(in *metered, each func(ordjson.Value) error) error {
	d := &decoder{json.NewDecoder(in), in}
	kind, found := "", false
	err := d.between('{', '}', func() error {
		key, err := d.Token()
		if err != nil {
			return err
		}
		if key == "features" {
			found = true
			return d.between('[', ']', func() error {
				f, err := d.value()
				if err != nil {
					return err
				}
				return each(f)
			})
		}
		v, err := d.value()
		if key == "type" {
			kind = v.Str()
		}
		return err
	})
	if errors.Is(err, io.EOF) {
		return io.ErrUnexpectedEOF // where JSON goes on
	}
	if err != nil {
		return err
	}
	if _, err := d.Token(); !errors.Is(err, io.EOF) {
		return cmp.Or(err, errors.New("something follows its end"))
	}
	if kind != "FeatureCollection" || !found {
		return errCollection
	}
	return nil
}

// decoder reads JSON of any size, of which each part is bounded.
type decoder struct {
	*json.Decoder
	in *metered
}

// between calls f for each part of an object or an array.
func (d *decoder) between(open, end json.Delim, f func() error) error {
	d.in.left = maxFeature
	if t, err := d.Token(); err != nil || t != open {
		return cmp.Or(err, errCollection)
	}
	for ; d.More(); d.in.left = maxFeature {
		if err := f(); err != nil {
			return err
		}
	}
	if t, err := d.Token(); err != nil || t != end {
		return cmp.Or(err, errCollection)
	}
	return nil
}

func (d *decoder) value() (ordjson.Value, error) {
	d.in.left = maxFeature
	var raw json.RawMessage
	if err := d.Decode(&raw); err != nil {
		return ordjson.Value{}, err
	}
	return ordjson.Parse(string(raw))
}

// metered is a reader that gives no more than left bytes until left is set
// again.
type metered struct {
	r    io.Reader
	left int
	err  error // of the reader
}

// Read implements io.Reader.
func (m *metered) Read(p []byte) (int, error) {
	if m.left <= 0 {
		return 0, errLong
	}
	n, err := m.r.Read(p[:min(len(p), m.left)])
	m.left -= n
	if err != nil && !errors.Is(err, io.EOF) {
		m.err = err
	}
	return n, err
}

// orNull is a text, or null for an empty one.
func orNull(s string) any {
	if s == "" {
		return nil
	}
	return s
}
