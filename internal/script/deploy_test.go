//go:build unix

package script

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/flowmcp/fmcp/internal/await"
	"github.com/flowmcp/fmcp/pkg/ordjson"
	"github.com/flowmcp/fmcp/pkg/yaml"
)

// deployed is a command line of scripts/deploy.
type deployed struct {
	file string
	args []string
}

// manifests are the documents of the YAML files in scripts/deploy/kubernetes, by file.
func manifests(t *testing.T) map[string][]ordjson.Value {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(repo, "scripts", "deploy", "kubernetes", "*.yaml"))
	if err != nil || len(files) < 5 {
		t.Fatal(files, err)
	}
	found := map[string][]ordjson.Value{}
	for _, file := range files {
		name := filepath.Base(file)
		for doc := range strings.SplitSeq(readFile(t, "scripts/deploy/kubernetes/"+name), "\n---\n") {
			v, err := yaml.Parse(doc)
			if err != nil {
				t.Fatal(name, err)
			}
			found[name] = append(found[name], v)
		}
	}
	return found
}

// containers calls do with the containers below a value, and the spec that each is in.
func containers(v ordjson.Value, do func(pod, container ordjson.Value)) {
	for _, list := range []string{"initContainers", "containers"} {
		for _, c := range v.Get(list).Elems() {
			do(v, c)
		}
	}
	for _, m := range v.Members() {
		containers(m.Value, do)
	}
}

func texts(v ordjson.Value) (list []string) {
	for _, e := range v.Elems() {
		list = append(list, e.Str())
	}
	return list
}

// commandsOf are the command lines of manifests and units, as the commands get them.
func commandsOf(t *testing.T) (list []deployed) {
	for file, docs := range manifests(t) {
		for _, doc := range docs {
			containers(doc, func(_, c ordjson.Value) {
				args := append(texts(c.Get("command")), texts(c.Get("args"))...)
				if c.Get("image").Str() == "fmcp-serve" { // whose entry point it is
					args = append([]string{"fmcp-serve"}, args...)
				}
				if strings.Contains(c.Get("image").Str(), "fmcp") {
					list = append(list, deployed{file, args})
				}
			})
		}
	}
	units, err := filepath.Glob(filepath.Join(repo, "scripts", "deploy", "systemd", "*.service"))
	if err != nil {
		t.Fatal(err)
	}
	for _, unit := range units {
		text := strings.ReplaceAll(readFile(t, "scripts/deploy/systemd/"+filepath.Base(unit)), "\\\n", " ")
		line := regexp.MustCompile(`(?m)^ExecStart=/usr/bin/(.*)$`).FindStringSubmatch(text)
		if line == nil {
			t.Fatalf("%s has no ExecStart", unit)
		}
		list = append(list, deployed{filepath.Base(unit), strings.Fields(line[1])})
	}
	return list
}

// host is a folder with all that the command lines name, whatever folder they name it in.
func host(t *testing.T) (dir string, place func(string) string) {
	t.Helper()
	dir = t.TempDir()
	for name, text := range map[string]string{"tokens": "0123456789abcdef", "state-key": strings.Repeat("0123", 8),
		"keys.env": "KEY=value\n", "creds": "none"} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	source := os.DirFS(filepath.Join(repo, "testdata", "catalog"))
	if err := os.CopyFS(filepath.Join(dir, "catalog"), source); err != nil {
		t.Fatal(err)
	}
	if out, status := start(t, dir, "fmcp-resolve", "-o", "catalog=catalog.ndjson", "catalog").end(); status != 0 {
		t.Fatal(status, out)
	}
	return dir, strings.NewReplacer("/etc/fmcp/", "", "/catalog/", "", "/plan/", "", "/var/lib/fmcp/", "",
		"${CREDENTIALS_DIRECTORY}/", "", "${CACHE_DIRECTORY}", "cache", "${STATE_DIRECTORY}/", "",
		"--http=0.0.0.0:8080", "--http=127.0.0.1:0", "--http=127.0.0.1:8081", "--http=127.0.0.1:0",
		"nats://nats:4222", "nats://127.0.0.1:1", "nats://127.0.0.1:4222", "nats://127.0.0.1:1").Replace
}

