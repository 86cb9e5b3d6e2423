package edit

import (
	"encoding/json"
	"math/rand/v2"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/flowmcp/fmcp/pkg/ordjson"
	"github.com/flowmcp/fmcp/pkg/record"
)

func TestRemove(t *testing.T) {
	const head = "export const main = "
	tests := []struct{ name, before, pointers, after string }{
		{"a line of its own", "{\n    a: 1,\n    b: 2,\n    c: 3\n}", "/b", "{\n    a: 1,\n    c: 3\n}"},
		{"the last, whose comma is that of the one before", "{\n    a: 1, // of a\n    b: 2 // of b\n}\n", "/b",
			"{\n    a: 1 // of a\n}\n"},
		{"the last with a comma", "{\n    a: 1,\n    b: 2,\n}", "/b", "{\n    a: 1,\n}"},
		{"the first in one line", "{ a: 1, b: 2, c: 3 }", "/a", "{ b: 2, c: 3 }"},
		{"in the middle of one line", "{ a: 1, b: 2, c: 3 }", "/b", "{ a: 1, c: 3 }"},
		{"the last of one line", "{ a: 1, b: 2 }", "/b", "{ a: 1 }"},
		{"the last of one line, with a comma", "{ a: 1, b: 2, }", "/b", "{ a: 1, }"},
		{"all of one line", "{ a: { b: 1, c: 2 } }", "/a/b /a/c", "{ a: {} }"},
		{"all of several lines", "{\n    a: {\n        b: 1\n    }\n}", "/a/b", "{\n    a: {}\n}"},
		{"all but a comment", "{ a: {\n    // of b\n    b: 1\n\n    // c: 2\n} }", "/a/b", "{ a: {\n    // c: 2\n} }"},
		{"two of one line", "{\n    a: 1, b: 2, c: 3,\n    d: 4\n}", "/a /b", "{\n    c: 3,\n    d: 4\n}"},
		{"the rest of a line", "{\n    a: 1, b: 2, c: 3,\n    d: 4\n}", "/b /c", "{\n    a: 1,\n    d: 4\n}"},
		{"all of a line", "{\n    a: 1, b: 2,\n    d: 4\n}", "/b /a", "{\n    d: 4\n}"},
		{"comments above it", "{\n    a: 1, // of a\n    // of b\n    /* and\n       b */\n    b: 2, /* b */ // b\n" +
			"    c: 3\n}", "/b", "{\n    a: 1, // of a\n    c: 3\n}"},
		{"the comment of others", "{\n    // all\n\n    // of a\n    a: 1,\n    b: 2\n    // the end\n}", "/a",
			"{\n    // all\n\n    b: 2\n    // the end\n}"},
		{"the comment of a bracket", "{ // all\n    a: 1,\n    b: 2\n}", "/a", "{ // all\n    b: 2\n}"},
		{"comments inside a line", "{ /* a */ a: 1, /* b */ b: 2 /* b */, /* c */ c: 3 /* c */ }", "/b",
			"{ /* a */ a: 1, /* c */ c: 3 /* c */ }"},
		{"the last with comments inside a line", "{ a: 1, /* b */ b: 2 /* b */ }", "/b", "{ a: 1 }"},
		{"the blank line below it", "{\n    a: 1,\n\n    b: 2,\n\n    c: 3\n}", "/b", "{\n    a: 1,\n\n    c: 3\n}"},
		{"the blank line above it", "{\n    a: 1,\n\n    b: 2\n}", "/b", "{\n    a: 1\n}"},
		{"the blank line after a bracket", "{\n    a: 1,\n\n    b: 2\n}", "/a", "{\n    b: 2\n}"},
		{"a blank line on one side", "{\n    a: 1,\n\n    b: 2,\n    c: 3\n}", "/b", "{\n    a: 1,\n\n    c: 3\n}"},
		{"blank lines with spaces", "{\n    a: 1,\n  \n\t\n    b: 2,\n  \n\n}", "/b", "{\n    a: 1,\n}"},
		{"Windows", "{\r\n    a: 1,\r\n\r\n    b: 2, // b\r\n\r\n    c: 3\r\n}", "/b",
			"{\r\n    a: 1,\r\n\r\n    c: 3\r\n}"},
		{"commas in front", "{ a: 1\n, b: 2\n, c: 3\n}", "/b", "{ a: 1\n, c: 3\n}"},
		{"elements", "{ a: [ 1, [ 2, 3 ], { b: 4 } ] }", "/a/1 /a/2", "{ a: [ 1 ] }"},
		{"inside elements", "{ a: [ 1, [ 2, 3 ], { b: 4 } ] }", "/a/1/0 /a/2/b", "{ a: [ 1, [ 3 ], {} ] }"},
		{"beside an empty place", "{ a: [ 1, , 2 ] }", "/a/2", "{ a: [ 1, , ] }"},
		{"an empty place", "{ a: [ 1, , 2 ] }", "/a/1", "{ a: [ 1, 2 ] }"},
		{"of a constant", "{ a: x }\nconst y = 1\n", "/a/b", "{ a: x }\nconst y = 1\n"},
		{"a key that is written twice", "{ a: 1, 'b': 2, b: 3, c: `}` }", "/b", "{ a: 1, c: `}` }"},
		{"text that looks like code", "{ a: '// {', b: `, /* `, c: 1 }", "/b", "{ a: '// {', c: 1 }"},
		{"a shorthand", "{ a: 1, x, c: 2 }", "/x", "{ a: 1, c: 2 }"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			x := "const x = { b: [ 1, 2 ], c: 3 }\n" + head
			after := x + tt.after
			if tt.name == "of a constant" {
				after = "const x = { c: 3 }\n" + head + tt.after
			}
			if got := removed(t, x+tt.before, strings.Fields(tt.pointers), nil); got != after {
				t.Errorf("got\n%s\nwant\n%s", got, after)
			}
		})
	}
}

