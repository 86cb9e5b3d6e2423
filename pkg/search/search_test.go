package search

import (
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode"
)

// tools are few, each found for another reason.
var tools = []Doc{
	{ID: "sky/tool/getForecast", Namespace: "openmeteosky", Name: "getForecast",
		Description: "Hourly weather forecast for a location.", Tags: []string{"weather"}},
	{ID: "races/tool/getTeamStandings", Namespace: "races", Name: "getTeamStandings",
		Description: "Standings of the teams of a season."},
	{ID: "races/tool/getSeason", Namespace: "races", Name: "getSeason", Description: "The races of an F1 season."},
	{ID: "clubs/tool/getTable", Namespace: "clubs", Name: "getTable", Description: "Standings of a football league."},
	{ID: "chain/tool/getABI", Namespace: "chain", Name: "getABI", Aliases: []string{"contractInterface"},
		Description: "What a deployed program can do."},
	{ID: "chain/tool/getBalance", Namespace: "chain", Name: "getBalance", Description: "Balance of an account.",
		Parameters: []string{"walletAddress"}},
	{ID: "roads/tool/getJams", Namespace: "roads", Name: "getJams", Hint: "congestion motorway autobahn",
		Description: "Where cars queue.", Tags: []string{"germany"}},
	{ID: "roads/tool/getChargers", Namespace: "roads", Name: "getChargers",
		Description: "Charging stations for electric cars, by their connectors."},
	{ID: "oldlaw/tool/searchJudgments", Namespace: "oldlaw", Name: "searchJudgments",
		Description: "Search judgments of courts."},
	{ID: "seabirds/tool/getSightings", Namespace: "seabirds", Name: "getSightings",
		Description: "Recent observations of birds in a region."},
	{ID: "papers/tool/byDoi", Namespace: "papers", Name: "byDoi", Description: "A publication by its DOI."},
	{ID: "trips/tool/planTrip", Namespace: "trips", Name: "planTrip", Description: "Plan a trip."},
	{ID: "skies/tool/getStates", Namespace: "skies", Name: "getStates",
		Description: "State vectors of all aircraft in an area."},
	{ID: "evening/tool/listCourses", Namespace: "evening", Name: "listCourses", Description: "Courses for adults."},
	{ID: "lab/tool/getToxicity", Namespace: "lab", Name: "getToxicity", Description: "Toxicity of a substance."},
	{ID: "pollenus/tool/getCounts", Namespace: "pollenus", Name: "getCounts",
		Description: "Pollen counts in the United States."},
	{ID: "pollende/tool/getCounts", Namespace: "pollende", Name: "getCounts",
		Description: "Pollen counts in Germany."},
}

func TestSearch(t *testing.T) {
	x := New(slices.Values(tools))
	for _, c := range []struct{ why, request, want string }{
		{"its name", "team standings", "races/tool/getTeamStandings"},
		{"another form of a word", "forecasting locations", "sky/tool/getForecast"},
		{"its alias", "contract interface", "chain/tool/getABI"},
		{"its hint", "congestion", "roads/tool/getJams"},
		{"its tag", "weather", "sky/tool/getForecast"},
		{"its parameter", "wallet", "chain/tool/getBalance"},
		{"a part of its namespace", "meteo", "sky/tool/getForecast"},
		{"what another tool of the namespace says", "who leads the formula one teams", "races/tool/getTeamStandings"},
		{"a synonym", "verdicts", "oldlaw/tool/searchJudgments"},
		{"a term of two words", "traffic jam", "roads/tool/getJams"},
		{"German", "Gerichtsurteile suchen", "oldlaw/tool/searchJudgments"},
		{"a German plural", "Welche Vögel kann man hier sehen?", "seabirds/tool/getSightings"},
		{"without umlauts", "Voegel", "seabirds/tool/getSightings"},
		{"a compound", "Wettervorhersage", "sky/tool/getForecast"},
		{"a compound with a joint", "Vogelbeobachtungen", "seabirds/tool/getSightings"},
		{"the last part of a compound", "Töpferkurse", "evening/tool/listCourses"},
		{"a word that is nearly English", "Toxizität", "lab/tool/getToxicity"},
		{"English endings only in English", "which planes are there", "skies/tool/getStates"},
		{"a slip", "wether", "sky/tool/getForecast"},
		{"two slips", "obsurvashions of birds", "seabirds/tool/getSightings"},
		{"a slip in German", "Autobhan", "roads/tool/getJams"},
		{"a name", "Will Paris be sunny?", "sky/tool/getForecast"},
		{"a value", "what is 10.1000/xyz123", "papers/tool/byDoi"},
		{"an address", "what does 0x52908400098527886E0F7030069857D2E4169EE7 hold", "chain/tool/getBalance"},
		{"a whole sentence", "I'm driving an electric car, where could I charge it?", "roads/tool/getChargers"},
		{"who asks in German", "Wie viele Pollen sind in der Luft?", "pollende/tool/getCounts"},
		{"who asks in English for elsewhere", "pollen in the US", "pollenus/tool/getCounts"},
	} {
		hits := x.Search(c.request, 3)
		if len(hits) == 0 {
			t.Errorf("%s: %q finds nothing", c.why, c.request)
		} else if got := hits[0]; got != c.want {
			t.Errorf("%s: %q finds %s, want %s", c.why, c.request, got, c.want)
		}
	}
}

