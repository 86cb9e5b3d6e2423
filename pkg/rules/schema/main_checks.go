package schema

import (
	"cmp"
	"path"
	"slices"
	"strconv"
	"strings"

	"github.com/flowmcp/fmcp/pkg/catalog"
	"github.com/flowmcp/fmcp/pkg/edit"
	"github.com/flowmcp/fmcp/pkg/model"
	"github.com/flowmcp/fmcp/pkg/ordjson"
	"github.com/flowmcp/fmcp/pkg/record"
	"github.com/flowmcp/fmcp/pkg/rules/engine"
	"github.com/flowmcp/fmcp/pkg/words"
)

func checkNamespace(p *engine.Pass) {
	name := p.Schema.Namespace()
	if strings.TrimSpace(name) == "" {
		return // VAL010
	}
	if p.Ctx.SpecInForce() == engine.Spec20 {
		if !engine.IsLetters(name) {
			p.Report(p.Schema.At("namespace"), "found "+engine.Quote(name)+", expected lower-case letters only",
				engine.Write("namespace", strings.ReplaceAll(engine.ToNamespace(name), "-", ""),
					"use lower-case letters"))
		}
		return
	}
	if !catalog.IsNamespace(name) {
		p.Report(p.Schema.At("namespace"),
			"found "+engine.Quote(name)+", expected lower-case letters, digits and hyphens, a letter first",
			engine.Write("namespace", engine.ToNamespace(name), "use lower-case letters, digits and hyphens"))
	}
}

// versionLines are the versions that main.version may say under each --spec.
var versionLines = map[engine.Spec]string{engine.Spec20: "2.", engine.Spec30: "3.", engine.Spec42: "4."}

func checkVersion(p *engine.Pass) {
	spec := p.Ctx.SpecInForce()
	line, v := versionLines[spec], p.Schema.Get("version")
	major, _, _ := strings.Cut(p.Version, ".")
	switch {
	case engine.IsSemver(p.Version) && strings.HasPrefix(p.Version, line):
	case spec == engine.Spec42 && engine.IsSemver(p.Version) && major == "3":
		p.ReportAs(record.SeverityWarning, p.Schema.At("version"),
			"found "+engine.Quote(p.Version)+", which is deprecated; expected 4.x.y",
			"migrate the schema: add a meta block to every tool, then write version: '4.0.0'").
			Fixed(true, toVersion4(p)...)
	case p.Schema.Get("flowMCP").Exists() && !v.Exists():
		at := p.Schema.At("flowMCP")
		p.Report(at, engine.Found(at.Value)+", the field of version 1; expected version: '4.0.0'",
			"migrate the schema to version 4").Fixed(true, engine.RenameKey(at, "version"), engine.SetText(at, "2.0.0"))
	case spec == engine.Spec42 && major == "1" && !p.Schema.Get("schemaVersion").Exists() &&
		p.Schema.Get("tools").Exists():
		p.Report(p.Schema.At("version"), "found "+engine.Quote(p.Version)+
			", expected 4.x.y: version is that of the specification, schemaVersion that of the schema",
			"write version: '4.0.0' and schemaVersion: '"+p.Version+"'")
	case spec == engine.Spec42 && (major == "2" || major == "1"):
		p.Report(p.Schema.At("version"), "found "+engine.Quote(p.Version)+", expected 4.x.y",
			"migrate the schema to version 4, or check it as it is with --spec 2.0").Fixed(true, toVersion3(p)...)
	case engine.IsSemver(p.Version):
		fix := "check it with --spec 4.2"
		if major != "4" {
			fix = "write version: '" + line + "0.0'"
		}
		p.Report(p.Schema.At("version"), "found "+engine.Quote(p.Version)+", expected "+line+"x.y", fix)
	default:
		found := p.Expect(p.Schema.Node, "version", p.MainFields(), "a version "+line+"x.y",
			"write version: '"+line+"0.0'")
		if meant := engine.ToSemver(p.Version); strings.HasPrefix(meant, line) {
			found.Fixed(true, engine.SetText(p.Schema.At("version"), meant))
		}
	}
}

