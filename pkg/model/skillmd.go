package model

import (
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
