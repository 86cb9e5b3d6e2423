package sandbox

import (
	"bytes"
	"compress/flate"
	"crypto/md5"
	"crypto/sha1"
	"crypto/sha256"
	"crypto/sha512"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"hash"
	"io"
	"net/url"
	"strings"
	"time"

	"github.com/dop251/goja"
)

// fetchRefused is in the message of a fetch that no handler may make.
const fetchRefused = "fetch is available in executeRequest only"

// maxInflated bounds what inflateRawSync makes, in bytes.
const maxInflated = 32 << 20

// natives are the parts of the host objects that hosts.js does not do itself.
func (r *runtime) natives() *goja.Object {
	o := r.vm.NewObject()
	for name, fn := range map[string]func(goja.FunctionCall) goja.Value{
		"encode": r.encode, "decode": r.decode, "hash": r.hash, "inflate": r.inflate,
		"parseURL": r.parseURL, "dateParts": r.dateParts, "fetch": r.fetch,
	} {
		_ = o.Set(name, fn)
	}
	return o
}

func (r *runtime) bytes(v goja.Value) []byte {
	b, ok := v.Export().(goja.ArrayBuffer)
	if !ok {
		panic(r.vm.NewTypeError("expected bytes"))
	}
	return b.Bytes()
}

// encode makes bytes of a text: (text, encoding).
func (r *runtime) encode(call goja.FunctionCall) goja.Value {
	text := call.Argument(0).String()
	var b []byte
	switch call.Argument(1).String() {
	case "base64", "base64url":
		b = looseBase64(text)
	case "hex":
		even := text[:len(text)&^1]
		b, _ = hex.DecodeString(even) // up to the first wrong digit, as Node does
	case "latin1", "binary", "ascii":
		for _, c := range text {
			b = append(b, byte(c))
		}
	default:
		b = []byte(text)
	}
	return r.vm.ToValue(r.vm.NewArrayBuffer(b))
}

// looseBase64 reads both alphabets, with or without padding, and passes over
// everything else.
func looseBase64(text string) []byte {
	clean := strings.Map(func(c rune) rune {
		switch {
		case c == '-':
			return '+'
		case c == '_':
			return '/'
		case c == '+' || c == '/' || c >= '0' && c <= '9' || c >= 'A' && c <= 'Z' || c >= 'a' && c <= 'z':
			return c
		}
		return -1
	}, text)
	if len(clean)%4 == 1 {
		clean = clean[:len(clean)-1]
	}
	b, _ := base64.RawStdEncoding.DecodeString(clean)
	return b
}

// decode makes a text of bytes: (buffer, encoding).
func (r *runtime) decode(call goja.FunctionCall) goja.Value {
	b := r.bytes(call.Argument(0))
	switch call.Argument(1).String() {
	case "base64":
		return r.vm.ToValue(base64.StdEncoding.EncodeToString(b))
	case "base64url":
		return r.vm.ToValue(base64.RawURLEncoding.EncodeToString(b))
	case "hex":
		return r.vm.ToValue(hex.EncodeToString(b))
	case "latin1", "binary", "ascii":
		runes := make([]rune, len(b))
		for i, c := range b {
			runes[i] = rune(c)
		}
		return r.vm.ToValue(string(runes))
	}
	return r.vm.ToValue(strings.ToValidUTF8(string(b), "\uFFFD"))
}

// hash is (algorithm, buffer).
func (r *runtime) hash(call goja.FunctionCall) goja.Value {
	kinds := map[string]func() hash.Hash{"md5": md5.New, "sha1": sha1.New, "sha224": sha256.New224, "sha256": sha256.New, "sha384": sha512.New384, "sha512": sha512.New}
	name := call.Argument(0).String()
	kind := kinds[strings.ToLower(strings.ReplaceAll(name, "-", ""))]
	if kind == nil {
		panic(r.vm.NewTypeError("createHash: there is no algorithm " + brief(name)))
	}
	h := kind()
	h.Write(r.bytes(call.Argument(1)))
	return r.vm.ToValue(r.vm.NewArrayBuffer(h.Sum(nil)))
}

func (r *runtime) inflate(call goja.FunctionCall) goja.Value {
	b, err := io.ReadAll(io.LimitReader(flate.NewReader(bytes.NewReader(r.bytes(call.Argument(0)))), maxInflated+1))
	if err != nil || len(b) > maxInflated {
		panic(r.vm.NewTypeError("inflateRawSync: the data is damaged, or expands to more than 32 MiB"))
	}
	return r.vm.ToValue(r.vm.NewArrayBuffer(b))
}

// parseURL is (text, base or undefined); it returns the parts, or null.
func (r *runtime) parseURL(call goja.FunctionCall) goja.Value {
	u, err := url.Parse(strings.TrimSpace(call.Argument(0).String()))
	if err == nil && !goja.IsUndefined(call.Argument(1)) {
		var base *url.URL
		if base, err = url.Parse(call.Argument(1).String()); err == nil {
			u = base.ResolveReference(u)
		}
	}
	if err != nil || u.Scheme == "" {
		return goja.Null()
	}
	path := u.EscapedPath()
	if path == "" && u.Host != "" {
		path = "/"
	}
	port := u.Port()
	if u.Scheme == "https" && port == "443" || u.Scheme == "http" && port == "80" {
		port = ""
	}
	password, _ := u.User.Password()
	parts := map[string]any{
		"protocol": u.Scheme + ":", "username": u.User.Username(), "password": password,
		"hostname": strings.ToLower(u.Hostname()), "port": port, "pathname": path + u.Opaque, "search": u.RawQuery, "hash": u.EscapedFragment(),
	}
	return r.vm.ToValue(parts)
}

// dateParts is (milliseconds, time zone or ""): the fields of a date.
func (r *runtime) dateParts(call goja.FunctionCall) goja.Value {
	zone := time.Local
	if name := call.Argument(1).String(); name != "" {
		var err error
		if zone, err = time.LoadLocation(name); err != nil {
			return goja.Null()
		}
	}
	t := time.UnixMilli(call.Argument(0).ToInteger()).In(zone)
	return r.vm.ToValue([]int{t.Year(), int(t.Month()), t.Day(), t.Hour(), t.Minute(), t.Second(), int(t.Weekday())})
}

// fetch is (JSON of a FetchRequest); it returns a promise of a FetchAnswer.
func (r *runtime) fetch(call goja.FunctionCall) goja.Value {
	if r.stage != ExecuteRequest {
		panic(r.vm.NewTypeError(fetchRefused))
	}
	var req FetchRequest
	if err := json.Unmarshal([]byte(call.Argument(0).String()), &req); err != nil {
		panic(r.vm.NewTypeError("fetch: expected a URL and { method, headers, body } with text in all of them"))
	}
	promise, resolve, reject := r.vm.NewPromise()
	r.last++
	r.fetches[r.last] = func(a FetchAnswer) {
		if a.Error != "" {
			_ = reject(r.vm.NewTypeError(a.Error))
			return
		}
		_ = resolve(map[string]any{
			"status": a.Status, "headers": a.Headers, "url": a.URL, "body": r.vm.NewArrayBuffer(a.Body),
		})
	}
	r.worker.send(reply{Fetch: r.last, Request: &req})
	return r.vm.ToValue(promise)
}
