package main

import (
	"bytes"
	"encoding/pem"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"time"
)

// world is an upstream, servers that call it, and the balancer in front of them.
type world struct {
	bin, config, folder string

	wait     time.Duration // that the upstream takes for an answer
	upstream *httptest.Server
	servers  [3]*exec.Cmd
	at       [3]string // addresses of the servers
	balancer *exec.Cmd
	url      string // of the balancer's endpoint

	mu   sync.Mutex
	came map[string]int // method and number of a call: how often the upstream was asked for it
}

const token = "0123456789abcdef-interop"

// start starts n servers and the balancer.
func (w *world) start(n int, wait time.Duration) error {
	w.wait, w.came = wait, map[string]int{}
	w.upstream = httptest.NewTLSServer(w)
	ca := pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: w.upstream.Certificate().Raw})
	bind, err := freeAddress()
	for i := range w.at {
		var taken error
		w.at[i], taken = freeAddress()
		err = errors.Join(err, taken)
	}
	if err = errors.Join(err, w.write("ca.pem", ca), w.write("tokens", []byte(token+"\n")),
		w.write("key", bytes.Repeat([]byte("k"), 32)), w.write("reads.lst", []byte("get_bench\nget_next_bench\n")),
		w.write("catalog.ndjson", w.catalog("get", "post"))); err != nil {
		return err
	}
	for i := range n {
		if err := w.serve(i); err != nil {
			return err
		}
	}
	w.url = "http://" + bind + "/mcp"
	w.balancer = exec.Command("haproxy", "-f", w.config)
	w.balancer.Env = append(os.Environ(), "FMCP_BIND="+bind, "FMCP_READS="+w.path("reads.lst"),
		"FMCP_ONE="+w.at[0], "FMCP_TWO="+w.at[1], "FMCP_THREE="+w.at[2])
	if err := w.spawn(w.balancer, "haproxy.log"); err != nil {
		return err
	}
	return ready("http://" + bind + "/readyz")
}

func (w *world) path(name string) string { return filepath.Join(w.folder, name) }

func (w *world) write(name string, text []byte) error { return os.WriteFile(w.path(name), text, 0o600) }

// catalog has a tool of each name; that of post changes something.
func (w *world) catalog(names ...string) []byte {
	var b bytes.Buffer
	for _, name := range names {
		method := "GET"
		if name == "post" {
			method = "POST"
		}
		fmt.Fprintf(&b, `{"v":1,"kind":"resolved","type":"tool","id":"bench/tool/%[1]s","data":{"name":"%[1]s",`+
			`"wireName":"%[1]s_bench","method":"%[2]s","root":"%[3]s","path":"/%[1]s","headers":{},"serverParams":[],`+
			`"inputSchema":{"type":"object"},"parameters":[{"key":"n","location":"query","source":"user",`+
			`"value":"{{USER_PARAM}}","primitive":"number()","options":[]}]}}`+"\n", name, method, w.upstream.URL)
	}
	fmt.Fprintf(&b, `{"v":1,"kind":"end","stage":"fmcp-resolve","counts":{"resolved":%d}}`+"\n", len(names))
	return b.Bytes()
}

// swap has another catalog in the place of the present one, and waits until all servers
// serve it.
func (w *world) swap() error {
	if err := w.write("next.ndjson", w.catalog("get", "post", "get_next")); err != nil {
		return err
	}
	if err := os.Rename(w.path("next.ndjson"), w.path("catalog.ndjson")); err != nil {
		return err
	}
	for i, at := range w.at {
		c := &client{url: "http://" + at + "/mcp"}
		if err := soon(func() error { return c.call("get_next_bench", int64(-1-i)) }); err != nil {
			return fmt.Errorf("server %d does not serve the new catalog: %w", i+1, err)
		}
	}
	return nil
}

// ServeHTTP is the upstream.
func (w *world) ServeHTTP(out http.ResponseWriter, r *http.Request) {
	n := r.URL.Query().Get("n")
	w.mu.Lock()
	w.came[r.Method+" "+n]++
	w.mu.Unlock()
	time.Sleep(w.wait)
	out.Header().Set("Content-Type", "application/json")
	fmt.Fprintf(out, `{"answered":"%s"}`, n)
}

// serve starts a server, and waits until it answers.
func (w *world) serve(i int) error {
	c := exec.Command(filepath.Join(w.bin, "fmcp-serve"), "--http", w.at[i], "--token-file", w.path("tokens"),
		"--public-url", "https://mcp.example.com/mcp",
		"--state-key", w.path("key"), "--stop-delay", delay.String(), "--ca-file", w.path("ca.pem"), "--no-cache",
		"--allow-host", strings.TrimPrefix(w.upstream.URL, "https://"), w.path("catalog.ndjson"))
	c.Env = append(os.Environ(), "FMCP_SETTINGS=none")
	if err := w.spawn(c, fmt.Sprintf("serve-%d.log", i+1)); err != nil {
		return err
	}
	w.servers[i] = c
	return ready("http://" + w.at[i] + "/readyz")
}

// spawn starts a process that ends with this one.
func (w *world) spawn(c *exec.Cmd, log string) error {
	f, err := os.OpenFile(w.path(log), os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	defer f.Close()
	c.Stdout, c.Stderr = f, f
	c.SysProcAttr = endsWithParent()
	return c.Start()
}

// end sends a signal to a server and waits for its end.
func (w *world) end(i int, sig syscall.Signal) error {
	c := w.servers[i]
	w.servers[i] = nil
	if err := c.Process.Signal(sig); err != nil {
		return err
	}
	var ended *exec.ExitError
	if err := c.Wait(); sig == syscall.SIGTERM && (!errors.As(err, &ended) || ended.ExitCode() != 128+int(sig)) {
		return fmt.Errorf("it did not end as it should: %v", err)
	}
	return nil
}

// peak is the most memory, in bytes, that a server had in use.
func (w *world) peak() (most int64, err error) {
	for _, c := range w.servers {
		if c == nil {
			continue
		}
		text, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", c.Process.Pid))
		if err != nil {
			return 0, err
		}
		_, rest, _ := strings.Cut(string(text), "VmHWM:")
		kib, err := strconv.ParseInt(strings.Fields(rest)[0], 10, 64)
		if err != nil {
			return 0, err
		}
		most = max(most, kib<<10)
	}
	return most, nil
}

// close ends all processes.
func (w *world) close() {
	for _, c := range append(w.servers[:], w.balancer) {
		if c != nil {
			_ = c.Process.Kill() // gone already is as good
			_ = c.Wait()
		}
	}
	clear(w.servers[:])
	w.balancer = nil
	if w.upstream != nil {
		w.upstream.CloseClientConnections()
		w.upstream.Close()
	}
}

// freeAddress is an address on loopback that nobody listens at.
func freeAddress() (string, error) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return "", err
	}
	defer l.Close()
	return l.Addr().String(), nil
}

// ready waits until a URL is answered with 200.
func ready(url string) error {
	return soon(func() error {
		got, err := http.Get(url)
		if err != nil {
			return err
		}
		defer got.Body.Close()
		if got.StatusCode != http.StatusOK {
			return fmt.Errorf("%s: %s", url, got.Status)
		}
		return nil
	})
}

// soon tries until there is no error any more, for half a minute.
func soon(do func() error) (err error) {
	for from := time.Now(); time.Since(from) < 30*time.Second; time.Sleep(20 * time.Millisecond) {
		if err = do(); err == nil {
			return nil
		}
	}
	return err
}
