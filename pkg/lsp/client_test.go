package lsp

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/flowmcp/fmcp/pkg/rules"
	_ "github.com/flowmcp/fmcp/pkg/sandbox/worker"
	"github.com/flowmcp/fmcp/pkg/stage"
)

// client is an editor that works on a copy of a catalog.
type client struct {
	t    testing.TB
	root string
	in   *bufio.Reader
	out  io.WriteCloser
	id   int
	done chan error

	shown map[string]publishParams // what was published last, by path below root
	texts map[string]string        // of open documents
}

// dial starts a server for a copy of a folder, which lies in a folder of its name.
func dial(t testing.TB, from string, profile rules.Profile) *client {
	t.Helper()
	return dialTo(t, from, profile, time.Hour)
}

// dialTo is dial, with how long settling may take to be done at once.
func dialTo(t testing.TB, from string, profile rules.Profile, quick time.Duration) *client {
	t.Helper()
	c := &client{t: t, root: filepath.Join(t.TempDir(), filepath.Base(from)), shown: map[string]publishParams{},
		texts: map[string]string{}}
	if err := os.CopyFS(c.root, os.DirFS(from)); err != nil {
		t.Fatal(err)
	}
	c.serve(Options{Name: "fmcp-validate", Version: "1", Jobs: 2, quick: quick,
		Judge: func([]string) (stage.ValidateOptions, error) {
			return stage.ValidateOptions{Profile: profile, Spec: "4.2", Ignores: true}, nil
		}})
	c.request("initialize", map[string]any{"workspaceFolders": []documentID{{uriOf(c.root)}}})
	c.notify("initialized", map[string]any{})
	c.sync()
	return c
}

// serve starts a server that ends with the test.
func (c *client) serve(opts Options) {
	ctx, cancel := context.WithCancel(context.Background())
	in, toServer := io.Pipe()
	fromServer, out := io.Pipe()
	c.in, c.out, c.done = bufio.NewReader(fromServer), toServer, make(chan error, 1)
	go func() {
		err := Serve(ctx, in, out, opts)
		_ = in.CloseWithError(errors.New("the server has ended"))
		_ = out.Close()
		c.done <- err
	}()
	c.t.Cleanup(func() {
		cancel()
		_ = fromServer.Close()
		_ = toServer.Close()
	})
}

func (c *client) uri(name string) string {
	return uriOf(filepath.Join(c.root, filepath.FromSlash(name)))
}

func (c *client) send(m any) {
	c.t.Helper()
	if err := writeMessage(c.out, m); err != nil {
		c.t.Fatal(err)
	}
}

func (c *client) notify(method string, params any) {
	c.t.Helper()
	c.send(notice{Version: "2.0", Method: method, Params: params})
}

// answer is what a request is answered with.
type answer struct {
	ID     json.RawMessage `json:"id"`
	Method string          `json:"method"`
	Params json.RawMessage `json:"params"`
	Result json.RawMessage `json:"result"`
	Error  *failure        `json:"error"`
}

// request sends a request and waits for its answer; what comes before is noted.
func (c *client) request(method string, params any) answer {
	c.t.Helper()
	c.id++
	id := fmt.Sprint(c.id)
	c.send(map[string]any{"jsonrpc": "2.0", "id": c.id, "method": method, "params": params})
	for {
		a := c.read()
		if string(a.ID) == id {
			return a
		}
	}
}

// read reads one message.
func (c *client) read() answer {
	c.t.Helper()
	size, err := readHeader(c.in)
	if err != nil {
		c.t.Fatal(err)
	}
	body := make([]byte, size)
	if _, err := io.ReadFull(c.in, body); err != nil {
		c.t.Fatal(err)
	}
	var a answer
	if err := json.Unmarshal(body, &a); err != nil {
		c.t.Fatalf("%s: %v", body, err)
	}
	if a.Method == "textDocument/publishDiagnostics" {
		var p publishParams
		if err := json.Unmarshal(a.Params, &p); err != nil {
			c.t.Fatal(err)
		}
		path, _ := pathOf(p.URI)
		rel, err := filepath.Rel(c.root, path)
		if err != nil {
			c.t.Fatal(err)
		}
		c.shown[filepath.ToSlash(rel)] = p
	}
	return a
}

// sync waits until what was sent is checked: then requests are answered.
func (c *client) sync() {
	c.t.Helper()
	if a := c.request("fmcp/none", nil); a.Error == nil || a.Error.Code != codeNoMethod {
		c.t.Fatalf("%+v", a)
	}
}

// text is the text of a file as the editor has it.
func (c *client) text(name string) string {
	c.t.Helper()
	if text, ok := c.texts[name]; ok {
		return text
	}
	b, err := os.ReadFile(filepath.Join(c.root, filepath.FromSlash(name)))
	if err != nil {
		c.t.Fatal(err)
	}
	return string(b)
}

// edit replaces a text in a document, which it opens if need be.
func (c *client) edit(name, old, text string) {
	c.t.Helper()
	before := c.text(name)
	if !strings.Contains(before, old) {
		c.t.Fatalf("%s has no %q", name, old)
	}
	c.set(name, strings.Replace(before, old, text, 1))
}

// set gives a document a text.
func (c *client) set(name, text string) {
	c.t.Helper()
	doc := map[string]any{"uri": c.uri(name), "version": len(c.texts) + 1, "text": text}
	if _, open := c.texts[name]; open {
		c.notify("textDocument/didChange", map[string]any{"textDocument": doc,
			"contentChanges": []any{map[string]string{"text": text}}})
	} else {
		c.notify("textDocument/didOpen", map[string]any{"textDocument": doc})
	}
	c.texts[name] = text
	c.sync()
}

// found are the findings that the editor shows of a file: "LINE:COLUMN-COLUMN CODE" in
// the units of the protocol.
func (c *client) found(name string) string {
	var list []string
	for _, d := range c.shown[name].Diagnostics {
		list = append(list, fmt.Sprintf("%d:%d-%d %s", d.Range.Start.Line, d.Range.Start.Character,
			d.Range.End.Character, d.Code))
	}
	return strings.Join(list, "\n")
}

// at is the place of a mark in a document: where the text after its first | begins.
func (c *client) at(name, mark string) map[string]any {
	c.t.Helper()
	text := newText(c.text(name))
	before, after, _ := strings.Cut(mark, "|")
	i := strings.Index(text.src, before+after)
	if i < 0 {
		c.t.Fatalf("%s has no %q", name, before+after)
	}
	p := text.position(i + len(before))
	return map[string]any{"textDocument": documentID{c.uri(name)}, "position": p, "range": span{p, p},
		"context": map[string]any{}}
}
