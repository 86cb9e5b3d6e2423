package module

import (
	"bufio"
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/flowmcp/fmcp/pkg/ordjson"
	"github.com/flowmcp/fmcp/pkg/words"
)

// runner imports the modules of its folder one after the other and prints for
// each, as a JSON line, what Node makes of it.
const runner = `
import { createHash } from 'node:crypto'
const canonical = (v) => Array.isArray(v) ? '[' + v.map(canonical).join(',') + ']'
	: v && typeof v === 'object' ? '{' + Object.keys(v).sort().map((k) => JSON.stringify(k) + ':' + canonical(v[k])).join(',') + '}'
	: JSON.stringify(v)
const hash = (text) => createHash('sha256').update(text).digest('hex')
for (let i = 0; i < Number(process.argv[2]); i++) {
	const line = {}
	try {
		const module = await import('./' + i + '.mjs')
		if (!('main' in module)) {
			line.missing = true
		} else {
			line.text = JSON.stringify(module.main)
			if (line.text !== undefined) {
				const plain = JSON.parse(line.text)
				if (plain && typeof plain === 'object' && !Array.isArray(plain)) delete plain.schemaHash
				line.mainHash = hash(line.text)
				line.schemaHash = hash(canonical(plain)).slice(0, 8)
			}
		}
	} catch (e) {
		line.error = e instanceof SyntaxError ? 'SyntaxError' : 'other'
	}
	for (const proto of [Object.prototype, Array.prototype]) { delete proto.toJSON; delete proto.x }
	console.log(JSON.stringify(line))
}
`

// verdict is what Node says of a module.
type verdict struct {
	Text       *string `json:"text"` // JSON.stringify(main)
	MainHash   string  `json:"mainHash"`
	SchemaHash string  `json:"schemaHash"`
	Missing    bool    `json:"missing"` // no export main
	Error      string  `json:"error"`   // SyntaxError, other
}

// askNode runs Node over the sources; ok is false if there is none.
func askNode(t *testing.T, sources []string) (verdicts []verdict, ok bool) {
	t.Helper()
	node, err := exec.LookPath("node")
	if err != nil {
		if os.Getenv("CI") == "true" {
			t.Fatal("node is not on PATH, and CI must compare with it: install Node 20 or newer")
		}
		t.Log("node is not on PATH: nothing was compared")
		return nil, false
	}
	dir := t.TempDir()
	write := func(name, text string) {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	write("runner.mjs", runner)
	for i, src := range sources {
		write(fmt.Sprintf("%d.mjs", i), src)
	}
	cmd := exec.CommandContext(t.Context(), node, filepath.Join(dir, "runner.mjs"), fmt.Sprint(len(sources)))
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("node: %v: %s", err, stderr.Bytes())
	}
	lines := bufio.NewReader(bytes.NewReader(out))
	for range sources {
		line, err := lines.ReadBytes('\n')
		if err != nil {
			t.Fatalf("node answered %d of %d modules: %s", len(verdicts), len(sources), stderr.Bytes())
		}
		var v verdict
		if err := json.Unmarshal(line, &v); err != nil {
			t.Fatal(err)
		}
		verdicts = append(verdicts, v)
	}
	return verdicts, true
}

// disagreement says how what we read of src differs from what Node reads, or
// "". What Node runs but is not a literal, we must call so; what is a syntax
// error, we must not accept.
func disagreement(src string, node verdict) string {
	var v ordjson.Value
	m, err := Read(src)
	if err == nil {
		v, err = m.Value("main")
	}
	var (
		syntax *words.SyntaxError
		not    *NotLiteralError
	)
	switch {
	case node.Error == "SyntaxError":
		if err == nil {
			return "a SyntaxError in Node, we read " + ordjson.Text(v)
		}
		return ""
	case errors.As(err, &syntax):
		return "valid in Node, we say: " + err.Error()
	case node.Missing:
		if !errors.Is(err, ErrNoExport) {
			return fmt.Sprintf("no export in Node, we say %v", err)
		}
		return ""
	case errors.As(err, &not):
		return ""
	case err != nil:
		return "exported in Node, we say: " + err.Error()
	case node.Error != "":
		return "throws in Node, we read " + ordjson.Text(v)
	case node.Text == nil:
		return "no JSON in Node, we read " + ordjson.Text(v)
	}
	text := ordjson.Text(v)
	main := sha256.Sum256([]byte(text))
	canonical := sha256.Sum256(ordjson.AppendCanonical(nil, v.Without("schemaHash")))
	if v.Kind() != ordjson.Object {
		canonical = sha256.Sum256(ordjson.AppendCanonical(nil, v))
	}
	switch {
	case text != *node.Text:
		return "we read " + text + "\nNode reads " + *node.Text
	case hex.EncodeToString(main[:]) != node.MainHash:
		return "mainHash differs"
	case hex.EncodeToString(canonical[:4]) != node.SchemaHash:
		return "schemaHash differs"
	}
	return ""
}

