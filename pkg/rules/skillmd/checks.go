package skillmd

import (
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/flowmcp/fmcp/pkg/model"
	"github.com/flowmcp/fmcp/pkg/ordjson"
	"github.com/flowmcp/fmcp/pkg/record"
	"github.com/flowmcp/fmcp/pkg/rules/engine"
	"github.com/flowmcp/fmcp/pkg/walk"
)

// The checks that look at one frontmatter.

// The fields of a frontmatter and of x-personal-mcp. Others are allowed: the
// lists are for finding misspelt ones.
var (
	frontmatterFields = []string{
		"name", "description", extensionField, "when_to_use", "allowed-tools", "disallowed-tools", "disable-model-invocation", "user-invocable",
		"argument-hint", "arguments", "license", "compatibility", "metadata", "model", "effort", "context", "agent", "hooks", "paths", "shell",
	}
	extensionFields = []string{"id", "version", "tags", "capabilities", "depends_on", "references"}
	referenceFields = []string{"path", "mime_type", "title"}
)

const extensionField = "x-personal-mcp"

// frontmatter is the frontmatter where it is a mapping, else nil: SKM001 has
// spoken about it.
func frontmatter(p *engine.Pass) *model.Node {
	if n := p.Root.At("frontmatter"); n.Is(ordjson.Object) {
		return n
	}
	return nil
}

// extension is x-personal-mcp where it is a mapping, else nil: SKM008 has
// spoken about it.
func extension(p *engine.Pass) *model.Node {
	front := frontmatter(p)
	if front == nil || !front.Get(extensionField).Is(ordjson.Object) {
		return nil
	}
	return front.At(extensionField)
}

func checkFrontmatter(p *engine.Pass) {
	switch v := p.Root.Get("frontmatter"); v.Kind() {
	case ordjson.Object:
	case ordjson.Null:
		p.ReportFile("found no frontmatter, expected YAML between two lines --- at the start of the file", "start the file with ---, name, description and x-personal-mcp, and ---")
	default:
		p.ReportFile(engine.Found(v)+" as frontmatter, expected a mapping", "write name: …, description: … and x-personal-mcp: … between the two lines ---")
	}
}

func checkSkillMDName(p *engine.Pass) {
	front := frontmatter(p)
	if front == nil || engine.IsSkillName(engine.Trimmed(front.Get("name"))) {
		return
	}
	proposal := walk.Folder(p.Load.Src)
	if !engine.IsSkillName(proposal) {
		proposal = "harbor-report"
	}
	p.Expect(front, "name", frontmatterFields, "1 to 64 lower-case letters, digits and hyphens, a letter first", "write name: "+proposal)
}

func checkReservedName(p *engine.Pass) {
	front := frontmatter(p)
	if front == nil {
		return
	}
	for _, word := range []string{"anthropic", "claude"} {
		if name := front.Get("name").Str(); strings.Contains(strings.ToLower(name), word) {
			p.Report(front.At("name"), "found "+engine.Quote(name)+", which contains the reserved word "+word, "name the skill and its folder after what it does")
		}
	}
}

func checkSkillMDDescription(p *engine.Pass) {
	front := frontmatter(p)
	if front == nil {
		return
	}
	if n := utf8.RuneCountInString(engine.Trimmed(front.Get("description"))); n > engine.MaxDescription {
		p.Report(front.At("description"), "found "+strconv.Itoa(n)+" characters, expected at most "+strconv.Itoa(engine.MaxDescription), "move the details below the frontmatter, or to when_to_use")
		return
	}
	p.ExpectText(front, "description", frontmatterFields, "say what the skill does and when to use it")
}

func checkDescriptionTags(p *engine.Pass) {
	front := frontmatter(p)
	if front == nil {
		return
	}
	if tag := xmlTag(front.Get("description").Str()); tag != "" {
		p.Report(front.At("description"), "found the XML tag "+engine.Quote(tag)+", expected plain text", "write it as a word")
	}
}

// xmlTag is the first XML tag of a text, "" where there is none. A comparison,
// as in a < b, is no tag.
func xmlTag(text string) string {
	for {
		_, rest, ok := strings.Cut(text, "<")
		if !ok || rest == "" {
			return ""
		}
		if end := strings.IndexAny(rest, "<>"); end > 0 && rest[end] == '>' && (engine.IsAlnum(rest[0]) || strings.IndexByte("/!?_", rest[0]) >= 0) {
			return "<" + rest[:end+1]
		}
		text = rest
	}
}

func checkSkillMDFolder(p *engine.Pass) {
	front := frontmatter(p)
	if front == nil {
		return
	}
	name, folder := engine.Trimmed(front.Get("name")), walk.Folder(p.Load.Src)
	if !engine.IsSkillName(name) || name == folder {
		return // SKM002 speaks about what is no name
	}
	fix := "rename the folder to " + name
	if engine.IsSkillName(folder) {
		fix += ", or write name: " + folder
	}
	p.Report(front.At("name"), "found "+engine.Quote(name)+", expected "+engine.Quote(folder)+", the name of the skill's folder", fix)
}

