package sandbox

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"
)

// handled calls a stage of tool t of a source.
func handled(t testing.TB, p *Pool, source, stage, input string,
	fetch func(context.Context, FetchRequest) FetchAnswer) (string, *HandlerError) {
	t.Helper()
	out, err := p.Call(t.Context(),
		Script{Key: source, Source: source, Lists: json.RawMessage(`{"areas":[{"alias":"a","code":1}]}`)},
		Call{Name: "t", Stage: stage, Input: json.RawMessage(input), Fetch: fetch})
	var failure *HandlerError
	if err != nil && !errors.As(err, &failure) {
		t.Fatal(err)
	}
	return string(out), failure
}

func newPool(t testing.TB, l Limits) *Pool {
	t.Helper()
	p := NewPool(l)
	t.Cleanup(p.Close)
	return p
}

// post is a schema whose postRequest returns an expression.
func post(expr string) string {
	return "export const handlers = ({ sharedLists, libraries }) => ({ t: { postRequest: async ({ response, struct, " +
		"payload }) => ({ response: " + expr + " }) } })"
}

func TestHostObjects(t *testing.T) {
	p := newPool(t, Limits{Workers: 1})
	tests := []struct{ name, expr, want string }{
		{"response", `response.a + payload.n`, `3`},
		{"shared list", `sharedLists.areas.find((a) => a.alias === 'a').code`, `1`},
		{"shared list is an array", `[Array.isArray(sharedLists.areas), sharedLists.areas.map((a) => a.alias), ` +
			`[...sharedLists.areas].sort().length, { ...sharedLists.areas[0], code: 2 }, ` +
			`Object.isFrozen(sharedLists.areas)]`, `[true,["a"],1,{"alias":"a","code":2},true]`},
		{"shared list copied", `(() => { const copy = structuredClone(sharedLists.areas); copy[0].code = 3; ` +
			`copy.push(1); return [copy, JSON.stringify(sharedLists.areas)] })()`,
			`[[{"alias":"a","code":3},1],"[{\"alias\":\"a\",\"code\":1}]"]`},
		{"half a surrogate pair", `JSON.parse('"\\ud83d"')`, "\"\uFFFD\""},
		{"no Unicode property", `[/\\p\{L\}/u.test('\\p{L}'), /\p{1}/.test('p'), /[\/]\u{70}/u.test('/p')]`,
			`[true,true,true]`},
		{"all globals", `[AbortSignal, Buffer, Intl, TextDecoder, TextEncoder, URL, URLSearchParams, atob, btoa, ` +
			`console, fetch, structuredClone].length`, `12`},
		{"await", `await Promise.resolve(1).then((v) => v + 1)`, `2`},
		{"undefined is null", `undefined`, `null`},
		{"Buffer", `[Buffer.from('aGk=', 'base64').toString(), Buffer.from('hä').toString('hex'), Buffer.from([104, ` +
			`105]).toString('base64'), Buffer.isBuffer(Buffer.from(''))]`, `["hi","68c3a4","aGk=",true]`},
		{"TextEncoder", `[...new TextEncoder().encode('ä')]`, `[195,164]`},
		{"TextDecoder", `new TextDecoder('latin1').decode(new Uint8Array([228]))`, `"ä"`},
		{"atob and btoa", `[atob('aGk='), btoa('hi')]`, `["hi","aGk="]`},
		{"URL", `(() => { const u = new URL('/p?a=1', 'https://Api.com/x'); u.searchParams.set('b', 'c d'); ` +
			`return [u.href, u.hostname, u.pathname] })()`, `["https://api.com/p?a=1&b=c+d","api.com","/p"]`},
		{"URLSearchParams", `new URLSearchParams({ a: 'x&y', b: 2 }).toString()`, `"a=x%26y&b=2"`},
		{"structuredClone", `(() => { const a = { d: [1, { x: 2 }] }; const b = structuredClone(a); b.d[1].x = 3; ` +
			`return [a, b] })()`, `[{"d":[1,{"x":2}]},{"d":[1,{"x":3}]}]`},
		{"Intl", `new Intl.DateTimeFormat('en-US', { timeZone: 'UTC', year: 'numeric', month: 'long', ` +
			`day: 'numeric' }).format(new Date(0))`, `"January 1, 1970"`},
		{"createHash", `libraries.crypto.createHash('sha256').update('abc').digest('hex')`,
			`"ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"`},
		{"inflateRawSync", `libraries.zlib.inflateRawSync(Buffer.from('y0jNyckHAA==', 'base64')).toString()`,
			`"hello"`},
		{"AbortSignal", `AbortSignal.timeout(5).aborted`, `false`},
		{"no state of another runtime", `typeof globalThis.leak`, `"undefined"`},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got, failure := handled(t, p, post(tt.expr), PostRequest,
				`{"response":{"a":1},"struct":{},"payload":{"n":2}}`, nil)
			if failure != nil || got != `{"response":`+tt.want+`}` {
				t.Errorf("%s, %v; want %s", got, failure, tt.want)
			}
		})
	}
}

