package sandbox

import (
	"bytes"
	"encoding/json"
)

// The stages of a handler (chapter 01, "Handler Types").
const (
	PreRequest     = "preRequest"
	ExecuteRequest = "executeRequest"
	PostRequest    = "postRequest"

	Listing = "listing" // no handler: names those that there are
	Coding  = "code"    // no handler: runs the body of a function that calls tools, see Pool.Run
)

// The codes of a HandlerError. Each is a row of pkg/rules.
const (
	CodeFetch   = "SEC100" // fetch was called outside executeRequest
	CodeShape   = "SEC101" // the handler returned something else than its stage must
	CodeFrozen  = "SEC102" // the handler changes a frozen object, as the shared lists are
	CodeLibrary = "SEC103" // a library that the schema requires is not there
	CodeFactory = "SEC104" // handlers() threw
	CodeStart   = "EXE050" // no worker could be started
	CodeThrew   = "EXE051" // the handler threw
	CodeTime    = "EXE052" // the handler took too long
	CodeMemory  = "EXE053" // the handler took too much memory, or ended its worker otherwise
	CodeKilled  = "EXE056" // the handler's worker was ended from outside
	CodeFetches = "EXE054" // the handler makes too many fetches
)

// HandlerError says why a handler gave nothing. Line and Col are of the
// schema's file, from 1, and 0 where no place is to blame.
type HandlerError struct {
	Code, Msg string
	Line, Col int
	Callers   []Place // from where what is at Line was called, the nearest first
}

// Place is a place in the schema's file; both count from 1.
type Place struct{ Line, Col int }

// MaxCallers is how many of them are listed.
const MaxCallers = 3

func (e *HandlerError) Error() string {
	return e.Code + " " + (&Error{Msg: e.Msg, Line: e.Line, Col: e.Col}).Error()
}

// FetchRequest is a fetch of executeRequest. The process that calls the
// handler makes it, or refuses.
type FetchRequest struct {
	URL     string            `json:"url"`
	Method  string            `json:"method"`
	Headers map[string]string `json:"headers"`
	HasBody bool              `json:"hasBody"`
	Body    []byte            `json:"body,omitempty"`
	Timeout int64             `json:"timeout,omitempty"` // of an AbortSignal, in milliseconds; 0 is none
}

// FetchAnswer is what the handler gets of it. Error makes the promise reject.
type FetchAnswer struct {
	Status     int               `json:"status"`
	StatusText string            `json:"statusText"`
	Headers    map[string]string `json:"headers"` // names in lower case
	Cookies    []string          `json:"cookies"` // values of Set-Cookie
	URL        string            `json:"url"`
	Redirected bool              `json:"redirected"`
	Body       []byte            `json:"body"`
	Error      string            `json:"error,omitempty"`
	Code       string            `json:"code,omitempty"` // of Error, which begins with it
}

// ToolCall is a call of a tool by code. The process that runs the code makes it.
type ToolCall struct {
	ID     string          `json:"id"`
	Params json.RawMessage `json:"params,omitempty"` // JSON of what the code gave; nil for nothing
}

// ToolAnswer is what the code gets of it. Error makes the promise reject.
type ToolAnswer struct {
	Data  json.RawMessage `json:"data,omitempty"`
	Error string          `json:"error,omitempty"`
}

// WorkerArg, and the bytes of memory that it may hold, make any of our commands
// that links pkg/sandbox/worker a worker.
const WorkerArg = "--fmcp-sandbox-worker"

// Request goes to a worker, one JSON text a line: a call, the answer to a fetch
// or to a call of a tool by what runs, or a library for calls to come.
type Request struct {
	Key    string            `json:"key,omitempty"`    // of the script
	Source string            `json:"source,omitempty"` // where the worker has not got it yet
	Lists  json.RawMessage   `json:"lists,omitempty"`
	Uses   map[string]string `json:"uses,omitempty"` // hashes of libraries by name
	Name   string            `json:"name,omitempty"`
	Query  string            `json:"query,omitempty"` // of a resource, whose name is Name
	Stage  string            `json:"stage,omitempty"`
	Input  json.RawMessage   `json:"input,omitempty"`
	Loose  bool              `json:"loose,omitempty"`
	Logs   bool              `json:"logs,omitempty"` // what it logs is wanted

	Library *LibraryScript `json:"library,omitempty"`

	Fetch  int          `json:"fetch,omitempty"` // from 1: which fetch, or call of a tool, is answered
	Answer *FetchAnswer `json:"answer,omitempty"`
	Result *ToolAnswer  `json:"result,omitempty"`
}

// Reply comes from a worker: a fetch, a call of a tool, or how the call ended. An
// empty one says that there is no such handler.
type Reply struct {
	Fetch   int             `json:"fetch,omitempty"` // from 1
	Request *FetchRequest   `json:"request,omitempty"`
	Tool    *ToolCall       `json:"tool,omitempty"`
	Output  json.RawMessage `json:"output,omitempty"`
	Error   *HandlerError   `json:"error,omitempty"`
	Warning *HandlerError   `json:"warning,omitempty"`
	// Loaded says that the libraries of the script have started.
	Loaded bool `json:"loaded,omitempty"`
	// Waits is 1 more than the answers that a handler has got which now waits
	// for the next one.
	Waits int `json:"waits,omitempty"`
	// Log is a line of console.
	Log *Logged `json:"log,omitempty"`

	lost bool // too long to be read: what the worker waits for now is not known
}

// Logged is what a handler gave to a function of console.
type Logged struct {
	Level string `json:"level"`
	Text  string `json:"text"`
}

// Line is the JSON of a message with its line end. JSON inside it stays as it
// is: encoding/json would escape what HTML does not like.
func Line(v any) ([]byte, error) {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	err := e.Encode(v)
	return b.Bytes(), err
}
