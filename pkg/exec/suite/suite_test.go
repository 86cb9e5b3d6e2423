package suite_test

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/netip"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/flowmcp/fmcp/pkg/catalog"
	"github.com/flowmcp/fmcp/pkg/exec"
	"github.com/flowmcp/fmcp/pkg/exec/fetch"
	"github.com/flowmcp/fmcp/pkg/exec/secret"
	"github.com/flowmcp/fmcp/pkg/exec/suite"
	"github.com/flowmcp/fmcp/pkg/record"
	"github.com/flowmcp/fmcp/pkg/record/recordtest"
)

// toolRecord is a resolved tool; rest are further members of its data.
func toolRecord(id, schema, source, rest string) string {
	namespace, _, _ := strings.Cut(id, "/")
	name := strings.SplitN(id, "/", 3)[2]
	return `{"v":1,"kind":"resolved","id":"` + id + `","type":"tool","data":{"schema":"` + schema + `","namespace":"` +
		namespace + `","name":"` + name +
		`","wireName":"` + strings.Trim(strings.ReplaceAll(name, "/", "_"), "_:") + `_` + namespace +
		`","description":"d","method":"GET","root":"https://{{SERVER_PARAM:SUB}}.example.com/v1","path":"/",` +
		`"parameters":[{"key":"n","location":"query","source":"user","value":"{{USER_PARAM}}","primitive":"number()",` +
		`"options":["max(5)"]}],"serverParams":["SUB"],` +
		`"inputSchema":{"type":"object","properties":{}},"src":{"path":"` + source + `"},"hashes":{}` + rest + `}}`
}

const three = `,"tests":[{"_description":"One","n":1},{"_description":"Two","n":2},{"_description":"Three","n":3}]`

