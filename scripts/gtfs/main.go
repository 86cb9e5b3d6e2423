// Gtfs writes a GTFS feed to try fmcp-exec resource import-gtfs with: that of an
// invented town, or a generated one of any size.
//
//	go run ./scripts/gtfs OUT.zip
//	go run ./scripts/gtfs -stop-times 1000000 OUT.zip
package main

import (
	"flag"
	"fmt"
	"io"
	"os"

	"github.com/flowmcp/fmcp/scripts/gtfs/feed"
)

func main() {
	n := flag.Int("stop-times", 0, "generate a feed with about so many stop times in the place of the small one")
	flag.Parse()
	if flag.NArg() != 1 {
		fmt.Fprintln(os.Stderr, "usage: gtfs [-stop-times N] OUT.zip")
		os.Exit(2)
	}
	if err := run(flag.Arg(0), *n); err != nil {
		fmt.Fprintln(os.Stderr, "gtfs:", err)
		os.Exit(1)
	}
}

func run(name string, n int) error {
	file, err := os.Create(name)
	if err != nil {
		return err
	}
	write := func(w io.Writer) error { return feed.Pack(w) }
	if n > 0 {
		write = func(w io.Writer) error { return feed.Generate(w, n) }
	}
	if err := write(file); err != nil {
		return err
	}
	return file.Close()
}
