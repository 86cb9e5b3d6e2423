package library

import (
	"errors"
	"slices"

	"github.com/flowmcp/fmcp/pkg/catalog"
	"github.com/flowmcp/fmcp/pkg/resolve"
	"github.com/flowmcp/fmcp/pkg/sandbox"
	"github.com/flowmcp/fmcp/pkg/words"
)

// CodeNotLoaded is that of a library that is allowed and cannot be had (chapter
// 05, "Error Code Details").
const CodeNotLoaded = "SEC103"

// Source gives a catalog its libraries: what an allowlist lets in of what is
// installed in a folder. Nothing else is read, let alone bundled. Without a
// folder the catalog carries none, and the allowlist holds all the same.
type Source struct {
	Folder  *Folder // may be nil
	Allowed resolve.Allowlist

	made map[string]made
}

type made struct {
	library *catalog.Library
	problem *words.Problem
}

// Close gives the folder back.
func (s *Source) Close() {
	if s.Folder != nil {
		_ = s.Folder.Close()
	}
}

// Library implements resolve.Options: each package is bundled once. Both
// results are nil for what the sandbox has itself.
func (s *Source) Library(name string) (*catalog.Library, *words.Problem) {
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

func (s *Source) library(name string) (*catalog.Library, *words.Problem) {
	refused := s.Allowed.Refuse(name)
	if s.Folder == nil || refused != nil && !slices.Contains(native, name) {
		return nil, refused
	}
	lib, err := s.Folder.Bundle(name)
	if err == nil {
		return lib, nil
	}
	p := &words.Problem{Code: CodeNotLoaded, Message: "the library " + words.Quote(name) + " cannot be loaded: " +
		err.Error(), Fix: "use a library that is JavaScript alone and asks Node for nothing but " +
		words.List(sandbox.Builtins)}
	var missing *Missing
	if errors.As(err, &missing) {
		p.Fix = "run npm install --ignore-scripts " + name + " in the folder above " + missing.Folder
	}
	return nil, p
}
