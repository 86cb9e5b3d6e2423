package sandbox

import (
	"encoding/json"
	"strings"
	"testing"
)

// TestConsole: what handlers log goes to whoever asks for it, and nowhere else;
// it changes nothing for the handler.
func TestConsole(t *testing.T) {
	p := newPool(t, Limits{Workers: 1})
	const factory = "export const handlers = () => { console.log('made'); return { t: { postRequest: () => { "
	for i, tt := range []struct{ name, code, want string }{
		{"levels", "console.log('a'); console.info('b'); console.debug('c'); console.warn('d'); console.error('e'); " +
			"console.trace('f')", "log a|info b|debug c|warn d|error e|trace f"},
		{"values", "console.log('a', 1, true, null, undefined, [1, { b: 'c' }], 10n, new TypeError('no'), Symbol('s'))",
			`log a 1 true null undefined [1,{"b":"c"}] 10 TypeError: no Symbol(s)`},
		{"what has no text", "const o = Object.create(null); o.o = o; console.log(o, { toJSON() { throw 1 } })",
			"log [object] [object]"},
		{"assert", "console.assert(true, 'x'); console.assert(false, 'y')", "error Assertion failed y"},
		{"the rest is silent", "console.group('a'); console.time('b'); console.timeEnd('b'); console.count(); " +
			"console.table([1]); console.groupEnd()", "table [1]"},
		{"much", "console.log('x'.repeat(100000)); console.log('more')",
			"log more than 65536 bytes were logged in one call: the rest is not shown"},
	} {
		s := Script{Key: string(rune('a' + i)), Source: factory + tt.code + "; return { response: 1 } } } } }"}
		for _, asked := range []bool{true, false, true} {
			var got []string
			call := Call{Name: "t", Stage: PostRequest, Input: json.RawMessage(`{}`)}
			if asked {
				call.Log = func(level, text string) { got = append(got, level+" "+text) }
			}
			out, err := p.Call(t.Context(), s, call)
			if err != nil || string(out) != `{"response":1}` {
				t.Errorf("%s: %s, %v", tt.name, out, err)
			}
			text := strings.TrimPrefix(strings.Join(got, "|"), "log made|") // by the first call only
			if want := map[bool]string{true: tt.want}[asked]; text != want {
				t.Errorf("%s, asked for %t: %q, want %q", tt.name, asked, text, want)
			}
		}
	}
}
