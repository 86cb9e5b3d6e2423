//go:build unix

package script

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	goredis "github.com/redis/go-redis/v9"

	"github.com/flowmcp/fmcp/internal/await"
	"github.com/flowmcp/fmcp/internal/redis"
)

// sharing are the arguments of a worker whose answers to wait and echo are kept in a Redis.
func sharing(t *testing.T, server *redis.Server) (dir string, u *upstream, args []string) {
	t.Helper()
	dir, u, flags := apiFolder(t)
	file := filepath.Join(dir, "api/providers/api/api.mjs")
	source, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	source = bytes.ReplaceAll(source, []byte("method: 'GET',"),
		[]byte("method: 'GET', preload: { enabled: true, ttl: 60 },"))
	if err := os.WriteFile(file, source, 0o600); err != nil {
		t.Fatal(err)
	}
	out, status := start(t, dir, "fmcp-resolve", "api").end()
	if status != 0 {
		t.Fatalf("fmcp-resolve: status %d", status)
	}
	if err := os.WriteFile(filepath.Join(dir, "api.ndjson"), []byte(out), 0o600); err != nil {
		t.Fatal(err)
	}
	return dir, u, append([]string{"fmcp-exec", "-c", "api.ndjson", "-j4", "--cache", "redis://" + server.Addr},
		flags...)
}

// manyScripts are more than two workers have run that do not wait.
var manyScripts = regexp.MustCompile(`cmdstat_evalsha:calls=\d\d`)

// waiting starts two workers on equal calls, of which one is sent while the others wait.
func waiting(t *testing.T, dir string, u *upstream, args []string, client *goredis.Client) []*process {
	t.Helper()
	workers := []*process{start(t, dir, args...), start(t, dir, args...)}
	for _, p := range workers {
		p.write(strings.Repeat(`{"id":"api/tool/wait"}`+"\n", 4))
	}
	<-u.entered
	await.Until(t, "the other worker looks for the answer", func() bool {
		return manyScripts.MatchString(client.Info(t.Context(), "commandstats").Val())
	})
	return workers
}

// answered ends workers whose calls all have an answer.
func answered(t *testing.T, workers []*process, calls int) {
	t.Helper()
	for _, p := range workers {
		out, status := p.end()
		if n := strings.Count(out, `"status":true`); n != calls || status != 0 {
			t.Errorf("%d answers, status %d: %s%s", n, status, out, p.stderr.String())
		}
	}
}

// Of equal cold calls of two workers one is sent. fmcp-serve has its answer too, and in
// Redis there is no secret.
func TestExecCacheShared(t *testing.T) {
	server := redis.Start(t)
	client := goredis.NewClient(&goredis.Options{Addr: server.Addr})
	defer client.Close()
	dir, u, args := sharing(t, server)
	workers := waiting(t, dir, u, args, client)
	close(u.release)
	answered(t, workers, 4)

	echo := slices.Concat(args, []string{"api/tool/echo", "id=a"})
	for _, state := range []string{"miss", "hit"} {
		if out, _ := start(t, dir, echo...).end(); !strings.Contains(out, `"cache":{"state":"`+state) {
			t.Errorf("%s, want %s", out, state)
		}
	}
	p := start(t, dir, slices.Concat([]string{"fmcp-serve", "api.ndjson"}, args[4:])...)
	p.write(`{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18",` +
		`"capabilities":{},"clientInfo":{"name":"script","version":"1"}}}` + "\n" +
		`{"jsonrpc":"2.0","method":"notifications/initialized"}` + "\n" +
		`{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"echo_api","arguments":{"id":"a"}}}` + "\n")
	if out, status := p.end(); status != 0 || !strings.Contains(out, `\"status\":true`) {
		t.Errorf("status %d, %s", status, out)
	}
	if n := u.calls.Load(); n != 2 {
		t.Errorf("sent %d times, want one of wait and one of echo", n)
	}
	keys := client.Keys(t.Context(), "*").Val()
	var all strings.Builder
	for _, key := range keys {
		fmt.Fprintln(&all, key, client.Get(t.Context(), key).Val())
	}
	if form := secrets.In([]byte(all.String())); form != "" || len(keys) != 3 {
		t.Errorf("keys %s, a secret as %q", keys, form)
	}
}

// A Redis that is killed while a worker waits fails no call: that one calls too.
func TestExecCacheKilled(t *testing.T) {
	server := redis.Start(t)
	client := goredis.NewClient(&goredis.Options{Addr: server.Addr})
	defer client.Close()
	dir, u, args := sharing(t, server)
	workers := waiting(t, dir, u, args, client)
	server.Kill()
	<-u.entered
	close(u.release)
	answered(t, workers, 4)
	for _, p := range workers {
		said := p.stderr.String()
		if strings.Count(said, "\n") != 1 || !strings.Contains(said, "until it can, no answers are kept") {
			t.Errorf("said %s", said)
		}
	}
}

func TestCacheSharedUsage(t *testing.T) {
	dir, _, _ := apiFolder(t)
	secret := "redis://me:canary%2FENV%2B7f3a9e51c2%26d8%3D%3D@127.0.0.1"
	for want, args := range map[string][]string{
		"--cache: it has no host":                {"fmcp-exec", "-c", "api.ndjson", "--cache", "redis://", "a/tool/b"},
		"fmcp-exec cache looks at folders":       {"fmcp-exec", "cache", "status", "--cache", secret},
		"the URL of --cache has a password":      {"fmcp-serve", "config", "cursor", "api", "--cache", secret},
		"the URL of --limits has a password":     {"fmcp-serve", "bundle", "api.ndjson", "a.mcpb", "--limits", secret},
		"--cache names a file or a folder of th": {"fmcp-serve", "bundle", "api.ndjson", "a.mcpb", "--cache", "folder"},
	} {
		p := start(t, dir, args...)
		if out, status := p.end(); status != 2 || !strings.Contains(p.stderr.String(), want) {
			t.Errorf("status %d, %s%s; want %s", status, out, p.stderr.String(), want)
		}
	}
	p := start(t, dir, "fmcp-serve", "config", "cursor", "api", "--cache", "redis://me@host/1")
	if out, status := p.end(); status != 0 || !strings.Contains(out, `"--cache=redis://me@host/1"`) {
		t.Errorf("status %d, %s%s", status, out, p.stderr.String())
	}
}
