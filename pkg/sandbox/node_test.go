package sandbox

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// sameAsNode are expressions that must give in the sandbox what they give in
// Node; an error is compared by the name of its class.
var sameAsNode = []string{
	// Buffer.
	`Buffer.from('hä€😀').toString('hex')`, `Buffer.from('hä€😀').toString('base64')`,
	`Buffer.from('hä€😀').toString('latin1')`, `Buffer.from('hä€😀').toString('ascii')`,
	`Buffer.from('aGk', 'base64').toString()`, `Buffer.from('aGk=aGk=', 'base64').toString()`,
	`Buffer.from(' a G\nk= ', 'base64').toString()`, `Buffer.from('_-8', 'base64').toString('hex')`,
	`Buffer.from('_-8', 'base64url').toString('hex')`,
	`Buffer.from([255, 239]).toString('base64url')`, `Buffer.from('68zz69', 'hex').length`,
	`Buffer.from('686', 'hex').toString()`, `Buffer.from('h\u00e4😀', 'latin1').toString('hex')`,
	`Buffer.from('hä', 'utf16le').toString('hex')`, `Buffer.from('680069d8', 'hex').toString('utf16le').length`,
	`Buffer.from([1, 2, 300, -1])`, `Buffer.from(new Uint16Array([1, 2, 513]))`, `[...Buffer.from(Buffer.from('ab'))]`,
	`Buffer.from({ type: 'Buffer', data: [1, 2] })`, `Buffer.from(new Uint8Array([1, 2, 3, 4]).buffer, 1, 2)`,
	`Buffer.from(new Uint8Array([1, 2, 3, 4]).subarray(1, 3))`,
	`Buffer.concat([Buffer.from('ab'), Buffer.from('c')]).toString()`,
	`Buffer.concat([Buffer.from('ab'), Buffer.from('cd')], 3).toString()`,
	`Buffer.concat([new Uint8Array([1]), Buffer.from('a')])`, `Buffer.concat([])`,
	`Buffer.byteLength('hä')`, `Buffer.byteLength('aGk=', 'base64')`, `Buffer.byteLength(new ArrayBuffer(3))`,
	`Buffer.isBuffer(new Uint8Array(1))`, `Buffer.alloc(3, 'ab').toString()`, `Buffer.alloc(2, 7)`, `Buffer.alloc(2)`,
	`Buffer.isEncoding('hex')`, `Buffer.isEncoding('nope')`,
	`Buffer.from('hello').toString('utf8', 1, 3)`, `Buffer.from('hello').slice(1, 3).toString()`,
	`Buffer.from('hello').subarray(-2).toString()`,
	`(() => { const b = Buffer.from('abc'); b.slice(1)[0] = 65; return b.toString() })()`,
	`Buffer.from('ab').equals(Buffer.from('ab'))`, `Buffer.compare(Buffer.from('a'), Buffer.from('b'))`,
	`Buffer.from('hello').indexOf('l')`, `Buffer.from('hello').indexOf('l', 3)`,
	`Buffer.from('hello').indexOf(Buffer.from('lo'))`, `Buffer.from('hello').indexOf(111)`,
	`Buffer.from('hello').includes('x')`, `Buffer.from('x').length`, "`${Buffer.from('xy')}`",
	`Buffer.from('0102030405060708', 'hex').readUInt16LE(1)`, `Buffer.from('0102030405060708', 'hex').readUInt16BE(1)`,
	`Buffer.from('01020304f5060708', 'hex').readInt32LE(4)`, `Buffer.from('0102030405060708', 'hex').readUInt32LE()`,
	`Buffer.from('ff', 'hex').readInt8()`, `Buffer.from('ff').readUInt32LE(0)`,
	`String(Buffer.from('0102030405060708', 'hex').readBigUInt64LE())`,
	`Buffer.from('000000000000f03f', 'hex').readDoubleLE(0)`,
	`Buffer.from('a', 'nope')`, `Buffer.from(5)`, `Buffer.from(null)`,
	`Buffer.from('504b0304', 'hex').subarray(0, 2).toString()`, `Buffer.from('€').toString('binary')`,
	`Buffer.from('68c3', 'hex').toString()`,
	// Text.
	`[...new TextEncoder().encode('ä€😀\ud800')]`, `new TextDecoder().decode(new Uint8Array([0xef, 0xbb, 0xbf, 104]))`,
	`new TextDecoder().decode(new Uint8Array([0xe2, 0x82, 104, 0xff, 0xff, 0xf0, 0x9f, 0x98]))`,
	`new TextDecoder().decode(new Uint8Array([0xed, 0xa0, 0x80, 0xc0, 0x80]))`,
	`new TextDecoder('utf-16le').decode(new Uint8Array([104, 0, 61, 216, 0, 222]))`,
	`new TextDecoder('utf-8', { fatal: true }).decode(new Uint8Array([255]))`, `new TextDecoder('latin1').encoding`,
	`new TextDecoder('nope')`, `new TextDecoder().decode()`,
	`btoa('hi\xff')`, `btoa('€')`, `atob('aGk=')`, `atob(' aGk ')`, `atob('aGk==')`, `atob('a')`, `atob('ab~=')`,
	`atob('')`, `atob('aGk')`,
	// URLs.
	`new URL('https://Example.COM:443/a/./b/../c?x=1 2&y=ä#f g')`, `new URL('http://h:80')`,
	`new URL('http://h:8080/%7ea')`, `new URL('/p?q', 'https://h/a/b?c#d')`, `new URL('p', 'https://h/a/b')`,
	`new URL('../p', 'https://h/a/b/c')`, `new URL('?q=1', 'https://h/a?z#y')`, `new URL('#x', 'https://h/a?z#y')`,
	`new URL('', 'https://h/a?z#y')`, `new URL('//other/x', 'https://h/a')`,
	`new URL('https://u:p@h/x')`, `new URL('https:\\\\h\\x')`, `new URL('https:///h/x')`, `new URL(' https://h/ ')`,
	`new URL('https://h/ä b"<>{}|')`, `new URL("https://h/?a='b'|<>")`, `new URL('nope')`, `new URL('https://')`,
	`new URL('https://h:99999/')`, `new URL('https://a b/')`, `new URL('mailto:a@b.c')`,
	`new URL('data:text/plain,hi').pathname`, `new URL('https://[::1]:8443/x')`, `new URL('https://127.0.0.1/x')`,
	`new URL('https://h/%2e%2e/x/%2E')`,
	`(() => { const u = new URL('https://h/p?a=1&b=2'); u.searchParams.set('a', 'x y&'); u.searchParams.append('c', ` +
		`'ä'); u.searchParams.delete('b'); return u.href })()`,
	`(() => { const u = new URL('https://h/p?a=1'); u.search = '?b=2 3'; return [u.href, u.searchParams.get('b'), ` +
		`u.searchParams.get('a')] })()`,
	`(() => { const u = new URL('https://h/p'); const s = u.searchParams; u.search = 'z=1'; return s.get('z') })()`,
	`(() => { const u = new URL('https://h/p?a=1'); u.searchParams.delete('a'); return u.href })()`,
	`(() => { const u = new URL('https://h/p'); u.pathname = '/x y/../z?#'; u.hash = 'a b'; u.port = '8080'; ` +
		`u.hostname = 'Other'; u.protocol = 'http'; return [u.href, u.host, u.origin] })()`,
	`(() => { const u = new URL('https://h:1/p'); u.host = 'x:2'; u.username = 'a:b'; u.password = 'c@'; ` +
		`return u.href })()`, `(() => { const u = new URL('https://h/p'); u.href = 'https://i/q?r=1'; ` +
		`return [u.host, u.searchParams.get('r')] })()`,
	`(() => { const u = new URL('https://h/p'); u.href = 'nope' })()`,
	`(() => { const u = new URL('https://h/p'); u.port = 'x'; u.hostname = 'a b'; return u.href })()`,
	`JSON.stringify({ u: new URL('https://h') })`, `URL.canParse('x')`, `URL.canParse('x', 'https://h')`,
	`['protocol', 'host', 'hostname', 'port', 'pathname', 'search', 'hash', 'origin', ` +
		`'username'].map((k) => new URL('https://u@h:1/p?s#x')[k])`,
	`new URLSearchParams({ a: 'x&y', b: 2, c: null }).toString()`,
	`new URLSearchParams([['a', 1], ['a', 2]]).getAll('a')`, `new URLSearchParams('?a=1&b=%20+%E4%&c').toString()`,
	`new URLSearchParams('a=%C3%A4').get('a')`, `new URLSearchParams(new Map([['k', 'v']])).toString()`,
	`new URLSearchParams(new URLSearchParams('a=1')).toString()`, `new URLSearchParams([['a']])`,
	`new URLSearchParams(undefined).toString()`, `[...new URLSearchParams('b=1&a=2&b=3')]`,
	`(() => { const p = new URLSearchParams('b=1&a=2&b=3'); p.sort(); p.set('b', 9); p.delete('a', '7'); ` +
		`return [p.toString(), p.size, p.has('b'), p.has('b', '1'), p.get('x'), [...p.keys()], [...p.values()]] })()`,
	`(() => { const out = []; new URLSearchParams('a=1').forEach((v, k) => out.push(k, v)); return out })()`,
	`new URLSearchParams({ q: "a-b_c.d*e~f!g'h(i)j" }).toString()`, "`${new URLSearchParams({ '😀': '€' })}`",
	// Clones.
	`structuredClone({ a: [1, { x: new Date(0) }], b: undefined, c: null })`,
	`(() => { const a = { }; a.self = a; const b = structuredClone(a); return b.self === b && b !== a })()`,
	`[...structuredClone(new Map([[1, { a: 1 }]]))]`, `[...structuredClone(new Set([1, 2]))]`,
	`structuredClone(/a/gi).flags`, `structuredClone(() => 1)`, `structuredClone(new Error('x')).message`,
	`structuredClone(new Uint8Array([1, 2]))`, `structuredClone(Symbol('x'))`, `structuredClone(new Date(5)).getTime()`,
	// Libraries.
	`libraries.crypto.createHash('sha1').update('a').update('ä').digest('hex')`,
	`libraries.crypto.createHash('SHA256').update(Buffer.from('00ff', 'hex')).digest('base64')`,
	`libraries.crypto.createHash('md5').digest('hex')`,
	`libraries.crypto.createHash('sha512').update('6869', 'hex').digest('base64url')`,
	`libraries.crypto.createHash('sha384').update(new Uint8Array([1])).digest().length`,
	`libraries.crypto.createHash('nope')`,
	`(() => { const h = libraries.crypto.createHash('md5'); h.digest(); h.digest() })()`,
	`libraries.zlib.inflateRawSync(Buffer.from('y0jNyckHAA==', 'base64')).toString()`,
	// JSON and numbers.
	`JSON.parse('"\\ud83d\\ude00"')`, `JSON.parse('"\\\\ud83d"')`, `(1234567.891).toLocaleString()`,
	`['b', 'a', 'Z', 'é', 'e'].sort((x, y) => x.localeCompare(y)).join()`, `'a'.localeCompare('b', 'en-US')`,
	`(0).toLocaleString('en-US')`, `(-1234.5).toLocaleString('en-US', { minimumFractionDigits: 2 })`,
	`(1.005).toLocaleString('en-US', { maximumFractionDigits: 2 })`, `(0.0005).toLocaleString()`,
	`(1e21).toLocaleString()`, `(1e-7).toLocaleString('en-US', { maximumFractionDigits: 8 })`,
	`(999.9996).toLocaleString()`, `(0.5).toLocaleString('en-US', { maximumFractionDigits: 0 })`,
	`12345678901234567890n.toLocaleString('en-US')`, `NaN.toLocaleString()`,
	`(1234).toLocaleString('en-US', { useGrouping: false })`,
	`new Date(0).toLocaleDateString('en-US')`, `new Date(0).toLocaleTimeString('en-US')`,
	`new Date(0).toLocaleString('en-US', { timeZone: 'America/New_York' })`,
	`new Date(0).toLocaleDateString('en-US', { month: 'long', year: 'numeric' })`, `new Date(NaN).toLocaleString()`,
	`new Date(2024, 0, 1).toISOString()`,
	`AbortSignal.timeout(5000).aborted`, `typeof AbortSignal.timeout(1)`,
}

