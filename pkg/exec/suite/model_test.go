//go:build unix

package suite_test

import (
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/flowmcp/fmcp/internal/await"
	"github.com/flowmcp/fmcp/pkg/exec"
	"github.com/flowmcp/fmcp/pkg/exec/fetch"
	"github.com/flowmcp/fmcp/pkg/exec/suite"
	"github.com/flowmcp/fmcp/pkg/record"
	"github.com/flowmcp/fmcp/pkg/record/recordtest"
)

// asked runs the test of an agent that expects a call of coins/tool/price and two
// texts, with a command as its model.
func asked(t *testing.T, mode record.TestMode, command string, limit time.Duration) *suite.Result {
	t.Helper()
	p := &suite.Plan{}
	if err := p.Target(catalogOf(t, toolRecord("coins/tool/price", "coins/simple", "x.mjs", three),
		toolRecord("coins/tool/list", "coins/simple", "x.mjs", three),
		groupRecord("a/agent/a", `,"model":"m/x","systemPrompt":"You price coins.","maxRounds":3,"maxTokens":99,`+
			`"tools":["coins/tool/price","coins/tool/list"],"tests":[{"_description":"P","input":"What is it?",`+
			`"expectedTools":["coins/tool/price"],"expectedContent":["Price","eur"]}]`)), "a/agent/a"); err != nil {
		t.Fatal(err)
	}
	client, err := fetch.NewClient(fetch.Options{})
	if err != nil {
		t.Fatal(err)
	}
	cases := p.Cases()
	one := cases[len(cases)-2] // before the aggregate
	runner := suite.NewRunner(&exec.Caller{Client: client},
		suite.Options{Mode: mode, Model: &suite.Model{Command: command, Time: limit}})
	res := runner.Run(t.Context(), one)
	if err := recordtest.Check(res.AppendJSON(nil)); err != nil {
		t.Error(err)
	}
	return res
}

// The calls and the answer decide, however the command names the tools; what it
// prints otherwise, or does not, is told.
func TestModelCommand(t *testing.T) {
	for _, tt := range []struct{ name, command, want string }{
		{"by MCP name", `echo '{"calls":[{"tool":"price_coins"}],"answer":"The PRICE is 3 EUR"}'`, "passed"},
		{"by Spec-ID, and others", `echo '{"calls":[{"tool":"coins/tool/list"},{"tool":"coins/tool/price",` +
			`"arguments":{"n":1}}],"answer":"price, eur","usage":{"tokens":1}}'`, "passed"},
		{"no call", `echo '{"calls":[],"answer":"price eur"}'`,
			"failed EXE096 a/agent/a: expected a call of coins/tool/price, found no call"},
		{"another call and text", `echo '{"calls":[{"tool":"coins/tool/list"}],"answer":"The price"}'`,
			`failed EXE096 a/agent/a: expected a call of coins/tool/price, found coins/tool/list; expected "eur" in ` +
				`the answer, found "The price"`},
		{"a tool of others", `echo '{"calls":[{"tool":"price_coins"},{"tool":"rm"}],"answer":"price eur"}'`,
			`failed EXE096 a/agent/a: called "rm", which the agent does not have`},
		{"no JSON", `echo Hello`, `failed EXE095 a/agent/a: the model command printed "Hello\n": `},
		{"nothing", `true`, `failed EXE095 a/agent/a: the model command printed "": `},
		{"no object", `echo '[]'`,
			`failed EXE095 a/agent/a: the model command printed "[]\n": found array; expected {`},
		{"no calls", `echo '{"answer":""}'`, `failed EXE095 a/agent/a: the model command printed ` +
			`"{\"answer\":\"\"}\n": calls is no array`},
		{"no answer", `echo '{"calls":[]}'`, `failed EXE095 a/agent/a: the model command printed ` +
			`"{\"calls\":[]}\n": answer is no string`},
		{"no tool", `echo '{"calls":[{}],"answer":""}'`, `failed EXE095 a/agent/a: the model command printed ` +
			`"{\"calls\":[{}],\"answer\":\"\"}\n": calls[0].tool is no name`},
		{"a failure", `echo first >&2; echo 'no credit' >&2; exit 4`,
			"failed EXE095 a/agent/a: the model command failed: exit status 4: no credit"},
		{"no such command", `no-such-model-command`, "failed EXE095 a/agent/a: the model command failed: exit status " +
			"127"},
		{"too much", `yes`, "failed EXE095 a/agent/a: the model command printed more than 4194304 bytes, expected {"},
	} {
		res := asked(t, record.TestRun, tt.command, time.Minute)
		got := strings.TrimSpace(string(res.Test.Outcome) + " " + strings.Join(res.Messages, "; "))
		if !strings.HasPrefix(got, tt.want) || tt.want == "passed" && got != tt.want {
			t.Errorf("%s: %s\nwant %s", tt.name, got, tt.want)
		}
		if answered := strings.Contains(strings.ToLower(res.Test.Answer), "price"); answered ==
			strings.Contains(tt.want, "EXE095") {
			t.Errorf("%s: the answer is %q", tt.name, res.Test.Answer)
		}
		if tt.want == "passed" && res.Test.CalledTools[len(res.Test.CalledTools)-1] != "coins/tool/price" {
			t.Errorf("%s: called %v", tt.name, res.Test.CalledTools)
		}
	}
}

// What the command reads is one line of JSON.
func TestModelQuestion(t *testing.T) {
	file := filepath.Join(t.TempDir(), "question")
	asked(t, record.TestRun, "cat > '"+file+"'", time.Minute)
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	const want = `{"v":1,"agent":"a/agent/a","test":0,"model":"m/x","systemPrompt":"You price coins.",` +
		`"input":"What is it?","maxRounds":3,"maxTokens":99,"tools":[{"name":"price_coins","id":"coins/tool/price",`
	if !strings.HasPrefix(string(text), want) || !strings.HasSuffix(string(text), "}]}\n") ||
		!strings.Contains(string(text), `"inputSchema":{`) || strings.Count(string(text), "\n") != 1 {
		t.Errorf("%s\nwant %s", text, want)
	}
}

// A command that does not end is ended, and what it has started with it.
func TestModelTimeout(t *testing.T) {
	file := filepath.Join(t.TempDir(), "pid")
	res := asked(t, record.TestRun, "sleep 600 & echo $! > '"+file+"'; wait", 2*time.Second)
	if got := strings.Join(res.Messages, ""); !strings.Contains(got, "EXE095 a/agent/a: the model command did not end "+
		"within 2s: raise --model-timeout") {
		t.Error(got)
	}
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	pid, err := strconv.Atoi(strings.TrimSpace(string(text)))
	if err != nil {
		t.Fatal(err)
	}
	await.Until(t, "the end of what the command has started", func() bool { return gone(pid) })
}

// gone reports whether a process has ended, be it that nobody has asked for its
// status yet.
func gone(pid int) bool {
	stat, err := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/stat")
	if err == nil {
		return strings.Contains(string(stat), ") Z ")
	}
	return syscall.Kill(pid, 0) != nil
}

// A dry run asks nobody.
func TestModelDryRun(t *testing.T) {
	file := filepath.Join(t.TempDir(), "asked")
	res := asked(t, record.TestDryRun, "echo > '"+file+"'", time.Minute)
	if _, err := os.Stat(file); err == nil || res.Test.Outcome != record.TestChecked {
		t.Errorf("%s, %v", res.Test.Outcome, err)
	}
}
