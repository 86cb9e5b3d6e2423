package gtfs

import (
	"cmp"
	"context"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
	"zombiezen.com/go/sqlite"

	"github.com/flowmcp/fmcp/pkg/ordjson"
)

// letters are those that decomposition leaves as they are, and umlauts as they
// are typed on keyboards without them: Muellerplatz is Müllerplatz.
var letters = strings.NewReplacer("ae", "a", "oe", "o", "ue", "u", "ß", "ss", "æ", "a", "œ", "o", "ø", "o", "ł", "l",
	"đ", "d", "ð", "d", "þ", "th", "ı", "i")

// fold makes texts equal that differ in case, accents and punctuation only: "Müllerstraße,
// Nord" and "mullerstrasse nord".
func fold(s string) string {
	var b strings.Builder
	for _, r := range norm.NFKD.String(strings.ToLower(s)) {
		switch {
		case unicode.Is(unicode.Mn, r):
		case unicode.IsLetter(r) || unicode.IsNumber(r):
			b.WriteRune(r)
		default:
			b.WriteByte(' ')
		}
	}
	return strings.Join(strings.Fields(letters.Replace(b.String())), " ")
}

// searchTable writes the names of stops for searchStops: folded, and in an
// index of trigrams, so that "bahnhof" finds the Hauptbahnhof.
func (l *loader) searchTable(ctx context.Context) error {
	if err := l.exec(ctx, "CREATE VIRTUAL TABLE stop_search USING fts5 (folded, tokenize = 'trigram')"); err != nil {
		return err
	}
	insert, err := l.db.Prepare("INSERT INTO stop_search (rowid, folded) VALUES (?, ?)")
	if err != nil {
		return failed(ctx, err)
	}
	const q = `SELECT rowid, coalesce(stop_name, '') || ' ' || coalesce(stop_code, ` +
		`'') FROM stops WHERE coalesce(location_type, 0) <= 1`
	return l.each(ctx, q, func(row *sqlite.Stmt) error {
		insert.BindInt64(1, row.ColumnInt64(0))
		insert.BindText(2, fold(row.ColumnText(1)))
		return run(insert)
	})
}

// hasWords reports whether a folded text has all words.
func hasWords(text string, words []string) bool {
	return !slices.ContainsFunc(words, func(w string) bool { return !strings.Contains(text, w) })
}

// rank says how near a name comes to what is wanted, which is folded: the same,
// begins with it, has it at the start of a word, or anywhere.
func rank(name, wanted string) int {
	name = fold(name)
	switch {
	case name == wanted:
		return 0
	case strings.HasPrefix(name, wanted):
		return 1
	case strings.Contains(" "+name, " "+wanted):
		return 2
	}
	return 3
}

// maxFound is how many stops a search ranks.
const maxFound = 1000

func (c *call) searchStops() ([]ordjson.Value, error) {
	wanted := fold(c.text("text"))
	rows, err := c.stopsWith(strings.Fields(wanted))
	if err != nil {
		return nil, err
	}
	type hit struct {
		row      ordjson.Value
		rank     int
		station  bool
		name, id string
	}
	var hits []hit
	for _, r := range withoutPlatforms(rows) {
		name := textOf(r.Get("stop_name"))
		hits = append(hits, hit{r, rank(name, wanted), numberOf(r.Get("location_type")) == placeStation, name,
			textOf(r.Get("stop_id"))})
	}
	slices.SortFunc(hits, func(a, b hit) int {
		if a.rank == b.rank && a.station != b.station {
			return map[bool]int{true: -1, false: 1}[a.station]
		}
		return cmp.Or(cmp.Compare(a.rank, b.rank), cmp.Compare(len(a.name), len(b.name)), cmp.Compare(a.name, b.name),
			cmp.Compare(a.id, b.id))
	})
	hits = hits[:min(len(hits), c.number("limit", 10))]
	ids := make([]string, len(hits))
	for i, h := range hits {
		ids[i] = h.id
	}
	rows, err = c.query(`SELECT p.parent_station AS station, count(*) AS n FROM {stops} p
		WHERE p.parent_station IN (SELECT value FROM json_each(?)) AND coalesce(p.location_type, 0) = 0 GROUP BY 1`,
		list(ids))
	if err != nil {
		return nil, err
	}
	platforms := map[string]ordjson.Value{}
	for _, r := range rows {
		platforms[textOf(r.Get("station"))] = r.Get("n")
	}
	var found []ordjson.Value
	for _, h := range hits {
		found = append(found, stopObject(h.row).value("platforms", platforms[h.id]).done())
	}
	return found, nil
}

// stopsWith finds stops whose name or code has all words, by the index of
// trigrams, which holds words of three letters and more. A database of another
// add-on has no such index and is scanned.
func (c *call) stopsWith(words []string) ([]ordjson.Value, error) {
	if len(words) == 0 {
		return nil, nil
	}
	if len(c.tables["stop_search"]) == 0 {
		rows, err := c.query("SELECT " + stopFields + " FROM {stops} s WHERE coalesce(s.location_type, 0) <= 1")
		return slices.DeleteFunc(rows, func(r ordjson.Value) bool {
			return !hasWords(fold(textOf(r.Get("stop_name"))+" "+textOf(r.Get("stop_code"))), words)
		}), err
	}
	condition, args := "1", []any{}
	var long []string
	for _, w := range words {
		if utf8.RuneCountInString(w) >= 3 {
			long = append(long, `"`+strings.ReplaceAll(w, `"`, `""`)+`"`)
			continue
		}
		condition += " AND instr(x.folded, ?) > 0"
		args = append(args, w)
	}
	if long != nil {
		condition += " AND stop_search MATCH ?"
		args = append(args, strings.Join(long, " AND "))
	}
	// Short names first: what is wanted is rarely the longest of a thousand.
	return c.query("SELECT "+stopFields+" FROM {stops} s WHERE s.rowid IN (SELECT x.rowid FROM stop_search x WHERE "+
		condition+
		" ORDER BY length(x.folded), x.rowid LIMIT ?)", append(args, maxFound)...)
}
