// Package lsp is a language server for the files of a catalog: what an editor shows of
// them comes from the rules, and in the words, of fmcp-validate (docs/editors.md).
package lsp

import (
	"bufio"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"time"

	"github.com/flowmcp/fmcp/pkg/record"
	"github.com/flowmcp/fmcp/pkg/stage"
)

// Options say how a server judges files.
type Options struct {
	Name, Version string
	Jobs          int
	Folders       []string // of catalogs, in place of those that the editor has open
	// Judge says how the files of some folders are judged.
	Judge func(folders []string) (stage.ValidateOptions, error)

	quick time.Duration // see refresh; 0 is 50 ms
}

// ErrNotShutDown is the end of an editor that leaves without having said so.
var ErrNotShutDown = errors.New("the editor has left without a shutdown request")

// server is the server of one editor. One goroutine reads messages, one does all else.
type server struct {
	Options
	out   *bufio.Writer
	ctx   context.Context
	state state

	*workspace
	settleAt <-chan time.Time // when files that others may refer to have changed
	settling time.Duration    // how long it took last
}

type state uint8

const (
	starting state = iota
	serving
	shutDown
)

// incoming is a message that was read, or why there is none.
type incoming struct {
	message
	err error
}

// waitingMessages is how many messages are read before the first of them is answered.
const waitingMessages = 16

// Serve answers an editor until it says exit, in ends, or ctx does.
func Serve(ctx context.Context, in io.Reader, out io.Writer, opts Options) error {
	s := &server{Options: opts, out: bufio.NewWriter(out), ctx: ctx, workspace: newWorkspace(opts.Jobs)}
	messages := make(chan incoming, waitingMessages)
	go read(ctx, bufio.NewReader(in), messages)
	for {
		select {
		case m := <-messages:
			done, err := s.take(m)
			if done || err != nil {
				_ = s.out.Flush() // what was answered before
				return err
			}
			if len(messages) > 0 {
				continue // perhaps the next change of the same file
			}
			err = s.refresh()
			if err != nil {
				return err
			}
		case <-s.settleAt:
			if err := s.settle(); err != nil {
				return err
			}
		case <-ctx.Done():
			return context.Cause(ctx)
		}
		if err := s.out.Flush(); err != nil {
			return fmt.Errorf("the editor is gone: %w", err)
		}
	}
}

// read reads messages until there are no more.
func read(ctx context.Context, in *bufio.Reader, messages chan<- incoming) {
	for {
		m, err := readMessage(in)
		select {
		case messages <- incoming{m, err}:
		case <-ctx.Done():
			return
		}
		if err != nil && !recoverable(err) {
			return
		}
	}
}

// recoverable reports whether another message can be read after an error.
func recoverable(err error) bool {
	var syntax *json.SyntaxError
	var shape *json.UnmarshalTypeError
	return errors.Is(err, errTooLong) || errors.As(err, &syntax) || errors.As(err, &shape)
}

// take answers a message. done says that it was the last.
func (s *server) take(m incoming) (done bool, err error) {
	switch {
	case errors.Is(m.err, io.EOF) || m.err == nil && m.Method == "exit":
		if s.state != shutDown {
			return true, ErrNotShutDown
		}
		return true, nil
	case errors.Is(m.err, errTooLong):
		return false, s.log(logWarning, m.err.Error())
	case m.err != nil && recoverable(m.err):
		return false, s.send(refusal{"2.0", json.RawMessage("null"),
			&failure{codeParse, "not JSON-RPC: " + m.err.Error()}})
	case m.err != nil:
		return true, m.err
	case m.Method == "": // the answer to a request of ours
		return false, nil
	case m.ID == nil:
		return false, s.notified(m.message)
	}
	result, err := s.answer(m.message)
	var refused *failure
	switch {
	case errors.As(err, &refused):
		return false, s.send(refusal{"2.0", m.ID, refused})
	case err != nil:
		return true, err
	}
	return false, s.send(success{"2.0", m.ID, result})
}