func removed(t *testing.T, before string, pointers, handlers []string) string {
	t.Helper()
	s, err := ReadSource(before, "main")
	if err != nil {
		t.Fatal(err)
	}
	after, err := s.Remove(pointers, handlers)
	if err != nil {
		t.Fatal(err)
	}
	return after.Text()
}

func TestRemoveHandlers(t *testing.T) {
	const main = "export const main = { tools: { a: {}, b: {} } }\n\n"
	long := strings.NewReplacer("HANDLERS", "export const handlers =", "PRE", "preRequest() {}")
	tests := []struct{ name, before, names, after string }{
		{"an arrow", "HANDLERS ({ sharedLists }) => ({\n    a: {\n        preRequest: async( { struct } ) => {\n" +
			"            return { struct }\n        }\n    },\n    b: { postRequest: x => x }\n})\n", "a",
			"HANDLERS ({ sharedLists }) => ({\n    b: { postRequest: x => x }\n})\n"},
		{"a body", "HANDLERS () => {\n    const h = ( s ) => `${s}, ${ { a: 1 }.a }`\n    return {\n        // of a\n" +
			"        a: { preRequest: h },\n        b: { preRequest: h }\n    }\n}\n", "b",
			"HANDLERS () => {\n    const h = ( s ) => `${s}, ${ { a: 1 }.a }`\n    return {\n        // of a\n" +
				"        a: { preRequest: h }\n    }\n}\n"},
		{"a function", "export function handlers() { return { a: { PRE }, b: { PRE } } }\n", "a b",
			"export function handlers() { return {} }\n"},
		{"queries", "HANDLERS () => ({ db: { all: { PRE }, one: { PRE } } })\n", "db/all",
			"HANDLERS () => ({ db: { one: { PRE } } })\n"},
		{"all queries", "HANDLERS () => ({ a: { PRE }, db: { all: { PRE }, one: { PRE } } })\n", "db/all db/one",
			"HANDLERS () => ({ a: { PRE } })\n"},
		{"a resource", "HANDLERS () => ({ db: { all: { PRE }, one: { PRE } }, dbx: { PRE } })\n", "db",
			"HANDLERS () => ({ dbx: { PRE } })\n"},
		{"a constant", "const shared = { PRE }\nHANDLERS () => ({ a: shared, b: shared })\n", "a",
			"const shared = { PRE }\nHANDLERS () => ({ b: shared })\n"},
		{"after a template", "HANDLERS () => { const t = `${1}-${2}`; return { a: { PRE } } }\n", "a",
			"HANDLERS () => { const t = `${1}-${2}`; return {} }\n"},
		{"that nobody can name", "HANDLERS () => ({ ...make(), b: { PRE } })\n", "a",
			"HANDLERS () => ({ ...make(), b: { PRE } })\n"},
		{"none", "", "a", ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			want := long.Replace(main + tt.after)
			if got := removed(t, long.Replace(main+tt.before), nil, strings.Fields(tt.names)); got != want {
				t.Errorf("got\n%s\nwant\n%s", got, want)
			}
		})
	}
}

