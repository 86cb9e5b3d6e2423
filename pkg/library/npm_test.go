package library

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/flowmcp/fmcp/pkg/sandbox"
)

// npmFolder is where testdata/libraries/package.json is installed.
func npmFolder(t testing.TB) (*Folder, string) {
	t.Helper()
	dir, err := filepath.Abs("../../testdata/libraries")
	if err != nil {
		t.Fatal(err)
	}
	f, err := Open(filepath.Join(dir, "node_modules"))
	if err != nil {
		t.Skip("the packages are not installed: run npm ci --ignore-scripts --prefix testdata/libraries")
	}
	t.Cleanup(func() { _ = f.Close() })
	return f, dir
}

// libraryCall is a small call of a library; lib is what handlers get of it.
type libraryCall struct{ name, library, expr string }

var libraryCalls = []libraryCall{
	{"keccak256", "ethers", `lib.keccak256(lib.toUtf8Bytes('hello'))`},
	{"units", "ethers", `[lib.formatUnits(123456789n, 6), lib.parseEther('1.5').toString(), lib.formatEther('1')]`},
	{"address", "ethers", `[lib.getAddress('0x8ba1f109551bd432803012645ac136ddd64dba72'), lib.ZeroAddress, ` +
		`lib.isAddress('0x1')]`},
	{"interface", "ethers", `(() => { const i = new lib.Interface(['function transfer(address to, ` +
		`uint256 n) returns (bool)', 'event Transfer(address indexed a, address indexed b, uint256 n)']); ` +
		`const data = i.encodeFunctionData('transfer', [lib.ZeroAddress, 5n]); return [data, ` +
		`i.decodeFunctionData('transfer', data).map(String), i.getEvent('Transfer').topicHash] })()`},
	{"coder", "ethers", `lib.AbiCoder.defaultAbiCoder().encode(['uint256', 'string', 'bytes32[]'], [7n, 'hi', ` +
		`[lib.ZeroHash]])`},
	{"signature", "ethers",
		`lib.verifyMessage('hello', new lib.SigningKey('0x' + '1'.repeat(64)).sign(lib.hashMessage('hello')))`},
	{"as chapter 01 takes it", "ethers",
		`(({ ethers }) => ethers.hexlify(new Uint8Array([1, 2, 255])))({ ethers: lib })`},
	{"format", "moment", `lib.utc('2024-02-29T13:05:09.123Z').format('dddd, MMMM Do YYYY, h:mm:ss.SSS a [W]W')`},
	{"time", "moment", `[lib.utc(0).add(1, 'month').endOf('month').toISOString(), lib.utc([2024, 0, ` +
		`31]).from(lib.utc([2025, 0, 1])), lib.duration(90, 'minutes').humanize(), lib.utc('12-25-1995', ` +
		`'MM-DD-YYYY').unix()]`},
	{"sma", "indicatorts", `[lib.sma([1, 2, 3, 4, 5, 6], { period: 3 }), lib.ema([1, 2, 4, 8, 16], { period: 2 }), ` +
		`lib.rsi([10, 11, 10.5, 12, 13, 12.5], { period: 3 })]`},
	{"macd", "indicatorts", `lib.macd(Array.from({ length: 40 }, (_, i) => i * i % 17 + i / 4))`},
	{"sma", "trading-signals", `(() => { const sma = new lib.SMA(3); return [1, 2, 3, 4, 5, ` +
		`6].map((v) => sma.add(v)).map((v) => v === null ? v : Number(v)) })()`},
	{"bands", "trading-signals", `(() => { const b = new lib.BollingerBands(5, 2); let last; for (const v of [81.59, ` +
		`81.06, 82.87, 83, 83.61, 83.15, 82.84]) last = b.add(v) ?? last; return last })()`},
	{"uri", "axios", `[lib.getUri({ url: 'https://a.com/x', params: { q: 'ä b', list: [1, 2], at: new Date(0) } }), ` +
		`lib.VERSION, lib.isAxiosError(new lib.AxiosError('x', 'E'))]`},
	{"headers", "axios", `new lib.AxiosHeaders({ 'x-a': 1, Accept: 'b' }).toJSON()`},
	{"encode", "@erc725/erc725.js",
		`new lib([{ name: 'LSP1UniversalReceiverDelegate', ` +
			`key: '0x0cfc51aec37c55a4d0b1a65c6255c4bf2fbdf6277f3cc0730c45b828b6db8b47', keyType: 'Singleton', ` +
			`valueType: 'address', valueContent: 'Address' }]).encodeData([{ ` +
			`keyName: 'LSP1UniversalReceiverDelegate', value: '0x1183790f29BE3cDfD0A102862fEA1a4a30b3AdAb' }])`},
	{"decode", "@erc725/erc725.js",
		`[lib.encodeKeyName('LSP3Profile'), ` +
			`lib.decodePermissions('0x0000000000000000000000000000000000000000000000000000000000000110')]`},
	{"parse", "fast-xml-parser", `new lib.XMLParser({ ignoreAttributes: false }).parse('<?xml version="1.0"?><a ` +
		`x="1"><b>2</b><b>ü &amp; <![CDATA[<c>]]></b><d/></a>')`},
	{"build", "fast-xml-parser", `[new lib.XMLBuilder({ format: true }).build({ a: { b: [1, 'x<y'] } }), ` +
		`lib.XMLValidator.validate('<a><b></a>')]`},
}

