//go:build unix

package script

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"

	"github.com/flowmcp/fmcp/pkg/ordjson"
	"github.com/flowmcp/fmcp/pkg/yaml"
)

// readYAML reads a file of the repository.
func readYAML(ts *testscript.TestScript, name string) ordjson.Value {
	text, err := os.ReadFile(filepath.Join(repo, name))
	ts.Check(err)
	v, err := yaml.Parse(string(text))
	ts.Check(err)
	return v
}

// actionCommand is "action STATUS [INPUT=VALUE…]": plays the runner of GitHub
// Actions for action.yml, in the script's folder. Its run steps are run by
// bash, as the runner does; of the step that sets up Go only the files are
// looked for, since Go is there. A \n in a value is a newline. What follows is
// in files: log, what a person would read; annotations, one a line, made of
// workflow commands and of problem matchers; outputs, NAME=VALUE.
func actionCommand(ts *testscript.TestScript, neg bool, args []string) {
	noNeg(ts, neg)
	if len(args) < 1 {
		ts.Fatalf("usage: action STATUS [INPUT=VALUE...]")
	}
	want, err := strconv.Atoi(args[0])
	ts.Check(err)
	r := &runner{ts: ts, inputs: map[string]string{}, outputs: map[string]string{}, temp: ts.MkAbs(".runner")}
	action := readYAML(ts, "action.yml")
	for _, m := range action.Get("inputs").Members() {
		r.inputs[m.Key] = m.Value.Get("default").Str()
	}
	for _, a := range args[1:] {
		name, value, ok := strings.Cut(a, "=")
		if _, known := r.inputs[name]; !ok || !known {
			ts.Fatalf("%q is not an input of action.yml", a)
		}
		r.inputs[name] = strings.ReplaceAll(value, `\n`, "\n")
	}
	ts.Check(os.MkdirAll(r.temp, 0o777))
	status := 0
	for _, step := range action.Get("runs").Get("steps").Elems() {
		if status == 0 { // a step that fails ends the job
			status = r.step(step)
		}
	}
	var outputs strings.Builder
	for _, m := range action.Get("outputs").Members() {
		fmt.Fprintf(&outputs, "%s=%s\n", m.Key, r.expand(m.Value.Get("value").Str()))
	}
	for name, text := range map[string]string{"outputs": outputs.String(), "log": r.log.String(),
		"annotations": r.annotations.String()} {
		ts.Check(os.WriteFile(ts.MkAbs(name), []byte(text), 0o666))
	}
	if status != want {
		ts.Fatalf("status %d, want %d\n%s", status, want, r.log.String())
	}
}

// runner is the runner of one job.
type runner struct {
	ts               *testscript.TestScript
	inputs, outputs  map[string]string // outputs by steps.ID.outputs.NAME
	temp             string
	matchers         []matcher
	stopped          string // what starts commands again, "" while they are obeyed
	log, annotations strings.Builder
}

var expression = regexp.MustCompile(`\$\{\{ *([^ ]+) *\}\}`)

// expand fills in expressions: inputs, the action's folder, outputs of steps.
func (r *runner) expand(text string) string {
	return expression.ReplaceAllStringFunc(text, func(e string) string {
		name := expression.FindStringSubmatch(e)[1]
		input, isInput := strings.CutPrefix(name, "inputs.")
		if value, ok := r.inputs[input]; isInput && ok {
			return value
		}
		if value, ok := r.outputs[name]; ok {
			return value
		}
		if name != "github.action_path" {
			r.ts.Fatalf("action.yml: %s has no value", e)
		}
		return repo
	})
}

// pinned is the one action that ours uses: a tag can be moved, a commit cannot.
var pinned = regexp.MustCompile(`^actions/setup-go@[0-9a-f]{40}$`)

// step runs a step and returns its status.
func (r *runner) step(step ordjson.Value) int {
	if uses := step.Get("uses").Str(); uses != "" {
		if !pinned.MatchString(uses) {
			r.ts.Fatalf("action.yml: the runner of this test has no %s, expected actions/setup-go@ and the hash of "+
				"a commit", uses)
		}
		for _, m := range step.Get("with").Members() {
			_, err := os.Stat(r.expand(m.Value.Str()))
			r.ts.Check(err)
		}
		return 0
	}
	run := step.Get("run").Str()
	if step.Get("shell").Str() != "bash" || expression.MatchString(run) {
		r.ts.Fatalf("action.yml: %q: expected a bash script without expressions", step.Get("name").Str())
	}
	script, output := filepath.Join(r.temp, "step.sh"), filepath.Join(r.temp, "output")
	r.ts.Check(os.WriteFile(script, []byte(run), 0o666))
	r.ts.Check(os.WriteFile(output, nil, 0o666))
	cmd := exec.Command("bash", "--noprofile", "--norc", "-eo", "pipefail", script)
	cmd.Dir = r.ts.Getenv("WORK")
	cmd.Env = append(os.Environ(), "GITHUB_ACTION_PATH="+repo, "GITHUB_OUTPUT="+output, "RUNNER_TEMP="+r.temp)
	for _, m := range step.Get("env").Members() {
		cmd.Env = append(cmd.Env, m.Key+"="+r.expand(m.Value.Str()))
	}
	printed, err := cmd.CombinedOutput()
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		r.ts.Check(err)
	}
	for line := range strings.Lines(string(printed)) {
		r.line(strings.TrimSuffix(line, "\n"))
	}
	text, err := os.ReadFile(output)
	r.ts.Check(err)
	for line := range strings.Lines(string(text)) {
		name, value, _ := strings.Cut(strings.TrimSuffix(line, "\n"), "=")
		r.outputs["steps."+step.Get("id").Str()+".outputs."+name] = value
	}
	return cmd.ProcessState.ExitCode()
}

