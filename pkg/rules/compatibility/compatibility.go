// Package compatibility holds fmcp's own rules, for what catalogs write and the
// specification does not have, or the other way round, and for where keys go
// (docs/keys.md). docs/decisions.md says how each is read.
package compatibility

import (
	_ "embed"

	"github.com/flowmcp/fmcp/pkg/edit"
	"github.com/flowmcp/fmcp/pkg/ordjson"
	"github.com/flowmcp/fmcp/pkg/record"
	"github.com/flowmcp/fmcp/pkg/rules/engine"
	"github.com/flowmcp/fmcp/pkg/zod"
)

//go:embed rules.txt
var text string

// Family are the rules of this package.
var Family = engine.Family{
	Text: text,
	Checks: map[string]func(*engine.Pass){
		"CMP001": checkBareServerParam,
		"CMP002": checkUndeclaredServerParam,
		"CMP003": checkLegacyPath,
		"CMP004": checkRegex,
		"CMP005": checkSchemaVersion,
		"CMP006": checkSchemaHash,
		"CMP007": func(p *engine.Pass) { p.ZProblems(zod.EnumSpaces) },
		"CMP008": checkBodyMethod,
		"CMP009": checkLegacyRef,
		"CMP010": checkNames,
		"CMP011": func(p *engine.Pass) { p.ZProblems(zod.ValuesOption) },
		"CMP012": func(p *engine.Pass) { p.ZProblems(zod.Quoted, zod.JoinedOptions) },
		"CMP013": func(p *engine.Pass) { p.ZProblems(zod.IgnoredOption, zod.RepeatedValue) },
		"CMP018": checkAgentHash,
		"CMP019": checkServerParamNames,
		"CMP021": checkDescriptionFields,
		"CMP022": checkOpenDomain,
		"CMP026": checkContentHash,
		"CMP031": checkMisspelt,
		"CMP032": checkUnusedServerParam,
		"CMP033": func(p *engine.Pass) {
			if hides(p.Root.Value) {
				hidden(p, p.Root)
			}
		},
		"CMP040": checkOwnFile,
		"CMP041": func(p *engine.Pass) { p.ZProblems(zod.QuotedDefault) },
	},
}

// checkRegex reports a regex() once: that it cannot be applied outweighs that
// it is there.
func checkRegex(p *engine.Pass) {
	p.EachParam(func(_ *engine.Tool, q *engine.Param) {
		for i, pr := range q.Problems {
			switch pr.Kind {
			case zod.BadRegex:
				p.ZProblem(q, pr)
			case zod.RegexOption:
				if i+1 == len(q.Problems) || q.Problems[i+1].Kind != zod.BadRegex {
					p.ZProblem(q, pr)
				}
			}
		}
	})
}

func checkSchemaVersion(p *engine.Pass) {
	v := p.Schema.Get("schemaVersion")
	switch {
	case !v.Exists():
		p.Expect(p.Schema.Node, "schemaVersion", p.MainFields(), "the version of the schema's content",
			"write schemaVersion: '1.0.0'").Added(p.Schema.Node, "schemaVersion", ordjson.NewString("1.0.0"), "version")
	case !engine.IsSemver(v.Str()):
		var changes []edit.Change
		if meant := engine.ToSemver(v.Str()); meant != "" {
			changes = append(changes, engine.SetText(p.Schema.At("schemaVersion"), meant))
		}
		p.ReportAs(record.SeverityError, p.Schema.At("schemaVersion"), engine.Found(v)+
			", expected a version such as '1.0.0'", "write schemaVersion: '1.0.0'").Fixed(true, changes...)
	}
}

func checkSchemaHash(p *engine.Pass) {
	v, hash := p.Schema.Get("schemaHash"), p.Load.Hashes.Schema
	fix := "write schemaHash: '" + hash + "' when the schema is final"
	if hash == "" {
		fix = "write the first 8 hex digits of the SHA-256 of main"
	}
	at, found := p.Schema.At("schemaHash"), (*engine.Finding)(nil)
	switch {
	case !v.Exists():
		found = p.Expect(p.Schema.Node, "schemaHash", p.MainFields(), "the hash of main", fix)
	case !engine.IsHash8(v.Str()):
		found = p.ReportAs(record.SeverityError, at, engine.Found(v)+", expected 8 hex digits", fix)
	case hash != "" && v.Str() != hash:
		found = p.ReportAs(record.SeverityError, at,
			engine.Found(v)+", but the hash of main is "+engine.Quote(hash), fix)
	}
	switch {
	case hash == "":
	case v.Exists(): // somebody may have graded what it was the hash of
		found.Fixed(false, engine.SetText(at, hash))
	default:
		found.Added(p.Schema.Node, "schemaHash", ordjson.NewString(hash), "schemaVersion", "version")
	}
}

func checkBodyMethod(p *engine.Pass) {
	for i := range p.Tools {
		t := &p.Tools[i]
		method := t.Get("method").Str()
		if method != "GET" && method != "DELETE" {
			continue
		}
		for j := range t.Params {
			if q := &t.Params[j]; q.Location == "body" {
				p.Report(q.At("position").At("location"),
					"found a body parameter in a "+method+" tool, which has no body; expected query or insert",
					"write location: 'query', or method: 'POST' if the API takes a body")
			}
		}
	}
}

func checkLegacyRef(p *engine.Pass) {
	for _, r := range p.Refs {
		if r.Get("name").Is(ordjson.String) && !r.Get("ref").Exists() {
			p.Report(r.At("name"), "found name, expected ref", "rename name to ref").
				Fixed(true, engine.RenameKey(r.At("name"), "ref"))
		}
		if r.Filter.Get("field").Exists() && !r.Filter.Get("key").Exists() {
			at := r.At("filter").At("field")
			p.Report(at, "found field, expected key", "rename field to key").Fixed(true, engine.RenameKey(at, "key"))
		}
	}
}