// source is a schema whose tool t runs an expression.
func (c libraryCall) source() string {
	return fmt.Sprintf("export const handlers = ({ libraries }) => { const lib = libraries[%q]; return { t: { "+
		"executeRequest: async () => ({ response: %s }) } } }", c.library, c.expr)
}

// carried gives a script the bundle of its library.
func (c libraryCall) carried(t testing.TB, f *Folder) sandbox.Script {
	t.Helper()
	b, err := f.Bundle(c.library)
	if err != nil {
		t.Fatal(err)
	}
	return sandbox.Script{
		Key: c.source(), Source: c.source(), Libraries: []string{c.library},
		Bundles: map[string]*sandbox.Library{c.library: {Hash: b.Hash, Script: b.Script}},
	}
}

// TestLibrariesAgreeWithNode: libraries in the sandbox answer what they answer
// in Node, which loads them as the reference implementation does.
func TestLibrariesAgreeWithNode(t *testing.T) {
	f, dir := npmFolder(t)
	pool := sandbox.NewPool(sandbox.Limits{Workers: 1, Time: time.Minute})
	defer pool.Close()
	want := nodeAnswers(t, dir, libraryCalls)
	for i, c := range libraryCalls {
		t.Run(c.library+" "+c.name, func(t *testing.T) {
			got, err := pool.Call(t.Context(), c.carried(t, f),
				sandbox.Call{Name: "t", Stage: sandbox.ExecuteRequest, Input: json.RawMessage("{}")})
			if err != nil {
				t.Fatal(err)
			}
			if text := `{"response":` + string(want[i]) + "}"; string(got) != text {
				t.Errorf("sandbox: %s\nNode:    %s", got, text)
			}
		})
	}
}

// nodeAnswers are the JSON of what expressions are in Node.
func nodeAnswers(t *testing.T, dir string, calls []libraryCall) []json.RawMessage {
	t.Helper()
	var js strings.Builder
	js.WriteString("const load = async (name) => { const m = await import(name); return m.default || m }\n" +
		"const all = []\n")
	for _, c := range calls {
		fmt.Fprintf(&js, "{ const lib = await load(%q); all.push(%s) }\n", c.library, c.expr)
	}
	js.WriteString("console.log(JSON.stringify(all))\n")
	cmd := exec.CommandContext(t.Context(), "node", "--input-type=module")
	cmd.Dir, cmd.Stdin = dir, strings.NewReader(js.String())
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("node: %v: %s", err, &stderr)
	}
	var answers []json.RawMessage
	if err := json.Unmarshal(out, &answers); err != nil {
		t.Fatal(err)
	}
	return answers
}

// rpcAnswers are the answers of a chain to one call, or to a batch.
func rpcAnswers(body []byte) []byte {
	type rpc struct {
		ID     int    `json:"id"`
		Method string `json:"method,omitempty"`
		Result string `json:"result,omitempty"`
	}
	results := map[string]string{"eth_chainId": "0x1", "eth_blockNumber": "0x10"}
	var calls []rpc
	if json.Unmarshal(body, &calls) != nil {
		var one rpc
		_ = json.Unmarshal(body, &one)
		answer, _ := json.Marshal(rpc{ID: one.ID, Result: results[one.Method]})
		return answer
	}
	for i, c := range calls {
		calls[i] = rpc{ID: c.ID, Result: results[c.Method]}
	}
	answer, _ := json.Marshal(calls)
	return answer
}

