// Command gencatalog writes a catalog of generated schemas, for benchmarks:
//
//	gencatalog -n 500 DIR
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
	flag.Usage = func() {
		fmt.Fprintln(flag.CommandLine.Output(), "usage: gencatalog [-n 500] DIR")
		flag.PrintDefaults()
	}
	flag.Parse()
	if flag.NArg() != 1 || *n < 0 {
		flag.Usage()
		os.Exit(2)
	}
	if err := write(flag.Arg(0), *n); err != nil {
		fmt.Fprintln(os.Stderr, "gencatalog:", err)
		os.Exit(3)
	}
}

// write writes the catalog; files that are there are overwritten.
func write(dir string, n int) error {
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
	return put("registry.json", gen.Registry(filepath.Base(abs), n))
}
