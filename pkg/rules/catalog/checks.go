package catalog

import (
	"path"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/flowmcp/fmcp/pkg/fields"
	"github.com/flowmcp/fmcp/pkg/ordjson"
	"github.com/flowmcp/fmcp/pkg/record"
	"github.com/flowmcp/fmcp/pkg/rules/engine"
	"github.com/flowmcp/fmcp/pkg/walk"
)

// specLines are the versions of the specification, without the last number
// (chapter 00, "Version History").
var specLines = []string{"1.0", "1.2", "2.0", "3.0", "3.1", "4.0", "4.1", "4.2"}

// noRegistry is the file with which CAT001 was reported; rules of the whole
// catalog run one at a time.
type noRegistry struct{ with string }

// checkRegistryExists tells of a catalog without a manifest once, with the
// first of its files that make it one. Who checks single files, or a stream
// that does not say where they are, has not asked about the catalog.
func checkRegistryExists(p *engine.Pass) {
	src, told := p.Load.Src, engine.Keep(&p.Ctx.Kept, func() *noRegistry { return &noRegistry{} })
	if p.Ctx.Catalog == nil || told.with != "" && told.with != src.File() {
		return
	}
	root := walk.Root(src)
	if rel, err := filepath.Rel(src.Root, root); root == "" || root == filepath.Dir(src.File()) || err != nil ||
		!filepath.IsLocal(rel) {
		return
	}
	if p.Ctx.HasFile(p.Ctx.Catalog.Path(record.Source{Root: root, Path: "registry.json"})) {
		return
	}
	told.with = src.File()
	file := filepath.Join(root, "registry.json")
	p.Findings = append(p.Findings, engine.Finding{
		Rule: p.Rule, Severity: p.Severity(), Path: file,
		Message: "found no such file, expected the manifest of the catalog that " + src.Path + " is in",
		Fix: `write { "name": ` + strconv.Quote(walk.Folder(record.Source{Path: file})) +
			`, "version": "1.0.0", "description": "…", "schemaSpec": "4.2.0", "shared": [ … ], "schemas": [ … ], ` +
			`"agents": [ … ] }`,
	})
}

func checkRegistryName(p *engine.Pass) {
	switch {
	case !p.IsManifest():
		return
	case !p.Root.Is(ordjson.Object):
		p.Report(p.Root, engine.Found(p.Root.Value)+", expected an object",
			`write { "name": …, "version": …, "description": …, "schemaSpec": …, "shared": [ … ], "schemas": [ … ], `+
				`"agents": [ … ] }`)
		return
	}
	fix, folder := "write the name of the folder that registry.json is in", ""
	if src := p.Load.Src; src.Root != "" || path.Dir(src.Path) != "." {
		folder = walk.Folder(src)
		fix = `write "name": ` + strconv.Quote(folder)
	}
	name := p.Root.Get("name")
	switch {
	case !name.Is(ordjson.String) || strings.TrimSpace(name.Str()) == "":
		p.ExpectText(p.Root, "name", fields.Registry.Known(), fix)
	case folder != "" && name.Str() != folder:
		p.Report(p.Root.At("name"), engine.Found(name)+", expected the name of the folder, "+strconv.Quote(folder),
			fix+", or rename the folder")
	}
}

func checkRegistryShared(p *engine.Pass) { checkPaths(p, "shared", "file", "_lists/evm-chains.mjs") }

func checkRegistrySchemas(p *engine.Pass) {
	checkPaths(p, "schemas", "file", "providers/aave/reserves.mjs")
}

func checkRegistryAgents(p *engine.Pass) {
	checkPaths(p, "agents", "manifest", "agents/crypto-research/agent.mjs")
}

func checkRegistrySelections(p *engine.Pass) {
	checkPaths(p, "selections", "file", "selections/evm-research/selection.mjs")
}

