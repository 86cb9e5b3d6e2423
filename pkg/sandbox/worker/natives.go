package worker

import (
	"bytes"
	"compress/flate"
	"crypto/md5"
	"crypto/sha1"
	"crypto/sha256"
	"crypto/sha512"
	"encoding/json"
	"hash"
	"io"
	"strconv"
	"strings"
	"time"
	_ "time/tzdata" // a worker may run where there are no time zones

	"github.com/dop251/goja"

	"github.com/flowmcp/fmcp/pkg/sandbox"
)

// maxInflated bounds what inflateRawSync makes, in bytes.
const maxInflated = 32 << 20

// natives are the parts of the host objects that hosts.js does not do itself.
func (r *runtime) natives() *goja.Object {
	o := r.vm.NewObject()
	for name, fn := range map[string]func(goja.FunctionCall) goja.Value{
		"encode": r.encode, "decode": r.decode, "formEncode": r.formEncode, "formDecode": r.formDecode,
		"hash": r.hash, "inflate": r.inflate, "parseURL": r.parseURL, "escape": r.escape,
		"dateParts": r.dateParts, "mayFetch": r.mayFetch, "fetch": r.fetch, "guard": r.guard, "logs": r.logging,
		"log": r.log,
	} {
		_ = o.Set(name, fn)
	}
	return o
}

// guard makes a proxy of a frozen object that tells us who tries to change it:
// the error that goja throws on its own is like any other TypeError.
func (r *runtime) guard(call goja.FunctionCall) goja.Value {
	refuse := func(name string) bool {
		r.refuse(sandbox.CodeFrozen, "sharedLists are frozen, and "+brief(name)+
			" would be changed: copy what is to be changed, as in [ ...sharedLists.evmChains ]")
		return false
	}
	return r.vm.ToValue(r.vm.NewProxy(call.Argument(0).ToObject(r.vm), &goja.ProxyTrapConfig{
		Set:            func(_ *goja.Object, name string, _, _ goja.Value) bool { return refuse(name) },
		SetSym:         func(_ *goja.Object, s *goja.Symbol, _, _ goja.Value) bool { return refuse(s.String()) },
		DefineProperty: func(_ *goja.Object, name string, _ goja.PropertyDescriptor) bool { return refuse(name) },
		DefinePropertySym: func(_ *goja.Object, s *goja.Symbol, _ goja.PropertyDescriptor) bool {
			return refuse(s.String())
		},
		DeleteProperty:    func(_ *goja.Object, name string) bool { return refuse(name) },
		DeletePropertySym: func(_ *goja.Object, s *goja.Symbol) bool { return refuse(s.String()) },
		SetPrototypeOf:    func(_, _ *goja.Object) bool { return refuse("the prototype") },
	}))
}

var hashes = map[string]func() hash.Hash{
	"md5": md5.New, "sha1": sha1.New, "sha224": sha256.New224, "sha256": sha256.New, "sha384": sha512.New384,
	"sha512": sha512.New, "sha512256": sha512.New512_256,
}

// hash is (algorithm); it returns { update(buffer), digest() }, or null where
// there is no such algorithm.
func (r *runtime) hash(call goja.FunctionCall) goja.Value {
	name := call.Argument(0).String()
	kind := hashes[strings.NewReplacer("-", "", "/", "").Replace(strings.ToLower(name))]
	if kind == nil {
		return goja.Null()
	}
	h := kind()
	o := r.vm.NewObject()
	_ = o.Set("update", func(call goja.FunctionCall) goja.Value {
		h.Write(r.bytes(call.Argument(0)))
		return goja.Undefined()
	})
	_ = o.Set("digest", func(goja.FunctionCall) goja.Value { return r.vm.ToValue(r.vm.NewArrayBuffer(h.Sum(nil))) })
	return o
}

func (r *runtime) inflate(call goja.FunctionCall) goja.Value {
	b, err := io.ReadAll(io.LimitReader(flate.NewReader(bytes.NewReader(r.bytes(call.Argument(0)))), maxInflated+1))
	if err != nil || len(b) > maxInflated {
		panic(r.vm.NewTypeError("inflateRawSync: the data is damaged, or expands to more than 32 MiB"))
	}
	return r.vm.ToValue(r.vm.NewArrayBuffer(b))
}