// matcher is a problem matcher of one line.
type matcher struct {
	owner   string
	pattern *regexp.Regexp
	value   ordjson.Value
}

var (
	workflowCommand = regexp.MustCompile(`^::(error|warning|notice|add-matcher|remove-matcher|stop-commands) ` +
		`?([^:]*)::(.*)$`)
	unescaped = strings.NewReplacer("%25", "%", "%0D", "\r", "%0A", " / ", "%3A", ":", "%2C", ",")
)

// line looks at a line of the log as the runner does.
func (r *runner) line(line string) {
	if line == "::"+r.stopped+"::" {
		r.stopped = ""
		return
	}
	if m := workflowCommand.FindStringSubmatch(line); m != nil && r.stopped == "" {
		switch m[1] {
		case "stop-commands":
			r.stopped = m[3]
		case "add-matcher":
			r.addMatchers(m[3])
		case "remove-matcher":
			before := len(r.matchers)
			r.matchers = slices.DeleteFunc(r.matchers, func(x matcher) bool { return "owner="+x.owner == m[2] })
			if len(r.matchers) == before {
				r.ts.Fatalf("no matcher has the %s", m[2])
			}
		default:
			fmt.Fprintf(&r.annotations, "%s %s: %s\n", m[1], unescaped.Replace(m[2]), unescaped.Replace(m[3]))
		}
		return
	}
	r.log.WriteString(line + "\n")
	for _, m := range r.matchers {
		groups := m.pattern.FindStringSubmatch(line)
		if groups == nil {
			continue
		}
		part := func(name string) string {
			if g := m.value.Get("pattern").Index(0).Get(name); g.Exists() {
				return groups[int(g.Float())]
			}
			return m.value.Get(name).Str()
		}
		fmt.Fprintf(&r.annotations, "%s file=%s,line=%s,col=%s,code=%s: %s\n", part("severity"), part("file"),
			part("line"), part("column"), part("code"), part("message"))
		return
	}
}

func (r *runner) addMatchers(path string) {
	text, err := os.ReadFile(path)
	r.ts.Check(err)
	v, err := ordjson.Parse(string(text))
	r.ts.Check(err)
	for _, m := range v.Get("problemMatcher").Elems() {
		pattern := regexp.MustCompile(m.Get("pattern").Index(0).Get("regexp").Str())
		r.matchers = append(r.matchers, matcher{m.Get("owner").Str(), pattern, m})
	}
}

// hookFields are those of pre-commit's hook definitions that may be used here.
var hookFields = []string{"id", "name", "description", "entry", "language", "files", "require_serial", "pass_filenames",
	"args"}

// hookCommand is "hook STATUS ID FILE…": does what pre-commit does for a hook
// of .pre-commit-hooks.yaml when the files are staged: chooses those that it is
// for, and, where there is one, runs its entry with them. What it would build
// with go install are the commands of this test.
func hookCommand(ts *testscript.TestScript, neg bool, args []string) {
	noNeg(ts, neg)
	if len(args) < 2 {
		ts.Fatalf("usage: hook STATUS ID FILE...")
	}
	hooks := readYAML(ts, ".pre-commit-hooks.yaml").Elems()
	i := slices.IndexFunc(hooks, func(h ordjson.Value) bool { return h.Get("id").Str() == args[1] })
	if i < 0 {
		ts.Fatalf(".pre-commit-hooks.yaml has no hook %s", args[1])
	}
	hook := hooks[i]
	for _, m := range hook.Members() {
		if !slices.Contains(hookFields, m.Key) {
			ts.Fatalf("hook %s: the test does not know the field %s", args[1], m.Key)
		}
	}
	words := strings.Fields(hook.Get("entry").Str())
	if _, err := os.Stat(filepath.Join(bin, words[0])); err != nil || hook.Get("language").Str() != "golang" {
		ts.Fatalf("hook %s: go install builds no %s", args[1], words[0])
	}
	for _, a := range hook.Get("args").Elems() {
		words = append(words, a.Str())
	}
	files := regexp.MustCompile(hook.Get("files").Str())
	staged := slices.DeleteFunc(slices.Clone(args[2:]), func(f string) bool { return !files.MatchString(f) })
	if len(staged) == 0 {
		words = []string{"true"} // "no files to check" is success
	} else if pass := hook.Get("pass_filenames"); !pass.Exists() || pass.True() {
		words = append(words, staged...)
	}
	runCommand(ts, false, append([]string{args[0]}, words...))
}

// Our own workflow checks a commit by what anyone can run, and names actions by the
// hash of a commit as the action does.
func TestWorkflow(t *testing.T) {
	text, err := os.ReadFile(filepath.Join(repo, ".github/workflows/ci.yml"))
	if err != nil {
		t.Fatal(err)
	}
	workflow, err := yaml.Parse(string(text))
	if err != nil {
		t.Fatal(err)
	}
	hash := regexp.MustCompile(`^actions/[a-z-]+@[0-9a-f]{40}$`)
	var runs []string
	for _, job := range workflow.Get("jobs").Members() {
		for _, step := range job.Value.Get("steps").Elems() {
			if uses := step.Get("uses").Str(); uses != "" && !hash.MatchString(uses) {
				t.Errorf("%s: expected an action of GitHub's and the hash of a commit", uses)
			}
			if run := step.Get("run").Str(); run != "" && job.Key == "ci" {
				runs = append(runs, run)
			}
		}
	}
	if !slices.Equal(runs, []string{".ci/run"}) {
		t.Errorf("the job ci runs %q, expected .ci/run and nothing else", runs)
	}
}