func (s *server) send(m any) error { return writeMessage(s.out, m) }

func (s *server) notify(method string, params any) error {
	return s.send(notice{Version: "2.0", Method: method, Params: params})
}

func (s *server) log(level int, text string) error {
	return s.notify("window/logMessage", map[string]any{"type": level, "message": text})
}

// answer is the result of a request. A *failure is the answer, any other error the end.
func (s *server) answer(m message) (any, error) {
	switch {
	case m.Method == "initialize" && s.state == starting:
		return s.initialize(m.Params)
	case s.state == starting:
		return nil, &failure{codeNotInitialized, "found " + m.Method + ", expected initialize first"}
	case s.state == shutDown:
		return nil, &failure{codeInvalidRequest, "found " + m.Method + " after shutdown, expected exit"}
	case m.Method == "shutdown":
		s.state = shutDown
		return nil, nil
	}
	if err := s.refresh(); err != nil {
		return nil, err
	}
	answer := requests[m.Method]
	if answer == nil {
		return nil, &failure{codeNoMethod, "there is no method " + m.Method}
	}
	var p documentParams
	if err := params(m, &p); err != nil {
		return nil, err
	}
	path, ok := pathOf(p.TextDocument.URI)
	if !ok || s.text(path) == nil {
		return nil, nil // a document that has never been saved, say
	}
	result, err := answer(s, path, &p)
	if err != nil {
		return nil, &failure{codeFailed, err.Error()}
	}
	return result, nil
}

// requests are the methods that ask about a place in a document.
var requests = map[string]func(s *server, path string, p *documentParams) (any, error){
	"textDocument/codeAction": (*server).codeActions,
	"textDocument/completion": (*server).completion,
	"textDocument/definition": (*server).definition,
	"textDocument/hover":      (*server).hover,
	"textDocument/references": (*server).references,
}

// params reads the parameters of a message.
func params(m message, to any) error {
	if err := json.Unmarshal(m.Params, to); err != nil {
		return &failure{codeInvalidParams, m.Method + ": " + err.Error()}
	}
	return nil
}

// notified takes a notification; of one that makes no sense the log tells.
func (s *server) notified(m message) error {
	if s.state != serving {
		return nil
	}
	err := s.change(m)
	var refused *failure
	if errors.As(err, &refused) {
		return s.log(logWarning, refused.Message)
	}
	return err
}

func (s *server) change(m message) error {
	switch m.Method {
	case "initialized":
		return s.begin()
	case "textDocument/didOpen":
		var p openParams
		if err := params(m, &p); err != nil {
			return err
		}
		s.open(p.TextDocument.URI, p.TextDocument.Version, p.TextDocument.Text)
	case "textDocument/didChange":
		var p changeParams
		if err := params(m, &p); err != nil || len(p.ContentChanges) == 0 {
			return err
		}
		// The last one counts: each is a whole text.
		s.open(p.TextDocument.URI, p.TextDocument.Version, p.ContentChanges[len(p.ContentChanges)-1].Text)
	case "textDocument/didClose":
		var p documentParams
		if err := params(m, &p); err != nil {
			return err
		}
		s.close(p.TextDocument.URI)
	case "textDocument/didSave":
		var p documentParams
		if err := params(m, &p); err != nil {
			return err
		}
		return s.reread(s.ctx, []documentID{p.TextDocument})
	case "workspace/didChangeWatchedFiles":
		var p watchedParams
		if err := params(m, &p); err != nil {
			return err
		}
		return s.reread(s.ctx, p.Changes)
	}
	return nil // others are of no interest
}

