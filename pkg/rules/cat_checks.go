package rules

import (
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/flowmcp/fmcp/pkg/model"
	"github.com/flowmcp/fmcp/pkg/ordjson"
	"github.com/flowmcp/fmcp/pkg/record"
	"github.com/flowmcp/fmcp/pkg/walk"
)

// registryFields are the fields of registry.json (chapter 15, "Registry Fields").
var registryFields = []string{"name", "version", "description", "schemaSpec", "contentHash", "shared", "schemas", "agents", "selections"}

// entryFields are those of the entries of shared, schemas, agents and
// selections, as far as rules look at them.
var entryFields = []string{"name", "namespace", "description", "file", "manifest", "requiredServerParams", "hasHandlers", "sharedLists", "prompts", "skills", "resources"}

// specLines are the versions of the specification, without the last number
// (chapter 00, "Version History").
var specLines = []string{"1.0", "1.2", "2.0", "3.0", "3.1", "4.0", "4.1", "4.2"}

// noRegistry is the file with which CAT001 was reported; rules of the whole
// catalog run one at a time.
type noRegistry struct{ with string }

// checkRegistryExists tells of a catalog without a manifest once, with the
// first of its files that make it one. Who checks single files, or a stream
// that does not say where they are, has not asked about the catalog.
func checkRegistryExists(p *Pass) {
	src, told := p.load.Src, keep(&p.ctx.kept, func() *noRegistry { return &noRegistry{} })
	if p.ctx.Catalog == nil || told.with != "" && told.with != src.File() {
		return
	}
	root := walk.Root(src)
	if rel, err := filepath.Rel(src.Root, root); root == "" || root == filepath.Dir(src.File()) || err != nil || !filepath.IsLocal(rel) {
		return
	}
	if p.ctx.hasFile(p.ctx.Catalog.Path(record.Source{Root: root, Path: "registry.json"})) {
		return
	}
	told.with = src.File()
	file := filepath.Join(root, "registry.json")
	p.findings = append(p.findings, Finding{
		Rule: p.rule, Severity: p.rule.Severity(p.ctx.profile()), Path: file,
		Message: "found no such file, expected the manifest of the catalog that " + src.Path + " is in",
		Fix: `write { "name": ` + strconv.Quote(walk.Folder(record.Source{Path: file})) +
			`, "version": "1.0.0", "description": "…", "schemaSpec": "4.2.0", "shared": [ … ], "schemas": [ … ], "agents": [ … ] }`,
	})
}

// isManifest reports whether the file is the registry.json of a catalog, and not
// one that happens to lie in the folder of a provider.
func (p *Pass) isManifest() bool {
	return walk.Root(p.load.Src) == filepath.Dir(p.load.Src.File())
}

func checkRegistryName(p *Pass) {
	switch {
	case !p.isManifest():
		return
	case !p.root.Is(ordjson.Object):
		p.report(p.root, found(p.root.Value)+", expected an object", `write { "name": …, "version": …, "description": …, "schemaSpec": …, "shared": [ … ], "schemas": [ … ], "agents": [ … ] }`)
		return
	}
	fix, folder := "write the name of the folder that registry.json is in", ""
	if src := p.load.Src; src.Root != "" || path.Dir(src.Path) != "." {
		folder = walk.Folder(src)
		fix = `write "name": ` + strconv.Quote(folder)
	}
	name := p.root.Get("name")
	switch {
	case !name.Is(ordjson.String) || strings.TrimSpace(name.Str()) == "":
		p.expectText(p.root, "name", registryFields, fix)
	case folder != "" && name.Str() != folder:
		p.report(p.root.At("name"), found(name)+", expected the name of the folder, "+strconv.Quote(folder), fix+", or rename the folder")
	}
}

func checkRegistryShared(p *Pass)  { p.registryPaths("shared", "file", "_lists/evm-chains.mjs") }
func checkRegistrySchemas(p *Pass) { p.registryPaths("schemas", "file", "providers/aave/reserves.mjs") }
func checkRegistryAgents(p *Pass) {
	p.registryPaths("agents", "manifest", "agents/crypto-research/agent.mjs")
}

// maxSuggested is for how many missing files of a section a like one is looked
// for, which takes a look at all files of the catalog.
const maxSuggested = 20