// optionalFields are the fields of Agent Skills that need not be there, and
// what they are.
var optionalFields = []struct {
	name, what string
	is         func(ordjson.Value) bool
}{
	{"when_to_use", "a string", isString},
	{"allowed-tools", "a string or a list of strings", isStrings},
	{"disallowed-tools", "a string or a list of strings", isStrings},
	{"disable-model-invocation", "true or false", isSwitch},
	{"user-invocable", "true or false", isSwitch},
	{"argument-hint", "a string", isString},
	{"arguments", "a string or a list of strings", isStrings},
	{"license", "a string", isString},
	{"compatibility", "a string", isString},
	{"metadata", "a mapping to strings", isStringMap},
}

func isString(v ordjson.Value) bool { return v.Is(ordjson.String) }

func isStrings(v ordjson.Value) bool {
	return isString(v) || v.Is(ordjson.Array) && !slices.ContainsFunc(v.Elems(), func(e ordjson.Value) bool { return !isString(e) })
}

// isSwitch reports whether v is a boolean, to readers of YAML 1.1 too.
func isSwitch(v ordjson.Value) bool {
	return v.Is(ordjson.Bool) || slices.Contains([]string{"yes", "no", "on", "off"}, strings.ToLower(v.Str()))
}

func isStringMap(v ordjson.Value) bool {
	return v.Is(ordjson.Object) && !slices.ContainsFunc(v.Members(), func(m ordjson.Member) bool { return !isString(m.Value) })
}

func checkOptionalFields(p *engine.Pass) {
	front := frontmatter(p)
	if front == nil {
		return
	}
	for _, f := range optionalFields {
		v := front.Get(f.name)
		if !v.Exists() || v.Is(ordjson.Null) || f.is(v) {
			continue
		}
		at, what, fix := front.At(f.name), f.what, "write "+f.what
		for _, n := range slices.Concat(at.Items(), at.Fields()) {
			if (f.name == "metadata") == v.Is(ordjson.Object) && !isString(n.Value) {
				// Of a list or mapping it is the entry that is wrong.
				at, what, fix = n, "a string", "put it in quotes"
				break
			}
		}
		p.Report(at, engine.Found(at.Value)+", expected "+what, fix)
	}
}

func checkExtension(p *engine.Pass) {
	if front := frontmatter(p); front != nil && extension(p) == nil {
		p.Expect(front, extensionField, frontmatterFields, "a mapping with id, version and capabilities", "write "+extensionField+": with id, version and capabilities below it, indented")
	}
}

func checkSkillMDID(p *engine.Pass) {
	ext := extension(p)
	if ext == nil {
		return
	}
	id, name := engine.Trimmed(ext.Get("id")), engine.Trimmed(frontmatter(p).Get("name"))
	switch {
	case !engine.IsKebab(id):
		fix := "write id: harbor-report"
		if engine.IsSkillName(name) {
			fix = "write id: " + name
		}
		p.Expect(ext, "id", extensionFields, "lower-case letters, digits and hyphens, a letter first", fix)
	case engine.IsSkillName(name) && id != name:
		p.Report(ext.At("id"), "found "+engine.Quote(id)+", expected "+engine.Quote(name)+", the name of the skill", "write id: "+name)
	}
}

func checkSkillMDVersion(p *engine.Pass) {
	if ext := extension(p); ext != nil && !isSemverTagged(engine.Trimmed(ext.Get("version"))) {
		fix := "write version: 1.0.0"
		if ext.Get("version").Is(ordjson.Number) {
			fix = "write all three numbers: version: 1.0.0"
		}
		p.Expect(ext, "version", extensionFields, "a semantic version such as 1.0.0", fix)
	}
}

// isSemverTagged matches a semantic version, with a pre-release or build too.
func isSemverTagged(s string) bool {
	core, tail := s, "x"
	if i := strings.IndexAny(s, "-+"); i >= 0 {
		core, tail = s[:i], s[i+1:]
	}
	tagged := func(c byte) bool { return engine.IsAlnum(c) || c == '.' || c == '-' || c == '+' }
	if !engine.IsSemver(core) || !engine.Each(tail, tagged, tagged) {
		return false
	}
	for n := range strings.SplitSeq(core, ".") {
		if len(n) > 1 && n[0] == '0' {
			return false
		}
	}
	return true
}

func checkSkillMDTags(p *engine.Pass) {
	ext := extension(p)
	if ext == nil || !stringList(p, ext, "tags", "write tags: [tides, harbor-report]") {
		return
	}
	for _, n := range ext.At("tags").Items() {
		if tag := engine.Trimmed(n.Value); !engine.IsKebab(tag) {
			// The model of the specification takes any string.
			p.ReportAs(record.SeverityWarning, n, "found "+engine.Quote(tag)+", expected lower-case letters, digits and hyphens, a letter first", kebabFix(tag))
		}
	}
}

// kebabFix proposes a name in kebab-case.
func kebabFix(s string) string {
	if name := engine.ToNamespace(s); name != "" {
		return "write " + name
	}
	return "write it in kebab-case"
}

// stringList reports whether a field that need not be there is a list of
// strings, and where it is something else, says so.
func stringList(p *engine.Pass, n *model.Node, field, fix string) bool {
	if v := n.Get(field); v.Exists() {
		before := len(p.Findings)
		p.ArrayOfStrings(n.At(field), fix)
		return len(p.Findings) == before
	}
	if engine.Misspelt(n.Value, field, extensionFields) != "" {
		p.Expect(n, field, extensionFields, "a list", fix)
	}
	return false
}
