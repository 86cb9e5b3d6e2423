// Package migrate takes files of older versions of the specification towards the next
// one, as edits (chapter 08). Each step has a file of its own, and leaves what it is not
// about as it is: the steps of a file are made one after the other, in whatever order
// their findings come.
package migrate

import (
	"slices"

	"github.com/flowmcp/fmcp/pkg/module"
	"github.com/flowmcp/fmcp/pkg/ordjson"
	"github.com/flowmcp/fmcp/pkg/record"
)

// Export is what files of version 1 export.
const Export = "schema"

// Old reports whether a schema with some exports is of version 1, or has all of it in
// one object as the samples of chapters 08 and 19: no rule can read such a file before
// it has a main (decision "Schema exports").
func Old(exports []string) bool {
	return slices.Contains(exports, Export) && !slices.Contains(exports, "main")
}

// Source is a file that is old.
type Source struct {
	*module.Tokens
	// Root is what the file exports as schema, as far as it is written as objects and
	// arrays: null stands for any other value, whose text is in Tokens. It is Missing
	// where the file does not declare schema with a value.
	Root ordjson.Value
	// Namespace is that of the folder of the file, "" where it has none.
	Namespace string
	// Lists are the arrays that the file imports, by module.
	Lists map[string]ordjson.Value
	// Made is what the file exports as schema, where code makes a part of that; Missing
	// where it is data, or that code fails.
	Made ordjson.Value
}

// Read reads the text of a file that is old.
func Read(text, namespace string) *Source {
	tokens := module.Tokenize(text)
	return &Source{Tokens: tokens, Root: tokens.Outline(Export), Namespace: namespace}
}

// Step is a place of an old file that its next version has otherwise.
type Step struct {
	At      int // offset
	Message string
	Fix     string
	Edits   []record.Edit // nil where somebody has to make it by hand
}
