package protocol

import (
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/flowmcp/fmcp/pkg/grade"
	"github.com/flowmcp/fmcp/pkg/ordjson"
	"github.com/flowmcp/fmcp/pkg/record"
	"github.com/flowmcp/fmcp/pkg/walk"
	"github.com/flowmcp/fmcp/pkg/words"
)

// The names of the artefacts in the folder of a schema, which has the name of its
// slug.
const (
	promptsFile = "prompts.json"
	scoresFile  = "scores.json"
)

// maxScores is how large a scores.json may be, in bytes.
const maxScores = 1 << 20

// Book has the scores of schemas. It is for one goroutine.
type Book struct {
	bySlug  map[string][]*entry
	refused []*record.Diagnostic
	graded  map[string]bool          // slugs of the schemas that were asked for
	graders map[string]ordjson.Value // creators and harnesses by their texts
	again   bool                     // a Scorer scores what has no scores that can be used
}

// entry is a scores.json in a Book.
type entry struct {
	*grade.Scores
	file  string
	hash  record.Loc // where it says of which version of the schema
	named bool       // by the user; false for one in a folder
}

// ReadBook reads the files that the user names, and of folders each scores.json.
func ReadBook(paths []string) (*Book, error) {
	b := &Book{bySlug: map[string][]*entry{}, graded: map[string]bool{}, graders: map[string]ordjson.Value{}}
	for _, path := range paths {
		info, err := os.Stat(path)
		if err != nil {
			return nil, fmt.Errorf("%s: cannot be read: %w", path, words.Cause(err))
		}
		if !info.IsDir() {
			if err := b.add(path, true); err != nil {
				return nil, err
			}
			continue
		}
		n := 0
		if err := filepath.WalkDir(path, func(file string, d fs.DirEntry, err error) error {
			if err != nil {
				return fmt.Errorf("%s: cannot be read: %w", file, words.Cause(err))
			}
			if d.IsDir() || d.Name() != scoresFile {
				return nil
			}
			n++
			return b.add(file, false)
		}); err != nil {
			return nil, err
		}
		if n == 0 {
			return nil, fmt.Errorf("%s: has no scores.json in it, as a grader writes beside prompts.json", path)
		}
	}
	return b, nil
}

func (b *Book) add(file string, named bool) error {
	text, err := walk.ReadFile(file, maxScores+1)
	if err != nil {
		return fmt.Errorf("%s: cannot be read: %w", file, words.Cause(err))
	}
	if len(text) > maxScores {
		return fmt.Errorf("%s: is longer than %d bytes, expected a scores.json of one schema", file, maxScores)
	}
	r := reader{path: file}
	if s := r.read(string(text)); s != nil {
		hash := r.at("/schemaHash")
		b.own(s)
		b.bySlug[s.Slug] = append(b.bySlug[s.Slug], &entry{Scores: s, file: file, hash: hash, named: named})
	}
	b.refused = append(b.refused, r.found...)
	return nil
}

// own has scores keep no part of the text of their file: of 10,000 that would be 30 MB,
// most of it spaces and the names of a few graders.
func (b *Book) own(s *grade.Scores) {
	for _, text := range []*string{&s.Slug, &s.SchemaHash, &s.StartedAt, &s.Timestamp} {
		*text = strings.Clone(*text)
	}
	for i := range s.Dimensions {
		s.Dimensions[i].Name = dimensions[slices.Index(dimensions, s.Dimensions[i].Name)]
		s.Dimensions[i].Reasoning = strings.Clone(s.Dimensions[i].Reasoning)
	}
	for _, v := range []*ordjson.Value{&s.Creator, &s.Harness} {
		text := ordjson.Text(*v)
		if _, known := b.graders[text]; !known {
			b.graders[text], _ = ordjson.Parse(text) // it was read before
		}
		*v = b.graders[text]
	}
}

// Score sets the scores of a schema, where there are some that can be used, and returns
// what is to be said of them. A schema whose record did not come has no use for scores.
func (b *Book) Score(of *grade.Evidence) []*record.Diagnostic {
	slug, schemaID, fileHash := Slug(of.ID), of.ID, of.FileHash
	b.graded[slug] = true
	if fileHash == "" {
		return nil
	}
	var found []*record.Diagnostic
	say := func(severity record.Severity, code string, loc record.Loc, message, fix string) {
		found = append(found, &record.Diagnostic{Code: code, Severity: severity, Message: message, Fix: fix,
			Subject: schemaID, Loc: loc})
	}
	var fresh, stale []*entry
	for _, e := range b.bySlug[slug] {
		if e.SchemaHash == "" || e.SchemaHash == fileHash {
			fresh = append(fresh, e)
		} else {
			stale = append(stale, e)
		}
	}
	severity := record.SeverityError
	if len(fresh) > 0 || b.again { // what is old was scored again, or is now
		severity = record.SeverityWarning
	}
	for _, e := range stale {
		say(severity, codeStale, e.hash, "these scores are for "+e.SchemaHash+", and "+schemaID+" is "+fileHash+
			" now: they are not used", "write its prompts again with fmcp-grade prompts, and have it scored")
	}
	switch {
	case len(fresh) == 0 && len(stale) > 0:
		of.StaleScores = stale[len(stale)-1].Scores
		return found
	case len(fresh) == 0:
		return found
	case len(fresh) > 1:
		say(record.SeverityError, codeTwice, record.Loc{Path: fresh[1].file}, "found scores of "+schemaID+
			" in this file and in "+fresh[0].file+", expected one file: neither is used", "keep one of them")
		return found
	}
	e := fresh[0]
	if e.SchemaHash == "" {
		say(record.SeverityWarning, codeUnbound, e.hash, "found no schemaHash: nobody knows whether these scores are "+
			"of "+schemaID+" as it is now", "have the grader repeat the schemaHash of prompts.json")
	}
	if len(e.Missing) > 0 && !b.again {
		say(record.SeverityWarning, codePartial, record.Loc{Path: e.file}, "found no score of "+words.List(e.Missing)+
			": "+schemaID+" gets no grade", "score all prompts of prompts.json")
	}
	of.Scores = e.Scores
	return found
}

// Rest says, when all schemas have come, what is wrong with the files, and which of
// them are of none of these schemas. It says each thing once.
func (b *Book) Rest() []*record.Diagnostic {
	found := b.refused
	b.refused = nil
	known := slices.Sorted(maps.Keys(b.graded))
	for _, slug := range slices.Sorted(maps.Keys(b.bySlug)) {
		if b.graded[slug] {
			continue
		}
		b.graded[slug] = true
		for _, e := range b.bySlug[slug] {
			severity := record.SeverityError
			if !e.named { // a folder has the scores of more than is graded now
				severity = record.SeverityWarning
			}
			found = append(found, &record.Diagnostic{Code: codeForeign, Severity: severity,
				Message: "found scores of " + words.Quote(slug) + ", which is not the slug of any schema in the " +
					"input: they are not used" + words.DidYouMean(slug, known),
				Fix: "grade the catalog that has the schema, or leave the file out", Loc: record.Loc{Path: e.file}})
		}
	}
	slices.SortStableFunc(found, (*record.Diagnostic).Compare)
	return found
}
