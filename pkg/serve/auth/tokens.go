package auth

import (
	"bytes"
	"crypto/sha256"
	"crypto/subtle"
	"fmt"
	"os"
	"strings"
	"sync"

	"github.com/flowmcp/fmcp/pkg/lazy"
)

// tokenFile is the file of --token-file: a line for each token, with the name of
// its holder before it where there is one. It is read again when it has changed, so that a
// token can be replaced or withdrawn while the server runs.
type tokenFile struct {
	path string
	warn func(string)

	mu     sync.Mutex
	seen   os.FileInfo // of the file that tokens are of
	broken string      // why the file was of no use when it was looked at last
	tokens []heldToken
}

type heldToken struct {
	name string
	hash [sha256.Size]byte
}

// tokenForm is the form that a header can carry (RFC 6750, section 2.1).
var tokenForm = lazy.Regexp(`^[A-Za-z0-9._~+/-]+=*$`)

// leastToken is the number of characters that a token has at least: a shorter
// one can be guessed.
const leastToken = 16

// find says whose token it is. All are compared, and of hashes, so that the time
// it takes says nothing about them.
func (f *tokenFile) find(token string) (name string, ok bool) {
	hash := sha256.Sum256([]byte(token))
	for _, t := range f.current() {
		if subtle.ConstantTimeCompare(t.hash[:], hash[:]) == 1 {
			name, ok = t.name, true
		}
	}
	return name, ok
}

// current are the tokens of the file as it is now. There are none while it
// cannot be read: whoever removes the file wants nobody to come in (decision
// "Callers over HTTP").
func (f *tokenFile) current() []heldToken {
	f.mu.Lock()
	defer f.mu.Unlock()
	info, err := os.Stat(f.path)
	if err == nil && f.seen != nil && os.SameFile(info, f.seen) && info.Size() == f.seen.Size() &&
		info.ModTime().Equal(f.seen.ModTime()) {
		return f.tokens
	}
	if err = f.read(); err == nil {
		f.broken = ""
	} else if f.broken != err.Error() {
		f.broken = err.Error()
		f.warn(f.broken + "; the tokens of the file are not accepted until it can be read")
	}
	return f.tokens
}

// read reads the file. The errors never show a token.
func (f *tokenFile) read() error {
	f.seen, f.tokens = nil, nil
	info, err := os.Stat(f.path)
	if err != nil {
		return fmt.Errorf("--token-file: %w", err)
	}
	text, err := os.ReadFile(f.path)
	if err != nil {
		return fmt.Errorf("--token-file: %w", err)
	}
	var tokens []heldToken
	num := 0
	for line := range bytes.Lines(bytes.TrimPrefix(text, []byte("\ufeff"))) {
		num++
		fields := strings.Fields(string(line))
		if len(fields) == 0 || strings.HasPrefix(fields[0], "#") {
			continue
		}
		wrong := ""
		token := fields[len(fields)-1]
		switch {
		case len(fields) > 2:
			wrong = fmt.Sprintf("has %d words, expected TOKEN or NAME TOKEN", len(fields))
		case !tokenForm().MatchString(token):
			wrong = "has a token with characters that no header carries, expected A-Z a-z 0-9 - . _ ~ + / and = at " +
				"the end"
		case len(token) < leastToken:
			wrong = fmt.Sprintf("has a token of %d characters, expected %d or more, such as openssl rand -hex 32 "+
				"prints", len(token), leastToken)
		}
		if wrong != "" {
			return fmt.Errorf("--token-file %s:%d %s (the line is not shown)", f.path, num, wrong)
		}
		name := "token"
		if len(fields) == 2 {
			name = fields[0]
		}
		tokens = append(tokens, heldToken{name, sha256.Sum256([]byte(token))})
	}
	if tokens == nil {
		return fmt.Errorf("--token-file %s has no token, expected one a line, such as openssl rand -hex 32 prints",
			f.path)
	}
	f.seen, f.tokens = info, tokens
	return nil
}
