//go:build unix

package script

import (
	"bytes"
	"context"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// A stage of a pipe that is killed is noticed by the last one, which --require-end is
// enough for: the status is 3, and the catalog that was there stays.
func TestKilledStageIsNoticed(t *testing.T) {
	for _, last := range [][]string{
		{"fmcp-resolve", "--require-end", "-o", "catalog=catalog.ndjson"},
		{"fmcp-grade", "--require-end"},
	} {
		t.Run(last[0], func(t *testing.T) {
			dir := t.TempDir()
			file := filepath.Join(dir, "catalog.ndjson")
			if err := os.WriteFile(file, []byte("as it was\n"), 0o666); err != nil {
				t.Fatal(err)
			}
			status, said := killLoad(t, dir, last)
			const why = "fmcp-validate says in its end record that what it read was cut or filtered (LOD040), and " +
				"--require-end is given"
			if status != 3 || !strings.Contains(said, why) {
				t.Errorf("status %d, %s", status, said)
			}
			if now, err := os.ReadFile(file); err != nil || string(now) != "as it was\n" {
				t.Errorf("the catalog is now %.100s, %v", now, err)
			}
		})
	}
}

// killLoad kills fmcp-load in a pipe that it is the start of, when it has written a part
// of its records, and returns the status of the last command and its stderr.
func killLoad(t *testing.T, dir string, last []string) (int, string) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	var said bytes.Buffer
	stage := func(args ...string) *exec.Cmd {
		c := exec.CommandContext(ctx, filepath.Join(bin, args[0]), args[1:]...)
		c.Dir = dir
		return c
	}
	scanned, err := stage("fmcp-scan", filepath.Join(repo, "testdata/catalog")).Output()
	fatal(t, err)
	load, validate, end := stage("fmcp-load"), stage("fmcp-validate", "--pass=all"), stage(last...)
	end.Stderr = &said
	in, err := load.StdinPipe()
	fatal(t, err)
	records, err := load.StdoutPipe()
	fatal(t, err)
	out, err := validate.StdinPipe()
	fatal(t, err)
	end.Stdin, err = validate.StdoutPipe()
	fatal(t, err)
	for _, c := range []*exec.Cmd{load, validate, end} {
		fatal(t, c.Start())
	}
	lines := bytes.SplitAfter(scanned, []byte("\n"))
	_, err = in.Write(bytes.Join(lines[:len(lines)-2], nil)) // all but the end record
	fatal(t, err)
	_, err = io.CopyN(out, records, 1000)
	fatal(t, err)
	fatal(t, load.Process.Kill())
	_, err = io.Copy(out, records)
	fatal(t, err)
	_ = load.Wait()
	fatal(t, out.Close())
	_ = end.Wait()
	_ = validate.Wait()
	return end.ProcessState.ExitCode(), said.String()
}

func fatal(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
