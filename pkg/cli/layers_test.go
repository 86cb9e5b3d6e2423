package cli

import (
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

const repo = "github.com/flowmcp/fmcp/"

// layers are all packages from top to bottom; a package imports only what is
// below it (docs/architecture.md). A new package gets its place here.
var layers = []string{
	"cmd/fmcp-*",      // every command
	"internal/script", // tests only
	"scripts/bench",   // benchmarks only
	"scripts/bench/barehttp",
	"scripts/bench/baremcp",
	"scripts/bench/rss",
	"scripts/demo/database",
	"scripts/demo/upstream",
	"scripts/gencatalog",
	"scripts/gendocs",
	"scripts/gtfs",
	"scripts/gtfs/feed",
	"scripts/interop/replicas",
	"scripts/lint",
	"scripts/notices",
	"scripts/poison",
	"scripts/sbom",
	"scripts/gencatalog/gen",
	"pkg", // says what pkg/ is; no code
	"cmd/internal/progress",
	"cmd/internal/network", // of the commands that call tools
	"pkg/cli",
	"pkg/usage",
	"pkg/lsp",
	"pkg/fix",
	"pkg/stage",
	"pkg/watch",
	"pkg/serve/http",
	"pkg/serve/metrics",
	"pkg/serve/trace",
	"pkg/serve/activate",
	"pkg/serve/code",
	"pkg/serve/find",
	"pkg/serve",
	"pkg/serve/listing",
	"pkg/serve/audit",
	"pkg/serve/fit",
	"pkg/serve/auth",
	"pkg/clients",
	"pkg/bundle",
	"pkg/tokens",
	"pkg/serve/skills",
	"pkg/serve/elicit",
	"pkg/serve/seal",
	"pkg/serve/complete",
	"pkg/exec/pull",
	"pkg/exec/describe",
	"pkg/compare",
	"pkg/survey",
	"pkg/page",
	"pkg/grade/picture",
	"pkg/page/frame",
	"pkg/page/pagetest", // tests only
	"pkg/queue",
	"pkg/report",
	"pkg/openapi",
	"pkg/scaffold",
	"pkg/exec/derive",
	"pkg/exec/capture",
	"pkg/exec/suite",
	"pkg/exec",
	"pkg/exec/fetch",
	"pkg/exec/shared",
	"pkg/exec/cache",
	"pkg/exec/secret",
	"pkg/exec/percent",
	"pkg/exec/captured",
	"pkg/library",
	"pkg/resource",
	"pkg/resource/gtfs",
	"pkg/resource/markdown",
	"pkg/resource/remote",
	"pkg/resource/origin",
	"pkg/grade/heuristic",
	"pkg/grade/protocol",
	"pkg/grade/spec2",
	"pkg/grade/lifecycle",
	"pkg/grade/trim",
	"pkg/grade",
	"pkg/config",
	"pkg/resolve",
	"pkg/rules",
	"pkg/rules/*", // the families, none of which sees another
	"pkg/rules/engine",
	"pkg/forbidden",
	"pkg/text",
	"pkg/walk",
	"pkg/sharedlist",
	"pkg/search",
	"pkg/migrate",
	"pkg/catalog",
	"pkg/resource/gtfs/tools",
	"pkg/sandbox/worker",
	"pkg/sandbox",
	"pkg/dts",
	"pkg/edit",
	"pkg/module",
	"pkg/zod",
	"pkg/fields",
	"pkg/model",
	"pkg/record",
	"pkg/record/recordtest", // tests only
	"pkg/record/schema",
	"pkg/yaml",
	"pkg/sql",
	"pkg/program",
	"pkg/atomicfile",
	"pkg/spool",
	"pkg/ordjson",
	"pkg/ndjson",
	"pkg/words",
	"pkg/domain",
	"pkg/lazy",
	"pkg/progress",
	"internal/nats",   // tests only
	"internal/redis",  // tests only
	"internal/await",  // tests only
	"internal/canary", // tests only
	"testdata/rules",  // the fixtures of rules, embedded for --explain
}

// doors are the packages that may import a library. A new library gets its
// door here.
var doors = map[string][]string{
	"github.com/alecthomas/kong":            {"pkg/cli"},
	"golang.org/x/term":                     {"pkg/cli"},
	"github.com/schollz/progressbar/v3":     {"cmd/internal/progress"},
	"github.com/dop251/goja":                {"pkg/sandbox/worker"},
	"github.com/blevesearch/snowballstem":   {"pkg/search"},
	"github.com/evanw/esbuild":              {"pkg/library"},
	"github.com/bmatcuk/doublestar/v4":      {"pkg/walk"},
	"github.com/fsnotify/fsnotify":          {"pkg/watch"},
	"github.com/pb33f":                      {"pkg/openapi"}, // libopenapi, and the nodes of its go-yaml
	"golang.org/x/sys":                      {"pkg/watch"},
	"github.com/tidwall/gjson":              {"pkg/record", "pkg/stage", "pkg/exec/cache", "pkg/catalog"},
	"go.yaml.in/yaml":                       {"pkg/yaml"},
	"github.com/yuin/goldmark":              {"pkg/resource/markdown"},
	"github.com/rogpeppe/go-internal":       {"pkg/edit"}, // its diff; testscript is for tests
	"github.com/santhosh-tekuri/jsonschema": {"pkg/record/recordtest"},
	"golang.org/x/net":                      {"pkg/domain"}, // its publicsuffix
	"golang.org/x/text": {"pkg/resource/gtfs", "pkg/exec/fetch", "pkg/exec/secret",
		"pkg/sandbox/worker"},
	"github.com/golang-jwt/jwt":           {"pkg/serve/auth"},
	"github.com/MicahParks":               {"pkg/serve/auth"}, // keyfunc, and its jwkset
	"github.com/DeRuina/timberjack":       {"pkg/serve/audit"},
	"github.com/nats-io/nats.go":          {"pkg/queue"},
	"github.com/redis/go-redis":           {"pkg/exec/shared"},
	"golang.org/x/time":                   {"pkg/serve/auth", "pkg/serve/http"},
	"github.com/gofrs/flock":              {"pkg/resource/remote"},
	"modernc.org/libc":                    {"pkg/resource"}, // what SQLite is called with
	"github.com/tailscale/hujson":         {"pkg/clients"},
	"github.com/pelletier/go-toml":        {"pkg/clients"},
	"github.com/tiktoken-go":              {"pkg/tokens"},
	"go.opentelemetry.io/otel":            {"pkg/serve/trace"},
	"github.com/go-logr/logr":             {"pkg/serve/trace"}, // by which otel says what is wrong
	"github.com/prometheus/client_golang": {"pkg/serve/metrics"},
	// whichever driver
	"sqlite": {"pkg/resource", "pkg/resource/gtfs", "scripts/demo/database"},
	"github.com/mark3labs/mcp-go": {"pkg/serve", "pkg/serve/http", "pkg/serve/listing",
		"scripts/bench/baremcp"},
}

// golist runs go list in the root of the repository.
func golist(t *testing.T, args ...string) []string {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), "go", append([]string{"list"}, args...)...)
	cmd.Dir = "../.."
	cmd.Env = append(os.Environ(), "CGO_ENABLED=0")
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("go list %s: %v: %s", strings.Join(args, " "), err, stderrOf(err))
	}
	return strings.Split(strings.TrimSpace(string(out)), "\n")
}

