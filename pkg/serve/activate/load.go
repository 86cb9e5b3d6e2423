package activate

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/flowmcp/fmcp/pkg/catalog"
	"github.com/flowmcp/fmcp/pkg/exec"
	"github.com/flowmcp/fmcp/pkg/forbidden"
	"github.com/flowmcp/fmcp/pkg/model"
	"github.com/flowmcp/fmcp/pkg/module"
	"github.com/flowmcp/fmcp/pkg/ordjson"
	"github.com/flowmcp/fmcp/pkg/record"
	"github.com/flowmcp/fmcp/pkg/rules"
	"github.com/flowmcp/fmcp/pkg/words"
)

// readManifest finds the agent, and narrows the catalog to what it has.
func (a *activation) readManifest() (string, error) {
	narrowed, err := a.Catalog.Narrow(a.Wanted)
	for _, id := range a.Catalog.Of(record.TypeAgent) {
		if catalog.IsAgent(id, a.Wanted.Agent) {
			a.report.ID, a.report.Name = id, catalog.LastPart(id)
		}
	}
	if a.report.ID == "" {
		if found := a.errors(); len(found) > 0 {
			return found[0].Loc.Path, nil
		}
		return "", err
	}
	if err != nil {
		a.missing, narrowed = err, a.Catalog
	}
	a.tools = exec.NewCatalog(narrowed)
	a.tools.Folder = a.Folder
	if a.agent, err = narrowed.Group(a.report.ID); err != nil {
		return "", err
	}
	return a.agent.Src.Path, nil
}

// validate runs the rules of chapter 06 over what the catalog has of the manifest:
// it may have been made without them.
func (a *activation) validate() (string, error) {
	about, err := a.Catalog.Catalog()
	if err != nil {
		return "", err
	}
	load := &record.Load{Type: record.TypeAgent, ID: a.agent.ID, Data: manifest(a.agent),
		Src: record.Source{Path: a.agent.Src.Path}, Exports: []string{"agent"}}
	for _, f := range rules.Check(load, &rules.Context{Profile: rules.Profile(about.Profile)}) {
		if strings.HasPrefix(f.Rule.Code, "AGT") && f.Severity == record.SeverityError {
			a.add(f.Rule.Code + " " + f.Message + "; " + f.Fix)
		}
	}
	if a.lines != nil {
		return "", errors.New("the manifest is not one of chapter 06")
	}
	return "model " + a.agent.Model + ", " + words.Count(len(a.agent.Tests.Elems()), "test"), nil
}

// manifest is the part of a manifest that a catalog carries.
func manifest(g *catalog.Group) ordjson.Value {
	text := func(key, s string) ordjson.Member { return ordjson.Field(key, ordjson.NewString(s)) }
	var tools []ordjson.Member
	for _, id := range g.Members[0] {
		tools = append(tools, ordjson.Field(id, ordjson.NewNull()))
	}
	return ordjson.NewObject(text("name", g.Name), text("description", g.Description), text("version", g.Version),
		text("model", g.Model), text("systemPrompt", g.SystemPrompt),
		ordjson.Field("tools", ordjson.NewObject(tools...)), ordjson.Field("tests", g.Tests))
}

// resolveTools finds the tools that the manifest names.
func (a *activation) resolveTools() (string, error) {
	own := 0
	for _, id := range a.agent.Members[0] {
		namespace, _, _ := strings.Cut(id, "/")
		if namespace == a.agent.Namespace {
			own++
		}
		if a.tools.Type(id) == record.TypeTool {
			continue
		}
		ids := a.Catalog.Of(record.TypeTool)
		why := "namespace " + namespace + " has no such tool" + words.DidYouMean(id, ids)
		if !slices.ContainsFunc(ids, func(known string) bool { return strings.HasPrefix(known, namespace+"/") }) {
			why = "namespace " + namespace + " is not in the catalog"
		}
		if namespace == a.agent.Namespace {
			why = "the manifest defines it, and it was left out of the catalog: a tool needs a root with https, " +
				"method, path and description (AGT019, AGT033)"
		}
		if i := slices.IndexFunc(a.Found, func(d *record.Diagnostic) bool {
			return strings.HasPrefix(d.Subject, namespace+"/")
		}); i >= 0 {
			why = "it may be in " + a.Found[i].Loc.Path + ", which is left out for its errors: " +
				a.Found[i].Code + " " + a.Found[i].Message
		}
		a.add("AGT007 " + id + ": " + why)
	}
	for _, name := range a.agent.Own {
		if tool, ok := strings.CutPrefix(name, catalog.TypeTool+" "); ok {
			a.add("AGT019 " + tool + ": is not the definition of a tool")
		}
	}
	switch {
	case a.lines != nil:
		return "", errors.New(words.Count(len(a.lines), "tool") + " cannot be found")
	case a.missing != nil:
		return "", a.missing
	}
	return fmt.Sprintf("%s of the catalog, %d of its own", words.Count(len(a.agent.Members[0])-own, "tool"), own), nil
}

