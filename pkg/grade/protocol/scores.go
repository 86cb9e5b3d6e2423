package protocol

import (
	"cmp"
	"errors"
	"slices"
	"strings"
	"time"

	"github.com/flowmcp/fmcp/pkg/grade"
	"github.com/flowmcp/fmcp/pkg/module"
	"github.com/flowmcp/fmcp/pkg/ordjson"
	"github.com/flowmcp/fmcp/pkg/record"
	"github.com/flowmcp/fmcp/pkg/words"
)

// The codes of what is wrong with scores.
const (
	codeForm     = "GRD001" // not a scores.json
	codeProtocol = "GRD002" // of another version of the protocol
	codeStale    = "GRD003" // of another version of the schema
	codeForeign  = "GRD004" // of no schema of the input
	codeTwice    = "GRD005" // two files for one schema
	codePartial  = "GRD006" // not of all dimensions
	codeUnbound  = "GRD007" // they do not say of which version of the schema
)

// reader reads one scores.json, and notes all that is wrong with it.
type reader struct {
	path  string
	lines *module.Lines
	value ordjson.Value
	found []*record.Diagnostic
}

// read reads the text of a scores.json. Scores with a mistake in them are refused as
// a whole: they are nil, and the reader has found what is wrong and where.
func (r *reader) read(text string) *grade.Scores {
	text = strings.TrimPrefix(text, "\uFEFF")
	r.lines = module.NewLines(text)
	value, err := ordjson.Parse(text)
	if err != nil {
		at := &words.SyntaxError{Message: err.Error()}
		errors.As(err, &at)
		r.found = append(r.found, &record.Diagnostic{Code: codeForm, Severity: record.SeverityError,
			Message: "is not JSON: " + at.Message, Fix: at.Fix, Loc: r.loc(at.Offset, "")})
		return nil
	}
	r.value = value
	if !value.Is(ordjson.Object) {
		r.wrong("", value, "an object with schemaIdSlug, scoringProtocol, creator, harness, timestamp and scores")
		return nil
	}
	if v := value.Get("scoringProtocol"); v.Str() != Version {
		r.note(codeProtocol, "/scoringProtocol", "scoringProtocol: found "+ordjson.Shown(v)+`, expected "`+Version+`"`,
			"score with a grader of this version: what the scores of another one mean is not known")
		return nil
	}
	s := &grade.Scores{
		Slug: r.string("/schemaIdSlug", "the slug of prompts.json"), SchemaHash: r.hash(),
		Creator: r.object("/creator"), Harness: r.object("/harness"), Timestamp: r.time("/timestamp"),
	}
	if s.Harness.Len() > 0 {
		r.string("/harness/name", "what gave the scores, such as claude-code")
	}
	if value.Get("startedAt").Exists() {
		s.StartedAt = r.time("/startedAt")
	}
	s.Dimensions = r.dimensions()
	s.Veto = r.veto()
	if r.found != nil {
		return nil
	}
	s.Missing = missing(s.Dimensions)
	return s
}

// missing are the dimensions that have no score.
func missing(scored []grade.Dimension) []string {
	return slices.DeleteFunc(slices.Clone(dimensions), func(name string) bool {
		return slices.ContainsFunc(scored, func(d grade.Dimension) bool { return d.Name == name })
	})
}

func (r *reader) loc(offset int, pointer string) record.Loc {
	line, col := r.lines.Position(offset)
	return record.Loc{Path: r.path, Line: line, Col: col, Pointer: pointer}
}

// at is the place of a value.
func (r *reader) at(pointer string) record.Loc {
	_, offset := ordjson.Lookup(r.value, pointer)
	return r.loc(offset, pointer)
}

func (r *reader) note(code, pointer, message, fix string) {
	r.found = append(r.found, &record.Diagnostic{Code: code, Severity: record.SeverityError, Message: message, Fix: fix,
		Loc: r.at(pointer)})
}

