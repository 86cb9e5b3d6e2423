// Replicas runs three fmcp-serve behind the HAProxy of scripts/deploy, and takes servers
// away under load: kill -9, SIGTERM, another catalog. It fails where a call does that
// should not, or is made twice. make interop runs it; docs/scale.md has what it measures.
//
//	go run ./scripts/interop/replicas [-measure] [-bin bin]
package main

import (
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"syscall"
	"time"
)

func main() {
	bin := flag.String("bin", "bin", "where fmcp-serve is")
	config := flag.String("config", "scripts/deploy/haproxy/haproxy.cfg", "the configuration of HAProxy")
	measured := flag.Bool("measure", false, "measure calls a second and memory with 1, 2 and 3 servers instead")
	flag.Parse()
	do := faults
	if *measured {
		do = measure
	}
	if err := run(&world{bin: *bin, config: *config}, do); err != nil {
		fmt.Fprintln(os.Stderr, "replicas:", err)
		os.Exit(1)
	}
}

// run does something in a world, and prints what its processes said where that fails.
func run(w *world, do func(*world) error) (err error) {
	if w.folder, err = os.MkdirTemp("", "replicas"); err != nil {
		return err
	}
	defer os.RemoveAll(w.folder)
	defer w.close()
	if err = do(w); err != nil {
		logs, _ := filepath.Glob(w.path("*.log"))
		for _, path := range logs {
			text, _ := os.ReadFile(path)
			fmt.Fprintf(os.Stderr, "--- %s\n%s", filepath.Base(path), text[max(0, len(text)-2000):])
		}
	}
	return err
}

const (
	clients = 16 // of each revision
	delay   = 5 * time.Second
	lull    = 1500 * time.Millisecond // under load, before and after what happens
)

// faults takes servers away and looks at what becomes of the calls.
func faults(w *world) error {
	if err := w.start(3, 20*time.Millisecond); err != nil {
		return err
	}
	l := &load{world: w}
	l.run(clients, clients)
	time.Sleep(lull)
	for _, step := range []struct {
		name  string
		kills bool
		do    func() error
	}{
		{"kill -9 of server one", true, func() error { return w.end(0, syscall.SIGKILL) }},
		{"server one is back", false, func() error { return w.serve(0) }},
		{"another catalog", false, w.swap},
		{"SIGTERM of server two", false, func() error { return w.end(1, syscall.SIGTERM) }},
		{"server two is back", false, func() error { return w.serve(1) }},
		{"kill -9 of server three", true, func() error { return w.end(2, syscall.SIGKILL) }},
		{"server three is back", false, func() error { return w.serve(2) }},
	} {
		l.phase(step.name, step.kills)
		if err := step.do(); err != nil {
			return fmt.Errorf("%s: %w", step.name, err)
		}
		time.Sleep(lull)
	}
	l.stop()
	return errors.Join(l.judge(), l.reached())
}

// measure prints a table of what 1, 2 and 3 servers do.
func measure(w *world) error {
	fmt.Println("upstream  servers  calls/s  MiB a server, at most")
	for _, wait := range []time.Duration{0, 200 * time.Millisecond} {
		for n := 1; n <= 3; n++ {
			if err := w.start(n, wait); err != nil {
				return err
			}
			l := &load{world: w, readsOnly: true}
			l.run(128, 0)
			time.Sleep(lull)
			before, from := l.done.Load(), time.Now()
			time.Sleep(5 * time.Second)
			rate := float64(l.done.Load()-before) / time.Since(from).Seconds()
			most, err := w.peak()
			l.stop()
			if err = errors.Join(err, l.judge()); err != nil {
				return err
			}
			fmt.Printf("%8s  %7d  %7.0f  %d\n", wait, n, rate, most>>20)
			w.close()
		}
	}
	return nil
}
