// Package frame is what HTML pages share: colours, how text gets in, and a policy by
// which a page loads and sends nothing.
package frame

import (
	"bytes"
	"crypto/sha256"
	_ "embed" // for the frame
	"encoding/base64"
	"html"
	"io"
	"strings"
)

//go:embed frame.html
var template string

//go:embed frame.css
var style string

//go:embed frame.js
var script string

// Page is one HTML file with everything in it.
type Page struct {
	Title  string
	Body   string // HTML, with {{title}} where the title belongs
	Style  string
	Script string
}

// Write writes the page with its data, which is JSON.
func (p *Page) Write(w io.Writer, data []byte) error {
	style, script := style+p.Style, script+p.Script
	fill := strings.NewReplacer("{{title}}", html.EscapeString(p.Title), "{{style}}", style, "{{script}}", script,
		"{{styleHash}}", hash(style), "{{scriptHash}}", hash(script))
	start, rest, _ := strings.Cut(strings.Replace(template, "{{body}}", p.Body, 1), "{{data}}")
	for _, part := range []io.Reader{
		strings.NewReader(fill.Replace(start)), bytes.NewReader(inScript(data)), strings.NewReader(fill.Replace(rest)),
	} {
		if _, err := io.Copy(w, part); err != nil {
			return err
		}
	}
	return nil
}

// hash is a source of a content security policy.
func hash(text string) string {
	sum := sha256.Sum256([]byte(text))
	return "sha256-" + base64.StdEncoding.EncodeToString(sum[:])
}

// inScript has JSON such that no text of it ends a script element.
func inScript(data []byte) []byte {
	for _, c := range []struct{ is, as string }{{"<", `\u003c`}, {"\u2028", `\u2028`}, {"\u2029", `\u2029`}} {
		if bytes.Contains(data, []byte(c.is)) { // or else it would be copied
			data = bytes.ReplaceAll(data, []byte(c.is), []byte(c.as))
		}
	}
	return data
}
