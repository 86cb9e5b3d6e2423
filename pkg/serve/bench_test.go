package serve

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"strings"
	"testing"

	"github.com/mark3labs/mcp-go/mcp"
	"github.com/mark3labs/mcp-go/server"

	"github.com/flowmcp/fmcp/pkg/serve/listing"
)

// Every benchmark is beside one of the protocol library's own server with the
// same tools, over the same kind of pipe. The targets: initialize within 2
// times of Bare, a warm list within half of it.

const benchTools = 2000

// fieldCatalog is a catalog of n tools of the field's size: definitions of
// about 1.7 KB in records of about 4 KB.
func fieldCatalog(n int) string {
	var b strings.Builder
	for i := range n {
		var props, params []string
		for j := range 7 {
			props = append(props, fmt.Sprintf(`"param%d":{"type":"string","description":"Parameter %d of this tool: `+
				`what is asked for, and how it is written","enum":["alpha","beta","gamma","delta","epsilon"],`+
				`"default":"alpha"}`, j, j))
			params = append(params, fmt.Sprintf(`{"key":"param%d","location":"query","source":"user",`+
				`"value":"{{USER_PARAM}}","primitive":"enum(alpha,beta,gamma,delta,epsilon)",`+
				`"options":["default(alpha)","optional()"]}`, j))
		}
		hash := strings.Repeat("0123456789abcdef", 4)
		fmt.Fprintf(&b, `{"v":1,"kind":"resolved","id":"provider%[1]d/tool/getThing","type":"tool",`+
			`"data":{"schema":"provider%[1]d/things","namespace":"provider%[1]d","name":"getThing",`+
			`"wireName":"get_thing_provider%[1]d",`+
			`"description":"%[2]s","method":"GET","root":"https://api.provider%[1]d.example/v1",`+
			`"path":"/things/{{param0}}","headers":{"Accept":"application/json"},"parameters":[%[3]s],`+
			`"serverParams":["PROVIDER_%[1]d_KEY"],`+
			`"inputSchema":{"type":"object","properties":{%[4]s},"required":["param0","param1"]},`+
			`"output":{"mimeType":"application/json","schema":{"type":"object",`+
			`"properties":{"price":{"type":"number","description":"Price in USD"}}}},`+
			`"tests":[{"_description":"Small","param0":"alpha"},{"_description":"Large","param0":"beta"}],`+
			`"src":{"path":"providers/provider%[1]d/things.mjs","pointer":"/tools/getThing"},`+
			`"hashes":{"schemaHash":"deadbeef","mainHash":"sha256:%[5]s","fileHash":"sha256:%[5]s"}}}`+"\n",
			i, strings.Repeat("Returns the thing that was asked for. ", 6), strings.Join(params, ","),
			strings.Join(props, ","), hash)
	}
	return b.String()
}

func loadCatalog(tb testing.TB, text string) *listing.Listing { return listingOf(tb, text) }

// bareTools are the same tools for the library's server.
func bareTools(tools []listing.Tool) []server.ServerTool {
	list := make([]server.ServerTool, len(tools))
	for i := range tools {
		var def struct {
			Description string
			InputSchema json.RawMessage
		}
		if err := json.Unmarshal(tools[i].Listed(), &def); err != nil {
			panic(err)
		}
		list[i] = server.ServerTool{
			Tool: mcp.NewToolWithRawSchema(tools[i].WireName, def.Description, def.InputSchema),
			Handler: func(context.Context, mcp.CallToolRequest) (*mcp.CallToolResult, error) {
				return &mcp.CallToolResult{}, nil
			},
		}
	}
	return list
}

// bareCatalog reads the catalog as a server of the library's would.
func bareCatalog(tb testing.TB, text string) []server.ServerTool {
	var list []server.ServerTool
	dec := json.NewDecoder(strings.NewReader(text))
	for dec.More() {
		var rec struct {
			Data struct {
				WireName, Description string
				InputSchema           json.RawMessage
			}
		}
		if err := dec.Decode(&rec); err != nil {
			tb.Fatal(err)
		}
		list = append(list, server.ServerTool{Tool: mcp.NewToolWithRawSchema(rec.Data.WireName, rec.Data.Description,
			rec.Data.InputSchema)})
	}
	return list
}

