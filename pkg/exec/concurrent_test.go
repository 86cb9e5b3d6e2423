package exec

import (
	"context"
	"fmt"
	"net/http"
	"strings"
	"sync"
	"testing"

	"github.com/flowmcp/fmcp/pkg/exec/fetch"
	"github.com/flowmcp/fmcp/pkg/exec/secret"
	"github.com/flowmcp/fmcp/pkg/ordjson"
)

// TestConcurrentCalls lets many goroutines share catalog and caller; each must
// get the answer to its own call.
func TestConcurrentCalls(t *testing.T) {
	root, c := upstream(t, fetch.Options{}, nil,
		func(w http.ResponseWriter, r *http.Request) { fmt.Fprint(w, r.URL.Query().Get("id")) })
	cat, err := readCatalog(strings.ReplaceAll(stream(t, 8), "https://a.com", root))
	if err != nil {
		t.Fatal(err)
	}
	var wg sync.WaitGroup
	for i := range 64 {
		wg.Go(func() {
			tl, err := cat.Target(fmt.Sprintf("ns%d/tool/getPrice", i%8))
			if err != nil {
				t.Error(err)
				return
			}
			e := c.Call(context.Background(), tl, parse(t, fmt.Sprintf(`{"id":"%d"}`, i)),
				Options{Tag: ordjson.NewInt(i)})
			if got := ordjson.Text(e.Data); got != fmt.Sprint(i) || ordjson.Text(e.Tag) != got {
				t.Errorf("call %d got %s", i, e.AppendJSON(nil))
			}
		})
	}
	wg.Wait()
}

// BenchmarkRedact redacts 1 MB of data in which no secret is.
func BenchmarkRedact(b *testing.B) {
	item := `{"id":"bitcoin","symbol":"btc","price":45000.25,"url":"https://example.com/a/b?c=d"}`
	v := parse(b, "["+strings.TrimSuffix(strings.Repeat(item+",", (1<<20)/len(item)), ",")+"]")
	r := secret.NewRedactor(env(map[string]string{"A": "Zk7canary42x-secret", "B": "another-Secret-0123456789"}),
		[]string{"A", "B"})
	b.SetBytes(1 << 20)
	for b.Loop() {
		r.Value(v)
	}
}
