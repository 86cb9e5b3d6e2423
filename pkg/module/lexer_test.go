package module

import (
	"errors"
	"strings"
	"testing"

	"github.com/flowmcp/fmcp/pkg/words"
)

// kindMarks are what tokensOf prints for the kinds whose text alone does not
// tell them.
var kindMarks = map[Kind]string{Regex: "R:", Template: "T:", String: "S:", Number: "N:", PrivateName: "P:"}

// tokensOf prints the tokens of src, separated by blanks.
func tokensOf(src string) (string, error) {
	tokens := Tokenize(src)
	var list []string
	for i, t := range tokens.List[:len(tokens.List)-1] {
		list = append(list, kindMarks[t.Kind]+tokens.Text(i))
	}
	return strings.Join(list, " "), tokens.Err
}

func TestLexer(t *testing.T) {
	tests := []struct{ name, src, want string }{
		{"division after a name", `a / b / c`, "a / b / c"},
		{"division after a number", `1 /2/ 3`, "N:1 / N:2 / N:3"},
		{"division after a string", `'a' /b/ c`, "S:'a' / b / c"},
		{"division after a bracket", `a[0] /b/ c`, "a [ N:0 ] / b / c"},
		{"division after a call", `f(x) /b/ c`, "f ( x ) / b / c"},
		{"division after a template", "`a` /b/ c", "T:`a` / b / c"},
		{"division after a template with an expression", "`a${b}` /c/ d", "T:`a${ b T:}` / c / d"},
		{"division after ++", `a++ /b/ c`, "a ++ / b / c"},
		{"division after a regular expression", `/a/ / /b/`, "R:/a/ / R:/b/"},
		{"division after an object", `x = { a: 1 } /b/ c`, "x = { a : N:1 } / b / c"},
		{"division after an object in parentheses", `({}) / 1 / 2`, "( { } ) / N:1 / N:2"},
		{"division after this, null, true", `this /1/ null /2/ true /3/ 4`,
			"this / N:1 / null / N:2 / true / N:3 / N:4"},
		{"/= is an operator", `a /= b /= c`, "a /= b /= c"},
		{"/= starts a regular expression", `x = /=a/`, "x = R:/=a/"},
		{"regular expression at the start", `/a/g.test(b)`, "R:/a/g . test ( b )"},
		{"after =", `x = /['"]/g`, "x = R:/['\"]/g"},
		{"after (", `f(/a/, /b/)`, "f ( R:/a/ , R:/b/ )"},
		{"after return", `return /a/`, "return R:/a/"},
		{"after typeof and others", `typeof /a/ in /b/ instanceof /c/; void /d/; delete /e/; throw /f/`,
			"typeof R:/a/ in R:/b/ instanceof R:/c/ ; void R:/d/ ; delete R:/e/ ; throw R:/f/"},
		{"after case and else", `case /a/: else /b/`, "case R:/a/ : else R:/b/"},
		{"after =>", `x => /a/`, "x => R:/a/"},
		{"after a conditional", `a ? /b/ : /c/`, "a ? R:/b/ : R:/c/"},
		{"after if (…)", `if (a) /b/.test(c)`, "if ( a ) R:/b/ . test ( c )"},
		{"after while (…)", `while (a) /b/.test(c)`, "while ( a ) R:/b/ . test ( c )"},
		{"after a block", `if (a) { b } /c/.test(d)`, "if ( a ) { b } R:/c/ . test ( d )"},
		{"after a function declaration", `function f() { } /c/.test(d)`, "function f ( ) { } R:/c/ . test ( d )"},
		{"after a statement", `a; /b/.test(c)`, "a ; R:/b/ . test ( c )"},
		{"slash in a class", `x = /[/]/ + /[\]/]/`, "x = R:/[/]/ + R:/[\\]/]/"},
		{"escaped slash", `x = /\// + /a\/b/`, "x = R:/\\// + R:/a\\/b/"},
		{"quotes and backquotes", "x = /['\"`]/", "x = R:/['\"`]/"},
		{"comment marks", `x = /[/*]/, y = /\/\//`, "x = R:/[/*]/ , y = R:/\\/\\//"},
		{"keywords as properties", `a.return / b / c; a?.typeof / b / c; a . in / b / c`,
			"a . return / b / c ; a ?. typeof / b / c ; a . in / b / c"},
		{"if as a method", `a.if(b) / c / d`, "a . if ( b ) / c / d"},
		{"spread of a regular expression", `[.../a/]`, "[ ... R:/a/ ]"},
		{"template", "`a`", "T:`a`"},
		{"template with an expression", "`a${b}c`", "T:`a${ b T:}c`"},
		{"templates in templates", "`a${`b${`c${d}`}`}e`", "T:`a${ T:`b${ T:`c${ d T:}` T:}` T:}e`"},
		{"object in a template", "`${{ a: {} }.a}`", "T:`${ { a : { } } . a T:}`"},
		{"function in a template", "`${x.map((y) => { return `}${y}` })}`",
			"T:`${ x . map ( ( y ) => { return T:`}${ y T:}` } ) T:}`"},
		{"regular expression in a template", "`${/}/.test(a)}`", "T:`${ R:/}/ . test ( a ) T:}`"},
		{"division in a template", "`${a / b}${c /d/ e}`", "T:`${ a / b T:}${ c / d / e T:}`"},
		{"escapes in a template", "`\\`\\${a}$b{c}\\\\`", "T:`\\`\\${a}$b{c}\\\\`"},
		{"quotes in a template", "`'\"//`", "T:`'\"//`"},
		{"strings", `'a\'b' "c\"d" 'e\\'`, `S:'a\'b' S:"c\"d" S:'e\\'`},
		{"continued string", "'a\\\r\nb'", "S:'a\\\r\nb'"},
		{"comments", "a // b\n/* c */ d /**/ e /*/ f */ g //", "a d e g"},
		{"comment marks in strings", `'//' "/*" b`, `S:'//' S:"/*" b`},
		{"operators", `a>>>=b===c**=d??=e?.f=>g...h!==i`, "a >>>= b === c **= d ??= e ?. f => g ... h !== i"},
		{"?. before a digit", `a?.5:b`, "a ? N:.5 : b"},
		{"numbers", `0x1F 0b1 0o7 1_0 .5 5. 1e-3 10n 1..a`, "N:0x1F N:0b1 N:0o7 N:1_0 N:.5 N:5. N:1e-3 N:10n N:1. . a"},
		{"private names", `#a in b; this.#c`, "P:#a in b ; this . P:#c"},
		{"wide names", `ä = 变量 + \u0061b`, `ä = 变量 + \u0061b`},
		{"hashbang and a line separator", "#!/x 'y\u2028a", "a"},
		{"hashbang and a paragraph separator", "#!/x 'y\u2029a", "a"},
		{"++ before a regular expression", `++/'/.lastIndex; x = --/"/.lastIndex`,
			`++ R:/'/ . lastIndex ; x = -- R:/"/ . lastIndex`},
		{"++ of the next line", "a\n++/'/.lastIndex", "a ++ R:/'/ . lastIndex"},
		{"++ after if (…)", "if (a) ++/'/.lastIndex", "if ( a ) ++ R:/'/ . lastIndex"},
		{"++ after an operand", "a[0]++ / b++ /c/ (d)++ / e", "a [ N:0 ] ++ / b ++ / c / ( d ) ++ / e"},
		{"names of Unicode 15.1 and later", "a\u30fb = x\uff65 / \U000105c0 / y", "a\u30fb = x\uff65 / \U000105c0 / y"},
		{"byte order mark and hashbang", "\ufeff#!/x 'y\na", "a"},
		{"wide space", "a\u00a0b\u2028c\ufeffd", "a b c d"},
		{"conditional in a block", `{ a ? { b: 1 } /2/ 3 : 4 }`, "{ a ? { b : N:1 } / N:2 / N:3 : N:4 }"},
		{"object after a colon", `x = { a: { } /1/ 2 }`, "x = { a : { } / N:1 / N:2 }"},
		{"division after a function that is a value",
			`x = function ( a = () => { } ) { } /1/ 2; y = [ async function* f() { } /3/ 4, () => function () { ` +
				`} /5/ 6 ]`,
			"x = function ( a = ( ) => { } ) { } / N:1 / N:2 ; y = [ async function * f ( ) { } / N:3 / N:4 , ( ) => " +
				"function ( ) { } / N:5 / N:6 ]"},
		{"division after a class that is a value",
			`x = class { a() { } } /1/ 2; return class A extends b( {} ) { } /3/ 4`,
			"x = class { a ( ) { } } / N:1 / N:2 ; return class A extends b ( { } ) { } / N:3 / N:4"},
		{"after functions and classes that are declared",
			"async function f() { } /1/.a\nexport default function () { } /2/.b\nclass A { } /3/.c; a\n" +
				"function g() { } /4/.d",
			"async function f ( ) { } R:/1/ . a export default function ( ) { } R:/2/ . b class A { } R:/3/ . c ; a " +
				"function g ( ) { } R:/4/ . d"},
		{"function and class as names", `x = { a, function: { } /1/ 2, class: 3 }; if( a.class ) { } /4/.b`,
			"x = { a , function : { } / N:1 / N:2 , class : N:3 } ; if ( a . class ) { } R:/4/ . b"},
		{"after what ends with its line",
			"let a\n/1/.b; var c\n/2/.d; debugger\n/3/.e; let f /4/ 5; g\n/6/ 7; h.let i\n/8/ 9",
			"let a R:/1/ . b ; var c R:/2/ . d ; debugger R:/3/ . e ; let f / N:4 / N:5 ; g / N:6 / N:7 ; h . let i " +
				"/ N:8 / N:9"},
		{"after for await (…)", `for await (const a of b) /1/.c; await (d) /2/ 3`,
			"for await ( const a of b ) R:/1/ . c ; await ( d ) / N:2 / N:3"},
		{"of in a loop", `for (const a of /b/g) { } for ({ of } of /c/) ; for (of = of /1/ 2; ;) ;`,
			"for ( const a of R:/b/g ) { } for ( { of } of R:/c/ ) ; for ( of = of / N:1 / N:2 ; ; ) ;"},
		{"of as a name", `x = of / 2; y = a.of / 2; z = ( of /3/ 4 )`,
			"x = of / N:2 ; y = a . of / N:2 ; z = ( of / N:3 / N:4 )"},
		{"block after a label", `a: { } /1/.test(b)`, "a : { } R:/1/ . test ( b )"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got, err := tokensOf(tt.src)
			if err != nil || got != tt.want {
				t.Errorf("%s\n got %s (%v)\nwant %s", tt.src, got, err, tt.want)
			}
		})
	}
}

