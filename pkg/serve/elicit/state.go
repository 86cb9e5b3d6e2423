package elicit

import (
	"errors"
	"time"

	"github.com/flowmcp/fmcp/pkg/ordjson"
	"github.com/flowmcp/fmcp/pkg/serve/seal"
)

// lifetime is how long a user may take for a form.
const lifetime = time.Hour

// State is what a client carries from one try of a request to the next, since the
// server remembers nothing in between.
type State struct {
	Round int           // forms that were shown
	Given ordjson.Value // what was written into them, an object
}

// Of is the request that a state belongs to. It is no use to another user or for
// another request.
type Of struct {
	Who, Method string
	Params      ordjson.Value // without what belongs to the try
}

// Seal is a state as the client gets it.
func (st State) Seal(k *seal.Key, of Of) string {
	text := ordjson.Append(nil, ordjson.NewObject(ordjson.Field("round", ordjson.NewInt(st.Round)),
		ordjson.Field("until", ordjson.NewInt(int(time.Now().Add(lifetime).Unix()))), ordjson.Field("given", st.Given)))
	return k.Seal(text, of.scope())
}

// Open reads what Seal has made for the same request.
func Open(k *seal.Key, sealed string, of Of) (State, error) {
	text, ok := k.Open(sealed, of.scope())
	if !ok {
		return State{}, errors.New("it is not what this server gave for this request")
	}
	v, _ := ordjson.Parse(string(text)) // of Seal
	if time.Now().Unix() > int64(v.Get("until").Float()) {
		return State{}, errors.New("it has expired")
	}
	return State{Round: int(v.Get("round").Float()), Given: v.Get("given")}, nil
}

// scope is what a state is signed with.
func (o Of) scope() []byte {
	return ordjson.AppendCanonical(nil, ordjson.NewArray(ordjson.NewString("form"), ordjson.NewString(o.Who),
		ordjson.NewString(o.Method), o.Params))
}
