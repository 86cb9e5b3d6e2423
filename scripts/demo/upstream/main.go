// Upstream is the other side of the demo: it answers for the providers of
// testdata/catalog, on this machine only, and always the same.
//
// It makes a certificate authority and a certificate when it starts, keeps the
// keys in memory, and writes the authority's certificate to the file of -ca for
// --ca-file. With a command after its flags it listens on a free port, runs that
// command with the port's address in UPSTREAM, and ends with it, so that nothing
// is left running and two checkouts do not meet:
//
//	upstream -ca bin/demo/ca.pem -- sh scripts/demo/steps.sh
//
// Without one it answers on the port that the schemas name, until it is
// interrupted.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"log"
	"net"
	"net/http"
	"os"
	"os/exec"
	"os/signal"
	"syscall"
	"time"
)

// fixedAddress is the root of the catalog's schemas.
const fixedAddress = "127.0.0.1:18443"

func main() {
	caFile := flag.String("ca", "", "file that the certificate of the authority is written to")
	flag.Parse()
	code, err := run(*caFile, flag.Args())
	if err != nil {
		fmt.Fprintf(os.Stderr, "upstream: %v\n", err)
	}
	os.Exit(code)
}

// run serves until the command has ended, or for ever if there is none, and
// returns the exit status.
func run(caFile string, command []string) (int, error) {
	if caFile == "" {
		return 2, errors.New("-ca FILE is missing: the certificate has to go somewhere")
	}
	config, ca, err := certificates()
	if err != nil {
		return 3, err
	}
	address := fixedAddress
	if len(command) > 0 {
		address = "127.0.0.1:0"
	}
	listener, err := net.Listen("tcp", address)
	if errors.Is(err, syscall.EADDRINUSE) {
		return 3, fmt.Errorf("port 18443 is taken: the catalog's schemas call https://localhost:18443, "+
			"so end what listens there and try again (%w)", err)
	}
	if err != nil {
		return 3, err
	}
	if err := os.WriteFile(caFile, ca, 0o644); err != nil {
		return 3, err
	}
	server := &http.Server{
		Handler: routes(), TLSConfig: config, ReadHeaderTimeout: 10 * time.Second,
		ErrorLog: log.New(os.Stderr, "upstream: ", 0),
	}
	failed := make(chan error, 1)
	go func() { failed <- server.ServeTLS(listener, "", "") }()
	defer server.Close() //nolint:errcheck // the process ends
	if len(command) == 0 {
		return wait(failed)
	}
	return child(command, listener.Addr().(*net.TCPAddr).Port)
}

// wait answers until a signal comes.
func wait(failed <-chan error) (int, error) {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	fmt.Fprintf(os.Stderr, "upstream: answering on https://localhost:18443 until interrupted\n")
	select {
	case <-ctx.Done():
		return 0, nil
	case err := <-failed:
		return 3, err
	}
}

// child runs the command, which finds the port in UPSTREAM. An interrupt reaches
// it as well as this process, which waits for it to end.
func child(command []string, port int) (int, error) {
	signal.Ignore(os.Interrupt)
	cmd := exec.Command(command[0], command[1:]...)
	cmd.Env = append(os.Environ(), fmt.Sprintf("UPSTREAM=localhost:%d", port))
	cmd.Stdin, cmd.Stdout, cmd.Stderr = os.Stdin, os.Stdout, os.Stderr
	err := cmd.Run()
	var exit *exec.ExitError
	if errors.As(err, &exit) {
		return max(exit.ExitCode(), 1), nil // the command has said why
	}
	if err != nil {
		return 3, err
	}
	return 0, nil
}
