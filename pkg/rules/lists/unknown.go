package lists

import (
	"path"
	"strings"

	"github.com/flowmcp/fmcp/pkg/fields"
	"github.com/flowmcp/fmcp/pkg/model"
	"github.com/flowmcp/fmcp/pkg/rules/engine"
)

// checkListUnknown reports the fields that nothing reads. meta may have fields of
// its own (decision "Unknown fields").
func checkListUnknown(p *engine.Pass) {
	unknown(p, p.Root, fields.List.Known(), "meta", "entries")
	whole := true
	for _, f := range p.Root.At("meta").At("fields").Items() {
		whole = unknown(p, f, fields.ListField.Known(), "key", "type", "description") && whole
	}
	for _, d := range p.Root.At("meta").At("dependsOn").Items() {
		unknown(p, d, fields.ListDependency.Known(), "ref", "version")
		unknown(p, d.At("condition"), fields.ListCondition.Known(), fields.ListCondition.Known()...)
	}
	if whole {
		unknownInEntries(p)
	}
}

// unknown reports the unknown fields of an object, and whether it has those that
// it must have: of one that lacks some another rule says so, and which is misspelt.
func unknown(p *engine.Pass, n *model.Node, known []string, required ...string) bool {
	for _, field := range required {
		if !n.Get(field).Exists() {
			return false
		}
	}
	p.Unknown(n, known)
	return true
}

// unknownInEntries reports a key that the list does not define at the first entry
// that has it. Without any definition LST004 is about the list.
func unknownInEntries(p *engine.Pass) {
	_, keys := listFields(p)
	if len(keys) == 0 {
		return
	}
	known := model.NamesOf(keys)
	for _, e := range p.Root.At("entries").Items() {
		for _, m := range e.Members() {
			if known.Has(m.Key) {
				continue
			}
			known.Add(m.Key)
			at := e.Field(m)
			if at.Within(engine.MaxPlace) == at && p.Told(at.Pointer()) {
				continue // LST007: it is misspelt
			}
			p.Report(at, "unknown field; meta.fields does not define it", p.DidYouMean(m.Key, keys,
				"remove it, or add { key: '"+m.Key+"', type: '…', description: '…' } to meta.fields"))
		}
	}
}

func checkListFieldKeys(p *engine.Pass) {
	seen := &model.NameSet{}
	for _, f := range p.Root.At("meta").At("fields").Items() {
		key := f.Get("key").Str()
		if seen.Has(key) {
			p.Report(f.At("key"), "found "+engine.Quote(key)+" a second time, expected each key once",
				"remove one of the two definitions, or rename it")
		}
		if key != "" {
			seen.Add(key)
		}
	}
}

// checkListFileName asks for kebab-case (chapter 03, "Directory Structure").
func checkListFileName(p *engine.Pass) {
	file := path.Base(p.Load.Src.Path)
	base := strings.TrimSuffix(file, ".mjs")
	if p.Load.Src.Path == "" || engine.IsKebab(base) {
		return
	}
	fix := "use kebab-case"
	if name := engine.ToNamespace(base); name != "" {
		fix = "rename the file to " + name + ".mjs"
	}
	p.ReportFile("the file name "+engine.Quote(file)+" is not kebab-case", fix)
}

// checkListPlace reports a list in the folder of a provider, a selection or an
// agent (chapter 15, "Shared List Ownership Rule").
func checkListPlace(p *engine.Pass) {
	if s := p.Scope(); s.Folder != "" {
		p.ReportFile("found a shared list in "+s.Dir+", expected lists in the folder _lists of the catalog alone",
			"move the file to _lists/"+path.Base(p.Load.Src.Path))
	}
}