func stderrOf(err error) string {
	if exit, ok := err.(*exec.ExitError); ok {
		return string(exit.Stderr)
	}
	return ""
}

// layerOf is the place of a package in layers, or -1.
func layerOf(pkg string) int {
	if at := slices.Index(layers, pkg); at >= 0 {
		return at
	}
	return slices.IndexFunc(layers, func(l string) bool {
		prefix, many := strings.CutSuffix(l, "*")
		return many && strings.HasPrefix(pkg, prefix)
	})
}

// layerErrors says what is wrong with one package and its imports.
func layerErrors(pkg string, imports []string) []string {
	var errs []string
	own := layerOf(pkg)
	if own < 0 {
		errs = append(errs, pkg+" has no place in layers: give it one")
	}
	for _, path := range imports {
		if below, ours := strings.CutPrefix(path, repo); ours {
			if at := layerOf(below); at >= 0 && own >= 0 && at <= own {
				errs = append(errs, pkg+" imports "+below+", which does not be below it")
			}
			if below == "pkg/record/recordtest" {
				errs = append(errs, pkg+" imports "+below+", which is for tests")
			}
			continue
		}
		if first, _, _ := strings.Cut(path, "/"); !strings.Contains(first, ".") {
			continue // standard library
		}
		if allowed, known := doorsOf(path); !known {
			errs = append(errs, pkg+" imports "+path+", which has no place in doors: give it one")
		} else if !slices.Contains(allowed, pkg) {
			errs = append(errs, pkg+" imports "+path+", whose only door is "+strings.Join(allowed, ", "))
		}
	}
	return errs
}

func doorsOf(path string) ([]string, bool) {
	if strings.Contains(path, "sqlite") {
		return doors["sqlite"], true
	}
	for library, allowed := range doors {
		if path == library || strings.HasPrefix(path, library+"/") {
			return allowed, true
		}
	}
	return nil, false
}

func TestLayers(t *testing.T) {
	lines := golist(t, "-f", `{{.ImportPath}} {{join .Imports " "}}`, "./...")
	if len(lines) < 10 {
		t.Fatalf("only %d packages are listed", len(lines))
	}
	for _, line := range lines {
		fields := strings.Fields(line)
		for _, e := range layerErrors(strings.TrimPrefix(fields[0], repo), fields[1:]) {
			t.Error(e)
		}
	}
}