func catalogOf(t *testing.T, lines ...string) *exec.Catalog {
	t.Helper()
	c, err := exec.ReadCatalog(strings.NewReader(strings.Join(lines, "\n")), catalog.ReadOptions{})
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func demo(t *testing.T) *exec.Catalog {
	return catalogOf(t,
		toolRecord("coins/tool/price", "coins/simple", "providers/coins/simple.mjs", three),
		toolRecord("coins/tool/list", "coins/simple", "providers/coins/simple.mjs",
			`,"tests":[{"_description":"All"}]`),
		toolRecord("coins/tool//block/:hash", "coins/blocks", "providers/coins/blocks.mjs", three),
		toolRecord("tides/tool/list", "tides/stations", "providers/tides/stations.mjs", three),
		strings.Replace(toolRecord("broken/tool/x", "broken/x", "providers/broken/x.mjs", three), `"GET"`, `"BREW"`, 1),
	)
}

// list names the cases: "coins/tool/price 0".
func list(p *suite.Plan) string {
	var names []string
	for _, c := range p.Cases() {
		names = append(names, fmt.Sprintf("%s %d", c.ID, c.Index))
	}
	return strings.Join(names, ", ")
}

func TestTargets(t *testing.T) {
	for targets, want := range map[string]string{
		"coins/tool/price": "coins/tool/price 0, coins/tool/price 1, coins/tool/price 2",
		"list_coins":       "coins/tool/list 0",
		"coins/simple": "coins/tool/price 0, coins/tool/price 1, coins/tool/price 2, " +
			"coins/tool/list 0",
		"*/tool/list": "coins/tool/list 0, tides/tool/list 0, tides/tool/list 1, " +
			"tides/tool/list 2",
		"coins/tool/[l]*": "coins/tool/list 0",
		"coins/tool/*": "coins/tool/price 0, coins/tool/price 1, coins/tool/price 2, " +
			"coins/tool/list 0, coins/tool//block/:hash 0, coins/tool//block/:hash 1, coins/tool//block/:hash 2",
		"coins/tool//b*": "coins/tool//block/:hash 0, coins/tool//block/:hash 1, " +
			"coins/tool//block/:hash 2",
		"tides/tool/list list_coins t*/*/*": "tides/tool/list 0, tides/tool/list 1, tides/tool/list 2, " +
			"coins/tool/list 0",
		"broken/tool/x": "broken/tool/x -1",
	} {
		p, c := &suite.Plan{}, demo(t)
		for _, target := range strings.Fields(targets) {
			if err := p.Target(c, target); err != nil {
				t.Errorf("%s: %v", target, err)
			}
		}
		if got := list(p); got != want {
			t.Errorf("%s: %s\nwant %s", targets, got, want)
		}
	}
}

func TestTargetsThatAreNot(t *testing.T) {
	for target, want := range map[string]string{
		"coins/tool/prize": `EXE001 no tool "coins/tool/prize" (did you mean "coins/tool/price"?)`,
		"coin/tool/*":      `nothing matches "coin/tool/*" (did you mean "coins"?)`,
		"coins/*":          `nothing matches "coins/*": a glob has three parts, such as coins/tool/*`,
		"*price":           `nothing matches "*price": a glob has three parts, such as coins/tool/*`,
		"coins/tool/[a":    `"coins/tool/[a" is not a glob: a [ has no ]`,
		"coins/simpel":     `EXE001 no tool "coins/simpel": give a Spec-ID such as coins/tool/price, or an MCP name`,
	} {
		if err := (&suite.Plan{}).Target(demo(t), target); err == nil || err.Error() != want {
			t.Errorf("%s: %v\nwant %s", target, err, want)
		}
	}
	if err := (&suite.Plan{}).Target(catalogOf(t), "a/tool/*"); err == nil ||
		err.Error() != `nothing matches "a/tool/*": the catalog has none` {
		t.Error(err)
	}
}

func TestFiles(t *testing.T) {
	for under, want := range map[string]int{
		"": 11, "providers": 10, "providers/coins": 7, "providers/coins/simple.mjs": 4, "providers/coin": 0,
		"providers/coins/": 7,
	} {
		p := &suite.Plan{}
		tools := p.All(demo(t), under)
		if len(p.Cases()) != want || (tools > 0) != (want > 0) {
			t.Errorf("%q: %d tests of %d tools, want %d", under, len(p.Cases()), tools, want)
		}
	}
}

// run runs all tests of one tool and returns its envelopes as short lines.
func run(t *testing.T, mode record.TestMode, keys map[string]string, tool string) string {
	t.Helper()
	client, err := fetch.NewClient(fetch.Options{Resolver: nil})
	if err != nil {
		t.Fatal(err)
	}
	env, err := secret.NewEnv(secret.EnvOptions{Names: []string{"*"}, Getenv: func(k string) string { return keys[k] }})
	if err != nil {
		t.Fatal(err)
	}
	p := &suite.Plan{}
	p.All(catalogOf(t, tool), "")
	runner := suite.NewRunner(&exec.Caller{Client: client, Env: env}, suite.Options{Mode: mode})
	var lines []string
	for _, c := range p.Cases() {
		res := runner.Run(t.Context(), c)
		if err := recordtest.Check(res.AppendJSON(nil)); err != nil {
			t.Error(err)
		}
		lines = append(lines, strings.TrimSpace(fmt.Sprintf("%d %s %v %s %v", res.Test.Index, res.Test.Outcome,
			res.Called, strings.Join(res.Messages, "; "), res.Test.Missing)))
	}
	return strings.Join(lines, "\n")
}

func TestRunWithoutCalls(t *testing.T) {
	for _, tt := range []struct {
		name, tests, want string
		mode              record.TestMode
		keys              map[string]string
	}{
		{"no key", three, "0 skipped false EXE060 x: skipped, since server parameter SUB is not set: write SUB=… " +
			"into .flowmcp/.env, or into a file that --env-file names [SUB]", record.TestRun, nil},
		{"no tests", ``, "-1 skipped false EXE061 x: the tool has no tests: write three that differ (TST001) []",
			record.TestRun, nil},
		{"empty", `,"tests":[]`, "-1 skipped false EXE061 x: ", record.TestDryRun, nil},
		{"no array", `,"tests":{"a":1}`, "-1 failed false EXE062 x: tests is object, expected an array []",
			record.TestRun, nil},
		{"no object", `,"tests":["x"]`,
			"0 failed false EXE062 x: tests[0] is string, expected an object with _description and values []",
			record.TestRun, nil},
		// What is wrong with the values is said without the key too.
		{"bad value", `,"tests":[{"_description":"Six","n":6}]`, `0 failed true EXE012 x: parameter "n": `,
			record.TestRun, nil},
		{"missing value", `,"tests":[{"_description":"None"}]`,
			`0 failed false EXE011 x: required parameter "n" is missing`, record.TestDryRun, nil},
		{"unknown value", `,"tests":[{"_description":"Odd","n":1,"m":2}]`,
			`0 failed false EXE010 x: unknown parameter "m"`, record.TestDryRun, nil},
		{"dry run", three, "0 passed false  []\n1 passed false  []\n2 passed false  []", record.TestDryRun, nil},
		{"no description", `,"tests":[{"n":1}]`,
			"0 failed false EXE062 x: the test has no _description: say what it shows (TST002) []",
			record.TestDryRun, nil},
	} {
		if got := run(t, tt.mode, tt.keys,
			toolRecord("api/tool/x", "api/x", "x.mjs", tt.tests)); !strings.HasPrefix(got, tt.want) {
			t.Errorf("%s: %s\nwant %s", tt.name, got, tt.want)
		}
	}
	// Where a handler fixes the request, what its tool needs is known all the
	// same.
	fixed := strings.Replace(toolRecord("api/tool/x", "api/x", "x.mjs", three+`,"handlers":["preRequest"]`),
		`"path":"`, `"path":"/{{chain}}`, 1)
	if got := run(t, record.TestRun, nil, fixed); !strings.HasPrefix(got, "0 skipped false EXE060 x: ") {
		t.Errorf("a tool whose handler fixes its request: %s", got)
	}
	if got := run(t, record.TestRun, nil,
		strings.Replace(toolRecord("api/tool/x", "api/x", "x.mjs", three), `"GET"`, `"BREW"`,
			1)); !strings.HasPrefix(got, "-1 failed false EXE002 api/tool/x: ") {
		t.Errorf("a tool that cannot be used: %s", got)
	}
}

// TestDelay: calls of one host start apart, those of others do not wait.
func TestDelay(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		client, err := fetch.NewClient(fetch.Options{Retries: -1})
		if err != nil {
			t.Fatal(err)
		}
		env, _ := secret.NewEnv(secret.EnvOptions{Names: []string{"*"}, Getenv: func(string) string { return "eu" }})
		p := &suite.Plan{}
		other := strings.Replace(toolRecord("other/tool/x", "other/x", "y.mjs", three), "example.com", "example.org", 1)
		// A value that is refused costs no call and opens no socket, but has its turn.
		p.All(catalogOf(t, strings.ReplaceAll(toolRecord("api/tool/x", "api/x", "x.mjs", three), `"n":`, `"m":`),
			strings.ReplaceAll(other, `"n":`, `"m":`)), "")
		runner := suite.NewRunner(&exec.Caller{Client: client, Env: env},
			suite.Options{Mode: record.TestRun, Delay: time.Second})
		began := time.Now()
		var starts []string
		for _, c := range p.Cases() {
			starts = append(starts, runner.Run(context.Background(), c).Began.Sub(began).String())
		}
		if got := strings.Join(starts, " "); got != "0s 1s 2s 2s 3s 4s" {
			t.Error(got)
		}
	})
}

