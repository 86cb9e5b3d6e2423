package main

import (
	"maps"
	"slices"
	"strings"

	"github.com/flowmcp/fmcp/pkg/cli"
	"github.com/flowmcp/fmcp/pkg/exec/secret"
	"github.com/flowmcp/fmcp/pkg/serve/audit"
	"github.com/flowmcp/fmcp/pkg/serve/listing"
	"github.com/flowmcp/fmcp/pkg/words"
)

// auditFlags say which log of calls is kept (docs/serve.md, "Audit").
type auditFlags struct {
	Audit         string       `group:"Audit" placeholder:"FILE" help:"Write a line of JSON for each call, read and prompt: who, what, how it came out."`
	AuditSize     cli.FileSize `group:"Audit" default:"100MiB" placeholder:"SIZE" help:"Size at which the file is rotated, in whole MiB (default: 100MiB)."`
	AuditKeep     uint16       `group:"Audit" default:"10" placeholder:"N" help:"Number of rotated files to keep; 0 keeps all (default: 10)."`
	AuditSync     bool         `group:"Audit" help:"Wait until each line is on the disk."`
	AuditRequired bool         `group:"Audit" help:"Refuse calls that cannot be logged: each then has a line before it is made, too."`
}

// openAudit opens the log, nil where none is wanted.
func (f *auditFlags) openAudit(app *cli.App) (*audit.Log, error) {
	if f.Audit == "" {
		if f.AuditSync || f.AuditRequired {
			return nil, cli.Usagef("--audit-sync and --audit-required need a log: name it with --audit FILE")
		}
		return nil, nil
	}
	if f.AuditSize < 1<<20 || f.AuditSize%(1<<20) != 0 {
		return nil, cli.Usagef("--audit-size is %d bytes, expected whole MiB, such as 100MiB", int64(f.AuditSize))
	}
	log, err := audit.Open(audit.Options{File: f.Audit, MaxSize: int64(f.AuditSize), Keep: int(f.AuditKeep),
		Sync: f.AuditSync, Required: f.AuditRequired, Say: func(text string) { note(app, text) }})
	if err != nil {
		return nil, cli.Usagef("--audit %s: %v", f.Audit, words.Cause(err))
	}
	return log, nil
}

// redact keeps the keys of tools out of stderr and the log, and those of catalogs
// before: a call may have had keys that no schema asks for any more.
func (r *reloader) redact(o *offer, env *secret.Env) {
	for _, tools := range [][]listing.Tool{o.shown, o.hidden} {
		for i := range tools {
			if keys := tools[i].ServerParams; len(keys) > 0 {
				r.keys[strings.Join(keys, " ")] = keys
			}
		}
	}
	var groups [][]string
	for _, names := range slices.Sorted(maps.Keys(r.keys)) { // of two with one value the same is always shown
		groups = append(groups, r.keys[names])
	}
	redactor := secret.NewRedactor(env, groups...)
	r.redactor.Store(redactor)
	if r.log != nil {
		r.log.Redact(redactor)
	}
}
