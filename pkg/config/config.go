// Package config is what a user wants to hear of: the configuration file
// .fmcp.yaml, the findings that it leaves out or weighs otherwise, and the
// baseline of findings that are known already (docs/config.md).
package config

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/flowmcp/fmcp/pkg/module"
	"github.com/flowmcp/fmcp/pkg/record"
	"github.com/flowmcp/fmcp/pkg/rules"
	"github.com/flowmcp/fmcp/pkg/walk"
	"github.com/flowmcp/fmcp/pkg/words"
	"github.com/flowmcp/fmcp/pkg/yaml"
)

// Name is the name of the configuration file.
const Name = ".fmcp.yaml"

// File is what a configuration file says. Fields that it does not name are
// zero.
type File struct {
	Path           string // of the file
	Profile        rules.Profile
	Spec           rules.Spec
	Libraries      []string
	FailOn         string // a severity, or "never"
	MaxDiagnostics int
	Baseline       string // path by which it can be opened from the current folder
	Severities     map[string]record.Severity
	Ignores        []Ignore
	Sending                 // for fmcp-exec and fmcp-serve, which read a file that is named only
	Allow          []string // IDs that fmcp-serve may serve, or globs, likewise
	Deny           []string // those that it may not

	Found bool // the user has not named the file: it is among the files that are checked

	security *Error // the first place that lowers what chapter 05 forbids
}

// Ignore leaves out the findings of a code about some files or subjects.
type Ignore struct {
	Code    string
	Path    *walk.Glob // relative to the folder of the file; nil is every path
	Subject *walk.Glob // nil is every subject
	Reason  string
}

// Error is a mistake in a configuration file or a baseline.
type Error struct {
	Path      string
	Line, Col int // from 1; 0 is the file as a whole
	Msg       string
}

// Error returns FILE:LINE:COL: MESSAGE.
func (e *Error) Error() string {
	if e.Line == 0 {
		return e.Path + ": " + e.Msg
	}
	return fmt.Sprintf("%s:%d:%d: %s", e.Path, e.Line, e.Col, e.Msg)
}

// Find looks for a configuration file in the folder of path, which is a folder
// or a file, and in those above it, up to the one that holds .git. It returns
// "" if there is none.
func Find(path string) (string, error) {
	dir, err := filepath.Abs(path)
	if err != nil {
		return "", err
	}
	if info, err := os.Stat(dir); err != nil || !info.IsDir() {
		dir = filepath.Dir(dir)
	}
	for {
		name := filepath.Join(dir, Name)
		switch _, err := os.Lstat(name); {
		case err == nil:
			return relative(name), nil
		case !errors.Is(err, fs.ErrNotExist):
			return "", &Error{Path: relative(name), Msg: "cannot be read: " + words.Cause(err).Error()}
		}
		_, err := os.Stat(filepath.Join(dir, ".git"))
		up := filepath.Dir(dir)
		if err == nil || up == dir {
			return "", nil
		}
		dir = up
	}
}

// relative is the shorter of a path's two forms, for messages.
func relative(name string) string {
	wd, err := os.Getwd()
	if err != nil {
		return name
	}
	if rel, err := filepath.Rel(wd, name); err == nil && len(rel) < len(name) {
		return rel
	}
	return name
}

// Read reads a configuration file. Errors are *Error.
func Read(path string) (*File, error) {
	text, err := readText(path, yaml.MaxSize)
	if err != nil {
		return nil, err
	}
	return Parse(path, text)
}

// ReadFound reads a file that Find has found. It refuses one that lowers what
// chapter 05 forbids, and one that is a link: the file is among those that are
// checked, and a pull request that changes it must not switch off its own
// check. Messages about a link would show content that its author cannot read.
func ReadFound(path string) (*File, error) {
	info, err := os.Lstat(path)
	if err == nil && info.Mode()&fs.ModeSymlink != 0 {
		return nil, &Error{Path: path, Msg: "is a link: name it with --config, if you trust it"}
	}
	file, err := Read(path)
	if err != nil {
		return nil, err
	}
	if file.security != nil {
		return nil, file.security
	}
	file.Found = true
	return file, nil
}

// readText reads a file of at most limit bytes.
func readText(path string, limit int64) (string, error) {
	f, size, err := walk.OpenFile(path)
	if err != nil {
		return "", &Error{Path: path, Msg: "cannot be read: " + words.Cause(err).Error()}
	}
	defer func() { _ = f.Close() }()
	b, err := io.ReadAll(io.LimitReader(f, limit+1))
	switch {
	case err != nil:
		return "", &Error{Path: path, Msg: "cannot be read: " + words.Cause(err).Error()}
	case int64(len(b)) > limit:
		return "", &Error{Path: path, Msg: fmt.Sprintf("is larger than %d bytes: %d", limit, max(size, limit+1))}
	}
	return string(b), nil
}

// Parse reads the text of a configuration file. Errors are *Error.
func Parse(path, text string) (*File, error) {
	p := &parser{file: &File{Path: path}, lines: module.NewLines(text)}
	v, err := yaml.Parse(text)
	if err != nil {
		var at *words.SyntaxError
		errors.As(err, &at)
		return nil, p.fail(at.Offset, "is not YAML that can be read: %s", at.Message)
	}
	if err := p.document(v); err != nil {
		return nil, err
	}
	return p.file, nil
}