// The commands take the command lines that scripts/deploy has for them.
func TestDeployedCommands(t *testing.T) {
	dir, place := host(t)
	ran := map[string]bool{}
	for _, d := range commandsOf(t) {
		args := slices.Clone(d.args)
		if args[0] == "sh" {
			continue // TestDeployedBuild
		}
		for i := range args {
			args[i] = place(args[i])
		}
		if args[1] == "test" {
			args = append(args, "--delay=0s") // nobody answers
		}
		ran[d.file] = true
		p := start(t, dir, args...)
		switch {
		case args[0] == "fmcp-serve":
			await.Until(t, d.file+": the server listens", func() bool {
				return strings.Contains(p.stderr.String(), "listening on ")
			})
			_ = p.cmd.Process.Kill()
			p.wait()
		case slices.Contains(args, "--plan"):
			if _, status := p.end(); status != 0 {
				t.Errorf("%s: status %d, %s", d.file, status, p.stderr.String())
			}
			if n := strings.Count(readText(t, filepath.Join(dir, "plan.ndjson")), `"kind":"request"`); n < 10 {
				t.Errorf("%s: %d requests", d.file, n)
			}
		default: // there is no queue, and no upstream
			if _, status := p.end(); status == 0 || status == 2 {
				t.Errorf("%s: status %d, %s", d.file, status, p.stderr.String())
			}
		}
	}
	for _, file := range []string{"serve.yaml", "worker.yaml", "tests.yaml", "fmcp-serve.service", "fmcp-exec@.service",
		"fmcp-tests.service"} {
		if !ran[file] {
			t.Errorf("no command of %s was tried", file)
		}
	}
}

func readText(t *testing.T, path string) string {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// What the jobs of build.yaml and join.yaml make is the catalog of a single run.
func TestDeployedBuild(t *testing.T) {
	if _, err := exec.LookPath("bash"); err != nil {
		t.Skip("bash is missing; the image has a sh that knows pipefail")
	}
	dir, _ := host(t)
	want := readText(t, filepath.Join(dir, "catalog.ndjson"))
	if err := os.Remove(filepath.Join(dir, "catalog.ndjson")); err != nil {
		t.Fatal(err)
	}
	scripts := map[string][]string{}
	for _, d := range commandsOf(t) {
		if d.args[0] == "sh" {
			scripts[d.file] = d.args[1:]
		}
	}
	run := func(file, index string) {
		t.Helper()
		args := slices.Clone(scripts[file])
		args[len(args)-1] = strings.ReplaceAll(args[len(args)-1], "/catalog/", dir+"/")
		cmd := exec.CommandContext(t.Context(), "bash", args...)
		cmd.Dir = dir
		cmd.Env = append(os.Environ(), "JOB_COMPLETION_INDEX="+index, "PARTS=4")
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("%s: %v\n%s", file, err, out)
		}
	}
	for _, index := range []string{"2", "0", "3", "1"} {
		run("build.yaml", index)
	}
	run("join.yaml", "")
	if got := readText(t, filepath.Join(dir, "catalog.ndjson")); got != want {
		t.Errorf("another catalog: %s", firstDifference(got, want))
	}
}

// Figures that stand in several files agree.
func TestDeployedFiguresAgree(t *testing.T) {
	find := func(file, pattern string) string {
		t.Helper()
		m := regexp.MustCompile(`(?m)` + pattern).FindStringSubmatch(readFile(t, file))
		if m == nil {
			t.Fatalf("%s has no %s", file, pattern)
		}
		return m[1]
	}
	all := manifests(t)
	version := find("Makefile", `^VERSION \?= (\S+)$`)
	images := map[string]bool{"natsio/nats-box:0.19.2": true}
	for _, image := range all["kustomization.yaml"][0].Get("images").Elems() {
		images[image.Get("name").Str()] = true
		images[image.Get("newName").Str()+":"+image.Get("newTag").Str()] = true
		if tag := image.Get("newTag").Str(); tag != version {
			t.Errorf("the tag of %s is %s, and the version of Makefile is %s", image.Get("name").Str(), tag, version)
		}
	}
	user := find("Dockerfile", `^USER (\d+):`)
	find("Dockerfile", `^FROM \S+ AS (tools)$`)
	for file, docs := range all {
		for _, doc := range docs {
			containers(doc, func(pod, c ordjson.Value) {
				if !images[c.Get("image").Str()] {
					t.Errorf("%s: the image %q is not one of kustomization.yaml", file, c.Get("image").Str())
				}
				name, own, shared := c.Get("name").Str(), c.Get("securityContext"), pod.Get("securityContext")
				if shared.Get("runAsUser").NumberText() != user || !shared.Get("runAsNonRoot").True() {
					t.Errorf("%s: %s does not run as user %s of the image", file, name, user)
				}
				if !own.Get("readOnlyRootFilesystem").True() || !off(own.Get("allowPrivilegeEscalation")) ||
					!slices.Equal(texts(own.Get("capabilities").Get("drop")), []string{"ALL"}) {
					t.Errorf("%s: %s may do more than the others", file, name)
				}
				if !off(pod.Get("automountServiceAccountToken")) {
					t.Errorf("%s: %s gets a token of the cluster", file, name)
				}
			})
		}
	}
}

func off(v ordjson.Value) bool { return v.Is(ordjson.Bool) && !v.True() }
