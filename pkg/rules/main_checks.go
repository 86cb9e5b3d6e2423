package rules

import (
	"slices"
	"strconv"
	"strings"

	"github.com/flowmcp/fmcp/pkg/catalog"
	"github.com/flowmcp/fmcp/pkg/model"
	"github.com/flowmcp/fmcp/pkg/ordjson"
	"github.com/flowmcp/fmcp/pkg/record"
	"github.com/flowmcp/fmcp/pkg/words"
)

// The longer checks of mainRules (val_main.go).

func checkNamespace(p *Pass) {
	name := p.schema.Namespace()
	if strings.TrimSpace(name) == "" {
		return // VAL010
	}
	if p.ctx.spec() == Spec20 {
		if !isLetters(name) {
			p.report(p.schema.At("namespace"), "found "+quote(name)+", expected lower-case letters only", write("namespace", strings.ReplaceAll(toNamespace(name), "-", ""), "use lower-case letters"))
		}
		return
	}
	if !catalog.IsNamespace(name) {
		p.report(p.schema.At("namespace"), "found "+quote(name)+", expected lower-case letters, digits and hyphens, a letter first",
			write("namespace", toNamespace(name), "use lower-case letters, digits and hyphens"))
	}
}

// versionLines are the versions that main.version may say under each --spec.
var versionLines = map[Spec]string{Spec20: "2.", Spec30: "3.", Spec42: "4."}

func checkVersion(p *Pass) {
	spec := p.ctx.spec()
	line, v := versionLines[spec], p.schema.Get("version")
	major, _, _ := strings.Cut(p.version, ".")
	switch {
	case isSemver(p.version) && strings.HasPrefix(p.version, line):
	case spec == Spec42 && isSemver(p.version) && major == "3":
		p.reportAs(record.SeverityWarning, p.schema.At("version"), "found "+quote(p.version)+", which is deprecated; expected 4.x.y",
			"migrate the schema: add a meta block to every tool, then write version: '4.0.0'")
	case p.schema.Get("flowMCP").Exists() && !v.Exists():
		p.report(p.schema.At("flowMCP"), found(p.schema.Get("flowMCP"))+", the field of version 1; expected version: '4.0.0'", "migrate the schema to version 4")
	case spec == Spec42 && (major == "2" || major == "1"):
		p.report(p.schema.At("version"), "found "+quote(p.version)+", expected 4.x.y", "migrate the schema to version 4, or check it as it is with --spec 2.0")
	case isSemver(p.version):
		fix := "check it with --spec 4.2"
		if major != "4" {
			fix = "write version: '" + line + "0.0'"
		}
		p.report(p.schema.At("version"), "found "+quote(p.version)+", expected "+line+"x.y", fix)
	default:
		p.expect(p.schema.Node, "version", p.mainFields(), "a version "+line+"x.y", "write version: '"+line+"0.0'")
	}
}

func checkRoot(p *Pass) {
	root := p.schema.Get("root")
	if !root.Exists() {
		if p.schema.Get(p.schema.ToolsKey()).Len() > 0 {
			p.expect(p.schema.Node, "root", p.mainFields(), "the base URL of all tools", "write root: 'https://api.example.com'")
		}
		return
	}
	at, text := p.schema.At("root"), root.Str()
	switch {
	case !root.Is(ordjson.String) || text == "":
		p.report(at, found(root)+", expected a URL that starts with https://", "write root: 'https://api.example.com'")
	case !strings.HasPrefix(text, "https://"):
		sev := p.rule.Severity(p.ctx.profile())
		if p.community() && !p.usesRoot() {
			sev = record.SeverityWarning
		}
		fix := "write the URL with https://"
		if rest, ok := strings.CutPrefix(text, "http://"); ok {
			fix = "write root: 'https://" + rest + "'"
		} else if len(p.tools) == 0 {
			fix = "remove it: only tools need a root"
		}
		p.reportAs(sev, at, found(root)+", expected a URL that starts with https://", fix)
	case text == "https://":
		p.report(at, found(root)+", expected a host after https://", "write root: 'https://api.example.com'")
	case strings.HasSuffix(text, "/"):
		p.report(at, found(root)+", expected no slash at the end", "write root: '"+strings.TrimRight(text, "/")+"'")
	default:
		if name := strayPlaceholder(text, p.declared); name != "" {
			p.report(at, found(root)+"; {{"+name+"}} is not a server parameter and would be sent as it stands", "write {{SERVER_PARAM:KEY}} with a key of requiredServerParams, or the text itself")
		}
	}
}

