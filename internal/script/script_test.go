//go:build unix

// Package script runs the seven commands as users do: as processes, joined by
// pipes and ended by signals, from the scripts under testdata/script.
package script

import (
	"flag"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"
)

var update = flag.Bool("update", false, "write what the commands print into the scripts' golden files")

// repo is the root of the repository, bin the folder of the built commands.
var repo, bin string

func TestMain(m *testing.M) {
	flag.Parse()
	os.Exit(run(m))
}

func run(m *testing.M) int {
	// Under nohup the commands would inherit that they are not hung up.
	signal.Notify(make(chan os.Signal, 1), syscall.SIGHUP)
	var err error
	if repo, err = filepath.Abs("../.."); err != nil {
		return broken(err)
	}
	if bin, err = os.MkdirTemp("", "fmcp-script-"); err != nil {
		return broken(err)
	}
	defer os.RemoveAll(bin)
	if err := os.Chmod(bin, 0o755); err != nil { // a test runs a command as another user
		return broken(err)
	}
	if err := build(); err != nil {
		return broken(err)
	}
	if err := os.Setenv("GORACE", noExitSleep); err != nil {
		return broken(err)
	}
	path := bin + string(os.PathListSeparator) + os.Getenv("PATH")
	if err := os.Setenv("PATH", path); err != nil {
		return broken(err)
	}
	return m.Run()
}

// noExitSleep is $GORACE for the commands: the race detector would have each
// sleep a second when it ends.
const noExitSleep = "atexit_sleep_ms=0"

func broken(err error) int {
	fmt.Fprintln(os.Stderr, err)
	return 1
}

// build builds the commands once, as small as those of make build, and with the race
// detector where the test has it.
func build() error {
	args := []string{"build", "-ldflags=-s -w", "-o", bin}
	cgo := "CGO_ENABLED=0"
	if raceEnabled {
		args, cgo = append(args, "-race"), "CGO_ENABLED=1"
	}
	cmd := exec.Command("go", append(args, "./cmd/...")...)
	cmd.Dir = repo
	cmd.Env = append(os.Environ(), cgo)
	if out, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("%s: %w\n%s", strings.Join(cmd.Args, " "), err, out)
	}
	return nil
}

func TestScripts(t *testing.T) {
	testscript.Run(t, testscript.Params{
		Dir:                filepath.Join(repo, "testdata", "script"),
		UpdateScripts:      *update,
		ContinueOnError:    true,
		RequireUniqueNames: true,
		Setup:              setup,
		Cmds: map[string]func(*testscript.TestScript, bool, []string){
			"run":      runCommand,
			"action":   actionCommand,
			"hook":     hookCommand,
			"same":     sameCommand,
			"records":  recordsCommand,
			"upstream": upstreamCommand,
			"mkfile":   mkfileCommand,
			"lines":    linesCommand,
			"feed":     feedCommand,
			"fence":    fenceCommand,
		},
	})
}

// setup gives every script the catalog of the repository, one of an API that
// upstream starts, and a messy one, a server parameter that must never be printed, and a file that holds another.
func setup(env *testscript.Env) error {
	for dir, from := range map[string]string{"catalog": "testdata/catalog", "api": "testdata/script/api"} {
		if err := os.CopyFS(filepath.Join(env.WorkDir, dir), os.DirFS(filepath.Join(repo, from))); err != nil {
			return err
		}
	}
	if err := messyCatalog(env.WorkDir); err != nil {
		return err
	}
	keys := []byte("# server parameters\nPARCELBIRD_TOKEN=" + fileCanary + "\n")
	if err := os.WriteFile(filepath.Join(env.WorkDir, "keys.env"), keys, 0o600); err != nil {
		return err
	}
	examples, err := filepath.Abs(filepath.Join(repo, "testdata", "examples"))
	if err != nil {
		return err
	}
	env.Setenv("EXAMPLES", examples) // of chapters
	env.Setenv("PARCELBIRD_TOKEN", envCanary)
	env.Setenv("FMCP_ENV", "PARCELBIRD_TOKEN")
	env.Setenv("GORACE", noExitSleep)
	s := &state{t: env.T().(testing.TB), work: env.WorkDir}
	env.Values[stateKey{}] = s
	env.Defer(s.checkCanaries)
	return nil
}