// wrong notes a value that is not what was expected.
func (r *reader) wrong(pointer string, found ordjson.Value, expected string) {
	r.note(codeForm, pointer, fieldOf(pointer)+": found "+ordjson.Shown(found)+", expected "+expected,
		"docs/grades.md shows a whole scores.json")
}

// fieldOf is a pointer as people write it: scores[1].dimension.
func fieldOf(pointer string) string {
	var name strings.Builder
	for key := range ordjson.PointerKeys(pointer) {
		switch {
		case strings.Trim(key, "0123456789") == "":
			name.WriteString("[" + key + "]")
		case name.Len() > 0:
			name.WriteString("." + key)
		default:
			name.WriteString(key)
		}
	}
	return cmp.Or(name.String(), "the file")
}

// string reads a text that must be there.
func (r *reader) string(pointer, what string) string {
	v, _ := ordjson.Lookup(r.value, pointer)
	if v.Str() == "" {
		r.wrong(pointer, v, what)
	}
	return v.Str()
}

// object reads an object that says something.
func (r *reader) object(pointer string) ordjson.Value {
	v, _ := ordjson.Lookup(r.value, pointer)
	if v.Len() == 0 || !v.Is(ordjson.Object) {
		r.wrong(pointer, v, "an object as in chapter 22")
	}
	return v
}

func (r *reader) time(pointer string) string {
	v, _ := ordjson.Lookup(r.value, pointer)
	if _, err := time.Parse(time.RFC3339, v.Str()); err != nil {
		r.wrong(pointer, v, "a time such as 2026-05-18T03:15:00Z")
	}
	return v.Str()
}

func (r *reader) hash() string {
	v := r.value.Get("schemaHash")
	hex, ok := strings.CutPrefix(v.Str(), "sha256:")
	if v.Exists() && (!ok || len(hex) != 64 || strings.Trim(hex, "0123456789abcdef") != "") {
		r.wrong("/schemaHash", v, "that of prompts.json: sha256: and 64 hexadecimal digits")
	}
	return v.Str()
}

// dimensions reads the scores. One without a dimension is that of the prompt at its
// place (chapter 22, "Grader Implementation Requirements").
func (r *reader) dimensions() []grade.Dimension {
	list := r.value.Get("scores")
	if !list.Is(ordjson.Array) {
		r.wrong("/scores", list, "an array of { dimension, score, reasoning }")
	}
	var out []grade.Dimension
	for i, v := range list.Elems() {
		pointer := ordjson.Pointer("scores", i)
		name := v.Get("dimension")
		switch {
		case !v.Is(ordjson.Object):
			r.wrong(pointer, v, "an object with dimension, score and reasoning")
			continue
		case !name.Exists() && i < len(dimensions):
			name = ordjson.NewString(dimensions[i])
		case !slices.Contains(dimensions, name.Str()):
			r.wrong(pointer+"/dimension", name, words.List(dimensions)+words.DidYouMean(name.Str(), dimensions))
			continue
		}
		if slices.ContainsFunc(out, func(d grade.Dimension) bool { return d.Name == name.Str() }) {
			r.note(codeForm, pointer, fieldOf(pointer)+": found a second score of "+name.Str()+
				", expected one for each dimension", "leave one of the two: which is meant is not known")
			continue
		}
		score, reasoning := v.Get("score"), v.Get("reasoning")
		if !record.IsScore(score) {
			r.wrong(pointer+"/score", score, scale)
		}
		if reasoning.Exists() && !reasoning.Is(ordjson.String) {
			r.wrong(pointer+"/reasoning", reasoning, "a text")
		}
		d := grade.Dimension{Name: name.Str(), Score: score.Float(), Reasoning: reasoning.Str()}
		for n, run := range v.Get("runs").Elems() {
			if !record.IsScore(run) {
				r.wrong(ordjson.Pointer("scores", i, "runs", n), run, scale)
			}
			d.Runs = append(d.Runs, run.Float())
		}
		out = append(out, d)
	}
	return out
}

// scale is what record.IsScore asks for.
const scale = "a number from 1.0 to 5.0"
