package fix

import (
	"fmt"
	"path/filepath"

	"github.com/flowmcp/fmcp/pkg/migrate"
	"github.com/flowmcp/fmcp/pkg/record"
	"github.com/flowmcp/fmcp/pkg/rules"
	"github.com/flowmcp/fmcp/pkg/stage"
	"github.com/flowmcp/fmcp/pkg/walk"
)

// oldAgent is the code of the finding that an agent of version 2 has no agent.mjs.
const oldAgent = "LOD052"

// newAgent is the agent.mjs of an agent of version 2. All of it needs a look.
func newAgent(d *record.Diagnostic) *File {
	f := &File{Src: record.Source{Root: filepath.Dir(d.Loc.Path), Path: "agent.mjs"}, New: true}
	text, err := walk.ReadFile(d.Loc.Path, stage.MaxFile)
	if err == nil {
		f.After, err = migrate.Agent(string(text))
	}
	if err != nil {
		d.Loc.Line, d.Loc.Col = 1, 1
		f.Dropped = []Dropped{{d, fmt.Errorf("the manifest %w", err)}}
		return f
	}
	f.After = "// " + rules.Mark(d.Code, d.Message) + "\n" + f.After
	f.Fixed = []*record.Diagnostic{d}
	return f
}