// Functions go that only what is removed has named, and whose declaration is easily
// told from what is beside it.
func TestRemoveHelpers(t *testing.T) {
	const main = "export const main = { tools: { a: {}, b: {} } }\n"
	for _, tt := range []struct{ name, before, after string }{
		{"at the top, and inside", `
function top( x ) { return x }
const other = x => {
    return x
}

export const handlers = () => {
    const help = function* ( x ) { yield x }
    const both = () => { help() }
    async function mine() { mine() }
    return {
        a: { preRequest() { top( help, mine, other ) } },
        b: { preRequest: both }
    }
}
`, `
export const handlers = () => {
    const help = function* ( x ) { yield x }
    const both = () => { help() }
    return {
        b: { preRequest: both }
    }
}
`},
		{"helpers of helpers", `
export const handlers = () => {
    const cache = {}

    // asks
    const ask = async ( x ) => {
        return fetch( x )
    }; // asked

    const help = ( x ) => { ask( x ) }

    return {
        a: { preRequest() { help() } },
        b: { preRequest() {} }
    }
}
`, `
export const handlers = () => {
    const cache = {}

    return {
        b: { preRequest() {} }
    }
}
`},
		{"what is none, or too hard to tell", `
export const handlers = () => {
    const one = make( () => {} )
    const two = () => {}
    ( 3 )
    const three = () => 3
    const four = () => {}, five = 5
    const unused = () => {}
    const said = () => {}
    const six = 6 +
        function seven() {}
    return {
        a: { preRequest() { one; two; three; four; x.said; seven } }
    }
}
`, `
export const handlers = () => {
    const one = make( () => {} )
    const two = () => {}
    ( 3 )
    const three = () => 3
    const four = () => {}, five = 5
    const unused = () => {}
    const said = () => {}
    const six = 6 +
        function seven() {}
    return {}
}
`},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if got := removed(t, main+tt.before, nil, []string{"a"}); got != main+tt.after {
				t.Errorf("got\n%s\nwant\n%s", got, main+tt.after)
			}
		})
	}
}

func TestRemoveRenewsSchemaHash(t *testing.T) {
	src := "export const main = {\n    schemaHash: 'HASH',\n    tools: { a: 1, b: 2 }\n}\n"
	s, err := ReadSource(src, "main")
	if err != nil {
		t.Fatal(err)
	}
	right := strings.Replace(src, "HASH", record.SchemaHash(s.Value()), 1)
	after, err := ReadSource(removed(t, right, []string{"/tools/a"}, nil), "main")
	if err != nil {
		t.Fatal(err)
	}
	if got := after.Value().Get("schemaHash").Str(); got != record.SchemaHash(after.Value()) {
		t.Errorf("schemaHash is %s, the hash of main is %s", got, record.SchemaHash(after.Value()))
	}
	if wrong := removed(t, src, []string{"/tools/a"}, nil); !strings.Contains(wrong, "'HASH'") {
		t.Error("a hash that was wrong before was changed")
	}
}