// TestHostsSideBySide: tests of a host that wait for their turn do not keep
// others waiting; no more calls are under way than asked for, and those of one
// host start in order and apart, though they have to wait for each other.
func TestHostsSideBySide(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		const jobs, slow = 2, 700 * time.Millisecond
		var mu sync.Mutex
		under, most := 0, 0
		client, err := fetch.NewClient(fetch.Options{Retries: -1, AllowHosts: []string{"a.com", "b.com", "c.com"},
			Resolver: anyHost{}, Dial: func(context.Context, string, string) (net.Conn, error) {
				mu.Lock()
				under++
				most = max(most, under)
				mu.Unlock()
				time.Sleep(slow)
				mu.Lock()
				under--
				mu.Unlock()
				return nil, errors.New("no network")
			}})
		if err != nil {
			t.Fatal(err)
		}
		p, lines := &suite.Plan{}, []string{}
		for _, host := range []string{"a", "b", "c"} {
			lines = append(lines, strings.Replace(toolRecord(host+"/tool/x", host+"/x", "x.mjs", three),
				"{{SERVER_PARAM:SUB}}.example.com", host+".com", 1))
		}
		p.All(catalogOf(t, lines...), "")
		runner := suite.NewRunner(&exec.Caller{Client: client},
			suite.Options{Mode: record.TestRun, Delay: time.Second, Jobs: jobs})
		began := time.Now()
		starts := map[string][]time.Duration{}
		var wait sync.WaitGroup
		for _, c := range p.Cases() {
			wait.Go(func() {
				res := runner.Run(t.Context(), c)
				mu.Lock()
				defer mu.Unlock()
				starts[c.ID] = append(starts[c.ID], res.Began.Sub(began))
			})
		}
		wait.Wait()
		if took := time.Since(began); most != jobs || took > 9*slow/jobs+3*time.Second {
			t.Errorf("%d calls at a time, %s in all", most, took)
		}
		for id, list := range starts {
			slices.Sort(list)
			for i := range list[1:] {
				if list[i+1]-list[i] < time.Second {
					t.Errorf("%s: starts at %v", id, list)
				}
			}
		}
	})
}