// registryPaths checks the paths in a section of registry.json.
func (p *Pass) registryPaths(section, field, example string) {
	if p.ctx.Catalog == nil || !p.isManifest() {
		return
	}
	if !p.root.Get(section).Is(ordjson.Array) {
		p.expect(p.root, section, registryFields, "an array", "write "+strconv.Quote(section)+": [], or list the files")
		return
	}
	missing := 0
	for _, e := range p.root.At(section).Items() {
		file := e.Get(field)
		switch {
		case !e.Is(ordjson.Object):
			p.report(e, found(e.Value)+", expected an object", "write { "+strconv.Quote(field)+": "+strconv.Quote(example)+", … }")
		case !file.Is(ordjson.String) || strings.TrimSpace(file.Str()) == "":
			p.expect(e, field, entryFields, "a path such as "+example, "write "+strconv.Quote(field)+": "+strconv.Quote(example))
		case !filepath.IsLocal(file.Str()) || strings.Contains(file.Str(), `\`):
			p.report(e.At(field), found(file)+", expected a path inside the catalog, with slashes", "write it relative to the folder of registry.json, such as "+example)
		case !p.ctx.hasFile(p.inCatalog(file.Str())):
			missing++
			p.report(e.At(field), found(file)+", expected the path of a file that exists", p.missingFix(e, field, missing <= maxSuggested))
		case field == "manifest" && path.Base(file.Str()) != ManifestName:
			p.report(e.At(field), found(file)+", expected the path of an agent.mjs", "write the agent as export const agent = { … } in "+path.Join(path.Dir(file.Str()), ManifestName))
		case path.Ext(file.Str()) != ".mjs":
			p.report(e.At(field), found(file)+", expected the path of an .mjs file", "write it as a module, such as "+example)
		}
	}
}

func checkContentHash(p *Pass) {
	if p.ctx.Files == nil || !p.isManifest() {
		return
	}
	read := func(name string) []byte { return p.ctx.Files.Read(p.inCatalog(name)) }
	if problem := walk.CheckContentHash(p.root.Value, read); problem != nil {
		p.report(p.root.At("contentHash"), strings.TrimPrefix(problem.Message, "registry.contentHash: "), problem.Fix)
	}
}

// missingFix says what to do about a path that leads nowhere.
func (p *Pass) missingFix(e *model.Node, field string, look bool) string {
	const plain = "add the file, or remove the entry"
	name := e.Get(field).Str()
	if agent := path.Join(path.Dir(name), ManifestName); field == "manifest" && p.ctx.hasFile(p.inCatalog(agent)) {
		return "write \"manifest\": " + strconv.Quote(agent)
	}
	if !look {
		return plain
	}
	dir := p.inCatalog(".")
	var like []string
	for f := range p.ctx.Catalog.Files() {
		if rel, ok := within(dir, f); ok && (path.Dir(rel) == path.Dir(name) || path.Base(rel) == path.Base(name)) {
			like = append(like, rel)
		}
	}
	return p.didYouMean(name, like, plain)
}

// within is the path of a file relative to a folder of the catalog.
func within(dir, file string) (string, bool) {
	if dir == "." {
		return file, true
	}
	return strings.CutPrefix(file, dir+"/")
}

// sectionOf is where registry.json lists the files of a type.
var sectionOf = map[record.Type]string{
	record.TypeList: "shared", record.TypeSchema: "schemas", record.TypeAgent: "agents", record.TypeSelection: "selections",
}

// checkOrphans goes by the folders of chapter 15: prompts, skills and resources
// belong to what is listed, and helpers to nobody.
func checkOrphans(p *Pass) {
	if p.ctx.Catalog == nil || !p.isManifest() {
		return
	}
	listed := map[string]bool{}
	for _, section := range sectionOf {
		for _, e := range p.root.Get(section).Elems() {
			for _, field := range []string{"file", "manifest"} {
				if name := e.Get(field).Str(); name != "" {
					listed[path.Clean(name)] = true
				}
			}
		}
	}
	dir := p.inCatalog(".")
	for f := range p.ctx.Catalog.Files() {
		name, ok := within(dir, f)
		if !ok || listed[name] {
			continue
		}
		section := sectionOf[walk.Detect(name, nil)]
		if v := p.root.Get(section); section == "" || v.Exists() && !v.Is(ordjson.Array) || !v.Exists() && section != "selections" {
			continue // of a section that is not there, CAT003 to CAT005 tell
		}
		field := "file"
		if section == "agents" {
			field = "manifest"
		}
		p.report(p.root.At(section), "found the file "+name+", which is not listed", "add { "+strconv.Quote(field)+": "+strconv.Quote(name)+", … }, or remove the file")
	}
}

func checkRegistrySpec(p *Pass) {
	if !p.isManifest() {
		return
	}
	v := p.root.Get("schemaSpec")
	if line := v.Str(); isSemver(line) && slices.Contains(specLines, line[:strings.LastIndexByte(line, '.')]) {
		return
	}
	p.expect(p.root, "schemaSpec", registryFields, "a version of the specification such as 4.2.0", `write "schemaSpec": "4.2.0", or the version that the schemas are written for`)
}