// usesRoot reports whether any tool's request is made from root, rather than
// by its executeRequest handler.
func (p *Pass) usesRoot() bool {
	for _, t := range p.tools {
		if !p.handles(t.Name, "executeRequest") {
			return true
		}
	}
	return false
}

// strayPlaceholder returns the name of the first {{name}} of text that stands
// for nothing there.
func strayPlaceholder(text string, declared []string) string {
	for _, ph := range model.Placeholders(text) {
		if _, ok := ph.ServerKey(declared); !ok && ph.Bare() {
			return ph.Name
		}
	}
	return ""
}

func checkTools(p *Pass) {
	key := p.schema.ToolsKey()
	if p.ctx.spec() == Spec20 {
		key = "routes"
		if p.schema.Get("tools").Exists() {
			p.report(p.schema.At("tools"), "found tools, which version 2 does not have; expected routes", "rename tools to routes, or check the schema with --spec 3.0")
			return
		}
	}
	tools := p.schema.Get(key)
	at := p.schema.At(key)
	alone := p.schema.Get("resources").Len() == 0 && p.schema.Get("prompts").Len() == 0 && p.schema.Get("skills").Len() == 0
	example := "write " + key + ": { toolName: { method, path, description, parameters } }"
	switch {
	case !tools.Exists():
		if alone {
			p.expect(p.schema.Node, key, p.mainFields(), "an object of tools", example)
		}
	case !tools.Is(ordjson.Object):
		p.report(at, found(tools)+", expected an object whose keys are the tools' names", example)
	case tools.Len() == 0 && alone:
		p.report(at, "found an empty object, expected at least one tool where there are no resources", example)
	}
	for _, m := range tools.Members() {
		if !m.Value.Is(ordjson.Object) {
			p.report(at.Field(m), found(m.Value)+", expected an object", "write "+m.Key+": { method, path, description, parameters }")
		}
	}
	p.checkSkills()
}

// checkSkills reports main.skills, which version 4 took away; a version 3
// schema that has it loads without.
func (p *Pass) checkSkills() {
	if p.ctx.spec() != Spec42 || !p.schema.Get("skills").Exists() {
		return
	}
	sev := p.rule.Severity(p.ctx.profile())
	if strings.HasPrefix(p.version, "3.") {
		sev = record.SeverityWarning
	}
	p.reportAs(sev, p.schema.At("skills"), "skills does not exist in main since version 4 and is not read",
		"move the skills into the skills folder of the namespace, or list them in a selection or an agent")
}

func checkHeaders(p *Pass) {
	p.headers(p.schema.Node)
	for _, t := range p.tools {
		p.headers(t.Node)
	}
}

func (p *Pass) headers(n *model.Node) {
	v := n.Get("headers")
	if !v.Exists() {
		return
	}
	const example = "write headers: { 'Accept': 'application/json' }"
	if !v.Is(ordjson.Object) {
		p.report(n.At("headers"), found(v)+", expected an object of strings", example)
		return
	}
	for _, m := range v.Members() {
		if !m.Value.Is(ordjson.String) {
			p.report(n.At("headers").Field(m), found(m.Value)+", expected a string", "write it in quotes")
		} else if name := strayPlaceholder(m.Value.Str(), p.declared); name != "" {
			p.report(n.At("headers").Field(m), "{{"+name+"}} is not a server parameter and would be sent as it stands",
				"write {{SERVER_PARAM:KEY}} with a key of requiredServerParams")
		}
	}
}

func checkSharedListsArray(p *Pass) {
	v := p.schema.Get("sharedLists")
	if !v.Exists() {
		return
	}
	at := p.schema.At("sharedLists")
	if !v.Is(ordjson.Array) {
		p.report(at, found(v)+", expected an array of objects", "write sharedLists: [ { ref: 'evmChains', version: '1.0.0' } ]")
		return
	}
	for i, e := range v.Elems() {
		if !e.Is(ordjson.Object) {
			name := e.Str()
			if name == "" {
				name = "listName"
			}
			p.report(at.Item(i), found(e)+", expected an object", "write { ref: '"+name+"', version: '1.0.0' } with the version of the list")
		}
	}
}

func checkLibraries(p *Pass) {
	for _, e := range p.schema.At("requiredLibraries").Items() {
		if !e.Is(ordjson.String) || p.ctx.allows(e.Str()) {
			continue
		}
		allowed := p.ctx.AllowedLibraries()
		fix := "use one of " + strings.Join(allowed, ", ") + ", or allow the library in your configuration"
		if near, ok := words.Closest(e.Str(), allowed); ok && !slices.Contains(allowed, e.Str()) {
			fix = "did you mean " + strconv.Quote(near) + "?"
		}
		p.report(e, found(e.Value)+", which is not on the allowlist", fix)
	}
}
