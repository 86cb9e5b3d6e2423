package schema

import (
	"slices"
	"strconv"
	"strings"

	"github.com/flowmcp/fmcp/pkg/edit"
	"github.com/flowmcp/fmcp/pkg/fields"
	"github.com/flowmcp/fmcp/pkg/model"
	"github.com/flowmcp/fmcp/pkg/ordjson"
	"github.com/flowmcp/fmcp/pkg/rules/engine"
)

// objects is the table of the fields of main, of tools and of parameters (chapters
// 01, 02, 11 and 19).
var objects = []engine.Objects{
	{In: "parameter", Of: fields.Parameter, Fields: []engine.Field{
		{Code: "VAL040", Name: "position", Must: engine.Object, Propose: proposePosition},
		{Code: "VAL040", Name: "z", Must: engine.Object, Fix: "write z: { primitive: 'string()', options: [] }"},
	}},
	{In: "main", Of: fields.Main, Fields: []engine.Field{
		{Code: "VAL010", Name: "namespace", Must: engine.Text,
			Fix: "add the provider's name in lower case: namespace: 'coingecko'"},
		{Code: "VAL012", Name: "name", Must: engine.Text, Fix: "add a name in PascalCase: name: 'SimplePrice'"},
		{Code: "VAL013", Name: "description", Must: engine.Text,
			Fix: "say in one or two sentences what the schema does"},
		{Code: "VAL020", Name: "docs", Must: engine.Strings.Optional(),
			Fix: "write docs: ['https://docs.example.com']"},
		{Code: "VAL021", Name: "tags", Must: engine.Strings.Optional(), Fix: "write tags: ['defi']"},
		{Code: "VAL022", Name: "requiredServerParams", Must: engine.Strings.Optional(),
			Fix: "write requiredServerParams: ['API_KEY']"},
		{Code: "VAL024", Name: "sharedLists", Must: engine.Array.Optional().As("an array of objects"),
			Fix: "write sharedLists: [ { ref: 'evmChains', version: '1.0.0' } ]"},
		{Code: "VAL027", Name: "termsOfService", Must: address, Fix: "write termsOfService: null"},
		{Code: "VAL027", Name: "termsOfServiceCheckedAt", Must: orNull("a date such as '2026-02-17', or null", isDate),
			Fix: "write the day on which somebody last read the terms: termsOfServiceCheckedAt: '2026-02-17'"},
		{Code: "VAL027", Name: "termsOfServiceLanguage",
			Must: orNull("a language code such as 'en', 'multi' or null", isLanguage),
			Fix:  "write termsOfServiceLanguage: 'en'"},
		{Code: "VAL027", Name: "dataLicense", Must: address, Fix: "write dataLicense: null"},
		{Code: "VAL027", Name: "dataLicenseName", Must: orNull("a string or null", func(string) bool { return true }),
			Fix: "write dataLicenseName: 'CC-BY-4.0'"},
		{Code: "VAL025", Name: "requiredLibraries", Must: engine.Strings.Optional(),
			Fix: "write requiredLibraries: ['ethers']"},
	}},
	{In: "tool", Of: fields.Tool, Fields: []engine.Field{
		{Code: "VAL100", Name: "meta", Must: engine.Object, Propose: proposeMeta, Correct: addedMeta,
			Fix: "add meta: { isReadOnly: true, isConcurrencySafe: true, isDestructive: false, searchHint: '…', " +
				"aliases: [], alwaysLoad: false } as it is true of the tool"},
		{Code: "VAL032", Name: "method", Must: engine.Method,
			Fix: "write method: 'GET', or the method that the API documents"},
		{Code: "VAL033", Name: "path", Must: engine.Path, Correct: slashOfPath,
			Fix: "write path: '/', or the path that follows main.root"},
		{Code: "VAL034", Name: "description", Must: engine.Text, Fix: "say in a sentence what the tool returns"},
		{Code: "VAL035", Name: "parameters", Must: engine.Array, Lacking: noParameters,
			Fix: "write parameters: [ { position: { … }, z: { … } } ], or parameters: [] for no input"},
		{Code: "VAL036", Name: "output", Must: engine.Present.As("a description of the answer"),
			Fix: "add output: { mimeType: 'application/json', schema: { type: 'object', properties: { … } } }"},
		{Code: "PRE001", Name: "preload", Must: engine.Object.Optional(),
			Fix: "write preload: { enabled: true, ttl: 86400 }, or leave it out"},
	}},
	{In: "tool.meta", Of: fields.ToolMeta, Fields: []engine.Field{
		{Code: "VAL101", Name: "isReadOnly", Must: engine.Bool, Correct: addedToMeta("isReadOnly"),
			Fix: "write isReadOnly: true, or what is true of the tool"},
		{Code: "VAL102", Name: "isConcurrencySafe", Must: engine.Bool, Correct: addedToMeta("isConcurrencySafe"),
			Fix: "write isConcurrencySafe: true, or what is true of the tool"},
		{Code: "VAL103", Name: "isDestructive", Must: engine.Bool, Correct: addedToMeta("isDestructive"),
			Fix: "write isDestructive: false, or what is true of the tool"},
		{Code: "VAL104", Name: "searchHint", Must: engine.Text, Correct: addedToMeta("searchHint"),
			Fix: "write searchHint: 'words that somebody would search for'"},
		{Code: "VAL105", Name: "aliases", Must: engine.Strings, Lacking: engine.Lacks(ordjson.NewArray()),
			Fix: "write aliases: [ 'otherName' ], or aliases: [] for none"},
		{Code: "VAL106", Name: "alwaysLoad", Must: engine.Bool, Lacking: engine.Lacks(ordjson.NewBool(false)),
			Fix: "write alwaysLoad: false, or what is true of the tool"},
	}},
	{In: "tool.preload", Of: fields.Preload, Fields: []engine.Field{
		{Code: "PRE002", Name: "enabled", Must: engine.Bool, Fix: "write enabled: true, or remove preload"},
		{Code: "PRE003", Name: "ttl", Must: engine.Whole.As("a positive whole number of seconds"),
			Fix: "write ttl: 86400 for a day, 604800 for a week"},
		{Code: "PRE004", Name: "description", Must: engine.String.Optional(),
			Fix: "write description: 'what is cached, and how large it is', or leave it out"},
	}},
	{In: "parameter.position", Of: fields.Position, Fields: []engine.Field{
		{Code: "VAL042", Name: "value", Must: engine.String, Propose: proposeValue, Correct: quotedValue,
			Fix: "write value: '{{USER_PARAM}}', or a fixed value in quotes"},
		{Code: "VAL043", Name: "location",
			Must: engine.WordOf(fields.Position, "location"), When: ofTool, Propose: proposeLocation,
			Correct: meantLocation,
			Fix:     "write location: 'query', or insert for the path, or body"},
		{Code: "VAL041", Name: "key", Must: engine.Text, Fix: "name the parameter: key: 'address'"},
	}},
	{In: "parameter.z", Of: fields.Z, Fields: []engine.Field{
		{Code: "VAL045", Name: "options", Must: engine.Strings, Lacking: engine.Lacks(ordjson.NewArray()),
			Fix: "write options: [ 'min(1)' ], each in quotes and without empty places, or options: []"},
		{Code: "VAL044", Name: "primitive", Must: engine.String.As("a primitive such as 'string()'"),
			Fix: "write primitive: 'string()', or the type that the API expects"},
	}},
}

