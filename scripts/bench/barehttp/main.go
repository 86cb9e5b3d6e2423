// Barehttp is what fmcp-exec is measured against: the client of net/http alone,
// with so many requests under way, that reads each answer and throws it away.
//
//	barehttp CA-FILE IN-FLIGHT COUNT URL-PREFIX
package main

import (
	"crypto/tls"
	"crypto/x509"
	"fmt"
	"io"
	"net/http"
	"os"
	"strconv"
	"sync"
	"sync/atomic"
)

func main() {
	if err := run(os.Args[1], os.Args[2], os.Args[3], os.Args[4]); err != nil {
		fmt.Fprintln(os.Stderr, "barehttp:", err)
		os.Exit(1)
	}
}

func run(caFile, inFlight, count, prefix string) error {
	pem, err := os.ReadFile(caFile)
	if err != nil {
		return err
	}
	roots := x509.NewCertPool()
	roots.AppendCertsFromPEM(pem)
	workers, err := strconv.Atoi(inFlight)
	if err != nil {
		return err
	}
	total, err := strconv.Atoi(count)
	if err != nil {
		return err
	}
	client := http.Client{Transport: &http.Transport{
		TLSClientConfig: &tls.Config{RootCAs: roots}, ForceAttemptHTTP2: true, MaxIdleConnsPerHost: workers,
	}}
	var (
		next, failed atomic.Int64
		wg           sync.WaitGroup
	)
	for range workers {
		wg.Go(func() {
			for n := next.Add(1); n <= int64(total); n = next.Add(1) {
				if get(&client, prefix+strconv.FormatInt(n, 10)) != nil {
					failed.Add(1)
				}
			}
		})
	}
	wg.Wait()
	if n := failed.Load(); n > 0 {
		return fmt.Errorf("%d of %d requests failed", n, total)
	}
	return nil
}

func get(client *http.Client, url string) error {
	res, err := client.Get(url)
	if err != nil {
		return err
	}
	defer func() { _ = res.Body.Close() }()
	_, err = io.Copy(io.Discard, res.Body)
	return err
}
