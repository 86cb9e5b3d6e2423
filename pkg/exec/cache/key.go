package cache

import (
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/flowmcp/fmcp/pkg/exec/percent"
	"github.com/flowmcp/fmcp/pkg/ordjson"
	"github.com/flowmcp/fmcp/pkg/record"
)

// Key is what decides about an answer.
type Key struct {
	ID      string // Spec-ID of the tool
	Name    string // of the tool
	Type    string // what its answers are read as
	Request *record.HTTPRequest
	Params  ordjson.Value // of the user, an object: a handler may use them in other ways than the request does
	Server  []string      // names and values of server parameters: who has another API key gets other answers
	TTL     time.Duration // at most MaxTTL
	Note    string        // for the envelope
}

// place says where an answer is kept, and to which request it belongs.
type place struct {
	path      string // {namespace}/{tool}.json or {namespace}/{tool}/{paramHash}.json in the folder
	name      string // {namespace}/{tool}/{hash}, where answers are shared
	paramHash string // "" where the path has none
	hash      string // of the key
}

// placeOf finds the place of a key. The hash is keyed by a secret of the folder, or of who
// shares answers: neither a server parameter nor a parameter can be found by trying values against
// the name of a file.
func (c *Cache) placeOf(secret []byte, k Key) place {
	mac := hmac.New(sha256.New, secret)
	add := func(parts ...string) {
		mac.Write(binary.AppendUvarint(nil, uint64(len(parts))))
		for _, p := range parts {
			mac.Write(binary.AppendUvarint(nil, uint64(len(p))))
			mac.Write([]byte(p))
		}
	}
	add("v1", k.ID, k.Type, k.Request.Method, k.Request.URL, ordjson.Text(k.Request.Body))
	var headers []string
	for _, h := range k.Request.Headers {
		headers = append(headers, h.Name, h.Value)
	}
	add(headers...)
	add(string(ordjson.AppendCanonical(nil, k.Params)))
	add(k.Server...)

	at := place{hash: hex.EncodeToString(mac.Sum(nil))}
	namespace, _, _ := strings.Cut(k.ID, "/")
	at.name = percent.FileName(namespace) + "/" + percent.FileName(k.Name) + "/" + at.hash
	base := filepath.Join(c.dir, percent.FileName(namespace), percent.FileName(k.Name))
	if k.Params.Len() == 0 && k.Server == nil {
		at.path = base + entrySuffix
		return at
	}
	at.paramHash = at.hash[:32]
	at.path = filepath.Join(base, at.paramHash+entrySuffix)
	return at
}

const entrySuffix = ".json"

const (
	secretName = ".fmcp-cache-key"
	secretSize = 32
)

// folderSecret returns the secret of the cache's folder, which the first
// process that needs it makes.
func (c *Cache) folderSecret() ([]byte, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.secret != nil {
		return c.secret, nil
	}
	if c.dir == "" {
		return nil, errors.New("there is no home folder to keep it in")
	}
	path := filepath.Join(c.dir, secretName)
	secret, err := readSecret(path)
	if errors.Is(err, fs.ErrNotExist) {
		if err = c.makeSecret(path); err == nil {
			secret, err = readSecret(path) // perhaps that of another process
		}
	}
	if err != nil {
		return nil, err
	}
	c.secret = secret
	return secret, nil
}

func newSecret() []byte {
	secret := make([]byte, secretSize)
	rand.Read(secret) // never fails
	return secret
}

func readSecret(path string) ([]byte, error) {
	info, err := os.Lstat(path)
	if err != nil {
		return nil, err
	}
	if !info.Mode().IsRegular() || info.Size() != secretSize {
		// It is not replaced: in a folder that is not a cache it may be
		// anything.
		return nil, fmt.Errorf("%s is not the key of a cache, which has %d bytes: remove it", path, secretSize)
	}
	return os.ReadFile(path)
}

// makeSecret makes the file whole, and only if there is none: of processes that
// start together all go on with that of the first.
func (c *Cache) makeSecret(path string) error {
	temp := path + "." + rand.Text()[:8] + ".tmp"
	if err := c.write(temp, newSecret()); err != nil {
		return err
	}
	defer func() { _ = os.Remove(temp) }()
	err := os.Link(temp, path)
	if err == nil || errors.Is(err, fs.ErrExist) {
		return nil
	}
	return os.Rename(temp, path) // a file system without links
}
