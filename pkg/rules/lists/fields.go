package lists

import (
	"cmp"
	"strings"

	"github.com/flowmcp/fmcp/pkg/catalog"
	"github.com/flowmcp/fmcp/pkg/edit"
	"github.com/flowmcp/fmcp/pkg/fields"
	"github.com/flowmcp/fmcp/pkg/model"
	"github.com/flowmcp/fmcp/pkg/ordjson"
	"github.com/flowmcp/fmcp/pkg/rules/engine"
)

// objects is the table of the fields of a shared list (chapter 03).
var objects = []engine.Objects{
	{In: ".meta", Of: fields.ListMeta, Fields: []engine.Field{
		{Code: "LST012", Name: "description", Must: engine.Text, Fix: "write description: 'what the list holds'"},
		{Code: "LST015", Name: "name", Must: engine.Camel, When: isNamed},
		{Code: "LST009", Name: "dependsOn", Must: engine.Array.Optional(),
			Fix: "write dependsOn: [ { ref: 'isoCountryCodes', version: '1.0.0' } ], or leave it out"},
	}},
	{In: ".meta.dependsOn[]", Of: fields.ListDependency, Fields: []engine.Field{
		{Code: "LST009", Must: engine.Object, Fix: "write { ref: 'isoCountryCodes', version: '1.0.0' }"},
		{Code: "LST009", Name: "ref", Must: engine.Text, Fix: "write { ref: 'isoCountryCodes', version: '1.0.0' }"},
		{Code: "LST009", Name: "version", Must: engine.Semver, Fix: "write the version that the list has"},
		{Code: "LST009", Name: "condition", Must: engine.Object.Optional(),
			Fix: "write condition: { field: 'alpha2', value: 'DE' }, or leave it out"},
	}},
	{In: ".meta.dependsOn[].condition", Of: fields.ListCondition, Fields: []engine.Field{
		{Code: "LST009", Name: "field", Must: engine.Text, Propose: proposeField},
		{Code: "LST009", Name: "value", Must: engine.Being("a string, a number or a boolean", isScalar),
			Fix: "write value: 'DE', the value that an entry has"},
	}},
	{In: "reference", Of: fields.ListReference, Fields: []engine.Field{
		{Code: "VAL070", Name: "ref", Must: engine.Text, When: isNamedByRef, Fix: "name the list: ref: 'evmChains'"},
		{Code: "VAL070", Name: "ref", When: isUnknownName, Propose: proposeList,
			Must: engine.Matching("letters and digits, a lower-case letter first", engine.IsCamel, nil)},
		{Code: "VAL071", Name: "version", Must: engine.Semver, Propose: proposeVersion, Correct: knownVersion},
	}},
	{In: ".meta.fields[]", Of: fields.ListField, Fields: []engine.Field{
		{Code: "LST005", Must: engine.Object,
			Fix: "write { key: 'alias', type: 'string', description: 'Canonical alias' }"},
		{Code: "LST005", Name: "key", Must: engine.Text, Fix: "write key: 'alias'"},
		{Code: "LST005", Name: "type", Must: engine.WordOf(fields.ListField, "type"),
			Fix: "write type: 'string', 'number' or 'boolean': the type of the values in the entries"},
		{Code: "LST005", Name: "description", Must: engine.Text, Fix: "write description: 'what the field holds'"},
		{Code: "LST005", Name: "optional", Must: engine.Bool.Optional(), Fix: "write optional: true, or leave it out"},
	}},
}

// isNamed is false for a list without a name (LST002), and for one whose name no ID
// can have (ID001, ID004).
func isNamed(_ *engine.Pass, meta *model.Node) bool {
	_, err := catalog.ParsePrimitiveID("shared/list/" + meta.Get("name").Str())
	return err == nil
}

func isScalar(v ordjson.Value) bool {
	return v.Is(ordjson.String) || v.Is(ordjson.Number) || v.Is(ordjson.Bool)
}

func proposeField(_ *engine.Pass, condition *model.Node) string {
	return "write field: 'alpha2', a field of the list " + condition.Parent().Get("ref").Str()
}

func proposeVersion(p *engine.Pass, ref *model.Node) string {
	name := ref.Get("ref").Str()
	if !ref.Get("ref").Exists() {
		name = ref.Get("name").Str() // CMP009
	}
	return "write version: '" + p.ListVersion(name) + "'"
}

// knownVersion is that of a list of the catalog: there is no other.
func knownVersion(p *engine.Pass, ref *model.Node) (safe bool, changes []edit.Change) {
	name := cmp.Or(ref.Get("ref").Str(), ref.Get("name").Str()) // CMP009
	if p.Ctx.Lists == nil || p.Ctx.Lists.Lookup(name) == nil {
		return false, nil
	}
	version := p.ListVersion(name)
	if ref.Get("version").Exists() {
		return true, []edit.Change{engine.SetText(ref.At("version"), version)}
	}
	return true, []edit.Change{engine.AddMember(ref, "version", ordjson.NewString(version), "ref", "name")}
}

// isUnknownName is false for a reference without a name, and for one to a list of the
// catalog that has a name of another form: LST015 is about the list.
func isUnknownName(p *engine.Pass, ref *model.Node) bool {
	name := ref.Get("ref").Str()
	return strings.TrimSpace(name) != "" && (p.Ctx.Lists == nil || p.Ctx.Lists.Lookup(name) == nil)
}

// proposeList is the list that a name of another form means.
func proposeList(p *engine.Pass, ref *model.Node) string {
	name := engine.ToCamel(ref.Get("ref").Str())
	if p.Ctx.Lists != nil && p.Ctx.Lists.Lookup(name) == nil {
		name, _ = p.Speller.Closest(name, p.Ctx.Lists.Names())
	}
	return engine.Write("ref", name, "use camelCase, the name that the list's meta has")
}

// isNamedByRef is false for a reference that names its list by name (CMP009).
func isNamedByRef(_ *engine.Pass, ref *model.Node) bool {
	return ref.Get("ref").Exists() || engine.Trimmed(ref.Get("name")) == ""
}
