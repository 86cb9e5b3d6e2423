package exec

import (
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/flowmcp/fmcp/pkg/exec/percent"
	"github.com/flowmcp/fmcp/pkg/exec/secret"
	"github.com/flowmcp/fmcp/pkg/ordjson"
)

// cacheKey says where an answer is kept, and to which request it belongs.
type cacheKey struct {
	path      string // {namespace}/{tool}.json or {namespace}/{tool}/{paramHash}.json in the folder
	paramHash string // "" where the path has none
	hash      string // of all that decides about the answer
}

// keyOf makes the key of a call. The hash covers the request as it is shown,
// the user's parameters, which a handler may use otherwise, and the server
// parameters, so that people with different API keys do not get each other's
// answers. It is keyed by a secret of the folder: nobody can find a server
// parameter, or a parameter, by trying values against the name of a file.
func (c *Cache) keyOf(secret []byte, t *Tool, in Input, req *Request, env *secret.Env) cacheKey {
	mac := hmac.New(sha256.New, secret)
	add := func(parts ...string) {
		mac.Write(binary.AppendUvarint(nil, uint64(len(parts))))
		for _, p := range parts {
			mac.Write(binary.AppendUvarint(nil, uint64(len(p))))
			mac.Write([]byte(p))
		}
	}
	request := req.Redacted()
	add("v1", t.ID, t.MimeType, request.Method, request.URL, ordjson.Text(request.Body))
	var headers, server []string
	for _, h := range request.Headers {
		headers = append(headers, h.Name, h.Value)
	}
	add(headers...)
	var params []ordjson.Member
	for _, key := range slices.Sorted(maps.Keys(in.values)) {
		params = append(params, ordjson.Field(key, in.values[key]))
	}
	add(string(ordjson.AppendCanonical(nil, ordjson.NewObject(params...))))
	for _, key := range req.ServerKeys() {
		v, _ := env.Lookup(key)
		server = append(server, key, v)
	}
	add(server...)

	k := cacheKey{hash: hex.EncodeToString(mac.Sum(nil))}
	namespace, _, _ := strings.Cut(t.ID, "/")
	base := filepath.Join(c.dir, FileName(namespace), FileName(t.Name))
	if params == nil && server == nil {
		k.path = base + entrySuffix
		return k
	}
	k.paramHash = k.hash[:32]
	k.path = filepath.Join(base, k.paramHash+entrySuffix)
	return k
}

const entrySuffix = ".json"

// maxName is how long a name of the catalog may be as the name of a file.
const maxName = 100

// FileName makes the name of a file of a name of the catalog, which may hold
// anything: slashes, dots, and whatever a file system gives a meaning.
func FileName(s string) string {
	var b strings.Builder
	for i := 0; i < len(s); i++ {
		if c := s[i]; percent.Unreserved(c) && c != '.' && c != '~' {
			b.WriteByte(c)
		} else {
			fmt.Fprintf(&b, "%%%02X", c)
		}
	}
	name := b.String()
	switch {
	case name == "":
		return "%"
	case len(name) > maxName:
		sum := sha256.Sum256([]byte(s))
		return name[:maxName-17] + "%" + hex.EncodeToString(sum[:8])
	}
	return name
}

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

func readSecret(path string) ([]byte, error) {
	info, err := os.Lstat(path)
	if err != nil {
		return nil, err
	}
	if !info.Mode().IsRegular() || info.Size() != secretSize {
		// It is not replaced: in a folder that is no cache it may be anything.
		return nil, fmt.Errorf("%s is not the key of a cache, which has %d bytes: remove it", path, secretSize)
	}
	return os.ReadFile(path)
}

// makeSecret makes the file whole, and only if there is none: of processes that
// start together all go on with that of the first.
func (c *Cache) makeSecret(path string) error {
	temp := path + "." + rand.Text()[:8] + ".tmp"
	secret := make([]byte, secretSize)
	rand.Read(secret) // never fails
	if err := c.write(temp, secret); err != nil {
		return err
	}
	defer func() { _ = os.Remove(temp) }()
	err := os.Link(temp, path)
	if err == nil || errors.Is(err, fs.ErrExist) {
		return nil
	}
	return os.Rename(temp, path) // a file system without links
}
