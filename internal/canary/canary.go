// Package canary looks for secrets where none may be: in what commands print,
// and in the files that they write. Only tests import it.
package canary

import (
	"bytes"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"html"
	"io/fs"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"unicode"
)

// minSecret is how long, in bytes, a text must be to stand nowhere by chance.
const minSecret = 8

// minPart is how much of a secret, in bytes, is a leak where the rest is cut
// off.
const minPart = 12

// Search looks for secrets in every form in which a program may write them.
type Search struct{ forms [][]byte } // in lower case

// For makes a search for secrets; those that are too short are left out.
func For(secrets ...string) *Search {
	s := &Search{}
	for _, secret := range secrets {
		if len(secret) < minSecret {
			continue
		}
		for _, form := range formsOf(secret) {
			if len(form) >= minSecret {
				s.forms = append(s.forms, bytes.ToLower([]byte(form)))
			}
		}
	}
	slices.SortFunc(s.forms, bytes.Compare)
	s.forms = slices.CompactFunc(s.forms, bytes.Equal)
	return s
}

// minRun is from which length on letters and digits that stand together in a
// secret are a leak by themselves: every encoder of URLs leaves them as they are,
// whatever it makes of what is around them.
const minRun = 10

// formsOf are a secret as it is, as JSON, URLs and HTML have it, in hexadecimal
// and base64, without its ends, and its letters and digits.
func formsOf(secret string) []string {
	quoted, _ := json.Marshal(secret) // a string has no error
	inner := string(quoted[1 : len(quoted)-1])
	plain := new(strings.Builder)
	enc := json.NewEncoder(plain)
	enc.SetEscapeHTML(false)
	_ = enc.Encode(secret)
	forms := []string{
		secret, inner, strings.Trim(strings.TrimSpace(plain.String()), `"`), strings.ReplaceAll(inner, "/", `\/`),
		url.QueryEscape(secret), url.PathEscape(secret), percent(secret), html.EscapeString(secret),
		hex.EncodeToString([]byte(secret)),
	}
	// What of base64 depends on the secret alone, wherever it stands among the
	// bytes of others.
	for _, coding := range []*base64.Encoding{base64.RawStdEncoding, base64.RawURLEncoding} {
		for before := range 3 {
			text := coding.EncodeToString(append(make([]byte, before), secret...))
			forms = append(forms, text[[]int{0, 2, 3}[before]:(before+len(secret))/3*4])
		}
	}
	for _, run := range strings.FieldsFunc(secret,
		func(r rune) bool { return r > 'z' || !unicode.IsLetter(r) && !unicode.IsDigit(r) }) {
		if len(run) >= minRun {
			forms = append(forms, run)
		}
	}
	if cut := len(secret) / 4; len(secret)-2*cut >= minPart {
		forms = append(forms, secret[cut:len(secret)-cut])
	}
	return forms
}

// percent encodes every byte.
func percent(s string) string {
	var b strings.Builder
	for i := range len(s) {
		fmt.Fprintf(&b, "%%%02X", s[i])
	}
	return b.String()
}

// In returns the start of the form in which a text holds a secret, or "".
func (s *Search) In(text []byte) string {
	text = bytes.ToLower(text)
	for _, form := range s.forms {
		if bytes.Contains(text, form) {
			return string(form[:6]) + "…"
		}
	}
	return ""
}

// Below searches the names and contents of all files below a folder, but for
// those that skip names, and says where it found something.
func (s *Search) Below(dir string, skip ...string) (found []string, err error) {
	err = filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		gone := path != dir && errors.Is(err, fs.ErrNotExist) // others may be at work in it
		if err != nil || slices.Contains(skip, d.Name()) {
			return unless(gone, err)
		}
		if form := s.In([]byte(d.Name())); form != "" {
			found = append(found, path+" is named after a secret, as "+form)
		}
		if !d.Type().IsRegular() {
			return nil
		}
		text, err := os.ReadFile(path)
		gone = errors.Is(err, fs.ErrNotExist)
		if form := s.In(text); form != "" {
			found = append(found, path+" holds a secret, as "+form)
		}
		return unless(gone, err)
	})
	return found, err
}

func unless(fine bool, err error) error {
	if fine {
		return nil
	}
	return err
}