func proposeMeta(p *engine.Pass, _ *model.Node) string {
	if p.Schema.Get("meta").Exists() {
		return "move main.meta into the tool: it is read there only"
	}
	return ""
}

func proposePosition(p *engine.Pass, param *model.Node) string {
	if ofTool(p, param.At("position")) {
		return "write position: { key: 'name', value: '{{USER_PARAM}}', location: 'query' }"
	}
	return "write position: { key: 'name', value: '{{USER_PARAM}}' }"
}

func proposeValue(_ *engine.Pass, position *model.Node) string {
	if v := position.Get("value"); v.Is(ordjson.Number) || v.Is(ordjson.Bool) {
		return "write value: '" + ordjson.Text(v) + "'"
	}
	return ""
}

// quotedValue is the text as which a number or a boolean is sent already.
func quotedValue(_ *engine.Pass, position *model.Node) (safe bool, changes []edit.Change) {
	if v := position.Get("value"); v.Is(ordjson.Number) || v.Is(ordjson.Bool) {
		changes = append(changes, engine.SetText(position.At("value"), ordjson.Text(v)))
	}
	return true, changes
}

// noParameters is [] for a tool whose path asks for none.
func noParameters(_ *engine.Pass, tool *model.Node) ordjson.Value {
	if strings.ContainsAny(tool.Get("path").Str(), "{:") {
		return ordjson.Value{}
	}
	return ordjson.NewArray()
}

// ofTool reports whether a position is that of a tool's parameter. One of a query
// has no location (RES015).
func ofTool(_ *engine.Pass, position *model.Node) bool {
	return position.Parent().Parent().Parent().Parent().Key() != "queries"
}

var locations = fields.Position.Words("location")

// locationHints are words of other formats, and what they are called here.
var locationHints = map[string]string{
	"path": "insert", "url": "insert", "param": "insert", "params": "query", "querystring": "query", "json": "body",
	"data": "body",
}

// meantLocation is a location in other letters, or that of another format.
func meantLocation(_ *engine.Pass, position *model.Node) (safe bool, changes []edit.Change) {
	word := strings.ToLower(engine.Trimmed(position.Get("location")))
	if hint := locationHints[word]; hint != "" {
		return false, []edit.Change{engine.SetText(position.At("location"), hint)}
	}
	if slices.Contains(locations, word) {
		return true, []edit.Change{engine.SetText(position.At("location"), word)}
	}
	return false, nil
}

func proposeLocation(_ *engine.Pass, position *model.Node) string {
	if hint := locationHints[strings.ToLower(position.Get("location").Str())]; hint != "" {
		return "did you mean " + strconv.Quote(hint) + "? write location: '" + hint + "'"
	}
	return ""
}
