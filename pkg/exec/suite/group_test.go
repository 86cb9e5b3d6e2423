package suite_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/flowmcp/fmcp/pkg/exec"
	"github.com/flowmcp/fmcp/pkg/exec/suite"
	"github.com/flowmcp/fmcp/pkg/record"
	"github.com/flowmcp/fmcp/pkg/record/recordtest"
)

// groupRecord is a resolved selection or agent; rest are further members of its
// data.
func groupRecord(id, rest string) string {
	parts := strings.Split(id, "/")
	data := `"namespace":"` + parts[0] + `","name":"` + parts[2] + `","description":""`
	for _, field := range []string{"tools", "skills", "resources", "prompts"} {
		if !strings.Contains(rest, `"`+field+`":`) {
			data += `,"` + field + `":[]`
		}
	}
	return `{"v":1,"kind":"resolved","id":"` + id + `","type":"` + parts[1] + `","data":{` + data + rest +
		`,"src":{"path":"` + parts[1] + `s/x.mjs","pointer":""},"hashes":{}}}`
}

// skillRecord is a resolved skill; prefill are the elements of that.
func skillRecord(id, content, prefill string) string {
	parts := strings.Split(id, "/")
	return `{"v":1,"kind":"resolved","id":"` + id + `","type":"skill","data":{"namespace":"` + parts[0] +
		`","name":"` + parts[2] + `","version":"flowmcp/4.0.0","description":"d","scope":{"type":"namespace","of":["` +
		parts[0] + `"]},"whenToUse":"w","output":"o","requires":{"tools":[],"resources":[],"external":[]},"input":[` +
		`{"key":"whom","type":"string","description":"d","required":true},` +
		`{"key":"n","type":"number","description":"d","required":true}],"prefill":[` + prefill + `],"content":"` +
		content + `","src":{"path":"skills/x.mjs","pointer":""},"hashes":{}}}`
}

func promptRecord(id, content string) string {
	parts := strings.Split(id, "/")
	return `{"v":1,"kind":"resolved","id":"` + id + `","type":"prompt","data":{"namespace":"` + parts[0] +
		`","name":"` + parts[2] + `","version":"flowmcp-prompt/1.0.0","description":"d","scope":{"type":"namespace",` +
		`"of":["` + parts[0] + `"]},"content":"` + content +
		`","src":{"path":"prompts/x.mjs","pointer":""},"hashes":{}}}`
}

// dry runs the dry tests of a target and returns a short line for each result.
func dry(t *testing.T, target string, lines ...string) string {
	t.Helper()
	for _, line := range lines {
		if err := recordtest.Check([]byte(line)); err != nil {
			t.Fatal(err)
		}
	}
	p := &suite.Plan{}
	if err := p.Target(catalogOf(t, lines...), target); err != nil {
		t.Fatal(err)
	}
	runner := suite.NewRunner(&exec.Caller{}, suite.Options{Mode: record.TestDryRun})
	var tally suite.Tally
	var out []string
	for _, c := range p.Cases() {
		res := runner.Run(t.Context(), c)
		tally.Add(res)
		if err := recordtest.Check(res.AppendJSON(nil)); err != nil {
			t.Error(err)
		}
		line := fmt.Sprintf("%s %d %s", res.ID, res.Test.Index, res.Test.Outcome)
		for _, m := range res.Test.Members {
			line += fmt.Sprintf(" [%s %s %s %d %d/%d/%d]", m.Type, m.ID, m.Outcome, m.Tests, m.Passed, m.Failed,
				m.Skipped)
		}
		out = append(out, strings.TrimSpace(line+" "+strings.Join(res.Messages, "; ")))
	}
	return strings.Join(out, "\n")
}

