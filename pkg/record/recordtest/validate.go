package recordtest

import (
	"strings"

	"github.com/santhosh-tekuri/jsonschema/v6"
)

// Validate reports in what way a value is not what a JSON Schema describes.
func Validate(schema, value string) error {
	doc, err := jsonschema.UnmarshalJSON(strings.NewReader(schema))
	if err != nil {
		return err
	}
	compiler := jsonschema.NewCompiler()
	if err := compiler.AddResource("schema.json", doc); err != nil {
		return err
	}
	s, err := compiler.Compile("schema.json")
	if err != nil {
		return err
	}
	v, err := jsonschema.UnmarshalJSON(strings.NewReader(value))
	if err != nil {
		return err
	}
	return s.Validate(v)
}
