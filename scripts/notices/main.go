// Notices writes the licences of the modules that the commands link, which must
// be shipped with every command. With -check it fails if the file is not what
// it would write.
package main

import (
	"bytes"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
)

func main() {
	check := flag.Bool("check", false, "write nothing, and fail where FILE differs")
	flag.Parse()
	if err := run(flag.Arg(0), *check); err != nil {
		fmt.Fprintln(os.Stderr, "notices:", err)
		os.Exit(1)
	}
}

func run(file string, check bool) error {
	modules, err := linked()
	if err != nil {
		return err
	}
	var b bytes.Buffer
	b.WriteString("Notices of the modules that the commands of fmcp link. Written by make notices.\n")
	for _, m := range modules {
		if err := m.notice(&b); err != nil {
			return err
		}
	}
	if !check {
		return os.WriteFile(file, b.Bytes(), 0o644)
	}
	have, err := os.ReadFile(file)
	if err == nil && !bytes.Equal(have, b.Bytes()) {
		err = fmt.Errorf("%s is not current: run make notices", file)
	}
	return err
}

type module struct{ path, version, dir string }

// linked are the modules of the commands, on each system that they are built
// for, and Go's own library.
func linked() ([]module, error) {
	var list []module
	for _, system := range []string{"linux", "darwin", "windows"} {
		cmd := exec.Command("go", "list", "-deps", "-f",
			"{{with .Module}}{{if not .Main}}{{.Path}}\t{{.Version}}\t{{.Dir}}{{end}}{{end}}", "./cmd/...")
		cmd.Env = append(os.Environ(), "GOOS="+system, "GOARCH=amd64", "CGO_ENABLED=0")
		cmd.Stderr = os.Stderr
		out, err := cmd.Output()
		if err != nil {
			return nil, fmt.Errorf("go list for %s: %w", system, err)
		}
		for line := range strings.Lines(string(out)) {
			if f := strings.Split(strings.TrimSpace(line), "\t"); len(f) == 3 {
				list = append(list, module{f[0], f[1], f[2]})
			}
		}
	}
	slices.SortFunc(list, func(a, b module) int { return strings.Compare(a.path, b.path) })
	root, err := exec.Command("go", "env", "GOROOT").Output()
	return append([]module{{"The Go standard library", "", strings.TrimSpace(string(root))}},
		slices.Compact(list)...), err
}

// notice writes the files of a module that are about its licence.
func (m module) notice(b *bytes.Buffer) error {
	entries, err := os.ReadDir(m.dir)
	if err != nil {
		return err
	}
	found := false
	for _, e := range entries {
		name := strings.ToUpper(e.Name())
		if e.IsDir() || !slices.ContainsFunc([]string{"LICENSE", "LICENCE", "COPYING", "NOTICE"},
			func(p string) bool { return strings.HasPrefix(name, p) }) {
			continue
		}
		text, err := os.ReadFile(filepath.Join(m.dir, e.Name()))
		if err != nil {
			return err
		}
		fmt.Fprintf(b, "\n%s\n%s: %s\n\n%s\n", strings.Repeat("=", 80), strings.TrimSpace(m.path+" "+m.version),
			e.Name(), bytes.TrimSpace(bytes.ReplaceAll(text, []byte("\r\n"), []byte("\n"))))
		found = true
	}
	if !found {
		return fmt.Errorf("%s %s has no file about its licence in %s", m.path, m.version, m.dir)
	}
	return nil
}