func TestGroups(t *testing.T) {
	price := toolRecord("coins/tool/price", "coins/simple", "x.mjs", three)
	empty := toolRecord("coins/tool/empty", "coins/simple", "x.mjs", "")
	bad := toolRecord("coins/tool/bad", "coins/simple", "x.mjs",
		`,"tests":[{"_description":"Six","n":6},{"_description":"One","n":1}]`)
	const prices = "coins/tool/price 0 passed\ncoins/tool/price 1 passed\ncoins/tool/price 2 passed\n"
	for _, tt := range []struct {
		name, target string
		lines        []string
		want         string
	}{
		{"all pass", "a/selection/b", []string{price, groupRecord("a/selection/b", `,"tools":["coins/tool/price"]`)},
			prices + "a/selection/b -1 passed [tool coins/tool/price passed 3 3/0/0]"},
		{"one fails", "a/selection/b",
			[]string{bad, price, groupRecord("a/selection/b", `,"tools":["coins/tool/price","coins/tool/bad"]`)},
			prices + "coins/tool/bad 0 failed EXE012 bad: …\ncoins/tool/bad 1 passed\n" +
				"a/selection/b -1 failed [tool coins/tool/price passed 3 3/0/0] [tool coins/tool/bad failed 2 1/1/0] " +
				"EXE059 a/selection/b: 1 of 2 members pass; these fail: coins/tool/bad"},
		{"nothing to run", "a/selection/b",
			[]string{empty, groupRecord("a/selection/b", `,"tools":["coins/tool/empty"]`)},
			"coins/tool/empty -1 skipped EXE061 empty: …\na/selection/b -1 skipped [tool coins/tool/empty skipped 1 " +
				"0/0/1] EXE061 a/selection/b: no test of a member was run"},
		{"members of all types that are missing", "a/selection/*",
			[]string{groupRecord("a/selection/b", `,"skills":["a/skill/s"],"prompts":["a/prompt/p"],`+
				`"resources":["a/resource/r"],"own":["skill mine"]`)},
			"a/skill/s -1 failed EXE001 …\na/resource/r -1 failed EXE001 …\na/prompt/p -1 failed EXE001 …\n" +
				"mine -1 failed EXE001 mine: no skill \"mine\", which a/selection/b names\n" +
				"a/selection/b -1 failed [skill a/skill/s failed 1 0/1/0] [resource a/resource/r failed 1 0/1/0] " +
				"[prompt a/prompt/p failed 1 0/1/0] [skill mine failed 1 0/1/0] EXE059 a/selection/b: 0 of 4 members " +
				"pass; these fail: a/skill/s, a/resource/r, a/prompt/p, mine"},
		{"skills and prompts", "a/selection/b", []string{price, bad,
			skillRecord("a/skill/plain", "Ask {{tool:coins/price}}.", ``),
			skillRecord("a/skill/lost", "Ask {{tool:coins/prize}}, {{prefill:coins/tool/price}}.", ``),
			skillRecord("coins/skill/filled", "It is {{prefill:coins/tool/price}}.",
				`{"tool":"coins/tool/price","params":{"n":1}}`),
			skillRecord("coins/skill/abroad", "It is {{prefill:evm/tool/price}}.",
				`{"tool":"evm/tool/price"},{"tool":"coins/resource/none"}`),
			promptRecord("a/prompt/p", "{{input:whatever}} of {{tool:coins/price}}"),
			groupRecord("a/selection/b", `,"skills":["a/skill/plain","a/skill/lost","coins/skill/filled",`+
				`"coins/skill/abroad"],"prompts":["a/prompt/p"]`)},
			"a/skill/plain 0 passed\n" +
				"a/skill/lost 0 failed EXE093 a/skill/lost: {{tool:coins/prize}}: Tool 'coins/prize' not found; " +
				"EXE093 a/skill/lost: {{prefill:coins/tool/price}}: Prefill 'coins/tool/price' not found\n" +
				"coins/skill/filled 0 passed\ncoins/skill/filled 1 passed\n" +
				"coins/skill/abroad 0 passed\n" +
				"coins/skill/abroad 1 failed EXE094 coins/skill/abroad: prefill[0] evm/tool/price: Tool " +
				"'evm/tool/price' not found; EXE094 …\n" +
				"a/prompt/p 0 passed\n" +
				"a/selection/b -1 failed [skill a/skill/plain passed 1 1/0/0] [skill a/skill/lost failed 1 0/1/0] " +
				"[skill coins/skill/filled passed 2 2/0/0] [skill coins/skill/abroad failed 2 1/1/0] " +
				"[prompt a/prompt/p passed 1 1/0/0] EXE059 a/selection/b: 3 of 5 members pass; these fail: " +
				"a/skill/lost, coins/skill/abroad"},
		{"a member is missing", "a/selection/b",
			[]string{price, groupRecord("a/selection/b", `,"tools":["coins/tool/prize"]`)},
			"coins/tool/prize -1 failed EXE001 coins/tool/prize: no tool \"coins/tool/prize\", which a/selection/b " +
				"names (did you mean \"coins/tool/price\"?)\n" +
				"a/selection/b -1 failed [tool coins/tool/prize failed 1 0/1/0] EXE059 a/selection/b: 0 of 1 members " +
				"pass; these fail: coins/tool/prize"},
		{"a member of two is tested once", "*/*/*",
			[]string{price, groupRecord("a/selection/b", `,"tools":["coins/tool/price"]`),
				groupRecord("a/selection/c", `,"tools":["coins/tool/price"]`)},
			prices +
				"a/selection/b -1 passed [tool coins/tool/price passed 3 3/0/0]\n" +
				"a/selection/c -1 passed [tool coins/tool/price passed 3 3/0/0]"},
		{"an agent", "a/agent/a", []string{price, groupRecord("a/selection/b", `,"tools":["coins/tool/price"]`),
			groupRecord("a/agent/a", `,"selections":["a/selection/b"],"tests":[{"_description":"P","input":"?",`+
				`"expectedTools":["coins/tool/price"]},{"input":"?","expectedTools":["coins/tool/price"]},7,`+
				`{"_description":"E","input":1,"expectedTools":[]}]`)},
			prices + "a/agent/a 0 checked\na/agent/a 1 failed EXE062 a/agent/a: the test has no _description: say " +
				"what it shows (TST002)\n" +
				"a/agent/a 2 failed EXE062 a/agent/a: tests[2] is number, expected an object with _description, " +
				"input and expectedTools\n" +
				"a/agent/a 3 failed EXE069 a/agent/a: tests[3]: input is missing, expected what a user would type " +
				"(TST009); expectedTools is missing or empty, expected Spec-IDs of tools (TST010)\n" +
				"a/agent/a -1 failed [tool coins/tool/price passed 3 3/0/0] [agent a/agent/a failed 4 0/3/0] EXE059 " +
				"a/agent/a: 1 of 2 members pass; these fail: a/agent/a"},
		{"an agent whose tests need a model", "a/agent/a",
			[]string{empty, groupRecord("a/agent/a",
				`,"tools":["coins/tool/empty"],"tests":[{"_description":"E","input":"?",`+
					`"expectedTools":["coins/tool/empty"]}]`)},
			"coins/tool/empty -1 skipped EXE061 empty: …\na/agent/a 0 checked\n" +
				"a/agent/a -1 checked [tool coins/tool/empty skipped 1 0/0/1] " +
				"[agent a/agent/a checked 1 0/0/0]"},
		{"selections that name each other", "a/selection/b", []string{price,
			groupRecord("a/selection/b", `,"tools":["coins/tool/price"]`),
			groupRecord("a/agent/a", `,"selections":["a/selection/b","a/selection/b","a/selection/none"],`+
				`"tools":["coins/tool/price"]`)},
			prices + "a/selection/b -1 passed [tool coins/tool/price passed 3 3/0/0]"},
		{"a selection is missing", "a/agent/a",
			[]string{price, groupRecord("a/agent/a", `,"selections":["a/selection/none"]`)},
			"a/selection/none -1 failed EXE001 a/selection/none: no selection \"a/selection/none\", which " +
				"a/agent/a names\n" +
				"a/agent/a -1 failed [selection a/selection/none failed 1 0/1/0] EXE059 a/agent/a: 0 of 1 members " +
				"pass; these fail: a/selection/none"},
	} {
		got := dry(t, tt.target, tt.lines...)
		gots, wants := strings.Split(got, "\n"), strings.Split(tt.want, "\n")
		for i, want := range wants {
			start, cut := strings.CutSuffix(want, "…")
			if len(gots) != len(wants) || cut && !strings.HasPrefix(gots[i], start) || !cut && gots[i] != want {
				t.Errorf("%s:\n%s\nwant\n%s", tt.name, got, tt.want)
				break
			}
		}
	}
}

