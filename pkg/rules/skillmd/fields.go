package skillmd

import (
	"cmp"
	"slices"
	"strings"

	"github.com/flowmcp/fmcp/pkg/fields"
	"github.com/flowmcp/fmcp/pkg/model"
	"github.com/flowmcp/fmcp/pkg/ordjson"
	"github.com/flowmcp/fmcp/pkg/rules/engine"
	"github.com/flowmcp/fmcp/pkg/walk"
)

const (
	extensionField = model.SkillExtension
	kebabName      = "lower-case letters, digits and hyphens, a letter first"
)

// What optional fields are; null is as if they were not there.
var (
	text      = orNull("a string", isString)
	texts     = orNull("a string or a list of strings", isStringOrStrings).OfStrings()
	onOrOff   = orNull("true or false", isSwitch)
	stringMap = orNull("a mapping to strings", isStringMap).OfStrings()
)

// objects is the table of the fields of a SKILL.md.
var objects = []engine.Objects{
	{In: ".frontmatter", Of: fields.Frontmatter, Fields: []engine.Field{
		{Code: "SKM002", Name: "name", Must: engine.Matching("1 to 64 "+kebabName, trimmed(engine.IsSkillName), nil),
			Propose: proposeName, Fix: "write name: harbor-report"},
		{Code: "SKM004", Name: "description", Must: engine.Text, Fix: "say what the skill does and when to use it"},
		{Code: "SKM007", Name: "when_to_use", Must: text, Fix: "write a string"},
		{Code: "SKM007", Name: "allowed-tools", Must: texts, Fix: "write strings, in quotes"},
		{Code: "SKM007", Name: "disallowed-tools", Must: texts, Fix: "write strings, in quotes"},
		{Code: "SKM007", Name: "disable-model-invocation", Must: onOrOff, Fix: "write true or false"},
		{Code: "SKM007", Name: "user-invocable", Must: onOrOff, Fix: "write true or false"},
		{Code: "SKM007", Name: "argument-hint", Must: text, Fix: "write a string"},
		{Code: "SKM007", Name: "arguments", Must: texts, Fix: "write strings, in quotes"},
		{Code: "SKM007", Name: "license", Must: text, Fix: "write a string"},
		{Code: "SKM007", Name: "compatibility", Must: text, Fix: "write a string"},
		{Code: "SKM007", Name: "metadata", Must: stringMap, Fix: "write strings, in quotes"},
		{Code: "SKM008", Name: extensionField, Must: engine.Object.As("a mapping with id, version and capabilities"),
			Fix: "write " + extensionField + ": with id, version and capabilities below it, indented"},
	}},
	{In: ".frontmatter." + extensionField, Of: fields.SkillExtension, Fields: []engine.Field{
		{Code: "SKM009", Name: "id", Must: engine.Matching(kebabName, trimmed(engine.IsKebab), nil),
			Propose: proposeID, Fix: "write id: harbor-report"},
		{Code: "SKM010", Name: "version",
			Must:    engine.Matching("a semantic version such as 1.0.0", trimmed(isSemverTagged), nil),
			Propose: proposeVersion, Fix: "write version: 1.0.0"},
		{Code: "SKM011", Name: "tags", Must: engine.Strings.UnlessMisspelt(),
			Fix: "write tags: [tides, harbor-report]"},
		{Code: "SKM012", Name: "capabilities", Must: engine.Some.As("a list of URIs, one at least"),
			Propose: proposeURI},
		{Code: "SKM014", Name: "depends_on", Must: engine.Strings.UnlessMisspelt(),
			Fix: "write depends_on: [harbor-report]"},
		{Code: "SKM017", Name: "references",
			Must: engine.Object.UnlessMisspelt().As("a mapping of ids to entries with path"),
			Fix:  "write references: { tides: { path: references/tides.md } }"},
	}},
	{In: ".frontmatter." + extensionField + ".references.*", Of: fields.SkillExtensionReference, Fields: []engine.Field{
		{Code: "SKM017", Must: engine.Object.As("an entry with path"), Fix: "write { path: references/tides.md }"},
		{Code: "SKM017", Name: "path", Must: engine.Text, Fix: "write path: references/tides.md"},
		{Code: "SKM017", Name: "mime_type", Must: engine.String.Optional(), Fix: "write mime_type: text/markdown"},
		{Code: "SKM017", Name: "title", Must: text, Fix: "write a short title, in quotes where it is a number"},
	}},
}

func orNull(expected string, is func(ordjson.Value) bool) engine.Kind {
	return engine.Being(expected, func(v ordjson.Value) bool { return v.Is(ordjson.Null) || is(v) }).Optional()
}

func isString(v ordjson.Value) bool { return v.Is(ordjson.String) }

func isStringOrStrings(v ordjson.Value) bool {
	return isString(v) || v.Is(ordjson.Array) &&
		!slices.ContainsFunc(v.Elems(), func(e ordjson.Value) bool { return !isString(e) })
}

// isSwitch reports whether v is a boolean, to readers of YAML 1.1 too.
func isSwitch(v ordjson.Value) bool {
	return v.Is(ordjson.Bool) || slices.Contains([]string{"yes", "no", "on", "off"}, strings.ToLower(v.Str()))
}

func isStringMap(v ordjson.Value) bool {
	return v.Is(ordjson.Object) &&
		!slices.ContainsFunc(v.Members(), func(m ordjson.Member) bool { return !isString(m.Value) })
}

// trimmed is for texts whose blanks readers strip.
func trimmed(is func(string) bool) func(string) bool {
	return func(s string) bool { return is(strings.TrimSpace(s)) }
}

func proposeName(p *engine.Pass, _ *model.Node) string {
	if folder := walk.Folder(p.Load.Src); engine.IsSkillName(folder) {
		return "write name: " + folder
	}
	return ""
}

func proposeID(p *engine.Pass, _ *model.Node) string {
	if name := engine.Trimmed(frontmatter(p).Get("name")); engine.IsSkillName(name) {
		return "write id: " + name
	}
	return ""
}

func proposeVersion(_ *engine.Pass, ext *model.Node) string {
	if ext.Get("version").Is(ordjson.Number) {
		return "write all three numbers: version: 1.0.0"
	}
	return ""
}

func proposeURI(p *engine.Pass, _ *model.Node) string {
	return "write capabilities: [" + model.SkillURI(cmp.Or(skillID(p), "NAME")) + "]"
}
