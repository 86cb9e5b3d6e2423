package main

import (
	"context"
	"time"

	"github.com/flowmcp/fmcp/pkg/catalog"
	"github.com/flowmcp/fmcp/pkg/exec"
	"github.com/flowmcp/fmcp/pkg/exec/describe"
	"github.com/flowmcp/fmcp/pkg/ordjson"
	"github.com/flowmcp/fmcp/pkg/record"
	"github.com/flowmcp/fmcp/pkg/text"
	"github.com/flowmcp/fmcp/pkg/words"
)

// isText reports whether an ID is that of a prompt or a skill.
func isText(tools *exec.Catalog, id string) bool {
	typ := tools.Type(id)
	return typ == record.TypePrompt || typ == record.TypeSkill
}

// find is FindWords, and for a prompt or a skill the inputs alone.
func (c *callsCommand) find(tools *exec.Catalog) (exec.Target, ordjson.Value, error) {
	if isText(tools, c.ID) {
		inputs, err := exec.Texts(c.Words)
		return nil, inputs, err
	}
	return tools.FindWords(c.ID, c.Words)
}

// deliver is the text of a prompt or a skill.
func (c *callsCommand) deliver(ctx context.Context, tools *exec.Catalog, caller *exec.Caller,
	req *record.Request) *record.Envelope {
	start := time.Now()
	rec, err := tools.Record(req.ID)
	if err != nil {
		return exec.Failure(req.ID, req.Tag, &words.Problem{Code: exec.CodeBadRecord, Message: err.Error()})
	}
	o := text.Options{
		Run: func(ctx context.Context, id string, params ordjson.Value) *record.Envelope {
			return caller.CallID(ctx, tools, id, params, exec.Options{})
		},
		Call: func(id string) string {
			d, err := describe.Of(tools, id, []string{info.Name, "-c", c.Catalog})
			if err != nil {
				return id
			}
			return d.Call
		},
	}
	if c.DryRun {
		o.Run = nil
	}
	e := text.Deliver(ctx, tools.Index, rec.(catalog.Delivered), req.Params, o).Envelope()
	e.Tag, e.Duration = req.Tag, time.Since(start)
	return e
}
