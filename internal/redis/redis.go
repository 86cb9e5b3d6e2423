// Package redis starts Redis servers for tests, as processes that can be stopped and killed.
package redis

import (
	"net"
	"os/exec"
	"strings"
	"testing"

	"github.com/flowmcp/fmcp/internal/await"
)

// Server is a server at work on loopback.
type Server struct {
	Addr string // 127.0.0.1:PORT
	path string
	args []string
	cmd  *exec.Cmd
}

// Start starts a server, or skips the test where there is none on this machine. The
// argument PORT stands for its port.
func Start(t testing.TB, args ...string) *Server {
	t.Helper()
	path, err := exec.LookPath("redis-server")
	if err != nil {
		path, err = exec.LookPath("valkey-server")
	}
	if err != nil {
		t.Skip("neither redis-server nor valkey-server is on the PATH: apt-get install redis-server")
	}
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	s := &Server{Addr: l.Addr().String(), path: path}
	_ = l.Close()
	_, port, _ := net.SplitHostPort(s.Addr)
	s.args = []string{"--bind", "127.0.0.1", "--port", port, "--dir", t.TempDir(), "--save", ""}
	for _, arg := range args {
		s.args = append(s.args, strings.Replace(arg, "PORT", port, 1))
	}
	s.Again(t)
	t.Cleanup(s.Kill)
	return s
}

// Again starts a server that was killed, at the same address and with nothing in it.
func (s *Server) Again(t testing.TB) {
	t.Helper()
	s.cmd = exec.Command(s.path, s.args...)
	if err := s.cmd.Start(); err != nil {
		t.Fatal(err)
	}
	await.Until(t, "the Redis server listens", func() bool {
		c, err := net.Dial("tcp", s.Addr)
		if err == nil {
			_ = c.Close()
		}
		return err == nil
	})
}

// Kill ends the server as a failing machine does.
func (s *Server) Kill() {
	_ = s.cmd.Process.Kill()
	_ = s.cmd.Wait()
}