// isLiteral reports whether main is read without running code.
func isLiteral(src string) bool {
	m, err := Read(src)
	if err != nil {
		return false
	}
	_, err = m.Value("main")
	return err == nil
}

func TestHandPickedAgainstNode(t *testing.T) {
	type want struct {
		src     string
		literal bool // must be read without running code
		valid   bool // must be valid in Node: the test of the test
	}
	var all []want
	for _, e := range literalExpressions {
		all = append(all, want{"export const main = " + e, true, true})
	}
	for _, e := range otherExpressions {
		all = append(all, want{"const one = 1, obj = { a: 1 }, list = [1];\nexport const main = " + e + "\n",
			false, true})
	}
	for _, e := range brokenExpressions {
		all = append(all, want{"export const main = " + e, false, false})
	}
	for _, m := range literalModules {
		all = append(all, want{m, true, true})
	}
	for _, m := range otherModules {
		all = append(all, want{m, false, true})
	}
	for _, m := range brokenModules {
		all = append(all, want{m, false, false})
	}
	parsed := len(all)
	for _, m := range unparsedModules {
		all = append(all, want{m, true, false})
	}
	sources := make([]string, len(all))
	for i, w := range all {
		sources[i] = w.src
		if got := isLiteral(w.src); got != w.literal {
			m, err := Read(w.src)
			if err == nil {
				_, err = m.Value("main")
			}
			t.Errorf("%q is read as literal: %v (%v), want %v", w.src, got, err, w.literal)
		}
	}
	verdicts, ok := askNode(t, sources)
	if !ok {
		return
	}
	for i, w := range all {
		if (verdicts[i].Error != "SyntaxError") != w.valid {
			t.Errorf("%q: Node says %q, the table says valid %v", w.src, verdicts[i].Error, w.valid)
		}
		if d := disagreement(w.src, verdicts[i]); i < parsed && d != "" {
			t.Errorf("%q: %s", w.src, d)
		}
	}
	t.Logf("%d modules compared", len(all))
}

func TestGeneratedAgainstNode(t *testing.T) {
	const count = 3500
	sources := make([]string, count)
	literal, syntaxErrors := 0, 0
	for i := range sources {
		g := &generator{rand: rand.New(rand.NewPCG(2, uint64(i)))}
		sources[i] = g.module()
		if isLiteral(sources[i]) {
			literal++
		}
	}
	verdicts, ok := askNode(t, sources)
	if !ok {
		return
	}
	failed := 0
	for i, v := range verdicts {
		if v.Error == "SyntaxError" {
			syntaxErrors++
		}
		d := disagreement(sources[i], v)
		if d == "" && v.Text != nil && !isLiteral(sources[i]) {
			m, err := Read(sources[i])
			if err == nil {
				_, err = m.Value("main")
			}
			d = fmt.Sprintf("not read as literal: %v", err)
		}
		if d != "" {
			if failed++; failed <= 10 {
				t.Errorf("module %d: %s\n%q", i, d, sources[i])
			}
		}
	}
	t.Logf("%d modules compared: %d literal, %d syntax errors, %d failed", count, literal, syntaxErrors, failed)
	if literal < count*8/10 || syntaxErrors == 0 {
		t.Errorf("the generator makes %d literal modules and %d syntax errors of %d: it tests too little", literal,
			syntaxErrors, count)
	}
}
