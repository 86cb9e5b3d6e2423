package stage

import (
	"strings"

	"github.com/flowmcp/fmcp/pkg/record"
)

// maxWaiting is how many records that wait for the whole catalog are held. In a
// catalog where every schema has prompts that would be all of it.
const maxWaiting = 256

// shelve keeps of a waiting item only what it takes to read its file again when
// the last record has come. A record that could not be read again, or whose
// comments count, is held.
func (it *Item) shelve(load *record.Load) {
	if !load.Static || load.Ignores != nil || load.Src.FileHash == "" ||
		!it.env.folder.Exists(it.env.facts.Path(load.Src)) {
		return
	}
	it.shelved = true
	it.Line, it.source = nil, ""
	// With texts of its own: those of the record are pieces of its line.
	it.Rec = &record.Load{
		Type: load.Type, ID: strings.Clone(load.ID), Static: true, Exports: []string{},
		Src: record.Source{
			Path: strings.Clone(load.Src.Path), Root: strings.Clone(load.Src.Root),
			FileHash: strings.Clone(load.Src.FileHash),
		},
	}
}

// reload reads a shelved record again; nil where the file is not what it was.
func (env *surroundings) reload(shelved *record.Load) *record.Load {
	load := env.folder.load(env.facts.Path(shelved.Src))
	if load == nil || load.Src.FileHash != shelved.Src.FileHash {
		return nil
	}
	load.Src, load.ID = shelved.Src, shelved.ID
	return load
}
