// Package seal signs what a server gives to a client to be sent back, since the
// server itself remembers nothing, or since it is another one of several servers that
// gets the next request.
package seal

import (
	"bytes"
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"fmt"
	"os"
	"strings"
)

// Key signs. Servers that share a secret have the same.
type Key [sha256.Size]byte

// leastSecret is the number of bytes that a secret has at least: a shorter one can be
// guessed by who has seen something that it signed.
const leastSecret = 32

// New returns a key that ends with the process.
func New() *Key {
	k := &Key{}
	rand.Read(k[:]) // never fails
	return k
}

// Read returns the key of the secret in a file.
func Read(path string) (*Key, error) {
	secret, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	if secret = bytes.TrimSpace(secret); len(secret) < leastSecret {
		return nil, fmt.Errorf("%s has a secret of %d bytes, expected %d or more; openssl rand -hex 32 makes one",
			path, len(secret), leastSecret)
	}
	k := Key(sha256.Sum256(secret))
	return &k, nil
}

// Seal is text as a client gets it: printable, readable, and of no use with another
// scope.
func (k *Key) Seal(text, scope []byte) string {
	head := base64.RawURLEncoding.EncodeToString(text)
	return head + "." + base64.RawURLEncoding.EncodeToString(k.sign(head, scope))
}

// Open returns the text that Seal was given with the same scope.
func (k *Key) Open(sealed string, scope []byte) (text []byte, ok bool) {
	head, tail, _ := strings.Cut(sealed, ".")
	mac, err := base64.RawURLEncoding.DecodeString(tail)
	if err != nil || !hmac.Equal(mac, k.sign(head, scope)) {
		return nil, false
	}
	text, _ = base64.RawURLEncoding.DecodeString(head) // of Seal
	return text, true
}

func (k *Key) sign(head string, scope []byte) []byte {
	h := hmac.New(sha256.New, k[:])
	h.Write([]byte(head + ".")) // which no head has
	h.Write(scope)
	return h.Sum(nil)
}