// dateParts is (milliseconds, time zone): the fields of a date, and what the
// zone is called then; null where there is no such zone.
func (r *runtime) dateParts(call goja.FunctionCall) goja.Value {
	zone, err := time.LoadLocation(zoneName(call.Argument(1).String()))
	if err != nil {
		return goja.Null()
	}
	t := time.UnixMilli(call.Argument(0).ToInteger()).In(zone)
	name, offset := t.Zone()
	return r.vm.ToValue([]any{t.Year(), int(t.Month()), t.Day(), t.Hour(), t.Minute(), t.Second(), int(t.Weekday()),
		t.Nanosecond() / int(time.Millisecond), name, offset / 60})
}

// zoneName keeps a name that means something else to Go, or leads out of the
// folder of zones, from being one.
func zoneName(name string) string {
	switch {
	case strings.EqualFold(name, "UTC") || strings.EqualFold(name, "GMT"):
		return "UTC"
	case name == "" || strings.EqualFold(name, "Local") || strings.Contains(name, "."):
		return "no zone"
	}
	return name
}

// maxLogged is how many bytes of text are passed on in one call.
const maxLogged = 64 << 10

// mayLog begins a call that may log, if somebody wants to see it.
func (r *runtime) mayLog(m sandbox.Request) {
	if r.logs = 0; m.Logs {
		r.logs = maxLogged
	}
}

// logging says whether what is logged goes anywhere.
func (r *runtime) logging(goja.FunctionCall) goja.Value { return r.vm.ToValue(r.logs > 0) }

// log is (level, text).
func (r *runtime) log(call goja.FunctionCall) goja.Value {
	text := call.Argument(1).String()
	if r.logs -= len(text) + 1; r.logs <= 0 {
		text = "more than " + strconv.Itoa(maxLogged) + " bytes were logged in one call: the rest is not shown"
	}
	r.worker.send(sandbox.Reply{Log: &sandbox.Logged{Level: call.Argument(0).String(), Text: text}})
	return goja.Undefined()
}

// mayFetch throws where fetch is not available.
func (r *runtime) mayFetch(goja.FunctionCall) goja.Value {
	if r.stage == sandbox.Coding {
		panic(r.vm.NewTypeError("fetch is not available: await call(id, params) calls a tool"))
	}
	if r.stage != sandbox.ExecuteRequest {
		r.refuse(sandbox.CodeFetch, "fetch is available in executeRequest only (decision 'Fetch in handlers')")
	}
	return goja.Undefined()
}

// fetch is (JSON of a sandbox.FetchRequest, body or undefined); it returns a promise of
// a sandbox.FetchAnswer.
func (r *runtime) fetch(call goja.FunctionCall) goja.Value {
	var req sandbox.FetchRequest
	if err := json.Unmarshal([]byte(call.Argument(0).String()), &req); err != nil {
		panic(r.vm.NewTypeError("fetch: expected a URL and { method, headers, body } with text in all of them"))
	}
	if body := call.Argument(1); !goja.IsUndefined(body) {
		req.HasBody, req.Body = true, r.bytes(body)
	}
	promise, resolve, reject := r.vm.NewPromise()
	stack := r.vm.CaptureCallStack(0, nil)
	r.last++
	r.fetches[r.last] = func(m sandbox.Request) {
		a := m.Answer
		if a.Error != "" {
			// An error made now has no stack: this one tells where fetch was called.
			e := r.ownError(a.Code, a.Error)
			_ = e.DefineDataProperty("stack", r.vm.ToValue(stackText(e.String(), stack)), goja.FLAG_TRUE,
				goja.FLAG_TRUE, goja.FLAG_FALSE)
			_ = reject(e)
			return
		}
		_ = resolve(map[string]any{
			"status": a.Status, "statusText": a.StatusText, "headers": a.Headers, "cookies": a.Cookies,
			"url": a.URL, "redirected": a.Redirected, "body": r.vm.NewArrayBuffer(a.Body),
		})
	}
	r.worker.send(sandbox.Reply{Fetch: r.last, Request: &req})
	return r.vm.ToValue(promise)
}

// stackText is the stack of an error as goja writes it.
func stackText(message string, stack []goja.StackFrame) string {
	var b bytes.Buffer
	b.WriteString(message)
	for _, f := range stack {
		b.WriteString("\n\tat ")
		f.Write(&b)
	}
	return b.String()
}