// dateOptions are those of an Intl.DateTimeFormat for en-US.
var dateOptions = []string{
	`{}`, `{dateStyle:'full'}`, `{dateStyle:'long'}`, `{dateStyle:'medium'}`, `{dateStyle:'short'}`,
	`{timeStyle:'short'}`, `{timeStyle:'medium'}`, `{timeStyle:'long'}`, `{dateStyle:'full',timeStyle:'short'}`,
	`{dateStyle:'medium',timeStyle:'medium'}`,
	`{weekday:'long'}`, `{weekday:'short',day:'numeric'}`, `{weekday:'short',month:'short',day:'numeric'}`,
	`{weekday:'short',month:'numeric',day:'numeric'}`, `{weekday:'long',year:'numeric',month:'long',day:'numeric'}`,
	`{weekday:'short',year:'numeric',month:'2-digit',day:'2-digit'}`, `{weekday:'long',hour:'numeric'}`,
	`{weekday:'short',hour:'numeric',minute:'2-digit'}`,
	`{month:'long',year:'numeric'}`, `{month:'short',year:'numeric'}`, `{month:'long'}`, `{month:'2-digit'}`,
	`{month:'narrow'}`, `{year:'2-digit'}`, `{day:'2-digit'}`, `{month:'numeric',year:'numeric'}`,
	`{month:'short',day:'2-digit'}`, `{month:'2-digit',day:'2-digit',year:'numeric'}`, `{year:'numeric',day:'numeric'}`,
	`{year:'numeric',weekday:'long'}`, `{month:'long',weekday:'long'}`,
	`{hour:'numeric'}`, `{hour:'2-digit'}`, `{hour:'2-digit',minute:'2-digit',second:'2-digit'}`,
	`{minute:'2-digit',second:'2-digit'}`, `{minute:'2-digit'}`, `{second:'2-digit'}`, `{hour:'numeric',hour12:false}`,
	`{hour:'2-digit',minute:'2-digit',hour12:false}`, `{hour:'numeric',minute:'2-digit',hourCycle:'h23'}`,
	`{year:'numeric',month:'2-digit',day:'2-digit',hour:'2-digit',minute:'2-digit',second:'2-digit',hour12:false}`,
	`{year:'numeric',month:'long',day:'numeric',hour:'numeric',minute:'2-digit'}`,
	`{year:'numeric',month:'short',day:'numeric',hour:'2-digit',minute:'2-digit'}`,
	`{month:'short',day:'numeric',hour:'numeric'}`, `{month:'long',hour:'numeric'}`, `{year:'numeric',hour:'numeric'}`,
	`{timeZoneName:'short'}`, `{hour:'numeric',timeZoneName:'short',timeZone:'America/New_York'}`,
	`{hour:'numeric',timeZoneName:'short',timeZone:'Europe/Berlin'}`,
	`{hour:'numeric',timeZoneName:'short',timeZone:'Asia/Kolkata'}`, `{second:'numeric',fractionalSecondDigits:3}`,
	`{hour:'numeric',minute:'2-digit',second:'2-digit',fractionalSecondDigits:2}`,
	`{timeZone:'Europe/Berlin'}`, `{timeZone:'Nope/Nowhere'}`, `{dateStyle:'full',day:'numeric'}`,
}