func TestHandlerErrors(t *testing.T) {
	p := newPool(t, Limits{Workers: 1})
	tests := []struct {
		name, source, stage, code, msg string
		line                           int
	}{
		{"throws", "export const handlers = () => ({ t: {\n postRequest: async () => {\n" +
			"  throw new Error('bad')\n } } })", PostRequest, CodeThrew, "Error: bad", 3},
		{"throws at once", "export const handlers = () => ({ t: {\n postRequest() {\n  null.x\n } } })", PostRequest,
			CodeThrew, "TypeError", 3},
		{"missing global", "\n" + post(`setTimeout(() => 1)`), PostRequest, CodeThrew,
			"setTimeout is not defined; besides the language, handlers have AbortSignal, Buffer, Intl,", 2},
		{"misspelt global", post(`new URLSearchParam('a=1')`), PostRequest, CodeThrew,
			`URLSearchParam is not defined (did you mean "URLSearchParams"?)`, 1},
		{"nested helper", "export const handlers = () => {\n const deep = (v) => {\n  return v.a.b\n }\n" +
			" return { t: { postRequest: async ({ response }) => ({ response: [1].map((n) => deep(n)) }) } }\n}",
			PostRequest, CodeThrew, "TypeError", 3},
		{"top-level helper",
			"const deep = (v) => {\n throw new RangeError('far')\n}\n" +
				"export const handlers = () => ({ t: { postRequest: ({ response }) => deep(response) } })", PostRequest,
			CodeThrew, "RangeError: far", 2},
		{"rejected later", "export const handlers = () => ({ t: { postRequest: async () => {\n await null\n" +
			" const f = async () => { await null\n  throw new Error('late') }\n await f() } } })", PostRequest,
			CodeThrew, "Error: late", 4},
		{"undefined after await", "export const handlers = () => ({ t: { postRequest: async ({ response }) => {\n" +
			" await null\n return { response: response.x.y }\n } } })", PostRequest, CodeThrew, "TypeError", 3},
		{"a text is thrown", post(`(() => { throw 'text' })()`), PostRequest, CodeThrew, "text", 0},
		{"column in characters", "export const handlers = () => ({ t: { postRequest: () => { const ä = '€'; " +
			"null.x } } })", PostRequest, CodeThrew, "TypeError", 1},
		{"in a host object", "\n" + post(`Buffer.from(null)`), PostRequest, CodeThrew, "Buffer.from: expected", 2},
		{"a false stack",
			post(`(() => { throw { toString: () => 'odd', ` +
				`stack: 'module:99999999999999999999:99999999999999999999' } })()`), PostRequest, CodeThrew, "odd", 1},
		{"a stack that throws", post(`(() => { const e = new Error('e'); Object.defineProperty(e, 'stack', { get() { ` +
			`throw 1 } }); throw e })()`), PostRequest, CodeThrew, "Error: e", 0},
		{"error like ours", post(`(() => { throw new TypeError('sharedLists are frozen, ` +
			`fetch is available in executeRequest only') })()`), PostRequest, CodeThrew, "TypeError", 1},
		{"frozen, but its own", post(`(() => { Object.freeze(payload).a = 1 })()`), PostRequest, CodeThrew,
			"TypeError", 1},
		{"async factory", "export const handlers = async () => ({})", PostRequest, CodeFactory, "promise", 0},
		{"syntax", "export const main = {}\nexport const handlers = () => ({ t: { postRequest( } })", PostRequest,
			CodeFactory, "unexpected }", 2},
		{"for await",
			"export const handlers = () => ({ t: { async postRequest() {\n for await (const x of []) ; } } })",
			PostRequest, CodeFactory, "token await; for await is not supported: await inside a plain loop", 2},
		{"order of another locale", post(`'ä'.localeCompare('z', 'sv')`), PostRequest, CodeThrew,
			"localeCompare: locale sv is not available, en-US is", 1},
		{"order of numbers in texts", post(`'10'.localeCompare('9', undefined, { numeric: true })`), PostRequest,
			CodeThrew, "localeCompare: options are not available", 1},
		{"Unicode property", "export const handlers = () => ({ t: { postRequest: ({ response }) => ({\n" +
			" response: /a\\p{L}/gu.test(response) }) } })", PostRequest, CodeFactory,
			`\p{…} is not supported in a regular expression`, 2},
		{"helper of the factory",
			"const make = () => {\n  return undefined.x\n}\nexport const handlers = () => { make() }", PostRequest,
			CodeFactory, "TypeError", 2},
		{"no factory", "export const handlers = { t: {} }", PostRequest, CodeFactory, "expected a function", 0},
		{"missing process", post(`process.env`), PostRequest, CodeThrew, "process is not defined", 1},
		{"fetch", post(`await fetch('https://a.com')`), PostRequest, CodeFetch, "executeRequest only", 1},
		{"shape", "export const handlers = () => ({ t: { postRequest: () => ({ data: 1 }) } })", PostRequest, CodeShape,
			"{ data }, expected { response }", 0},
		{"shape of preRequest", "export const handlers = () => ({ t: { preRequest: () => ({ struct: {} }) } })",
			PreRequest, CodeShape, "expected { struct, payload }", 0},
		{"undefined", "export const handlers = () => ({ t: { postRequest() {} } })", PostRequest, CodeShape,
			"undefined", 0},
		{"struct undefined", "export const handlers = () => ({ t: { preRequest: () => ({ struct: undefined, payload: " +
			"{} }) } })", PreRequest, CodeShape, "preRequest returned a struct that is undefined", 0},
		{"struct undefined of executeRequest", executing("return { struct: undefined }"), ExecuteRequest, CodeShape,
			"executeRequest returned a struct that is undefined", 0},
		{"list", "\n\n" + post(`sharedLists.areas.push(1)`), PostRequest, CodeFrozen, "frozen", 3},
		{"entry of a list", post(`sharedLists.areas[0].code = 2`), PostRequest, CodeFrozen,
			"frozen, and code would be changed", 1},
		{"an entry whose name is a format", post(`sharedLists['100%d'] = []`), PostRequest, CodeFrozen,
			"frozen, and 100%d would be changed", 1},
		{"an encoding whose name is a format", post(`Buffer.from('a', '%s')`), PostRequest, CodeThrew,
			"Unknown encoding: %s", 1},
		{"new list", post(`sharedLists.more = []`), PostRequest, CodeFrozen, "frozen", 1},
		{"entry deleted", post(`delete sharedLists.areas[0].code`), PostRequest, CodeFrozen, "frozen", 1},
		{"list sorted", post(`sharedLists.areas.reverse() && sharedLists.areas.splice(0, 1)`), PostRequest, CodeFrozen,
			"frozen", 1},
		{"property defined", post(`Object.defineProperty(sharedLists.areas, 'x', { value: 1 })`), PostRequest,
			CodeFrozen, "frozen", 1},
		{"prototype of a list", post(`Object.setPrototypeOf(sharedLists.areas[0], {})`), PostRequest, CodeFrozen,
			"frozen", 1},
		{"factory", "\nexport const handlers = () => { throw new Error('no') }", PostRequest, CodeFactory,
			"Error: no", 2},
		{"factory calls fetch", "export const handlers = () => { fetch('https://a.com'); return {} }", PostRequest,
			CodeFetch, "executeRequest only", 1},
		{"no function", "export const handlers = () => ({ t: { postRequest: 1 } })", PostRequest, CodeShape,
			`"t" is not a function`, 0},
		{"eval", post(`eval('1')`), PostRequest, CodeThrew, "not available", 1},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got, f := handled(t, p, tt.source, tt.stage, `{"response":1,"struct":{},"payload":{}}`, nil)
			if f == nil || f.Code != tt.code || !strings.Contains(f.Msg, tt.msg) || f.Line != tt.line {
				t.Errorf("%s, %+v; want %s %q at line %d", got, f, tt.code, tt.msg, tt.line)
			}
		})
	}
}