// toVersion3 is what version 3 has otherwise than version 2 (chapter 08, section 2).
func toVersion3(p *engine.Pass) []edit.Change {
	changes := []edit.Change{engine.SetText(p.Schema.At("version"), "3.0.0")}
	if p.Schema.Get("routes").Exists() && !p.Schema.Get("tools").Exists() {
		changes = append(changes, engine.RenameKey(p.Schema.At("routes"), "tools"))
	}
	return changes
}

// toVersion4 is the last change to a schema of version 3: nil as long as it has something
// that version 4 does not, or lacks what that asks for (chapter 08, section 3).
func toVersion4(p *engine.Pass) []edit.Change {
	if p.Schema.Get("skills").Exists() || p.Schema.Get("routes").Exists() {
		return nil
	}
	for i := range p.Tools {
		if !p.Tools[i].Get("meta").Is(ordjson.Object) {
			return nil
		}
	}
	return []edit.Change{engine.SetText(p.Schema.At("version"), "4.0.0")}
}

func checkRoot(p *engine.Pass) {
	root := p.Schema.Get("root")
	if !root.Exists() {
		if p.Schema.Get(p.Schema.ToolsKey()).Len() > 0 {
			p.Expect(p.Schema.Node, "root", p.MainFields(), "the base URL of all tools",
				"write root: 'https://api.example.com'")
		}
		return
	}
	at, text := p.Schema.At("root"), root.Str()
	switch {
	case root.Is(ordjson.String) && text == "" && !p.UsesRoot():
		if p.Load.Fetches { // else nothing of the schema needs one (decision "Empty root")
			p.Report(at, engine.Found(root)+", expected the URL of the host that executeRequest fetches from",
				"write root: 'https://api.example.com', the only host that fetch reaches")
		}
	case !root.Is(ordjson.String) || text == "":
		p.Report(at, engine.Found(root)+", expected a URL that starts with https://",
			"write root: 'https://api.example.com'")
	case !strings.HasPrefix(text, "https://"):
		fix, changes := "write the URL with https://", []edit.Change(nil)
		if rest, ok := strings.CutPrefix(text, "http://"); ok {
			fix = "write root: 'https://" + rest + "'"
			changes = append(changes, engine.SetText(at, "https://"+rest))
		} else if len(p.Tools) == 0 {
			fix = "remove it: only tools need a root"
		}
		p.ReportAs(rootSeverity(p), at, engine.Found(root)+", expected a URL that starts with https://", fix).
			Fixed(false, changes...)
	case strings.Contains(authority(text), "@"):
		p.Report(at, "found a user name before the host, expected the host after https://",
			"send it as a header: 'Authorization': '{{SERVER_PARAM:KEY}}'")
	case !isHost(authority(text)):
		p.Report(at, engine.Found(root)+", expected a host after https://", "write root: 'https://api.example.com'")
	case strings.ContainsAny(text, "?#"):
		p.ReportAs(rootSeverity(p), at,
			engine.Found(root)+", expected no query or fragment: the path of each tool comes after it",
			"write root: '"+strings.TrimRight(text[:strings.IndexAny(text, "?#")], "/")+
				"', and give each tool a fixed parameter for what the query sends")
	case strings.HasSuffix(text, "/"):
		safe, changes := withoutSlash(p, text)
		p.Report(at, engine.Found(root)+", expected no slash at the end",
			"write root: '"+strings.TrimRight(text, "/")+"'").Fixed(safe, changes...)
	default:
		if name := strayPlaceholder(text, p.Declared); name != "" {
			p.Report(at, engine.Found(root)+"; {{"+name+"}} is not a server parameter and would be sent as it stands",
				"write {{SERVER_PARAM:KEY}} with a key of requiredServerParams, or the text itself")
		}
	}
}

