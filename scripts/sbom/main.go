// Sbom writes the bill of materials of a release: the modules that the commands
// in an archive link, as the commands themselves say it, in the form of CycloneDX.
//
//	go run ./scripts/sbom VERSION ARCHIVE FILE
//
// The licences of the modules are in THIRD_PARTY_NOTICES, which is in the archive.
package main

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"compress/gzip"
	"debug/buildinfo"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path"
	"runtime/debug"
	"slices"
	"strings"
)

func main() {
	if len(os.Args) != 4 {
		fmt.Fprintln(os.Stderr, "usage: sbom VERSION ARCHIVE FILE")
		os.Exit(2)
	}
	if err := run(os.Args[1], os.Args[2], os.Args[3]); err != nil {
		fmt.Fprintln(os.Stderr, "sbom:", err)
		os.Exit(1)
	}
}

// run writes the bill of an archive of a version.
func run(version, archive, to string) error {
	commands, err := commandsIn(archive)
	if err != nil {
		return fmt.Errorf("%s: %w", archive, err)
	}
	b, err := billOf(commands, version)
	if err != nil {
		return fmt.Errorf("%s: %w", archive, err)
	}
	text, err := json.MarshalIndent(b, "", "  ")
	if err != nil {
		return err
	}
	return os.WriteFile(to, append(text, '\n'), 0o644)
}

// isCommand reports whether a file of an archive is one of ours: they lie in its one
// folder, while completions of the same names lie below.
func isCommand(name string) bool {
	dir, base := path.Split(name)
	return strings.Count(dir, "/") == 1 && strings.HasPrefix(base, "fmcp-")
}

// commandsIn are the commands in an archive.
func commandsIn(archive string) ([]*debug.BuildInfo, error) {
	file, err := os.ReadFile(archive)
	if err != nil {
		return nil, err
	}
	if strings.HasSuffix(archive, ".zip") {
		return zipped(file)
	}
	return tarred(file)
}

func zipped(file []byte) (list []*debug.BuildInfo, err error) {
	z, err := zip.NewReader(bytes.NewReader(file), int64(len(file)))
	if err != nil {
		return nil, err
	}
	for _, f := range z.File {
		if !isCommand(f.Name) {
			continue
		}
		r, err := f.Open()
		if err != nil {
			return nil, err
		}
		if list, err = add(list, f.Name, r); err != nil {
			return nil, err
		}
	}
	return list, nil
}

func tarred(file []byte) (list []*debug.BuildInfo, err error) {
	g, err := gzip.NewReader(bytes.NewReader(file))
	if err != nil {
		return nil, err
	}
	t := tar.NewReader(g)
	for {
		header, err := t.Next()
		if errors.Is(err, io.EOF) {
			return list, nil
		}
		if err != nil {
			return nil, err
		}
		if header.Typeflag == tar.TypeReg && isCommand(header.Name) {
			if list, err = add(list, header.Name, t); err != nil {
				return nil, err
			}
		}
	}
}

func add(list []*debug.BuildInfo, name string, r io.Reader) ([]*debug.BuildInfo, error) {
	binary, err := io.ReadAll(r)
	if err != nil {
		return nil, err
	}
	info, err := buildinfo.Read(bytes.NewReader(binary))
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	return append(list, info), nil
}

// bill is a bill of materials of CycloneDX 1.6.
type bill struct {
	Format     string      `json:"bomFormat"`
	Version    string      `json:"specVersion"`
	Number     int         `json:"version"`
	Metadata   metadata    `json:"metadata"`
	Components []component `json:"components"`
}

type metadata struct {
	Component component `json:"component"`
}

type component struct {
	Type    string `json:"type"`
	Ref     string `json:"bom-ref"`
	Name    string `json:"name"`
	Version string `json:"version"`
	URL     string `json:"purl"`
}

// billOf lists what the commands link, each once. All are built from one module.
func billOf(commands []*debug.BuildInfo, version string) (*bill, error) {
	if len(commands) == 0 {
		return nil, errors.New("found no command, expected files named fmcp-…")
	}
	b := &bill{Format: "CycloneDX", Version: "1.6", Number: 1,
		Metadata: metadata{componentOf("application", commands[0].Main.Path, version)}}
	for _, info := range commands {
		list := []component{componentOf("library", "std", strings.TrimPrefix(info.GoVersion, "go"))}
		for _, d := range info.Deps {
			list = append(list, componentOf("library", d.Path, d.Version))
		}
		b.Components = append(b.Components, list...)
	}
	slices.SortFunc(b.Components, func(x, y component) int { return strings.Compare(x.Ref, y.Ref) })
	b.Components = slices.Compact(b.Components)
	return b, nil
}

func componentOf(typ, name, version string) component {
	url := "pkg:golang/" + name + "@" + version
	return component{typ, url, name, version, url}
}