// TestNoHandler: reading a source cannot always tell which handlers there are.
// Those of a resource lie one level deeper (chapter 13, "Handler Structure").
func TestNoHandler(t *testing.T) {
	p := newPool(t, Limits{Workers: 1})
	s := Script{Key: "k", Source: "export const handlers = () => ({ r: { q: { postRequest: ({ response }) => ({ " +
		"response: [response] }) }, odd: 1 }, t: { postRequest: null } })"}
	for call, want := range map[[2]string]string{
		{"r", "q"}: `{"response":[1]}`, {"r", ""}: "", {"r", "none"}: "", {"r", "odd"}: "", {"none", "q"}: "",
		{"none", ""}: "", {"t", ""}: "",
	} {
		got, err := p.Call(t.Context(), s,
			Call{Name: call[0], Query: call[1], Stage: PostRequest, Input: json.RawMessage(`{"response":1}`)})
		if string(got) != want || err != nil {
			t.Errorf("%s: %s, %v; want %s", call, got, err, want)
		}
	}
}

// A catalog of the public catalogs lets preRequest return { struct } alone; the
// payload is then the one it was given, as it left it.
func TestCallersAreTold(t *testing.T) {
	p := newPool(t, Limits{Workers: 1})
	const source = `const deep = (v) => {
  return v.a.b
}
export const handlers = () => {
  const middle = (v) => deep(v)
  const later = async (v) => {
    await null
    throw new Error('late')
  }
  return { t: {
    preRequest({ struct }) { return middle(struct) },
    executeRequest: async ({ struct }) => middle(struct),
    postRequest: async ({ response }) => { await later(response) },
  } }
}`
	for stage, want := range map[string]string{PreRequest: "2:[{5 29} {11 43}]", ExecuteRequest: "2:[{5 29} {12 49}]",
		PostRequest: "8:[{13 55}]"} {
		_, f := handled(t, p, source, stage, `{"struct":{}}`, nil)
		if f == nil || fmt.Sprintf("%d:%v", f.Line, f.Callers) != want {
			t.Errorf("%s: %v at %d:%v, want %s", stage, f, f.Line, f.Callers, want)
		}
	}
	_, f := handled(t, p, "export const handlers = () => {\n const f = (n) => {\n  if (n === 0) null.x\n"+
		"  return f(n - 1)\n }\n return { t: { preRequest: () => f(50) } }\n}", PreRequest, `{}`, nil)
	if f == nil || f.Line != 3 || len(f.Callers) != MaxCallers {
		t.Errorf("deep: %+v", f)
	}
}

