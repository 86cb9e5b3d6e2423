package resolve

import (
	"math/rand"
	"regexp"
	"strings"
	"testing"
)

func TestSnakeCase(t *testing.T) {
	tests := []struct{ in, want string }{
		{"simplePrice", "simple_price"}, {"erc20Token", "erc20_token"}, {"getAbi", "get_abi"}, {"x", "x"}, {"", ""},
		// An acronym stays together with what follows.
		{"getHTTPStatus", "get_httpstatus"}, {"HTTPServer", "httpserver"}, {"getABI", "get_abi"},
		{"getNFTs", "get_nfts"},
		{"getNFTsByOwner", "get_nfts_by_owner"}, {"listAPIs2", "list_apis2"}, {"A1B2", "a1_b2"}, {"isOK", "is_ok"},
		{"thisIsAVeryLongName", "this_is_avery_long_name"}, {"getStats24h", "get_stats24h"},
		{"getENSName", "get_ensname"},
		// Underscores stay where they are.
		{"_a_", "_a_"}, {"__a__b", "__a__b"}, {"already_snake", "already_snake"}, {"get_Abi", "get_abi"},
		// What no client takes.
		{"etherscan-io", "etherscan_io"}, {"get:balance/of", "getbalance_of"},
		{"/block/:block_number_or_hash", "_block_block_number_or_hash"},
		{"a.b c", "a_b_c"}, {"Größe", "gr__e"}, {"日本", "__"}, {"é\xffX", "__x"},
	}
	for _, tt := range tests {
		if got := SnakeCase(tt.in); got != tt.want {
			t.Errorf("SnakeCase(%q) = %q, want %q", tt.in, got, tt.want)
		}
	}
}

func wire(id string) wireTool {
	ns, rest, _ := strings.Cut(id, "/tool/")
	return wireTool{route: rest, namespace: ns, identity: id}
}

// namesOf are the wire names of tools.
func namesOf(n namer, tools []wireTool) []string {
	names := make([]string, len(tools))
	for i, digits := range n.digits(len(tools), func(i int) wireTool { return tools[i] }) {
		names[i] = n.name(tools[i], digits)
	}
	return names
}

func TestWireNames(t *testing.T) {
	long := "getAllTheThingsThatAnybodyCouldEverWantToKnowAboutTokens"
	tests := []struct {
		name  string
		style ToolNames
		max   int
		ids   []string
		want  []string
	}{
		{"snake", SnakeNames, 63, []string{"coingecko/tool/simplePrice", "etherscan-io/tool/getAbi"},
			[]string{"simple_price_coingecko", "get_abi_etherscan_io"}},
		{"spec", SpecNames, 63, []string{"coingecko/tool/simplePrice", "etherscan-io/tool/getAbi", "a/tool//x.y"},
			[]string{"simplePrice_coingecko", "getAbi_etherscan-io", "_x_y_a"}},
		{"collision", SnakeNames, 63, []string{"a-b/tool/getX", "a/tool/other", "b/tool/getX_a"},
			[]string{"get_x_a_b_1b3feb4e", "other_a", "get_x_a_b_beacc4a5"}},
		{"all of the colliding ones", SnakeNames, 63, []string{"b/tool/getA", "b/tool/get_a"},
			[]string{"get_a_b_83529869", "get_a_b_61932ee8"}},
		{"too long", SnakeNames, 63, []string{"coingecko/tool/" + long},
			[]string{"get_all_the_things_that_anybody_could_ever_want_to_kno_bfa005fb"}},
		{"cursor", SnakeNames, 40, []string{"coingecko/tool/" + long},
			[]string{"get_all_the_things_that_anybody_bfa005fb"}},
		{"digit first", SnakeNames, 63, []string{"a/tool/24h"}, []string{"_24h_a"}},
		{"nothing left", SnakeNames, 63, []string{"a/tool/日本"}, []string{"___a"}},
	}
	for _, tt := range tests {
		var tools []wireTool
		for _, id := range tt.ids {
			tools = append(tools, wire(id))
		}
		names := namesOf(namer{tt.style, tt.max}, tools)
		for i, n := range names {
			if len(n) > tt.max || n != tt.want[i] {
				t.Errorf("%s: %q (%d bytes), want %q", tt.name, n, len(n), tt.want)
			}
		}
	}
}

// A natural name that looks like a suffixed one, found by giving it that very
// name, must still leave all names distinct.
func TestWireNameMeetsSuffix(t *testing.T) {
	n := namer{SnakeNames, 63}
	tools := []wireTool{wire("b/tool/getA"), wire("b/tool/get_a")}
	names := namesOf(n, tools)
	route, hash, _ := strings.Cut(names[0], "_b_")
	tools = append(tools, wireTool{route: route + "_b", namespace: hash, identity: "natural"})
	all := namesOf(n, tools)
	seen := map[string]bool{}
	for _, name := range all {
		if seen[name] {
			t.Errorf("%q twice in %q", name, all)
		}
		seen[name] = true
	}
	if all[0] == names[0] {
		t.Errorf("%q kept a name that two tools want: %q", tools[0].identity, all)
	}
}

func TestWireNamesDoNotDependOnOrder(t *testing.T) {
	var tools []wireTool
	for _, id := range []string{"a/tool/getX", "a/tool/get_x", "a/tool/getx", "a/tool/GetX", "b/tool/getX",
		"a-b/tool/x", "b/tool/xA", "b/tool/x_a", "b/tool/" + strings.Repeat("long", 20)} {
		tools = append(tools, wire(id))
	}
	n := namer{SnakeNames, 63}
	names := namesOf(n, tools)
	want := map[string]string{}
	for i, w := range tools {
		want[w.identity] = names[i]
	}
	rnd := rand.New(rand.NewSource(1))
	for range 50 {
		rnd.Shuffle(len(tools), func(i, j int) { tools[i], tools[j] = tools[j], tools[i] })
		got := namesOf(n, tools)
		for i, w := range tools {
			if got[i] != want[w.identity] {
				t.Fatalf("%s is %q and %q", w.identity, got[i], want[w.identity])
			}
		}
	}
}

func FuzzWireNames(f *testing.F) {
	f.Add("simplePrice", "coingecko", 63)
	f.Add("getHTTPStatus", "etherscan-io", 40)
	f.Add("", "", 16)
	f.Add("\xff日本/..", strings.Repeat("x", 200), 17)
	valid := map[ToolNames]*regexp.Regexp{
		SnakeNames: regexp.MustCompile(`^[a-z_][a-z0-9_]{0,62}$`),
		SpecNames:  regexp.MustCompile(`^[a-zA-Z_][a-zA-Z0-9_-]{0,62}$`),
	}
	f.Fuzz(func(t *testing.T, route, namespace string, limit int) {
		limit = MinMaxName + (limit&0xffff)%(DefaultMaxName-MinMaxName+1)
		tools := []wireTool{
			{route, namespace, "1"}, {route, namespace, "2"}, {route + "X", namespace, "3"},
			{route + "_x", namespace, "4"},
		}
		for style, re := range valid {
			names := namesOf(namer{style, limit}, tools)
			seen := map[string]bool{}
			for _, n := range names {
				if !re.MatchString(n) || len(n) > limit || seen[n] {
					t.Errorf("%s %d %q %q: bad or repeated name in %q", style, limit, route, namespace, names)
				}
				seen[n] = true
			}
		}
	})
}
