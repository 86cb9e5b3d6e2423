package main

import (
	"github.com/flowmcp/fmcp/pkg/cli"
	"github.com/flowmcp/fmcp/pkg/library"
)

// packages are those of --libraries that the user allows.
func (o *catalogCommand) packages() (*library.Source, error) {
	allowed, err := o.Allowed(o.Profile, o.Paths.Paths)
	if err != nil {
		return nil, err
	}
	folder, err := library.Open(o.Libraries)
	if err != nil {
		return nil, cli.Usagef("--libraries: %v", err)
	}
	return &library.Source{Folder: folder, Allowed: allowed}, nil
}