func TestNoGroup(t *testing.T) {
	c := catalogOf(t, groupRecord("a/selection/b", ""))
	for target, want := range map[string]string{
		"a/selection/bb": `no selection "a/selection/bb" (did you mean "a/selection/b"?)`,
		"x/agent/yyyyyy": `no agent "x/agent/yyyyyy"`,
	} {
		if err := (&suite.Plan{}).Target(c, target); err == nil || err.Error() != want {
			t.Errorf("%s: %v", target, err)
		}
	}
}

// TestHostileGroups: thousands of members, there or not, take no more than they
// should.
func TestHostileGroups(t *testing.T) {
	var lines, known, lost, resources []string
	for i := range 3000 {
		id := fmt.Sprintf("coins/tool/t%d", i)
		lines, known = append(lines, toolRecord(id, "coins/simple", "x.mjs", "")), append(known, `"`+id+`"`)
		lost = append(lost, fmt.Sprintf(`"lost/tool/t%d"`, i))
	}
	for i := range 200 {
		resources = append(resources, fmt.Sprintf(`"lost/resource/r%d"`, i))
	}
	lines = append(lines, groupRecord("a/selection/b",
		`,"tools":[`+strings.Join(append(known, lost...), ",")+`],"resources":[`+strings.Join(resources, ",")+`]`))
	p := &suite.Plan{}
	if err := p.Target(catalogOf(t, lines...), "a/selection/b"); err != nil {
		t.Fatal(err)
	}
	runner := suite.NewRunner(&exec.Caller{}, suite.Options{Mode: record.TestDryRun})
	var tally suite.Tally
	for _, c := range p.Cases() {
		res := runner.Run(t.Context(), c)
		tally.Add(res)
		if c.IsAggregate() && len(res.Test.Members) != 6200 {
			t.Errorf("%d members", len(res.Test.Members))
		}
	}
	if n := len(p.Cases()); n != 6201 {
		t.Errorf("%d cases", n)
	}
}