func TestLexerErrors(t *testing.T) {
	tests := []struct {
		src    string
		offset int
		msg    string
	}{
		{"a 'b", 2, "string is not closed"},
		{"'a\n'", 0, "before the end of the line"},
		{"a `b", 2, "template literal is not closed"},
		{"`a${b", 5, "expected }"},
		{"`a${b}", 5, "template literal is not closed"},
		{"a /* b", 2, "comment is not closed"},
		{"x = /a", 4, "regular expression is not closed"},
		{"x = /a\n/", 4, "regular expression is not closed"},
		{"x = /[/]", 4, "regular expression is not closed"},
		{"(a", 2, "expected )"},
		{"[a", 2, "expected ]"},
		{"{a", 2, "expected }"},
		{"(a]", 2, "expected )"},
		{"a)", 1, "nothing is open"},
		{"a @ b", 2, "unexpected character '@'"},
		{"a # b", 3, "unexpected character"},
		{"a \u200b b", 2, "unexpected character"},
		{"08", 0, "start with 0"},
		{"1a", 0, "malformed number"},
		{`\x`, 0, `expected \u`},
		{`\u{110000}`, 0, `\u needs`},
		{strings.Repeat("(", 2000), 100, "nested deeper"},
		{strings.Repeat("`${", 2000), 300, "nested deeper"},
	}
	for _, tt := range tests {
		_, err := tokensOf(tt.src)
		var syntax *words.SyntaxError
		if !errors.As(err, &syntax) || !strings.Contains(syntax.Message, tt.msg) || syntax.Offset != tt.offset {
			t.Errorf("%.40q: %v, want %q at byte %d", tt.src, err, tt.msg, tt.offset)
		}
	}
}

