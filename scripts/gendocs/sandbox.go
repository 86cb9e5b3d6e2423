package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	"github.com/flowmcp/fmcp/pkg/edit"
	"github.com/flowmcp/fmcp/scripts/gtfs/feed"
)

// sandbox is the folder in which the commands of one page run.
type sandbox struct {
	dir string
	env []string
}

// newSandbox makes a folder with what the examples may count on: the demo
// catalog, an agent for it, the certificate of its upstream, two GTFS feeds, and the commands
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
	for _, folder := range []string{"testdata/catalog", "testdata/agents"} {
		if err := os.CopyFS(filepath.Join(dir, folder), os.DirFS(folder)); err != nil {
			return box, err
		}
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

// pageAddress is the address that pages and the demo's schemas name.
const pageAddress = "localhost:18443"

// run runs a command as a user types it, and returns what a terminal would
// show. The upstream of this run has a port of its own: for a command that
// names the address, or replays answers of it, command and files say that port,
// and the output and the files say afterwards what the page says. Other commands never see the port,
// since the hashes that they print are those of the demo's files; a schema that
// says another port leaves out its hash.
func (s *sandbox) run(command string) (string, error) {
	if !strings.Contains(command, pageAddress) && !strings.Contains(command, "--replay ") {
		return s.shell(command)
	}
	here := os.Getenv("UPSTREAM")
	before := map[string]string{}
	to := strings.NewReplacer(pageAddress, here, hashField, "//"+hashField)
	err := s.rewriteFiles(pageAddress, func(path, text string) string {
		before[path] = text
		return to.Replace(text)
	})
	if err != nil {
		return "", err
	}
	out, err := s.shell(strings.ReplaceAll(command, pageAddress, here))
	if err != nil {
		return "", err
	}
	back := strings.NewReplacer(here, pageAddress, "//"+hashField, hashField)
	err = s.rewriteFiles(here, func(path, text string) string {
		old, there := before[path]
		if !there {
			old = text
		}
		return edit.Renew(old, back.Replace(text)) // a schema that the command made or changed
	})
	return strings.ReplaceAll(out, here, pageAddress), err
}

// hashField is how the hash begins in the source of a schema.
const hashField = "schemaHash: '"

// rewriteFiles rewrites the files of the folder that name an address.
func (s *sandbox) rewriteFiles(address string, with func(path, text string) string) error {
	return filepath.WalkDir(s.dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || !d.Type().IsRegular() {
			return err
		}
		text, err := os.ReadFile(path)
		if err != nil || !bytes.Contains(text, []byte(address)) {
			return err
		}
		return os.WriteFile(path, []byte(with(path, string(text))), 0o644)
	})
}

// shell runs a command in the folder.
func (s *sandbox) shell(command string) (string, error) {
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
