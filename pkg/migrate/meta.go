package migrate

import (
	"cmp"
	"slices"
	"strings"
	"unicode"

	"github.com/flowmcp/fmcp/pkg/ordjson"
)

// Tool is what the meta of a tool is proposed from.
type Tool struct {
	Name, Method, Description string
	Namespace                 string // of its schema
	Fetches                   bool   // executeRequest may send requests that nothing is known of
}

// Meta proposes the meta of a tool (chapter 08, section 3, step 2). Where nothing says
// better it is what does least harm: a tool that is taken for one that writes is called
// with more care than it needs.
func Meta(t Tool) ordjson.Value {
	t.Method = strings.ToUpper(t.Method) // version 1 took both
	words := wordsOf(t.Name)
	verb := ""
	if len(words) > 0 {
		verb = strings.ToLower(words[0])
	}
	says, _, _ := strings.Cut(strings.ToLower(t.Description), " ")
	reads := slices.Contains(reading, verb) || slices.Contains(reading, strings.TrimSuffix(says, "s"))
	deletes := t.Method == "DELETE" || slices.Contains(deleting, verb)
	writes := deletes || slices.Contains(writing, verb)
	field := func(name string, is bool) ordjson.Member { return ordjson.Field(name, ordjson.NewBool(is)) }
	return ordjson.NewObject(
		field("isReadOnly", t.Method == "GET" && !writes && !t.Fetches),
		field("isConcurrencySafe", !writes && (t.Method == "GET" || reads)),
		field("isDestructive", deletes),
		ordjson.Field("searchHint", ordjson.NewString(hint(t, words))),
		ordjson.Field("aliases", ordjson.NewArray()),
		field("alwaysLoad", false),
	)
}

// Verbs with which the names of tools begin: of what is gone after the call, of what
// changes something, and of what only looks. GET says less than these do. Of descriptions
// only the last are asked for: "Transfer history" and "Post details" are nouns.
var (
	deleting = strings.Fields("delete remove destroy purge revoke erase drop")
	writing  = strings.Fields("create add post send update set put cancel place submit upload write buy sell " +
		"transfer withdraw mint burn register pin unpin publish start stop trigger book pay vote follow")
	reading = strings.Fields("get list search find fetch query lookup check count read show describe resolve " +
		"estimate simulate compare calculate convert decode validate verify")
)

// maxHint is how many words a hint has: those of a longer description are less to the
// point.
const maxHint = 10

// hint is the words of the first sentence of a description that somebody would search for, else
// those of the tool's name.
func hint(t Tool, name []string) string {
	var chosen []string
	seen := map[string]bool{}
	add := func(words []string) {
		for _, w := range words {
			lower := strings.ToLower(w)
			says := len(w) > 2 || len(w) == 2 && w != lower // EU, but not de
			if says && !seen[lower] && !slices.Contains(empty, lower) && len(chosen) < maxHint {
				seen[lower] = true
				chosen = append(chosen, w)
			}
		}
	}
	add(wordsOf(t.Namespace))
	first, _, _ := strings.Cut(t.Description, ". ")
	add(strings.FieldsFunc(first, func(r rune) bool {
		return !unicode.IsLetter(r) && !unicode.IsDigit(r) && r != '-'
	}))
	if len(chosen) < 3 {
		add(name)
	}
	return cmp.Or(strings.Join(chosen, " "), t.Name)
}

// empty are words that say nothing of what a tool is about.
var empty = strings.Fields("a an the of for in on at by to from with without and or not as is are be was can may it " +
	"its this that these those which who whose what when where how all any each every one more most only also than " +
	"get gets list lists fetch fetches return returns returned retrieve retrieves search searches find finds show " +
	"shows provide provides query queries use uses using used via per given specified specific based e g i etc you " +
	"your if no into between across within such including includes include like up about their them other und der " +
	"die das von mit für access browse calculate calculates check checks compute " +
	"computes execute executes function look lookup read reads returning")

// wordsOf are the words of a name: getTokenPrice, get_price, open-meteo.
func wordsOf(name string) []string {
	var list []string
	start, before := 0, rune(0)
	for i, r := range name {
		if unicode.IsUpper(r) && unicode.IsLower(before) || !unicode.IsLetter(r) && !unicode.IsDigit(r) {
			list = append(list, name[start:i])
			start = i
		}
		before = r
	}
	list = append(list, name[start:])
	for i := range list {
		list[i] = strings.TrimLeft(list[i], "-_/. ")
	}
	return slices.DeleteFunc(list, func(w string) bool { return w == "" })
}
