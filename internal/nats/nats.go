// Package nats starts NATS servers for tests, as processes that can be killed.
package nats

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"testing"

	"github.com/flowmcp/fmcp/internal/await"
)

// Server is a server at work on loopback.
type Server struct {
	URL, Name string
	routes    string
	cmd       *exec.Cmd
}

// Kill ends the server as a failing machine does.
func (s *Server) Kill() {
	_ = s.cmd.Process.Kill()
	_ = s.cmd.Wait()
}

// Start starts servers with JetStream: one alone, or several as a cluster.
func Start(t testing.TB, n int) []*Server {
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
	var servers []*Server
	for i := range n {
		args := []string{"-n", "s" + strconv.Itoa(i)}
		if n > 1 {
			args = append(args, "--cluster_name", "test", "--cluster", "nats://127.0.0.1:-1")
		}
		if i > 0 {
			args = append(args, "--routes", servers[0].routes)
		}
		servers = append(servers, start(t, strings.TrimSpace(string(path)), args))
	}
	return servers
}

func start(t testing.TB, path string, args []string) *Server {
	t.Helper()
	dir := t.TempDir()
	cmd := exec.Command(path, append(args, "-a", "127.0.0.1", "-p", "-1", "-js", "-sd", dir, "--ports_file_dir", dir,
		"-l", filepath.Join(dir, "log"))...)
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	s := &Server{Name: args[1], cmd: cmd}
	t.Cleanup(s.Kill)
	var ports struct{ Nats, Cluster []string }
	await.Until(t, "the NATS server listens", func() bool {
		found, _ := filepath.Glob(filepath.Join(dir, "*.ports"))
		if len(found) == 0 {
			return false
		}
		text, err := os.ReadFile(found[0])
		return err == nil && json.Unmarshal(text, &ports) == nil && len(ports.Nats) > 0
	})
	s.URL = ports.Nats[0]
	if len(ports.Cluster) > 0 {
		s.routes = ports.Cluster[0]
	}
	return s
}