// Of what code makes, only members are taken out that are written in the source.
func TestRemoveMade(t *testing.T) {
	const head = "export const main = "
	value := parse(t, `{"schemaHash":"HASH","tools":{"a":{"path":"/x"},"b":{"path":"/"}},"list":[1,2]}`)
	value = value.With("schemaHash", ordjson.NewString(record.SchemaHash(value)))
	hash := value.Get("schemaHash").Str()
	now := record.SchemaHash(value.With("tools", value.Get("tools").Without("a")))
	for _, tt := range []struct{ before, pointer, after string }{
		{"{ schemaHash: 'HASH', tools: { a: { path: '/' + x() }, b: { path: '/' } } }", "/tools/a",
			"{ schemaHash: 'NOW', tools: { b: { path: '/' } } }"},
		{"{ tools: { a: f(), b: {} }, 'schemaHash': \"HASH\" }", "/tools/a",
			"{ tools: { b: {} }, 'schemaHash': \"NOW\" }"},
		{"{ tools: { a: f(), b: {} }, ...hashed() }", "/tools/a", ""},
		{"{ tools: { ...more, b: {} } }", "/tools/a", ""},
		{"{ tools: make() }", "/tools/a", ""},
		{"make( { tools: { a: {} } } )", "/tools/a", ""},
		{"{ tools: all, list: [ f(), 2 ] }", "/list/1", ""},
		{"{ tools: { a: f() } }", "/tools/c", ""},
	} {
		s, err := ReadMade(strings.Replace(head+tt.before, "HASH", hash, 1), "main", value)
		if err != nil {
			t.Fatal(err)
		}
		changed, err := s.Remove([]string{tt.pointer}, nil)
		switch want := strings.Replace(head+tt.after, "NOW", now, 1); {
		case tt.after == "" && err == nil:
			t.Errorf("%s became %s", tt.before, changed.Text())
		case tt.after != "" && (err != nil || changed.Text() != want):
			t.Errorf("%s: %v\n%v\nwant %s", tt.before, err, changed, want)
		}
	}
}

func TestRemoveRefuses(t *testing.T) {
	tests := []struct{ src, pointer, want string }{
		{"export const main = { tools: { a: 1 } }", "/tools/b", "main.tools.b: the source has nothing of that name"},
		{"export const main = { tools: { a: 1 } }", "", "main: the source has nothing of that name"},
		{"const x = { o: 1 }\nexport const main = { a: x, b: x }", "/a/o", "cannot be edited safely"},
	}
	for _, tt := range tests {
		s, err := ReadSource(tt.src, "main")
		if err == nil {
			_, err = s.Remove([]string{tt.pointer}, nil)
		}
		if err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%s: %v, want %s", tt.src, err, tt.want)
		}
	}
}

// pointersOf are those of all that is in a value.
func pointersOf(v ordjson.Value, at string) (list []string) {
	for _, m := range v.Members() {
		p := string(ordjson.AppendPointer([]byte(at), m.Key))
		list = append(append(list, p), pointersOf(m.Value, p)...)
	}
	for i, e := range v.Elems() {
		p := at + ordjson.Pointer(i)
		list = append(append(list, p), pointersOf(e, p)...)
	}
	return list
}

func decoded(t *testing.T, v ordjson.Value) (a any) {
	t.Helper()
	if err := json.Unmarshal(ordjson.Append(nil, v), &a); err != nil {
		t.Fatal(err)
	}
	return a
}

// dropped is a value without what is at a path.
func dropped(v any, path []string) any {
	if list, ok := v.([]any); ok {
		i, err := strconv.Atoi(path[0])
		if err != nil {
			panic(err)
		}
		if len(path) == 1 {
			return slices.Delete(list, i, i+1)
		}
		list[i] = dropped(list[i], path[1:])
		return list
	}
	object := v.(map[string]any)
	if len(path) == 1 {
		delete(object, path[0])
	} else {
		object[path[0]] = dropped(object[path[0]], path[1:])
	}
	return object
}

