// Package nats starts NATS servers for tests, as processes that can be killed.
package nats

import (
	"encoding/json"
	"net"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/flowmcp/fmcp/internal/await"
)

// Server is a server at work on loopback.
type Server struct {
	URL, Name string
	Dir       string // what it stores
	args      []string
	cmd       *exec.Cmd
}

// Kill ends the server as a failing machine does.
func (s *Server) Kill() {
	_ = s.cmd.Process.Kill()
	_ = s.cmd.Wait()
}

// Restart starts a server that was killed, at its address and with what it has stored.
func (s *Server) Restart(t testing.TB) {
	t.Helper()
	u, err := url.Parse(s.URL)
	if err != nil {
		t.Fatal(err)
	}
	s.start(t, u.Port())
}

// Start starts servers with JetStream and with further arguments of nats-server: one
// alone, or several as a cluster.
func Start(t testing.TB, n int, args ...string) []*Server {
	t.Helper()
	_, file, _, _ := runtime.Caller(0)
	tool := exec.Command("go", "tool", "-n", "nats-server") // a module of its own, since it is for tests only
	tool.Dir = filepath.Join(filepath.Dir(file), "server")
	tool.Env = append(os.Environ(), "CGO_ENABLED=0")
	tool.Stderr = os.Stderr
	path, err := tool.Output()
	if err != nil {
		t.Fatalf("go tool -n nats-server: %v", err)
	}
	routes := make([]string, n)
	for i := range routes {
		routes[i] = "nats://" + freeAddress(t)
	}
	var servers []*Server
	for i := range n {
		s := &Server{Name: "s" + strconv.Itoa(i), Dir: t.TempDir()}
		s.args = slices.Concat([]string{strings.TrimSpace(string(path)), "-n", s.Name, "-a", "127.0.0.1", "-js",
			"-sd", s.Dir}, args)
		if n > 1 {
			s.args = append(s.args, "--cluster_name", "test", "--cluster", routes[i], "--routes",
				strings.Join(routes, ","))
		}
		s.start(t, "-1")
		t.Cleanup(s.Kill)
		servers = append(servers, s)
	}
	return servers
}

// freeAddress is one on loopback that nobody listens at: the servers of a cluster must
// know each other's before they start.
func freeAddress(t testing.TB) string {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = l.Close() }()
	return l.Addr().String()
}

// start starts the server at a port, -1 for any.
func (s *Server) start(t testing.TB, port string) {
	t.Helper()
	dir := t.TempDir()
	args := slices.Concat(s.args[1:], []string{"-p", port, "--ports_file_dir", dir, "-l", filepath.Join(dir, "log")})
	s.cmd = exec.Command(s.args[0], args...)
	if err := s.cmd.Start(); err != nil {
		t.Fatal(err)
	}
	var ports struct{ Nats []string }
	await.Until(t, "the NATS server listens", func() bool {
		found, _ := filepath.Glob(filepath.Join(dir, "*.ports"))
		if len(found) == 0 {
			return false
		}
		text, err := os.ReadFile(found[0])
		return err == nil && json.Unmarshal(text, &ports) == nil && len(ports.Nats) > 0
	})
	s.URL = ports.Nats[0]
}