// sampled wraps an expression: its JSON, or the class of its error.
const sampled = `await (async () => { try { return [(%)] } catch (e) { return e.constructor.name } })()`

func TestSameAsNode(t *testing.T) {
	exprs := append([]string{}, sameAsNode...)
	for _, o := range dateOptions {
		f := `new Intl.DateTimeFormat('en-US', { timeZone: 'UTC', ...` + o + ` })`
		exprs = append(exprs, f+`.format(new Date(Date.UTC(2024, 0, 5, 0, 7, 9, 45)))`,
			f+`.formatToParts(new Date(Date.UTC(2024, 6, 15, 15, 4, 5)))`)
	}
	var list []string
	for _, e := range exprs {
		list = append(list, strings.ReplaceAll(sampled, "%", e))
	}
	all := "[" + strings.Join(list, ",\n") + "]"
	node, err := exec.LookPath("node")
	if err != nil {
		if os.Getenv("CI") == "true" {
			t.Fatal("node is not on PATH, and CI must compare with it: install Node 20 or newer")
		}
		t.Log("node is not on PATH: nothing was compared")
		return
	}
	script := filepath.Join(t.TempDir(), "all.mjs")
	text := "import crypto from 'crypto'; import zlib from 'zlib'; const libraries = { crypto, zlib };\n" +
		"console.log(JSON.stringify(" + all + "))"
	if err := os.WriteFile(script, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	cmd := exec.CommandContext(t.Context(), node, script)
	cmd.Env = append(os.Environ(), "TZ=UTC", "NODE_NO_WARNINGS=1")
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("node: %v", err)
	}
	got, failure := handled(t, newPool(t, Limits{Workers: 1}), post(all), PostRequest,
		`{"response":1,"struct":{},"payload":{}}`, nil)
	if failure != nil {
		t.Fatal(failure)
	}
	var ours struct{ Response []json.RawMessage }
	var theirs []json.RawMessage
	if err := json.Unmarshal([]byte(got), &ours); err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(out, &theirs); err != nil {
		t.Fatal(err)
	}
	for i, e := range exprs {
		if o, n := plain(ours.Response[i]), plain(theirs[i]); o != n {
			t.Errorf("%s\n  here %s\n  Node %s", e, o, n)
		}
	}
}

// plain leaves out what may differ: Node has classes of its own for some
// errors, and versions of it differ in the space before AM and PM.
func plain(v json.RawMessage) string {
	s := strings.ReplaceAll(string(v), "\u202f", " ")
	return strings.ReplaceAll(s, `"DOMException"`, `"Error"`)
}
