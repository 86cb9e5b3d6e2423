package exec

import (
	"context"
	"fmt"
	"net/http"
	"testing"

	"github.com/flowmcp/fmcp/pkg/exec/fetch"
)

// An answer that changes the protocol has no end: the call fails at once.
func TestCallRefusesOtherProtocols(t *testing.T) {
	done := make(chan struct{})
	defer close(done)
	root, c := upstream(t, fetch.Options{Retries: -1}, nil, func(w http.ResponseWriter, _ *http.Request) {
		conn, _, err := w.(http.Hijacker).Hijack()
		if err != nil {
			t.Error(err)
			return
		}
		fmt.Fprint(conn, "HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: x\r\n\r\n{}")
		go func() { <-done; conn.Close() }()
	})
	e := c.Call(context.Background(), tool(t, data("GET", root, "/", "")), parse(t, `{}`), Options{})
	expect(t, e, false, CodeServerStatus+" find: ")
	expect(t, e, false, "answered 101 Switching Protocols, which was not asked for")
}
