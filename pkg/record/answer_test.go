package record_test

import (
	"testing"

	"github.com/flowmcp/fmcp/pkg/ordjson"
	"github.com/flowmcp/fmcp/pkg/record"
)

// An envelope that is read whole is written as it was.
func TestAnswer(t *testing.T) {
	for _, line := range []string{
		`{"v":1,"kind":"envelope","id":"a/tool/b","tag":{"test":1,"run":"x"},"status":true,` +
			`"messages":["EXE080 b: part"],"data":{"a":[1,"2"]},"warnings":["w"],` +
			`"request":{"method":"POST","url":"https://a.example/?b","headers":` +
			`{"Accept":"*/*","A":"b"},"body":{"c":1}},"durationMs":17}`,
		`{"v":1,"kind":"envelope","id":"a/resource/b/c","status":true,"messages":[],"data":[],"request":` +
			`{"source":"sqlite","query":"c","sql":"SELECT 1","params":[1]},"durationMs":0}`,
		`{"v":1,"kind":"envelope","id":"a/tool/b","status":false,"messages":["EXE040 b: no"],"data":null,"request":` +
			`{"method":"GET","url":"https://a.example/","headers":{}},"dryRun":true,"durationMs":1}`,
	} {
		v, err := ordjson.Parse(line)
		if err != nil {
			t.Fatal(err)
		}
		if got := string(record.Answer(v).AppendJSON(nil)); got != line {
			t.Errorf("%s\nwant %s", got, line)
		}
	}
	v, _ := ordjson.Parse(`{"v":1,"kind":"envelope","id":"a/tool/b","status":true,"cache":{"state":"hit"}}`)
	if e := record.Answer(v); e.Cache.State != record.CacheHit || !e.Data.Is(ordjson.Null) {
		t.Errorf("%+v", e)
	}
}
