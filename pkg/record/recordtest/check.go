// Package recordtest checks records against their published JSON Schema. Only
// tests import it.
package recordtest

import (
	"bytes"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/flowmcp/fmcp/pkg/record/schema"
	"github.com/flowmcp/fmcp/pkg/words"
)

// Check reports in what way a line of our own output is not the record that
// it says it is: it must be valid by the JSON Schema of its kind, and, though
// that schema allows more, have no top-level field which the schema does not
// name.
func Check(line []byte) error {
	if bytes.ContainsAny(line, "\r\n") {
		return fmt.Errorf("a record is one line: %.200s", line)
	}
	v, err := jsonschema.UnmarshalJSON(bytes.NewReader(line))
	if err != nil {
		return fmt.Errorf("not JSON: %w: %.200s", err, line)
	}
	rec, _ := v.(map[string]any)
	kind, _ := rec["kind"].(string)
	c, err := compiled(kind)
	if err != nil {
		return fmt.Errorf("%w: %.200s", err, line)
	}
	if err := c.schema.Validate(v); err != nil {
		return fmt.Errorf("%s record: %w\n%.400s", kind, err, line)
	}
	for _, field := range slices.Sorted(maps.Keys(rec)) {
		if !slices.Contains(c.fields, field) {
			return fmt.Errorf("%s record: field %q is not in %s.schema.json%s: %.200s", kind, field, kind,
				words.DidYouMean(field, c.fields), line)
		}
	}
	return nil
}

// Lines checks every line of an output and fails the test for each that Check
// refuses. It returns the number of lines.
func Lines(t testing.TB, output []byte) int {
	t.Helper()
	n := 0
	for line := range bytes.Lines(output) {
		n++
		if !bytes.HasSuffix(line, []byte{'\n'}) {
			t.Errorf("line %d does not end in a newline: %.200s", n, line)
		}
		if err := Check(bytes.TrimSuffix(line, []byte{'\n'})); err != nil {
			t.Errorf("line %d: %v", n, err)
		}
	}
	return n
}

type contract struct {
	schema *jsonschema.Schema
	fields []string
}

var contracts sync.Map // kind → *contract

func compiled(kind string) (*contract, error) {
	if c, ok := contracts.Load(kind); ok {
		return c.(*contract), nil
	}
	text, ok := schema.For(kind)
	if !ok {
		return nil, fmt.Errorf("no record has the kind %q", kind)
	}
	doc, err := jsonschema.UnmarshalJSON(strings.NewReader(string(text)))
	if err != nil {
		return nil, fmt.Errorf("%s.schema.json: %w", kind, err)
	}
	compiler := jsonschema.NewCompiler()
	compiler.AssertFormat()
	id := doc.(map[string]any)["$id"].(string)
	if err := compiler.AddResource(id, doc); err != nil {
		return nil, fmt.Errorf("%s.schema.json: %w", kind, err)
	}
	s, err := compiler.Compile(id)
	if err != nil {
		return nil, fmt.Errorf("%s.schema.json: %w", kind, err)
	}
	c := &contract{s, slices.Collect(maps.Keys(s.Properties))}
	contracts.Store(kind, c)
	return c, nil
}

// Against checks a JSON text by the JSON Schema in a file, which may be one that is
// not ours, or at a fragment of it.
func Against(path string, text []byte) error {
	v, err := jsonschema.UnmarshalJSON(bytes.NewReader(text))
	if err != nil {
		return fmt.Errorf("not JSON: %w: %.200s", err, text)
	}
	s, ok := foreign.Load(path)
	if !ok {
		compiler := jsonschema.NewCompiler()
		compiler.AssertFormat()
		if s, err = compiler.Compile(path); err != nil {
			return err
		}
		foreign.Store(path, s)
	}
	return s.(*jsonschema.Schema).Validate(v)
}

var foreign sync.Map // path → *jsonschema.Schema
