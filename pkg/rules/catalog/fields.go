package catalog

import (
	"slices"
	"strings"

	"github.com/flowmcp/fmcp/pkg/rules/engine"
)

// objects is the table of the fields of registry.json (chapter 15).
var objects = []engine.Objects{
	{In: "registry", Known: registryFields, Fields: []engine.Field{
		{Code: "CAT003", Name: "shared", Must: engine.Array, Fix: `write "shared": [], or list the files`},
		{Code: "CAT004", Name: "schemas", Must: engine.Array, Fix: `write "schemas": [], or list the files`},
		{Code: "CAT005", Name: "agents", Must: engine.Array, Fix: `write "agents": [], or list the files`},
		{Code: "CAT007", Name: "schemaSpec",
			Must: engine.Matching("a version of the specification such as 4.2.0", isSpec, nil),
			Fix:  `write "schemaSpec": "4.2.0", or the version that the schemas are written for`},
	}},
}

func isSpec(s string) bool {
	return engine.IsSemver(s) && slices.Contains(specLines, s[:strings.LastIndexByte(s, '.')])
}