// lineSink takes what a server writes and tells when a line is complete.
type lineSink struct{ lines chan int }

func (s lineSink) Write(p []byte) (int, error) {
	if len(p) > 0 && p[len(p)-1] == '\n' {
		s.lines <- len(p)
	}
	return len(p), nil
}

// ask runs a server and asks it n times.
func ask(serve func(ctx context.Context, in io.Reader, out io.Writer) error, question string, n int) {
	in, w := io.Pipe()
	sink := lineSink{make(chan int)}
	done := make(chan struct{})
	go func() {
		_ = serve(context.Background(), in, sink)
		close(done)
	}()
	for range n {
		_, _ = io.WriteString(w, question+"\n")
		<-sink.lines
	}
	w.Close()
	<-done
}

func bareServer(tools []server.ServerTool) func(context.Context, io.Reader, io.Writer) error {
	s := server.NewMCPServer("bare", "1", server.WithToolCapabilities(false))
	s.AddTools(tools...)
	return server.NewStdioServer(s).Listen
}

func BenchmarkInitialize2000(b *testing.B) {
	text := fieldCatalog(benchTools)
	b.SetBytes(int64(len(text)))
	b.ReportAllocs()
	for b.Loop() {
		c := loadCatalog(b, text)
		shown, _ := listing.Visible(c.Tools, func(string, string) bool { return true })
		s := newServer(b, Contents{Tools: shown, Caller: echo}, Options{})
		ask(s.Serve, initialize("2025-06-18"), 1)
	}
}

// The library's server, its tools read from the same catalog.
func BenchmarkInitialize2000Bare(b *testing.B) {
	text := fieldCatalog(benchTools)
	b.SetBytes(int64(len(text)))
	b.ReportAllocs()
	for b.Loop() {
		ask(bareServer(bareCatalog(b, text)), initialize("2025-06-18"), 1)
	}
}

// The library's server, its tools already in memory: nothing is read at all.
func BenchmarkInitialize2000BareReady(b *testing.B) {
	tools := bareTools(loadCatalog(b, fieldCatalog(benchTools)).Tools)
	b.ReportAllocs()
	for b.Loop() {
		ask(bareServer(tools), initialize("2025-06-18"), 1)
	}
}

func BenchmarkToolsList2000(b *testing.B) {
	s := newServer(b, Contents{Tools: loadCatalog(b, fieldCatalog(benchTools)).Tools}, Options{})
	b.ReportAllocs()
	b.ResetTimer()
	ask(s.Serve, request("1", "tools/list", "{}"), b.N)
}

func BenchmarkToolsList2000Bare(b *testing.B) {
	serve := bareServer(bareTools(loadCatalog(b, fieldCatalog(benchTools)).Tools))
	b.ReportAllocs()
	b.ResetTimer()
	ask(serve, request("1", "tools/list", "{}"), b.N)
}

func BenchmarkCall(b *testing.B) {
	s := newServer(b, demo(b, echo), Options{})
	b.ReportAllocs()
	b.ResetTimer()
	ask(s.Serve, callOf("1", "one_demo", `{"q":"bitcoin"}`), b.N)
}

func BenchmarkCallBare(b *testing.B) {
	tools := bareTools(demoTools(b))
	for i := range tools {
		tools[i].Handler = func(_ context.Context, r mcp.CallToolRequest) (*mcp.CallToolResult, error) {
			return mcp.NewToolResultStructured(map[string]any{"status": true, "messages": []string{},
				"data": r.GetArguments()}, "{}"), nil
		}
	}
	serve := bareServer(tools)
	b.ReportAllocs()
	b.ResetTimer()
	ask(serve, callOf("1", "one_demo", `{"q":"bitcoin"}`), b.N)
}

// The benchmarks are worth what the generated catalog is: of the field's size.
func TestFieldCatalog(t *testing.T) {
	text := fieldCatalog(benchTools)
	c := loadCatalog(t, text)
	size := 0
	for i := range c.Tools {
		size += len(c.Tools[i].Listed())
	}
	if per := len(text) / benchTools; per < 3500 || per > 4500 {
		t.Errorf("records of %d bytes", per)
	}
	if per := size / benchTools; per < 1500 || per > 2000 {
		t.Errorf("definitions of %d bytes", per)
	}
}
