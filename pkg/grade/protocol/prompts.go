// Package protocol is the scoring protocol of chapter 22: the prompts that a
// grader is asked, the scores that it gives, and the report that is made of them.
package protocol

import (
	"strings"

	"github.com/flowmcp/fmcp/pkg/ordjson"
	"github.com/flowmcp/fmcp/pkg/record"
)

// Version is the version of the protocol.
const Version = "v1"

// The dimensions of chapter 22.
const (
	WhenToUse  = "whenToUse"
	Parameters = "parameters"
)

// dimensions are all of them, in the order of the chapter.
var dimensions = []string{WhenToUse, Parameters}

// instructions are the scoringInstructions of the chapter, word for word.
const instructions = "Du bist ein Schema-Bewerter. Bewerte unabhaengig basierend nur auf den unten gelieferten " +
	`Informationen. Antworte als JSON-Array: [ { "dimension": "...", "score": <1.0-5.0>, "reasoning": "..." }, ... ]` +
	". Keine externen Annahmen, keine Kontext-Vermutungen."

// Prompts are what a grader is asked about a schema: a prompts.json.
type Prompts struct {
	SchemaID string // Schema-File-ID
	Path     string // of the file, as it was scanned
	FileHash string
	List     []Prompt
}

// Prompt asks for the score of one dimension.
type Prompt struct {
	Schema    *record.Load // for scorers that measure; a grader sees Text alone
	Dimension string
	Text      string
}

// NewPrompts makes the prompts of a schema. They depend on nothing but its main.
func NewPrompts(load *record.Load) *Prompts {
	tools := "{}"
	if t := load.Data.Get("tools"); t.Exists() && !t.Is(ordjson.Null) {
		tools = ordjson.Text(t)
	}
	texts := map[string]string{
		// Chapter 22's sample leaves out the sentence on the skill, which the reference
		// implementation has (decision "Prompts of the scoring protocol").
		WhenToUse: "Rate the clarity and specificity of the following Schema description on a scale 1.0-5.0. " +
			`No skill whenToUse provided. Schema description: "` + load.Data.Get("description").Str() + `"`,
		Parameters: "Rate how well the parameter descriptions in the following schema enable an LLM to call the " +
			"tools correctly on a scale 1.0-5.0. Schema: " + tools,
	}
	p := &Prompts{SchemaID: load.ID, Path: load.Src.File(), FileHash: load.Src.FileHash}
	for _, d := range dimensions {
		p.List = append(p.List, Prompt{Schema: load, Dimension: d, Text: texts[d]})
	}
	return p
}

// Slug is the Schema-File-ID as a name of files (chapter 22, "Schema ID Slug
// Convention").
func Slug(schemaID string) string { return strings.ReplaceAll(schemaID, "/", "_") }

// JSON is the prompts.json: the fields of chapter 22, and the hash of the file,
// which scores repeat so that they are never taken for those of another version.
func (p *Prompts) JSON() ordjson.Value {
	prompts := make([]ordjson.Value, 0, len(p.List))
	for _, q := range p.List {
		prompts = append(prompts, ordjson.NewObject(text("dimension", q.Dimension), text("prompt", q.Text)))
	}
	return ordjson.NewObject(
		text("schemaId", p.SchemaID), text("schemaIdSlug", Slug(p.SchemaID)), text("schemaPath", p.Path),
		text("scoringProtocol", Version), text("scoringInstructions", instructions),
		ordjson.Field("prompts", ordjson.NewArray(prompts...)), text("schemaHash", p.FileHash))
}

func text(key, s string) ordjson.Member { return ordjson.Field(key, ordjson.NewString(s)) }
