// Command gencatalog writes a catalog of generated schemas, for benchmarks:
//
//	gencatalog -n 500 -agents 50 DIR
package main

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"

	"github.com/flowmcp/fmcp/scripts/gencatalog/gen"
)

func main() {
	n := flag.Int("n", 500, "number of schemas")
	agents := flag.Int("agents", 0, "number of agents, each with a selection, a skill and a prompt")
	flag.Usage = func() {
		fmt.Fprintln(flag.CommandLine.Output(), "usage: gencatalog [-n 500] [-agents 0] DIR")
		flag.PrintDefaults()
	}
	flag.Parse()
	if flag.NArg() != 1 || *n < 0 || *agents < 0 || *agents > 0 && *n == 0 {
		flag.Usage()
		os.Exit(2)
	}
	if err := write(flag.Arg(0), *n, *agents); err != nil {
		fmt.Fprintln(os.Stderr, "gencatalog:", err)
		os.Exit(3)
	}
}

// write writes the catalog; files that are there are overwritten.
func write(dir string, n, agents int) error {
	abs, err := filepath.Abs(dir)
	if err != nil {
		return err
	}
	put := func(path string, data []byte) error {
		file := filepath.Join(abs, filepath.FromSlash(path))
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			return err
		}
		return os.WriteFile(file, data, 0o644)
	}
	if err := put(gen.List()); err != nil {
		return err
	}
	for i := range n {
		if err := put(gen.Schema(i)); err != nil {
			return err
		}
	}
	for i := range agents {
		if err := gen.Agent(i, n, put); err != nil {
			return err
		}
	}
	return put("registry.json", gen.Registry(filepath.Base(abs), n, agents))
}
