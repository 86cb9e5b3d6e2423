package spec2

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/flowmcp/fmcp/pkg/atomicfile"
	"github.com/flowmcp/fmcp/pkg/ordjson"
	"github.com/flowmcp/fmcp/pkg/walk"
	"github.com/flowmcp/fmcp/pkg/words"
)

// Folder is the path of a folder of grading data in the layout of the Grading-Spec
// (19, "Binding Layout"). Entries are added to it and never changed.
type Folder string

// maxEntry is how large a grading entry may be, in bytes.
const maxEntry = 1 << 20

// gradings is the folder with the entries of a schema, relative to the Folder.
func gradings(schemaID string) string {
	namespace, name, _ := strings.Cut(schemaID, "/")
	return filepath.Join("providers", namespace, name, "_gradings")
}

func fileName(t time.Time) string { return area + "--" + fileTime(t) + ".json" }

// fileTime is a time as names of files have it (19, "Naming Conventions"), so that
// they sort by it.
func fileTime(t time.Time) string { return t.UTC().Format("2006-01-02T15-04-05Z") }

// Before are the entries of a schema before a time, oldest first.
func (f Folder) Before(schemaID string, now time.Time) ([]ordjson.Value, error) {
	if !idPattern().MatchString(entryID(schemaID)) {
		return nil, nil // it has none, and its name need not be safe
	}
	dir := filepath.Join(string(f), gradings(schemaID))
	files, err := os.ReadDir(dir)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("%s: cannot be read: %w", dir, words.Cause(err))
	}
	var entries []ordjson.Value
	for _, file := range files {
		if !strings.HasPrefix(file.Name(), area+"--") || !strings.HasSuffix(file.Name(), ".json") ||
			file.Name() >= fileName(now) {
			continue
		}
		entry, err := readEntry(filepath.Join(dir, file.Name()))
		if err != nil {
			return nil, err
		}
		entries = append(entries, entry)
	}
	return entries, nil
}

func readEntry(path string) (ordjson.Value, error) {
	text, err := walk.ReadFile(path, maxEntry)
	if err != nil {
		return ordjson.Value{}, fmt.Errorf("%s: cannot be read: %w", path, words.Cause(err))
	}
	entry, err := ordjson.Parse(string(text))
	if err != nil {
		return ordjson.Value{}, fmt.Errorf("%s: is not JSON: %w", path, err)
	}
	if problem := flaw(entry); problem != "" {
		return ordjson.Value{}, fmt.Errorf("%s: is no grading entry: %s", path, problem)
	}
	return entry, nil
}

// Add writes an entry of a schema. One that is there is never replaced; the same
// entry again is none.
func (f Folder) Add(schemaID string, now time.Time, entry ordjson.Value) error {
	name := filepath.Join(gradings(schemaID), fileName(now))
	path := filepath.Join(string(f), name)
	text := []byte(ordjson.Pretty(entry, ""))
	err := atomicfile.WriteNew(string(f), name, text)
	switch {
	case err == nil:
		return nil
	case !errors.Is(err, fs.ErrExist):
		return fmt.Errorf("%s: cannot be written: %w", path, words.Cause(err))
	}
	if was, err := walk.ReadFile(path, maxEntry); err != nil || !bytes.Equal(was, text) {
		return fmt.Errorf("%s: is there already, and an entry is never replaced: give another --timestamp", path)
	}
	return nil
}