// withoutSlash takes the slashes off the end of a root, and gives one to the paths that
// lack it. A path that has one makes two of them today: some APIs may want that.
func withoutSlash(p *engine.Pass, root string) (safe bool, changes []edit.Change) {
	short := strings.TrimRight(root, "/")
	changes, safe = append(changes, engine.SetText(p.Schema.At("root"), short)), len(root) == len(short)+1
	for i := range p.Tools {
		switch path := p.Tools[i].Get("path"); {
		case !path.Is(ordjson.String):
		case strings.HasPrefix(path.Str(), "/"):
			safe = false
		default:
			changes = append(changes, edit.Part(p.Tools[i].At("path").Pointer(), 0, 0, "/"))
		}
	}
	return safe, changes
}

// slashOfPath is how a path gets its slash. After a host it is refused without one;
// after a path it goes on where that ends.
func slashOfPath(p *engine.Pass, tool *model.Node) (safe bool, changes []edit.Change) {
	root, path := p.Schema.Get("root").Str(), tool.Get("path")
	if !path.Is(ordjson.String) || strings.Contains(path.Str(), "://") || strings.HasSuffix(root, "/") { // VAL015
		return false, nil
	}
	hostOnly := !strings.Contains(strings.TrimPrefix(root, "https://"), "/")
	return hostOnly, []edit.Change{engine.SetText(tool.At("path"), "/"+path.Str())}
}

// authority is what stands between https:// and the path of a root.
func authority(root string) string {
	text, _, _ := strings.Cut(strings.TrimPrefix(root, "https://"), "/")
	return text
}

func isHost(text string) bool {
	return text != "" && (strings.Contains(text, "{{") || !strings.ContainsAny(text, "\\ \t\r\n"))
}

