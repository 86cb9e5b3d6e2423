package main

import (
	"github.com/flowmcp/fmcp/pkg/cli"
	"github.com/flowmcp/fmcp/pkg/library"
)

// packages are those of --libraries that the user allows, nil without it.
func (o *catalogCommand) packages() (*library.Source, error) {
	switch {
	case o.Libraries != "":
	case len(o.Library) > 0 || o.Config != "":
		return nil, cli.Usagef("--library and --config say what --libraries may carry: give it a node_modules folder")
	default:
		return nil, nil
	}
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
