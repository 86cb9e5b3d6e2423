// Package pagetest checks HTML pages in tests.
package pagetest

import (
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"strings"
	"testing"

	"github.com/flowmcp/fmcp/pkg/lazy"
)

var dataElement = lazy.Regexp(`(?s)<script type="application/json" id="data">(.*?)</script>`)

// Data is the data in a page.
func Data(t *testing.T, page string) map[string]any {
	t.Helper()
	found := dataElement().FindStringSubmatch(page)
	if found == nil {
		t.Fatal("the page has no data")
	}
	var data map[string]any
	if err := json.Unmarshal([]byte(found[1]), &data); err != nil {
		t.Fatal(err)
	}
	return data
}

// SelfContained checks that a page lets nothing be loaded, that its style and script
// are those that its policy allows, and that the script makes no HTML of text.
func SelfContained(t *testing.T, page string) {
	t.Helper()
	for _, element := range []string{"style", "script"} {
		_, text, _ := strings.Cut(page, "<"+element+">")
		text, _, _ = strings.Cut(text, "</"+element+">")
		sum := sha256.Sum256([]byte(text))
		if want := element + "-src 'sha256-" + base64.StdEncoding.EncodeToString(sum[:]) + "'"; text == "" ||
			!strings.Contains(page, want) {
			t.Errorf("the page has no %s, which the <%s> of %d bytes needs", want, element, len(text))
		}
	}
	if !strings.Contains(page, `content="default-src 'none'; `) {
		t.Error("the policy allows something that it does not name")
	}
	code := dataElement().ReplaceAllString(page, "")
	for _, bad := range []string{"innerHTML", "outerHTML", "insertAdjacent", "document.write", "eval(", "fetch(",
		"XMLHttpRequest", " src=", "<link", "@import", "url(", "http:", "https:", "</script><"} {
		if strings.Contains(code, bad) {
			t.Errorf("the page has %q", bad)
		}
	}
}

// Text checks that no text of a page became HTML, where a catalog says hostile things.
func Text(t *testing.T, page string) {
	t.Helper()
	for tag, want := range map[string]int{"<script": 2, "<img": 0, "<title": 1, "<b>": 0} {
		if got := strings.Count(page, tag); got != want {
			t.Errorf("the page has %q %d times, want %d", tag, got, want)
		}
	}
}

// Hostile are texts that would break out of a page.
var Hostile = []string{"</script><script>alert(1)</script>", "<!--<script>", "<img src=x onerror=alert(1)>",
	"a\u2028b\u2029c", `"}]};alert(1)//`, "{{data}}{{script}}{{title}}{{body}}", "</title><b>", "\x00\ufeff\u202e"}
