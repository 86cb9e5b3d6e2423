package library

import (
	"errors"
	"slices"
	"strconv"
	"strings"

	"github.com/flowmcp/fmcp/pkg/catalog"
	"github.com/flowmcp/fmcp/pkg/sandbox"
	"github.com/flowmcp/fmcp/pkg/suggest"
)

// Codes of what can be wrong with a library (chapter 05, "Error Code Details").
const (
	CodeNotAllowed = "SEC020"
	CodeNotLoaded  = "SEC103"
)

// Source gives a catalog its libraries: what an allowlist lets in of what is
// installed in a folder. Nothing else is read, let alone bundled. Without a
// folder the catalog carries none, and the allowlist holds all the same.
type Source struct {
	Folder  *Folder  // may be nil
	Allowed []string // names of packages

	made map[string]made
}

type made struct {
	library *catalog.Library
	problem *catalog.Problem
}

// Close gives the folder back.
func (s *Source) Close() {
	if s.Folder != nil {
		_ = s.Folder.Close()
	}
}

// Library implements catalog.Options: each package is bundled once. Both
// results are nil for what the sandbox has itself.
func (s *Source) Library(name string) (*catalog.Library, *catalog.Problem) {
	if sandbox.Own(name) {
		return nil, nil
	}
	m, known := s.made[name]
	if !known {
		m.library, m.problem = s.library(name)
		if s.made == nil {
			s.made = map[string]made{}
		}
		s.made[name] = m
	}
	return m.library, m.problem
}

func (s *Source) library(name string) (*catalog.Library, *catalog.Problem) {
	if !slices.Contains(native, name) && !slices.Contains(s.Allowed, name) {
		return nil, s.notAllowed(name)
	}
	if s.Folder == nil {
		return nil, nil
	}
	lib, err := s.Folder.Bundle(name)
	if err == nil {
		return lib, nil
	}
	p := &catalog.Problem{Code: CodeNotLoaded, Message: "the library " + strconv.Quote(name) + " cannot be loaded: " + err.Error(), Fix: "use a library that is JavaScript alone and asks for nothing of Node"}
	var missing *Missing
	if errors.As(err, &missing) {
		p.Fix = "run npm install --ignore-scripts " + name + " in the folder above " + missing.Folder
	}
	return nil, p
}

func (s *Source) notAllowed(name string) *catalog.Problem {
	allowed := slices.Compact(slices.Sorted(slices.Values(s.Allowed)))
	p := &catalog.Problem{
		Code:    CodeNotAllowed,
		Message: "the library " + strconv.Quote(name) + " is not on the allowlist: " + strings.Join(allowed, ", "),
		Fix:     "use one of these, or allow it by --library " + name + " or under libraries in a file of --config, if you trust it",
	}
	if near, ok := suggest.Closest(name, allowed); ok {
		p.Fix = "did you mean " + strconv.Quote(near) + "?"
	}
	return p
}
