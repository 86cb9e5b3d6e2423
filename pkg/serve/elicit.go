package serve

import (
	"encoding/json"
	"errors"
	"fmt"

	"github.com/mark3labs/mcp-go/mcp"

	"github.com/flowmcp/fmcp/pkg/ordjson"
	"github.com/flowmcp/fmcp/pkg/record"
	"github.com/flowmcp/fmcp/pkg/serve/auth"
	"github.com/flowmcp/fmcp/pkg/serve/elicit"
	"github.com/flowmcp/fmcp/pkg/words"
)

// inputs are the arguments of a call or a prompt, with what the user was asked for.
type inputs struct {
	given   ordjson.Value
	written ordjson.Value // of given: what the user has written into forms, an object
	said    string        // why something may be missing still
	line    []byte        // the answer that has the client ask; the request ends with it
}

func (in *inputs) add(written ordjson.Value) {
	in.given, in.written = elicit.With(in.given, written), elicit.With(in.written, written)
}

// tell adds to an envelope why nothing more is given.
func (in *inputs) tell(name string, env *record.Envelope) {
	if in.said != "" && env != nil {
		env.Messages = append(env.Messages, CodeNotGiven+" "+name+": "+in.said)
	}
}

// inputs asks the user for what the schema requires and is not given, where the
// agent and the client have it so (decision "Asking for inputs").
func (r *Request) inputs(name string, schema func() ordjson.Value, given ordjson.Value) (in inputs, err *Error) {
	in = inputs{given: given, written: ordjson.NewObject()}
	policy := r.surface.asking
	switch {
	case policy == nil:
	case mcp.IsModernProtocol(r.revision):
		if showsForms(r.Params.Get("_meta").Get(mcp.MetaKeyClientCapabilities)) {
			err = r.askByAnswer(name, policy, schema(), &in)
		}
	case r.conn != nil && r.session.showsForms():
		r.askByRequest(name, policy, schema(), &in)
	}
	r.asks, r.written = in.line != nil, in.written
	return in, err
}

// showsForms says whether a client with these capabilities shows forms.
func showsForms(capabilities ordjson.Value) bool {
	c := capabilities.Get("elicitation")
	return c.Is(ordjson.Object) && (c.Len() == 0 || c.Get("form").Exists())
}

func (c *Session) showsForms() bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.hello.Forms
}

// askByRequest sends requests to the client while its own waits, as revisions up to
// 2025-11-25 have it. Meanwhile others have the slot.
func (r *Request) askByRequest(name string, policy *elicit.Policy, schema ordjson.Value, in *inputs) {
	for range policy.MaxRounds {
		form, ok := policy.Form(name, schema, in.given)
		if !ok {
			return
		}
		r.turn.leave()
		answer, err := r.Ask(r.ctx, mcp.MethodElicitationCreate, elicitation(form))
		r.turn = r.server.slots.line()
		r.turn.wait(r.ctx)
		var written ordjson.Value
		if err == nil {
			written, in.said, err = taken(form, schema, answer)
		}
		if err != nil {
			in.said = err.Error()
		}
		if in.said != "" {
			return
		}
		in.add(written)
	}
	in.outOf(name, policy, schema)
}

// askByAnswer answers with a form for the client to show, and reads what is written
// into it from the next try of the request, as revision 2026-07-28 has it.
func (r *Request) askByAnswer(name string, policy *elicit.Policy, schema ordjson.Value, in *inputs) *Error {
	round, err := r.resume(in)
	if err != nil {
		return err
	}
	form, lacking := policy.Form(name, schema, in.given)
	answer := r.Params.Get("inputResponses").Get(form.Key)
	if lacking && round > 0 && answer.Exists() {
		written, said, err := taken(form, schema, answer)
		switch {
		case err != nil:
			return failure(mcp.INVALID_PARAMS, CodeBadParams, "params.inputResponses.%s: %v", form.Key, err)
		case said != "":
			in.said = said
			return nil
		}
		in.add(written)
		if form, lacking = policy.Form(name, schema, in.given); lacking && round == policy.MaxRounds {
			in.outOf(name, policy, schema)
			return nil
		}
		round++
	}
	if !lacking {
		return nil
	}
	state := elicit.State{Round: max(round, 1), Given: in.written}
	result := mcp.NewInputRequiredResult(mcp.InputRequests{
		form.Key: mcp.NewElicitationInputRequest(elicitation(form))}, state.Seal(r.server.key, r.stateOf()))
	result.EnsureResultMeta().SetServerInfo(r.surface.info())
	in.line = appendAnswer(nil, r.ID, result)
	return nil
}

// resume adds what was written into forms before, and returns how many there were, as
// the state of the request has it.
func (r *Request) resume(in *inputs) (round int, err *Error) {
	if responses := r.Params.Get("inputResponses"); responses.Exists() && !responses.Is(ordjson.Object) {
		return 0, failure(mcp.INVALID_PARAMS, CodeBadParams,
			"expected params.inputResponses to be an object, found %s", responses.Kind())
	}
	sealed := r.Params.Get("requestState")
	if !sealed.Exists() {
		return 0, nil
	}
	state, bad := elicit.Open(r.server.key, sealed.Str(), r.stateOf())
	if bad != nil {
		return 0, failure(mcp.INVALID_PARAMS, CodeBadParams,
			"params.requestState cannot be used: %v; send the request again without it", bad)
	}
	in.add(state.Given)
	return state.Round, nil
}

// stateOf is what a state of this request belongs to.
func (r *Request) stateOf() elicit.Of {
	return elicit.Of{Who: auth.From(r.ctx).Name, Method: string(r.Method),
		Params: r.Params.Without("_meta").Without("inputResponses").Without("requestState")}
}

// taken is what the user has written into a form, or, in words, that they have not.
func taken(form elicit.Form, schema, answer ordjson.Value) (written ordjson.Value, said string, err error) {
	content := answer.Get("content")
	switch action := answer.Get("action"); mcp.ElicitationResponseAction(action.Str()) {
	case mcp.ElicitationResponseActionAccept:
		if content.Exists() && !content.Is(ordjson.Object) {
			return written, "", fmt.Errorf("expected content to be an object, found %s", content.Kind())
		}
		return form.Written(schema, content), "", nil
	case mcp.ElicitationResponseActionDecline:
		return written, "the user declined to give " + words.List(form.Keys()), nil
	case mcp.ElicitationResponseActionCancel:
		return written, "the user cancelled when asked for " + words.List(form.Keys()), nil
	default:
		return written, "", errors.New("expected action to be accept, decline or cancel, found " +
			ordjson.Shown(action))
	}
}

// outOf notes that the user is not asked again for what is missing still.
func (in *inputs) outOf(name string, policy *elicit.Policy, schema ordjson.Value) {
	if _, lacking := policy.Form(name, schema, in.given); lacking {
		in.said = "the user was asked " + words.Count(policy.MaxRounds, "time") + ", as often as the agent allows"
	}
}

// elicitation is a form of the protocol.
func elicitation(f elicit.Form) mcp.ElicitationParams {
	return mcp.ElicitationParams{Message: f.Message, RequestedSchema: json.RawMessage(ordjson.Append(nil, f.Schema))}
}
