package serve

import (
	"errors"
	"io"
	"strings"
	"testing"
)

// Messages of a client that does not read its answers are still read.
func TestCancelWithoutReading(t *testing.T) {
	b := newBlocker()
	s := newServer(t, demo(t, b), Options{})
	in, write := io.Pipe()
	read, out := io.Pipe() // holds nothing
	done := make(chan error, 1)
	go func() { done <- s.Serve(t.Context(), in, out) }()
	io.WriteString(write, callOf("1", "one_demo", `{"q":"x"}`)+"\n")
	wait(t, b.started, "the call")
	for range 100 {
		io.WriteString(write, request("2", "ping", "{}")+"\n"+request("3", "tools/list", "{}")+"\n"+request("4",
			"no/such", "{}")+"\n")
	}
	io.WriteString(write, cancelled("1")+"\n")
	if err := wait(t, b.ended, "the end of the call"); !errors.Is(err, errWithdrawn) {
		t.Errorf("the call ended by %v", err)
	}
	write.Close()
	text := make(chan string, 1)
	go func() { b, _ := io.ReadAll(read); text <- string(b) }()
	if err := wait(t, done, "the end of the session"); err != nil {
		t.Error(err)
	}
	out.Close()
	lines := strings.Split(strings.TrimSpace(wait(t, text, "the answers")), "\n")
	if len(lines) != 300 || !strings.Contains(lines[297], `"id":2,`) || !strings.Contains(lines[299], `"id":4,`) {
		t.Errorf("%d answers, want 300 in the order of the messages", len(lines))
	}
}
