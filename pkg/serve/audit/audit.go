// Package audit is the log of calls that fmcp-serve keeps (docs/serve.md,
// "Audit"): a line of JSON for each, in a file that is rotated by its size.
package audit

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"sync"
	"sync/atomic"
	"time"

	"github.com/DeRuina/timberjack"

	"github.com/flowmcp/fmcp/pkg/exec/secret"
	"github.com/flowmcp/fmcp/pkg/ordjson"
	"github.com/flowmcp/fmcp/pkg/record"
	"github.com/flowmcp/fmcp/pkg/serve/fit"
	"github.com/flowmcp/fmcp/pkg/words"
)

// Entry is what the log says of a call.
type Entry struct {
	Time      time.Time
	Client    string // what the client calls itself, with its version
	Transport string // "stdio" or "http"
	User      string // whom the token is of
	Method    string // of MCP
	ID        string // Spec-ID or address; what the client said, where there is no such thing
	Via       string // the tool or prompt that made the call; "" where the client did
	Params    ordjson.Value
	Outcome   Outcome
	Code      string // why it failed
	Duration  time.Duration
	Bytes     int // of the answer
}

// Outcome is how a call came out.
type Outcome string

// The outcomes.
const (
	Begun     Outcome = "begun" // a line of its own, where the log is required
	OK        Outcome = "ok"
	Failed    Outcome = "failed"
	Asked     Outcome = "asked"     // the user, for what is missing: no call was made
	Cancelled Outcome = "cancelled" // by the client, which gets no answer
)

// Options of a Log.
type Options struct {
	File     string
	MaxSize  int64        // bytes, from which on the file is rotated; rounded up to MiB
	Keep     int          // rotated files
	Sync     bool         // every line is on the disk before the call goes on
	Required bool         // no call without its line
	Say      func(string) // of lines that are lost
}

// Log writes entries. It is used by many goroutines.
type Log struct {
	o      Options
	redact atomic.Pointer[secret.Redactor]

	mu     sync.Mutex
	file   file
	torn   bool // the last line was not written to its end
	failed bool // it was not written at all, and that is said
}

type file interface {
	io.WriteCloser
	Sync() error
}

// mode lets nobody else read what people ask for.
const mode = 0o600

// Open opens the log. That it cannot be written is known before the first call.
func Open(o Options) (*Log, error) {
	if info, err := os.Stat(o.File); err == nil && !info.Mode().IsRegular() {
		return nil, &fs.PathError{Op: "open", Path: o.File, Err: errors.New("is not a file that can be rotated")}
	}
	f, err := os.OpenFile(o.File, os.O_APPEND|os.O_CREATE|os.O_WRONLY, mode)
	if err != nil {
		return nil, err
	}
	defer func() { _ = f.Close() }() // nothing was written
	if err := f.Chmod(mode); err != nil {
		return nil, err
	}
	const mib = 1 << 20
	l := &Log{o: o, file: &timberjack.Logger{Filename: o.File, MaxSize: int((o.MaxSize + mib - 1) / mib),
		MaxBackups: o.Keep, FileMode: mode}}
	l.Redact(&secret.Redactor{})
	return l, nil
}

// Redact says which keys no line is to have.
func (l *Log) Redact(r *secret.Redactor) { l.redact.Store(r) }

// Close closes the file; without a log there is none.
func (l *Log) Close() error {
	if l == nil {
		return nil
	}
	return l.file.Close()
}

// Begin is called before a call is made. Where the log is required it writes a
// line, without which there is no call.
func (l *Log) Begin(e Entry) error {
	if !l.o.Required {
		return nil
	}
	e.Outcome = Begun
	return l.write(&e)
}

// End is called once it is known how a call came out, which no longer depends on
// whether that can be written.
func (l *Log) End(e Entry) { _ = l.write(&e) }

func (l *Log) write(e *Entry) error {
	line := l.line(e)
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.torn {
		line = append([]byte("\n"), line...)
	}
	n, err := l.file.Write(line)
	if err == nil && l.o.Sync {
		err = l.file.Sync()
	}
	l.torn = err != nil && (l.torn || n > 0)
	if err != nil && !l.failed {
		l.o.Say(fmt.Sprintf("the audit log %s cannot be written: %v%s", l.o.File, words.Cause(err), l.meaning()))
	}
	l.failed = err != nil
	return err
}

// meaning says what comes of a log that cannot be written.
func (l *Log) meaning() string {
	if l.o.Required {
		return "; calls are refused until it can"
	}
	return "; calls go on without it (--audit-required stops them)"
}

// The longest parts of a line, in bytes.
const (
	maxText   = 500
	maxParams = 8 << 10
)

// line is an entry as it is written.
func (l *Log) line(e *Entry) []byte {
	redact := l.redact.Load()
	members := []ordjson.Member{ordjson.Field("time", ordjson.NewString(record.Timestamp(e.Time)))}
	add := func(key, value string) {
		if value != "" {
			members = append(members, ordjson.Field(key, ordjson.NewString(words.Clip(redact.Text(value), maxText))))
		}
	}
	add("client", e.Client)
	add("transport", e.Transport)
	add("user", e.User)
	add("method", e.Method)
	add("id", e.ID)
	add("via", e.Via)
	if e.Params.Exists() {
		params := fit.Value(hidden(redact.Value(e.Params)), maxParams)
		members = append(members, ordjson.Field("params", params))
	}
	add("outcome", string(e.Outcome))
	add("code", e.Code)
	if e.Outcome != Begun {
		members = append(members, ordjson.Field("ms", ordjson.NewInt(int(e.Duration.Milliseconds()))),
			ordjson.Field("bytes", ordjson.NewInt(e.Bytes)))
	}
	return append(ordjson.Append(nil, ordjson.NewObject(members...)), '\n')
}

// hidden is a value without what is in parameters that are called as secrets are,
// however deep.
func hidden(v ordjson.Value) ordjson.Value {
	switch v.Kind() {
	case ordjson.Array:
		var elems []ordjson.Value
		for _, e := range v.Elems() {
			elems = append(elems, hidden(e))
		}
		return ordjson.NewArray(elems...)
	case ordjson.Object:
		var members []ordjson.Member
		for _, m := range v.Members() {
			if m.Value = hidden(m.Value); secret.Named(m.Key) {
				m.Value = ordjson.NewString("[REDACTED]")
			}
			members = append(members, m)
		}
		return ordjson.NewObject(members...)
	}
	return v
}
