package catalog

import (
	"slices"
	"strings"

	"github.com/flowmcp/fmcp/pkg/fields"
	"github.com/flowmcp/fmcp/pkg/rules/engine"
)

// objects is the table of the fields of registry.json (chapter 15).
var objects = []engine.Objects{
	{In: "registry", Of: fields.Registry, Fields: []engine.Field{
		{Code: "CAT003", Name: "shared", Must: engine.Array, Fix: `write "shared": [], or list the files`},
		{Code: "CAT004", Name: "schemas", Must: engine.Array, Fix: `write "schemas": [], or list the files`},
		{Code: "CAT005", Name: "agents", Must: engine.Array, Fix: `write "agents": [], or list the files`},
		{Code: "CAT007", Name: "schemaSpec",
			Must: engine.Matching("a version of the specification such as 4.2.0", isSpec, nil),
			Fix:  `write "schemaSpec": "4.2.0", or the version that the schemas are written for`},
		{Code: "CAT008", Name: "version", Must: engine.Semver.As("a version such as 1.0.0"),
			Fix: `write "version": "1.0.0"`},
		{Code: "CAT009", Name: "description", Must: engine.Text, Fix: "say in a sentence what the catalog is for"},
		{Code: "CAT010", Name: "selections", Must: engine.Array.Optional(),
			Fix: `write "selections": [], or list the files`},
	}},
	{In: "registry.shared[]", Of: fields.RegistryList, Fields: []engine.Field{
		{Code: "CAT011", Name: "name", Must: engine.Text, Fix: "write the meta.name of the list"},
	}},
	{In: "registry.schemas[]", Of: fields.RegistrySchema, Fields: []engine.Field{
		{Code: "CAT011", Name: "namespace", Must: engine.Text, Fix: "write the namespace of the schema"},
		{Code: "CAT011", Name: "name", Must: engine.Text, Fix: "write the name of the schema"},
		{Code: "CAT011", Name: "requiredServerParams", Must: engine.Strings,
			Fix: `write "requiredServerParams": [], or list the keys of the schema`},
		{Code: "CAT011", Name: "hasHandlers", Must: engine.Bool,
			Fix: `write "hasHandlers": true where the schema exports handlers, false otherwise`},
		{Code: "CAT011", Name: "sharedLists", Must: engine.Strings,
			Fix: `write "sharedLists": [], or list the shared lists of the schema`},
	}},
	{In: "registry.agents[]", Of: fields.RegistryAgent, Fields: []engine.Field{
		{Code: "CAT011", Name: "name", Must: engine.Text, Fix: "write the name of the agent's folder"},
		{Code: "CAT011", Name: "description", Must: engine.Text, Fix: "say in a sentence what the agent is for"},
	}},
}

func isSpec(s string) bool {
	return engine.IsSemver(s) && slices.Contains(specLines, s[:strings.LastIndexByte(s, '.')])
}
