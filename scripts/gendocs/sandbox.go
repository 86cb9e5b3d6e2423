package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"time"

	"github.com/flowmcp/fmcp/scripts/gtfs/feed"
)

// sandbox is the folder in which the commands of one page run.
type sandbox struct {
	dir string
	env []string
}

// newSandbox makes a folder with what the examples may count on: the demo
// catalog, the certificate of its upstream, two GTFS feeds, and the commands
// on PATH.
func newSandbox() (*sandbox, error) {
	root, err := os.Getwd()
	if err != nil {
		return nil, err
	}
	dir, err := os.MkdirTemp("", "gendocs")
	if err != nil {
		return nil, err
	}
	box := &sandbox{dir: dir, env: []string{
		"PATH=" + filepath.Join(root, "bin") + string(os.PathListSeparator) + os.Getenv("PATH"),
		"HOME=" + dir, "LC_ALL=C", "TERM=dumb",
	}}
	if err := os.CopyFS(filepath.Join(dir, "testdata/catalog"), os.DirFS("testdata/catalog")); err != nil {
		return box, err
	}
	for name, mistakes := range map[string][]string{
		"ostermoor.zip": nil,
		"mistakes.zip":  {"b7-0700,7:06:00", "b7-0700,6:06:00", "workday,b7-1200", "workdays,b7-1200"},
	} {
		var zip bytes.Buffer
		if err := feed.Pack(&zip, mistakes...); err != nil {
			return box, err
		}
		if err := os.WriteFile(filepath.Join(dir, name), zip.Bytes(), 0o644); err != nil {
			return box, err
		}
	}
	ca, err := os.ReadFile(caFile)
	if err != nil {
		return box, err
	}
	return box, os.WriteFile(filepath.Join(dir, "ca.pem"), ca, 0o644)
}

func (s *sandbox) remove() { _ = os.RemoveAll(s.dir) }

// timeout is far more than any example needs.
const timeout = time.Minute

// run runs a command as a user types it, and returns what a terminal would
// show.
func (s *sandbox) run(command string) (string, error) {
	ctx, cancel := context.WithTimeout(context.Background(), timeout)
	defer cancel()
	cmd := exec.CommandContext(ctx, "sh", "-c", command)
	cmd.Dir, cmd.Env = s.dir, s.env
	cmd.WaitDelay = time.Second
	var out bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &out
	err := cmd.Run()
	var exit *exec.ExitError
	if errors.As(err, &exit) {
		return "", fmt.Errorf("exit status %d\n%s", exit.ExitCode(), out.Bytes())
	}
	return out.String(), err
}
