package shared

import (
	"errors"
	"os"
	"strings"
	"testing"
	"time"

	goredis "github.com/redis/go-redis/v9"

	"github.com/flowmcp/fmcp/internal/await"
	"github.com/flowmcp/fmcp/internal/redis"
	"github.com/flowmcp/fmcp/pkg/exec/cache"
)

func TestSecret(t *testing.T) {
	url := "redis://" + redis.Start(t).Addr
	one, _ := opened(t, url, nil)
	two, _ := opened(t, url, nil)
	for _, s := range []*Server{one, two, one} {
		found, err := s.Secret(t.Context(), []byte("first\x00\xff"))
		if err != nil || string(found) != "first\x00\xff" {
			t.Errorf("%q, %v", found, err)
		}
	}
	one.client.FlushAll(t.Context())
	if found, err := two.Secret(t.Context(), []byte("second")); err != nil || string(found) != "second" {
		t.Errorf("%q, %v", found, err)
	}
}

// taken is what Take gives to a holder; how long it is left is said whole.
func taken(t *testing.T, s *Server, name, holder string) cache.Taken {
	t.Helper()
	got, err := s.Take(t.Context(), name, holder, 100, time.Minute)
	if err != nil {
		t.Fatal(err)
	}
	got.Left = got.Left.Round(time.Hour)
	return got
}

func TestTake(t *testing.T) {
	url := "redis://" + redis.Start(t).Addr
	s, _ := opened(t, url, nil)
	two, said := opened(t, url, nil)
	const name = "ns/tool/hash"
	expect := func(s *Server, holder, answer, turn string) {
		t.Helper()
		got := taken(t, s, name, holder)
		if string(got.Answer) != answer || got.Holder != turn || (got.Left == time.Hour) != (answer != "") {
			t.Errorf("%+v, want answer %q, turn %q", got, answer, turn)
		}
	}
	hold := func(s *Server, holder string, d time.Duration) {
		t.Helper()
		if err := s.Hold(t.Context(), name, holder, d); err != nil {
			t.Error(err)
		}
	}
	expect(s, "", "", "") // no turn is wanted
	expect(s, "one", "", "one")
	expect(two, "two", "", "one")
	hold(two, "two", 0) // not its own
	expect(two, "two", "", "one")
	hold(s, "one", time.Minute)
	hold(s, "one", 0)
	expect(two, "two", "", "two")
	hold(two, "two", time.Millisecond)
	await.Until(t, "the turn is over", func() bool { return taken(t, s, name, "one").Holder == "one" })
	if err := s.Put(t.Context(), name, []byte("an answer"), time.Hour); err != nil {
		t.Error(err)
	}
	expect(two, "two", "an answer", "")
	expect(two, "", "an answer", "")
	for _, key := range s.client.Keys(t.Context(), "*").Val() {
		if !strings.HasPrefix(key, "fmcp:") || s.client.PTTL(t.Context(), key).Val() <= 0 {
			t.Errorf("%s is kept for %s", key, s.client.PTTL(t.Context(), key).Val())
		}
	}
	if got := said.text(); got != "" {
		t.Errorf("said %s", got)
	}
}

// What else stands where an answer or a turn is kept is none, and is written over.
func TestTakeGarbage(t *testing.T) {
	s, said := opened(t, "redis://"+redis.Start(t).Addr, nil)
	ctx := t.Context()
	for name, set := range map[string]func(key string){
		"large":   func(key string) { s.client.Set(ctx, key, strings.Repeat("x", 101), time.Hour) },
		"endless": func(key string) { s.client.Set(ctx, key, "x", 0) },
		"a list":  func(key string) { s.client.LPush(ctx, key, "x") },
		"a hash":  func(key string) { s.client.HSet(ctx, key, "x", "y") },
	} {
		set(answerPrefix + name)
		if got := taken(t, s, name, "one"); got.Answer != nil || got.Holder != "one" {
			t.Errorf("%s: %+v", name, got)
		}
		if err := s.Put(ctx, name, []byte("an answer"), time.Hour); err != nil {
			t.Error(err)
		}
		if got := taken(t, s, name, "one"); string(got.Answer) != "an answer" {
			t.Errorf("%s: %+v", name, got)
		}
		if name == "large" {
			continue // who has a turn may have any name
		}
		set(turnPrefix + name + "2")
		if got := taken(t, s, name+"2", "one"); got.Answer != nil || got.Holder != "" {
			t.Errorf("turn %s: %+v", name, got)
		}
		if err := s.Hold(ctx, name+"2", "one", time.Minute); err != nil {
			t.Errorf("turn %s: %v", name, err)
		}
	}
	if got := said.text(); got != "" {
		t.Errorf("said %s", got)
	}
}

// A server that is full still gives what it has.
func TestTakeFull(t *testing.T) {
	server := redis.Start(t, "--maxmemory-policy", "noeviction")
	s, said := opened(t, "redis://"+server.Addr, nil)
	if err := s.Put(t.Context(), "a", []byte("an answer"), time.Hour); err != nil {
		t.Fatal(err)
	}
	if _, err := s.Secret(t.Context(), []byte("secret")); err != nil {
		t.Fatal(err)
	}
	s.client.ConfigSet(t.Context(), "maxmemory", "1")
	for range 3 {
		if got := taken(t, s, "a", "one"); string(got.Answer) != "an answer" {
			t.Errorf("%+v", got)
		}
		if got := taken(t, s, "b", "one"); got.Answer != nil || got.Holder != "" {
			t.Errorf("%+v", got)
		}
		if found, err := s.Secret(t.Context(), []byte("another")); err != nil || string(found) != "secret" {
			t.Errorf("%s, %v", found, err)
		}
		if err := s.Put(t.Context(), "b", []byte("x"), time.Hour); !goredis.IsOOMError(err) {
			t.Error(err)
		}
	}
	if got := said.text(); !strings.Contains(got, " is full (OOM ") || strings.Contains(got, "\n") {
		t.Errorf("said %s", got)
	}
}

// What docs/scale.md lets a user of the server do is enough.
func TestLeastRights(t *testing.T) {
	addr := redis.Start(t).Addr
	admin, _ := opened(t, "redis://"+addr, nil)
	ctx := t.Context()
	text, err := os.ReadFile("../../../docs/scale.md")
	if err != nil {
		t.Fatal(err)
	}
	_, line, _ := strings.Cut(string(text), "\nACL SETUSER fmcp ")
	line, _, _ = strings.Cut(line, "\n")
	args := []any{"ACL", "SETUSER", "fmcp"}
	for _, word := range strings.Fields(line) {
		args = append(args, word)
	}
	if err := admin.client.Do(ctx, args...).Err(); err != nil {
		t.Fatal(err)
	}
	s, said := opened(t, "redis://fmcp:PASSWORD@"+addr, nil)
	if _, err := s.Start(ctx, "a.com", time.Second, time.Hour); err != nil {
		t.Error(err)
	}
	if _, err := s.Secret(ctx, []byte("secret")); err != nil {
		t.Error(err)
	}
	if got := taken(t, s, "a", "one"); got.Holder != "one" {
		t.Errorf("%+v", got)
	}
	if err := errors.Join(s.Hold(ctx, "a", "one", time.Minute), s.Put(ctx, "a", []byte("x"), time.Hour)); err != nil {
		t.Error(err)
	}
	if got := taken(t, s, "a", "one"); string(got.Answer) != "x" || said.text() != "" {
		t.Errorf("%+v; said %s", got, said.text())
	}
}
