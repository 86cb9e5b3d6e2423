package protocol

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"strconv"
	"time"

	"github.com/flowmcp/fmcp/pkg/atomicfile"
	"github.com/flowmcp/fmcp/pkg/grade"
	"github.com/flowmcp/fmcp/pkg/ordjson"
	"github.com/flowmcp/fmcp/pkg/record"
	"github.com/flowmcp/fmcp/pkg/walk"
	"github.com/flowmcp/fmcp/pkg/words"
)

// Report is the grade report of chapter 22 about a schema that is given a grade now.
func Report(e *grade.Evidence, letter, now string) ordjson.Value {
	errs := []ordjson.Value{}
	for _, d := range e.Errors() {
		errs = append(errs, ordjson.NewString(d.Code+": "+d.Message))
	}
	creator, harness, started, scored, mean := ordjson.NewNull(), ordjson.NewNull(), "", "", (*float64)(nil)
	dimensions := []ordjson.Value{}
	if s := e.Scores; s != nil {
		creator, harness, scored, mean = s.Creator, s.Harness, s.Timestamp, s.Mean()
		started = cmp.Or(s.StartedAt, s.Timestamp)
		for _, d := range s.Dimensions {
			dimensions = append(dimensions, dimensionJSON(d))
		}
	}
	score := ordjson.NewNull()
	if mean != nil {
		score = ordjson.NewNumber(*mean)
	}
	return ordjson.NewObject(
		text("schemaId", e.ID), text("schemaIdSlug", Slug(e.ID)), text("schemaPath", e.Path),
		ordjson.Field("schemaHash", orNull(e.FileHash)), text("date", dateOf(now)),
		text("grade", letter), ordjson.Field("score", score), text("scoringProtocol", Version),
		ordjson.Field("creator", creator), ordjson.Field("harness", harness),
		ordjson.Field("timestamps", ordjson.NewObject(ordjson.Field("startedAt", orNull(started)),
			ordjson.Field("scoredAt", orNull(scored)), text("gradedAt", now), text("reportedAt", now))),
		ordjson.Field("dimensions", ordjson.NewArray(dimensions...)),
		ordjson.Field("validationPassed", ordjson.NewBool(len(errs) == 0)),
		ordjson.Field("validationErrors", ordjson.NewArray(errs...)))
}

// ReadReport reads what Report makes, as far as a later grading asks for it. It is nil
// where the value is none; the error says why one cannot be used. Its schemaHash is
// that of the file (decision "Three hashes").
func ReadReport(v ordjson.Value) (*record.Grade, error) {
	g := &record.Grade{SchemaID: v.Get("schemaId").Str(), FileHash: v.Get("schemaHash").Str(),
		Grade: v.Get("grade").Str(), Timestamp: v.Get("timestamps").Get("gradedAt").Str(),
		Dimensions: record.DimensionsOf(v.Get("dimensions"))}
	if g.SchemaID == "" || g.FileHash == "" || !v.Get("scoringProtocol").Exists() {
		return nil, nil
	}
	if version := v.Get("scoringProtocol"); version.Str() != Version {
		return nil, fmt.Errorf("scoringProtocol: found %s, expected %q", ordjson.Shown(version), Version)
	}
	if score := v.Get("score"); score.Exists() && !score.Is(ordjson.Null) {
		if !record.IsScore(score) {
			return nil, fmt.Errorf("score: found %s, expected %s", ordjson.Shown(score), scale)
		}
		f := score.Float()
		g.Score, g.Harness = &f, v.Get("harness").Get("name").Str()
	}
	return g, nil
}

// dateOf is the date of a time in UTC, as the reference implementation has it.
func dateOf(now string) string {
	t, _ := time.Parse(time.RFC3339, now) // the command has
	return t.UTC().Format(time.DateOnly)
}

func orNull(s string) ordjson.Value {
	if s == "" {
		return ordjson.NewNull()
	}
	return ordjson.NewString(s)
}

// dimensionJSON is a dimension as scores.json and the report have it.
func dimensionJSON(d grade.Dimension) ordjson.Value {
	v := ordjson.NewObject(text("dimension", d.Name), ordjson.Field("score", ordjson.NewNumber(d.Score)),
		text("reasoning", d.Reasoning))
	if d.Runs != nil {
		runs := make([]ordjson.Value, len(d.Runs))
		for i, s := range d.Runs {
			runs[i] = ordjson.NewNumber(s)
		}
		v = v.With("runs", ordjson.NewArray(runs...)).With("spread", ordjson.NewNumber(spread(d.Runs)))
	}
	return v
}

// WriteReport writes a report to a folder, whole or not at all, and returns its path.
// Its name is that of the reference implementation, slug and date. A report of another
// run stays: this one then gets a number, unless both say the same.
func WriteReport(dir string, report ordjson.Value) (string, error) {
	data := []byte(ordjson.Pretty(report, ""))
	base := fileName(report.Get("schemaIdSlug").Str()) + "-" + report.Get("date").Str()
	name := base + ".json"
	for n := 2; ; n++ {
		path := filepath.Join(dir, name)
		err := atomicfile.WriteNew(dir, name, data)
		if err == nil {
			return path, nil
		}
		if !errors.Is(err, fs.ErrExist) {
			return "", fmt.Errorf("%s: cannot be written: %w", path, words.Cause(err))
		}
		if was, err := walk.ReadFile(path, int64(len(data)+1)); err == nil && bytes.Equal(was, data) {
			return path, nil
		}
		name = base + "-" + strconv.Itoa(n) + ".json"
	}
}

// scoresOf is a scores.json.
func scoresOf(s *grade.Scores) ordjson.Value {
	list := make([]ordjson.Value, 0, len(s.Dimensions))
	for _, d := range s.Dimensions {
		list = append(list, dimensionJSON(d))
	}
	return ordjson.NewObject(text("schemaIdSlug", s.Slug), text("scoringProtocol", Version),
		ordjson.Field("creator", s.Creator), ordjson.Field("harness", s.Harness), text("timestamp", s.Timestamp),
		ordjson.Field("scores", ordjson.NewArray(list...)), text("startedAt", s.StartedAt),
		text("schemaHash", s.SchemaHash))
}