// checkPaths checks the paths in a section of registry.json.
func checkPaths(p *engine.Pass, section, field, example string) {
	if p.Ctx.Catalog == nil || !p.IsManifest() {
		return
	}
	missing := 0
	for _, e := range p.Root.At(section).Items() {
		file := e.Get(field)
		switch {
		case !e.Is(ordjson.Object):
			p.Report(e, engine.Found(e.Value)+", expected an object",
				"write { "+strconv.Quote(field)+": "+strconv.Quote(example)+", … }")
		case !file.Is(ordjson.String) || strings.TrimSpace(file.Str()) == "":
			p.Expect(e, field, fields.RegistryEntry.Known(), "a path such as "+example,
				"write "+strconv.Quote(field)+": "+strconv.Quote(example))
		case !filepath.IsLocal(file.Str()) || strings.Contains(file.Str(), `\`):
			p.Report(e.At(field), engine.Found(file)+", expected a path inside the catalog, with slashes",
				"write it relative to the folder of registry.json, such as "+example)
		case field == "manifest" && path.Base(file.Str()) != engine.ManifestName:
			p.Report(e.At(field), engine.Found(file)+", expected the path of an agent.mjs", manifestFix(p, file.Str()))
		case path.Ext(file.Str()) != ".mjs": // whether there is such a file no record says
			missing++
			p.Report(e.At(field), engine.Found(file)+", expected the path of an .mjs file",
				missingFix(p, file.Str(), "write it as a module, such as "+example, missing <= maxSuggested))
		case !p.Ctx.HasFile(p.InCatalog(file.Str())):
			missing++
			p.Report(e.At(field), engine.Found(file)+", expected the path of a file that exists",
				missingFix(p, file.Str(), "add the file, or remove the entry", missing <= maxSuggested))
		}
	}
}

// maxSuggested is for how many missing files of a section a like one is looked
// for, which takes a look at all files of the catalog.
const maxSuggested = 20

// manifestFix says what to do about the path of something else than an agent.mjs.
func manifestFix(p *engine.Pass, name string) string {
	agent := path.Join(path.Dir(name), engine.ManifestName)
	if p.Ctx.HasFile(p.InCatalog(agent)) {
		return "write \"manifest\": " + strconv.Quote(agent)
	}
	return "write the agent as export const agent = { … } in " + agent
}

// missingFix says what to do about a path that leads nowhere: the plain thing, where no
// other path is like it.
func missingFix(p *engine.Pass, name, plain string, look bool) string {
	if !look {
		return plain
	}
	dir := p.InCatalog(".")
	var like []string
	for f := range p.Ctx.Catalog.Files() {
		if rel, ok := within(dir, f); ok && path.Ext(rel) == ".mjs" &&
			(path.Dir(rel) == path.Dir(name) || path.Base(rel) == path.Base(name)) {
			like = append(like, rel)
		}
	}
	return p.DidYouMean(name, like, plain)
}

// within is the path of a file relative to a folder of the catalog.
func within(dir, file string) (string, bool) {
	if dir == "." {
		return file, true
	}
	return strings.CutPrefix(file, dir+"/")
}

// checkOrphans goes by the folders of chapter 15: prompts, skills and resources
// belong to what is listed, and helpers to no type.
func checkOrphans(p *engine.Pass) {
	if p.Ctx.Catalog == nil || !p.IsManifest() {
		return
	}
	listed := map[string]bool{}
	for _, section := range []string{"shared", "schemas", "agents", "selections"} {
		for _, e := range p.Root.Get(section).Elems() {
			for _, field := range []string{"file", "manifest"} {
				if name := e.Get(field).Str(); name != "" {
					listed[path.Clean(name)] = true
				}
			}
		}
	}
	dir := p.InCatalog(".")
	for f := range p.Ctx.Catalog.Files() {
		name, ok := within(dir, f)
		if !ok || listed[name] {
			continue
		}
		section, field := walk.Listed(walk.Detect(name, nil))
		if v := p.Root.Get(section); section == "" || v.Exists() && !v.Is(ordjson.Array) ||
			!v.Exists() && section != "selections" {
			continue // of a section that is not there, CAT003 to CAT005 tell
		}
		p.Report(p.Root.At(section), "found the file "+name+", which is not listed",
			"add { "+strconv.Quote(field)+": "+strconv.Quote(name)+", … }, or remove the file")
	}
}
