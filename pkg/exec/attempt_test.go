package exec

import (
	"io"
	"net/http"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/flowmcp/fmcp/pkg/catalog"
	"github.com/flowmcp/fmcp/pkg/exec/fetch"
	"github.com/flowmcp/fmcp/pkg/ordjson"
	"github.com/flowmcp/fmcp/pkg/record"
)

// A further attempt of what may change something is not sent: an earlier one may have
// been. What only reads is, and so is the first attempt of everything.
func TestAttempt(t *testing.T) {
	var calls atomic.Int32
	_, client := newFakeNet(t, apiNames(), fetch.Options{}, func(w http.ResponseWriter, _ *http.Request) {
		calls.Add(1)
		_, _ = io.WriteString(w, "1")
	})
	c := &Caller{Client: client, Env: env(nil)}
	meta := func(method, reads string) Target {
		return tool(t, `{"name":"find","method":"`+method+`","root":"https://api.com","path":"/","serverParams":[],`+
			`"parameters":[],"meta":{"isReadOnly":`+reads+`}}`)
	}
	for _, tt := range []struct {
		name    string
		target  Target
		o       Options
		refused bool
	}{
		{"POST", bareTool(t, "POST", "https://api.com"), Options{}, false},
		{"POST, first", bareTool(t, "POST", "https://api.com"), Options{Attempt: 1}, false},
		{"POST, second", bareTool(t, "POST", "https://api.com"), Options{Attempt: 2}, true},
		{"PUT, third", bareTool(t, "PUT", "https://api.com"), Options{Attempt: 3}, true},
		{"GET, second", bareTool(t, "GET", "https://api.com"), Options{Attempt: 2}, false},
		{"POST that reads, second", meta("POST", "true"), Options{Attempt: 2}, false},
		{"GET that does not only read, second", meta("GET", "false"), Options{Attempt: 2}, true},
	} {
		before := calls.Load()
		e := c.Call(t.Context(), tt.target, ordjson.Value{}, tt.o)
		if sent := calls.Load() - before; (sent == 0) != tt.refused || e.Status == tt.refused {
			t.Errorf("%s: status %v, sent %d times", tt.name, e.Status, sent)
		}
		if tt.refused {
			expect(t, e, false, "EXE038 find: this is attempt ")
			expect(t, e, false, "may have been sent")
		}
	}
	dry := c.Call(t.Context(), bareTool(t, "POST", "https://api.com"), ordjson.Value{},
		Options{Attempt: 2, DryRun: true})
	if !dry.Status || dry.Request == nil {
		t.Errorf("dry run: %s", dry.AppendJSON(nil))
	}
}

// A query is one that only reads, or not, as well.
func TestAttemptOfQuery(t *testing.T) {
	rec := catalog.Decode(&record.Resolved{ID: "a/resource/db", Type: record.TypeResource, Data: parse(t,
		`{"name":"db","source":"sqlite","mode":"file-based","queries":[`+
			`{"name":"get","sql":"SELECT 1","parameters":[]},{"name":"put","sql":"DELETE FROM t","parameters":[]}]}`)})
	list, err := NewQueries(rec.(*catalog.Resource), "")
	if err != nil {
		t.Fatal(err)
	}
	c := &Caller{Env: env(nil)}
	for i, refused := range []bool{false, true} {
		e := c.Call(t.Context(), list[i], ordjson.Value{}, Options{Attempt: 2})
		if strings.HasPrefix(e.Messages[0], "EXE038") != refused { // resources are not open here: it went on
			t.Errorf("%s: %s", list[i].Name, e.Messages[0])
		}
	}
}
