package gtfs

import (
	"errors"
	"fmt"
	"io"
	"runtime"
	"strings"
	"testing"

	"github.com/flowmcp/fmcp/pkg/ordjson"
)

func TestFeatures(t *testing.T) {
	const one = `{"type":"FeatureCollection","features":[{"id":"a"},{"id":"b"}]}`
	for _, tt := range []struct{ text, want string }{
		{one, "a b <nil>"},
		{`{"features":[{"id":"a"}],"bbox":[1,2],"type":"FeatureCollection"} `, "a <nil>"},
		{`{"type":"FeatureCollection","features":[]}`, "<nil>"},
		{`{"type":"FeatureCollection","features":[7,"x"]}`, "  <nil>"},
		{`{"type":"Feature","features":[]}`, "expected a FeatureCollection with features"},
		{`{"type":"FeatureCollection","features":{}}`, "expected a FeatureCollection with features"},
		{`{"type":"FeatureCollection"}`, "expected a FeatureCollection with features"},
		{`[]`, "expected a FeatureCollection with features"},
		{"", "unexpected EOF"},
		{"{", "unexpected EOF"},
		{one[:len(one)-1], "a b unexpected EOF"},
		{one[:len(one)-2], "a b unexpected EOF"},
		{one[:len(one)-6], "a unexpected EOF"},
		{one + "{}", "a b something follows its end"},
		{one + "x", "a b invalid character 'x' looking for beginning of value"},
		{`{"type":"FeatureCollection","features":[{]}`,
			"invalid character ']' looking for beginning of object key string"},
		{`{"type":"FeatureCollection","features":[` + strings.Repeat("[", 20_000),
			"invalid character '[' exceeded max depth"},
		{`{"a":"` + strings.Repeat("x", 3*maxFeature) + `"}`, errLong.Error()},
		{`{"type":"FeatureCollection","features":[{"id":"a"},[` + strings.Repeat("0,", 2*maxFeature) + `0]]}`,
			"a " + errLong.Error()},
	} {
		got := ""
		err := features(&metered{r: strings.NewReader(tt.text)}, func(f ordjson.Value) error {
			got += f.Get("id").Str() + " "
			return nil
		})
		if got += fmt.Sprint(err); got != tt.want {
			t.Errorf("%.60q: %s, want %s", tt.text, got, tt.want)
		}
	}
}

// endless is a collection without end.
type endless struct{ rest []byte }

func (e *endless) Read(p []byte) (int, error) {
	if len(e.rest) == 0 {
		e.rest = []byte(`{"id":"a","geometry":{"type":"Polygon","coordinates":[` + strings.Repeat("[0,0],", 20_000) +
			`[0,0]]}},`)
	}
	n := copy(p, e.rest)
	e.rest = e.rest[n:]
	return n, nil
}

// What is held does not grow with the file.
func TestFeaturesMemory(t *testing.T) {
	enough := errors.New("enough")
	count, most := 0, uint64(0)
	in := io.MultiReader(strings.NewReader(`{"features":[`), &endless{})
	err := features(&metered{r: in}, func(ordjson.Value) error {
		if count++; count%100 == 0 {
			var m runtime.MemStats
			runtime.GC()
			runtime.ReadMemStats(&m)
			most = max(most, m.HeapAlloc)
		}
		if count == manyFeatures { // 60 MB
			return enough
		}
		return nil
	})
	if !errors.Is(err, enough) || most > 64<<20 {
		t.Errorf("%v; %d bytes are held", err, most)
	}
}