// initialize says what the server can do.
func (s *server) initialize(raw json.RawMessage) (any, error) {
	var p initializeParams
	if err := params(message{Method: "initialize", Params: raw}, &p); err != nil {
		return nil, err
	}
	folders := s.Options.Folders
	if len(folders) == 0 {
		folders = foldersOf(&p)
	}
	opts, err := s.Judge(folders)
	if err != nil {
		return nil, &failure{codeFailed, err.Error()}
	}
	s.start(folders, opts)
	s.watches = p.Capabilities.Workspace.DidChangeWatchedFiles.DynamicRegistration
	s.state = serving
	return map[string]any{
		"serverInfo": map[string]string{"name": s.Name, "version": s.Version},
		"capabilities": capabilities{
			PositionEncoding:   "utf-16",
			TextDocumentSync:   syncKind{OpenClose: true, Change: syncFull, Save: true},
			CodeActionProvider: codeKinds{[]string{kindQuickFix, kindFixAll}},
			HoverProvider:      true,
			CompletionProvider: triggers{[]string{"'", `"`, "{", ":", "/"}},
			DefinitionProvider: true,
			ReferencesProvider: true,
		},
	}, nil
}

// foldersOf are the folders that an editor has open.
func foldersOf(p *initializeParams) []string {
	list := p.WorkspaceFolders
	if len(list) == 0 && p.RootURI != "" {
		list = []documentID{{p.RootURI}}
	}
	var folders []string
	for _, f := range list {
		if path, ok := pathOf(f.URI); ok {
			folders = append(folders, path)
		}
	}
	return folders
}

// watched are the files whose changes matter.
const watched = "**/*.{mjs,json,md,db,sqlite}"

// begin reads the files of the folders, and asks to be told when they change.
func (s *server) begin() error {
	if s.watches {
		err := s.send(notice{Version: "2.0", ID: "watch", Method: "client/registerCapability", Params: map[string]any{
			"registrations": []any{map[string]any{
				"id": "watch", "method": "workspace/didChangeWatchedFiles",
				"registerOptions": map[string]any{"watchers": []any{map[string]string{"globPattern": watched}}},
			}},
		}})
		if err != nil {
			return err
		}
	}
	return s.reread(s.ctx, nil)
}

// refresh checks the files that have changed since the last time.
func (s *server) refresh() error {
	changed, err := s.check(s.ctx)
	if err != nil || len(changed) == 0 {
		return err
	}
	// In all but the largest catalogs there is time for the rest at once, but for the
	// users of a list.
	if s.settling < cmp.Or(s.quick, quick) && !s.live.Outdated() {
		return s.settle(changed...)
	}
	if s.settleAt == nil {
		s.settleAt = time.After(pause * s.settling)
	}
	return s.publish(changed)
}

const (
	quick = 50 * time.Millisecond
	pause = 3 // seconds between two times, for each second that settling takes
)

// settle checks what depends on files that have changed, and publishes that with what
// is found in them.
func (s *server) settle(changed ...string) error {
	began := time.Now()
	others, err := s.live.Settle(s.ctx, s.Jobs)
	if err != nil {
		return err
	}
	s.settleAt, s.settling = nil, time.Since(began)
	return s.publish(append(changed, others...))
}

// publish shows what is found in files.
func (s *server) publish(paths []string) error {
	done := map[string]bool{}
	for _, path := range paths {
		if done[path] {
			continue
		}
		done[path] = true
		p := publishParams{URI: s.uri(path), Diagnostics: []diagnostic{}}
		if d := s.docs[path]; d != nil {
			p.Version = &d.version
		}
		if found := s.live.Findings(path); len(found) > 0 {
			p.Diagnostics = s.diagnostics(path, found)
		}
		if len(p.Diagnostics) == 0 && !s.shown[path] {
			continue
		}
		if s.shown[path] = len(p.Diagnostics) > 0; !s.shown[path] {
			delete(s.shown, path)
		}
		if err := s.notify("textDocument/publishDiagnostics", p); err != nil {
			return err
		}
	}
	return nil
}

// severities are those of the protocol.
var severities = map[record.Severity]int{
	record.SeverityError: 1, record.SeverityWarning: 2, record.SeverityInfo: 3,
}
