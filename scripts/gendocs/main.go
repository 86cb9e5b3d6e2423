// Gendocs runs the examples of the documentation and holds the pages to what
// they really print.
//
//	go run ./scripts/gendocs [-w] [-rules FOLDER] [-types FOLDER] [-reference FILE] FILE...
//
// An example is a block fenced as console. A line that starts with "$ " is a
// command, lines that start with "> " continue it, all else is output. A comment
// <!-- run: COMMAND --> above a block fenced as json stands for a command whose
// JSON output is shown there, indented.
//
// A comment <!-- file: NAME --> above a block writes the block into that file,
// for the commands below it.
//
// A comment <!-- fields: KIND --> above a table says that the table names all
// fields of that kind of record, and no others.
//
// The commands of a page run in order in a folder of the page's own, which
// holds testdata/catalog, ostermoor.zip and mistakes.zip, with bin/ on PATH and the demo's upstream answering.
// A command must succeed; a page that shows a failure says so, with
// "|| echo …". A block fenced as sh holds commands that CI runs itself: each of
// its lines must be in .ci/run.
//
// The pages of the rules, in the folder of -rules, are made of pkg/rules and
// the examples of the rules alone. The page of -reference and the files in the folder of
// -types are made of pkg/fields.
//
// With -w the output is written into the pages, without it a difference is an
// error.
package main

import (
	"errors"
	"flag"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"

	fixtures "github.com/flowmcp/fmcp/testdata/rules"
)

func main() {
	write := flag.Bool("w", false, "write the output into the pages")
	ruleDir := flag.String("rules", "", "the folder of the pages of the rules")
	typesDir := flag.String("types", "", "the folder of flowmcp.d.ts and the JSON Schemas")
	reference := flag.String("reference", "", "the page of all fields")
	inside := flag.Bool("inside", false, "the upstream is running (gendocs sets this itself)")
	flag.Parse()
	if err := run(*write, *inside, made{*ruleDir, *typesDir, *reference}, flag.Args()); err != nil {
		var exit *exec.ExitError
		if errors.As(err, &exit) {
			os.Exit(max(exit.ExitCode(), 1)) // the program that failed has said why
		}
		fmt.Fprintf(os.Stderr, "gendocs: %v\n", err)
		os.Exit(1)
	}
}

// caFile is where a page's commands find the certificate of the upstream.
const caFile = "bin/gendocs/ca.pem"

// made are the files that are made of tables, by the folder that they are in; "" is none.
type made struct{ rules, types, reference string }

// update writes them, or says where they differ; it returns how many do.
func (m made) update(write bool) (stale int, err error) {
	for _, of := range []struct {
		dir, names string // which files of the folder are made
		files      func(fs.FS) (map[string]string, error)
	}{
		{m.rules, "*.md", rulePages},
		{m.types, "*", typeFiles},
		{filepath.Dir(m.reference), filepath.Base(m.reference), func(fsys fs.FS) (map[string]string, error) {
			page, err := referencePage(fsys)
			return map[string]string{filepath.Base(m.reference): page}, err
		}},
	} {
		if of.dir == "" || m.reference == "" && of.names == "." {
			continue
		}
		files, err := of.files(fixtures.FS)
		if err != nil {
			return stale, err
		}
		n, err := updateMade(of.dir, of.names, files, write)
		if err != nil {
			return stale, err
		}
		stale += n
	}
	return stale, nil
}

// run runs itself again below the upstream, and there goes through the pages.
func run(write, inside bool, tables made, pages []string) error {
	if !inside {
		return underUpstream()
	}
	ci, err := os.ReadFile(".ci/run")
	if err != nil {
		return err
	}
	stale, err := tables.update(write)
	if err != nil {
		return err
	}
	for _, page := range pages {
		changed, err := update(page, string(ci), write)
		if err != nil {
			return fmt.Errorf("%s: %w", page, err)
		}
		if changed && !write {
			stale++
		}
	}
	if stale > 0 && !write {
		return fmt.Errorf("%d pages differ from what the commands print: run make docs and look at the "+
			"difference", stale)
	}
	return nil
}

// underUpstream runs this program again as the child of the demo's upstream.
func underUpstream() error {
	self, err := os.Executable()
	if err != nil {
		return err
	}
	if err := os.MkdirAll(filepath.Dir(caFile), 0o755); err != nil {
		return err
	}
	const upstream = "bin/gendocs/upstream"
	build := exec.Command("go", "build", "-trimpath", "-o", upstream, "./scripts/demo/upstream")
	build.Stderr = os.Stderr
	if err := build.Run(); err != nil {
		return err
	}
	args := append([]string{"-ca", caFile, "--", self, "-inside"}, os.Args[1:]...)
	cmd := exec.Command(upstream, args...)
	cmd.Stdout, cmd.Stderr = os.Stdout, os.Stderr
	return cmd.Run()
}

// update runs the examples of a page. It reports whether the page changed, and
// says where.
func update(page, ci string, write bool) (bool, error) {
	text, err := os.ReadFile(page)
	if err != nil {
		return false, err
	}
	box, err := newSandbox()
	if err != nil {
		return false, err
	}
	defer box.remove()
	after, err := rewrite(string(text), ci, box.run)
	if err != nil || after == string(text) {
		return false, err
	}
	if write {
		return true, os.WriteFile(page, []byte(after), 0o644)
	}
	reportDifference(page, string(text), after)
	return true, nil
}
