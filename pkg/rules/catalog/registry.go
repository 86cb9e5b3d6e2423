// Package catalog holds the rules for registry.json, the manifest of a catalog
// (chapter 15).
package catalog

import (
	"github.com/flowmcp/fmcp/pkg/record"
	"github.com/flowmcp/fmcp/pkg/rules/engine"
)

// Families are the rules of this package.
var Families = [][]engine.Rule{catalogRules}

// catalogRules are CAT001–CAT007: registry.json, the manifest of a catalog
// (chapters 15 and 09).
var catalogRules = []engine.Rule{
	{
		Code: "CAT001", Name: "registry-exists", Spec: record.SeverityError, Community: record.SeverityError, Since: "3.0.0", Chapter: "15",
		Summary: "A catalog, a folder that holds shared lists, agents or selections, has a registry.json.",
		Why:     "It is where a runtime and an import begin; without it nobody can tell what belongs to the catalog.",
		Fix:     "Write registry.json with name, version, description, schemaSpec, shared, schemas and agents.",
		On:      []record.Type{record.TypeList, record.TypeAgent, record.TypeSelection},
		Catalog: true, Whole: true,
		Check: checkRegistryExists,
	},
	{
		Code: "CAT002", Name: "registry-name", Spec: record.SeverityError, Community: record.SeverityError, Since: "3.0.0", Chapter: "15",
		Summary: "registry.json is an object, and its name is that of the folder that it is in.",
		Why:     "Catalogs lie side by side; two names for one make it unclear which is meant.",
		Fix:     "Write the name of the folder, or rename the folder.",
		On:      registryFiles,
		Whole:   true,
		Check:   checkRegistryName,
	},
	registryPaths("CAT003", "registry-shared", checkRegistryShared,
		"shared is an array, [] for none, and each shared[].file is the path of a file of the catalog.",
		"A list that is not there cannot be imported, and no schema that uses it can be loaded."),
	registryPaths("CAT004", "registry-schemas", checkRegistrySchemas,
		"schemas is an array, [] for none, and each schemas[].file is the path of a file of the catalog.",
		"A schema that is not there cannot be imported: the manifest was not renewed after files were moved."),
	registryPaths("CAT005", "registry-agents", checkRegistryAgents,
		"agents is an array, [] for none, and each agents[].manifest is the path of the agent's agent.mjs.",
		"An agent without its manifest cannot be activated."),
	{
		Code: "CAT006", Name: "registry-orphan", Spec: record.SeverityWarning, Community: record.SeverityWarning, Since: "3.0.0", Chapter: "15",
		Summary: "Every shared list, schema, agent and selection in the folders of a catalog is listed in its registry.json.",
		Why:     "A file that is not listed is not imported: it was forgotten, or it was left over.",
		Fix:     "List the file, or remove it.",
		On:      registryFiles,
		Catalog: true,
		Check:   checkOrphans,
	},
	{
		Code: "CAT007", Name: "registry-spec", Spec: record.SeverityError, Community: record.SeverityError, Since: "3.0.0", Chapter: "15",
		Summary: "schemaSpec is a version of the FlowMCP specification, in three numbers.",
		Why:     "It says by which rules the files of the catalog are read.",
		Fix:     `Write "schemaSpec": "4.2.0".`,
		On:      registryFiles,
		Check:   checkRegistrySpec,
	},
}

var registryFiles = []record.Type{record.TypeRegistry}

// registryPaths is the row of a section of registry.json.
func registryPaths(code, name string, check func(*engine.Pass), summary, why string) engine.Rule {
	return engine.Rule{
		Code: code, Name: name, Spec: record.SeverityError, Community: record.SeverityError, Since: "3.0.0", Chapter: "15",
		Summary: summary, Why: why, On: registryFiles, Catalog: true, Check: check,
		Fix: "Correct the path, relative to the folder of registry.json, or remove the entry.",
	}
}