// rootSeverity is lower for a root of the field that no request is made from.
func rootSeverity(p *engine.Pass) record.Severity {
	if p.Community() && !p.UsesRoot() {
		return record.SeverityWarning
	}
	return p.Severity()
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

func checkTools(p *engine.Pass) {
	key := p.Schema.ToolsKey()
	if p.Ctx.SpecInForce() == engine.Spec20 {
		key = "routes"
		if p.Schema.Get("tools").Exists() {
			p.Report(p.Schema.At("tools"), "found tools, which version 2 does not have; expected routes",
				"rename tools to routes, or check the schema with --spec 3.0")
			return
		}
	}
	tools := p.Schema.Get(key)
	at := p.Schema.At(key)
	alone := p.Schema.Get("resources").Len() == 0 && p.Schema.Get("prompts").Len() == 0 &&
		p.Schema.Get("skills").Len() == 0
	example := "write " + key + ": { toolName: { method, path, description, parameters } }"
	switch {
	case !tools.Exists():
		if alone {
			p.Expect(p.Schema.Node, key, p.MainFields(), "an object of tools", example)
		}
	case !tools.Is(ordjson.Object):
		p.Report(at, engine.Found(tools)+", expected an object whose keys are the tools' names", example)
	case tools.Len() == 0 && alone:
		p.Report(at, "found an empty object, expected at least one tool where there are no resources", example)
	}
	for _, m := range tools.Members() {
		if !m.Value.Is(ordjson.Object) {
			p.Report(at.Field(m), engine.Found(m.Value)+", expected an object",
				"write "+m.Key+": { method, path, description, parameters }")
		}
	}
	checkSkills(p)
}

// checkSkills reports main.skills, which version 4 took away; a version 3
// schema that has it loads without.
func checkSkills(p *engine.Pass) {
	if p.Ctx.SpecInForce() != engine.Spec42 || !p.Schema.Get("skills").Exists() {
		return
	}
	sev := p.Severity()
	if strings.HasPrefix(p.Version, "3.") {
		sev = record.SeverityWarning
	}
	fix := "move the skills into the skills folder of the namespace, or list them in a selection or an agent"
	var changes []edit.Change
	if skillsMoved(p) {
		fix = "remove it: its skills are in the skills folder of the namespace"
		if p.Schema.Get(p.Schema.ToolsKey()).Len() > 0 || p.Schema.Get("resources").Len() > 0 ||
			p.Schema.Get("prompts").Len() > 0 {
			changes = append(changes, edit.Drop("/skills"))
		} else {
			fix = "remove the file, which has nothing else: its skills are in the skills folder of the namespace"
		}
	}
	p.ReportAs(sev, p.Schema.At("skills"), "skills does not exist in main since version 4 and is not read",
		fix).Fixed(true, changes...)
}

// skillsMoved reports whether the skills of main are files of the namespace's skills folder,
// where they are found without main (chapter 14).
func skillsMoved(p *engine.Pass) bool {
	if p.Ctx.Files == nil || p.Ctx.Catalog == nil {
		return false
	}
	for _, skill := range p.Schema.At("skills").Fields() {
		name, inside := p.FileBeside(skill.Get("file").Str())
		folder, _ := p.FileBeside("skills")
		if !inside || path.Dir(name) != folder || !p.Ctx.Files.Exists(name) {
			return false
		}
	}
	return p.Schema.Get("skills").Len() > 0
}

func checkAsync(p *engine.Pass) {
	for _, t := range p.Tools {
		if t.Get("async").Exists() {
			p.Report(t.At("async"), "found async, which is reserved and has no effect: a call waits for its answer",
				"leave it out; for an API that works in jobs write one tool that starts a job and one that asks for it")
		}
	}
}

func checkHeaders(p *engine.Pass) {
	headers(p, p.Schema.Node)
	for _, t := range p.Tools {
		headers(p, t.Node)
	}
}

func headers(p *engine.Pass, n *model.Node) {
	v := n.Get("headers")
	if !v.Exists() {
		return
	}
	const example = "write headers: { 'Accept': 'application/json' }"
	if !v.Is(ordjson.Object) {
		p.Report(n.At("headers"), engine.Found(v)+", expected an object of strings", example)
		return
	}
	for _, m := range v.Members() {
		if !m.Value.Is(ordjson.String) {
			p.Report(n.At("headers").Field(m), engine.Found(m.Value)+", expected a string", "write it in quotes")
		} else if !model.IsHeaderName(m.Key) {
			p.Report(n.At("headers").Field(m), "found the name "+engine.Quote(m.Key)+
				", expected letters, digits and - without blanks", "write the name as the API documents it")
		} else if !model.IsHeaderValue(m.Value.Str()) {
			p.Report(n.At("headers").Field(m), engine.Found(m.Value)+", expected one line of text",
				"remove line breaks and other control characters")
		} else if name := strayPlaceholder(m.Value.Str(), p.Declared); name != "" {
			p.Report(n.At("headers").Field(m), "{{"+name+"}} is not a server parameter and would be sent as it stands",
				"write {{SERVER_PARAM:KEY}} with a key of requiredServerParams")
		}
	}
}

func checkSharedListsArray(p *engine.Pass) {
	for _, n := range p.Schema.At("sharedLists").Items() {
		if !n.Is(ordjson.Object) {
			name := cmp.Or(n.Str(), "listName")
			p.Report(n, engine.Found(n.Value)+", expected an object",
				"write { ref: '"+name+"', version: '"+p.ListVersion(name)+"' } with the version of the list")
		}
	}
}

func checkLibraries(p *engine.Pass) {
	for _, e := range p.Schema.At("requiredLibraries").Items() {
		if !e.Is(ordjson.String) || p.Ctx.Allows(e.Str()) {
			continue
		}
		allowed := p.Ctx.AllowedLibraries()
		fix := "use one of " + strings.Join(allowed, ", ") + ", or, if you trust the package, write libraries: [" +
			strconv.Quote(e.Str()) + "] into a file that --config names"
		if near, ok := words.Closest(e.Str(), allowed); ok && !slices.Contains(allowed, e.Str()) {
			fix = "did you mean " + strconv.Quote(near) + "?"
		}
		p.Report(e, engine.Found(e.Value)+", which is not on the allowlist", fix)
	}
}
