package main

import (
	"github.com/flowmcp/fmcp/pkg/cli"
	"github.com/flowmcp/fmcp/pkg/library"
)

// packages are the libraries that schemas may have: those that the user allows
// of --libraries. Without that folder the catalog carries none; a schema whose
// library is not allowed is left out either way (chapter 05, "Library Allowlist").
func (o *catalogCommand) packages() (*library.Source, error) {
	allowed, err := o.Configure(&o.Profile, o.Paths.Paths)
	if err != nil {
		return nil, err
	}
	source := &library.Source{Allowed: allowed}
	if o.Libraries == "" {
		return source, nil
	}
	if source.Folder, err = library.Open(o.Libraries); err != nil {
		return nil, cli.Usagef("--libraries: %v", err)
	}
	return source, nil
}
