package openapi

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	high "github.com/pb33f/libopenapi/datamodel/high/v3"

	"github.com/flowmcp/fmcp/pkg/catalog"
	"github.com/flowmcp/fmcp/pkg/domain"
	"github.com/flowmcp/fmcp/pkg/model"
	"github.com/flowmcp/fmcp/pkg/record"
	"github.com/flowmcp/fmcp/pkg/rules/engine"
	"github.com/flowmcp/fmcp/pkg/scaffold"
	"github.com/flowmcp/fmcp/pkg/words"
)

// Options say what is imported, and as what.
type Options struct {
	Operations []string // tags, operationIds, or "GET /path"; none is all
	Namespace  string   // "" is made of the domain of the API
	Root       string   // in the place of the servers of the document
}

// Result is what an import makes.
type Result struct {
	Files      []*scaffold.File
	Findings   []*record.Diagnostic
	Operations int // that were chosen
	Tools      int
}

// importer makes schemas of a document.
type importer struct {
	Options
	doc      *Document
	findings []*record.Diagnostic
	schemes  map[string]*high.SecurityScheme
	envs     map[string]string // of the schemes
	names    map[string]bool   // of tools
	told     map[string]bool   // findings that are about the document
}

// Import makes schemas of at most 8 tools: by tag, and by the keys that calls need, since
// a schema whose keys are not all there offers none of its tools.
func (d *Document) Import(opts Options) (*Result, error) {
	i := &importer{Options: opts, doc: d, names: map[string]bool{}, told: map[string]bool{}}
	chosen, err := d.chosen(opts.Operations)
	if err != nil {
		return nil, err
	}
	if len(chosen) > maxOperations {
		return nil, &UsageError{fmt.Sprintf("%s are too many for one import: choose up to %d with --operation",
			words.Count(len(chosen), "operation"), maxOperations)}
	}
	if err := i.name(chosen); err != nil {
		return nil, err
	}
	i.nameKeys()
	if hooks := d.model.Webhooks; hooks != nil && hooks.Len() > 0 {
		i.once("/webhooks", words.Count(hooks.Len(), "webhook")+" left out: tools receive no requests", "")
	}
	r := &Result{Operations: len(chosen)}
	var groups []*group
	for _, o := range chosen {
		t := &tool{operation: o, imp: i}
		if t.convert() {
			r.Tools++
			groups = add(groups, t)
		}
	}
	slices.SortStableFunc(i.findings, func(a, b *record.Diagnostic) int { return cmp.Compare(a.Loc.Line, b.Loc.Line) })
	r.Findings = i.findings
	taken := map[string]int{}
	for _, g := range groups {
		for part := range slices.Chunk(g.tools, (len(g.tools)-1)/((len(g.tools)+model.MaxTools-1)/model.MaxTools)+1) {
			r.Files = append(r.Files, i.file(g, part, taken))
		}
	}
	return r, nil
}

// maxOperations is how many operations are imported at a time: what has more tools is no
// catalog that anybody uses.
const maxOperations = 5_000

// name sets the namespace, where the user has not.
func (i *importer) name(chosen []*operation) error {
	if i.Namespace == "" {
		for _, o := range chosen {
			t := &tool{operation: o, imp: &importer{Options: i.Options, doc: i.doc, told: map[string]bool{}}}
			if t.findRoot() {
				label, _, _ := strings.Cut(domain.OfRoot(t.root), ".")
				i.Namespace = engine.ToNamespace(label)
				break
			}
		}
	}
	switch {
	case i.Namespace == "" && i.Root == "":
		return &UsageError{"no operation has a server that can be called: give --root https://…"}
	case !catalog.IsNamespace(i.Namespace):
		return &UsageError{words.Quote(i.Namespace) + " is not a valid namespace: give --namespace with lower case " +
			"letters, digits and hyphens, such as weather-service"}
	}
	return nil
}

// group is what goes into the same schemas.
type group struct {
	tag, root string
	keys      []string
	tools     []*tool
}

func add(groups []*group, t *tool) []*group {
	slices.Sort(t.keys)
	at := slices.IndexFunc(groups, func(g *group) bool {
		return strings.EqualFold(g.tag, t.tag()) && g.root == t.root && slices.Equal(g.keys, t.keys)
	})
	if at < 0 {
		at = len(groups)
		groups = append(groups, &group{tag: t.tag(), root: t.root, keys: t.keys})
	}
	groups[at].tools = append(groups[at].tools, t)
	return groups
}

// file makes a schema of some tools of a group.
func (i *importer) file(g *group, tools []*tool, taken map[string]int) *scaffold.File {
	name := cmp.Or(engine.ToPascal(g.tag), "Tools")
	base := engine.ToKebab(name)
	if taken[base]++; taken[base] > 1 {
		name = fmt.Sprint(name, taken[base])
		base = fmt.Sprint(base, "-", taken[base])
	}
	m := &scaffold.Module{Namespace: i.Namespace, Name: name, Root: g.root, Keys: g.keys, Description: i.about(g),
		Tags: slices.Compact([]string{i.Namespace, cmp.Or(engine.ToNamespace(g.tag), i.Namespace)})}
	if docs := i.doc.model.ExternalDocs; docs != nil && docs.URL != "" {
		m.Docs = []string{docs.URL}
	}
	open := 0
	for _, t := range tools {
		m.Tools = append(m.Tools, t.Tool)
		open += min(1, len(t.open))
	}
	f := &scaffold.File{ID: i.Namespace + "/" + base, Path: "providers/" + i.Namespace + "/" + base + ".mjs",
		Text: m.Text() + handlers(tools), Keys: g.keys, Notes: i.keyNotes(g.keys)}
	if open > 0 {
		f.Notes = append(f.Notes, fmt.Sprintf("tests of %s with %s need values of yours: the document has none",
			words.Count(open, "tool"), scaffold.ReplaceMe))
	}
	return f
}

// about describes a schema.
func (i *importer) about(g *group) string {
	for _, tag := range i.doc.model.Tags {
		if tag != nil && tag.Name == g.tag && scaffold.Plain(tag.Description) != "" {
			text := scaffold.Plain(tag.Description)
			if at := strings.Index(text, ". "); at > 0 {
				text = text[:at+1]
			}
			return words.Clip(text, maxParameter)
		}
	}
	title := i.Namespace
	if info := i.doc.model.Info; info != nil && scaffold.Plain(info.Title) != "" {
		title = scaffold.Plain(info.Title)
	}
	return scaffold.Plain(g.tag) + " of " + title
}
