// Package openapi makes schemas of a description of an API by OpenAPI 3.0 or 3.1: the
// text of modules, and findings about what has no counterpart. It is the only importer of
// the library that reads such documents.
package openapi

import (
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"
	"path/filepath"
	"strings"

	"github.com/pb33f/libopenapi/datamodel"
	high "github.com/pb33f/libopenapi/datamodel/high/v3"
	low "github.com/pb33f/libopenapi/datamodel/low/v3"

	"github.com/flowmcp/fmcp/pkg/lazy"
	"github.com/flowmcp/fmcp/pkg/words"
)

// Document is a description that was read.
type Document struct {
	Path  string // as the user named it
	model *high.Document
	file  string          // its absolute path
	lost  map[string]bool // references that lead nowhere
}

// Open reads a document, and the files of its folder that it refers to.
func Open(path string) (*Document, error) {
	abs, err := filepath.Abs(path)
	if err != nil {
		return nil, err
	}
	source, files, err := readAll(abs)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, words.Cause(err))
	}
	return parse(path, abs, source, files)
}

// parse reads the source of a document; files are those that it may refer to.
func parse(path, abs string, source []byte, files memory) (*Document, error) {
	config := datamodel.NewDocumentConfiguration()
	config.Logger = slog.New(slog.NewTextHandler(io.Discard, nil))
	config.ExcludeExtensionRefs, config.SkipMetadataCollection = true, true
	config.SkipCircularReferenceCheck = true // it describes what contains itself
	config.SpecFilePath = filepath.Base(abs)
	if len(files) > 0 {
		config.BasePath, config.LocalFS = filepath.Dir(abs), files
	}
	info, err := datamodel.ExtractSpecInfoWithConfig(source, config)
	if info != nil && info.SpecFormat == datamodel.OAS2 {
		return nil, fmt.Errorf("%s is Swagger 2.0, and only OpenAPI 3.0 and 3.1 are read: convert it, for example "+
			"with npx swagger2openapi %s -o openapi.yaml, and import the result", path, filepath.Base(path))
	}
	if err != nil {
		why := words.Brief(words.OneLine(err.Error()))
		if info != nil { // it is YAML
			why = "it has no version"
		}
		return nil, fmt.Errorf("%s is not an OpenAPI document: %s; expected YAML or JSON with openapi: 3.0.x or 3.1.x",
			path, why)
	}
	if !strings.HasPrefix(info.Version, "3.") {
		return nil, fmt.Errorf("%s is of OpenAPI version %s, expected 3.0 or 3.1", path, words.Quote(info.Version))
	}
	doc, err := low.CreateDocumentFromConfig(info, config)
	if doc == nil || doc.Index == nil {
		return nil, fmt.Errorf("%s cannot be read: %s", path, words.Brief(words.OneLine(fmt.Sprint(err))))
	}
	// References without a target are errors too; each is reported where it is needed.
	d := &Document{Path: path, model: high.NewDocument(doc), file: abs, lost: lost(err)}
	if d.model.Paths == nil || d.model.Paths.PathItems.Len() == 0 {
		return nil, fmt.Errorf("%s has no paths: there is nothing to import", path)
	}
	return d, nil
}

// noTarget is how the library names a reference that leads nowhere.
var noTarget = lazy.Regexp("component `([^`]*)` does not exist")

func lost(err error) map[string]bool {
	names := map[string]bool{}
	if err != nil {
		for _, m := range noTarget().FindAllStringSubmatch(err.Error(), -1) {
			names[m[1]] = true
		}
	}
	return names
}

// What a document may need: more is no description of an API.
const (
	maxBytes = 64 << 20 // in all files together
	maxFiles = 5_000
)

// readAll reads a file, and what it refers to in its folder, by absolute paths. No link
// leads out of the folder.
func readAll(path string) (source []byte, files memory, err error) {
	root, err := os.OpenRoot(filepath.Dir(path))
	if err != nil {
		return nil, nil, err
	}
	defer root.Close()
	left := int64(maxBytes)
	read := func(name string) ([]byte, error) {
		f, err := root.Open(name)
		if err != nil {
			return nil, err
		}
		defer f.Close()
		if info, err := f.Stat(); err != nil || !info.Mode().IsRegular() {
			return nil, errors.Join(err, errors.New("not a regular file"))
		}
		text, err := io.ReadAll(io.LimitReader(f, left+1))
		if left -= int64(len(text)); left < 0 {
			return nil, fmt.Errorf("the document is larger than %d MiB", maxBytes>>20)
		}
		return text, err
	}
	if source, err = read(filepath.Base(path)); err != nil {
		return nil, nil, err
	}
	files = memory{}
	open := references(filepath.Base(path), source)
	for len(open) > 0 {
		name := open[0]
		open = open[1:]
		if _, known := files[name]; known || name == filepath.Base(path) {
			continue
		}
		text, err := read(name)
		switch {
		case left < 0, len(files) == maxFiles:
			return nil, nil, fmt.Errorf("it refers to more than %d files, or %d MiB", maxFiles, maxBytes>>20)
		case err != nil:
			continue // whoever needs it says that it is not there
		}
		files[name] = text
		open = append(open, references(name, text)...)
	}
	return source, files, nil
}
