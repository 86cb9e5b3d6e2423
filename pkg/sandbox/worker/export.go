package worker

import (
	"errors"

	"github.com/flowmcp/fmcp/pkg/sandbox"
	"github.com/flowmcp/fmcp/pkg/words"
)

// export evaluates an export in a worker.
func export(m sandbox.Request) sandbox.Reply {
	s, err := newScript(m.Source)
	if err == nil {
		local, ok := s.locals[m.Name]
		if !ok {
			return sandbox.Reply{Error: &sandbox.HandlerError{Code: sandbox.CodeThrew, Msg: "module has no export " +
				words.Quote(m.Name)}}
		}
		var json string
		if json, err = s.run(m.Name, local); err == nil {
			return sandbox.Reply{Output: []byte(json)}
		}
	}
	failure := &sandbox.HandlerError{Code: sandbox.CodeThrew, Msg: err.Error()}
	var at *sandbox.Error
	if errors.As(err, &at) {
		failure.Msg, failure.Line, failure.Col = at.Msg, at.Line, at.Col
	}
	return sandbox.Reply{Error: failure}
}
