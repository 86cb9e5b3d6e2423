package network

import (
	"strings"
	"testing"
	"time"

	"github.com/flowmcp/fmcp/pkg/cli"
)

func TestRate(t *testing.T) {
	for text, want := range map[string]time.Duration{
		"5/s": 200 * time.Millisecond, "30/m": 2 * time.Second, "1/h": time.Hour, "1000/s": time.Millisecond,
		"5": 0, "0/s": 0, "-1/s": 0, "5/d": 0, "5/": 0, "/s": 0, "": 0, "1.5/s": 0, "5/s/m": 0, "9999999/s": 0,
	} {
		var r Rate
		if err := r.UnmarshalText([]byte(text)); time.Duration(r) != want || (err == nil) != (want > 0) {
			t.Errorf("%q: %s %v, want %s", text, time.Duration(r), err, want)
		}
	}
}

// TestZeroIsNoDefault: to the client 0 is the default, to a user it is none.
func TestZeroIsNoDefault(t *testing.T) {
	good := CallFlags{Timeout: time.Second, ConnectTimeout: time.Second, RetryWait: time.Second, HostCalls: 1,
		DownloadTimeout: time.Minute, HandlerTimeout: time.Second, HandlerWait: time.Second, HandlerMemory: 64 << 20}
	if err := good.check(); err != nil {
		t.Error(err)
	}
	for flag, change := range map[string]func(*CallFlags){
		"--timeout":         func(f *CallFlags) { f.Timeout = 0 },
		"--connect-timeout": func(f *CallFlags) { f.ConnectTimeout = -1 },
		"--retry-wait":      func(f *CallFlags) { f.RetryWait = 0 },
		"--host-calls":      func(f *CallFlags) { f.HostCalls = 0 },
		"--handler-timeout": func(f *CallFlags) { f.HandlerTimeout = 0 },
		"--handler-memory":  func(f *CallFlags) { f.HandlerMemory = 1 << 20 },
	} {
		f := good
		change(&f)
		if err := f.check(); err == nil || !strings.HasPrefix(err.Error(), flag+" is ") {
			t.Errorf("%s: %v", flag, err)
		}
	}
	if orNone(0) >= 0 || orNone(3) != 3 {
		t.Error("none is not passed to the client")
	}
}

// TestRecordingsAndCache: what is recorded or replayed is not answered from
// the cache, and a replay needs no keys.
func TestRecordingsAndCache(t *testing.T) {
	app := &cli.App{IO: cli.IO{Getenv: func(string) string { return "" }}}
	dir := t.TempDir()
	for _, tt := range []struct {
		recording     Recording
		noCache       bool
		cached, keyed bool
	}{
		{Recording{}, false, true, false}, {Recording{}, true, false, false},
		{Recording{Record: dir}, false, false, false}, {Recording{Replay: dir}, false, false, true},
	} {
		f := Flags{CallFlags{Timeout: time.Second, ConnectTimeout: time.Second, RetryWait: time.Second, HostCalls: 1,
			DownloadTimeout: time.Minute, HandlerTimeout: time.Second, HandlerWait: time.Second,
			HandlerMemory: 64 << 20}, CacheFlags{NoCache: tt.noCache}}
		c, err := f.Caller(app, &cli.CatalogFlags{}, tt.recording)
		if err != nil {
			t.Fatal(err)
		}
		if _, ok := c.Env.Lookup("KEY"); (c.Cache != nil) != tt.cached || ok != tt.keyed {
			t.Errorf("%+v: cache %v, key %v", tt, c.Cache != nil, ok)
		}
		c.Close()
	}
}
