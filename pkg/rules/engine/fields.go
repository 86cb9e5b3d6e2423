package engine

import (
	"slices"
)

// The fields that objects of a schema may have (chapters 01, 02, 03, 04, 19).
// prompts and async are known though no table lists them (decision "Known fields of main" and
// "Descriptions of parameters").
var (
	mainFields = []string{
		"namespace", "name", "description", "version", "schemaVersion", "schemaHash", "root", "tools",
		"docs", "termsOfService", "termsOfServiceCheckedAt", "termsOfServiceLanguage", "dataLicense", "dataLicenseName",
		"tags", "requiredServerParams", "requiredLibraries", "headers", "sharedLists", "resources", "meta", "prompts",
		"routes",
	}
	mainFields30 = append(slices.Clone(mainFields), "skills") // VAL016 speaks about it in version 4
	mainFields20 = []string{
		"namespace", "name", "description", "version", "root", "routes", "docs", "tags",
		"requiredServerParams", "requiredLibraries", "headers", "sharedLists",
	}
	ToolFields = []string{"method", "path", "description", "parameters", "output", "preload", "tests", "headers",
		"meta", "async"}
	toolFields20    = slices.DeleteFunc(slices.Clone(ToolFields), func(s string) bool { return s == "meta" })
	ParameterFields = []string{"position", "z", "description"}
	PositionFields  = []string{"key", "value", "location"}
	ZFields         = []string{"primitive", "options", "description"}
	OutputFields    = []string{"mimeType", "schema", "description"}
	MetaFields      = []string{"isReadOnly", "isConcurrencySafe", "isDestructive", "searchHint", "aliases",
		"alwaysLoad"}
	RefFields    = []string{"ref", "version", "filter"}
	FilterFields = []string{"key", "exists", "value", "in"}
)

// MainFields are the fields of main in the version that is checked.
func (p *Pass) MainFields() []string {
	switch p.Ctx.SpecInForce() {
	case Spec20:
		return mainFields20
	case Spec30:
		return mainFields30
	}
	return mainFields
}

// ToolFields are the fields of a tool in the version that is checked. VAL016 speaks
// about tools in version 2, which are of a later one.
func (p *Pass) ToolFields() []string {
	if p.Ctx.SpecInForce() == Spec20 && !p.Schema.Get("tools").Exists() {
		return toolFields20
	}
	return ToolFields
}

// OutputKeywords are the keywords of a schema in an output (chapter 04).
var OutputKeywords = []string{"type", "properties", "items", "description", "nullable", "enum", "format"}
