package schema

import (
	"path/filepath"
	"strings"

	"github.com/flowmcp/fmcp/pkg/catalog"
	"github.com/flowmcp/fmcp/pkg/model"
	"github.com/flowmcp/fmcp/pkg/record"
	"github.com/flowmcp/fmcp/pkg/rules/engine"
)

// checkTags asks for the tags of chapter 01, "Naming Conventions".
func checkTags(p *engine.Pass) {
	for _, tag := range p.Schema.At("tags").Items() {
		if name := tag.Str(); name != "" && !engine.IsKebab(name) {
			fix := "use lower-case letters, digits and hyphens"
			if near := engine.ToNamespace(name); near != "" {
				fix = "write '" + near + "'"
			}
			found := p.Report(tag, engine.Found(tag.Value)+
				", expected lower-case letters, digits and hyphens, a letter first", fix)
			near := engine.ToNamespace(name)
			if engine.IsKebab(near) && strings.EqualFold(near, engine.Trimmed(tag.Value)) {
				found.Fixed(true, engine.SetText(tag, near))
			}
		}
	}
}

// checkNamespaceFolder compares the namespace with the folder below providers
// (chapters 15 and 16, decision "Folders of providers").
func checkNamespaceFolder(p *engine.Pass) {
	const providers = "/providers/"
	file, name := "/"+filepath.ToSlash(p.Load.Src.File()), p.Schema.Namespace()
	at := strings.LastIndex(file, providers)
	if at < 0 || !catalog.IsNamespace(name) || name == catalog.SharedNamespace { // ID003
		return
	}
	folder, _, below := strings.Cut(file[at+len(providers):], "/")
	if !below || folder == name {
		return
	}
	fix := "rename the folder to " + name
	if catalog.IsNamespace(folder) {
		fix += ", or write namespace: '" + folder + "'"
	}
	sev := p.Severity()
	if p.Community() {
		sev = record.SeverityInfo
	}
	p.ReportAs(sev, p.Schema.At("namespace"), "found "+engine.Quote(name)+", expected "+engine.Quote(folder)+
		", the name of the folder in providers", fix)
}

// checkInsertKeys asks for camelCase in the keys that the author chooses: the API
// knows all others by name (decision "Names of parameters").
func checkInsertKeys(p *engine.Pass) {
	for i := range p.Tools {
		for j := range p.Tools[i].Params {
			q := &p.Tools[i].Params[j]
			if q.Location != model.Insert || q.Key == "" || engine.IsCamel(q.Key) {
				continue
			}
			fix := "use camelCase, in the path and in the tests as well"
			if name := engine.ToCamel(q.Key); name != "" {
				fix = "write " + name + ", in the path and in the tests as well"
			}
			p.Report(q.At("position").At("key"),
				"found "+engine.Quote(q.Key)+", expected letters and digits, a lower-case letter first", fix)
		}
	}
}

// checkRepeatedKeys reports a second value for one place of the request; a query
// may have a key twice (decision "Duplicate query keys").
func checkRepeatedKeys(p *engine.Pass) {
	for i := range p.Tools {
		seen := &model.NameSet{}
		for j := range p.Tools[i].Params {
			q := &p.Tools[i].Params[j]
			place := string(q.Location) + " " + q.Key
			if q.Location != model.Insert && q.Location != model.Body || q.Key == "" {
				continue
			}
			if seen.Has(place) {
				p.Report(q.At("position").At("key"), "found a second "+string(q.Location)+" parameter "+
					engine.Quote(q.Key)+", of which one value is sent", "remove one of the two, or correct its key")
			}
			seen.Add(place)
		}
	}
}

// checkSharedListsTwice reports a list that is referenced again: handlers get one
// list of a name, and an enum names no reference.
func checkSharedListsTwice(p *engine.Pass) {
	seen := &model.NameSet{}
	for _, r := range p.Refs {
		if r.Ref != "" && seen.Has(r.Ref) {
			p.Report(r.Named(), "found a second reference to "+engine.Quote(r.Ref)+", expected each list once",
				"keep one reference, with a filter that selects the entries of both")
		}
		seen.Add(r.Ref)
	}
}

func checkToolName(p *engine.Pass) {
	for _, t := range p.Tools {
		p.CamelKey(t.Node, "tool", "getContractAbi")
	}
}