// TestInOrder: the calls of a host start in the order of the plan, in whatever
// order they come to wait for their turn, and past those that call nothing.
func TestInOrder(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		client, err := fetch.NewClient(fetch.Options{Retries: -1, AllowHosts: []string{"a.com"}, Resolver: anyHost{},
			Dial: func(context.Context, string, string) (net.Conn, error) {
				return nil, errors.New("no network")
			}})
		if err != nil {
			t.Fatal(err)
		}
		p, lines := &suite.Plan{}, []string{}
		for _, name := range []string{"v", "w", "x", "y", "z"} {
			line := strings.Replace(toolRecord("a/tool/"+name, "a/x", "x.mjs", three),
				"{{SERVER_PARAM:SUB}}.example.com", "a.com", 1)
			if name == "x" {
				line = strings.Replace(line, `"GET"`, `"POST"`, 1) // is skipped
			}
			lines = append(lines, line)
		}
		p.All(catalogOf(t, lines...), "")
		cases := p.Cases()
		runner := suite.NewRunner(&exec.Caller{Client: client},
			suite.Options{Mode: record.TestRun, Delay: time.Second, Jobs: 2, ReadOnly: true, Cases: cases})
		starts := make([]time.Time, len(cases))
		var wait sync.WaitGroup
		for i := len(cases) - 1; i >= 0; i-- {
			wait.Go(func() { starts[i] = runner.Run(t.Context(), cases[i]).Began })
			synctest.Wait() // it waits now
		}
		wait.Wait()
		var last time.Time
		for i, at := range starts {
			if called := cases[i].ID != "a/tool/x"; called != !at.IsZero() || called && !at.After(last) {
				t.Errorf("test %d of %s starts at %s, the one before it at %s", i, cases[i].ID, at, last)
			} else if called {
				last = at
			}
		}
	})
}

// anyHost has the same address for every name.
type anyHost struct{}

func (anyHost) LookupNetIP(context.Context, string, string) ([]netip.Addr, error) {
	return []netip.Addr{netip.MustParseAddr("93.184.216.34")}, nil
}

// TestWithoutHost: what asks no host, a query of a database, does not wait.
func TestWithoutHost(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		client, err := fetch.NewClient(fetch.Options{})
		if err != nil {
			t.Fatal(err)
		}
		p := &suite.Plan{}
		p.All(catalogOf(t, strings.Replace(toolRecord("a/tool/x", "a/x", "x.mjs", three),
			"https://{{SERVER_PARAM:SUB}}.example.com/v1", "", 1)), "")
		runner, began := suite.NewRunner(&exec.Caller{Client: client},
			suite.Options{Mode: record.TestRun, Delay: time.Second}), time.Now()
		for _, c := range p.Cases() {
			runner.Run(t.Context(), c)
		}
		if took := time.Since(began); len(p.Cases()) != 3 || took > 0 {
			t.Errorf("%d tests took %s", len(p.Cases()), took)
		}
	})
}
