package gtfs

import (
	"context"
	"strings"
	"unicode"

	"golang.org/x/text/unicode/norm"
)

// letters are those that decomposition leaves as they are.
var letters = strings.NewReplacer("ß", "ss", "æ", "ae", "œ", "oe", "ø", "o", "ł", "l", "đ", "d", "ð", "d", "þ", "th", "ı", "i", "’", "'")

// fold makes texts equal that differ in case and accents only: "Münchner
// Straße" and "munchner STRASSE".
func fold(s string) string {
	var b strings.Builder
	for _, r := range norm.NFKD.String(strings.ToLower(s)) {
		if !unicode.Is(unicode.Mn, r) {
			b.WriteRune(r)
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
	insert, err := l.db.PrepareContext(ctx, "INSERT INTO stop_search (rowid, folded) VALUES (?, ?)")
	if err != nil {
		return notWritten(err)
	}
	defer func() { _ = insert.Close() }()
	const q = `SELECT rowid, coalesce(stop_name, '') || ' ' || coalesce(stop_code, '') FROM stops WHERE coalesce(location_type, 0) <= 1`
	return l.each(ctx, q, func(scan func(...any) error) error {
		var line int64
		var text string
		if err := scan(&line, &text); err != nil {
			return err
		}
		if _, err := insert.Exec(line, fold(text)); err != nil {
			return notWritten(err)
		}
		return nil
	})
}
