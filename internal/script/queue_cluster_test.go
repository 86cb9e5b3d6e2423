//go:build unix

package script

import (
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"time"

	"github.com/nats-io/nats.go/jetstream"

	"github.com/flowmcp/fmcp/internal/await"
	"github.com/flowmcp/fmcp/internal/nats"
)

// leader is the server that leads a stream.
func (f *faults) leader(stream string) *nats.Server {
	f.Helper()
	var s *nats.Server
	await.Until(f, stream+" has a leader", func() bool {
		info, err := f.js.Stream(f.Context(), stream)
		if err != nil || info.CachedInfo().Cluster == nil {
			return false
		}
		name := info.CachedInfo().Cluster.Leader
		i := slices.IndexFunc(f.servers, func(s *nats.Server) bool { return s.Name == name })
		if i >= 0 {
			s = f.servers[i]
		}
		return i >= 0
	})
	return s
}

// healthy waits until all copies of the streams are current.
func (f *faults) healthy() {
	f.Helper()
	await.Until(f, "all copies are current", func() bool {
		for _, name := range []string{"REQUESTS", "answers"} {
			s, err := f.js.Stream(f.Context(), name)
			if err != nil || s.CachedInfo().Cluster == nil {
				return false
			}
			copies := s.CachedInfo().Cluster.Replicas
			if len(copies) != 2 || slices.ContainsFunc(copies, func(p *jetstream.PeerInfo) bool { return !p.Current }) {
				return false
			}
		}
		return true
	})
}

// lead has a server lead both streams.
func (f *faults) lead(server *nats.Server) {
	f.Helper()
	for _, stream := range []string{"REQUESTS", "answers"} {
		for f.leader(stream) != server {
			_, _ = f.js.Conn().Request("$JS.API.STREAM.LEADER.STEPDOWN."+stream,
				[]byte(`{"placement":{"preferred":"`+server.Name+`"}}`), time.Second)
			f.healthy()
		}
	}
}

// smallDisk gives a server a disk of its own, which is empty, and reports whether that
// can be done here.
func (f *faults) smallDisk(server *nats.Server) bool {
	f.Helper()
	server.Kill()
	defer f.healthy()
	defer server.Restart(f)
	if err := exec.Command("mount", "-t", "tmpfs", "-o", "size=64m", "tmpfs", server.Dir).Run(); err != nil {
		return false
	}
	f.Cleanup(func() { _ = exec.Command("umount", "-l", server.Dir).Run() })
	return true
}

// fill fills the disk of a server.
func (f *faults) fill(server *nats.Server) {
	f.Helper()
	w, err := os.Create(filepath.Join(server.Dir, "fill"))
	if err != nil {
		f.Fatal(err)
	}
	defer func() { _ = w.Close() }()
	for size := 1 << 20; size > 0; {
		if _, err := w.Write(make([]byte, size)); err != nil {
			size /= 2
		}
	}
}