func TestNewlineBefore(t *testing.T) {
	for gap, want := range map[string]bool{
		"\n": true, "\r": true, "\r\n": true, "\u2028": true, "\u2029": true,
		" // x\n": true, "/*\n*/": true, "/* \u2029 */": true, "//\u2028": true,
		" ": false, "\t": false, "/**/": false, "\u00a0": false,
	} {
		tokens := Tokenize("a" + gap + "b")
		if tokens.Err != nil || len(tokens.List) != 3 || tokens.List[0].NewlineBefore ||
			tokens.List[1].NewlineBefore != want {
			t.Errorf("%q: %+v (%v), want %v", gap, tokens.List, tokens.Err, want)
		}
	}
}

// Brackets know their partners, and the pieces of a template the next one.
func TestMatch(t *testing.T) {
	tokens := Tokenize("f( [ `a${ { b } }c${ d }e` ] )")
	var got []string
	for i := range tokens.List {
		if tokens.Opens(i) {
			got = append(got, tokens.Text(i)+" "+tokens.Text(int(tokens.List[i].Match)))
		}
	}
	if want := "( )|[ ]|`a${ }c${|{ }|}c${ }e`"; strings.Join(got, "|") != want {
		t.Errorf("%q, want %q", got, want)
	}
	open := Tokenize("a( [ b ]")
	if open.Err == nil || open.Kind(int(open.List[1].Match)) != EOF || !open.Opens(1) || !open.Closes(4) ||
		open.List[4].Match != 2 {
		t.Errorf("%+v (%v)", open.List, open.Err)
	}
}