// loadSchemas makes all that can be called ready, and the handlers of it.
func (a *activation) loadSchemas() (string, error) {
	files := map[catalog.File]bool{}
	for _, id := range a.tools.Of(record.TypeTool) {
		t, err := a.tools.Target(id)
		if err != nil {
			return "", err
		}
		files[t.Record().File()] = true
	}
	for _, id := range a.tools.Of(record.TypeResource) {
		queries, err := a.tools.Queries(id)
		if err != nil {
			return "", err
		}
		files[queries[0].Record().File()] = true
	}
	for _, f := range a.tools.HandlerFiles() {
		if _, err := a.tools.ListHandlers(a.ctx, a.Caller.Sandbox, f); err != nil {
			a.add(f.Schema + ": " + err.Error())
		}
	}
	if a.lines != nil {
		return "", errors.New("handlers of " + words.Count(len(a.lines), "schema") + " cannot be made")
	}
	return fmt.Sprintf("%s, %d with handlers", words.Count(len(files), "file"), len(a.tools.HandlerFiles())), nil
}

// scan looks for what chapter 05 forbids in the sources that would run; all else
// is data.
func (a *activation) scan() (string, error) {
	files := a.tools.HandlerFiles()
	for _, f := range files {
		h, err := a.tools.Handlers(f)
		if err != nil {
			return "", err
		}
		for _, found := range forbidden.Scan(module.Tokenize(h.Source), forbidden.Options{}) {
			if d := rules.Forbidden(found, f.Schema, h.Src.Path); d.Severity == record.SeverityError {
				a.add(d.Code + " " + d.Loc.Path + ": " + d.Message)
			}
		}
	}
	if a.lines != nil {
		return "", errors.New("code that chapter 05 forbids")
	}
	return words.Count(len(files), "source") + " with code, nothing forbidden", nil
}

// resolveLists looks for the lists that the manifest names.
func (a *activation) resolveLists() (string, error) {
	if len(a.agent.SharedLists) == 0 {
		return "the agent names no lists", errNothing
	}
	have := a.tools.Of(record.TypeList)
	for _, name := range a.agent.SharedLists {
		id := catalog.ID{Namespace: catalog.SharedNamespace, Type: string(record.TypeList), Name: name}.String()
		if !slices.Contains(have, id) {
			a.add("AGT032 " + name + ": the catalog has no such list" +
				words.DidYouMean(id, a.Catalog.Of(record.TypeList)))
		}
	}
	if a.lines != nil {
		return "", errors.New(words.Count(len(a.lines), "list") + " cannot be found")
	}
	return words.List(a.agent.SharedLists), nil
}

// verifyHash compares the hash of the manifest with that of the tools. Nothing is
// written (decision "Hash of an agent").
func (a *activation) verifyHash() (string, error) {
	switch g := a.agent; {
	case g.ToolsHash == "":
		return "the agent refers to no tools, or the catalog was made before they were hashed", errNothing
	case g.Hash == "":
		return "no hash stored; that of the tools is " + g.ToolsHash, nil
	case g.Hash != g.ToolsHash:
		a.add("expected " + g.Hash + " got " + g.ToolsHash)
		a.add("review what changed: fmcp-resolve agent verify " + g.Name)
		return "HASH MISMATCH", errWarn
	default:
		return "all hashes valid", nil
	}
}

// loadResources opens the data of resources. A file of the network is fetched when
// it is first asked for.
func (a *activation) loadResources() (string, error) {
	ids := a.tools.Of(record.TypeResource)
	if len(ids) == 0 {
		return "the agent has no resources", errNothing
	}
	for _, id := range ids {
		queries, err := a.tools.Queries(id)
		if err == nil && queries[0].Resource.Source != model.HTTP {
			err = a.open(id, queries)
		}
		if err != nil {
			a.add(id + ": " + err.Error())
		}
	}
	if a.lines != nil {
		return "", errors.New(words.Count(len(a.lines), "resource") + " cannot be opened")
	}
	return words.List(ids), nil
}

func (a *activation) open(id string, queries []*exec.Query) error {
	for _, q := range queries {
		if q.Capability != "" {
			_, err := a.Caller.Resources.Can(q.Spec, q.Name)
			return err
		}
	}
	t, err := a.tools.AtAddress(id)
	if err != nil {
		return err
	}
	if e := a.Caller.Call(a.ctx, t, ordjson.NewObject(), exec.Options{}); !e.Status {
		return errors.New(strings.Join(e.Messages, "; "))
	}
	return nil
}