// The test of the test: what must be refused is.
func TestLayerErrors(t *testing.T) {
	tests := []struct {
		pkg, imported string
		want          string // "" for allowed
	}{
		{"pkg/cli", repo + "pkg/report", ""},
		{"cmd/fmcp-scan", repo + "pkg/cli", ""},
		{"pkg/record", "encoding/json", ""},
		{"pkg/sandbox/worker", "github.com/dop251/goja/parser", ""},
		{"pkg/report", repo + "pkg/cli", "does not be below it"},
		{"pkg/rules/skills", repo + "pkg/rules/engine", ""},
		{"pkg/rules/skills", repo + "pkg/rules/prompts", "does not be below it"},
		{"pkg/ordjson", repo + "pkg/record", "does not be below it"},
		{"cmd/fmcp-scan", repo + "cmd/fmcp-load", "does not be below it"},
		{"pkg/new", "fmt", "no place in layers"},
		{"pkg/rules", repo + "pkg/record/recordtest", "for tests"},
		{"pkg/stage", "github.com/mark3labs/mcp-go/mcp", "only door is pkg/serve"},
		{"pkg/exec", "github.com/dop251/goja", "only door is pkg/sandbox/worker"},
		{"cmd/fmcp-scan", "github.com/alecthomas/kong", "only door is pkg/cli"},
		{"pkg/catalog", "github.com/evanw/esbuild/pkg/api", "only door is pkg/library"},
		{"pkg/exec", "modernc.org/sqlite", "only door is pkg/resource"},
		{"pkg/exec", "github.com/dop251/gojax", "no place in doors"},
	}
	for _, tt := range tests {
		errs := strings.Join(layerErrors(tt.pkg, []string{tt.imported}), "\n")
		if (errs == "") != (tt.want == "") || !strings.Contains(errs, tt.want) {
			t.Errorf("%s imports %s: %q, want %q", tt.pkg, tt.imported, errs, tt.want)
		}
	}
}

// The bundler is linked into the one command that bundles, the vocabulary of a model
// into the one that counts tokens, the page of a catalog into the one that
// writes it, and what runs JavaScript into all that load modules or call handlers.
func TestWhoLinksWhat(t *testing.T) {
	for _, line := range golist(t, "-f", `{{.ImportPath}} {{join .Deps " "}}`, "./cmd/fmcp-...") {
		fields := strings.Fields(line)
		for library, want := range map[string]bool{
			"github.com/evanw/esbuild/pkg/api": fields[0] == repo+"cmd/fmcp-resolve",
			"github.com/dop251/goja":           fields[0] != repo+"cmd/fmcp-scan",
			"google.golang.org/protobuf/proto": fields[0] == repo+"cmd/fmcp-serve",
			"google.golang.org/grpc":           fields[0] == repo+"cmd/fmcp-serve",
			"github.com/golang-jwt/jwt/v5":     fields[0] == repo+"cmd/fmcp-serve",
			repo + "pkg/tokens":                fields[0] == repo+"cmd/fmcp-serve",
			repo + "pkg/exec/shared":           fields[0] == repo+"cmd/fmcp-serve" || fields[0] == repo+"cmd/fmcp-exec",
			repo + "pkg/page":                  fields[0] == repo+"cmd/fmcp-resolve",
		} {
			if links := slices.Contains(fields, library); links != want {
				t.Errorf("%s links %s: %v, want %v", fields[0], library, links, want)
			}
		}
	}
}

// A heavy library is linked only where its door is.
func TestValidateIsLight(t *testing.T) {
	deps := golist(t, "-deps", "./cmd/fmcp-validate")
	if !slices.Contains(deps, repo+"pkg/cli") {
		t.Fatalf("fmcp-validate is not built on pkg/cli: %d packages listed", len(deps))
	}
	for _, d := range deps {
		if strings.Contains(d, "sqlite") || strings.Contains(d, "mark3labs/mcp-go") {
			t.Errorf("fmcp-validate links %s", d)
		}
	}
}

// smallest is how large a command may be that links neither what runs JavaScript
// nor SQLite nor the bundler, built as a release is. The largest part that could go is
// net/http with TLS, 1.7 MB, which the library of public suffixes imports for a type.
const smallest = 12 << 20

func TestScanIsSmall(t *testing.T) {
	for _, d := range golist(t, "-deps", "./cmd/fmcp-scan") {
		if strings.Contains(d, "sqlite") || strings.HasPrefix(d, "github.com/evanw/esbuild") {
			t.Errorf("fmcp-scan links %s", d)
		}
	}
	file := filepath.Join(t.TempDir(), "fmcp-scan")
	cmd := exec.CommandContext(t.Context(), "go", "build", "-ldflags", "-s -w", "-o", file, "./cmd/fmcp-scan")
	cmd.Dir = "../.."
	cmd.Env = append(os.Environ(), "CGO_ENABLED=0", "GOFLAGS=", "GOOS=linux", "GOARCH=amd64")
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	info, err := os.Stat(file)
	if err != nil {
		t.Fatal(err)
	}
	if info.Size() > smallest {
		t.Errorf("fmcp-scan has %d bytes, at most %d are wanted", info.Size(), smallest)
	}
}
