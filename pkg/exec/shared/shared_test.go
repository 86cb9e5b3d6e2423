package shared

import (
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/x509"
	"encoding/pem"
	"math/big"
	"net"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	goredis "github.com/redis/go-redis/v9"

	"github.com/flowmcp/fmcp/internal/canary"
	"github.com/flowmcp/fmcp/internal/redis"
)

// notes collects what is said.
type notes struct {
	mu   sync.Mutex
	list []string
}

func (n *notes) add(text string) {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.list = append(n.list, text)
}

func (n *notes) text() string {
	n.mu.Lock()
	defer n.mu.Unlock()
	return strings.Join(n.list, "\n")
}

// opened is a server of a URL, and what it says.
func opened(t *testing.T, url string, env map[string]string) (*Server, *notes) {
	t.Helper()
	said := &notes{}
	s, err := Open(Options{URL: url, Flag: "--limits", Without: "this process does alone", Note: said.add,
		Getenv: func(key string) string { return env[key] }})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = s.client.Close() })
	return s, said
}

func TestStart(t *testing.T) {
	url := "redis://" + redis.Start(t).Addr + "/2"
	one, _ := opened(t, url, nil)
	two, said := opened(t, url, nil)
	const interval = time.Hour
	want := time.Duration(0)
	for i, s := range []*Server{one, two, two, one} {
		wait, err := s.Start(t.Context(), "a.com:443", interval, 10*interval)
		if err != nil || wait > want || wait < want-time.Minute {
			t.Errorf("start %d is %s away, want %s: %v", i, wait, want, err)
		}
		want += interval
	}
	wait, err := two.Start(t.Context(), "a.com:443", interval, 3*interval)
	if err != nil || wait <= 3*interval {
		t.Errorf("refused: %s, %v", wait, err)
	}
	if next, err := one.Start(t.Context(), "a.com:443", interval, 1<<63-1); err != nil || next > wait {
		t.Errorf("what was refused took a start: %s, %v", next, err)
	}
	if wait, err := one.Start(t.Context(), "b.com:443", interval, 0); err != nil || wait != 0 {
		t.Errorf("another host waits: %s, %v", wait, err)
	}
	keys := one.client.Keys(t.Context(), "*").Val()
	for _, key := range keys {
		if ttl := one.client.TTL(t.Context(), key).Val(); !strings.HasPrefix(key, "fmcp:start:") ||
			strings.Contains(key, ".com") || ttl <= 0 {
			t.Errorf("key %s, kept for %s", key, ttl)
		}
	}
	if len(keys) != 2 || said.text() != "" {
		t.Errorf("keys %s; said %s", keys, said.text())
	}
}

// What else stands where a start is kept is none.
func TestStartGarbage(t *testing.T) {
	s, said := opened(t, "redis://"+redis.Start(t).Addr, nil)
	ctx, key := t.Context(), startKey("a.com")
	for _, value := range []string{"", "garbage", "nan", "-inf", "1e999", "9999999999999999", "-5", "0x10", "\x00"} {
		s.client.Set(ctx, key, value, 0)
		if wait, err := s.Start(ctx, "a.com", time.Second, time.Hour); err != nil || wait != 0 {
			t.Errorf("%q: %s, %v", value, wait, err)
		}
		if left := s.client.PTTL(ctx, key).Val(); left <= 0 || left > time.Second {
			t.Errorf("%q: kept for %s", value, left)
		}
	}
	for _, value := range []string{"nan", "1e999", "9999999999999999"} {
		s.client.Set(ctx, key, value, time.Minute)
		if wait, err := s.Start(ctx, "a.com", time.Second, time.Hour); err != nil || wait > time.Minute+time.Second {
			t.Errorf("%q for a minute: %s, %v", value, wait, err)
		}
	}
	s.client.Del(ctx, key)
	s.client.LPush(ctx, key, "a list")
	if wait, err := s.Start(ctx, "a.com", time.Second, time.Hour); err != nil || wait != 0 || said.text() != "" {
		t.Errorf("list: %s, %v; said %s", wait, err, said.text())
	}
}

// A server that is gone is said to be once, and is used again when it is back.
func TestGone(t *testing.T) {
	server := redis.Start(t)
	s, said := opened(t, "redis://"+server.Addr, nil)
	start := func() error {
		_, err := s.Start(t.Context(), "a.com", time.Millisecond, time.Hour)
		return err
	}
	if err := start(); err != nil {
		t.Fatal(err)
	}
	server.Kill()
	began := time.Now()
	for range 1000 {
		if start() == nil {
			t.Fatal("no server, and no error")
		}
	}
	if took := time.Since(began); took > 2*patience {
		t.Errorf("took %s", took)
	}
	want := "warning: the Redis of --limits, " + server.Addr + ", cannot be used ("
	if got := said.text(); !strings.HasPrefix(got, want) || strings.Contains(got, "\n") ||
		!strings.HasSuffix(got, "): until it can, this process does alone") {
		t.Errorf("said %s", got)
	}
	server.Again(t)
	s.rested()
	if err := start(); err != nil {
		t.Error(err)
	}
	if got := said.text(); strings.Count(got, "\n") != 1 || !strings.HasSuffix(got, server.Addr+", is used again") {
		t.Errorf("said %s", got)
	}
}

// rested has the server be asked again.
func (s *Server) rested() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.again = time.Now()
}