func TestLoosePreRequest(t *testing.T) {
	p := newPool(t, Limits{Workers: 1})
	tests := []struct{ name, returns, want, warning string }{
		{"struct", "({ struct })", `{"struct":{"url":"u"},"payload":{"n":1,"set":true}}`,
			"SEC101 preRequest returned { struct }, expected { struct, payload }: the payload is the one it was given"},
		{"struct and payload", "({ struct, payload: { n: 2 } })", `{"struct":{"url":"u"},"payload":{"n":2}}`, ""},
		{"payload", "({ payload })", "SEC101 preRequest returned { payload }, expected { struct, payload }", ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			source := "export const handlers = () => ({ t: { preRequest: ({ struct, payload }) => { payload.set = " +
				"true; return " + tt.returns + " } } })"
			warning := ""
			out, err := p.Call(t.Context(), Script{Key: source, Source: source, Loose: true}, Call{
				Name: "t", Stage: PreRequest, Input: json.RawMessage(`{"struct":{"url":"u"},"payload":{"n":1}}`),
				Warn: func(w string) { warning += w },
			})
			got := string(out)
			if err != nil {
				got = err.Error()
			}
			if got != tt.want || warning != tt.warning {
				t.Errorf("%s, warning %q; want %s, %q", got, warning, tt.want, tt.warning)
			}
		})
	}
}