// TestLibrariesCallTheNetworkByTheCaller: requests that libraries make are
// fetches of the handler; where it may make none, the message says so.
func TestLibrariesCallTheNetworkByTheCaller(t *testing.T) {
	f, _ := npmFolder(t)
	pool := sandbox.NewPool(sandbox.Limits{Workers: 1, Time: time.Minute})
	defer pool.Close()
	fetch := func(_ context.Context, r sandbox.FetchRequest) sandbox.FetchAnswer {
		answer := sandbox.FetchAnswer{Status: 200, URL: r.URL,
			Headers: map[string]string{"content-type": "application/json"}, Body: []byte(`{"n":1}`)}
		if strings.HasSuffix(r.URL, "/rpc") {
			answer.Body = rpcAnswers(r.Body)
		}
		if strings.Contains(r.URL, "refused") {
			return sandbox.FetchAnswer{Error: "EXE030 the host is not the schema's"}
		}
		return answer
	}
	for _, tt := range []struct {
		libraryCall
		want string
	}{
		{libraryCall{"get", "axios", `(await lib.get('https://a.com/x', { params: { q: 1 } })).data`},
			`{"response":{"n":1}}`},
		{libraryCall{"post", "axios", `await lib.post('https://a.com/x', { a: 1 }).then((r) => [r.status, r.data, ` +
			`r.config.method])`}, `{"response":[200,{"n":1},"post"]}`},
		{libraryCall{"refused", "axios", `await lib.get('https://refused.com').catch((e) => e.message)`},
			`EXE030 the host is not the schema's`},
		{libraryCall{"provider", "ethers", `await new lib.JsonRpcProvider('https://a.com/rpc').getBlockNumber()`},
			`{"response":16}`},
	} {
		t.Run(tt.library+" "+tt.name, func(t *testing.T) {
			got, err := pool.Call(t.Context(), tt.carried(t, f),
				sandbox.Call{Name: "t", Stage: sandbox.ExecuteRequest, Input: json.RawMessage("{}"), Fetch: fetch})
			if err != nil || !strings.Contains(string(got), tt.want) {
				t.Errorf("%s, %v; want %s", got, err, tt.want)
			}
		})
	}
	c := libraryCall{"get", "axios", `await lib.get('https://a.com/x')`}
	script := c.carried(t, f)
	script.Source = strings.Replace(script.Source, "executeRequest", "postRequest", 1)
	script.Key = script.Source
	_, err := pool.Call(t.Context(), script,
		sandbox.Call{Name: "t", Stage: sandbox.PostRequest, Input: json.RawMessage("{}"), Fetch: fetch})
	if err == nil || !strings.Contains(err.Error(), "SEC100") || !strings.Contains(err.Error(), "executeRequest only") {
		t.Errorf("axios in postRequest: %v", err)
	}
}

// BenchmarkCall compares a call of a handler with ethers to one without a
// library, in one worker that knows both.
func BenchmarkCall(b *testing.B) {
	f, _ := npmFolder(b)
	plain := libraryCall{library: "crypto", expr: `'0x1234'`}
	calls := map[string]sandbox.Script{
		"plain":  {Key: "plain", Source: plain.source()},
		"ethers": libraryCall{library: "ethers", expr: `lib.hexlify('0x1234')`}.carried(b, f),
	}
	pool := sandbox.NewPool(sandbox.Limits{Workers: 1})
	defer pool.Close()
	for _, name := range []string{"plain", "ethers"} {
		b.Run(name, func(b *testing.B) {
			call := func() {
				if _, err := pool.Call(b.Context(), calls[name],
					sandbox.Call{Name: "t", Stage: sandbox.ExecuteRequest, Input: json.RawMessage("{}")}); err != nil {
					b.Fatal(err)
				}
			}
			call() // compiles
			for b.Loop() {
				call()
			}
		})
	}
}

// BenchmarkBundle is what a library costs when a catalog is made.
func BenchmarkBundle(b *testing.B) {
	f, _ := npmFolder(b)
	for _, name := range []string{"moment", "ethers"} {
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				if _, err := f.Bundle(name); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
