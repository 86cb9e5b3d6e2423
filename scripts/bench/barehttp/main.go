// Barehttp is what fmcp-exec is measured against: the client of net/http alone,
// with so many requests under way, that throws each answer away (discard) or
// reads it as JSON and writes it again as a line (json), as a script would.
//
//	barehttp discard|json CA-FILE IN-FLIGHT COUNT URL-PREFIX
package main

import (
	"bufio"
	"crypto/tls"
	"crypto/x509"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os"
	"strconv"
	"sync"
	"sync/atomic"
)

func main() {
	if err := run(os.Args[1], os.Args[2], os.Args[3], os.Args[4], os.Args[5]); err != nil {
		fmt.Fprintln(os.Stderr, "barehttp:", err)
		os.Exit(1)
	}
}

func run(mode, caFile, inFlight, count, prefix string) error {
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
	read := io.Discard.(io.ReaderFrom).ReadFrom
	out := bufio.NewWriter(os.Stdout)
	if mode == "json" {
		read = lines(out)
	}
	var (
		next, failed atomic.Int64
		wg           sync.WaitGroup
	)
	for range workers {
		wg.Go(func() {
			for n := next.Add(1); n <= int64(total); n = next.Add(1) {
				if get(&client, prefix+strconv.FormatInt(n, 10), read) != nil {
					failed.Add(1)
				}
			}
		})
	}
	wg.Wait()
	if n := failed.Load(); n > 0 {
		return fmt.Errorf("%d of %d requests failed", n, total)
	}
	return out.Flush()
}

// lines returns what reads JSON and writes it to out, a value a line.
func lines(out *bufio.Writer) func(io.Reader) (int64, error) {
	var mu sync.Mutex
	return func(r io.Reader) (int64, error) {
		var v any
		if err := json.NewDecoder(r).Decode(&v); err != nil {
			return 0, err
		}
		if _, err := io.Copy(io.Discard, r); err != nil { // to the end, for the next request
			return 0, err
		}
		text, err := json.Marshal(v)
		if err != nil {
			return 0, err
		}
		mu.Lock()
		defer mu.Unlock()
		if _, err := out.Write(append(text, '\n')); err != nil {
			return 0, err
		}
		return int64(len(text)), nil
	}
}

func get(client *http.Client, url string, read func(io.Reader) (int64, error)) error {
	res, err := client.Get(url)
	if err != nil {
		return err
	}
	defer func() { _ = res.Body.Close() }()
	_, err = read(res.Body)
	return err
}
