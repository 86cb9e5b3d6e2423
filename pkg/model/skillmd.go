package model

import (
	"cmp"
	"strings"

	"github.com/flowmcp/fmcp/pkg/ordjson"
	"github.com/flowmcp/fmcp/pkg/yaml"
)

// SkillMD reads a SKILL.md as an object: frontmatter is what its YAML says,
// null if there is none, and body is the text after it. Positions are byte
// offsets in text. Errors are *words.SyntaxError.
func SkillMD(text string) (ordjson.Value, error) {
	front, body, err := yaml.Frontmatter(text)
	if err != nil {
		return ordjson.Value{}, err
	}
	if !front.Exists() {
		front = ordjson.NewNull().At(0)
	}
	return ordjson.NewObject(
		ordjson.Member{Key: "frontmatter", Value: front, KeyPos: 0},
		ordjson.Member{Key: "body", Value: ordjson.NewString(text[body:]).At(body), KeyPos: int32(body)},
	).At(0), nil
}

// SkillExtension is the field of a frontmatter that says how the skill is indexed.
const SkillExtension = "x-personal-mcp"

// MIMEMarkdown is the type of documents.
const MIMEMarkdown = "text/markdown"

// SkillURI is where a SKILL.md itself is published.
func SkillURI(id string) string { return "resource://skills/" + id + "/document" }

// ReferenceURI is where a document is published that a SKILL.md refers to
// (decision "Addresses of Agent Skills").
func ReferenceURI(id, ref string) string { return "resource://skills/" + id + "/references/" + ref }

// Bundle is what a SKILL.md says, as SkillMD reads it. Readers strip the blanks
// around its texts.
type Bundle struct{ *Node }

// NewBundle is a Bundle of a load record's data.
func NewBundle(v ordjson.Value) Bundle { return Bundle{Root(v)} }

// Front is the frontmatter; Extension is its x-personal-mcp.
func (b Bundle) Front() *Node     { return b.At("frontmatter") }
func (b Bundle) Extension() *Node { return b.Front().At(SkillExtension) }

// Name is that of the skill.
func (b Bundle) Name() string { return strings.TrimSpace(b.Front().Get("name").Str()) }

// BundleReference is a document that a SKILL.md refers to.
type BundleReference struct{ ID, Path, Title, MIMEType string }

// References are the documents, in the order in which they are written.
func (b Bundle) References() []BundleReference {
	var list []BundleReference
	for _, n := range b.Extension().At("references").Fields() {
		text := func(key string) string { return strings.TrimSpace(n.Get(key).Str()) }
		list = append(list, BundleReference{n.Key(), text("path"), text("title"),
			cmp.Or(text("mime_type"), MIMEMarkdown)})
	}
	return list
}
