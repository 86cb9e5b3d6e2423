package main

import (
	"github.com/flowmcp/fmcp/pkg/cli"
	"github.com/flowmcp/fmcp/pkg/serve/fit"
	"github.com/flowmcp/fmcp/pkg/serve/listing"
)

// answerFlags say how calls are answered (docs/serve.md, "Tools and answers").
type answerFlags struct {
	MaxResult     resultSize `group:"Server" default:"40KiB" placeholder:"SIZE" help:"Longest answer to a call, 1KiB to 1MiB. In a longer one, lists and texts are cut, and a message says so (default: 40KiB, which is less than 25,000 tokens)."`
	OutputSchemas bool       `group:"Server" help:"Also list the output schemas of tools that declare an output. These tools then answer with structured content only, which not every client shows to its model."`
}

func (f *answerFlags) style() listing.Style {
	return listing.Style{OutputSchemas: f.OutputSchemas, MaxResult: int(f.MaxResult)}
}

// resultSize is the value of --max-result. No client shows its model more than
// half of the largest.
type resultSize cli.Size

const maxResult = 1 << 20

// UnmarshalText implements encoding.TextUnmarshaler.
func (s *resultSize) UnmarshalText(text []byte) error {
	if err := (*cli.Size)(s).UnmarshalText(text); err != nil {
		return err
	}
	if *s < fit.MinLimit || *s > maxResult {
		return cli.Usagef("expected a size from 1KiB to 1MiB, found %s", text)
	}
	return nil
}