// A server that accepts and never answers takes no more time than its bound, and after a
// rest one call alone waits for it.
func TestNeverAnswers(t *testing.T) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	s, said := opened(t, "redis://"+l.Addr().String(), nil)
	for range 2 {
		began := time.Now()
		var wg sync.WaitGroup
		for range 50 {
			wg.Go(func() {
				if _, err := s.Start(t.Context(), "a.com", time.Millisecond, time.Hour); err == nil {
					t.Error("no answer, and no error")
				}
			})
		}
		wg.Wait()
		if took := time.Since(began); took > 3*patience {
			t.Errorf("took %s", took)
		}
		s.rested()
	}
	if got := said.text(); !strings.Contains(got, "(no answer within 1s)") || strings.Contains(got, "\n") {
		t.Errorf("said %s", got)
	}
}

// A call that ends says nothing about the server.
func TestCallEnds(t *testing.T) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	s, said := opened(t, "redis://"+l.Addr().String(), nil)
	ctx, cancel := context.WithTimeout(t.Context(), 20*time.Millisecond)
	defer cancel()
	if _, err := s.Start(ctx, "a.com", time.Millisecond, time.Hour); err == nil || said.text() != "" {
		t.Errorf("%v; said %s", err, said.text())
	}
	if _, err := s.enter(); err != nil {
		t.Error(err)
	}
}

// The password is sent, and never said.
func TestPassword(t *testing.T) {
	const right, wrong = "canary+RIGHT/7f3a9e51c2", "canary+WRONG/b6104ed97a"
	addr := redis.Start(t, "--requirepass", right).Addr
	for _, tt := range []struct {
		url  string
		env  map[string]string
		want string // of what is said
	}{
		{"redis://:canary+RIGHT%2F7f3a9e51c2@" + addr, nil, ""},
		{"redis://default:canary+RIGHT%2F7f3a9e51c2@" + addr, nil, ""},
		{"redis://" + addr, map[string]string{"REDIS_PASSWORD": right}, ""},
		{"redis://" + addr, map[string]string{"REDIS_USER": "default", "REDIS_PASSWORD": right}, ""},
		{"redis://" + addr, nil, "NOAUTH"},
		{"redis://:canary+WRONG%2Fb6104ed97a@" + addr, nil, "WRONGPASS"},
		{"redis://:canary+WRONG%2Fb6104ed97a@" + addr, map[string]string{"REDIS_PASSWORD": right}, "WRONGPASS"},
		{"redis://" + addr, map[string]string{"REDIS_USER": "me", "REDIS_PASSWORD": right}, "WRONGPASS"},
	} {
		s, said := opened(t, tt.url, tt.env)
		_, err := s.Start(t.Context(), "a.com", time.Millisecond, time.Hour)
		if (err == nil) != (tt.want == "") || !strings.Contains(said.text(), tt.want) ||
			err == nil && said.text() != "" {
			t.Errorf("%v; said %s, want %s", err, said.text(), tt.want)
		}
		if found := canary.For(right, wrong).In([]byte(said.text())); found != "" {
			t.Errorf("said %s", said.text())
		}
	}
}

func TestFull(t *testing.T) {
	s, said := opened(t, "redis://"+redis.Start(t, "--maxmemory", "1", "--maxmemory-policy", "noeviction").Addr, nil)
	for i := range 3 {
		if i == 2 {
			s.rested()
		}
		if _, err := s.Start(t.Context(), "a.com", time.Millisecond, time.Hour); !goredis.IsOOMError(err) {
			t.Errorf("full, and %v", err)
		}
	}
	if got := said.text(); strings.Count(got, ", is full (OOM ") != 1 || !strings.HasSuffix(got, "is used again") {
		t.Errorf("said %s", got)
	}
}

func TestTLS(t *testing.T) {
	dir := t.TempDir()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	template := &x509.Certificate{SerialNumber: big.NewInt(1), NotAfter: time.Now().Add(time.Hour), IsCA: true,
		BasicConstraintsValid: true, IPAddresses: []net.IP{net.IPv4(127, 0, 0, 1)}}
	der, err := x509.CreateCertificate(rand.Reader, template, template, &key.PublicKey, key)
	if err != nil {
		t.Fatal(err)
	}
	keyDER, err := x509.MarshalPKCS8PrivateKey(key)
	if err != nil {
		t.Fatal(err)
	}
	ca, keyFile := filepath.Join(dir, "ca.pem"), filepath.Join(dir, "key.pem")
	for file, block := range map[string]*pem.Block{ca: {Type: "CERTIFICATE", Bytes: der},
		keyFile: {Type: "PRIVATE KEY", Bytes: keyDER}} {
		if err := os.WriteFile(file, pem.EncodeToMemory(block), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	addr := redis.Start(t, "--port", "0", "--tls-port", "PORT", "--tls-cert-file", ca, "--tls-key-file", keyFile,
		"--tls-ca-cert-file", ca, "--tls-auth-clients", "no").Addr
	for want, tt := range map[string]struct {
		url string
		env map[string]string
	}{
		"":                                   {"rediss://" + addr, map[string]string{"REDIS_CA": ca}},
		"certificate":                        {"rediss://" + addr, nil},
		"until it can, this process does al": {"redis://" + addr, nil},
	} {
		s, said := opened(t, tt.url, tt.env)
		_, err := s.Start(t.Context(), "a.com", time.Millisecond, time.Hour)
		if (err == nil) != (want == "") || !strings.Contains(said.text(), want) {
			t.Errorf("%s: %v; said %s", tt.url, err, said.text())
		}
	}
}

func TestOpenFails(t *testing.T) {
	for ca, want := range map[string]string{"gone.pem": "REDIS_CA: open gone.pem",
		"shared_test.go": "no PEM certificate"} {
		_, err := Open(Options{URL: "rediss://a", Getenv: func(key string) string {
			return map[string]string{"REDIS_CA": ca}[key]
		}})
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", ca, err)
		}
	}
}
