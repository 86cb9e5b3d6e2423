package protocol

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"path/filepath"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/flowmcp/fmcp/pkg/atomicfile"
	"github.com/flowmcp/fmcp/pkg/grade"
	"github.com/flowmcp/fmcp/pkg/ordjson"
	"github.com/flowmcp/fmcp/pkg/words"
)

// Folder is where the artefacts of schemas go: each to a folder that has the name
// of its slug.
type Folder struct {
	dir   string
	owner map[string]string // of a slug: the file of its schema
}

// NewFolder is a folder that need not be there.
func NewFolder(dir string) *Folder { return &Folder{dir: dir, owner: map[string]string{}} }

// Claim takes the slug of a schema for its file, and fails where another file of
// this run has it.
func (f *Folder) Claim(schemaID, file string) error {
	slug := Slug(schemaID)
	if owner, taken := f.owner[slug]; taken {
		return fmt.Errorf("%s: has the slug %s, which %s has too: rename one of the files, or its namespace", file,
			words.Quote(slug), owner)
	}
	f.owner[slug] = file
	return nil
}

// WritePrompts writes the prompts.json of a schema, whole or not at all, and returns
// its path. An older one is replaced.
func (f *Folder) WritePrompts(p *Prompts) (string, error) {
	return f.write(p.SchemaID, promptsFile, p.JSON())
}

// WriteScores writes the scores.json of a schema. An older one is replaced.
func (f *Folder) WriteScores(schemaID string, s *grade.Scores) (string, error) {
	return f.write(schemaID, scoresFile, scoresOf(s))
}

// maxName is how long a slug may be, in bytes, to be part of a name that every file
// system takes.
const maxName = 200

// fileName is a slug as the name of a folder or a file. Chapter 16 allows only IDs whose
// slug can be that; where somebody wrote another, its hash stands for it, so that it does
// not keep the other schemas from their files.
func fileName(slug string) string {
	bad := func(r rune) bool { return !unicode.IsPrint(r) || r == '\\' || r == utf8.RuneError }
	if slug != "" && slug[0] != '.' && len(slug) <= maxName && !strings.ContainsFunc(slug, bad) {
		return slug
	}
	sum := sha256.Sum256([]byte(slug))
	return "schema-" + hex.EncodeToString(sum[:8])
}

func (f *Folder) write(schemaID, name string, v ordjson.Value) (string, error) {
	name = filepath.Join(fileName(Slug(schemaID)), name)
	if err := atomicfile.Write(f.dir, name, []byte(ordjson.Pretty(v, ""))); err != nil {
		return "", fmt.Errorf("%s: cannot be written: %w", filepath.Join(f.dir, name), words.Cause(err))
	}
	return filepath.Join(f.dir, name), nil
}
