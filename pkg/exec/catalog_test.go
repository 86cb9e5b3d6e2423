package exec

import (
	"fmt"
	"strings"
	"testing"

	"github.com/flowmcp/fmcp/pkg/record"
)

// stream is a resolved catalog of n tools, each of about 3 KB.
func stream(t testing.TB, n int) string {
	var b strings.Builder
	b.WriteString(`{"v":1,"kind":"resolved","id":"demo","type":"catalog","data":{"name":"demo"}}` + "\n")
	b.WriteString(`{"v":1,"kind":"diagnostic","code":"X","severity":"info","message":"m","subject":"s",` +
		`"loc":{"path":"p","pointer":""}}` + "\n\n")
	filler := strings.Repeat("x", 2500)
	for i := range n {
		d := fmt.Sprintf(`{"schema":"ns%d/file","namespace":"ns%d","name":"getPrice","wireName":"get_price_ns%d",`+
			`"description":"%s","method":"GET","root":"https://a.com","path":"/x","parameters":[%s]}`,
			i, i, i, filler, user("id", "query", "string()", ""))
		r := record.Resolved{ID: fmt.Sprintf("ns%d/tool/getPrice", i), Type: record.TypeTool, Data: parse(t, d)}
		b.Write(r.AppendJSON(nil))
		b.WriteByte('\n')
	}
	return b.String()
}

// TestRecent: of many tools only those that were called last stay ready, and one that
// is called all the time is among them.
func TestRecent(t *testing.T) {
	const tools = 4 * maxRecent
	c, err := readCatalog(stream(t, tools))
	if err != nil {
		t.Fatal(err)
	}
	target := func(i int) Target {
		t.Helper()
		target, err := c.Target(fmt.Sprintf("ns%d/tool/getPrice", i))
		if err != nil {
			t.Fatal(err)
		}
		return target
	}
	often := target(0)
	for i := range tools {
		if target(i); target(0) != often {
			t.Fatalf("after %d tools the first is made ready again", i)
		}
		if n := len(c.tools.now) + len(c.tools.before); n > 2*maxRecent {
			t.Fatalf("%d tools are ready after %d calls", n, i)
		}
	}
	if again := target(1); again.Record().ID != "ns1/tool/getPrice" {
		t.Errorf("%s", again.Record().ID)
	}
}

func TestCatalog(t *testing.T) {
	c, err := readCatalog(stream(t, 5))
	if err != nil {
		t.Fatal(err)
	}
	if len(c.IDs()) != 5 || c.IDs()[0] != "ns0/tool/getPrice" {
		t.Errorf("ids %q", c.IDs())
	}
	byID, err := c.Target("ns3/tool/getPrice")
	if err != nil {
		t.Fatal(err)
	}
	byWire, err := c.Target("get_price_ns3")
	if err != nil || byWire != byID || byID.Label() != "getPrice" || byID.Record().WireName != "get_price_ns3" ||
		len(byID.(*Tool).Params) != 1 {
		t.Errorf("%v %+v", err, byWire)
	}
	for name, want := range map[string]string{
		"ns3/tool/getPrise":  `EXE001 no tool "ns3/tool/getPrise" (did you mean "ns3/tool/getPrice"?)`,
		"get_prise_ns3":      `(did you mean "get_price_ns3"?)`,
		"getPrice":           `(did you mean "ns0/tool/getPrice" or "ns1/tool/getPrice" or "ns2/tool/getPrice"?)`,
		"entirely/different": `give a Spec-ID such as ns0/tool/getPrice`,
		"ns3/skill/look":     `EXE001 no skill "ns3/skill/look": give a Spec-ID such as ns0/tool/getPrice`,
		"":                   `EXE001 no tool ""`,
		"demo":               `EXE001 no tool "demo"`,
	} {
		if _, err := c.Target(name); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want %s", name, err, want)
		}
	}
}

// TestBadRecords: what is wrong with a record is said when it is called.
func TestBadRecords(t *testing.T) {
	for data, want := range map[string]string{
		`{"v":1,"kind":"resolved","id":"a","type":"tool","data":{}}`: "EXE002 a: method",
		`{"v":1,"kind":"resolved","id":"a","type":"tool","data":[]}`: "EXE002 a: method",
		`{"v":9,"kind":"resolved","id":"a","type":"tool","data":{}}`: "use a newer fmcp",
		"": "EXE001 no tool \"a\": the catalog has no tools",
	} {
		c, err := readCatalog(data)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := c.Target("a"); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %s", data, err, want)
		}
	}
}

// BenchmarkColdCall reads a catalog of 2,000 tools, finds one and builds its
// request: a single call but for the network.
func BenchmarkColdCall(b *testing.B) {
	text := stream(b, 2000)
	b.SetBytes(int64(len(text)))
	for b.Loop() {
		c, err := readCatalog(text)
		if err != nil {
			b.Fatal(err)
		}
		t, err := c.Target("ns1234/tool/getPrice")
		if err != nil {
			b.Fatal(err)
		}
		if _, problem := build(b, t.(*Tool), `{"id":"x"}`); problem != "" {
			b.Fatal(problem)
		}
	}
}