func TestHandlersAreListed(t *testing.T) {
	p := newPool(t, Limits{Workers: 1})
	source := "export const handlers = () => ({ b: { postRequest() {}, preRequest: async () => {}, other() {} }, r: " +
		"{ q: { postRequest: () => 1 } }, none: {}, odd: 1 })"
	got, err := p.Handlers(t.Context(), Script{Key: "k", Source: source})
	if want := "[{b [preRequest postRequest]} {r/q [postRequest]}]"; err != nil || fmt.Sprint(got) != want {
		t.Errorf("%v, %v; want %s", got, err, want)
	}
	var failure *HandlerError
	if _, err := p.Handlers(t.Context(),
		Script{Key: "l", Source: "export const handlers = () => { null.x }"}); !errors.As(err, &failure) ||
		failure.Code != CodeFactory {
		t.Errorf("got %v", err)
	}
}

func TestLibraryMissing(t *testing.T) {
	p := newPool(t, Limits{Workers: 1})
	_, err := p.Call(t.Context(), Script{Key: "k", Source: post("1"), Libraries: []string{"crypto", "ethers"}},
		Call{Name: "t", Stage: PostRequest, Input: json.RawMessage("{}")})
	var failure *HandlerError
	if !errors.As(err, &failure) || failure.Code != CodeLibrary || !strings.Contains(failure.Msg, `"ethers"`) {
		t.Errorf("got %v", err)
	}
}

func TestFetch(t *testing.T) {
	p := newPool(t, Limits{Workers: 1})
	source := `export const handlers = () => ({ t: { executeRequest: async ({ struct }) => {
		const pages = await Promise.all([1, 2].map((n) => fetch(struct.url + n, { method: 'post', headers: { A: n }, body: '{}' }).then((r) => r.json())))
		try { await fetch('https://refused.com') } catch (e) { return { response: [pages, e.message] } }
	} } })`
	fetch := func(_ context.Context, f FetchRequest) FetchAnswer {
		if strings.Contains(f.URL, "refused") {
			return FetchAnswer{Error: "EXE030 refused"}
		}
		return FetchAnswer{Status: 200,
			Body: []byte(`{"n":"` + f.URL + f.Method + f.Headers["A"] + string(f.Body) + `"}`)}
	}
	got, failure := handled(t, p, source, ExecuteRequest, `{"struct":{"url":"https://a.com/"},"payload":{}}`, fetch)
	if want := `{"response":[[{"n":"https://a.com/1POST1{}"},{"n":"https://a.com/2POST2{}"}],"EXE030 ` +
		`refused"]}`; failure != nil || got != want {
		t.Errorf("%s, %v; want %s", got, failure, want)
	}
}

// What fails after a fetch was made has the place in the schema that asked for
// it, though nothing of the schema runs then.
func TestFetchFailurePlace(t *testing.T) {
	p := newPool(t, Limits{Workers: 1})
	const source = `export const handlers = () => {
  const load = (url) => fetch(url)
  return { t: { executeRequest: async ({ struct }) => {
    await null
    const answer = await load(struct.url)
    await null
    return { response: await answer.json() }
  } } }
}`
	fetch := func(_ context.Context, f FetchRequest) FetchAnswer {
		if strings.Contains(f.URL, "refused") {
			return FetchAnswer{Error: "EXE030 refused"}
		}
		return FetchAnswer{Status: 200, Body: []byte("<html>")}
	}
	for url, want := range map[string]string{"https://refused.com": "TypeError: EXE030 refused at 2:[{5 30}]",
		"https://page.com": "SyntaxError: invalid character '<' looking for beginning of value at 7:[]"} {
		_, f := handled(t, p, source, ExecuteRequest, `{"struct":{"url":"`+url+`"}}`, fetch)
		if f == nil {
			t.Fatal("no failure")
		}
		if got := fmt.Sprintf("%s at %d:%v", f.Msg, f.Line, f.Callers); got != want {
			t.Errorf("%s, want %s", got, want)
		}
	}
}

func BenchmarkCall(b *testing.B) {
	p := newPool(b, Limits{Workers: 1})
	for b.Loop() {
		if got, failure := handled(b, p, post("response"), PostRequest,
			`{"response":{"a":[1,2,3]},"struct":{},"payload":{}}`, nil); failure != nil {
			b.Fatal(got, failure)
		}
	}
}
