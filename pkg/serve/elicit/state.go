package elicit

import (
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"errors"
	"strings"
	"time"

	"github.com/flowmcp/fmcp/pkg/ordjson"
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

// Sealer signs states, with a key of its own that ends with it.
type Sealer struct{ key [32]byte }

// NewSealer returns a sealer with a new key.
func NewSealer() *Sealer {
	s := &Sealer{}
	rand.Read(s.key[:]) // never fails
	return s
}

// Seal is a state as the client gets it.
func (s *Sealer) Seal(st State, of Of) string {
	text := ordjson.Append(nil, ordjson.NewObject(ordjson.Field("round", ordjson.NewInt(st.Round)),
		ordjson.Field("until", ordjson.NewInt(int(time.Now().Add(lifetime).Unix()))), ordjson.Field("given", st.Given)))
	head := base64.RawURLEncoding.EncodeToString(text)
	return head + "." + base64.RawURLEncoding.EncodeToString(s.sign(head, of))
}

// Open reads what Seal has made for the same request.
func (s *Sealer) Open(sealed string, of Of) (State, error) {
	head, tail, _ := strings.Cut(sealed, ".")
	mac, err := base64.RawURLEncoding.DecodeString(tail)
	if err != nil || !hmac.Equal(mac, s.sign(head, of)) {
		return State{}, errors.New("it is not what this server gave for this request")
	}
	text, _ := base64.RawURLEncoding.DecodeString(head) // of Seal, as is the rest
	v, _ := ordjson.Parse(string(text))
	if time.Now().Unix() > int64(v.Get("until").Float()) {
		return State{}, errors.New("it has expired")
	}
	return State{Round: int(v.Get("round").Float()), Given: v.Get("given")}, nil
}

func (s *Sealer) sign(head string, of Of) []byte {
	h := hmac.New(sha256.New, s.key[:])
	h.Write(ordjson.AppendCanonical(nil, ordjson.NewArray(ordjson.NewString(head), ordjson.NewString(of.Who),
		ordjson.NewString(of.Method), of.Params)))
	return h.Sum(nil)
}
