package rules

import (
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/flowmcp/fmcp/pkg/model"
	"github.com/flowmcp/fmcp/pkg/ordjson"
	"github.com/flowmcp/fmcp/pkg/record"
	"github.com/flowmcp/fmcp/pkg/walk"
)

// The checks of skillMDRules (skm.go) that look at one frontmatter.

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
func (p *Pass) frontmatter() *model.Node {
	if n := p.root.At("frontmatter"); n.Is(ordjson.Object) {
		return n
	}
	return nil
}

// extension is x-personal-mcp where it is a mapping, else nil: SKM008 has
// spoken about it.
func (p *Pass) extension() *model.Node {
	front := p.frontmatter()
	if front == nil || !front.Get(extensionField).Is(ordjson.Object) {
		return nil
	}
	return front.At(extensionField)
}

// trimmed is a string without the blanks around it, which readers strip.
func trimmed(v ordjson.Value) string { return strings.TrimSpace(v.Str()) }

func checkFrontmatter(p *Pass) {
	switch v := p.root.Get("frontmatter"); v.Kind() {
	case ordjson.Object:
	case ordjson.Null:
		p.reportFile("found no frontmatter, expected YAML between two lines --- at the start of the file", "start the file with ---, name, description and x-personal-mcp, and ---")
	default:
		p.reportFile(found(v)+" as frontmatter, expected a mapping", "write name: …, description: … and x-personal-mcp: … between the two lines ---")
	}
}

func checkSkillMDName(p *Pass) {
	front := p.frontmatter()
	if front == nil || isSkillName(trimmed(front.Get("name"))) {
		return
	}
	proposal := walk.Folder(p.load.Src)
	if !isSkillName(proposal) {
		proposal = "harbor-report"
	}
	p.expect(front, "name", frontmatterFields, "1 to 64 lower-case letters, digits and hyphens, a letter first", "write name: "+proposal)
}

func checkReservedName(p *Pass) {
	front := p.frontmatter()
	if front == nil {
		return
	}
	for _, word := range []string{"anthropic", "claude"} {
		if name := front.Get("name").Str(); strings.Contains(strings.ToLower(name), word) {
			p.report(front.At("name"), "found "+quote(name)+", which contains the reserved word "+word, "name the skill and its folder after what it does")
		}
	}
}

func checkSkillMDDescription(p *Pass) {
	front := p.frontmatter()
	if front == nil {
		return
	}
	if n := utf8.RuneCountInString(trimmed(front.Get("description"))); n > maxDescription {
		p.report(front.At("description"), "found "+strconv.Itoa(n)+" characters, expected at most "+strconv.Itoa(maxDescription), "move the details below the frontmatter, or to when_to_use")
		return
	}
	p.expectText(front, "description", frontmatterFields, "say what the skill does and when to use it")
}

func checkDescriptionTags(p *Pass) {
	front := p.frontmatter()
	if front == nil {
		return
	}
	if tag := xmlTag(front.Get("description").Str()); tag != "" {
		p.report(front.At("description"), "found the XML tag "+quote(tag)+", expected plain text", "write it as a word")
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
		if end := strings.IndexAny(rest, "<>"); end > 0 && rest[end] == '>' && (isAlnum(rest[0]) || strings.IndexByte("/!?_", rest[0]) >= 0) {
			return "<" + rest[:end+1]
		}
		text = rest
	}
}

func checkSkillMDFolder(p *Pass) {
	front := p.frontmatter()
	if front == nil {
		return
	}
	name, folder := trimmed(front.Get("name")), walk.Folder(p.load.Src)
	if !isSkillName(name) || name == folder {
		return // SKM002 speaks about what is no name
	}
	fix := "rename the folder to " + name
	if isSkillName(folder) {
		fix += ", or write name: " + folder
	}
	p.report(front.At("name"), "found "+quote(name)+", expected "+quote(folder)+", the name of the skill's folder", fix)
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

func checkOptionalFields(p *Pass) {
	front := p.frontmatter()
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
		p.report(at, found(at.Value)+", expected "+what, fix)
	}
}

func checkExtension(p *Pass) {
	if front := p.frontmatter(); front != nil && p.extension() == nil {
		p.expect(front, extensionField, frontmatterFields, "a mapping with id, version and capabilities", "write "+extensionField+": with id, version and capabilities below it, indented")
	}
}

func checkSkillMDID(p *Pass) {
	ext := p.extension()
	if ext == nil {
		return
	}
	id, name := trimmed(ext.Get("id")), trimmed(p.frontmatter().Get("name"))
	switch {
	case !isKebab(id):
		fix := "write id: harbor-report"
		if isSkillName(name) {
			fix = "write id: " + name
		}
		p.expect(ext, "id", extensionFields, "lower-case letters, digits and hyphens, a letter first", fix)
	case isSkillName(name) && id != name:
		p.report(ext.At("id"), "found "+quote(id)+", expected "+quote(name)+", the name of the skill", "write id: "+name)
	}
}

func checkSkillMDVersion(p *Pass) {
	if ext := p.extension(); ext != nil && !isSemverTagged(trimmed(ext.Get("version"))) {
		fix := "write version: 1.0.0"
		if ext.Get("version").Is(ordjson.Number) {
			fix = "write all three numbers: version: 1.0.0"
		}
		p.expect(ext, "version", extensionFields, "a semantic version such as 1.0.0", fix)
	}
}

// isSemverTagged matches a semantic version, with a pre-release or build too.
func isSemverTagged(s string) bool {
	core, tail := s, "x"
	if i := strings.IndexAny(s, "-+"); i >= 0 {
		core, tail = s[:i], s[i+1:]
	}
	tagged := func(c byte) bool { return isAlnum(c) || c == '.' || c == '-' || c == '+' }
	if !isSemver(core) || !each(tail, tagged, tagged) {
		return false
	}
	for n := range strings.SplitSeq(core, ".") {
		if len(n) > 1 && n[0] == '0' {
			return false
		}
	}
	return true
}

func checkSkillMDTags(p *Pass) {
	ext := p.extension()
	if ext == nil || !p.stringList(ext, "tags", "write tags: [tides, harbor-report]") {
		return
	}
	for _, n := range ext.At("tags").Items() {
		if tag := trimmed(n.Value); !isKebab(tag) {
			// The model of the specification takes any string.
			p.reportAs(record.SeverityWarning, n, "found "+quote(tag)+", expected lower-case letters, digits and hyphens, a letter first", kebabFix(tag))
		}
	}
}

// kebabFix proposes a name in kebab-case.
func kebabFix(s string) string {
	if name := toNamespace(s); name != "" {
		return "write " + name
	}
	return "write it in kebab-case"
}

// stringList reports whether a field that need not be there is a list of
// strings, and where it is something else, says so.
func (p *Pass) stringList(n *model.Node, field, fix string) bool {
	if v := n.Get(field); v.Exists() {
		before := len(p.findings)
		p.arrayOfStrings(n.At(field), fix)
		return len(p.findings) == before
	}
	if misspelt(n.Value, field, extensionFields) != "" {
		p.expect(n, field, extensionFields, "a list", fix)
	}
	return false
}