func TestSearchNothing(t *testing.T) {
	x := New(slices.Values(tools))
	for _, request := range []string{"", "   ", "?!", "could you please show me what there is", "zzzzqqqq", "的天气"} {
		if hits := x.Search(request, 5); len(hits) > 0 {
			t.Errorf("%q finds %s", request, hits[0])
		}
	}
	if hits := New(slices.Values[[]Doc](nil)).Search("weather", 5); len(hits) > 0 {
		t.Errorf("no tools: %v", hits)
	}
}

func TestSearchLimit(t *testing.T) {
	x := New(slices.Values(tools))
	all := x.Search("standings season", 100)
	if len(all) < 3 {
		t.Fatalf("%d hits, want the three with standings or a season", len(all))
	}
	two := x.Search("standings season", 2)
	if len(two) != 2 || two[0] != all[0] || two[1] != all[1] {
		t.Errorf("%v, want the first two of %v", two, all)
	}
}

// The words of a pasted page are not all looked up.
func TestSearchLong(t *testing.T) {
	x := New(slices.Values(tools))
	if hits := x.Search("weather "+strings.Repeat("jibberjabber", 100_000), 1); len(hits) != 1 {
		t.Errorf("%v after a long word", hits)
	}
	if n := len(x.understand(strings.Repeat("weather ", 100_000)).units); n != maxWords {
		t.Errorf("%d words are read, want %d", n, maxWords)
	}
}

func TestSplit(t *testing.T) {
	for text, want := range map[string]string{
		"getDriverStandings":   "get driver standings",
		"getCO2Emissions":      "get co2 emissions",
		"parseABIString":       "parse abi string",
		"ABIs of contracts":    "abis of contracts",
		"get_social_volume":    "get social volume",
		"/wallets/:address":    "wallets address",
		"Wellenhöhe, Straße":   "wellenhoehe strasse",
		"ERC20 pm2.5 U-Bahn":   "erc20 pm2 5 u bahn",
		"Café Pokémon":         "cafe pokemon",
		"":                     "",
		"NaïveÜberÖl":          "naive ueber oel",
		"HTTPServer and DNS's": "http server and dns s",
		"what WHO tells us":    "what worldhealth tells us",
		"getUSStates":          "get usa states",
	} {
		if got := strings.Join(split(text), " "); got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}

func TestCompound(t *testing.T) {
	x := New(slices.Values(tools))
	for word, want := range map[string]string{
		"wettervorhersage":      "wetter vorhersage",
		"luftqualitaetsindex":   "luftqualitaet index",
		"bundeslaenderwetter":   "bundeslaender wetter",
		"zugverbindung":         "zug verbindung",
		"openmeteosky":          "open meteo sky",
		"weather":               "",
		"qqqqqqqqqq":            "",
		strings.Repeat("a", 99): "",
	} {
		if got := strings.Join(x.compound(stemmer{}, word), " "); got != want {
			t.Errorf("%s: %q, want %q", word, got, want)
		}
	}
}

// A slip in the lists would go unnoticed: a term just finds less.
func TestLists(t *testing.T) {
	for name, text := range map[string]string{"thesaurus": thesaurusText, "german": germanText, "names": namesText} {
		for line := range strings.Lines(text) {
			line = strings.TrimSpace(line)
			if line == "" || strings.HasPrefix(line, "#") {
				continue
			}
			checkLine(t, name, line)
		}
	}
}

// capitals are those that split knows.
var capitals = regexp.MustCompile(`\b(US|WHO|IT)\b`)

func checkLine(t *testing.T, name, line string) {
	t.Helper()
	body := strings.TrimPrefix(line, "~")
	left, right, directed := strings.Cut(body, ">")
	if strings.Contains(right, ">") || directed && len(termsOf(right)) == 0 || len(termsOf(left)) == 0 ||
		!directed && name != "thesaurus" {
		t.Errorf("%s: not of the form A, B or A, B > C: %s", name, line)
	}
	if strings.ContainsFunc(capitals.ReplaceAllString(body, ""), unicode.IsUpper) {
		t.Errorf("%s: capitals: %s", name, line)
	}
	for _, side := range []string{left, right} {
		seen := map[string]bool{}
		for term := range strings.SplitSeq(side, ",") {
			words := strings.Join(split(term), " ")
			if seen[words] {
				t.Errorf("%s: %q is there twice: %s", name, term, line)
			}
			seen[words] = true
			if words == "" && side != "" {
				t.Errorf("%s: an empty term: %s", name, line)
			}
		}
	}
}

func FuzzSearch(f *testing.F) {
	x := New(slices.Values(tools))
	f.Add("Wie wird das Wetter?")
	f.Add("0x52908400098527886E0F7030069857D2E4169EE7 \xff ABIs")
	f.Fuzz(func(t *testing.T, request string) {
		if found := x.Search(request, 5); len(found) > 5 {
			t.Errorf("%q: %d tools", request, len(found))
		}
	})
}

func BenchmarkNew(b *testing.B) {
	docs := make([]Doc, 0, 2000)
	for len(docs) < 2000 {
		docs = append(docs, tools...)
	}
	for b.Loop() {
		New(slices.Values(docs))
	}
}