// written is an object or an array of any style.
func written(r *rand.Rand, depth int) string {
	any := func(of ...string) string { return of[r.IntN(len(of))] }
	space := func() string {
		return any("", " ", "\n", "\n    ", "\n\n", " /* c */ ", " // c\n", "\r\n", "\t")
	}
	brackets := any("{}", "[]")
	text, n := brackets[:1], r.IntN(4)
	for i := range n {
		text += space()
		if brackets == "{}" {
			text += strings.ReplaceAll(any("k0", "'k0'", `"k0"`, "0"), "0", strconv.Itoa(r.IntN(9))) + ":" + space()
		}
		if depth > 0 && r.IntN(2) == 0 {
			text += written(r, depth-1)
		} else {
			text += any("1", "'x, }'", "`]`", "null")
		}
		if text += space(); i < n-1 || r.IntN(2) == 0 {
			text += ","
		}
	}
	return text + space() + brackets[1:]
}

// Whatever is taken out of sources of any style: what is left is the value without
// it, in bytes that were there before.
func TestRemoveAnything(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for range 3000 {
		src := "export const main = { all: " + written(r, 3) + " }\n"
		s, err := ReadSource(src, "main")
		if err != nil {
			t.Fatalf("%v\n%s", err, src)
		}
		all := pointersOf(s.Value(), "")
		var some []string
		for range 1 + r.IntN(3) {
			p := all[r.IntN(len(all))]
			if !slices.ContainsFunc(some, func(q string) bool {
				return strings.HasPrefix(p+"/", q+"/") || strings.HasPrefix(q+"/", p+"/")
			}) {
				some = append(some, p)
			}
		}
		changed, err := s.Remove(some, nil)
		if err != nil {
			t.Fatalf("%s: %v\n%s", some, err, src)
		}
		text := changed.Text()
		after, err := ReadSource(text, "main")
		if err != nil {
			t.Fatalf("%s: %v\n%s", some, err, text)
		}
		want := decoded(t, s.Value())
		slices.Sort(some)
		for _, p := range slices.Backward(some) {
			want = dropped(want, strings.Split(p, "/")[1:])
		}
		if got := decoded(t, after.Value()); !reflect.DeepEqual(got, want) {
			t.Fatalf("without %s: got %v, want %v\n%s", some, got, want, text)
		}
		rest := src
		for i := range len(text) {
			at := strings.IndexByte(rest, text[i])
			if at < 0 {
				t.Fatalf("%s\nis no part of\n%s", text, src)
			}
			rest = rest[at+1:]
		}
	}
}

// What is left of a source of any kind is right, or it is refused.
func FuzzRemove(f *testing.F) {
	for _, src := range []string{
		"export const main = { tools: { a: 1, b: 2, }, x: [ 1,, 2 ] }\nexport const handlers = () => ({ a: { " +
			"preRequest() {} }, b: { q: { preRequest() {} } } })",
		"const x = { a: [] }\nexport const main = { // c\n\n a: x, /* d */ 'b': `}` // e\n\n}",
	} {
		f.Add(src, 0, "a")
		f.Add(src, 3, "b")
	}
	f.Fuzz(func(t *testing.T, src string, n int, handler string) {
		s, err := ReadSource(src, "main")
		if err != nil {
			return
		}
		all := pointersOf(s.Value(), "")
		if n < 0 || n >= len(all) {
			return
		}
		changed, err := s.Remove(all[n:n+1], []string{handler})
		if err != nil {
			return
		}
		text := changed.Text()
		after, err := ReadSource(text, "main")
		if err != nil {
			t.Fatalf("%v\n%q", err, text)
		}
		if lookup(s.Value(), all[n]).Exists() && len(pointersOf(after.Value(), "")) >= len(all) {
			t.Errorf("%s is still in %q", all[n], text)
		}
	})
}
